//! Statuses that a node can end with, as far as the keywords alone tell.
//!
//! In a selector, a child after one that cannot fail never begins. An author hardly ever means
//! that, so there is a warning. A condition is assumed to be true or false.

use super::{Keyword, Mode};

/// A set of statuses that a node can end with.
pub(in super::super) type Ends = u8;
pub(in super::super) const NEVER: Ends = 0;
pub(in super::super) const SUCCESS: Ends = 1;
pub(in super::super) const FAILURE: Ends = 2;
pub(in super::super) const EITHER: Ends = 3;

/// State of a node with children while they are walked.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Course {
    pub(in super::super) kind: Keyword,
    pub(in super::super) mode: Mode,
    /// True if the node has a number, or is a `match` with an `else`.
    pub(in super::super) counts: bool,
    /// Statuses of a child after which the next one begins. [`NEVER`] if that
    /// does not depend on the status.
    leads_on: Ends,
    /// Statuses with which the children so far can end the node.
    ends: Ends,
    /// True if the next child can begin.
    goes_on: bool,
    /// True if the node can run for more than a tick, by itself or by the children seen so far.
    pub(in super::super) runs: bool,
}

impl Course {
    /// Returns a node before its first child.
    #[inline]
    pub(in super::super) fn new(kind: Keyword, mode: Mode, counts: bool) -> Self {
        let leads_on = match kind {
            _ if matches!(mode, Mode::Shuffled | Mode::Sets) => NEVER,
            // The last child of a `cleanup` or an `every` is the one that counts.
            Keyword::Sequence | Keyword::Cleanup | Keyword::Every => SUCCESS,
            Keyword::Selector => FAILURE,
            _ => NEVER,
        };
        let runs = matches!(kind, Keyword::Repeat | Keyword::Retry | Keyword::Until | Keyword::Delay);
        Self { kind, mode, counts, leads_on, ends: NEVER, goes_on: true, runs }
    }

    /// Returns true for the block of what an `every` does.
    pub(in super::super) fn is_service(&self) -> bool {
        self.kind == Keyword::Every && self.mode == Mode::Sets
    }

    /// Returns true if another child would never begin. Later calls return false, so that only the
    /// first such child is reported.
    pub(in super::super) fn is_over(&mut self) -> bool {
        !core::mem::replace(&mut self.goes_on, true)
    }

    /// Notes how a child can end, and if it can run for more than a tick.
    #[inline]
    pub(in super::super) fn child(&mut self, ends: Ends, runs: bool) {
        self.runs |= runs && self.mode != Mode::Sets;
        let leads_on = self.leads_on;
        // What leads on counts of the last child only.
        self.ends = self.ends & !leads_on | ends;
        self.goes_on = leads_on == NEVER || ends & leads_on != NEVER;
    }

    /// Returns the statuses with which the node can end.
    pub(in super::super) fn ends(&self, children: bool) -> Ends {
        let status = |success| if success { SUCCESS } else { FAILURE };
        let begins_again = |status: Ends| if self.counts { EITHER } else { EITHER & !status };
        match (self.kind, self.mode) {
            (Keyword::Sequence, _) if !children => SUCCESS,
            (_, Mode::Sets) => SUCCESS,
            (Keyword::Selector, _) if !children => FAILURE,
            (Keyword::Parallel, _) | (_, Mode::Unknown | Mode::Shuffled) => EITHER,
            (Keyword::Invert, _) => self.ends >> 1 & SUCCESS | self.ends << 1 & FAILURE,
            (Keyword::Force, Mode::Status(success)) if self.ends != NEVER => status(success),
            (Keyword::Repeat, _) => self.ends & begins_again(SUCCESS),
            (Keyword::Retry, _) => self.ends & begins_again(FAILURE),
            (Keyword::Until, Mode::Status(success)) if self.ends & status(success) != NEVER => SUCCESS,
            (Keyword::Until, _) => NEVER,
            (Keyword::If | Keyword::While | Keyword::Cooldown | Keyword::Timeout | Keyword::Limit, _)
            | (Keyword::Chance | Keyword::Once, _) => self.ends | FAILURE,
            (Keyword::Match, _) if !self.counts => self.ends | FAILURE,
            _ => self.ends,
        }
    }
}

/// Returns the statuses with which a node without children can end.
pub(in super::super) fn leaf(kind: Keyword, mode: Mode) -> Ends {
    match kind {
        _ if mode == Mode::Unknown => EITHER,
        Keyword::Set | Keyword::Wait | Keyword::Success | Keyword::Raise => SUCCESS,
        Keyword::Failure => FAILURE,
        Keyword::Running => NEVER,
        _ => EITHER,
    }
}

/// Returns true if a node without children can run for more than a tick.
pub(in super::super) fn leaf_runs(kind: Keyword) -> bool {
    matches!(kind, Keyword::Action | Keyword::Wait | Keyword::Running)
}
