//! The four labels at which control continues, chosen by status.

use super::labels::Label;

/// Label at which control continues, for each status. The four labels are packed into two numbers,
/// so that a call passes them in registers. Every node has such exits.
#[derive(Clone, Copy, Debug)]
pub struct Exits([u64; 2]);

/// Bits of one label within a number.
const ONE: u64 = u32::MAX as u64;
/// Lowest bit of each of the two labels of a number.
const EACH: u64 = 0x0000_0001_0000_0001;

/// Set of statuses, out of the four.
#[derive(Clone, Copy, Debug)]
pub struct Statuses([u64; 2]);

impl Exits {
    /// Creates exits from the labels for failure, success, running and any other status.
    #[must_use]
    pub fn new(labels: [Label; 4]) -> Self {
        let [failure, success, running, other] = labels.map(|label| u64::from(label.0));
        Self([failure | success << 32, running | other << 32])
    }

    /// Returns the label for a status.
    #[must_use]
    #[inline]
    pub fn at(self, status: usize) -> Label {
        Label((self.0[status / 2] >> (32 * (status % 2))) as u32)
    }

    /// Replaces the label of one status.
    #[must_use]
    #[inline]
    pub fn with(self, status: usize, label: Label) -> Self {
        self.with_all(Statuses::that(|other| other == status), label)
    }

    /// Replaces the labels of several statuses.
    #[must_use]
    #[inline]
    pub fn with_all(self, statuses: Statuses, label: Label) -> Self {
        let ([low, high], [some_low, some_high]) = (self.0, statuses.0);
        let everywhere = u64::from(label.0) * EACH;
        Self([low & !some_low | everywhere & some_low, high & !some_high | everywhere & some_high])
    }
}

impl Statuses {
    /// Returns the set of statuses for which `fit` is true.
    #[must_use]
    #[inline]
    pub fn that(fit: impl Fn(usize) -> bool) -> Self {
        let mask = |status| (u64::from(fit(status)) * ONE) << (32 * (status % 2));
        Self([mask(0) | mask(1), mask(2) | mask(3)])
    }
}
