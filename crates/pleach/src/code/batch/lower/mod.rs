//! From plain steps to those of a sweep.
//!
//! Blocks keep their order, and with it that control only goes forward. Conditions are put
//! in place as tests ([`crate::code::branch`]), jumps vanish, and constants that go into
//! columns one after the other become one step. A step that can be reached other than from
//! the one before it gets a label.

mod chain;
mod condition;
mod loops;
mod rules;
mod steps;
mod switch;

use super::BatchCode;
use super::endings::Endings;
use super::ops::{BatchStep, EXITS, NOWHERE, Op};
use crate::code::branch::Repetitions;
use crate::code::shortcuts::{Shortcut, Shortcuts};
use crate::code::{
    Code as Plain, Control, Expressions as Calcs, Held, Put, Step as Word, StepEffect, Wrappers,
};
use alloc::{vec, vec::Vec};
use hashbrown::HashMap;
use switch::Position;

/// Makes the sweep's program; `None` if there is a step that sweeps do not know.
pub(crate) fn lower(
    plain: &Plain,
    calcs: &Calcs,
    held: &[Held],
    wrappers: &Wrappers,
    shortcuts: Shortcuts,
) -> Option<BatchCode> {
    let of_rules = rules::are_alone(plain, calcs);
    if !loops::are_known(plain, of_rules) {
        return None;
    }
    let heard = |node: u16| {
        !shortcuts.has(Shortcut::SilentPositions)
            || !matches!(held.get(usize::from(node)), None | Some(Held::Nothing))
            || wrappers.surround(node)
    };
    let positions = switch::positions(plain, heard);
    let mut builder = Builder {
        plain,
        calcs,
        code: BatchCode {
            labels: EXITS,
            of_rules,
            draws: calcs.draw(),
            rates: plain
                .steps
                .iter()
                .any(|step| matches!(step, Word::Effect { effect: StepEffect::Rate { .. }, .. })),
            ..BatchCode::default()
        },
        needed: vec![false; plain.steps.len()],
        labels: vec![NOWHERE; plain.steps.len()],
        repetitions: Repetitions::new(plain.steps.len(), calcs),
        positions,
        shortcuts,
        uses: vec![0; EXITS],
        bound: None,
    };
    let mut called = vec![false; plain.blocks.len()];
    for word in &plain.steps {
        if let Word::Control(Control::Call { block, .. }) = *word {
            called[usize::from(block)] = true;
        }
    }
    for (index, first) in plain.blocks.iter().enumerate() {
        let end = plain.blocks.get(index + 1).map_or(plain.steps.len(), |end| *end as usize);
        builder.block(*first as usize, end, called[index])?;
    }
    builder.skips();
    Some(builder.code)
}

/// Target of control, in the order of the code: exits are behind all steps.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum LoweredPlace {
    Step(usize),
    Exit(u8),
}

struct Builder<'a> {
    plain: &'a Plain,
    calcs: &'a Calcs,
    code: BatchCode,
    /// True for each plain step that can be reached.
    needed: Vec<bool>,
    /// For each plain step, its label if something leads there.
    labels: Vec<u32>,
    repetitions: Repetitions,
    /// For each position, the nodes that the program stores there.
    positions: HashMap<u32, Position>,
    shortcuts: Shortcuts,
    /// For each label, the number of steps that lead there.
    uses: Vec<u32>,
    /// The label of the step to come.
    bound: Option<u32>,
}

