//! Nodes that can hold a position.

use crate::ir::{self, Kind, Module, NodeIndex, Outcome};

/// For each node, and behind the last, how many before it can hold a position. `lasting` are those that perhaps can and are no
/// actions.
///
/// Actions are counted by themselves: there are many, and what kind a node is of nobody can foresee.
pub(super) fn parking(module: &Module, lasting: &[NodeIndex]) -> Vec<u32> {
    if !module.resumes {
        return Vec::new();
    }
    let interrupts = module.interrupt.is_some();
    let mut counts = Vec::with_capacity(module.nodes.len() + 1);
    let acts = |node: &ir::Node| matches!(node.kind, Kind::Action { exclusive: true, .. });
    counts.extend(module.nodes.iter().map(|node| u32::from(acts(node))));
    counts.push(0);
    for node in lasting {
        let kind = &module.nodes[*node as usize].kind;
        counts[*node as usize] += u32::from(holds_position(kind, interrupts));
    }
    let mut before = 0;
    for count in &mut counts {
        before += core::mem::replace(count, before);
    }
    counts
}

/// Whether a position can hold a node that is no action. Where agents can be interrupted, they can be at nodes that are
/// nobody's place else.
#[inline(never)]
fn holds_position(kind: &Kind, interrupts: bool) -> bool {
    match kind {
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
