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

use super::code::{Code, NOWHERE, Op};
use super::lanes::Lanes;
use super::mask::Mask;
use super::sweep::Sweep;
use crate::layout::LANES;
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use hashbrown::HashMap;

/// Places of a set that are looked at together.
const MANY: usize = 16;
/// Most nodes of a path: with their count, they are looked at together.
const LONGEST: usize = MANY - 1;
/// Nodes that are added together.
const FEW: usize = 4;

/// Where sets are in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sets {
    pub(super) column: u32,
    pub(super) stride: u16,
}

/// Nodes that come to a set one after the other.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) nodes: Box<[u16]>,
    /// A set that holds these nodes and no others.
    alone: [u16; MANY],
    /// The first of them.
    few: [u16; FEW],
}

impl Path {
    fn new(nodes: Vec<u16>) -> Self {
        let (mut alone, mut few) = ([0; MANY], [0; FEW]);
        alone[0] = nodes.len() as u16;
        alone[1..].iter_mut().zip(&nodes).for_each(|(place, node)| *place = *node);
        few.iter_mut().zip(&nodes).for_each(|(place, node)| *place = *node);
        Self { nodes: nodes.into(), alone, few }
    }

    /// Makes a set hold these nodes and no others. What is behind the last may be anything.
    #[inline(always)]
    fn put(&self, set: &mut [u16]) {
        match set.first_chunk_mut::<MANY>() {
            Some(set) => *set = self.alone,
            None => set.iter_mut().zip(&self.alone).for_each(|(place, node)| *place = *node),
        }
    }

    /// Adds these nodes to a set; false if there is no room for all.
    #[inline(always)]
    fn append(&self, set: &mut [u16]) -> bool {
        let count = usize::from(set[0]);
        let Some(room) = set.get_mut(count + 1..).filter(|room| room.len() >= self.nodes.len()) else {
            return false;
        };
        match room.first_chunk_mut::<FEW>().filter(|_| self.nodes.len() <= FEW) {
            Some(room) => *room = self.few,
            None => room.iter_mut().zip(&self.nodes).for_each(|(place, node)| *place = *node),
        }
        set[0] += self.nodes.len() as u16;
        true
    }
}

impl Code {
    /// Finds out for the steps of the last block, from `first` on, what comes to a set with that which they put there.
    pub(super) fn paths(&mut self, first: usize, joined: bool) {
        let Some((Sets { stride, .. }, _)) = self.sets else { return };
        let longest = if joined { LONGEST.min(usize::from(stride) - 1) } else { 1 };
        let labels = self.steps[first..].iter().enumerate().map(|(at, step)| (step.label, first + at));
        let labels: HashMap<u32, usize> = labels.collect();
        for at in first..self.steps.len() {
            if let Op::Mark { node, .. } = self.steps[at].op {
                let (mut nodes, mut last) = (vec![node], at);
                while let Some((next, node)) = self.marked_next(last, &labels)
                    && nodes.len() < longest
                    && !nodes.contains(&node)
                {
                    nodes.push(node);
                    last = next;
                }
                let number = self.paths.len() as u32;
                self.paths.push(Path::new(nodes));
                if let Op::Mark { path, .. } = &mut self.steps[at].op {
                    *path = number;
                }
            }
        }
    }

    /// The step that those who have done this one do next, if it does nothing but add a node to their sets.
    fn marked_next(&self, at: usize, labels: &HashMap<u32, usize>) -> Option<(usize, u16)> {
        let next = match self.steps[at].then {
            NOWHERE => at + 1,
            label => *labels.get(&label)?,
        };
        match self.steps[next].op {
            Op::Mark { wipe: false, node, .. } => Some((next, node)),
            _ => None,
        }
    }
}

