//! Loops that a sweep can go through again.
//!
//! Rule V0326: control enters a loop by its `loop` alone. So all lanes that are in it have begun
//! together, and have gone back as often as the sweep has: one count does for all of them. And when
//! the sweep comes to the `again`, no lane is pending in the loop, so going back to its head with
//! those that are left is exact: for each of them the steps come in the order in which they would
//! come one by one. That takes at most one `again` for each loop. Loops may stand in others, as
//! rule V0326 also says that one ends before the other.
//!
//! What a sweep puts off until it is over concerns lanes whose tick has ended, which are in no loop
//! any more. Only trees of [rules](super::rules) have loops that are not counted by themselves, but
//! by the rules that run in them.

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
