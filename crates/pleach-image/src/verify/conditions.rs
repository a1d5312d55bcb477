//! Types and depth of the condition stack.
//!
//! Jumps go forward and nest like brackets, so the stacks that wait at targets form a stack of their own: the next
//! target to be reached is always on top.
//!
//! As with blocks, there is a way to tell quickly that all conditions are right, and one to find which is not and why.
//! The first looks at operands all at once. All else about a condition depends on its operations and where its jumps
//! lead, its *form*. People write conditions of few forms, so those that were found right are remembered.

use super::{Rule, Subject};
use crate::error::ImageError;
use crate::format::{ConditionRow, SectionKind};
use crate::isa::StackOp;
use crate::isa::operand::Shape;
use crate::isa::spans::{Span, each_holds};
use crate::isa::stack::{StackOperand, StackWord, Types};

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

/// Whether all conditions are surely right.
fn sweep(rows: &[ConditionRow], code: &[StackWord], shape: &Shape, limit: u32) -> bool {
    let mut spans: [_; 256] = core::array::from_fn(|number| Span::none(number as u8));
    for op in StackOp::ALL {
        spans[*op as usize] = op.span(shape);
    }
    let mut known = Known([[u32::MAX; LONGEST]; KNOWN]);
    let right = |row: &ConditionRow| {
        let words = &code[row.first as usize..][..row.count as usize];
        let form = form(&code[row.first as usize..], words.len());
        form.is_some_and(|form| known.has(&form)) || {
            let right = Condition { shape, words, limit, waiting: Vec::new() }.check().is_ok();
            known.add(form.filter(|_| right));
            right
        }
    };
    each_holds(bytemuck::cast_slice(code), &spans) && rows.iter().all(right)
}

/// Words of the longest condition that is remembered.
const LONGEST: usize = 16;
/// How many are remembered at most; a power of two.
const KNOWN: usize = 256;

/// The operations of a condition and the operands of its jumps; zeros behind it.
type Form = [u32; LONGEST];

/// For each number of words, all bits of so many.
static COUNTED: [Form; LONGEST + 1] = {
    let mut counted = [[0; LONGEST]; LONGEST + 1];
    let mut words = 0;
    while words <= LONGEST {
        let mut word = 0;
        while word < words {
            counted[words][word] = u32::MAX;
            word += 1;
        }
        words += 1;
    }
    counted
};

/// Numbers of operations that jump: from the first to the last.
const JUMPS: (u32, u32) = {
    let (mut first, mut last, mut index) = (u32::MAX, 0, 0);
    while index < StackOp::ALL.len() {
        let op = StackOp::ALL[index];
        if matches!(op.operand(), StackOperand::Target) {
            first = if first == u32::MAX { op as u32 } else { first };
            last = op as u32;
        }
        index += 1;
    }
    (first, last)
};

/// The form of the condition of so many words that the code begins with. No branch depends on what they are.
#[inline]
fn form(code: &[StackWord], count: usize) -> Option<Form> {
    let counted = COUNTED.get(count)?;
    let words: &Form = bytemuck::cast_slice(code).first_chunk()?;
    Some(core::array::from_fn(|index| {
        let op = words[index] & 0xff;
        let jumps = (op >= JUMPS.0) & (op <= JUMPS.1);
        words[index] & counted[index] & if jumps { u32::MAX } else { 0xff }
    }))
}

/// Forms that were found right, each at a place of its own.
struct Known([Form; KNOWN]);

impl Known {
    #[inline]
    fn place(form: &Form) -> usize {
        let mixed: [u32; 4] = core::array::from_fn(|lane| {
            let (near, far) = (
                form[lane].wrapping_add(form[4 + lane] << 3),
                form[8 + lane].wrapping_add(form[12 + lane] << 3),
            );
            near.wrapping_add(far << 5)
        });
        let mixed = mixed.iter().fold(0_u64, |mixed, lane| mixed << 9 ^ u64::from(*lane));
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % KNOWN
    }

    #[inline]
    fn has(&self, form: &Form) -> bool {
        let known = self.0[Self::place(form)].iter();
        known.zip(form).fold(0, |differ, (known, word)| differ | known ^ word) == 0
    }

    fn add(&mut self, form: Option<Form>) {
        if let Some(form) = form {
            self.0[Self::place(&form)] = form;
        }
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
