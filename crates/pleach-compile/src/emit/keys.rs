//! Stable keys: which node is the same as in another build.
//!
//! A key is made of the parent's key, the node's label, and how many siblings before it have the same label. Families
//! are mostly small, so that number is counted by comparing with all [`FEW`] places, taken or not: loops and branches
//! that depend on the tree would cost more than the comparisons. Large families are sorted.

use crate::ast::Role;
use crate::ir::{Module, Node, NodeIndex};
use crate::text::Sym;
use pleach_image::key;

/// Siblings that are compared each with each.
const FEW: usize = 8;

/// The key of each node.
pub(super) fn keys(module: &Module) -> Vec<u64> {
    let mut hashes = Hashes::new(module);
    let mut keys = vec![0; module.nodes.len()];
    for block in &module.blocks {
        let role = u8::from(block.role == Role::Class);
        keys[block.root as usize] = key::root(hashes.of(place(Some(block.name))), role);
    }
    for parent in 0..keys.len() as NodeIndex {
        let mut siblings = [Label::NONE; FEW];
        for (index, child) in module.children(parent).enumerate() {
            if index == FEW {
                large_family(module, &mut hashes, parent, &mut keys);
                break;
            }
            let label = Label::of(&module.nodes[child as usize]);
            let ordinal = siblings.iter().map(|sibling| u32::from(*sibling == label)).sum();
            siblings[index] = label;
            keys[child as usize] = hashes.key(keys[parent as usize], label, ordinal);
        }
    }
    keys
}

/// The keys of the children of a node with many.
fn large_family(module: &Module, hashes: &mut Hashes<'_>, parent: NodeIndex, keys: &mut [u64]) {
    let label = |child: NodeIndex| (Label::of(&module.nodes[child as usize]), child);
    let mut siblings: Vec<_> = module.children(parent).map(label).collect();
    // Equal labels come together, in the order of the children.
    siblings.sort_unstable();
    for same in siblings.chunk_by(|one, other| one.0 == other.0) {
        for (ordinal, (label, child)) in (0..).zip(same) {
            keys[*child as usize] = hashes.key(keys[parent as usize], *label, ordinal);
        }
    }
}

/// Keyword and subject of a node as one number: the place of the keyword in [`Hashes`], then that of the subject.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Label(u64);

impl Label {
    /// No node has it.
    const NONE: Self = Self(0);

    fn of(node: &Node) -> Self {
        let (keyword, subject) = node.label;
        Self((place(Some(keyword)) as u64) << 32 | place(subject) as u64)
    }
}

/// Where the hash of a name stands.
fn place(name: Option<Sym>) -> usize {
    name.map_or(0, |name| name.0 as usize + 1)
}

/// The hashes of names, each made when it is first asked for. The first is that of no name.
struct Hashes<'a> {
    module: &'a Module,
    known: Vec<u64>,
}

/// Stands for a hash that is not made yet; a name that has it is hashed again each time.
const UNKNOWN: u64 = u64::MAX;

impl<'a> Hashes<'a> {
    fn new(module: &'a Module) -> Self {
        Self { module, known: vec![0] }
    }

    fn of(&mut self, place: usize) -> u64 {
        match self.known.get(place) {
            Some(hash) if *hash != UNKNOWN => *hash,
            _ => self.make(place),
        }
    }

    #[cold]
    fn make(&mut self, place: usize) -> u64 {
        let hash = key::name(self.module.names.bytes(Sym(place as u32 - 1)));
        if place >= self.known.len() {
            self.known.resize(place + 1, UNKNOWN);
        }
        self.known[place] = hash;
        hash
    }

    fn key(&mut self, parent: u64, label: Label, ordinal: u32) -> u64 {
        let (keyword, subject) = (self.of((label.0 >> 32) as usize), self.of(label.0 as u32 as usize));
        key::child(parent, keyword, subject, ordinal)
    }
}
