//! Conditions, put in place as tests.

use super::{Builder, LoweredPlace};
use crate::code::batch::ops::{NOWHERE, Op, SlowTest, Test};
use crate::code::branch::{FusedBranch, Goal, Leaf, branches};
use crate::code::{Range, Step as Word};
use alloc::vec;

impl Builder<'_> {
    /// Puts a condition in place, which leads to `no` if it is false. Returns `None` if there is a
    /// test that sweeps do not know.
    pub(super) fn condition(&mut self, at: usize, condition: u16, no: u32) -> Option<()> {
        let range = self.calcs.ranges[usize::from(condition)];
        let (yes, no) = (self.place(at + 1), self.place(no as usize));
        if !self.repetitions.put(condition, range) {
            let to = self.to(no);
            self.add(Op::SlowTest { test: SlowTest::Value { range, is: false }, to });
            self.flow(at, self.place(at + 1));
            return Some(());
        }
        let branches = branches(&self.calcs.code, range);
        self.branches(at, &branches, yes, no)
    }

    /// Tests in order. Each goes on at the next one by one of its ways, if it leads there.
    fn branches(
        &mut self,
        at: usize,
        branches: &[FusedBranch],
        yes: LoweredPlace,
        no: LoweredPlace,
    ) -> Option<()> {
        let last = branches.len() - 1;
        // By which value control falls out of the last test: the one that leads less far.
        let by = yes <= no;
        let mut labels = vec![NOWHERE; branches.len()];
        let mut falls = false;
        for (index, branch) in branches.iter().enumerate() {
            if index > 0 {
                self.bound = Some(labels[index]).filter(|label| *label != NOWHERE);
            }
            let next = |goal: Goal| match goal {
                Goal::Branch(later) => later as usize == index + 1,
                Goal::Value(value) => index == last && value == by,
            };
            let mut label = |builder: &mut Self, goal: Goal| match goal {
                Goal::Value(true) => builder.to(yes),
                Goal::Value(false) => builder.to(no),
                Goal::Branch(later) => {
                    if labels[later as usize] == NOWHERE {
                        labels[later as usize] = builder.fresh();
                    }
                    builder.uses[labels[later as usize] as usize] += 1;
                    labels[later as usize]
                }
            };
            let test = match branch.leaf {
                Leaf::Test(test) => test,
                Leaf::Always(value) => {
                    let goal = if value { branch.yes } else { branch.no };
                    let to = label(self, goal);
                    self.add(Op::Jump { to });
                    falls = false;
                    continue;
                }
            };
            let (test, goal, other) = match (next(branch.yes), test.negated()) {
                (true, Some(negated)) => (negated, branch.no, branch.yes),
                _ => (test, branch.yes, branch.no),
            };
            let to = label(self, goal);
            self.test(test, to)?;
            falls = next(other);
            if !falls {
                let to = label(self, other);
                self.add(Op::Jump { to });
            }
        }
        if falls {
            self.flow(at, if by { yes } else { no });
        }
        Some(())
    }

    /// Lanes for which a test holds go to the label.
    fn test(&mut self, word: Word, to: u32) -> Option<()> {
        let op = match word {
            Word::Query { site, relation, with, .. } => {
                Op::SlowTest { test: SlowTest::Query { site, relation, with }, to }
            }
            Word::Value { is, first, end, .. } => {
                Op::SlowTest { test: SlowTest::Value { range: Range { first, end }, is }, to }
            }
            _ => {
                let (test, is) = test(word)?;
                Op::Test { test, is, to }
            }
        };
        self.add(op);
        Some(())
    }
}

/// Returns a mere test, and true if control goes to its target when it holds; `None` if
/// the step is no test of columns.
fn test(word: Word) -> Option<(Test, bool)> {
    Some(match word {
        Word::Bit { column, is, .. } => (Test::Bit { column }, is),
        Word::Due { column, reached, .. } => (Test::Due { column, reached }, true),
        Word::Float { column, relation, with, .. } => (Test::Float { column, relation, with }, true),
        Word::Int { column, relation, with, .. } => {
            let (order, is) = relation.of_integers();
            (Test::Int { column, order, with }, is)
        }
        Word::Half { column, span, .. } => (Test::Half { column, span }, true),
        Word::I8 { column, span, .. } | Word::U8 { column, span, .. } => {
            // A span of bytes, or the complement of one.
            let is = span.span <= u8::MAX.into();
            let span = if is { span } else { span.complement() };
            (Test::Byte { column, low: span.low as u8, span: span.span as u8 }, is)
        }
        Word::Floats { left, right, relation, .. } => (Test::Floats { left, right, relation }, true),
        Word::Ints { left, right, relation, .. } => (Test::Ints { left, right, relation }, true),
        _ => return None,
    })
}
