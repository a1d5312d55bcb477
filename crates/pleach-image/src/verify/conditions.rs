//! Types and depth of the condition stack, in one pass.
//!
//! Jumps go forward and nest like brackets, so the states that wait at targets form a stack of their own: the next
//! target to be reached is always on top.

use super::{Rule, Subject};
use crate::error::ImageError;
use crate::format::{SectionKind, import_kind};
use crate::isa::StackOp;
use crate::isa::stack::{StackOperand, StackWord, Type};

/// Checks every condition.
pub(super) fn check(subject: &Subject<'_>) -> Result<(), ImageError> {
    let view = &subject.view;
    let limit = view.meta.first().map_or(0, |meta| meta.stack_depth);
    let mut waiting = Vec::new();
    for row in view.conditions {
        let words = &view.condition_code[row.first as usize..][..row.count as usize];
        waiting.clear();
        let mut condition = Condition { subject, words, limit, waiting: &mut waiting };
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
    fn push(&mut self, ty: Type, limit: u32) -> Result<(), Rule> {
        if self.depth >= limit {
            return Err(Rule::StackOverflow);
        }
        self.truths |= u64::from(ty == Type::Truth) << self.depth;
        self.depth += 1;
        Ok(())
    }

    fn pop(&mut self, ty: Type) -> Result<(), Rule> {
        self.depth = self.depth.checked_sub(1).ok_or(Rule::StackUnderflow)?;
        let bit = 1 << self.depth;
        let found = if self.truths & bit == 0 { Type::Real } else { Type::Truth };
        self.truths &= !bit;
        if found == ty { Ok(()) } else { Err(Rule::StackType) }
    }
}

struct Condition<'a, 'w> {
    subject: &'a Subject<'a>,
    words: &'a [StackWord],
    limit: u32,
    /// Targets of jumps taken, with the stack they leave; the nearest on top.
    waiting: &'w mut Vec<(usize, State)>,
}

impl Condition<'_, '_> {
    fn check(&mut self) -> Result<(), (usize, Rule)> {
        let mut state = State::default();
        let last = self.words.len() - 1;
        for at in 0..=last {
            self.merge(at, state).map_err(|rule| (at, rule))?;
            let op = self.step(at, &mut state).map_err(|rule| (at, rule))?;
            if (op == StackOp::End) != (at == last) {
                return Err((at, Rule::StackEnd));
            }
        }
        if state.depth == 0 { Ok(()) } else { Err((last, Rule::StackEnd)) }
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

    fn step(&mut self, at: usize, state: &mut State) -> Result<StackOp, Rule> {
        let word = self.words[at];
        let op = word.op().ok_or(Rule::StackOpUnknown)?;
        let before = *state;
        for ty in op.pops().iter().rev() {
            state.pop(*ty)?;
        }
        for ty in op.pushes() {
            state.push(*ty, self.limit)?;
        }
        self.operand(at, word, op, before)?;
        Ok(op)
    }

    fn operand(&mut self, at: usize, word: StackWord, op: StackOp, before: State) -> Result<(), Rule> {
        let holds = |ok, rule| if ok { Ok(()) } else { Err(rule) };
        holds(word.zero == 0, Rule::StackUnused)?;
        let index = usize::from(word.a);
        match op.operand() {
            StackOperand::None => holds(word.a == 0, Rule::StackUnused),
            StackOperand::Constant => holds(index < self.subject.view.constants.len(), Rule::StackConstant),
            StackOperand::Query => holds(self.is_query(index), Rule::StackQuery),
            StackOperand::Target => self.jump(at, at + index, before),
        }
    }

    fn is_query(&self, site: usize) -> bool {
        let view = &self.subject.view;
        let import = view.sites.get(site).and_then(|site| view.imports.get(usize::from(site.import)));
        import.is_some_and(|import| import.kind == import_kind::QUERY)
    }

    fn jump(&mut self, at: usize, target: usize, state: State) -> Result<(), Rule> {
        let nearest = self.waiting.last().map_or(self.words.len() - 1, |(target, _)| *target);
        if target <= at || target > nearest {
            return Err(Rule::StackTarget);
        }
        self.waiting.push((target, state));
        Ok(())
    }
}
