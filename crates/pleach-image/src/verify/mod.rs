//! The verifier: the only way from bytes to an [`crate::Image`].
//!
//! It runs in phases: the container (see [`crate::format`]), the checksum, the tables, the
//! conditions, the code. No phase reads anything that an earlier phase has not proved. No phase
//! recurses. All phases together take time linear in the size of the file, and a few bytes of
//! scratch memory per word of the largest block.
//!
//! Conditions and code are most of the work, and nearly all files are valid. So there is a quick
//! check for both, which only confirms that a condition or block is valid. If it cannot confirm
//! that, a precise check goes word by word. Both checks are made from the tables of [`crate::isa`].
//! If debug assertions are on, the precise check repeats every check that the quick one passes.
//!
//! The engines rely on these guarantees:
//!
//! * Every index, slot, node and string in a row or an operand is in range and of the right kind.
//! * Within a block control goes only forward, lands on instructions, and ends with a `return` or a
//!   `fault`.
//! * The only way back is inside a loop, as often as the loop says.
//! * Blocks call only earlier blocks, at most `call_depth` deep.
//! * A condition leaves one boolean, and any other expression one number. Its stack
//!   never underflows and never gets deeper than `stack_depth`. Each operation
//!   finds the types that it needs.
//! * An agent's frame has at most [`MAX_FRAME_BYTES`].
//!
//! Debug sections are not checked here. Code that reads them checks each access, and no engine
//! reads them.

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
use crate::isa::operand::Shape;
use alloc::vec::Vec;

/// Maximum number of nodes in an image: ids have 16 bits, 0 stands for no node, and the two highest
/// ids stand for a branch that has ended.
pub const MAX_NODES: u32 = 0xfffd;
/// Maximum number of slots, conditions, sites and flags: operands have 16 bits.
pub const MAX_ROWS: usize = 1 << 16;
/// Maximum length of a name in bytes. Many rows may share a name, and each of them is looked up and
/// copied separately.
pub const MAX_NAME: u32 = 1024;
/// Maximum length in bytes of a text that a variable can hold.
pub const MAX_TEXT: usize = 1024;
/// Maximum depth of the condition stack.
pub const MAX_STACK: u32 = 64;
/// Maximum size of an agent's frame in bytes.
pub const MAX_FRAME_BYTES: u64 = 64 * 1024;
/// Number of registers.
pub const MAX_REGISTERS: u16 = 256;
/// Maximum number of bytes that a node of the host owns in the frame.
pub const MAX_DATA: u32 = 0xffff;
/// Maximum capacity of a set.
pub const MAX_SET: u32 = 255;

/// Row of a section.
type Row = (SectionKind, usize);

/// File that is being verified.
struct Subject<'a> {
    ranges: &'a Ranges,
    view: View<'a>,
}

impl Subject<'_> {
    /// Returns an error at a row of a section.
    #[cold]
    fn fail(&self, rule: Rule, kind: SectionKind, row: usize, found: u64) -> ImageError {
        let offset = self.ranges.get(kind).start + row * kind.row_bytes();
        ImageError::section(rule, kind, offset, found)
    }

    /// Refuses a row if the rule does not hold for it.
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

    /// Checks a table row by row.
    #[inline]
    fn each<T>(
        &self,
        kind: SectionKind,
        rows: &[T],
        mut check: impl FnMut(Row, &T) -> Result<(), ImageError>,
    ) -> Result<(), ImageError> {
        rows.iter().enumerate().try_for_each(|(row, it)| check((kind, row), it))
    }

    /// Returns true if the node exists.
    fn node(&self, node: u16) -> bool {
        node >= 1 && u32::from(node) <= self.view.meta.first().map_or(0, |meta| meta.nodes)
    }

    /// Returns true if the slot exists and is of this kind.
    fn slot(&self, slot: u16, kind: u32) -> bool {
        self.view.slots.get(usize::from(slot)).is_some_and(|row| row.kind == kind)
    }
}

/// Replaces the content of a list by `count` copies of a value, if there is memory for them.
fn fill<T: Clone>(values: &mut Vec<T>, count: usize, value: T) -> Result<&mut [T], Rule> {
    values.clear();
    values.try_reserve_exact(count).map_err(|_| Rule::Memory)?;
    values.resize(count, value);
    Ok(values)
}

/// Appends a value if there is memory for it.
fn push<T>(values: &mut Vec<T>, value: T) -> Result<(), Rule> {
    values.try_reserve(1).map_err(|_| Rule::Memory)?;
    values.push(value);
    Ok(())
}

/// Returns true if the precise check agrees with the quick one, or had no memory.
fn agree<T: PartialEq>(precise: Result<T, (usize, Rule)>, quick: T) -> bool {
    precise.map_or_else(|(_, rule)| rule == Rule::Memory, |precise| precise == quick)
}

/// Returns the error for missing memory when `rows` rows are checked.
fn memory(rows: usize) -> impl Fn(Rule) -> ImageError {
    move |rule| ImageError::header(rule, 0, rows as u64)
}

/// Memory that one verification leaves to the next. What is in it makes no difference to the next
/// verification.
#[derive(Debug, Default)]
pub struct Scratch {
    shape: Shape,
    conditions: conditions::Scratch,
    /// Marks of blocks.
    blocks: Vec<bool>,
    code: code::Scratch,
}

/// Proves all guarantees that the engines rely on, in memory of earlier verifications. Returns the
/// ranges of the sections.
pub(crate) fn verify(data: &[u8], scratch: &mut Scratch) -> Result<Ranges, ImageError> {
    let ranges = container::parse(data)?;
    container::checksum(data)?;
    let subject = Subject { ranges: &ranges, view: ranges.view(data) };
    let Scratch { shape, conditions, blocks, code } = scratch;
    tables::check(&subject, shape)?;
    conditions::check(&subject, shape, conditions)?;
    state::check(&subject, blocks)?;
    forests::check(&subject)?;
    if code::check(&subject, shape, code)? {
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
