//! The cut of trees into blocks: subtrees that become blocks of their own. What code refers to by
//! number is numbered here: flags, registers and texts.
//!
//! A target is a distance of 16 bits, so a block has a maximum size. A tree that is too large
//! for one block is cut: if a node with its remaining children would exceed [`CUT_NODES`], its
//! larger children become blocks that are called. Every block then has fewer nodes than that,
//! however large or deep the tree is.

use super::{Bump, FrameLayout, HashMap, Kind, Module, NodeIndex, Role, Sym};
use crate::ir;
use bumpalo::collections::Vec as ArenaVec;
use core::cmp::Reverse;

/// Most nodes of a block. A node takes a dozen words at most, so the farthest target is within
/// 65,535.
const CUT_NODES: u32 = 4096;

/// The cut of a module into blocks.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    /// The code of each block of the image. A block calls only earlier ones.
    pub(super) units: ArenaVec<'a, Unit>,
    /// For each block of the module, its block in the image.
    pub(super) unit_of_block: ArenaVec<'a, u32>,
    /// For each node that was taken out, its block.
    taken_out: HashMap<NodeIndex, u32>,
    /// For each node whose halt is a block of its own, that block.
    halts: HashMap<NodeIndex, u32>,
    /// The scratch flags.
    pub(super) flags: Numbers,
    /// The registers of loops.
    pub(super) registers: Numbers,
    /// The texts of variables and for logs.
    pub(super) texts: Texts,
    /// For each node, the position that it goes by: that of the innermost branch around it, or the
    /// tree's.
    positions: ArenaVec<'a, u16>,
}

/// Code that becomes a block of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// The node.
    pub(super) node: NodeIndex,
    /// True for the code that halts the node, false for the code that ticks it.
    pub(super) halts: bool,
}

impl Plan<'_> {
    /// Returns the block that halts a node, if the node has such a block.
    pub(super) fn halt_of(&self, node: NodeIndex) -> Option<u32> {
        self.halts.get(&node).copied()
    }

    /// Returns the block of a node that was taken out of its tree.
    pub(super) fn unit_of(&self, node: NodeIndex) -> Option<u32> {
        if self.taken_out.is_empty() { None } else { self.taken_out.get(&node).copied() }
    }

    /// Returns the place of the position that a node goes by.
    pub(super) fn column(&self, frame: &FrameLayout, node: NodeIndex) -> u8 {
        let position = self.positions[node as usize];
        frame.place.get(usize::from(position)).map_or(0, |place| *place as u8)
    }
}

/// Finds the position that each node goes by. Parallels stand before the parallels inside them.
fn positions<'a>(module: &Module, arena: &'a Bump) -> ArenaVec<'a, u16> {
    let mut positions = bumpalo::vec![in arena; module.current.unwrap_or_default(); module.nodes.len()];
    for (node, kind) in (0..).zip(module.nodes.iter().map(|node| &node.kind)) {
        if let Kind::Parallel { columns, .. } = *kind {
            for (branch, column) in module.children(node).zip(columns..) {
                positions[branch as usize..module.nodes[branch as usize].end as usize].fill(column);
            }
        }
    }
    positions
}

/// The scratch flags or the registers of a module.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Number of flags or registers.
    pub(super) count: u16,
    /// For each node that takes some, the first.
    pub(super) of_node: Vec<u16>,
}

/// Plans the blocks of a module.
pub(super) fn plan<'a>(module: &Module, arena: &'a Bump) -> Plan<'a> {
    let mut plan = Plan {
        units: ArenaVec::with_capacity_in(module.blocks.len(), arena),
        unit_of_block: ArenaVec::with_capacity_in(module.blocks.len(), arena),
        taken_out: HashMap::default(),
        halts: HashMap::default(),
        flags: by_height(module, |kind| match kind {
            Kind::Composite(policy, _) => policy.notes_running().into(),
            Kind::Again { eager, .. } => 2 * u16::from(*eager),
            Kind::Chain(chain) => module.chains[*chain as usize].states.len() as u16,
            _ => 0,
        }),
        texts: Texts::of(module),
        positions: positions(module, arena),
        registers: by_height(module, |kind| {
            let loops = match kind {
                Kind::Filter { .. } | Kind::Chain(_) | Kind::Shuffle { .. } => true,
                Kind::Routine(row) => module.routines[*row as usize].has_loop(),
                _ => false,
            };
            (loops || matches!(kind, Kind::Again { eager: true, .. })).into()
        }),
    };
    for block in &module.blocks {
        // An event's block is written in one piece: it calls no other.
        let mut cut = if block.role == Role::Handler { Vec::new() } else { cut(module, block.root) };
        cut.extend(cleanups(module, block.root));
        cut.extend(ticked_twice(module, block.root));
        let mut units: Vec<_> = cut.into_iter().map(|node| Unit { node, halts: false }).collect();
        units.extend(halted_apart(module, block.root).map(|node| Unit { node, halts: true }));
        // The halt of a node stands before its tick, which may call it.
        units.sort_unstable_by_key(|unit| (Reverse(unit.node), !unit.halts));
        units.dedup();
        for unit in units {
            let blocks = if unit.halts { &mut plan.halts } else { &mut plan.taken_out };
            blocks.insert(unit.node, plan.units.len() as u32);
            plan.units.push(unit);
        }
        plan.unit_of_block.push(plan.units.len() as u32);
        plan.units.push(Unit { node: block.root, halts: false });
    }
    plan
}

