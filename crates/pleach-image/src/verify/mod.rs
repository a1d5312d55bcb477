//! The verifier: the only way from bytes to an [`crate::Image`].
//!
//! It runs in phases, and none reads what an earlier one has not proven: the container (see [`crate::format`]), the
//! checksum, the tables, the conditions, the code. No phase recurses; together they take time linear in the size of
//! the file and a few bytes of scratch per word of the largest block.
//!
//! Conditions and code are most of the work, and nearly all files are right. So each of the two is looked at in a quick
//! way that only tells whether a condition or block is surely right, and where that is not sure, word by word. Both ways
//! are made from the tables of [`crate::isa`]; where assertions are on, whatever the quick one lets pass is looked at
//! word by word too.
//!
//! What is proven, and what the engines rest on:
//!
//! * every index, slot, node and string in a row or an operand is in range and of the right kind;
//! * within a block control goes only forward, lands on instructions, and ends with a `return`;
//! * the only way back is inside a loop, as often as the loop says, whatever runs inside it;
//! * blocks call only blocks before them, at most `call_depth` deep;
//! * a condition leaves one truth, another expression one number; its stack never underflows nor gets deeper than `stack_depth`, each operation
//!   finds the types it needs;
//! * an agent's frame has at most [`MAX_FRAME_BYTES`].
//!
//! Debug sections are not looked at here: whoever reads them checks as it goes, and no engine does.

mod code;
mod conditions;
mod container;
mod forests;
mod forms;
mod loops;
mod state;
mod sweep;
mod switches;
mod tables;

pub use crate::rule::Rule;
#[cfg(pleach_planted)]
pub use crate::rule::planted;

use crate::error::ImageError;
use crate::format::{Ranges, SectionKind, View};
use alloc::vec::Vec;

/// Most nodes in an image: ids are 16 bits, 0 is none, and the two highest stand for a branch that has ended.
pub const MAX_NODES: u32 = 0xfffd;
/// Most slots, conditions, sites and flags: operands are 16 bits.
pub const MAX_ROWS: usize = 1 << 16;
/// Most bytes of a name: many rows may share one, and each is looked up and copied on its own.
pub const MAX_NAME: u32 = 1024;
/// Greatest depth of the condition stack.
pub const MAX_STACK: u32 = 64;
/// Most bytes of an agent's frame.
pub const MAX_FRAME_BYTES: u64 = 64 * 1024;
/// Most registers.
pub const MAX_REGISTERS: u16 = 256;
/// Most bytes that a node of the host has for itself.
pub const MAX_DATA: u32 = 0xffff;
/// Largest capacity of a set.
pub const MAX_SET: u32 = 255;

/// A row of a section.
type Row = (SectionKind, usize);

/// A file under verification.
struct Subject<'a> {
    ranges: &'a Ranges,
    view: View<'a>,
}

impl Subject<'_> {
    /// An error at a row of a section.
    #[cold]
    fn fail(&self, rule: Rule, kind: SectionKind, row: usize, found: u64) -> ImageError {
        let offset = self.ranges.get(kind).start + row * kind.row_bytes();
        ImageError::section(rule, kind, offset, found)
    }

    /// Refuses a row for which a rule does not hold.
    #[inline]
    fn must(
        &self,
        hold: bool,
        rule: Rule,
        (kind, row): Row,
        found: impl Into<u64>,
    ) -> Result<(), ImageError> {
        rule.must(hold).map_err(|rule| self.fail(rule, kind, row, found.into()))
    }

    /// Checks row by row.
    #[inline]
    fn each<T>(
        &self,
        kind: SectionKind,
        rows: &[T],
        mut check: impl FnMut(Row, &T) -> Result<(), ImageError>,
    ) -> Result<(), ImageError> {
        rows.iter().enumerate().try_for_each(|(row, it)| check((kind, row), it))
    }

    /// Whether there is such a node.
    fn node(&self, node: u16) -> bool {
        node >= 1 && u32::from(node) <= self.view.meta.first().map_or(0, |meta| meta.nodes)
    }

    /// Whether there is such a slot and it is of this kind.
    fn slot(&self, slot: u16, kind: u32) -> bool {
        self.view.slots.get(usize::from(slot)).is_some_and(|row| row.kind == kind)
    }
}

/// So many of these, if there is memory for them.
fn filled<T: Clone>(count: usize, value: T) -> Result<Vec<T>, Rule> {
    let mut values = reserved(count)?;
    values.resize(count, value);
    Ok(values)
}

/// Room for so many.
fn reserved<T>(count: usize) -> Result<Vec<T>, Rule> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| Rule::Memory)?;
    Ok(values)
}

/// Puts a value behind the others, if there is memory for it.
fn push<T>(values: &mut Vec<T>, value: T) -> Result<(), Rule> {
    values.try_reserve(1).map_err(|_| Rule::Memory)?;
    values.push(value);
    Ok(())
}

/// Whether a precise look says what a quick one did, if there was memory for it.
fn agree<T: PartialEq>(precise: Result<T, (usize, Rule)>, quick: T) -> bool {
    precise.map_or_else(|(_, rule)| rule == Rule::Memory, |precise| precise == quick)
}

/// There is no memory for what is needed to check so many rows.
fn memory(rows: usize) -> impl Fn(Rule) -> ImageError {
    move |rule| ImageError::header(rule, 0, rows as u64)
}

/// Proves all that the engines rest on. Returns the places of the sections.
pub(crate) fn verify(data: &[u8]) -> Result<Ranges, ImageError> {
    let ranges = container::parse(data)?;
    container::checksum(data)?;
    let subject = Subject { ranges: &ranges, view: ranges.view(data) };
    let mut shape = tables::check(&subject)?;
    shape.conditions = conditions::check(&subject, &shape)?;
    state::check(&subject)?;
    forests::check(&subject)?;
    if code::check(&subject, shape)? {
        loops::check(&subject)?;
    }
    Ok(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_agree_if_they_say_the_same_or_one_had_no_memory() {
        let precise = [Ok(1), Ok(2), Err((0, Rule::Memory)), Err((0, Rule::StackEnd))];
        assert_eq!(precise.map(|precise| agree(precise, 1)), [true, false, true, false]);
    }
}