impl Builder<'_> {
    /// Lowers a block. Returns `None` if there is a step that sweeps do not know.
    fn block(&mut self, first: usize, end: usize, called: bool) -> Option<()> {
        let (start, first_wait) = (self.code.steps.len(), self.code.waits.len());
        self.code.blocks.push(start as u32);
        match self.place(first) {
            LoweredPlace::Step(step) => self.needed[step] = true,
            place => self.jump(place),
        }
        for at in first..end {
            if self.needed[at] {
                self.bound = Some(self.labels[at]).filter(|label| *label != NOWHERE);
                self.step(at)?;
            }
        }
        self.count_together(first_wait);
        self.bound = None;
        self.add(Op::End);
        self.code.endings.push(Endings::default());
        if !called && self.shortcuts.has(Shortcut::DeferredStores) {
            self.code.endings(start);
            self.choices(start);
        }
        if self.shortcuts.has(Shortcut::TestChains) {
            self.chains(start);
        }
        self.jumps(start);
        Some(())
    }

    /// Makes jumps part of the steps before them, in the last block, from `first` on.
    fn jumps(&mut self, first: usize) {
        for step in self.code.steps.split_off(first) {
            match (step, self.code.steps[first..].last_mut()) {
                // The step after a loop's first step is the target of the loop's
                // `again`, so it stays a step.
                (BatchStep { op: Op::Jump { to }, label: NOWHERE, .. }, Some(last))
                    if last.then == NOWHERE && !matches!(last.op, Op::Loop { .. }) =>
                {
                    last.then = to;
                }
                _ => self.code.steps.push(step),
            }
        }
    }

    /// Returns the place at which control arrives from a step on, behind jumps.
    fn place(&self, mut at: usize) -> LoweredPlace {
        loop {
            match self.plain.steps[at] {
                Word::Jump { target } => at = target as usize,
                Word::Return { exit } => return LoweredPlace::Exit(exit),
                _ => return LoweredPlace::Step(at),
            }
        }
    }

    fn fresh(&mut self) -> u32 {
        self.uses.push(0);
        self.code.labels += 1;
        self.code.labels as u32 - 1
    }

    /// The label of a place.
    fn to(&mut self, place: LoweredPlace) -> u32 {
        match place {
            LoweredPlace::Exit(exit) => exit.into(),
            LoweredPlace::Step(at) => {
                self.needed[at] = true;
                if self.labels[at] == NOWHERE {
                    self.labels[at] = self.fresh();
                }
                self.uses[self.labels[at] as usize] += 1;
                self.labels[at]
            }
        }
    }

    /// Makes one step of a test around an ending, in the last block, from `first` on.
    fn choices(&mut self, first: usize) {
        let mut steps = self.code.steps.split_off(first).into_iter().peekable();
        while let Some(mut step) = steps.next() {
            let after = steps.peek().copied();
            if let (
                Op::Test { test, is, to: past },
                Some(BatchStep { op: Op::Ending { number, to }, label: NOWHERE, .. }),
            ) = (step.op, after)
            {
                let ending = steps.next();
                match steps.peek_mut() {
                    Some(next) if next.label == past => {
                        step.op = Op::Choose { test, is: !is, number, to };
                        self.uses[past as usize] -= 1;
                        if self.uses[past as usize] == 0 {
                            next.label = NOWHERE;
                        }
                        self.code.steps.push(step);
                    }
                    _ => self.code.steps.extend([Some(step), ending].into_iter().flatten()),
                }
                continue;
            }
            self.code.steps.push(step);
        }
    }

    fn word(&mut self, target: u32) -> u32 {
        let place = self.place(target as usize);
        self.to(place)
    }

    fn add(&mut self, op: Op) {
        let label = self.bound.take().unwrap_or(NOWHERE);
        self.code.steps.push(BatchStep { op, label, skip: 0, then: NOWHERE });
    }

    fn jump(&mut self, place: LoweredPlace) {
        let to = self.to(place);
        self.add(Op::Jump { to });
    }

    /// Control goes on at a place behind the plain step `at`.
    fn flow(&mut self, at: usize, place: LoweredPlace) {
        match place {
            // All between them, if anything, are words that are not needed; but that is not
            // known yet of those with labels.
            LoweredPlace::Step(step) if (at + 1..step).all(|it| !self.needed[it]) => self.needed[step] = true,
            _ => self.jump(place),
        }
    }

    fn put(&mut self, put: Put) {
        let (first, last) = (self.code.puts.len() as u32, self.code.steps.last_mut());
        self.code.puts.push(put);
        match last {
            Some(BatchStep { op: Op::Put { count, .. }, .. }) if self.bound.is_none() => *count += 1,
            _ => self.add(Op::Put { first, count: 1 }),
        }
    }

    /// Returns true if a position holds nothing but nodes of an interval.
    fn is_within(&self, column: u32, low: u16, high: u16) -> bool {
        self.positions.get(&column).is_none_or(|position| {
            let ends = [position.nodes.first(), position.nodes.last()];
            ends.into_iter().flatten().all(|node| (low..=high).contains(node)) && !position.finishes
        })
    }

    /// Returns true if the host may need to be told of the nodes in a position.
    fn heard(&self, column: u32) -> bool {
        self.positions.get(&column).is_some_and(|position| position.heard)
    }

    fn exits(&mut self, exits: u32) -> u32 {
        let exits = self.plain.exits[exits as usize].map(|target| self.word(target));
        self.code.exits.push(exits);
        self.code.exits.len() as u32 - 1
    }

    /// Puts down for each step where the next one with a label is.
    fn skips(&mut self) {
        let mut skip = 0;
        for (index, step) in self.code.steps.iter_mut().enumerate().rev() {
            if matches!(step.op, Op::End) {
                skip = index as u32;
            }
            step.skip = skip;
            if step.label != NOWHERE {
                skip = index as u32;
            }
        }
    }
}
