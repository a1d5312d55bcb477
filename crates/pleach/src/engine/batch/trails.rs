//! Rules that have run in a sweep, lane by lane.

use super::mask::Mask;
use crate::layout::LANES;
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};

/// The rules that have run in a sweep, in the order of each lane.
#[derive(Clone, Debug)]
pub(super) struct Trails {
    /// Rules by number of the run, then by lane. Entries that no tick reaches are never written, so
    /// a high limit only costs address space.
    rules: Vec<u16>,
    counts: Box<[u16; LANES]>,
    pub(super) limit: u16,
}

impl Trails {
    /// Returns empty trails, with room for the rules that may run.
    pub(super) fn new(limit: u16) -> Self {
        Self { rules: vec![0; usize::from(limit) * LANES], counts: Box::new([0; LANES]), limit }
    }

    /// Sets the number of rules that may run in a tick.
    pub(super) fn allow(&mut self, limit: u16) {
        if limit != self.limit {
            *self = Self::new(limit);
        }
    }

    /// Clears the trails at the beginning of a tick.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// Notes that a rule has run in some lanes. Returns the lanes that have reached the limit.
    /// These do not continue, so there is always room.
    #[inline(always)]
    pub(super) fn count(&mut self, lanes: Mask, rule: u16) -> Mask {
        let mut spent = Mask::NONE;
        lanes.for_each(|lane| {
            let lane = usize::from(lane);
            let count = &mut self.counts[lane];
            self.rules[usize::from(*count) * LANES + lane] = rule;
            *count += 1;
            if *count >= self.limit {
                spent.set(lane as u8);
            }
        });
        spent
    }

    /// Returns the rules that have run in a lane.
    pub(super) fn of(&self, lane: u8) -> impl Iterator<Item = u16> {
        let lane = usize::from(lane);
        let places = self.rules.iter().skip(lane).step_by(LANES);
        places.take(self.counts[lane].into()).copied()
    }
}
