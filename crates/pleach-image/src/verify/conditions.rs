//! Types and depth of the condition stack.
//!
//! Jumps go forward and nest like brackets, so the stacks that wait at targets form a stack of their own: the next
//! target to be reached is always on top.
//!
//! As with blocks, there is a way to tell quickly that all conditions are right, and one to find which is not and why.
//! The first takes the code as a whole, since a condition starts with the empty stack that the one before leaves. What
//! an operation makes of a small stack is a look into a table, [`small_after`]; who needs more goes the second way.

use super::{Rule, Subject};
use crate::error::ImageError;
use crate::format::{ConditionRow, SectionKind};
use crate::isa::StackOp;
use crate::isa::operand::Shape;
use crate::isa::spans::Span;
use crate::isa::stack::{StackOperand, StackWord, Types, small_after};

/// Checks every condition.
pub(super) fn check(subject: &Subject<'_>, shape: &Shape) -> Result<(), ImageError> {
    let view = &subject.view;
    let limit = view.meta.first().map_or(0, |meta| meta.stack_depth);
    let sure = sweep(view.conditions, view.condition_code, shape, limit);
    // Asked once more where assertions are on: all tests of the verifier are tests of the sweep.
    if sure && !cfg!(debug_assertions) {
        return Ok(());
    }
    let checked = precise(subject, shape, limit);
    debug_assert!(checked.is_ok() || !sure, "the sweep is too generous: {checked:?}");
    checked
}

/// By number, whether the operand is a target.
static JUMPS: [bool; 256] = {
    let (mut jumps, mut index) = ([false; 256], 0);
    while index < StackOp::ALL.len() {
        let op = StackOp::ALL[index];
        jumps[op as usize] = matches!(op.operand(), StackOperand::Target);
        index += 1;
    }
    jumps
};

/// Whether all conditions are surely right.
fn sweep(rows: &[ConditionRow], code: &[StackWord], shape: &Shape, limit: u32) -> bool {
    let mut spans: [_; 256] = core::array::from_fn(|number| Span::none(number as u8));
    for op in StackOp::ALL {
        spans[*op as usize] = op.span(shape);
    }
    let largest = Types::largest_small(limit);
    let (mut stack, mut right) = (Types::EMPTY.small(), ends(rows, code));
    let mut jumps = Jumps { rows: rows.iter(), end: 0, waiting: Vec::new(), nearest: usize::MAX };
    for (at, word) in code.iter().enumerate() {
        if at == jumps.nearest {
            right &= jumps.merge(at, stack);
        }
        let op = usize::from(word.op);
        if JUMPS[op] {
            right &= jumps.take(at, at + usize::from(word.a), stack);
        }
        // What does not fit makes 0, and stays so.
        stack = small_after(stack, word.op);
        right &= (stack <= largest) & spans[op].hold(bytemuck::cast(*word));
    }
    right && stack == Types::EMPTY.small()
}

/// Whether `end` is the last word of each condition and nowhere else. As numbers, many words are compared at once.
fn ends(rows: &[ConditionRow], code: &[StackWord]) -> bool {
    let code: &[u32] = bytemuck::cast_slice(code);
    let end = bytemuck::cast(StackWord::new(StackOp::End, 0));
    let last = |row: &ConditionRow| code.get(behind(row) - 1) == Some(&end);
    let count = |words: &[u32]| words.iter().map(|word| u32::from(*word == end)).sum::<u32>() as usize;
    let ends: usize = code.chunks(1 << 16).map(count).sum();
    rows.iter().fold(true, |all, row| all & last(row)) && ends == rows.len()
}

/// The word behind a condition.
fn behind(row: &ConditionRow) -> usize {
    row.first as usize + row.count as usize
}

/// Jumps under way in the code of all conditions.
struct Jumps<'a> {
    /// Conditions whose ends are not reached.
    rows: core::slice::Iter<'a, ConditionRow>,
    /// Behind the condition that the last jump was in.
    end: usize,
    /// Targets, with the small stacks they find; the nearest on top.
    waiting: Vec<(usize, u8)>,
    /// The target on top, or none.
    nearest: usize,
}

impl Jumps<'_> {
    fn merge(&mut self, at: usize, stack: u8) -> bool {
        let mut same = true;
        while let Some((_, waited)) = self.waiting.pop_if(|(target, _)| *target == at) {
            same &= waited == stack;
        }
        self.nearest = self.waiting.last().map_or(usize::MAX, |(target, _)| *target);
        same
    }

    fn take(&mut self, at: usize, target: usize, stack: u8) -> bool {
        while self.end <= at {
            let Some(row) = self.rows.next() else { return false };
            self.end = behind(row);
        }
        let nests = target < self.end && target <= self.nearest;
        self.waiting.push((target, stack));
        self.nearest = target;
        nests
    }
}

/// Checks condition by condition, operation by operation and part by part.
#[cold]
fn precise(subject: &Subject<'_>, shape: &Shape, limit: u32) -> Result<(), ImageError> {
    let view = &subject.view;
    for row in view.conditions {
        let words = &view.condition_code[row.first as usize..][..row.count as usize];
        let mut condition = Condition { shape, words, limit, waiting: Vec::new() };
        condition.check().map_err(|(at, rule)| {
            let row = row.first as usize + at;
            let found = view.condition_code.get(row).map_or(0, |word| u64::from(word.op));
            subject.fail(rule, SectionKind::ConditionCode, row, found)
        })?;
    }
    Ok(())
}

struct Condition<'a> {
    shape: &'a Shape,
    words: &'a [StackWord],
    limit: u32,
    /// Targets of jumps taken, with the stack they leave; the nearest on top.
    waiting: Vec<(usize, Types)>,
}

impl Condition<'_> {
    fn check(&mut self) -> Result<(), (usize, Rule)> {
        let mut stack = Types::EMPTY;
        let last = self.words.len() - 1;
        for (at, word) in self.words.iter().enumerate() {
            stack = self.step(at, *word, stack).map_err(|rule| (at, rule))?;
            if word.op().is_some_and(StackOp::ends) != (at == last) {
                return Err((at, Rule::StackEnd));
            }
        }
        if stack == Types::EMPTY { Ok(()) } else { Err((last, Rule::StackEnd)) }
    }

    fn step(&mut self, at: usize, word: StackWord, stack: Types) -> Result<Types, Rule> {
        self.merge(at, stack)?;
        let op = word.op().ok_or(Rule::StackOpUnknown)?;
        let after = stack.after(op, self.limit)?;
        op.check(word, self.shape)?;
        if op.operand() == StackOperand::Target {
            self.jump(at + usize::from(word.a), stack)?;
        }
        Ok(after)
    }

    /// All jumps that lead here leave the stack that falling through leaves.
    fn merge(&mut self, at: usize, stack: Types) -> Result<(), Rule> {
        while let Some((_, waited)) = self.waiting.pop_if(|(target, _)| *target == at) {
            if waited != stack {
                return Err(Rule::StackMerge);
            }
        }
        Ok(())
    }

    /// A jump leads no farther than those that are under way.
    fn jump(&mut self, target: usize, stack: Types) -> Result<(), Rule> {
        let nearest = self.waiting.last().map_or(self.words.len() - 1, |(target, _)| *target);
        if target > nearest {
            return Err(Rule::StackTarget);
        }
        self.waiting.push((target, stack));
        Ok(())
    }
}
