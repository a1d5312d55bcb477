//! Programs whose agents are at rules.
//!
//! In the loop around their rules, hosts are asked. That makes no difference to a sweep: control enters the loop by its beginning
//! alone, and at its end nobody is left in it, so each lane does the steps that it would do by itself, in their order. What
//! would make one is work that is put off until a tick is over, or that is done at once for lanes which come to it later. So
//! these programs have no steps but those of rules; and no draws, which count how often an agent's loops have begun again.

use crate::code::calc::Expressions;
use crate::code::class::{Ask, Branch, Effect};
use crate::code::step::{Step as Word, fused};
use crate::code::steps::Code;

/// Returns true if a program has no steps but those of rules.
pub(super) fn are_alone(plain: &Code, calcs: &Expressions) -> bool {
    let is_known = |step: &Word| match *step {
        Word::Jump { .. } | Word::Return { .. } | Word::Switch { .. } | Word::Control(_) => true,
        Word::Branch { branch, .. } => is_branch_of_rules(branch),
        Word::Effect { effect, .. } => is_effect_of_rules(effect),
        Word::Ask { ask, .. } => is_ask_of_rules(ask),
        Word::Bit { .. }
        | Word::Due { .. }
        | Word::Arm { .. }
        | Word::Park { .. }
        | Word::Clear { .. }
        | Word::Halt { .. }
        | Word::Ticks { .. }
        | Word::Write { .. }
        | fused!() => false,
    };
    plain.steps.iter().all(is_known) && !calcs.draw()
}

fn is_branch_of_rules(branch: Branch) -> bool {
    match branch {
        Branch::Known { .. } | Branch::Once => true,
        Branch::IfMember { .. }
        | Branch::JumpFlag { .. }
        | Branch::Down { .. }
        | Branch::Ended { .. }
        | Branch::Pick { .. }
        | Branch::Ask { .. }
        | Branch::Inside { .. }
        | Branch::Enter { .. } => false,
    }
}

fn is_effect_of_rules(effect: Effect) -> bool {
    match effect {
        Effect::Loop { times, .. } => times == 0,
        Effect::Leave { .. }
        | Effect::Mark { .. }
        | Effect::WipeIf { .. }
        | Effect::Other { .. }
        | Effect::Flag { .. }
        | Effect::Fork { .. }
        | Effect::Finish { .. }
        | Effect::Rate { .. }
        | Effect::Select { .. }
        | Effect::Close { .. }
        | Effect::Exit { .. }
        | Effect::Log { .. }
        | Effect::Raise { .. } => false,
    }
}

fn is_ask_of_rules(ask: Ask) -> bool {
    match ask {
        Ask::ActRule { .. } => true,
        Ask::Act { .. } | Ask::ActExclusive { .. } | Ask::Open { .. } | Ask::Join { .. } => false,
    }
}