/// Who has which nodes in a sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Running {
    /// For each node, the lanes that had it when the sweep began, and those to whose sets it came since.
    before: Box<[Mask]>,
    since: Box<[Mask]>,
    /// What was in sets when the sweep began: nodes, and whose sets these were. There is some room behind the last.
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
    fn clear(&mut self, paths: &[Path]) {
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
    fn write_down(&mut self, set: &[u16], lane: u8) {
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
    fn enter(&mut self) {
        let before = &mut self.before[..];
        for (node, lane) in self.nodes[..self.count].iter().zip(&self.lanes) {
            before[usize::from(*node)].set(*lane);
        }
    }

    /// The sets of some lanes are emptied.
    #[inline(always)]
    fn empty(&mut self, lanes: Mask, paths: &[Path]) {
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
    fn list(&mut self, lanes: Mask, path: u32) {
        if !core::mem::replace(&mut self.listed[path as usize], true) {
            self.came.push(path);
        }
        self.marked |= lanes;
    }

    /// A node of a path that was listed comes to the sets of some lanes.
    #[inline(always)]
    fn add(&mut self, lanes: Mask, node: u16) {
        self.since[usize::from(node)] |= lanes;
    }
}

impl<L: Lanes> Sweep<'_, L> {
    /// Turns the lists of some lanes over.
    #[inline(always)]
    pub(super) fn turn_over(&mut self, Sets { column, stride }: Sets, lanes: Mask) {
        let running = &mut self.scratch.running;
        running.clear(&self.code.paths);
        lanes.for_each(|lane| running.write_down(self.chunk.set(column, stride, lane), lane));
        running.enter();
    }

    /// Puts a node at the end of the sets of lanes that do not have it, unless they are full, and with it the others of its
    /// path. They may be emptied first.
    #[inline(always)]
    pub(super) fn mark(&mut self, lanes: Mask, number: u32, wipe: bool) {
        let Some((Sets { column, stride }, _)) = self.code.sets else { return };
        let path = &self.code.paths[number as usize];
        let (running, chunk) = (&mut self.scratch.running, &mut *self.chunk);
        if wipe {
            running.empty(lanes, &self.code.paths);
            running.list(lanes, number);
            lanes.for_each(|lane| path.put(chunk.set_mut(column, stride, lane)));
            return path.nodes.iter().for_each(|node| running.add(lanes, *node));
        }
        let [node, others @ ..] = &*path.nodes else { return };
        let lanes = lanes.without(running.members(*node));
        if !lanes.any() {
            return;
        }
        running.list(lanes, number);
        // Those to whose sets all of the path comes.
        let mut all = others.iter().fold(lanes, |all, node| all.without(running.members(*node)));
        let mut one = lanes.without(all);
        all.for_each(|lane| {
            if !path.append(chunk.set_mut(column, stride, lane)) {
                one.set(lane);
            }
        });
        all = all.without(one);
        path.nodes.iter().for_each(|node| running.add(all, *node));
        if one.any() {
            self.mark_one(one, *node);
        }
    }

    /// Puts one node at the end of the sets of lanes that do not have it, unless they are full.
    fn mark_one(&mut self, lanes: Mask, node: u16) {
        let Some((Sets { column, stride }, _)) = self.code.sets else { return };
        let mut full = Mask::NONE;
        lanes.for_each(|lane| {
            let set = self.chunk.set_mut(column, stride, lane);
            let count = set[0] + 1;
            match set.get_mut(usize::from(count)) {
                Some(place) => {
                    *place = node;
                    set[0] = count;
                }
                None => full.set(lane),
            }
        });
        self.scratch.running.add(lanes.without(full), node);
    }

    /// Empties the sets of those lanes that have a node.
    #[inline(always)]
    pub(super) fn wipe_if(&mut self, lanes: Mask, node: u16) {
        let Some((Sets { column, stride }, _)) = self.code.sets else { return };
        let running = &mut self.scratch.running;
        let lanes = lanes & running.members(node);
        if lanes.any() {
            running.empty(lanes, &self.code.paths);
            lanes.for_each(|lane| self.chunk.set_mut(column, stride, lane)[0] = 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::Step;
    use super::*;

    #[test]
    fn a_path_is_not_longer_than_a_set_has_room() {
        let step = |op| Step { op, label: NOWHERE, skip: 0, then: NOWHERE };
        let marks = (1..5).map(|node| step(Op::Mark { wipe: node == 1, node, path: 0 }));
        let steps = marks.chain([step(Op::End)]).collect();
        let sets = Some((Sets { column: 0, stride: 4 }, 5));
        let mut code = Code { steps, sets, ..Code::default() };
        code.paths(0, true);
        let paths: Vec<_> = code.paths.iter().map(|path| &*path.nodes).collect();
        assert_eq!(paths, [&[1, 2, 3][..], &[2, 3, 4], &[3, 4], &[4]]);
    }
}
