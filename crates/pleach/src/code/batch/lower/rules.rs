//! Programs whose agents are at rules.
//!
//! In the loop around their rules, hosts are asked. That makes no difference to a sweep: control enters the loop by its beginning
//! alone, and at its end nobody is left in it, so each lane does the steps that it would do by itself, in their order. What
//! would make one is work that is put off until a tick is over, or that is done at once for lanes which come to it later. So
//! these programs have no steps but those of rules; and no draws, which count how often an agent's loops have begun again.

use super::Builder;
use crate::code::batch::ops::Op;
use crate::code::calc::Expressions;
use crate::code::step::Step as Word;
use crate::code::steps::Code;

/// Whether a step is about agents that are at rules.
pub(super) fn is_of_rules(step: Word) -> bool {
    matches!(
        step,
        Word::ActRule { .. } | Word::Known { .. } | Word::Once { .. } | Word::Ran { .. } | Word::Move { .. }
    )
}

/// Whether a program has steps of rules alone.
pub(super) fn are_alone(plain: &Code, calcs: &Expressions) -> bool {
    let is_plain = |step: &Word| {
        matches!(
            step,
            Word::Jump { .. }
                | Word::Return { .. }
                | Word::Cond { .. }
                | Word::Call { .. }
                | Word::Switch { .. }
                | Word::Loop { times: 0, .. }
                | Word::Again { .. }
                | Word::Fault
        )
    };
    plain.steps.iter().all(|step| is_plain(step) || is_of_rules(*step)) && !calcs.draw()
}

impl Builder<'_> {
    /// A test of agents that are at rules.
    pub(super) fn rule(&mut self, word: Word, to: u32) {
        match word {
            Word::Known { site, .. } => self.add(Op::Known { site, to }),
            Word::Ran { rule, .. } => self.add(Op::Ran { rule, to }),
            _ => self.add(Op::Once { to }),
        }
    }
}
