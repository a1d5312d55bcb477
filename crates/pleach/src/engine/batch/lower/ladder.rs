//! Ladders: tests of truths around leaves that are only noted, from the first to the last: one step for all of them.

use super::Builder;
use crate::engine::batch::code::{Ladder, NOWHERE, Op, Rung, Step, Test, Truth};
use crate::layout::BIT_WORDS;
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

#[cfg(test)]
mod tests {
    use super::*;

    const NOWHERE_ELSE: u32 = 20;
    const NO_LEAF: u32 = 9;
    const RUNS: u32 = 2;

    /// A step for those for whom a truth is so, to a label.
    fn test(label: u32, column: u32, is: bool, to: u32) -> Rung {
        let op = Op::Test { test: Test::Bit { column: column * BIT_WORDS as u32 }, is, to };
        rung(&step(op, label), NOWHERE_ELSE, NO_LEAF).expect("it tests a truth")
    }

    fn leaf(label: u32, number: u8) -> Rung {
        rung(&step(Op::Settle { number, to: RUNS }, label), NOWHERE_ELSE, NO_LEAF).expect("it is a leaf")
    }

    fn step(op: Op, label: u32) -> Step {
        Step { op, label, skip: 0, then: NOWHERE }
    }

    /// The leaf that an agent comes to whose truths are the bits of a number.
    fn found(rungs: &[Rung], truths: u64) -> Option<u32> {
        let (mut goes, mut pending, mut found) = (true, [false; 21], None);
        for Rung { label, tests, also, to, number } in rungs {
            goes |= core::mem::take(&mut pending[*label as usize]);
            let gone = goes && tests.iter().all(|test| test.holds(truths >> test.column & 1) & 1 != 0);
            goes &= !gone;
            let gone = gone | core::mem::take(&mut pending[*also as usize]);
            pending[*to as usize] |= gone;
            found = found.or((gone && *number != NO_LEAF).then_some(*number));
        }
        found
    }

    #[test]
    fn a_leaf_and_the_tests_past_it_are_one_rung() {
        let rungs = [
            test(NOWHERE, 0, true, 11),
            test(NOWHERE, 1, false, 11),
            leaf(NOWHERE, 0),
            test(11, 2, true, 13),
            leaf(NOWHERE, 1),
            // To the leaf past its own tests.
            test(13, 3, true, 14),
            test(NOWHERE, 4, false, 15),
            leaf(14, 2),
            leaf(15, 3),
        ];
        let fewer = joined(&rungs, NOWHERE_ELSE, NO_LEAF);
        assert_eq!(fewer.len(), 5);
        for truths in 0..32 {
            let is = |number: u32| truths >> number & 1 != 0;
            let expected = match truths {
                _ if !is(0) && is(1) => 0,
                _ if !is(2) => 1,
                _ if is(3) || is(4) => 2,
                _ => 3,
            };
            assert_eq!([found(&rungs, truths), found(&fewer, truths)], [Some(expected); 2], "{truths:b}");
        }
    }

    #[test]
    fn tests_that_lead_elsewhere_stay() {
        let [first, second, last] = [test(NOWHERE, 0, true, 11), test(NOWHERE, 1, true, 11), leaf(11, 1)];
        let count = |rungs: &[Rung]| joined(rungs, NOWHERE_ELSE, NO_LEAF).len();
        assert_eq!(count(&[first, second, leaf(NOWHERE, 0), last]), 2);
        // Somebody comes to the second test, or to the leaf.
        assert_eq!(count(&[first, test(12, 1, true, 11), leaf(NOWHERE, 0), last]), 3);
        assert_eq!(count(&[first, second, leaf(12, 0), last]), 2);
        // One of them, or both, lead farther.
        assert_eq!(count(&[test(NOWHERE, 0, true, 13), second, leaf(NOWHERE, 0), last]), 3);
        assert_eq!(count(&[first, test(NOWHERE, 1, true, 13), leaf(NOWHERE, 0), last]), 4);
        assert_eq!(count(&[test(NOWHERE, 0, true, 13), leaf(NOWHERE, 0), last]), 3);
        // Between them is no leaf, or nothing follows.
        assert_eq!(count(&[first, second, test(NOWHERE, 2, true, 13), last]), 4);
        assert_eq!(count(&[first, leaf(NOWHERE, 0)]), 2);
        let jump = rung(&step(Op::Jump { to: 11 }, NOWHERE), NOWHERE_ELSE, NO_LEAF).expect("it leads on");
        assert_eq!(count(&[jump, leaf(NOWHERE, 0), last]), 3);
        assert!(rung(&step(Op::End, NOWHERE), NOWHERE_ELSE, NO_LEAF).is_none());
        assert_eq!(found(&[jump, leaf(NOWHERE, 0), last], 0), Some(1));
    }
}
