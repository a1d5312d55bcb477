//! Kinds of the rows of a table, such as the slots of the frame, for the checks of operands.
//!
//! Compilers tend to keep rows of one kind together. So the first run of rows of each kind is
//! stored, and an index inside that run is accepted without looking at its row.

use alloc::vec::Vec;
use core::ops::Range;

/// Upper bound of the number of kinds of rows in a table.
const KINDS: usize = 16;
/// Number of rows that are compared together.
const STEP: usize = 32;

/// Kinds of the rows of a table.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    kinds: Vec<u8>,
    /// First run of rows of each kind, by kind.
    runs: [Range<u64>; KINDS],
}

impl Kinds {
    pub(crate) fn new(kinds: Vec<u8>) -> Self {
        let most = kinds.iter().fold(0, |most, kind| most.max(*kind));
        let runs =
            core::array::from_fn(
                |kind| {
                    if kind <= usize::from(most) { run(&kinds, kind as u8) } else { 0..0 }
                },
            );
        Self { kinds, runs }
    }

    /// Returns the list of kinds, to be filled again.
    pub(crate) fn into_kinds(self) -> Vec<u8> {
        self.kinds
    }

    /// Returns true if the row exists and is of this kind.
    pub(crate) fn is(&self, row: u32, kind: u32) -> bool {
        self.kinds.get(row as usize).is_some_and(|found| u32::from(*found) == kind)
    }

    /// Returns the first run of rows of this kind.
    pub(crate) fn run(&self, kind: u32) -> Range<u64> {
        self.runs.get(kind as usize).cloned().unwrap_or_default()
    }
}

fn run(kinds: &[u8], kind: u8) -> Range<u64> {
    let start = prefix(kinds, |found| found != kind);
    let length = prefix(&kinds[start..], |found| found == kind);
    start as u64..(start + length) as u64
}

/// Returns the length of the prefix in which every row satisfies `so`.
fn prefix(kinds: &[u8], so: impl Fn(u8) -> bool) -> usize {
    // The fold has no early exit within a step, so it compiles to a few vector instructions.
    let all = |step: &&[u8]| step.iter().fold(true, |all, kind| all & so(*kind));
    let whole = STEP * kinds.chunks_exact(STEP).take_while(all).count();
    whole + kinds[whole..].iter().take_while(|kind| so(**kind)).count()
}
