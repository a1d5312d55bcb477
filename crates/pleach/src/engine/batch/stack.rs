//! Stack of the expression machine: each operand is a truth or a number for all lanes of a chunk.

use super::columns::compare;
use super::lanes::{Lanes, Portable};
use super::mask::Mask;
use crate::code::{Binary, BinaryWord, Relation, Ternary, Unary, UnaryWord, by_constant};
use crate::layout::LANES;
use crate::values::TextTable;
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use pleach_image::functions::ramp;
use pleach_image::spelling::Spelling;

/// StackEntry of an expression: a truth or a number for each lane.
#[derive(Clone, Debug)]
pub(super) struct StackEntry {
    is_truth: bool,
    truths: Mask,
    numbers: [f64; LANES],
}

/// Operation `&&` or `||` whose second operand is being computed.
#[derive(Clone, Copy, Debug)]
struct OpenOperand {
    /// Place of the operation behind the second operand.
    end: usize,
    is_or: bool,
    /// Lanes that the first operand has decided.
    decided: Mask,
}

/// Stack of the operands of an expression.
#[derive(Clone, Debug)]
pub(super) struct Stack {
    operands: Box<[StackEntry]>,
    top: usize,
    open: Vec<OpenOperand>,
}

impl Stack {
    pub(super) fn new(depth: usize) -> Self {
        let operand = StackEntry { is_truth: false, truths: Mask::NONE, numbers: [0.0; LANES] };
        Self { operands: vec![operand; depth.max(1)].into(), top: 0, open: Vec::with_capacity(depth) }
    }

