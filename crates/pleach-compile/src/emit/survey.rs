//! Which nodes which stage is about.
//!
//! What kind a node is of is as good as random to a processor, so each pass over all nodes that asks for kinds costs a
//! mispredicted branch every few nodes. Here all nodes are asked once and without branches: each is written behind each
//! list, and the list grows if the node belongs there.

use crate::ir::{Kind, Module, NodeIndex};

/// Nodes by what is to be done for them, in order.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Those with expressions.
    pub(super) asking: Few,
    /// Those with two children or more.
    pub(super) families: Few,
    /// Calls, and those that may take flags, registers or texts.
    pub(super) numbered: Few,
}

/// Some of the nodes.
#[derive(Debug, Default)]
pub(super) struct Few {
    /// With room for all, so that each can be written before it is known whether it counts.
    nodes: Vec<NodeIndex>,
    count: usize,
}

impl Few {
    fn clear(&mut self, room: usize) {
        self.nodes.resize(room, 0);
        self.count = 0;
    }

    #[inline(always)]
    fn offer(&mut self, node: NodeIndex, counts: bool) {
        self.nodes[self.count] = node;
        self.count += usize::from(counts);
    }

    pub(super) fn nodes(&self) -> &[NodeIndex] {
        &self.nodes[..self.count]
    }
}

impl Survey {
    /// Looks at the nodes of a module.
    pub(super) fn of(&mut self, module: &Module) {
        let nodes = &module.nodes;
        for few in [&mut self.asking, &mut self.families, &mut self.numbered] {
            few.clear(nodes.len());
        }
        for (pair, index) in nodes.windows(2).zip(0..) {
            // The second node is the first child, or begins behind the first node.
            let (node, next) = (&pair[0], &pair[1]);
            self.families.offer(index, next.end < node.end);
            self.kind(index, &node.kind);
        }
        if let Some(last) = nodes.last() {
            self.kind(nodes.len() as NodeIndex - 1, &last.kind);
        }
    }

    #[inline(always)]
    fn kind(&mut self, node: NodeIndex, kind: &Kind) {
        self.asking.offer(node, asks(kind));
        self.numbered.offer(node, takes_numbers(kind));
    }
}

#[inline(always)]
fn asks(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Guard(_)
            | Kind::While(_)
            | Kind::Until(_)
            | Kind::Set(..)
            | Kind::Share(..)
            | Kind::Choose { .. }
            | Kind::Priority(_)
            | Kind::Start(..)
            | Kind::Rule(_)
    )
}

#[inline(always)]
fn takes_numbers(kind: &Kind) -> bool {
    matches!(kind, Kind::Call(_) | Kind::Composite(..) | Kind::Again { .. } | Kind::Log(_) | Kind::Logged(_))
}
