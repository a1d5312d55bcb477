//! Types and depth of the condition stack, in one pass.
//!
//! Jumps go forward and nest like brackets, so the states that wait at targets form a stack of their own: the next
//! target to be reached is always on top.

use super::{Rule, Subject};
use crate::error::ImageError;
use crate::format::SectionKind;
use crate::isa::StackOp;
use crate::isa::stack::{Effect, StackOperand, StackWord};

/// Checks every condition.
pub(super) fn check(subject: &Subject<'_>, actions: &[bool]) -> Result<(), ImageError> {
    let view = &subject.view;
    let limit = view.meta.first().map_or(0, |meta| meta.stack_depth);
    let mut waiting = Vec::new();
    for row in view.conditions {
        let words = &view.condition_code[row.first as usize..][..row.count as usize];
        waiting.clear();
        let mut condition =
            Condition { constants: view.constants.len(), actions, words, limit, waiting: &mut waiting };
        condition.check().map_err(|(at, rule)| {
            let row = row.first as usize + at;
            let found = view.condition_code.get(row).map_or(0, |word| u64::from(word.op));
            subject.fail(rule, SectionKind::ConditionCode, row, found)
        })?;
    }
    Ok(())
}

/// Depth and types of the stack: bit `n` of `truths` is set if entry `n` is a truth.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct State {
    depth: u32,
    truths: u64,
}

impl State {
    /// The stack after an operation.
    fn after(self, effect: Effect, limit: u32) -> Result<Self, Rule> {
        let below = self.depth.checked_sub(effect.pops).ok_or(Rule::StackUnderflow)?;
        // With 64 entries (rule V0204 allows no more) and nothing to take, nothing is left of a word to shift.
        let (kept, taken) = match below {
            64.. => (self.truths, 0),
            _ => (self.truths & !(u64::MAX << below), self.truths >> below),
        };
        if taken != effect.popped_truths {
            return Err(Rule::StackType);
        }
        let depth = below + effect.pushes;
        if depth > limit {
            return Err(Rule::StackOverflow);
        }
        Ok(Self { depth, truths: kept | effect.pushed_truths.checked_shl(below).unwrap_or(0) })
    }
}

struct Condition<'a, 'w> {
    /// Number of constants.
    constants: usize,
    actions: &'a [bool],
    words: &'a [StackWord],
    limit: u32,
    /// Targets of jumps taken, with the stack they leave; the nearest on top.
    waiting: &'w mut Vec<(usize, State)>,
}

impl Condition<'_, '_> {
    fn check(&mut self) -> Result<(), (usize, Rule)> {
        let mut state = State::default();
        let last = self.words.len() - 1;
        for (at, word) in self.words.iter().enumerate() {
            state = self.step(at, *word, state).map_err(|rule| (at, rule))?;
            if (word.op == StackOp::End as u8) != (at == last) {
                return Err((at, Rule::StackEnd));
            }
        }
        if state.depth == 0 { Ok(()) } else { Err((last, Rule::StackEnd)) }
    }

    fn step(&mut self, at: usize, word: StackWord, state: State) -> Result<State, Rule> {
        self.merge(at, state)?;
        let op = word.op().ok_or(Rule::StackOpUnknown)?;
        let after = state.after(op.effect(), self.limit)?;
        if word.zero != 0 {
            return Err(Rule::StackUnused);
        }
        let index = usize::from(word.a);
        let (holds, rule) = match op.operand() {
            StackOperand::None => (index == 0, Rule::StackUnused),
            StackOperand::Constant => (index < self.constants, Rule::StackConstant),
            StackOperand::Query => (self.actions.get(index) == Some(&false), Rule::StackQuery),
            StackOperand::Target => (self.jump(at, at + index, state), Rule::StackTarget),
        };
        if holds { Ok(after) } else { Err(rule) }
    }

    /// All jumps that lead here leave the stack that falling through leaves.
    fn merge(&mut self, at: usize, state: State) -> Result<(), Rule> {
        while let Some((_, waited)) = self.waiting.pop_if(|(target, _)| *target == at) {
            if waited != state {
                return Err(Rule::StackMerge);
            }
        }
        Ok(())
    }

    /// Whether a jump leads forward and to no farther than those that are under way.
    fn jump(&mut self, at: usize, target: usize, state: State) -> bool {
        let nearest = self.waiting.last().map_or(self.words.len() - 1, |(target, _)| *target);
        let nests = target > at && target <= nearest;
        if nests {
            self.waiting.push((target, state));
        }
        nests
    }
}
