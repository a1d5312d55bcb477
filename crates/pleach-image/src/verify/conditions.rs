//! Types and depth of the condition stack.
//!
//! Jumps go forward and nest like brackets. So the stacks that wait at targets form a stack
//! themselves, with the next target on top.

use super::forms::Forms;
use super::{Rule, Subject, agree, fill, memory, push};
use crate::error::ImageError;
use crate::format::SectionKind;
use crate::isa::StackOp;
use crate::isa::kinds::Kinds;
use crate::isa::operand::{Shape, gives};
use crate::isa::stack::{StackOperand, StackWord, Types};
use alloc::vec::Vec;
use core::mem::take;

/// Memory that the conditions of one image leave to those of the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    forms: Forms,
    waiting: Waiting,
}

/// Targets of jumps under way, each with the stack that the jump leaves; the nearest target on top.
type Waiting = Vec<(usize, Types)>;

/// Checks every condition: by its form if that is known to be valid, else operation by operation.
/// Fills in the types of the results.
pub(super) fn check(
    subject: &Subject<'_>,
    shape: &mut Shape,
    scratch: &mut Scratch,
) -> Result<(), ImageError> {
    let view = &subject.view;
    let limit = view.meta.first().map_or(0, |meta| meta.stack_depth);
    let Scratch { forms, waiting } = scratch;
    forms.clear();
    let rows = view.conditions.len();
    let mut types = take(&mut shape.conditions).into_kinds();
    let given = fill(&mut types, rows, 0).map_err(memory(rows))?;
    for (row, given) in view.conditions.iter().zip(given) {
        let code = &view.condition_code[row.first as usize..];
        let count = row.count as usize;
        *given = match forms.gives(code, count) {
            Some(gives) => {
                debug_assert!(
                    agree(precise(&code[..count], shape, limit, waiting), gives),
                    "forms are too generous"
                );
                gives
            }
            None => {
                let gives = precise(&code[..count], shape, limit, waiting);
                let gives = gives.map_err(|(at, rule)| fail(subject, row.first as usize + at, rule))?;
                forms.add(code, count, shape, gives);
                gives
            }
        };
    }
    shape.conditions = Kinds::new(types);
    Ok(())
}

/// Returns the type of a condition's result, or the first word that breaks a rule.
#[cold]
#[inline(never)]
fn precise(
    words: &[StackWord],
    shape: &Shape,
    limit: u32,
    waiting: &mut Waiting,
) -> Result<u8, (usize, Rule)> {
    waiting.clear();
    Condition { shape, words, limit, waiting }.check()?;
    let given = match words.last().and_then(|word| word.op()) {
        Some(StackOp::Give) => gives::NUMBER,
        Some(StackOp::GiveWord) => gives::WORD,
        _ => gives::TRUTH,
    };
    Ok(given as u8)
}

#[cold]
fn fail(subject: &Subject<'_>, row: usize, rule: Rule) -> ImageError {
    let found = subject.view.condition_code.get(row).map_or(0, |word| u64::from(word.op));
    subject.fail(rule, SectionKind::ConditionCode, row, found)
}

struct Condition<'a> {
    shape: &'a Shape,
    words: &'a [StackWord],
    limit: u32,
    waiting: &'a mut Waiting,
}

impl Condition<'_> {
    fn check(&mut self) -> Result<(), (usize, Rule)> {
        let mut stack = Types::EMPTY;
        let last = self.words.len() - 1;
        for (at, word) in self.words.iter().enumerate() {
            stack = self.step(at, *word, stack).map_err(|rule| (at, rule))?;
            let ends = word.op().is_some_and(StackOp::ends);
            Rule::StackEnd.must(ends == (at == last)).map_err(|rule| (at, rule))?;
        }
        Rule::StackEnd.must(stack == Types::EMPTY).map_err(|rule| (last, rule))
    }

    fn step(&mut self, at: usize, word: StackWord, stack: Types) -> Result<Types, Rule> {
        self.merge(at, stack)?;
        let Some(op) = word.op() else { return Rule::StackOpUnknown.broken().map(|()| stack) };
        let after = stack.after(op, word.a, self.limit)?;
        op.check(word, self.shape)?;
        if op.operand() == StackOperand::Target {
            self.jump(at + usize::from(word.a), stack)?;
        }
        Ok(after)
    }

    /// Checks that all jumps to a word leave the same stack as the word before it.
    fn merge(&mut self, at: usize, stack: Types) -> Result<(), Rule> {
        while let Some((_, waited)) = self.waiting.pop_if(|(target, _)| *target == at) {
            Rule::StackMerge.must(waited == stack)?;
        }
        Ok(())
    }

    /// Checks that a jump leads no farther than those under way, and records it.
    fn jump(&mut self, target: usize, stack: Types) -> Result<(), Rule> {
        let nearest = self.waiting.last().map_or(self.words.len() - 1, |(target, _)| *target);
        Rule::StackTarget.must(target <= nearest)?;
        push(self.waiting, (target, stack))
    }
}
