//! Stable keys: which node is the same as in another build.
//!
//! A key is made of the parent's key, the node's label, and how many siblings before it have the same label. The latter is
//! 0 but for some nodes of larger families. These are numbered first, so that the same remains to be done for each node. A
//! small table knows for each label where it was met last; a family in which two labels claim the same place there is
//! sorted.

use crate::ast::Role;
use crate::ir::{Block, Module, Node, NodeIndex};
use crate::text::Sym;
use pleach_image::key;

/// What is known of nodes while keys are made.
#[derive(Debug, Default)]
pub(super) struct Relations {
    of_node: Vec<Relation>,
}

/// Whose child a node is.
#[derive(Clone, Copy, Debug)]
struct Relation {
    parent: NodeIndex,
    /// How many siblings before it have the same label.
    ordinal: u32,
}

impl Relations {
    /// As if each node were the only child of the one before it. It is, unless that has nothing inside; and then the node is
    /// one of several children, which are seen to with their parent.
    fn begin(&mut self, nodes: NodeIndex) {
        self.of_node.clear();
        self.of_node.extend((0..nodes).map(|node| Relation { parent: node.wrapping_sub(1), ordinal: 0 }));
    }
}

/// Adds the key of each node. `families` are the nodes with two children or more.
pub(super) fn add(module: &Module, families: &[NodeIndex], relations: &mut Relations, keys: &mut Vec<u64>) {
    relations.begin(module.nodes.len() as NodeIndex);
    let mut met = [Met::default(); MET];
    for parent in families {
        family(module, &mut met, *parent, &mut relations.of_node);
    }
    keys.resize(module.nodes.len(), 0);
    let mut hashes = Hashes::new(module);
    for block in &module.blocks {
        self::block(module, block, &mut hashes, &relations.of_node, keys);
    }
}

/// The keys of a block.
fn block(module: &Module, block: &Block, hashes: &mut Hashes<'_>, relations: &[Relation], keys: &mut [u64]) {
    let (root, role) = (block.root as usize, u8::from(block.role == Role::Class));
    let inside = root + 1..module.nodes[root].end as usize;
    keys[root] = key::root(hashes.of(place(Some(block.name))), role);
    let nodes = module.nodes[inside.clone()].iter().zip(&relations[inside.clone()]);
    for (index, (node, Relation { parent, ordinal })) in inside.zip(nodes) {
        keys[index] = hashes.key(keys[*parent as usize], Label::of(node), *ordinal);
    }
}

/// The children of a node: whose they are, and how many siblings before each have the same label.
fn family(module: &Module, met: &mut [Met; MET], parent: NodeIndex, relations: &mut [Relation]) {
    for child in module.children(parent) {
        let label = Label::of(&module.nodes[child as usize]);
        let met = &mut met[label.spread()];
        let here = met.parent == parent + 1;
        if here && met.label != label {
            return sorted(module, parent, relations);
        }
        let ordinal = if here { met.times } else { 0 };
        *met = Met { label, parent: parent + 1, times: ordinal + 1 };
        relations[child as usize] = Relation { parent, ordinal };
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
fn sorted(module: &Module, parent: NodeIndex, relations: &mut [Relation]) {
    let label = |child: NodeIndex| (Label::of(&module.nodes[child as usize]), child);
    let mut siblings: Vec<_> = module.children(parent).map(label).collect();
    // Equal labels come together, in the order of the children.
    siblings.sort_unstable();
    for same in siblings.chunk_by(|one, other| one.0 == other.0) {
        for (ordinal, (_, child)) in (0..).zip(same) {
            relations[*child as usize] = Relation { parent, ordinal };
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
        (self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % MET
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
