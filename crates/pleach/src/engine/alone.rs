//! The beginning of a tick of a single agent: a test whether the agent only waits.
//!
//! Such a tick takes a few dozen instructions, so other costs matter than for many agents. A
//! processor runs far ahead of the data by guessing branches. A wrong guess throws away all
//! work since then, and the path of one agent is often guessed wrong. A branch that is
//! guessed right costs nothing, so this code has branches. The data that the branches test is read
//! as early as possible. Work that does not depend on the agent is done before the branches, where
//! it takes no extra time.
//!
//! ```text
//!   chunk -> columns -> position -> begins its tree, or -> row of the node -> step of the node
//!                    -> timer    -> waits, or
//! ```

use crate::code::{NONE, SweepPlan, Waits};
use crate::engine::parts::Parts;
use crate::store::chunk::Chunk;
use crate::store::chunk::clock::{Clock, down};

/// Returns the step at which an agent of a chunk continues, or `None` if the agent waits in this
/// tick.
#[inline(always)]
pub(super) fn start(parts: &Parts, chunk: &mut Chunk, lane: u8) -> Option<u32> {
    let Chunk { sweep, waits, halves, words, clock, .. } = chunk;
    match sweep {
        Some(sweep) => goes_on(sweep, *waits, halves, words, lane, *clock),
        None => Some(begin(parts, chunk)),
    }
}

/// Returns the step at which agents of a chunk begin their tree.
pub(super) fn begin(parts: &Parts, chunk: &Chunk) -> u32 {
    parts.fused.blocks[parts.block(chunk.entry)]
}

/// Returns the step at which an agent continues, or `None` if the agent waits in this tick.
#[inline(always)]
pub(super) fn goes_on(
    sweep: &SweepPlan,
    columns: Waits,
    halves: &mut [u16],
    words: &[u32],
    lane: u8,
    clock: Clock,
) -> Option<u32> {
    let of = |column: u32| column as usize + usize::from(lane);
    if columns.position == NONE {
        return Some(sweep.start);
    }
    let node = halves[of(columns.position)];
    // This is known before any row is.
    if node == 0 {
        return Some(sweep.start);
    }
    let row = sweep.row(node);
    let waits = match sweep.clock {
        _ if row.ticks != 0 => down(&mut halves[of(columns.timer)]),
        Some(timer) if row.keeps == 0 => clock.is_before(words[of(timer)], true),
        _ => return Some(row.start),
    };
    if waits {
        return None;
    }
    halves[of(columns.position)] = 0;
    Some(row.start)
}
