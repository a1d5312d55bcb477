//! What goes by changes: variables whose changes count, and leaves that are selected when they have.
//!
//! Both are bits. Of all agents of a chunk, a sweep goes on only with those for whom the bit of changes is set or nothing is
//! selected, so all that is done afterwards is done for few lanes. To ask for each leaf whether any lane has come to it would
//! be a jump that nobody can predict. So leaves are only noted, as it is done with [endings](super::ending), and for the same
//! reason: when a leaf has been selected, the tick is over. When the sweep is over, too, those lanes are gone through that have
//! come to any.

use super::code::{Choice, Chosen, Code, Compare, Ladder, NOWHERE, Op, Rung, Step, Truth};
use super::columns::{Columns, bit_lanes, each, half_lanes, word_lanes};
use super::lanes::Lanes;
use super::mask::{FEW, Mask};
use super::sweep::Sweep;
use crate::layout::BIT_WORDS;
use alloc::vec::Vec;

/// Most leaves of a block that are only noted: their numbers are bytes.
pub(super) const CHOICES: usize = 256;

impl Code {
    /// Finds those steps of the last block, from `first` on, that select a leaf and end the tick.
    pub(super) fn selections(&mut self, first: usize) {
        let mut choices = Vec::new();
        for at in first..self.steps.len().saturating_sub(1) {
            let [
                Step { op: Op::Select { column, site, node }, label, .. },
                Step { op: Op::Jump { to }, label: NOWHERE, .. },
            ] = self.steps[at..at + 2]
            else {
                continue;
            };
            if to == pleach_image::isa::RUNNING.into() && choices.len() < CHOICES {
                let op = Op::Settle { number: choices.len() as u8, to };
                choices.push(Choice { column, site, node, kind: Chosen::Selected, held: None });
                self.steps[at] = Step { op, label, skip: 0, then: NOWHERE };
            }
        }
        self.choices.push(choices);
    }
}

impl<L: Lanes> Sweep<'_, L> {
    /// Lanes whose number is, or is not, another one.
    #[inline(always)]
    pub(super) fn few_int_eq(&mut self, lanes: Mask, compare: Compare<i32>) -> Mask {
        let Compare { column, with, is, .. } = compare;
        let words = word_lanes(self.chunk, column);
        if lanes.count() <= FEW {
            return lanes.filter(|lane| (words[usize::from(lane)] as i32 == with) == is);
        }
        lanes & each!(words, |words| self.lanes.int_eq(words, with)).is(is)
    }

    /// Moves the bits of changes, and clears them where they were.
    #[inline(always)]
    pub(super) fn capture(&mut self, lanes: Mask, before: u32, live: u32) {
        let bits = bit_lanes(self.chunk, live);
        let changed = Mask(*bits);
        *bits = changed.without(lanes).0;
        let bits = bit_lanes(self.chunk, before);
        *bits = (Mask(*bits).without(lanes) | changed & lanes).0;
    }

    /// Puts a truth that was computed into a variable, and notes where it is another one.
    #[inline(always)]
    pub(super) fn change(&mut self, expression: u32, lanes: Mask, column: u32) {
        let truth = self.truth(expression);
        let bits = bit_lanes(self.chunk, column);
        let other = lanes & (Mask(*bits).without(truth) | truth.without(Mask(*bits)));
        *bits = (Mask(*bits).without(lanes) | truth & lanes).0;
        if let Some(changes) = self.parts.frame.changes {
            let bits = bit_lanes(self.chunk, changes);
            *bits = (Mask(*bits) | other).0;
        }
    }

    /// Sends lanes through a ladder; those that are left go on behind it.
    #[inline(always)]
    pub(super) fn climb(&mut self, mut lanes: Mask, ladder: &Ladder) -> Mask {
        let (pending, chosen) = (&mut *self.scratch.pending, &mut *self.scratch.chosen);
        let columns = self.chunk.bits.as_chunks::<BIT_WORDS>().0;
        let holds = |test: &Truth| Mask(columns[test.column as usize].map(|bits| test.holds(bits)));
        for Rung { label, tests: [first, second], also, to, number } in &ladder.rungs {
            lanes |= pending[*label as usize].take();
            let gone = lanes & (holds(first) & holds(second));
            lanes = lanes.without(gone);
            let gone = gone | pending[*also as usize].take();
            pending[*to as usize] |= gone;
            chosen[*number as usize] = gone;
        }
        lanes
    }

    /// Selects or asks the leaves that lanes have come to.
    #[inline(always)]
    pub(super) fn settle(&mut self, choices: &[Choice]) {
        match choices.first().map(|choice| choice.kind) {
            None => {}
            Some(Chosen::Selected) => self.settle_selected(choices),
            Some(Chosen::Asked { .. }) => self.ask_last(choices),
        }
    }

    #[inline(always)]
    fn settle_selected(&mut self, choices: &[Choice]) {
        let all = self.scratch.chosen[..choices.len()].iter().fold(Mask::NONE, |all, chosen| all | *chosen);
        if all.count() > FEW {
            for (number, choice) in choices.iter().enumerate() {
                let lanes = self.scratch.chosen[number];
                self.select(lanes, choice.column, choice.site, choice.node);
            }
        } else {
            let count = self.line_up(all, choices.len());
            self.in_turn(count, |run, number| {
                let Choice { column, site, node, .. } = choices[usize::from(number)];
                run.select(column, site, node);
            });
        }
        self.scratch.chosen.fill(Mask::NONE);
        let running = &mut self.scratch.pending[usize::from(pleach_image::isa::RUNNING)];
        *running = running.without(self.faulted);
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
}
