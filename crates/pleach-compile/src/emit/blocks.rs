//! Which subtrees become blocks of their own.
//!
//! A target is a distance of 16 bits, so a block must not grow without end. A tree that is too large for one block is
//! cut: where a node and what is left of its children would exceed [`CUT_NODES`], its larger children are taken out
//! and called instead. Every block then stays below that number of nodes, however large or deep the tree.

use crate::ir::{Kind, Module, Node, NodeIndex};
use hashbrown::HashMap;

/// Most nodes of a block. A node takes a dozen words at most, so the farthest target is within 65,535.
const CUT_NODES: u32 = 4096;

/// A block of the image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    /// The node it begins with.
    pub(super) root: NodeIndex,
}

/// The cut of a module into blocks.
#[derive(Debug)]
pub(super) struct Plan {
    /// The blocks of the image; each calls only earlier ones.
    pub(super) units: Vec<Unit>,
    /// For each block of the module, its block in the image.
    pub(super) unit_of_block: Vec<u32>,
    /// For each node that was taken out, its block.
    taken_out: HashMap<NodeIndex, u32>,
    /// For each node, how many scratch flags it and what it calls need. A composite that needs one takes the highest.
    pub(super) flags: Vec<u16>,
}

impl Plan {
    /// The block of a node that was taken out of its tree.
    pub(super) fn unit_of(&self, node: NodeIndex) -> Option<u32> {
        if self.taken_out.is_empty() { None } else { self.taken_out.get(&node).copied() }
    }
}

/// Plans the blocks of a module.
pub(super) fn plan(module: &Module) -> Plan {
    let flags = flags(module);
    let cut = cut(module);
    let mut plan =
        Plan { units: Vec::new(), unit_of_block: Vec::new(), taken_out: HashMap::default(), flags };
    for block in &module.blocks {
        let nodes = block.root..module.nodes[block.root as usize].end;
        // Backward, so that a part stands before the part that calls it.
        for root in nodes.rev().filter(|node| cut[*node as usize] || *node == block.root) {
            if root != block.root {
                plan.taken_out.insert(root, plan.units.len() as u32);
            }
            plan.units.push(Unit { root });
        }
        plan.unit_of_block.push(plan.units.len() as u32 - 1);
    }
    plan
}

/// Marks the nodes to take out.
fn cut(module: &Module) -> Vec<bool> {
    let mut cut = vec![false; module.nodes.len()];
    if module.nodes.len() < CUT_NODES as usize {
        return cut;
    }
    let mut weight = vec![1_u32; module.nodes.len()];
    for node in (0..module.nodes.len()).rev() {
        let children = || module.children(node as NodeIndex);
        let total: u32 = children().map(|child| weight[child as usize]).sum();
        weight[node] = total + 1;
        if total < CUT_NODES {
            continue;
        }
        let share = CUT_NODES / children().count() as u32;
        for child in children() {
            let inside = weight[child as usize];
            if inside > share.max(1) {
                cut[child as usize] = true;
                weight[node] -= inside - 1;
            }
        }
    }
    cut
}

/// Counts flags from the leaves up, so that a composite's flag is not one that is used inside it.
fn flags(module: &Module) -> Vec<u16> {
    let notes = |node: &Node| matches!(node.kind, Kind::Composite(policy, _) if policy.notes_running());
    let mut flags = vec![0_u16; module.nodes.len()];
    if !module.nodes.iter().any(notes) {
        return flags;
    }
    let mut of_block = Vec::with_capacity(module.blocks.len());
    for block in &module.blocks {
        for node in (block.root..module.nodes[block.root as usize].end).rev() {
            let inside = module.children(node).map(|child| flags[child as usize]).max().unwrap_or(0);
            flags[node as usize] = match module.nodes[node as usize].kind {
                Kind::Call(block) => of_block.get(block as usize).copied().unwrap_or(0),
                Kind::Composite(policy, _) if policy.notes_running() => inside.saturating_add(1),
                _ => inside,
            };
        }
        of_block.push(flags[block.root as usize]);
    }
    flags
}

/// How deep calls nest; `calls` holds the blocks that each block calls.
pub(super) fn call_depth(calls: &[Vec<u32>]) -> u32 {
    let mut depths: Vec<u32> = Vec::with_capacity(calls.len());
    for calls in calls {
        let depth = calls.iter().map(|callee| depths[*callee as usize] + 1).max().unwrap_or(0);
        depths.push(depth);
    }
    depths.into_iter().max().unwrap_or(0)
}
