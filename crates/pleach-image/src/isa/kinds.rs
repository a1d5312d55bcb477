//! The kinds of a table's rows, such as the slots of the frame, as operands ask for them.
//!
//! Compilers tend to keep rows of a kind together, so for each kind the first run of such rows is known: an index in
//! it needs no look at the row.

use alloc::vec::Vec;
use core::ops::Range;

/// More than there are kinds of rows of a table.
const KINDS: usize = 16;
/// Rows looked at together.
const STEP: usize = 32;

/// The kind of each row.
pub(crate) struct Kinds {
    kinds: Vec<u8>,
    /// By kind, where its first run is.
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

    /// Whether there is such a row and it is of this kind.
    pub(crate) fn is(&self, row: u32, kind: u32) -> bool {
        self.kinds.get(row as usize).is_some_and(|found| u32::from(*found) == kind)
    }

    /// The first rows of this kind without a gap.
    pub(crate) fn run(&self, kind: u32) -> Range<u64> {
        self.runs.get(kind as usize).cloned().unwrap_or_default()
    }
}

fn run(kinds: &[u8], kind: u8) -> Range<u64> {
    let start = prefix(kinds, |found| found != kind);
    let length = prefix(&kinds[start..], |found| found == kind);
    start as u64..(start + length) as u64
}

/// Length of the prefix whose rows are all `so`.
fn prefix(kinds: &[u8], so: impl Fn(u8) -> bool) -> usize {
    // Without a way out in the midst of a step, it is a few vector instructions.
    let all = |step: &&[u8]| step.iter().fold(true, |all, kind| all & so(*kind));
    let whole = STEP * kinds.chunks_exact(STEP).take_while(all).count();
    whole + kinds[whole..].iter().take_while(|kind| so(**kind)).count()
}
