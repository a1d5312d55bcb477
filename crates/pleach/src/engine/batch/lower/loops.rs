//! Loops that a sweep can go through again.
//!
//! Rule V0326: control enters a loop by its `loop` alone. So all lanes that are in it have begun together, and have gone back
//! as often as the sweep has: one count does for all of them. And when the sweep comes to the `again`, no lane is pending in
//! the loop, so going back to its head with those that are left is exact: for each of them the steps come in the order in
//! which they would come one by one. That takes at most one `again` for each loop. Loops may stand in others, as rule V0326 also
//! says that one ends before the other.
//!
//! What a sweep puts off until it is over concerns lanes whose tick has ended, which are in no loop any more. The exception
//! are leaves that are noted: those that are selected stand in no loop, and [those that are asked last](super::super::last) are noted
//! only where there is none. And only trees of [rules](super::rules) have loops that are not
//! counted by themselves, but by the rules that run in them.

use crate::code::step::{Code, Step};
use alloc::vec::Vec;

/// Whether all loops of a program, which may have steps of rules alone, are such.
pub(super) fn are_known(plain: &Code, of_rules: bool) -> bool {
    let agains = plain.steps.iter().enumerate().filter_map(|(at, step)| match *step {
        Step::Again { head, .. } => Some((plain.heads[head as usize] as usize, at)),
        _ => None,
    });
    let agains: Vec<_> = agains.collect();
    let mut heads: Vec<usize> = agains.iter().map(|(head, _)| *head).collect();
    heads.sort_unstable();
    heads.dedup();
    if heads.len() != agains.len() {
        return false;
    }
    let selects = |step: &Step| matches!(step, Step::Select { .. });
    let endless = |step: &Step| matches!(step, Step::Loop { times: 0, .. });
    of_rules
        || !plain.steps.iter().any(endless)
            && agains.iter().all(|(head, again)| !plain.steps[*head..*again].iter().any(selects))
}
