//! Loops that a sweep can pass several times.
//!
//! By rule V0326, control enters a loop only by its `loop` instruction. So all lanes in the loop
//! have begun together, and each has gone back as often as the sweep has: one count serves all of
//! them. When the sweep reaches the `again`, no other lane is pending in the loop. So going back to
//! the head with the remaining lanes is exact: each lane takes its steps in the order that it would
//! take alone. This takes at most one `again` for each loop. Loops may nest, because rule V0327
//! also says that two loops do not overlap.
//!
//! Work that a sweep defers to its end concerns lanes whose tick has ended, and these are in no
//! loop. Only trees of [rules](super::rules) have loops whose passes are not counted by a register
//! but by the rules that run in them.

use crate::code::{Code, Control, Step, StepEffect};
use alloc::vec::Vec;

/// Returns true if all loops of a program, which may have only steps of rules, can be swept again.
pub(super) fn are_known(plain: &Code, of_rules: bool) -> bool {
    let agains = plain.steps.iter().filter_map(|step| match *step {
        Step::Control(Control::Again { head, .. }) => Some(head),
        _ => None,
    });
    let mut heads: Vec<u32> = agains.collect();
    let count = heads.len();
    heads.sort_unstable();
    heads.dedup();
    if heads.len() != count {
        return false;
    }
    of_rules
        || !plain
            .steps
            .iter()
            .any(|step| matches!(step, Step::Effect { effect: StepEffect::Loop { times: 0, .. }, .. }))
}
