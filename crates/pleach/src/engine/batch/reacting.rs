//! Steps of trees that react: changes of variables, selected leaves, timestamps, nodes of
//! the host around a child, logs.
//!
//! Bits and timestamps are written for whole columns. The host is told of its nodes lane by lane:
//! few agents have any in a tick.

use super::columns::{Columns, bit_lanes, half_lanes, moment_lanes};
use super::lanes::Lanes;
use super::mask::Mask;
use super::sweep::Sweep;
use crate::store::chunk::clock::noted;

impl<L: Lanes> Sweep<'_, L> {
    /// Moves the bits of changes, and clears them where they were.
    #[inline(always)]
    pub(super) fn capture(&mut self, lanes: Mask, before: u32, live: u32) {
        let bits = bit_lanes(self.chunk, live);
        let changed = Mask(*bits);
        *bits = changed.without(lanes).0;
        let bits = bit_lanes(self.chunk, before);
        *bits = (Mask(*bits).without(lanes) | changed & lanes).0;
    }

    /// Writes the boolean values of an expression to a variable, and notes
    /// the lanes in which it changes.
    #[inline(always)]
    pub(super) fn change(&mut self, lanes: Mask, truth: Mask, column: u32) {
        let bits = bit_lanes(self.chunk, column);
        let other = lanes & (Mask(*bits).without(truth) | truth.without(Mask(*bits)));
        *bits = (Mask(*bits).without(lanes) | truth & lanes).0;
        if let Some(changes) = self.parts.frame.changes {
            let bits = bit_lanes(self.chunk, changes);
            *bits = (Mask(*bits) | other).0;
        }
    }

    /// The action takes the place of what runs, and is asked when it does.
    #[inline(always)]
    pub(super) fn select(&mut self, lanes: Mask, column: u32, site: u16, node: u16) {
        let halves = half_lanes(self.chunk, column);
        let lanes = lanes.without(self.lanes.halves_in(halves, node));
        if !lanes.any() {
            return;
        }
        self.displace(lanes, column, node);
        let lanes = lanes.without(self.faulted);
        self.ask_to_act(lanes, lanes, site, node);
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

    /// Returns the lanes in which something holds for the moment of a column.
    #[inline(always)]
    pub(super) fn moments(&mut self, column: u32, holds: impl Fn(i64) -> bool) -> Mask {
        self.lanes.lanes_with(moment_lanes(self.chunk, column), |moment| holds(*moment))
    }
}
