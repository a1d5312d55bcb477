//! Programs that nobody would write, and a world that answers without reason.
//!
//! Conformance cases show that the engines do what the dialects ask for; they use few of the ways in which the IR can
//! be put together. Here a seed grows into a whole [`ir::Module`](pleach_compile::ir::Module): every kind of node, every
//! policy, shared blocks, conditions with NaN in them ([`program`]). A scripted [`world`] answers by a hash of who asks
//! what and when, so all engines hear the same. A [`duel`] lets the reference interpreter and an engine run the program
//! side by side, with a [`witness`], and tells the first thing in which they differ. [`trial`] asks less of more: that bytes from anywhere,
//! as image or as source, are refused or run safely; [`mutate`](mod@mutate) makes such bytes.
//!
//! Nothing here is random from run to run: a seed stands for a program forever, so a failure is reported as a
//! [`Case`], and a case is all it takes to see it again.
//!
//! ```
//! use pleach_tests::random::{Case, duel, witness::Census};
//! assert_eq!(duel::fight(Case::new(7), &mut Census::default()), Ok(()));
//! ```

pub mod bst;
mod condition;
pub mod crowds;
pub mod dice;
pub mod duel;
pub mod forest;
pub mod forge;
pub mod fragile;
pub mod golden;
pub mod hunt;
pub mod language;
pub mod linking;
pub mod mbt;
pub mod mutate;
pub mod program;
pub mod rebuilt;
pub mod recordings;
pub mod rules;
mod sides;
pub mod states;
pub mod steady;
pub mod trial;
pub mod witness;
pub mod world;

use dice::Dice;

/// A random program by its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// What decides about everything else.
    pub seed: u64,
    /// About how many nodes it has.
    pub size: usize,
}

impl Case {
    /// The case of a seed: mostly small, as small programs have the corners nearer together; a few are large enough
    /// that the compiler must cut them into blocks.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let size = match dice.below(400) {
            0 => 4_000 + dice.below(8_000),
            1..=12 => 200 + dice.below(1_800),
            13..=120 => 40 + dice.below(120),
            _ => 1 + dice.below(40),
        };
        Self { seed, size }
    }

    /// The same with fewer nodes, largest first.
    pub fn smaller(self) -> impl Iterator<Item = Self> {
        let half = core::iter::successors(Some(self.size / 2), |size| (*size > 0).then_some(size / 2));
        half.map(move |size| Self { size, ..self })
    }
}
