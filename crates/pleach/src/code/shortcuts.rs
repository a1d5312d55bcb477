//! Shortcuts of the engines: for some programs, they do in fewer instructions what the
//! engines can do for all programs.
//!
//! Programs come to the same results with any set of shortcuts; tests check that, and the
//! benchmarks measure what each shortcut is worth. [`crate::Program::link`] uses all of them.
//! `spec/batch.md` has the table of what each one gains.

/// A shortcut that can be left out when a program is linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shortcut {
    /// Scalar engine: a long chain of tests of one column is a search among intervals.
    IntervalSearch,
    /// Scalar engine: agents of a chunk that are at the same step are run together, from list to
    /// list, until the host is called.
    StepLists,
    /// Batch engine: consecutive tests of a column and a constant are one step.
    TestChains,
    /// Batch engine: leaves that count ticks are counted down at the `switch` that leads to them.
    WaitingLeaves,
    /// Batch engine: constants stored just before a tick ends are stored by one
    /// table lookup for each column.
    DeferredStores,
    /// Batch engine: stores to positions that hold nothing to halt are plain stores.
    SilentPositions,
    /// Both engines: a running set that is a path of nodes is a number.
    RunningPaths,
}

impl Shortcut {
    /// All shortcuts.
    pub const ALL: [Self; 7] = [
        Self::IntervalSearch,
        Self::StepLists,
        Self::TestChains,
        Self::WaitingLeaves,
        Self::DeferredStores,
        Self::SilentPositions,
        Self::RunningPaths,
    ];

    /// Returns true if the scalar engine takes the shortcut, and no other.
    #[must_use]
    pub fn is_of_scalar(self) -> bool {
        matches!(self, Self::IntervalSearch | Self::StepLists)
    }
}

/// A set of shortcuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcuts(u32);

impl Shortcuts {
    /// Every [`Shortcut`]. Bits that stand for no shortcut have no effect.
    pub const ALL: Self = Self(u32::MAX);
    /// No [`Shortcut`]: the slowest code, with the same results.
    pub const NONE: Self = Self(0);

    /// Returns the set of the shortcuts whose bits are set, in the order of [`Shortcut::ALL`].
    #[must_use]
    pub fn of(bits: u32) -> Self {
        Self(bits)
    }

    /// Returns the set without one of its shortcuts.
    #[must_use]
    pub fn without(self, shortcut: Shortcut) -> Self {
        Self(self.0 & !(1 << shortcut as u8))
    }

    /// Returns true if a shortcut is in the set.
    pub(crate) fn has(self, shortcut: Shortcut) -> bool {
        self.0 >> shortcut as u8 & 1 != 0
    }
}
