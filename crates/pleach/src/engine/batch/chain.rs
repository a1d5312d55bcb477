//! Chains of tests: `if a { .. } else if b { .. } else if c { .. }`, each way out of the same few.
//!
//! A selector over pairs of a condition and a leaf is such a chain, and so are selectors and sequences in one another. Done
//! one by one, each test would ask for the lanes that are left, take some of them out and note where they went. Here all
//! links are looked at from the last to the first, for all lanes: each that holds writes where it leads to, over what later
//! ones have written. So what is left in the end is the first one that holds, and no link needs to know of another.
//!
//! Legal, as the links look at columns only: nobody notices that they are looked at for lanes that left before.

use super::columns::{Columns, each};
use super::lanes::Lanes;
use super::mask::Mask;
use super::scratch::Aligned;
use super::sweep::Sweep;
use crate::code::batch::ops::Chain;
use crate::layout::LANES;
use core::cmp::Ordering;

impl<L: Lanes> Sweep<'_, L> {
    /// Takes out of some lanes those for which a link of the chain holds.
    #[inline(always)]
    pub(super) fn chain(&mut self, lanes: Mask, chain: &Chain) -> Mask {
        let Aligned(values) = &mut Aligned([0_u32; LANES]);
        for (half, values) in values.as_chunks_mut::<128>().0.iter_mut().enumerate() {
            *values = self.lanes.links(&self.chunk.words, 128 * half, chain);
        }
        self.lanes.put_word(values, !lanes, 0);
        // Lanes that have ended have their numbers; for these there is no value.
        for (number, value) in self.scratch.numbers.0.iter_mut().zip(&*values) {
            *number |= *value as u8;
        }
        let mut after = Mask::NONE;
        for (place, to) in chain.to.iter().enumerate().rev() {
            let from = (place as i32 + 1) << 8;
            let here = each!(values, |words| self.lanes.ints(words, Ordering::Greater, from - 1));
            self.send(here.without(after), *to);
            after = here;
        }
        lanes.without(after)
    }
}
