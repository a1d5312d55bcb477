//! Mutations of images that pass the first checks of the verifier.
//!
//! A fuzzer that only changes bytes hardly ever makes a section longer, because too many numbers
//! would have to change at once. The mutations here change rows: an instruction or operation is
//! doubled, dropped or moved, and the tables around it are adjusted. In texts they [remove, double
//! and exchange](damage) pieces. Below rows, [`changed`] exchanges bytes and words, and a [`Cut`]
//! doubles and exchanges whole sections. [`mutant`] applies one of these to a golden image. Each
//! change is a part of the draws, so that a counterexample keeps only the changes that matter.

use super::Case;
use super::check::guarded;
use super::draws::Draws;
use super::golden;
use super::program::{program, sources};
use core::ops::Range;
use pleach_compile::internals::emit;
use pleach_image::Image;
use pleach_image::format::{self, HEADER_BYTES, Parts, SECTION_ROW_BYTES, seal};

/// Maximum size of a mutated image in bytes.
const MOST_BYTES: usize = 1 << 16;

/// Makes between one and `most` changes, each a part of the draws.
fn changes(draws: &mut Draws, most: usize, mut change: impl FnMut(&mut Draws)) {
    for _ in 0..=draws.count(most) {
        draws.begin();
        change(draws);
        draws.end();
    }
}

/// Returns a golden image with changes by the draws of a case, and with a corrected checksum.
#[must_use]
pub fn mutant(case: &Case) -> Vec<u8> {
    let (mut draws, images) = (case.draws(), golden::images());
    let one = &images[draws.below(images.len())].image;
    let mut bytes = match draws.below(8) {
        0..=2 => changed(one, &mut draws),
        3 => {
            let mut cut = Cut::of(one);
            cut.double(&mut draws);
            cut.join()
        }
        4 => {
            let mut cut = Cut::of(one);
            cut.splice(&Cut::of(&images[draws.below(images.len())].image), &mut draws);
            cut.join()
        }
        _ => mutate(one, &mut draws),
    };
    seal(&mut bytes);
    bytes
}

/// Returns a mutated image, which is complete but seldom valid. If the bytes are no image, returns
/// that of a random program.
#[must_use]
pub fn mutate(bytes: &[u8], draws: &mut Draws) -> Vec<u8> {
    let image = Image::copy(bytes).ok().filter(|_| bytes.len() < MOST_BYTES && !draws.one_in(50));
    let Some(image) = image else { return fresh(draws) };
    let mut parts = image.parts();
    changes(draws, 4, |draws| match draws.below(8) {
        0..=3 => instruction(&mut parts, draws),
        4 | 5 => operation(&mut parts, draws),
        _ => row(&mut parts, draws),
    });
    format::write(&parts)
}

/// Returns the image of a random program.
#[must_use]
pub fn fresh(draws: &mut Draws) -> Vec<u8> {
    let case = Case::sized(draws.roll(), draws.below(30));
    let sources = draws.one_in(4).then(sources);
    emit::emit(&program(&case), "random", sources.as_ref()).expect("a small program fits")
}

/// Doubles, drops or replaces an instruction.
fn instruction(parts: &mut Parts, draws: &mut Draws) {
    let block = draws.below(parts.blocks.len().max(1));
    let Some(row) = parts.blocks.get_mut(block) else { return };
    let (first, count) = (row.first as usize, row.count as usize);
    let change = edit(&mut parts.code, first..first + count, draws);
    row.count = row.count.wrapping_add_signed(change);
    for row in &mut parts.blocks[block + 1..] {
        row.first = row.first.wrapping_add_signed(change);
    }
}

/// Doubles, drops or replaces an operation of a condition.
fn operation(parts: &mut Parts, draws: &mut Draws) {
    let condition = draws.below(parts.conditions.len().max(1));
    let Some(row) = parts.conditions.get_mut(condition) else { return };
    let (first, count) = (row.first as usize, row.count as usize);
    let change = edit(&mut parts.condition_code, first..first + count, draws);
    row.count = row.count.wrapping_add_signed(change);
    for row in &mut parts.conditions[condition + 1..] {
        row.first = row.first.wrapping_add_signed(change);
    }
}

/// Doubles, drops or replaces a row of a table that nothing else counts.
fn row(parts: &mut Parts, draws: &mut Draws) {
    match draws.below(6) {
        0 => any(&mut parts.slots, draws),
        1 => any(&mut parts.sites, draws),
        2 => any(&mut parts.imports, draws),
        3 => any(&mut parts.values, draws),
        4 => any(&mut parts.constants, draws),
        _ => any(&mut parts.entries, draws),
    }
}

fn any<T: Copy>(rows: &mut Vec<T>, draws: &mut Draws) {
    let all = 0..rows.len();
    edit(rows, all, draws);
}

/// Changes one of the rows in a range. Returns the change of their number.
fn edit<T: Copy>(rows: &mut Vec<T>, range: Range<usize>, draws: &mut Draws) -> i32 {
    if range.is_empty() {
        return 0;
    }
    let (before, at) = (rows.len(), range.start + draws.below(range.len()));
    let other = rows[draws.below(before)];
    match draws.below(3) {
        0 => rows.insert(at, other),
        1 if range.len() > 1 => drop(rows.remove(at)),
        _ => rows[at] = other,
    }
    rows.len() as i32 - before as i32
}

