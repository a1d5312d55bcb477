//! Code of a program as text.

use super::Program;
use crate::code::steps::Code;
use core::fmt::{self, Debug, Formatter};

/// Writes the fused code: a step a line, then the tables that steps name, a row a line.
impl Debug for Program {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Code { steps, exits, tables, ladders, blocks, heads } = &self.parts.fused;
        let starts = |at| blocks.iter().enumerate().filter(move |(_, first)| **first == at);
        for (at, step) in (0..).zip(steps) {
            for (block, _) in starts(at) {
                writeln!(out, "block {block}")?;
            }
            writeln!(out, "{at:4} {step:?}")?;
        }
        rows(out, "exits", exits)?;
        rows(out, "tables", tables)?;
        rows(out, "ladders", ladders)?;
        rows(out, "heads", heads)?;
        rows(out, "operations", &self.parts.expressions.code)?;
        rows(out, "expressions", &self.parts.expressions.ranges)
    }
}

/// Writes a heading, and each row with its index. An empty table is left out.
fn rows<T: Debug>(out: &mut Formatter<'_>, heading: &str, rows: &[T]) -> fmt::Result {
    if !rows.is_empty() {
        writeln!(out, "\n{heading}")?;
    }
    rows.iter().enumerate().try_for_each(|(index, row)| writeln!(out, "{index:4} {row:?}"))
}
