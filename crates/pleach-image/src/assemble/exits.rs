//! Where to go on by status.

use super::labels::Label;

/// By status, where to go on. All four labels are two numbers, which a processor passes on in registers, since every node
/// has such exits.
#[derive(Clone, Copy, Debug)]
pub struct Exits([u64; 2]);

/// The bits of one label.
const ONE: u64 = u32::MAX as u64;
/// The lowest bit of each label of a number.
const EACH: u64 = 0x0000_0001_0000_0001;

/// Some of the four statuses.
#[derive(Clone, Copy, Debug)]
pub struct Statuses([u64; 2]);

impl Exits {
    /// These labels.
    #[must_use]
    pub fn new(labels: [Label; 4]) -> Self {
        let [failure, success, running, other] = labels.map(|label| u64::from(label.0));
        Self([failure | success << 32, running | other << 32])
    }

    /// Where to go on with this status.
    #[must_use]
    #[inline]
    pub fn at(self, status: usize) -> Label {
        Label((self.0[status / 2] >> (32 * (status % 2))) as u32)
    }

    /// With another label for this status.
    #[must_use]
    #[inline]
    pub fn with(self, status: usize, label: Label) -> Self {
        self.with_all(Statuses::that(|other| other == status), label)
    }

    /// With another label for these statuses.
    #[must_use]
    #[inline]
    pub fn with_all(self, statuses: Statuses, label: Label) -> Self {
        let ([low, high], [some_low, some_high]) = (self.0, statuses.0);
        let everywhere = u64::from(label.0) * EACH;
        Self([low & !some_low | everywhere & some_low, high & !some_high | everywhere & some_high])
    }
}

impl Statuses {
    /// Those that fit.
    #[must_use]
    #[inline]
    pub fn that(fit: impl Fn(usize) -> bool) -> Self {
        let mask = |status| (u64::from(fit(status)) * ONE) << (32 * (status % 2));
        Self([mask(0) | mask(1), mask(2) | mask(3)])
    }
}