/// Returns the nodes that routines tick at several places.
fn ticked_twice(module: &Module, root: NodeIndex) -> Vec<NodeIndex> {
    let mut ticked: Vec<_> = routines(module, root)
        .flat_map(|(node, routine)| {
            let operations = routine.tick.iter().chain(&routine.halt);
            operations.filter_map(move |operation| Some(node + operation.ticks()?))
        })
        .collect();
    ticked.sort_unstable();
    let twice = ticked.windows(2).filter(|pair| pair[0] == pair[1]);
    twice.map(|pair| pair[0]).collect()
}

/// Returns the nodes whose halt is a block of its own: all but the shortest ones.
fn halted_apart(module: &Module, root: NodeIndex) -> impl Iterator<Item = NodeIndex> {
    routines(module, root).filter(|(_, routine)| !routine.has_short_halt()).map(|(node, _)| node)
}

/// Returns the nodes of a block that have routines.
fn routines(module: &Module, root: NodeIndex) -> impl Iterator<Item = (NodeIndex, &ir::Routine)> {
    let nodes = if module.routines.is_empty() { 0..0 } else { root..module.nodes[root as usize].end };
    nodes.filter_map(|node| match module.nodes[node as usize].kind {
        Kind::Routine(routine) => Some((node, &module.routines[routine as usize])),
        _ => None,
    })
}

/// Returns the writes of nodes that clean up. They are blocks of their own, since they are run
/// where a node is halted, too.
fn cleanups(module: &Module, root: NodeIndex) -> impl Iterator<Item = NodeIndex> {
    let inside = root..module.nodes[root as usize].end;
    inside.filter(|node| module.nodes[*node as usize].kind == Kind::Cleanup).map(|node| node + 1)
}

/// Returns the nodes to take out of a block, last first, so that a part stands
/// before the part that calls it.
fn cut(module: &Module, root: NodeIndex) -> Vec<NodeIndex> {
    let nodes = root..module.nodes[root as usize].end;
    if nodes.len() <= CUT_NODES as usize && module.routines.is_empty() {
        return Vec::new();
    }
    let at = |node: NodeIndex| (node - root) as usize;
    let mut cut = vec![false; nodes.len()];
    let own = |node: NodeIndex| match module.nodes[node as usize].kind {
        // A block has room for a node of a dozen words, and an operation takes one to three.
        Kind::Routine(row) => 1 + module.routines[row as usize].tick.len() as u32 / 4,
        _ => 1,
    };
    let mut weight: Vec<u32> = nodes.clone().map(own).collect();
    for node in nodes.clone().rev() {
        // Writes that clean up call nothing.
        let is_cleanup = module.nodes[node as usize].kind == Kind::Cleanup;
        let children = || module.children(node).skip(usize::from(is_cleanup));
        let total: u32 = children().map(|child| weight[at(child)]).sum();
        weight[at(node)] += total;
        if total < CUT_NODES {
            continue;
        }
        let share = CUT_NODES / children().count() as u32;
        for child in children() {
            let inside = weight[at(child)];
            if inside > share.max(1) {
                cut[at(child)] = true;
                weight[at(node)] -= inside - 1;
            }
        }
    }
    nodes.rev().filter(|node| cut[at(*node)]).collect()
}

/// Gives numbers to nodes, from the leaves up. A node gets none of the numbers that are used inside
/// the node or in blocks that it calls. `takes` returns how many numbers a node of some kind needs.
fn by_height(module: &Module, takes: impl Fn(&Kind) -> u16) -> Numbers {
    if module.nodes.iter().all(|node| takes(&node.kind) == 0) {
        return Numbers::default();
    }
    let mut numbers = Numbers { count: 0, of_node: vec![0; module.nodes.len()] };
    let mut of_block = Vec::with_capacity(module.blocks.len());
    // Nodes behind, nearest last, that are not inside each other, with how many numbers each needs.
    let mut behind: Vec<(NodeIndex, u16)> = Vec::new();
    for block in &module.blocks {
        for node in (block.root..module.nodes[block.root as usize].end).rev() {
            let ir::Node { kind, end, .. } = &module.nodes[node as usize];
            let needs = match (kind, takes(kind)) {
                (Kind::Call(block), _) => of_block.get(*block as usize).copied().unwrap_or(0),
                (_, 0) => 0,
                (_, own) => {
                    let inside = core::iter::from_fn(|| behind.pop_if(|(node, _)| *node < *end));
                    let first = inside.map(|(_, needs)| needs).max().unwrap_or(0);
                    numbers.of_node[node as usize] = first;
                    first.saturating_add(own)
                }
            };
            if needs > 0 {
                behind.push((node, needs));
            }
        }
        let needs = behind.drain(..).map(|(_, needs)| needs).max().unwrap_or(0);
        numbers.count = numbers.count.max(needs);
        of_block.push(needs);
    }
    numbers
}

/// The texts of a module.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// All of them, in order.
    pub(super) list: Vec<Sym>,
    index: HashMap<Sym, u32>,
}

impl Texts {
    /// Collects the texts of a module.
    pub(super) fn of(module: &Module) -> Self {
        let mut texts = Self::default();
        // Variables hold the first ones by their indices.
        module.texts.iter().for_each(|text| texts.add(*text));
        for node in &module.nodes {
            match node.kind {
                Kind::Log(text) => texts.add(text),
                Kind::Logged(logs) => {
                    module.logs[logs as usize].iter().flatten().for_each(|it| texts.add(*it))
                }
                _ => {}
            }
        }
        texts
    }

    fn add(&mut self, text: Sym) {
        let Self { list, index } = self;
        index.entry(text).or_insert_with(|| {
            list.push(text);
            list.len() as u32 - 1
        });
    }

    /// Returns the index of a text. It fits into an operand, since `limits::plan` has refused more
    /// texts.
    pub(super) fn index(&self, text: Sym) -> u16 {
        self.index.get(&text).copied().unwrap_or_default() as u16
    }
}
