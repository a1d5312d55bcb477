//! Bytes of a recording around the coded part: header, image, functions, blocks.
//! Described in `spec/recording.md`.

use super::coder::mix;
use super::error::RecordingFault;
use crate::host::{Effect, Function, Host};
use crate::saved::format::put;
use crate::values::{Kind, Type};
use alloc::vec::Vec;
use bytemuck::{Pod, Zeroable};
use pleach_image::Image;
use pleach_image::format::{ImportRow, import_kind};

/// First bytes of a recording. They are not text, and a transfer as text damages them visibly.
pub(super) const MAGIC: [u8; 8] = *b"\x89PLR\r\n\x1a\n";
pub(super) const VERSION: u32 = 2;
/// The version before, in which a snapshot takes no bits that cannot be foreseen.
pub(super) const OLD_VERSION: u32 = 1;
/// Bytes of the header, without image and functions.
const HEADER: usize = size_of::<HeaderRow>();
/// Bytes in front of a block.
pub(super) const BLOCK: usize = size_of::<Block>();
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
        let column = match column {
            0 => None,
            column => Some(Type(Kind::known(column.into()).filter(|kind| kind.is_variable())?)),
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
    // A draw is never below zero.
    let (count, length, fixed) = (links.len() as u32, image.len() as u64, fixed.unwrap_or(-1.0));
    put(&mut out, &[HeaderRow { magic: MAGIC, version: VERSION, links: count, image: length, fixed }]);
    out.extend(image);
    links.iter().for_each(|link| link.write(&mut out));
    out
}

/// First bytes of a recording.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct HeaderRow {
    magic: [u8; 8],
    version: u32,
    /// Number of functions.
    links: u32,
    /// Number of bytes of the image.
    image: u64,
    fixed: f64,
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

/// Reads a row at a place.
///
/// # Errors
/// If the file ends before the end of the row.
fn row<T: Pod>(all: &[u8], at: usize) -> Result<T, RecordingFault> {
    let bytes = all.get(at..).and_then(|rest| rest.get(..size_of::<T>()));
    bytes.map(bytemuck::pod_read_unaligned).ok_or(RecordingFault::Length)
}

impl<'a> Header<'a> {
    pub(super) fn read(all: &'a [u8]) -> Result<Self, RecordingFault> {
        RecordingFault::Magic.unless(all.starts_with(&MAGIC))?;
        let HeaderRow { version, links, image, fixed, .. } = row(all, 0)?;
        RecordingFault::Version.unless(matches!(version, OLD_VERSION | VERSION))?;
        let (count, length) = (links as usize, usize::try_from(image).map_err(|_| RecordingFault::Length)?);
        let (image, rest) = all[HEADER..].split_at_checked(length).ok_or(RecordingFault::Length)?;
        let rows = rest.as_chunks::<LINK>().0.get(..count).ok_or(RecordingFault::Length)?;
        let links = rows.iter().map(|row| RecordedLink::read(*row)).collect::<Option<_>>();
        let links = links.ok_or(RecordingFault::Image)?;
        let fixed = Some(fixed).filter(|fixed| (0.0..1.0).contains(fixed));
        Ok(Self { version, image, links, fixed, end: HEADER + length + count * LINK })
    }
}

/// Header of a block.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Block {
    pub(super) length: u32,
    /// Number of ticks that end in the block.
    pub(super) ticks: u32,
    pub(super) hash: u64,
}

impl Block {
    pub(super) fn write(self, out: &mut Vec<u8>) {
        put(out, &[self]);
    }

    /// Reads the block at a place.
    ///
    /// # Errors
    /// If its bytes are missing or damaged.
    pub(super) fn read(all: &[u8], at: usize) -> Result<Self, RecordingFault> {
        let block: Self = row(all, at)?;
        let body = all[at + BLOCK..].get(..block.length as usize).ok_or(RecordingFault::Length)?;
        RecordingFault::Damaged.unless(hash(body) == block.hash)?;
        Ok(block)
    }
}
