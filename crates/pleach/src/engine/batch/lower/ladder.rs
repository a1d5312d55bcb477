//! Ladders: tests of truths around leaves that are only noted, from the first to the last: one step for all of them.

use super::Builder;
use crate::engine::batch::code::{Ladder, NOWHERE, Op, Rung, Step, Test, Truth};
use crate::frame::BIT_WORDS;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Fewest steps of a ladder.
const FEWEST: usize = 6;

impl Builder<'_> {
    /// Makes ladders of the steps of the last block, from `first` on.
    pub(super) fn ladders(&mut self, first: usize) {
        // A label that nobody comes to, and a number that is no leaf's.
        let (nowhere, no_leaf) = (self.fresh(), self.code.choices.last().map_or(0, Vec::len) as u32);
        let rung = |step: &Step| rung(step, nowhere, no_leaf);
        let steps = self.code.steps.split_off(first);
        let mut rest = &steps[..];
        while let [step, ..] = rest {
            let mut rungs: Vec<Rung> = rest.iter().map_while(rung).collect();
            let (run, others) = rest.split_at(rungs.len().max(1));
            rest = others;
            // What is no ladder has none inside either.
            if rungs.len() < FEWEST || rungs.iter().all(|rung| rung.number == no_leaf) {
                self.code.steps.extend_from_slice(run);
                continue;
            }
            // Lanes for the first label have joined when they come to the ladder.
            rungs[0].label = nowhere;
            self.code.ladders.push(Ladder { rungs: joined(&rungs, nowhere, no_leaf) });
            let ladder = self.code.ladders.len() as u32 - 1;
            self.code.steps.push(Step { op: Op::Ladder { ladder }, ..*step });
        }
    }
}

fn rung(step: &Step, nowhere: u32, no_leaf: u32) -> Option<Rung> {
    let label = if step.label == NOWHERE { nowhere } else { step.label };
    let all = Rung { label, tests: [Truth::ALWAYS; 2], also: nowhere, to: nowhere, number: no_leaf };
    Some(match step.op {
        Op::Test { test: Test::Bit { column }, is, to } => {
            let flip = if is { 0 } else { u64::MAX };
            let test = Truth { column: column / BIT_WORDS as u32, keep: u64::MAX, flip };
            Rung { tests: [test, Truth::ALWAYS], to, ..all }
        }
        Op::Settle { number, to } => Rung { to, number: number.into(), ..all },
        Op::Jump { to } => Rung { to, ..all },
        _ => return None,
    })
}

/// Makes one rung of a leaf and up to two tests that lead past it: where none of them holds, lanes come to the leaf, and all others
/// are at the next rung anyway.
fn joined(rungs: &[Rung], nowhere: u32, no_leaf: u32) -> Box<[Rung]> {
    let (mut joined, mut rest) = (Vec::with_capacity(rungs.len()), rungs);
    let leads = |rung: &Rung, past: u32| rung.number == no_leaf && rung.tests[0].keep != 0 && rung.to == past;
    while let [first, others @ ..] = rest {
        let (rung, used) = match others {
            [second, leaf, next, ..]
                if leaf.number != no_leaf
                    && second.label == nowhere
                    && leads(first, next.label)
                    && leads(second, next.label) =>
            {
                (Rung { tests: [first.tests[0].negated(), second.tests[0].negated()], ..*leaf }, 3)
            }
            [leaf, next, ..] if leaf.number != no_leaf && leads(first, next.label) => {
                (Rung { tests: [first.tests[0].negated(), Truth::ALWAYS], ..*leaf }, 2)
            }
            _ => (*first, 1),
        };
        let also = if used > 1 { rung.label } else { nowhere };
        joined.push(Rung { label: first.label, also, ..rung });
        rest = &rest[used..];
    }
    joined.into()
}
