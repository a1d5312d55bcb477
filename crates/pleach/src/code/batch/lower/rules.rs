//! Programs whose agents are at rules.
//!
//! In the loop around their rules, hosts are asked. That makes no difference to a sweep: control
//! enters the loop by its beginning alone, and at its end nobody is left in it, so each lane
//! does the steps that it would do by itself, in their order. What would make one is work that
//! is put off until a tick is over, or that is done at once for lanes which come to it later. So
//! these programs have no steps but those of rules; and no draws, which count how often an
//! agent's loops have begun again.

use crate::code::{Code, Expressions, Step as Word};

/// Returns true if a program has no steps but those of rules.
pub(super) fn are_alone(plain: &Code, calcs: &Expressions) -> bool {
    let is_known = |step: &Word| match *step {
        Word::Jump { .. } | Word::Return { .. } | Word::Switch { .. } | Word::Control(_) => true,
        Word::Branch { branch, .. } => branch.is_of_rules(),
        Word::Effect { effect, .. } => effect.is_of_rules(),
        Word::Ask { ask, .. } => ask.is_of_rules(),
        _ => false,
    };
    plain.steps.iter().all(is_known) && !calcs.draw()
}
