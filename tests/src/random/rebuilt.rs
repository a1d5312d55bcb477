//! Another build of a program, with one more tree, variable, time limit and position.
//!
//! Slots behind the new ones move, entries and tables grow, and the program has another identity.
//! All nodes and slots of the old trees keep their keys.

use pleach_compile::internals::ast::Role;
use pleach_compile::internals::ir::{Block, Kind, Memory, Module, Node, NodeIndex, Outcome, Slot, SlotKind};
use pleach_compile::internals::text::Sym;

/// Adds a variable `spare`, and a tree `spare` unless each node needs a face, in forests, or a
/// status that it keeps.
pub fn rebuilt(module: &mut Module) {
    let name = module.names.intern(b"spare");
    let needs_more = !module.forests.nodes.is_empty() || module.statuses.is_some();
    let node = (!needs_more).then(|| tree(module, name));
    let mut slot = |kind, name, node| module.slots.push(Slot { kind, name, init: 0, reset: false, node });
    for kind in [SlotKind::Node, SlotKind::Time, SlotKind::Bit, SlotKind::U16, SlotKind::Moment] {
        slot(kind, None, node);
    }
    slot(SlotKind::F32, Some(name), None);
}

/// Adds a tree with one node, and returns the node.
fn tree(module: &mut Module, name: Sym) -> NodeIndex {
    let root = module.nodes.len() as NodeIndex;
    let node = |kind| Node { kind, memory: Memory::None, end: root + 2, label: (name, None), span: None };
    module.nodes.extend([node(Kind::Tree), node(Kind::Constant(Outcome::Success))]);
    module.entries.push(module.blocks.len() as u32);
    module.blocks.push(Block { root, name, role: Role::Main });
    root + 1
}
