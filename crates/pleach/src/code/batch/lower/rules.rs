//! Programs whose agents are at rules.
//!
//! The host is asked inside the loop around the rules. That makes no difference to a sweep: control
//! enters the loop only at its beginning, and no lane is left in it at its end. So each lane takes
//! the steps that it would take alone, in the same order. Two kinds of work would make a
//! difference: work that is deferred until a tick is over, and work that is done at once for lanes
//! that arrive later. So these programs have only steps of rules. They have no random draws either,
//! because a draw depends on how often an agent's loops have begun again.

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