/// Returns a text from which pieces are removed, doubled and exchanged by the damage draws of a
/// case.
#[must_use]
pub fn damage(case: &Case, text: String) -> Vec<u8> {
    let mut text = text.into_bytes();
    changes(&mut case.damage_draws(), 4, |draws| {
        let (from, length) = (draws.below(text.len()), draws.below(24));
        let piece: Vec<u8> = text[from..text.len().min(from + length)].to_vec();
        let to = draws.below(text.len());
        match draws.below(4) {
            0 => drop(text.splice(to..to, piece)),
            1 if piece.len() < text.len() => drop(text.splice(from..from + piece.len(), [])),
            2 => text[to] = b"<>\"/=&!( 1"[draws.below(10)],
            _ => text.truncate(to.max(1)),
        }
    });
    text
}

/// Calls a function that must not panic with a [damaged](damage) text.
///
/// # Errors
/// With the panic and the damaged text, if the function panics.
pub fn damaged(case: &Case, text: String, take: fn(&[u8])) -> Result<(), String> {
    let text = damage(case, text);
    guarded(|| {
        take(&text);
        Ok(())
    })
    .map_err(|why| format!("{why}\n{}", String::from_utf8_lossy(&text)))
}

/// Returns an image in which bytes and words are changed, or exchanged for others of it.
#[must_use]
pub fn changed(image: &[u8], draws: &mut Draws) -> Vec<u8> {
    let mut bytes = image.to_vec();
    changes(draws, 3, |draws| {
        let at = HEADER_BYTES + draws.below(bytes.len() - HEADER_BYTES);
        let (word, other) = (at / 8 * 8, draws.below(bytes.len() / 8) * 8);
        match draws.below(5) {
            0 => bytes[at] = draws.roll() as u8,
            1 => bytes[at] = draws.pick(&[0, 1, 0x7f, 0x80, 0xfe, 0xff]),
            2 => bytes[at] = bytes[at].wrapping_add(draws.pick(&[1, 0xff])),
            3 => (0..8).for_each(|byte| bytes.swap(word + byte, other + byte)),
            _ => {
                let half = at / 2 * 2;
                bytes[half..half + 2].copy_from_slice(&draws.pick(&[0, 1, 0x7fff, 0xffff_u16]).to_le_bytes());
            }
        }
    });
    bytes
}

/// Image that is cut into header and sections.
pub struct Cut {
    header: Vec<u8>,
    /// Numbers and bytes of the sections.
    sections: Vec<(u32, Vec<u8>)>,
}

impl Cut {
    /// Cuts a complete image.
    #[must_use]
    pub fn of(image: &[u8]) -> Self {
        let number = |at: usize| {
            let bytes = image[at..].first_chunk::<8>().copied();
            u64::from_le_bytes(bytes.unwrap_or_default())
        };
        let count = number(32) as u32 as usize;
        let section = |index: usize| {
            let row = HEADER_BYTES + index * SECTION_ROW_BYTES;
            let (start, length) = (number(row + 8) as usize, number(row + 16) as usize);
            (number(row) as u32, image[start..start + length].to_vec())
        };
        Self { header: image[..HEADER_BYTES].to_vec(), sections: (0..count).map(section).collect() }
    }

    /// Joins the header and the sections to an image.
    #[must_use]
    pub fn join(&self) -> Vec<u8> {
        let mut bytes = self.header.clone();
        bytes[32..36].copy_from_slice(&(self.sections.len() as u32).to_le_bytes());
        let mut start = HEADER_BYTES + self.sections.len() * SECTION_ROW_BYTES;
        for (kind, section) in &self.sections {
            bytes.extend(u64::from(*kind).to_le_bytes());
            bytes.extend((start as u64).to_le_bytes());
            bytes.extend((section.len() as u64).to_le_bytes());
            start += section.len().next_multiple_of(8);
        }
        for (_, section) in &self.sections {
            bytes.extend(section);
            bytes.resize(bytes.len().next_multiple_of(8), 0);
        }
        seal(&mut bytes);
        bytes
    }

    /// Doubles a section, as two sections or as one of twice the length.
    pub fn double(&mut self, draws: &mut Draws) {
        let at = draws.below(self.sections.len());
        if draws.one_in(8) {
            self.sections.insert(at, self.sections[at].clone());
        } else {
            let section = &mut self.sections[at].1;
            section.extend_from_within(..);
        }
    }

    /// Replaces sections by those of another image.
    pub fn splice(&mut self, other: &Self, draws: &mut Draws) {
        changes(draws, 2, |draws| {
            let at = draws.below(self.sections.len());
            let kind = self.sections[at].0;
            if let Some((_, section)) = other.sections.iter().find(|(known, _)| *known == kind) {
                self.sections[at].1.clone_from(section);
            }
        });
    }
}
