//! What goes by events and moments: nodes of the host around a child, texts for logs, times.
//!
//! Few agents of a tick do any of this, so it is done lane by lane. What an event notes, it notes for many.

use super::columns::moment_lanes;
use super::lanes::{Lanes, bits};
use super::mask::Mask;
use super::sweep::Sweep;
use crate::chunk::clock::noted;
use crate::frame::LANES;
use crate::host::Halt;

impl<L: Lanes> Sweep<'_, L> {
    /// Puts down a moment that is so much later than now as an expression says.
    #[inline(always)]
    pub(super) fn start(&mut self, lanes: Mask, expression: u32, column: u32) {
        self.evaluate(expression, lanes);
        lanes.without(self.faulted).for_each(|lane| {
            let length = self.number(expression, lane) as i64;
            *self.chunk.moment_mut(column, lane) = self.now.saturating_add(length);
        });
    }

    /// Notes that a moment has come, or that it no longer counts.
    #[inline(always)]
    pub(super) fn note(&mut self, lanes: Mask, on: bool, column: u32) {
        let (blocks, now) = (moment_lanes(self.chunk, column).as_chunks_mut::<64>().0, self.now);
        for (moments, lanes) in blocks.iter_mut().zip(lanes.0) {
            for (lane, moment) in moments.iter_mut().enumerate() {
                let other = noted(*moment, now, on);
                *moment = if lanes >> lane & 1 != 0 { other } else { *moment };
            }
        }
    }

    /// Tells the host that a child has ended.
    #[inline(always)]
    pub(super) fn close(&mut self, lanes: Mask, site: u16, node: u16) {
        lanes.for_each(|lane| self.alone(lane, |run| run.tell(site, node, Halt::Ended)));
    }

    #[inline(always)]
    pub(super) fn log(&mut self, lanes: Mask, kind: u8, text: u16, node: u16) {
        lanes.for_each(|lane| self.alone(lane, |run| run.log(kind, text, node)));
    }

    /// Where it holds for a moment that a column notes.
    #[inline(always)]
    pub(super) fn moments(&mut self, column: u32, holds: impl Fn(i64) -> bool) -> Mask {
        let mut mask = Mask::NONE;
        for (word, moments) in mask.0.iter_mut().zip(moment_lanes(self.chunk, column).as_chunks::<64>().0) {
            *word = bits(|lane| holds(moments[lane]));
        }
        mask
    }

    /// How long ago moments were.
    #[inline(always)]
    pub(super) fn since(&mut self, at: u8, column: u32) {
        let reals: &mut [f64; LANES] = &mut self.scratch.entries.reals[usize::from(at)];
        for (lane, real) in reals.iter_mut().enumerate() {
            *real = self.chunk.since(column, lane as u8, self.now);
        }
    }
}