    /// Forgets what an expression before has left.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.top = 0;
        self.open.clear();
    }

    /// StackEntry that was pushed first: the value of an expression that has been computed.
    #[inline(always)]
    pub(super) fn lowest(&self) -> &StackEntry {
        &self.operands[0]
    }

    /// Pushes numbers, which the caller fills in.
    #[inline(always)]
    pub(super) fn push(&mut self) -> &mut [f64; LANES] {
        let operand = &mut self.operands[self.top];
        self.top += 1;
        operand.is_truth = false;
        &mut operand.numbers
    }

    /// Pushes words, which the caller fills in.
    #[inline(always)]
    pub(super) fn push_words(&mut self) -> &mut [u64] {
        bytemuck::cast_slice_mut(self.push())
    }

    #[inline(always)]
    pub(super) fn push_truth(&mut self, truths: Mask) {
        let operand = &mut self.operands[self.top];
        self.top += 1;
        (operand.is_truth, operand.truths) = (true, truths);
    }

    #[inline(always)]
    pub(super) fn pop_truth(&mut self) -> Mask {
        self.top -= 1;
        self.operands[self.top].truths()
    }

    /// Pops the second operand. Returns the first, which stays on the stack, and the second.
    #[inline(always)]
    fn pop_second(&mut self) -> [&mut [f64; LANES]; 2] {
        self.top -= 1;
        let (first, second) = self.operands[self.top - 1..].split_at_mut(1);
        [first[0].numbers(), second[0].numbers()]
    }

    /// Begins the second operand of `&&` or `||`. Returns the lanes that need it.
    #[inline(always)]
    pub(super) fn decide(&mut self, end: usize, is_or: bool, lanes: Mask) -> Mask {
        let decided = lanes & self.pop_truth().is(is_or);
        self.open.push(OpenOperand { end, is_or, decided });
        lanes.without(decided)
    }

    /// Ends the operations `&&` and `||` whose second operands end at a place.
    /// Returns the lanes that go on.
    #[inline(always)]
    pub(super) fn merge(&mut self, at: usize, mut lanes: Mask) -> Mask {
        while let Some(open) = self.open.pop_if(|open| open.end == at) {
            let truths = self.pop_truth() & lanes;
            self.push_truth(if open.is_or { truths | open.decided } else { truths });
            lanes |= open.decided;
        }
        lanes
    }

    #[inline(always)]
    pub(super) fn unary(&mut self, op: Unary) {
        let numbers = self.operands[self.top - 1].numbers();
        by_constant!(
            op: Unary of NegInt NegFloat AbsInt AbsFloat Int Float Thousandths NegDouble AbsDouble
                Sqrt Logistic,
            for number in numbers { *number = op.apply(*number) }
        );
    }

    #[inline(always)]
    pub(super) fn binary(&mut self, op: Binary) {
        let [first, second] = self.pop_second();
        let pairs = first.iter_mut().zip(second);
        by_constant!(
            op: Binary of AddInt SubInt MulInt DivInt RemInt AddFloat SubFloat MulFloat DivFloat
                AddDouble SubDouble MulDouble DivDouble Min Max Pow,
            for (first, second) in pairs { *first = op.apply(*first, *second) }
        );
    }

    #[inline(always)]
    pub(super) fn unary_word(&mut self, op: UnaryWord) {
        let words: &mut [u64] = bytemuck::cast_slice_mut(self.operands[self.top - 1].numbers());
        by_constant!(
            op: UnaryWord of NegLong AbsLong Long Real,
            for word in words { *word = op.apply(*word) }
        );
    }

    #[inline(always)]
    pub(super) fn binary_word(&mut self, op: BinaryWord) {
        let [first, second] = self.pop_second().map(|numbers| bytemuck::cast_slice_mut::<f64, u64>(numbers));
        let pairs = first.iter_mut().zip(second);
        by_constant!(
            op: BinaryWord of Add Sub Mul Div Rem Min Max And Or Xor,
            for (first, second) in pairs { *first = op.apply(*first, *second) }
        );
    }

    /// Pops the numbers of two texts. Pushes their order.
    #[inline(always)]
    pub(super) fn order(&mut self, texts: &TextTable) {
        let [first, second] = self.pop_second();
        for (first, second) in first.iter_mut().zip(second) {
            *first = texts.order(*first, *second);
        }
    }

    /// Pops the number of a text. Pushes the number that the text spells.
    pub(super) fn spelled(&mut self, texts: &TextTable, spelling: Spelling) {
        for number in self.operands[self.top - 1].numbers() {
            *number = texts.spelled(*number, spelling);
        }
    }

    /// Pops the ends of a piece of a curve and its last value. Replaces the value before it.
    #[inline(always)]
    pub(super) fn ramp(&mut self) {
        self.top -= 3;
        let [x, y, low, high, to, ..] = &mut self.operands[self.top - 2..] else { return };
        let [x, y, low, high, to] = [x, y, low, high, to].map(StackEntry::numbers);
        for lane in 0..LANES {
            y[lane] = ramp(x[lane], y[lane], low[lane], high[lane], to[lane]);
        }
    }

    /// Drops the operand below the last one.
    #[inline(always)]
    pub(super) fn nip(&mut self) {
        let [first, second] = self.pop_second();
        first.copy_from_slice(second);
    }

    /// Pushes a copy of the number with so many operands above it.
    #[inline(always)]
    pub(super) fn copy(&mut self, above: usize) {
        let (known, new) = self.operands.split_at_mut(self.top);
        let (known, new) = (known[self.top - 1 - above].numbers(), &mut new[0]);
        new.is_truth = false;
        new.numbers.copy_from_slice(known);
        self.top += 1;
    }

    /// Pops three numbers. Pushes the result of an operation.
    #[inline(always)]
    pub(super) fn ternary(&mut self, op: Ternary) {
        self.top -= 2;
        let [first, second, third, ..] = &mut self.operands[self.top - 1..] else { return };
        let [first, second, third] = [first, second, third].map(StackEntry::numbers);
        let triples = first.iter_mut().zip(second).zip(third);
        by_constant!(
            op: Ternary of Between Smooth,
            for ((first, second), third) in triples { *first = op.apply(*first, *second, *third) }
        );
    }

    #[inline(always)]
    pub(super) fn compare(&mut self, lanes: impl Lanes, relation: Relation) {
        let [first, second] = self.pop_second();
        let truths = compare(lanes, first, second, relation, |number| *number);
        self.top -= 1;
        self.push_truth(truths);
    }

    #[inline(always)]
    pub(super) fn compare_words(&mut self, lanes: impl Lanes, relation: Relation) {
        let [first, second] = self.pop_second();
        let truths = compare(lanes, first, second, relation, |word| word.to_bits() as i64);
        self.top -= 1;
        self.push_truth(truths);
    }
}

