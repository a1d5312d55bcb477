//! Stable keys: which node is the same as in another build.
//!
//! A key is made of the parent's key, the node's label, and how many siblings before it have the same label. So each
//! node gives its children their keys: all of them are made of one number that is at hand. A table knows for each label in which
//! family it was met last, and how often.

use crate::ast::Role;
use crate::ir::{Module, Node, NodeIndex};
use crate::text::Sym;
use hashbrown::HashMap;
use pleach_image::key;

/// Adds the key of each node. `parents` are the nodes with children, in order.
pub(super) fn add(module: &Module, parents: &[NodeIndex], memory: &mut KeyMemory, keys: &mut Vec<u64>) {
    keys.resize(module.nodes.len(), 0);
    let KeyMemory { hashes, met } = memory;
    hashes.clear();
    met.clear();
    let mut hashes = Hashes { module, known: hashes };
    for block in &module.blocks {
        let role = u8::from(block.role == Role::Class);
        keys[block.root as usize] = key::root(hashes.of(place(Some(block.name))), role);
    }
    for parent in parents {
        family(module, met, *parent, &mut hashes, keys);
    }
}

/// Adds the keys of the children of a node.
#[inline(always)]
fn family(
    module: &Module,
    met: &mut HashMap<Label, Met>,
    parent: NodeIndex,
    hashes: &mut Hashes<'_>,
    keys: &mut [u64],
) {
    let key = keys[parent as usize];
    let first = &module.nodes[parent as usize + 1];
    if first.end == module.nodes[parent as usize].end {
        keys[parent as usize + 1] = hashes.key(key, Label::of(first), 0);
        return;
    }
    for child in module.children(parent) {
        let label = Label::of(&module.nodes[child as usize]);
        let met = met.entry(label).or_default();
        if met.parent != parent + 1 {
            *met = Met { parent: parent + 1, times: 0 };
        }
        keys[child as usize] = hashes.key(key, label, met.times);
        met.times += 1;
    }
}

/// Memory that one module's keys leave to the next.
#[derive(Debug, Default)]
pub(super) struct KeyMemory {
    /// See [`Hashes`].
    hashes: Vec<u64>,
    /// For each label, the family in which it was met last. So nothing is cleared between families.
    met: HashMap<Label, Met>,
}

/// Last family in which a label was met.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    /// The parent plus one.
    parent: NodeIndex,
    /// How often among the children of this parent.
    times: u32,
}

/// Keyword and subject of a node as one number: the place of the keyword in [`Hashes`], then that of the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Label(u64);

impl Label {
    fn of(node: &Node) -> Self {
        let (keyword, subject) = node.label;
        Self((place(Some(keyword)) as u64) << 32 | place(subject) as u64)
    }
}

/// Where the hash of a name stands.
fn place(name: Option<Sym>) -> usize {
    name.map_or(0, |name| name.0 as usize + 1)
}

/// Hashes of names, each made when it is first asked for. The first is 0, of no name.
struct Hashes<'a> {
    module: &'a Module,
    known: &'a mut Vec<u64>,
}

/// Stands for a hash that is not made yet; a name that has it is hashed again each time.
const UNKNOWN: u64 = u64::MAX;

impl Hashes<'_> {
    #[inline(always)]
    fn of(&mut self, place: usize) -> u64 {
        match self.known.get(place) {
            Some(hash) if *hash != UNKNOWN => *hash,
            _ => self.make(place),
        }
    }

    #[cold]
    fn make(&mut self, place: usize) -> u64 {
        let name = place.checked_sub(1).map(|name| self.module.names.bytes(Sym(name as u32)));
        let hash = name.map_or(0, key::name);
        if place >= self.known.len() {
            self.known.resize(place + 1, UNKNOWN);
        }
        self.known[place] = hash;
        hash
    }

    #[inline(always)]
    fn key(&mut self, parent: u64, label: Label, ordinal: u32) -> u64 {
        let (keyword, subject) = (self.of((label.0 >> 32) as usize), self.of(label.0 as u32 as usize));
        key::child(parent, keyword, subject, ordinal)
    }
}
