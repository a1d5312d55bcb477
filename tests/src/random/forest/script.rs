//! Hooks that answer and give orders at random, but reproducibly.

use super::order;
use crate::random::Case;
use crate::random::draws::{Draws, hash};
use crate::reference::forest::{Listener, Orders};
use pleach_compile::internals::ir::{Module, Outcome};

/// Maximum number of orders that are given inside hooks in an update.
const MOST: u32 = 6;

pub(super) struct Script<'m> {
    case: &'m Case,
    module: &'m Module,
    update: u64,
    /// Number of orders that may still be given inside hooks.
    left: u32,
    /// Each hook with its tree.
    pub(super) heard: Vec<(Option<usize>, String)>,
}

impl<'m> Script<'m> {
    pub(super) fn new(case: &'m Case, module: &'m Module) -> Self {
        Self { case, module, update: 0, left: 0, heard: Vec::new() }
    }

    pub(super) fn begin(&mut self, update: u64) {
        self.update = update;
        self.left = if self.case.seed.is_multiple_of(3) { 0 } else { MOST };
        self.heard.clear();
    }

    fn answer(&self, draws: &mut Draws, hook: &str) -> Outcome {
        // Sometimes a decorator never ends.
        let endless = self.case.seed.is_multiple_of(32) && self.update == 2;
        if hook.contains("OnReport") {
            return if endless || draws.one_in(4) { Outcome::Running } else { ended(draws) };
        }
        match draws.below(40) {
            0 => Outcome::Other(7),
            _ if !endless && draws.one_in(3) => Outcome::Running,
            _ => ended(draws),
        }
    }
}

fn ended(draws: &mut Draws) -> Outcome {
    if draws.one_in(3) { Outcome::Failure } else { Outcome::Success }
}

impl Listener for Script<'_> {
    fn hook(&mut self, tree: Option<usize>, hook: &str, orders: &mut Orders) -> Outcome {
        let mut draws = Draws::seeded(hash([self.case.seed, self.update, self.heard.len() as u64, 2]));
        if self.left > 0 && draws.one_in(12) {
            self.left -= 1;
            orders.push_back(order(&mut draws, self.module));
        }
        self.heard.push((tree, hook.to_owned()));
        self.answer(&mut draws, hook)
    }
}
