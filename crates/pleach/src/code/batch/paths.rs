//! Nodes that come to the set of running nodes one after the other.

use super::BatchCode;
use super::ops::{NOWHERE, Op};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Places of a set that are looked at together.
pub(crate) const MANY: usize = 16;
/// Most nodes of a path: with their count, they are looked at together.
pub(crate) const LONGEST: usize = MANY - 1;
/// Nodes that are added together.
pub(crate) const FEW: usize = 4;

/// Column of the running sets in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sets {
    pub(crate) column: u32,
    pub(crate) stride: u16,
}

/// Nodes that come to a set one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) nodes: Box<[u16]>,
    /// A set that holds these nodes and no others.
    alone: [u16; MANY],
    /// The first of them.
    few: [u16; FEW],
}

impl Path {
    pub(crate) fn new(nodes: Vec<u16>) -> Self {
        let (mut alone, mut few) = ([0; MANY], [0; FEW]);
        alone[0] = nodes.len() as u16;
        alone[1..].iter_mut().zip(&nodes).for_each(|(place, node)| *place = *node);
        few.iter_mut().zip(&nodes).for_each(|(place, node)| *place = *node);
        Self { nodes: nodes.into(), alone, few }
    }

    /// Makes a set hold these nodes and no others. What is behind the last may be anything.
    #[inline(always)]
    pub(crate) fn put(&self, set: &mut [u16]) {
        match set.first_chunk_mut::<MANY>() {
            Some(set) => *set = self.alone,
            None => set.iter_mut().zip(&self.alone).for_each(|(place, node)| *place = *node),
        }
    }

    /// Adds these nodes to a set; false if there is no room for all.
    #[inline(always)]
    pub(crate) fn append(&self, set: &mut [u16]) -> bool {
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

impl BatchCode {
    /// Finds out for the steps of the last block, from `first` on, what comes to a set with that which they put there.
    pub(crate) fn paths(&mut self, first: usize, joined: bool) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::batch::ops::BatchStep;

    #[test]
    fn a_path_is_not_longer_than_a_set_has_room() {
        let step = |op| BatchStep { op, label: NOWHERE, skip: 0, then: NOWHERE };
        let marks = (1..5).map(|node| step(Op::Mark { wipe: node == 1, node, path: 0 }));
        let steps = marks.chain([step(Op::End)]).collect();
        let sets = Some((Sets { column: 0, stride: 4 }, 5));
        let mut code = BatchCode { steps, sets, ..BatchCode::default() };
        code.paths(0, true);
        let paths: Vec<_> = code.paths.iter().map(|path| &*path.nodes).collect();
        assert_eq!(paths, [&[1, 2, 3][..], &[2, 3, 4], &[3, 4], &[4]]);
    }
}
