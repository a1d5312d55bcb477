//! Lanes whose turn comes one by one, where few have something to do.
//!
//! Vectors are no help for a call that concerns one agent, and for a few lanes neither for what leads up to it: to find out for each leaf
//! whether any lane has begun it, and for each word of a mask whether there is one, are jumps that nobody can predict. So lanes are put
//! down in one list, whichever leaf they have come to, each with its leaf's number; what is done for them is one loop.

use super::code::Choice;
use super::lanes::Lanes;
use super::mask::Mask;
use super::scratch::Scratch;
use super::selecting::CHOICES;
use super::sweep::Sweep;
use crate::engine::scalar::Run;
use crate::engine::sweep::Tick;
use crate::host::Host;
use crate::host::panics::caught;
use crate::store::chunk::PANIC;

/// Most lanes of a list.
pub(super) const MOST: usize = 32;
/// Lanes, and for each the number of a leaf.
pub(super) type Turns = [(u8, u8); MOST];

/// Does something for one lane after the other, with its number. A panic of the host is the fault of the lane whose turn it was, and the
/// others are not concerned. The lanes at fault.
pub(super) fn in_turn<H: Host + ?Sized>(
    run: &mut Run<'_, H, ()>,
    turns: &[(u8, u8)],
    mut work: impl FnMut(&mut Run<'_, H, ()>, u8),
) -> Mask {
    let (mut next, mut faulted) = (0, Mask::NONE);
    let mut rest = |run: &mut Run<'_, H, ()>| {
        while let Some((lane, number)) = turns.get(next) {
            next += 1;
            run.lane = *lane;
            work(run, *number);
        }
    };
    while caught(|| rest(run)).is_err() {
        run.chunk.end(run.lane, PANIC, 0);
        faulted.set(run.lane);
    }
    faulted
}

impl<L: Lanes> Sweep<'_, L> {
    /// Puts down lanes, [`MOST`] of them at most, each with the number of the leaf that it is noted for; where there is one leaf, noted or not
    /// is the same. How many they are.
    #[inline(always)]
    pub(super) fn line_up(&mut self, lanes: Mask, leaves: usize) -> usize {
        let Scratch { chosen, turns, asked, .. } = &mut *self.scratch;
        // The numbers, bit by bit.
        let mut planes = [Mask::NONE; CHOICES.ilog2() as usize];
        let planes = &mut planes[..leaves.next_power_of_two().ilog2() as usize];
        for (number, chosen) in chosen[..leaves].iter().enumerate() {
            for (bit, plane) in planes.iter_mut().enumerate() {
                *plane |= *chosen & Mask::all(number >> bit & 1 != 0);
            }
        }
        self.lanes.gather(lanes.0, &mut asked.lanes);
        let count = (lanes.count() as usize).min(MOST);
        for (turn, lane) in turns.iter_mut().zip(&asked.lanes[..count]) {
            let bits = planes.iter().enumerate().map(|(bit, plane)| u8::from(plane.has(*lane)) << bit);
            *turn = (*lane, bits.sum());
        }
        count
    }

    /// Does something for the lanes that were put down.
    #[inline(always)]
    pub(super) fn in_turn(&mut self, count: usize, work: impl FnMut(&mut Run<'_, dyn Host + '_, ()>, u8)) {
        let Self { parts, scratch, scalar, world, chunk, now, host, .. } = self;
        let mut tick = Tick { parts, scratch: scalar, world, now: *now, host: &mut **host };
        let mut nobody = ();
        let mut run = tick.agent(chunk, 0, &mut nobody);
        let faulted = in_turn(&mut run, &scratch.turns[..count], work);
        self.faulted |= faulted;
    }

    /// Leaves take the place of what the lanes that were put down hold, and that is halted.
    #[inline(always)]
    pub(super) fn begin_in_turn(&mut self, count: usize, leaves: &[Choice]) {
        self.in_turn(count, |run, number| {
            let Choice { column, node, kind, .. } = leaves[usize::from(number)];
            if kind.halts() && run.chunk.half(column, run.lane) != 0 {
                run.halt_from(column, 0);
            }
            run.displace(column, node);
        });
    }
}
