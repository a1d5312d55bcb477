//! The four labels at which control continues, chosen by status.

use super::labels::Label;

/// Label at which control continues, for each status.
#[derive(Clone, Copy, Debug)]
pub struct Exits([Label; 4]);

impl Exits {
    /// Creates exits from the labels for failure, success, running and any other status.
    #[must_use]
    pub fn new(labels: [Label; 4]) -> Self {
        Self(labels)
    }

    /// Returns the label for a status.
    #[must_use]
    #[inline]
    pub fn at(self, status: usize) -> Label {
        self.0[status]
    }

    /// Replaces the label of one status.
    #[must_use]
    #[inline]
    pub fn with(mut self, status: usize, label: Label) -> Self {
        self.0[status] = label;
        self
    }
}
