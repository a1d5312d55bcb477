//! The set of nodes that an agent remembers as running, of dialects that have one.
//!
//! In the frame a set is a list, in the order in which nodes came to it. To look through the lists of all lanes for each test
//! would take longer than all else, so a sweep turns them over first: for each node, a mask of the lanes that have it. Then a
//! test is a mask, too, and only what is added has to be put into lists.
//!
//! Most of what happens to a set is that it is emptied and filled anew by a leaf that runs. To take lanes out of the masks of
//! all nodes each time would be slow. So what was there when the sweep began stays as it is, and counts only for the lanes that
//! are *kept*, whose sets were not emptied; what came since has masks of its own.

use super::lanes::Lanes;
use super::mask::Mask;
use super::sweep::Sweep;

/// How many places of a set are always looked at.
const FEW: usize = 8;

/// Where sets are in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sets {
    pub(super) column: u32,
    pub(super) stride: u16,
}

/// Who has which nodes in a sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Running {
    /// For each node, the lanes that had it when the sweep began, and those to whose sets it came since.
    before: Box<[Mask]>,
    since: Box<[Mask]>,
    /// Lanes whose sets were not emptied.
    kept: Mask,
    /// Lanes to whose sets something came.
    marked: Mask,
    /// Nodes that have had lanes in this sweep, and for each node whether it is among them.
    nodes: Vec<u16>,
    listed: Box<[bool]>,
}

impl Running {
    pub(super) fn new(nodes: usize) -> Self {
        let nobody = vec![Mask::NONE; nodes].into_boxed_slice();
        Self {
            before: nobody.clone(),
            since: nobody,
            kept: Mask::NONE,
            marked: Mask::NONE,
            nodes: Vec::with_capacity(nodes),
            listed: vec![false; nodes].into(),
        }
    }

    /// The lanes that have a node.
    #[inline(always)]
    pub(super) fn members(&self, node: u16) -> Mask {
        self.before[usize::from(node)] & self.kept | self.since[usize::from(node)]
    }

    fn clear(&mut self) {
        for node in self.nodes.drain(..) {
            self.before[usize::from(node)] = Mask::NONE;
            self.since[usize::from(node)] = Mask::NONE;
            self.listed[usize::from(node)] = false;
        }
        self.kept = Mask::ALL;
        self.marked = Mask::NONE;
    }

    #[inline(always)]
    fn list(&mut self, node: u16) {
        if !core::mem::replace(&mut self.listed[usize::from(node)], true) {
            self.nodes.push(node);
        }
    }

    /// Whether a lane had a node before the sweep, if that has not been said yet.
    #[inline(always)]
    fn enter(&mut self, lane: u8, node: u16, had: bool) {
        self.list(node);
        self.before[usize::from(node)].0[usize::from(lane) / 64] |= u64::from(had) << (lane % 64);
    }

    /// The sets of some lanes are emptied.
    #[inline(always)]
    fn empty(&mut self, lanes: Mask) {
        self.kept = self.kept.without(lanes);
        let again = self.marked & lanes;
        if again.any() {
            for node in &self.nodes {
                let since = &mut self.since[usize::from(*node)];
                *since = since.without(again);
            }
            self.marked = self.marked.without(again);
        }
    }

    /// A node comes to the sets of some lanes.
    #[inline(always)]
    fn add(&mut self, lanes: Mask, node: u16) {
        self.list(node);
        self.since[usize::from(node)] |= lanes;
        self.marked |= lanes;
    }
}

impl<L: Lanes> Sweep<'_, L> {
    /// Turns the lists of some lanes over.
    #[inline(always)]
    pub(super) fn turn_over(&mut self, Sets { column, stride }: Sets, lanes: Mask) {
        let running = &mut self.scratch.running;
        running.clear();
        lanes.for_each(|lane| {
            let set = self.chunk.set(column, stride, lane);
            let (count, nodes) = (usize::from(set[0]), &set[1..]);
            // Most sets are short, and none as long as another, so a few places are always looked at. What is behind the last
            // is a node that was there once.
            let (few, more) = nodes.split_at(nodes.len().min(FEW));
            for (index, node) in few.iter().enumerate() {
                running.enter(lane, *node, index < count);
            }
            for node in more.iter().take(count.saturating_sub(FEW)) {
                running.enter(lane, *node, true);
            }
        });
    }

    /// Puts a node at the end of the sets of lanes that do not have it, unless they are full. They may be emptied first.
    #[inline(always)]
    pub(super) fn mark(&mut self, lanes: Mask, node: u16, wipe: bool) {
        let Some((Sets { column, stride }, _)) = self.code.sets else { return };
        let running = &mut self.scratch.running;
        if wipe {
            running.empty(lanes);
            running.add(lanes, node);
            lanes.for_each(|lane| {
                let set = self.chunk.set_mut(column, stride, lane);
                (set[0], set[1]) = (1, node);
            });
            return;
        }
        let mut full = Mask::NONE;
        let lanes = lanes.without(running.members(node));
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
        running.add(lanes.without(full), node);
    }

    /// Empties the sets of those lanes that have a node.
    #[inline(always)]
    pub(super) fn wipe_if(&mut self, lanes: Mask, node: u16) {
        let Some((Sets { column, stride }, _)) = self.code.sets else { return };
        let running = &mut self.scratch.running;
        let lanes = lanes & running.members(node);
        if lanes.any() {
            running.empty(lanes);
            lanes.for_each(|lane| self.chunk.set_mut(column, stride, lane)[0] = 0);
        }
    }
}
