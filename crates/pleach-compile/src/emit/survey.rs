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
    /// Those with children.
    pub(super) parents: Few,
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
        for few in [&mut self.asking, &mut self.parents, &mut self.numbered] {
            few.clear(nodes.len());
        }
        for (node, index) in nodes.iter().zip(0..) {
            let traits = traits(&node.kind);
            self.parents.offer(index, index + 1 < node.end);
            self.asking.offer(index, traits & ASKS != 0);
            self.numbered.offer(index, traits & NUMBERED != 0);
        }
    }
}

/// It has expressions.
const ASKS: u8 = 1;
/// It may take flags, registers or texts, or it calls what may.
const NUMBERED: u8 = 2;

/// It is no action, and a position may hold it.
pub(super) const LASTS: u8 = 4;

/// What there is to do for a kind of node. All kinds are named, so that a compiler makes a table of it.
#[inline(always)]
pub(super) fn traits(kind: &Kind) -> u8 {
    match kind {
        Kind::Guard(_)
        | Kind::While(_)
        | Kind::Set(..)
        | Kind::Share(..)
        | Kind::Choose { .. }
        | Kind::Priority(_)
        | Kind::Start(..)
        | Kind::Selection(_)
        | Kind::Rule(_) => ASKS,
        Kind::Until(_) => ASKS | LASTS,
        Kind::Chain(_) => ASKS | NUMBERED,
        Kind::Call(_) | Kind::Composite(..) | Kind::Log(_) | Kind::Logged(_) => NUMBERED,
        Kind::Again { .. } | Kind::Filter { .. } => NUMBERED | LASTS,
        Kind::Wait { .. } | Kind::Constant(_) | Kind::Parallel { .. } | Kind::Select(_) => LASTS,
        Kind::Tree
        | Kind::Map(_)
        | Kind::Cooldown { .. }
        | Kind::Timeout { .. }
        | Kind::Limit(_)
        | Kind::Action { .. }
        | Kind::Perform { .. }
        | Kind::Machine(_)
        | Kind::Emit(_)
        | Kind::Within(_)
        | Kind::Note(..)
        | Kind::Wrap(_)
        | Kind::Admit(_)
        | Kind::Tell(_)
        | Kind::Raise(..)
        | Kind::Steps => 0,
    }
}
