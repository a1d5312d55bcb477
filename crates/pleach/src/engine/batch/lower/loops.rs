//! Loops that a sweep can go through again.
//!
//! Rule V0326: control enters a loop by its `loop` alone. So all lanes that are in it have begun together, and have gone back
//! as often as the sweep has: one count does for all of them. And when the sweep comes to the `again`, no lane is pending in
//! the loop, so going back to its head with those that are left is exact. That takes at most one `again` for each loop, and no
//! loop in another.
//!
//! What stands in a loop must not be late, nor ask the host, so that the order of an agent's calls, endings and timers need
//! not be thought of anew. State machines are such loops: conditions, flags, and a position that the host does not hear of.
//! And so are trees of [`rules`], where it was thought of.

use super::{heard, rules, switch};
use crate::engine::calc::{Calc, Expressions};
use crate::engine::leaf::Held;
use crate::engine::step::{Code, Step};

/// Whether all loops of a program are such.
pub(super) fn are_known(plain: &Code, calcs: &Expressions, held: &[Held]) -> bool {
    let agains = plain.steps.iter().enumerate().filter_map(|(at, step)| match *step {
        Step::Again { head, .. } => Some((plain.heads[head as usize], at)),
        _ => None,
    });
    let agains: Vec<_> = agains.collect();
    let mut heads: Vec<u32> = agains.iter().map(|(head, _)| *head).collect();
    heads.sort_unstable();
    heads.dedup();
    if heads.len() != agains.len() {
        return false;
    }
    if plain.heads.is_empty() || rules::are_alone(plain, calcs) {
        return true;
    }
    let positions = switch::positions(plain);
    let is_known = |step: &Step| match *step {
        Step::Jump { .. }
        | Step::Cond { .. }
        | Step::Bit { .. }
        | Step::Inside { .. }
        | Step::Flag { .. }
        | Step::JumpFlag { .. }
        | Step::Switch { .. }
        | Step::Clear { .. } => true,
        Step::Park { column, .. } => !heard(&positions, held, column),
        _ => false,
    };
    let endless = |step: &Step| matches!(step, Step::Loop { times: 0, .. });
    agains.iter().all(|(head, again)| plain.steps[*head as usize..*again].iter().all(is_known))
        && !plain.steps.iter().any(endless)
        && !calcs.code.iter().any(|calc| matches!(calc, Calc::Query { .. } | Calc::Draw { .. }))
}
