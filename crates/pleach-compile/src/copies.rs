//! A budget for copies of source text in a program.
//!
//! Text that refers to other text can double with every reference, so a few lines could fill the
//! memory. A dialect asks this budget before anything is copied, with the cost of the copy.

/// Most that all copies of one compilation cost together, in values:
/// operands, arguments and attributes.
pub(crate) const MOST_COPIED: u64 = 1 << 20;

/// Cost of a node, in values.
pub(crate) const NODE_COST: u64 = 16;

/// Budget for copies in one compilation.
#[derive(Debug)]
pub struct Copies {
    left: Option<u64>,
}

impl Default for Copies {
    fn default() -> Self {
        Self { left: Some(MOST_COPIED) }
    }
}

impl Copies {
    /// Takes the cost of a copy out of the budget. Returns false if the budget does not suffice.
    /// After that, nothing can be copied, not even for nothing: see [`Self::is_spent`].
    #[must_use]
    pub fn spend(&mut self, cost: u64) -> bool {
        self.left = self.left.and_then(|left| left.checked_sub(cost));
        self.left.is_some()
    }

    /// Returns true if a copy has been refused.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.left.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_once_stays_refused() {
        let mut copies = Copies::default();
        assert!(copies.spend(MOST_COPIED - 1) && copies.spend(1) && copies.spend(0));
        assert!(!copies.is_spent() && !copies.spend(1) && copies.is_spent());
        assert!(!copies.spend(0));
        assert!(!Copies::default().spend(u64::MAX));
    }
}
