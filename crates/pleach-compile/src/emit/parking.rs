//! Nodes that can hold a position.

use crate::ir::{Kind, Module, Outcome};

/// Counts for each node, and for the end of all nodes, the nodes before it that can hold a position.
pub(super) fn parking(module: &Module) -> Vec<u32> {
    if !module.resumes {
        return Vec::new();
    }
    let interrupts = module.interrupt.is_some();
    let mut counts = Vec::with_capacity(module.nodes.len() + 1);
    let mut before = 0;
    for node in &module.nodes {
        counts.push(before);
        before += u32::from(holds_position(&node.kind, interrupts));
    }
    counts.push(before);
    counts
}

/// Returns true if a position can hold a node of this kind. Where agents can be interrupted, they can also be at composites
/// and at nodes that perform.
fn holds_position(kind: &Kind, interrupts: bool) -> bool {
    match kind {
        Kind::Action { exclusive, .. } => *exclusive,
        Kind::Wait { length, .. } => *length > 0,
        Kind::Constant(outcome) => *outcome == Outcome::Running,
        Kind::Again { .. }
        | Kind::Parallel { .. }
        | Kind::Filter { .. }
        | Kind::Until(_)
        | Kind::Select(_) => true,
        Kind::Perform { .. } | Kind::Composite(..) => interrupts,
        _ => false,
    }
}
