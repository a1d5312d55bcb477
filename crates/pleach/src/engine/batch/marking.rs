//! Steps that mark nodes as running, and wipe sets of them.

use super::lanes::Lanes;
use super::mask::Mask;
use super::sweep::Sweep;
use crate::code::batch::paths::Sets;

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
