//! Rules that have run in a tick.

use alloc::vec::Vec;

/// The rules that have run in a tick, in order.
#[derive(Clone, Debug)]
pub(crate) struct Runs {
    pub(super) list: Vec<u16>,
    pub(crate) limit: u16,
}

impl Runs {
    /// Returns an empty list, with room for the rules that may run.
    pub(crate) fn new(limit: u16) -> Self {
        Self { list: Vec::with_capacity(limit.into()), limit }
    }

    /// Sets the rules that have run. There are at most as many as the limit.
    pub(super) fn set(&mut self, rules: impl Iterator<Item = u16>) {
        self.list.clear();
        self.list.extend(rules);
    }

    /// Counts a rule that has run. Returns true if the limit is reached.
    #[inline]
    pub(super) fn count(&mut self, rule: u16) -> bool {
        self.list.push(rule);
        self.list.len() >= usize::from(self.limit)
    }
}
