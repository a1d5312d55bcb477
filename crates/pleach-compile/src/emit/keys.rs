//! Stable keys: which node is the same as in another build.
//!
//! A key is made of the parent's key, the node's label, and how many siblings before it have the same label. The latter is
//! 0 but for some nodes of larger families. So each node gives its children their keys: all of them are made of one number
//! that is at hand. A small table knows for each label where it was met last; a family in which two labels claim the same
//! place there is sorted.

use crate::ast::Role;
use crate::ir::{Module, Node, NodeIndex};
use crate::text::Sym;
use pleach_image::key;
use pleach_image::splitmix::GAMMA;

/// Adds the key of each node. `parents` are the nodes with children, in order.
pub(super) fn add(module: &Module, parents: &[NodeIndex], keys: &mut Vec<u64>) {
    keys.resize(module.nodes.len(), 0);
    let mut hashes = Hashes::new(module);
    for block in &module.blocks {
        let role = u8::from(block.role == Role::Class);
        keys[block.root as usize] = key::root(hashes.of(place(Some(block.name))), role);
    }
    let mut met = [Met::default(); MET];
    for parent in parents {
        family(module, &mut met, *parent, &mut hashes, keys);
    }
}

/// The keys of the children of a node.
#[inline(always)]
fn family(
    module: &Module,
    met: &mut [Met; MET],
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
        let met = &mut met[label.spread()];
        let here = met.parent == parent + 1;
        if here && met.label != label {
            return sorted(module, parent, hashes, keys);
        }
        let ordinal = if here { met.times } else { 0 };
        *met = Met { label, parent: parent + 1, times: ordinal + 1 };
        keys[child as usize] = hashes.key(key, label, ordinal);
    }
}

/// Places for labels; a power of two.
const MET: usize = 256;

/// A label and where it was met.
#[derive(Clone, Copy, Default)]
struct Met {
    label: Label,
    /// The node among whose children it was met last, plus one.
    parent: NodeIndex,
    /// How often among these.
    times: u32,
}

/// As [`family`], without the table.
#[cold]
fn sorted(module: &Module, parent: NodeIndex, hashes: &mut Hashes<'_>, keys: &mut [u64]) {
    let key = keys[parent as usize];
    let label = |child: NodeIndex| (Label::of(&module.nodes[child as usize]), child);
    let mut siblings: Vec<_> = module.children(parent).map(label).collect();
    // Equal labels come together, in the order of the children.
    siblings.sort_unstable();
    for same in siblings.chunk_by(|one, other| one.0 == other.0) {
        for (ordinal, (label, child)) in (0..).zip(same) {
            keys[*child as usize] = hashes.key(key, *label, ordinal);
        }
    }
}

/// Keyword and subject of a node as one number: the place of the keyword in [`Hashes`], then that of the subject.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Label(u64);

impl Label {
    fn of(node: &Node) -> Self {
        let (keyword, subject) = node.label;
        Self((place(Some(keyword)) as u64) << 32 | place(subject) as u64)
    }

    /// Its place among those that were met.
    fn spread(self) -> usize {
        (self.0.wrapping_mul(GAMMA) >> 32) as usize % MET
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

    #[inline(always)]
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

    #[inline(always)]
    fn key(&mut self, parent: u64, label: Label, ordinal: u32) -> u64 {
        let (keyword, subject) = (self.of((label.0 >> 32) as usize), self.of(label.0 as u32 as usize));
        key::child(parent, keyword, subject, ordinal)
    }
}