impl StackEntry {
    #[inline(always)]
    pub(super) fn truths(&self) -> Mask {
        let zeros = &[0.0; LANES];
        if self.is_truth {
            self.truths
        } else {
            compare(Portable, &self.numbers, zeros, Relation::Ne, |it| *it)
        }
    }

    /// Returns the entry of a lane: a word, or the bits of a double.
    #[inline(always)]
    pub(super) fn entry(&self, lane: u8) -> u64 {
        let words: &[u64] = bytemuck::cast_slice(&self.numbers);
        if self.is_truth { f64::from(self.truths.has(lane)).to_bits() } else { words[usize::from(lane)] }
    }

    /// Makes numbers of truths.
    #[inline(always)]
    fn numbers(&mut self) -> &mut [f64; LANES] {
        if core::mem::take(&mut self.is_truth) {
            for (lane, number) in self.numbers.iter_mut().enumerate() {
                *number = self.truths.has(lane as u8).into();
            }
        }
        &mut self.numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stack on which the first lanes hold numbers.
    fn stack(operands: &[&[f64]]) -> Stack {
        let mut stack = Stack::new(operands.len());
        for numbers in operands {
            stack.push()[..numbers.len()].copy_from_slice(numbers);
        }
        stack
    }

    #[test]
    fn what_is_not_zero_is_true() {
        let mut stack = stack(&[&[0.0, -0.0, 5e-324, f64::NAN, -1.0]]);
        assert_eq!(stack.pop_truth().0, [0b11100, 0, 0, 0]);
        stack.push_truth(Mask([0b101, 0, 0, 1]));
        assert_eq!(stack.operands[0].numbers()[..4], [1.0, 0.0, 1.0, 0.0]);
        assert_eq!(stack.operands[0].numbers[192], 1.0);
        assert!(!stack.operands[0].is_truth);
    }

    #[test]
    fn numbers_are_compared_and_computed_like_those_of_one_agent() {
        let first = [7.0, -7.0, 2_147_483_647.0, f64::NAN, 0.5];
        let second = [4.0, 0.0, 1.0, 1.0, f64::NAN];
        let binary = [
            Binary::AddInt,
            Binary::SubInt,
            Binary::MulInt,
            Binary::DivInt,
            Binary::RemInt,
            Binary::AddFloat,
            Binary::SubFloat,
            Binary::MulFloat,
            Binary::DivFloat,
            Binary::Min,
            Binary::Max,
        ];
        for op in binary {
            let mut stack = stack(&[&first, &second]);
            stack.binary(op);
            assert_eq!(stack.top, 1);
            for (lane, (first, second)) in first.into_iter().zip(second).enumerate() {
                let (found, expected) = (stack.operands[0].numbers[lane], op.apply(first, second));
                assert!(found == expected || found.is_nan() && expected.is_nan(), "{op:?} {first} {second}");
            }
        }
        for op in [Unary::NegInt, Unary::NegFloat, Unary::AbsInt, Unary::AbsFloat, Unary::Int, Unary::Float] {
            let mut stack = stack(&[&first]);
            stack.unary(op);
            let bits = stack.operands[0].numbers.map(f64::to_bits);
            assert_eq!(bits[..5], first.map(|number| op.apply(number).to_bits()), "{op:?}");
        }
        let mut stack = stack(&[&first, &second]);
        stack.compare(Portable, Relation::Gt);
        assert_eq!(stack.pop_truth().0[0] & 0b11111, 0b00101);
    }

    #[test]
    fn second_operands_are_for_lanes_that_the_first_has_not_decided() {
        let lanes = Mask([0b1111, 0, 0, 0]);
        for (is_or, needed, expected) in [(false, 0b0011, 0b0001), (true, 0b1100, 0b0111)] {
            let mut stack = Stack::new(1);
            stack.push_truth(Mask([0b0011, 0, 0, 0]));
            let left = stack.decide(5, is_or, lanes);
            assert_eq!(left.0[0], needed);
            stack.push_truth(Mask([0b0101, 0, 0, 0]));
            assert_eq!(stack.merge(4, left), left);
            assert_eq!(stack.merge(5, left), lanes);
            assert_eq!(stack.pop_truth().0[0], expected);
        }
    }
}
