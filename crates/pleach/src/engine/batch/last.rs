//! Leaves by whose answers ticks end: lanes are noted for them, and they are asked when the sweep is over.
//!
//! As with [selections](super::selecting), to ask whether any lane has come to a leaf would be a jump that nobody can predict, and what
//! lies between leaves, tests of truths mostly, is one step then. It is allowed because nothing is done any more in this tick for a lane
//! that has come to such a leaf, but to ask it: its calls come in their order. So it is not done where a loop may lead to a leaf
//! twice, nor in blocks that are called by others, whose lanes go on.

use super::asking::Reply;
use super::code::{Case, Cases, Choice, Chosen, Code, EXITS, Op, Step};
use super::columns::{Columns, half_lanes};
use super::lanes::{Job, Lanes};
use super::mask::{FEW, Mask};
use super::selecting::CHOICES;
use super::sweep::Sweep;
use crate::code::step::Span;
use pleach_image::isa::RUNNING;

impl Code {
    /// Finds those steps of the last block, from `first` on, that are such leaves, unless there are leaves that are selected.
    pub(super) fn last_leaves(&mut self, first: usize) {
        let Self { steps, choices, exits, .. } = self;
        let Some(choices) = choices.last_mut().filter(|choices| choices.is_empty()) else { return };
        let steps = &mut steps[first..];
        if steps.iter().any(|step| matches!(step.op, Op::Loop { .. })) {
            return;
        }
        let ends: [u32; EXITS] = core::array::from_fn(|exit| exit as u32);
        for step in steps {
            if let Op::ActExclusive { column, site, node, halts, exits: ways } = step.op
                && exits[ways as usize] == ends
                && choices.len() < CHOICES
            {
                step.op = Op::Settle { number: choices.len() as u8, to: RUNNING.into() };
                choices.push(Choice { column, site, node, kind: Chosen::Asked { halts }, held: None });
            }
        }
    }

    /// Lets the last `switch` of the last block, from `first` on, tell who holds the leaves that are noted, if nothing behind it changes that.
    pub(super) fn holders(&mut self, first: usize) {
        let Self { steps, choices, cases, .. } = self;
        let (steps, Some(choices)) = (&mut steps[first..], choices.last_mut()) else { return };
        let keeps = |step: &Step| {
            matches!(
                step.op,
                Op::Test { .. } | Op::Ladder { .. } | Op::Settle { .. } | Op::Jump { .. } | Op::End
            )
        };
        let Some(last) = steps.iter_mut().rev().find(|step| !keeps(step)) else { return };
        let Op::Switch { column, cases: number } = last.op else { return };
        let Cases { few, many: None } = &cases[number as usize] else { return };
        for choice in choices.iter_mut().filter(|choice| matches!(choice.kind, Chosen::Asked { .. })) {
            let tells =
                |case: &Case| (column, case.span) == (choice.column, Span { low: choice.node, span: 0 });
            choice.held = few.iter().position(tells).map(|case| case as u8);
            if choice.held.is_some() {
                last.op = Op::Part { column, cases: number };
            }
        }
    }
}

/// The leaves of a block, apart from the sweep's own code.
struct Last<'a, 'b, L> {
    sweep: &'b mut Sweep<'a, L>,
    choices: &'b [Choice],
}

impl<L: Lanes> Job for Last<'_, '_, L> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Self { sweep, choices } = self;
        let begun = sweep.begin_noted(choices);
        for (number, choice) in choices.iter().enumerate() {
            let lanes = sweep.scratch.chosen[number].take();
            if lanes.any() {
                let reply = sweep.act_begun(lanes, lanes & begun, choice);
                // They have been counted among those that run.
                if reply != Reply::RUN {
                    sweep.end_by(lanes, reply);
                }
            }
        }
        let running = &mut sweep.scratch.pending[usize::from(RUNNING)];
        *running = running.without(sweep.faulted);
    }
}

impl<L: Lanes> Sweep<'_, L> {
    /// Asks the leaves that lanes have come to.
    #[inline(never)]
    pub(super) fn ask_last(&mut self, choices: &[Choice]) {
        self.lanes.run(Last { sweep: self, choices });
    }

    /// Lanes that were noted for another leaf than they hold: it takes the place of what runs.
    #[inline(always)]
    fn begin_noted(&mut self, choices: &[Choice]) -> Mask {
        let mut begun = Mask::NONE;
        for (choice, chosen) in choices.iter().zip(&self.scratch.chosen) {
            begun |= chosen.without(match choice.held {
                Some(case) => self.scratch.holders[usize::from(case)],
                None => self.lanes.halves_in(half_lanes(self.chunk, choice.column), choice.node),
            });
        }
        if begun.count() <= FEW {
            let count = self.line_up(begun, choices.len());
            self.begin_in_turn(count, choices);
            return begun;
        }
        for (number, choice) in choices.iter().enumerate() {
            self.begin(begun & self.scratch.chosen[number], choice);
        }
        begun
    }

    /// Lanes that were noted leave the block, not all of them as those that run.
    #[inline(never)]
    fn end_by(&mut self, lanes: Mask, reply: Reply) {
        let ways = reply.ways(lanes.without(self.faulted));
        let pending = &mut self.scratch.pending;
        let running = &mut pending[usize::from(RUNNING)];
        *running = running.without(lanes);
        for (pending, way) in pending.iter_mut().zip(ways) {
            *pending |= way;
        }
    }
}
