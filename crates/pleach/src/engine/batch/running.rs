//! The set of nodes that an agent remembers as running, of dialects that have one.
//!
//! In the frame a set is a list, in the order in which nodes came to it. To look through the lists of all lanes for each test
//! would take longer than all else, so a sweep turns them over first: for each node, a mask of the lanes that have it. Then a
//! test is a mask, too, and only what is added has to be put into lists.
//!
//! Most of what happens to a set is that it is emptied and filled anew by a leaf that runs. To take lanes out of the masks of
//! all nodes each time would be slow. So what was there when the sweep began stays as it is, and counts only for the lanes that
//! are *kept*, whose sets were not emptied; what came since has masks of its own.
//!
//! When a leaf runs, it comes to the set, and then, one step after the other, so do the nodes around it. Which they are is known
//! when a program is linked: a [`Path`]. So the first of these steps puts all of them into a lane's list at once, and the later
//! ones find them there. That is allowed where nothing lies between the steps, so that who does the first does them all.

use super::mask::Mask;
use crate::code::batch::paths::{MANY, Path, Sets};
use crate::layout::LANES;
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};

/// Nodes that lanes have in their running sets during a sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Running {
    /// For each node, the lanes that had it when the sweep began, and those to whose sets it came since.
    before: Box<[Mask]>,
    since: Box<[Mask]>,
    /// Contents of the sets when the sweep began: nodes, and the lanes of their sets. There is some
    /// room behind the last.
    nodes: Box<[u16]>,
    lanes: Box<[u8]>,
    count: usize,
    /// Lanes whose sets were not emptied.
    kept: Mask,
    /// Lanes to whose sets something came.
    marked: Mask,
    /// Paths whose nodes came to sets since, and for each path whether it is among them.
    came: Vec<u32>,
    listed: Box<[bool]>,
}

impl Running {
    pub(super) fn new(sets: Sets, nodes: usize, paths: usize) -> Self {
        let nobody = vec![Mask::NONE; nodes].into_boxed_slice();
        let most = LANES * usize::from(sets.stride) + MANY;
        Self {
            before: nobody.clone(),
            since: nobody,
            nodes: vec![0; most].into(),
            lanes: vec![0; most].into(),
            count: 0,
            kept: Mask::NONE,
            marked: Mask::NONE,
            came: Vec::with_capacity(paths),
            listed: vec![false; paths].into(),
        }
    }

    /// The lanes that have a node.
    #[inline(always)]
    pub(super) fn members(&self, node: u16) -> Mask {
        self.before[usize::from(node)] & self.kept | self.since[usize::from(node)]
    }

    #[inline(always)]
    pub(super) fn clear(&mut self, paths: &[Path]) {
        if self.count < self.before.len() {
            for node in &self.nodes[..self.count] {
                self.before[usize::from(*node)] = Mask::NONE;
            }
        } else {
            self.before.fill(Mask::NONE);
        }
        for path in self.came.drain(..) {
            let nodes = &paths[path as usize].nodes;
            nodes.iter().for_each(|node| self.since[usize::from(*node)] = Mask::NONE);
            self.listed[path as usize] = false;
        }
        self.count = 0;
        self.kept = Mask::ALL;
        self.marked = Mask::NONE;
    }

    /// Writes down what is in a lane's set. Most sets are short, and none as long as another, so some places are always
    /// looked at; the next set is written over what is behind the last.
    #[inline(always)]
    pub(super) fn write_down(&mut self, set: &[u16], lane: u8) {
        let (count, nodes) = (usize::from(set[0]), &set[1..]);
        let (places, lanes) = (&mut self.nodes[self.count..], &mut self.lanes[self.count..]);
        match (nodes.first_chunk::<MANY>(), places.first_chunk_mut::<MANY>(), lanes.first_chunk_mut::<MANY>())
        {
            (Some(nodes), Some(places), Some(lanes)) if count <= MANY => {
                *places = *nodes;
                *lanes = [lane; MANY];
            }
            _ => {
                places.iter_mut().zip(&nodes[..count]).for_each(|(place, node)| *place = *node);
                lanes[..count].fill(lane);
            }
        }
        self.count += count;
    }

    /// Enters what was written down.
    #[inline(always)]
    pub(super) fn enter(&mut self) {
        let before = &mut self.before[..];
        for (node, lane) in self.nodes[..self.count].iter().zip(&self.lanes) {
            before[usize::from(*node)].set(*lane);
        }
    }

    /// The sets of some lanes are emptied.
    #[inline(always)]
    pub(super) fn empty(&mut self, lanes: Mask, paths: &[Path]) {
        self.kept = self.kept.without(lanes);
        let again = self.marked & lanes;
        if again.any() {
            for node in self.came.iter().flat_map(|path| &paths[*path as usize].nodes) {
                let since = &mut self.since[usize::from(*node)];
                *since = since.without(again);
            }
            self.marked = self.marked.without(again);
        }
    }

    /// Something of a path will come to the sets of some lanes.
    #[inline(always)]
    pub(super) fn list(&mut self, lanes: Mask, path: u32) {
        if !core::mem::replace(&mut self.listed[path as usize], true) {
            self.came.push(path);
        }
        self.marked |= lanes;
    }

    /// A node of a path that was listed comes to the sets of some lanes.
    #[inline(always)]
    pub(super) fn add(&mut self, lanes: Mask, node: u16) {
        self.since[usize::from(node)] |= lanes;
    }
}
