//! Another build of a program: one more tree, variable, limit of time and position, and nothing else.
//!
//! What stands in the frame after the new slots moves, entries and tables grow, and the program is another one to whoever
//! compares identities. All nodes and slots of the old trees keep their keys.

use pleach_compile::ast::Role;
use pleach_compile::ir::{Block, Kind, Memory, Module, Node, NodeIndex, Outcome, Slot, SlotKind};
use pleach_compile::text::Sym;

/// Adds a variable `spare`, and a tree `spare` unless trees are in forests, where each node has a face.
pub fn rebuilt(module: &mut Module) {
    let name = module.names.intern(b"spare");
    let in_forests = !module.forests.nodes.is_empty();
    let node = (!in_forests).then(|| tree(module, name));
    let mut slot = |kind, name, node| module.slots.push(Slot { kind, name, init: 0, reset: false, node });
    for kind in [SlotKind::Node, SlotKind::Time, SlotKind::Bit, SlotKind::U16, SlotKind::Moment] {
        slot(kind, None, node);
    }
    slot(SlotKind::F32, Some(name), None);
}

/// The one node of a new tree.
fn tree(module: &mut Module, name: Sym) -> NodeIndex {
    let root = module.nodes.len() as NodeIndex;
    let node = |kind| Node { kind, memory: Memory::None, end: root + 2, label: (name, None), span: None };
    module.nodes.extend([node(Kind::Tree), node(Kind::Constant(Outcome::Success))]);
    module.entries.push(module.blocks.len() as u32);
    module.blocks.push(Block { root, name, role: Role::Main });
    root + 1
}
