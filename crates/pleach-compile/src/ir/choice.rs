//! Ways to choose a child, and amounts.

/// Way in which a choice picks its child. The last number is the first index of the children's
/// expressions in [`Module::tests`](super::Module::tests).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The first whose condition is true. The last has none, and is picked if no other is.
    First(u32),
    /// The first whose condition is true, see [`Self::First`]. A value is computed once, before all
    /// conditions: a slot of kind [`SlotKind::I32`](super::SlotKind::I32), and an expression.
    Value(u16, u32, u32),
    /// The first of those with the highest score; NaN counts lowest.
    Highest(u32),
    /// By the highest score, see [`Self::Highest`], where the score of the child that runs counts
    /// for more. Behind the scores are two more expressions, of the value in `score`: what the
    /// score of another child counts, and what that of the running one does.
    Keeping {
        /// First index of the expressions in [`Module::tests`](super::Module::tests).
        first: u32,
        /// Score of the child that is looked at: a slot of kind
        /// [`SlotKind::F64`](super::SlotKind::F64).
        score: u16,
        /// By how many percent the score counts for more.
        keep: u16,
    },
}

/// Count or duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Number that is the same each time.
    Fixed(i32),
    /// Expression that is computed each time that the amount is needed: index in
    /// [`Module::exprs`](super::Module::exprs). If the slot or timer cannot hold the value, it
    /// holds the nearest value that it can. A duration is at least 0.
    Computed(u32),
}
