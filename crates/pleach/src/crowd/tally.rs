//! Counts of the outcomes of ticks.

use crate::engine::sweep::Counts;
use crate::values::{Outcome, PANIC};
use core::ops::AddAssign;
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

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.failure += other.failure;
        self.success += other.success;
        self.running += other.running;
        self.other += other.other;
        self.faults += other.faults;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_count_is_added() {
        let mut sum = Tally { failure: 1, success: 2, running: 3, other: 4, faults: 5 };
        sum += Tally { failure: 10, success: 20, running: 30, other: 40, faults: 50 };
        assert_eq!(sum, Tally { failure: 11, success: 22, running: 33, other: 44, faults: 55 });
    }
}
