//! Counts of the outcomes of ticks.

use crate::engine::sweep::Counts;
use crate::values::{Outcome, PANIC};
use pleach_image::isa::{FAILURE, OTHER, RUNNING, SUCCESS};

/// Counts of outcomes of the agents that a tick has run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of trees that failed.
    pub failure: u32,
    /// Number of trees that succeeded.
    pub success: u32,
    /// Number of trees that are still running.
    pub running: u32,
    /// Number of trees that ended with a [status of the host](crate::values::Status::Other).
    pub other: u32,
    /// Number of ticks that were cut short: the host panicked, or a loop restarted too often.
    pub faults: u32,
}

impl Tally {
    /// Returns the number of agents that were ticked.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.failure + self.success + self.running + self.other + self.faults
    }

    /// Counts the tick of one agent.
    pub(crate) fn add(&mut self, outcome: Outcome) {
        self.count(Counts::one(outcome.end().0));
    }

    /// Counts the ticks of a chunk.
    #[inline]
    pub(super) fn count(&mut self, counts: Counts) {
        self.failure += counts.by(FAILURE);
        self.success += counts.by(SUCCESS);
        self.running += counts.by(RUNNING);
        self.other += counts.by(OTHER);
        self.faults += counts.by(PANIC);
    }
}
