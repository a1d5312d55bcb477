//! Which nodes which stage is about.
//!
//! What kind a node is of is as good as random to a processor, so each pass over all nodes that asks for kinds costs a
//! mispredicted branch every few nodes. Here all nodes are asked once and without branches: each is written behind each
//! list, and the list grows if the node belongs there.

use crate::ir::{Kind, Module, NodeIndex};
use core::hint::black_box;

/// Nodes by what is to be done for them, in order.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Those with expressions.
    pub(super) asking: Few,
    /// Those with children.
    pub(super) parents: Few,
    /// Calls, and those that may take flags, registers or texts.
    pub(super) numbered: Few,
    /// Those that are no actions and that a position may hold.
    pub(super) lasting: Few,
}

/// Some of the nodes.
#[derive(Debug, Default)]
pub(super) struct Few {
    /// With room for all, so that each can be written before it is known whether it counts.
    nodes: Vec<NodeIndex>,
    count: usize,
}

/// Some of the nodes, while they are gathered: how many there are is written down at the end.
struct Gathering<'f> {
    nodes: &'f mut [NodeIndex],
    found: usize,
    count: &'f mut usize,
}

impl Few {
    fn gather(&mut self, room: usize) -> Gathering<'_> {
        let Self { nodes, count } = self;
        nodes.resize(room, 0);
        Gathering { nodes, found: 0, count }
    }

    pub(super) fn nodes(&self) -> &[NodeIndex] {
        &self.nodes[..self.count]
    }
}

impl Gathering<'_> {
    #[inline(always)]
    fn offer(&mut self, node: NodeIndex, counts: bool) {
        self.nodes[self.found] = node;
        self.found += usize::from(counts);
    }

    fn end(self) {
        *self.count = self.found;
    }
}

impl Survey {
    /// Looks at the nodes of a module.
    pub(super) fn of(&mut self, module: &Module) {
        let Self { asking, parents, numbered, lasting } = self;
        let nodes = &module.nodes;
        let interrupts = module.interrupt.is_some();
        let [mut asks, mut contains, mut counts, mut lasts] =
            [asking, parents, numbered, lasting].map(|few| few.gather(nodes.len()));
        for (node, index) in nodes.iter().zip(0..) {
            // Hidden, or a compiler would make jumps of the table, each to what to do for one trait.
            let traits = black_box(traits(&node.kind));
            asks.offer(index, traits & ASKS != 0);
            contains.offer(index, index + 1 < node.end);
            counts.offer(index, traits & NUMBERED != 0);
            lasts.offer(index, interrupts | (traits & LASTS != 0));
        }
        [asks, contains, counts, lasts].into_iter().for_each(Gathering::end);
    }
}

/// It has expressions.
const ASKS: u8 = 1;
/// It may take flags, registers or texts, or it calls what may.
const NUMBERED: u8 = 2;

/// It is no action, and a position may hold it. Where agents can be interrupted, one may hold any node.
const LASTS: u8 = 4;

/// What there is to do for a kind of node. All kinds are named, so that a compiler makes a table of it.
#[inline(always)]
fn traits(kind: &Kind) -> u8 {
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
