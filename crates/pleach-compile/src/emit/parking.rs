//! Nodes that can hold a position.

use super::{Amount, Bump, Kind, Module, Outcome};
use bumpalo::collections::Vec as ArenaVec;

/// Counts for each node, and for the end of all nodes, the nodes before it that can hold a
/// position.
pub(super) fn parking<'a>(module: &Module, arena: &'a Bump) -> ArenaVec<'a, u32> {
    if !module.resumes {
        return ArenaVec::new_in(arena);
    }
    let interrupts = module.interrupt.is_some();
    let mut counts = ArenaVec::with_capacity_in(module.nodes.len() + 1, arena);
    let mut before = 0;
    for node in &module.nodes {
        counts.push(before);
        before += u32::from(holds_position(&node.kind, interrupts));
    }
    counts.push(before);
    counts
}

/// Returns true if a position can hold a node of this kind. Where agents can be interrupted, they
/// can also be at composites and at nodes that perform.
fn holds_position(kind: &Kind, interrupts: bool) -> bool {
    match kind {
        Kind::Action { exclusive, .. } => *exclusive,
        Kind::Wait { length: Amount::Fixed(length), .. } => *length > 0,
        Kind::Constant(outcome) => *outcome == Outcome::Running,
        Kind::Again { .. }
        | Kind::Parallel { .. }
        | Kind::Filter { .. }
        | Kind::Until(_)
        | Kind::Wait { .. }
        | Kind::Select(_) => true,
        Kind::Perform { .. } | Kind::Composite(..) => interrupts,
        _ => false,
    }
}
