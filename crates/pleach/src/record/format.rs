//! Bytes of a recording around the coded part: header, image, functions, blocks.
//! Described in `spec/recording.md`.

use super::coder::mix;
use super::error::RecordingFault;
use crate::host::{Effect, Function, Host};
use crate::values::{Kind, Type};
use alloc::vec::Vec;
use pleach_image::Image;
use pleach_image::format::{ImportRow, import_kind, slot_kind};

/// First bytes of a recording. They are not text, and a transfer as text damages them visibly.
pub(super) const MAGIC: [u8; 8] = *b"\x89PLR\r\n\x1a\n";
pub(super) const VERSION: u32 = 2;
/// The version before, in which a snapshot takes no bits that cannot be foreseen.
pub(super) const OLD_VERSION: u32 = 1;
/// Bytes of the header, without image and functions.
pub(super) const HEADER: usize = 32;
/// Bytes in front of a block.
pub(super) const BLOCK: usize = 16;
/// Bytes of a function.
const LINK: usize = 8;
/// Stands for a function that the host lacks, and may.
const NONE: u32 = u32::MAX;

/// Answers of a host about a function when the program was linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordedLink {
    pub(super) number: Option<u32>,
    pub(super) column: Option<Type>,
    pub(super) effect: Effect,
}

/// Returns the kind of an imported function.
pub(super) fn kind(import: &ImportRow) -> Function {
    if import_kind::of(import.kind) == import_kind::ACTION { Function::Action } else { Function::Query }
}

/// Asks a host about the functions of an image.
pub(super) fn links<D: AsRef<[u8]>>(image: &Image<D>, host: &dyn Host) -> Vec<RecordedLink> {
    let link = |import: &ImportRow| {
        let kind = kind(import);
        let number = host.resolve(kind, image.name(import.name));
        let column = number.filter(|_| kind == Function::Query).and_then(|number| host.column(number));
        let effect = number.map_or(Effect::Own, |number| host.effect(kind, number));
        RecordedLink { number, column, effect }
    };
    image.imports().iter().map(link).collect()
}

impl RecordedLink {
    fn write(self, out: &mut Vec<u8>) {
        out.extend(self.number.unwrap_or(NONE).to_le_bytes());
        out.push(self.column.map_or(0, |Type(kind)| kind.number() as u8));
        out.extend([self.effect as u8, 0, 0]);
    }

    fn read(bytes: [u8; LINK]) -> Option<Self> {
        let [a, b, c, d, column, effect, 0, 0] = bytes else { return None };
        let number = Some(u32::from_le_bytes([a, b, c, d])).filter(|number| *number != NONE);
        let kinds = [slot_kind::BIT, slot_kind::I8, slot_kind::U8, slot_kind::I16, slot_kind::U16];
        let kinds = kinds.into_iter().chain([slot_kind::I32, slot_kind::F32]);
        let column = match column {
            0 => None,
            column => Some(Type(Kind::of(kinds.into_iter().find(|kind| *kind == u32::from(column))?))),
        };
        let effect = [Effect::Pure, Effect::Own, Effect::World].into_iter().find(|it| *it as u8 == effect)?;
        Some(Self { number, column, effect })
    }
}

/// Returns a hash of bytes. It tells damage, and says nothing of who wrote them.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, byte| mix(hash, (*byte).into()))
}

/// Returns all that is in front of the blocks.
pub(super) fn header(image: &[u8], links: &[RecordedLink], fixed: Option<f64>) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEADER + image.len() + links.len() * LINK);
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend((links.len() as u32).to_le_bytes());
    out.extend((image.len() as u64).to_le_bytes());
    // A draw is never below zero.
    out.extend(fixed.unwrap_or(-1.0).to_le_bytes());
    out.extend(image);
    links.iter().for_each(|link| link.write(&mut out));
    out
}

/// Header in front of the blocks.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub(super) version: u32,
    pub(super) image: &'a [u8],
    pub(super) links: Vec<RecordedLink>,
    pub(super) fixed: Option<f64>,
    /// Offset of the first block.
    pub(super) end: usize,
}

/// Returns the bytes at a place; `None` if the file ends before them.
fn bytes<const N: usize>(all: &[u8], at: usize) -> Option<[u8; N]> {
    all.get(at..)?.first_chunk().copied()
}

impl<'a> Header<'a> {
    pub(super) fn read(all: &'a [u8]) -> Result<Self, RecordingFault> {
        if bytes(all, 0) != Some(MAGIC) {
            return Err(RecordingFault::Magic);
        }
        let word = |at| bytes(all, at).map(u32::from_le_bytes).ok_or(RecordingFault::Length);
        let double = |at| bytes(all, at).map(u64::from_le_bytes).ok_or(RecordingFault::Length);
        let version = word(8)?;
        if !matches!(version, OLD_VERSION | VERSION) {
            return Err(RecordingFault::Version);
        }
        let (count, length, fixed) = (word(12)? as usize, double(16)?, f64::from_bits(double(24)?));
        let length = usize::try_from(length).map_err(|_| RecordingFault::Length)?;
        let rest = all.get(HEADER..).ok_or(RecordingFault::Length)?;
        let (image, rest) = rest.split_at_checked(length).ok_or(RecordingFault::Length)?;
        let rows = rest.as_chunks::<LINK>().0.get(..count).ok_or(RecordingFault::Length)?;
        let links = rows
            .iter()
            .map(|row| RecordedLink::read(*row).ok_or(RecordingFault::Image))
            .collect::<Result<_, _>>()?;
        let fixed = (0.0..1.0).contains(&fixed).then_some(fixed);
        Ok(Self { version, image, links, fixed, end: HEADER + length + count * LINK })
    }
}

/// Header of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) length: u32,
    /// Number of ticks that end in the block.
    pub(super) ticks: u32,
    pub(super) hash: u64,
}

impl Block {
    pub(super) fn write(self, out: &mut Vec<u8>) {
        out.extend(self.length.to_le_bytes());
        out.extend(self.ticks.to_le_bytes());
        out.extend(self.hash.to_le_bytes());
    }

    /// Reads the block at a place.
    ///
    /// # Errors
    /// If its bytes are missing or damaged.
    pub(super) fn read(all: &[u8], at: usize) -> Result<Self, RecordingFault> {
        let row: [u8; BLOCK] = bytes(all, at).ok_or(RecordingFault::Length)?;
        let [length, ticks] = [0, 4].map(|at| bytes(&row, at).map_or(0, u32::from_le_bytes));
        let block = Self { length, ticks, hash: bytes(&row, 8).map_or(0, u64::from_le_bytes) };
        let body = all
            .get(at + BLOCK..)
            .and_then(|rest| rest.get(..length as usize))
            .ok_or(RecordingFault::Length)?;
        if hash(body) == block.hash { Ok(block) } else { Err(RecordingFault::Damaged) }
    }
}
