//! Stable keys: which node is the same as in another build.
//!
//! A key is made of the parent's key, the node's label, and how many siblings before it have the
//! same label. So each node gives its children their keys: all of them are made of one number that
//! is at hand. A table knows for each label in which family it was met last, and how often.

use super::{BySym, HashMap, Module, NodeIndex, Role, Sym, key};

/// Adds the key of each node.
pub(super) fn add(module: &Module, memory: &mut KeyMemory, keys: &mut Vec<u64>) {
    keys.resize(module.nodes.len(), 0);
    let KeyMemory { hashes, met, .. } = memory;
    hashes.clear();
    met.clear();
    let mut hash = |name: Sym| hashes.get(name, || key::name(module.names.bytes(name)));
    for block in &module.blocks {
        keys[block.root as usize] = key::root(hash(block.name), (block.role == Role::Class).into());
    }
    for (parent, node) in (0..).zip(&module.nodes) {
        let is_only = |child: NodeIndex| module.nodes[child as usize].end == node.end;
        for child in module.children(parent) {
            let (keyword, subject) = module.nodes[child as usize].label;
            let mut ordinal = 0;
            if child != parent + 1 || !is_only(child) {
                let met = met.entry(label(keyword, subject)).or_default();
                if met.parent != parent + 1 {
                    *met = Met { parent: parent + 1, times: 0 };
                }
                ordinal = met.times;
                met.times += 1;
            }
            let subject = subject.map_or(0, &mut hash);
            keys[child as usize] = key::child(keys[parent as usize], hash(keyword), subject, ordinal);
        }
    }
}

/// Memory that one module's keys leave to the next.
#[derive(Debug, Default)]
pub(super) struct KeyMemory {
    /// Hashes of names.
    hashes: BySym<u64>,
    /// For each [`label`], the family in which it was met last. So nothing is cleared between
    /// families.
    met: HashMap<u64, Met>,
    /// For each node and kind of slot, how many such slots the node has had.
    pub(super) slots: HashMap<(u32, u32), u32>,
}

/// Keyword and subject as one number, which is hashed faster than the pair.
fn label(keyword: Sym, subject: Option<Sym>) -> u64 {
    u64::from(keyword.0) << 32 | subject.map_or(0, |subject| u64::from(subject.0) + 1)
}

/// Last family in which a label was met.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    /// Index of the parent, plus one. The default, 0, is no parent.
    parent: NodeIndex,
    /// Number of children of this parent with the label so far.
    times: u32,
}
