//! From plain steps to those of a sweep.
//!
//! Blocks keep their order, and with it that control only goes forward. Conditions are put in place as tests
//! ([`crate::code::branch`]), jumps vanish, and constants that go into columns one after the other become one step.
//! A step that can be reached other than from the one before it gets a label.

mod chain;
mod condition;
mod loops;
mod rules;
mod switch;

use super::Code;
use super::endings::Endings;
use super::ops::{EXITS, Effect, NOWHERE, Op, Put, RuleTest, Step, Test};
use super::paths::Sets;
use crate::code::calc::{Expressions as Calcs, Range};
use crate::code::class::{self as plain, Ask, Branch, Control, Write};
use crate::code::shortcuts::{Shortcut, Shortcuts};
use crate::code::site::{Held, Parallel};
use crate::code::step::{Span, Step as Word, fused};
use crate::code::steps::Code as Plain;
use crate::code::wrap::Wrappers;
use crate::values::{Kind, stored};
use alloc::{vec, vec::Vec};
use hashbrown::HashMap;
use pleach_image::format::{branch, how};

/// Makes the sweep's program; `None` if there is a step that sweeps do not know.
pub(crate) fn lower(
    plain: &Plain,
    calcs: &Calcs,
    held: &[Held],
    wrappers: &Wrappers,
    parallels: &[Parallel],
    shortcuts: Shortcuts,
) -> Option<Code> {
    let of_rules = rules::are_alone(plain, calcs);
    if !loops::are_known(plain, of_rules) {
        return None;
    }
    let mut sets = plain.steps.iter().filter_map(|step| sets(*step));
    let first = sets.next();
    if sets.any(|sets| Some(sets) != first) {
        return None;
    }
    let positions = switch::positions(plain);
    let mut builder = Builder {
        plain,
        calcs,
        held,
        wrappers,
        parallels,
        code: Code {
            labels: EXITS,
            sets: first.map(|sets| (sets, held.len())),
            of_rules,
            draws: calcs.draw(),
            ..Code::default()
        },
        needed: vec![false; plain.steps.len()],
        labels: vec![NOWHERE; plain.steps.len()],
        inlined: vec![false; calcs.ranges.len()],
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
    builder.code.late_timers(&called, shortcuts.has(Shortcut::LateTimers));
    Some(builder.code)
}

/// Which sets a step is about.
fn sets(step: Word) -> Option<Sets> {
    match step {
        Word::Effect {
            effect: plain::Effect::Mark { column, stride, .. } | plain::Effect::WipeIf { column, stride, .. },
            ..
        }
        | Word::Branch { branch: Branch::IfMember { column, stride, .. }, .. } => {
            Some(Sets { column: column.get(), stride })
        }
        _ => None,
    }
}

/// Where control goes.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Exit(u8),
    Step(usize),
}

struct Builder<'a> {
    plain: &'a Plain,
    calcs: &'a Calcs,
    held: &'a [Held],
    wrappers: &'a Wrappers,
    parallels: &'a [Parallel],
    code: Code,
    /// Which plain steps can be reached.
    needed: Vec<bool>,
    /// For each plain step, its label if something leads there.
    labels: Vec<u32>,
    /// For each condition, whether it has been put in place somewhere.
    inlined: Vec<bool>,
    /// For each position, the nodes that the program puts there, in order.
    positions: HashMap<u32, Vec<u16>>,
    shortcuts: Shortcuts,
    /// For each label, how many lead there.
    uses: Vec<u32>,
    /// The label of the step to come.
    bound: Option<u32>,
}

impl Builder<'_> {
    /// Lowers a block. Returns `None` if there is a step that sweeps do not know.
    fn block(&mut self, first: usize, end: usize, called: bool) -> Option<()> {
        let start = self.code.steps.len();
        self.code.blocks.push(start as u32);
        match self.place(first) {
            Place::Step(step) => self.needed[step] = true,
            place => self.jump(place),
        }
        for at in first..end {
            if self.needed[at] {
                self.bound = Some(self.labels[at]).filter(|label| *label != NOWHERE);
                self.step(at)?;
            }
        }
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
        self.code.paths(start, self.shortcuts.has(Shortcut::MarkedPaths));
        Some(())
    }

    /// Makes jumps part of the steps before them, in the last block, from `first` on.
    fn jumps(&mut self, first: usize) {
        let mut steps: Vec<Step> = Vec::with_capacity(self.code.steps.len());
        for step in self.code.steps.split_off(first) {
            match (step, steps.last_mut()) {
                // What is behind a loop's first step is where it goes back to.
                (Step { op: Op::Jump { to }, label: NOWHERE, .. }, Some(last))
                    if last.then == NOWHERE && !matches!(last.op, Op::Loop { .. }) =>
                {
                    last.then = to;
                }
                _ => steps.push(step),
            }
        }
        self.code.steps.extend(steps);
    }

    /// Where control really gets to from a word on.
    fn place(&self, mut at: usize) -> Place {
        loop {
            match self.plain.steps[at] {
                Word::Jump { target } => at = target as usize,
                Word::Return { exit } => return Place::Exit(exit),
                _ => return Place::Step(at),
            }
        }
    }

    fn fresh(&mut self) -> u32 {
        self.uses.push(0);
        self.code.labels += 1;
        self.code.labels as u32 - 1
    }

    /// The label of a place.
    fn to(&mut self, place: Place) -> u32 {
        match place {
            Place::Exit(exit) => exit.into(),
            Place::Step(at) => {
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
                Some(Step { op: Op::Ending { number, to }, label: NOWHERE, .. }),
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
        self.code.steps.push(Step { op, label, skip: 0, then: NOWHERE });
    }

    fn jump(&mut self, place: Place) {
        let to = self.to(place);
        self.add(Op::Jump { to });
    }

    /// Control goes on at a place behind the plain step `at`.
    fn flow(&mut self, at: usize, place: Place) {
        match place {
            // All between them, if anything, are words that are not needed; but that is not known yet of those with labels.
            Place::Step(step) if (at + 1..step).all(|it| !self.needed[it]) => self.needed[step] = true,
            _ => self.jump(place),
        }
    }

    fn put(&mut self, put: Put) {
        let (first, last) = (self.code.puts.len() as u32, self.code.steps.last_mut());
        self.code.puts.push(put);
        match last {
            Some(Step { op: Op::Put { count, .. }, .. }) if self.bound.is_none() => *count += 1,
            _ => self.add(Op::Put { first, count: 1 }),
        }
    }

    fn expression(&mut self, expression: u16) -> u32 {
        self.range(self.calcs.ranges[usize::from(expression)])
    }

    fn range(&mut self, range: Range) -> u32 {
        self.code.expressions.of(&self.calcs.code, range)
    }

    /// The value of an expression that is always the same.
    fn constant(&self, expression: u32) -> Option<f64> {
        self.code.expressions.rows[expression as usize].constant
    }

    /// Lowers a plain step. Returns `None` if sweeps do not know it.
    fn step(&mut self, at: usize) -> Option<()> {
        let target = match self.plain.steps[at] {
            // Control goes on where they lead.
            Word::Jump { .. } | Word::Return { .. } => return Some(()),
            Word::Bit { column, is, target } => {
                self.tested(at, Test::Bit { column }, is, target);
                return Some(());
            }
            Word::Due { column, reached, target } => {
                self.tested(at, Test::Due { column, reached }, true, target);
                return Some(());
            }
            Word::Switch { column, table } => {
                let next = self.place(at + 1);
                self.switch(column, table as usize, next);
                self.flow(at, next);
                return Some(());
            }
            Word::Branch { branch, target } => return self.branch(at, branch, target),
            Word::Control(control) => return self.control(at, control),
            Word::Ask { ask, exits } => return self.ask(ask, exits),
            Word::Effect { effect, target } => {
                self.effect(effect)?;
                target
            }
            Word::Write { write, target } => {
                self.write(write);
                target
            }
            Word::Arm { column, duration, target } => {
                self.add(Op::Arm { column, duration });
                target
            }
            Word::Ticks { column, count: value, target } => {
                self.put(Put::Half { column, value });
                target
            }
            Word::Park { column, node, target } => {
                self.park(column, node);
                target
            }
            Word::Clear { column, target } => {
                self.put(Put::Half { column, value: 0 });
                target
            }
            Word::Halt { column, low, high, target } => {
                self.halt(column, low, high);
                target
            }
            fused!() => return None,
        };
        self.flow(at, self.place(target as usize));
        Some(())
    }

    /// Adds a test, which leads to the target if it `is` so, else to the next step.
    fn tested(&mut self, at: usize, test: Test, is: bool, target: u32) {
        let (yes, no) = (self.place(target as usize), self.place(at + 1));
        let (is, to, falls) = if first(no, yes) { (is, yes, no) } else { (!is, no, yes) };
        let to = self.to(to);
        self.add(Op::Test { test, is, to });
        self.flow(at, falls);
    }

    /// Adds a step from which some lanes go on at the target, and all others behind it.
    fn parted(&mut self, at: usize, target: u32, op: impl FnOnce(u32) -> Op) {
        let to = self.word(target);
        self.add(op(to));
        self.flow(at, self.place(at + 1));
    }

    fn branch(&mut self, at: usize, branch: Branch, target: u32) -> Option<()> {
        let of_rules = self.code.of_rules;
        match branch {
            Branch::IfMember { node, .. } => self.tested(at, Test::Member { node }, true, target),
            Branch::JumpFlag { flag } => self.tested(at, Test::Flag { flag }, true, target),
            Branch::Ended { column } => {
                let span = Span { low: branch::FAILED, span: u16::MAX - branch::FAILED };
                self.tested(at, Test::Half { column: column.get(), span }, true, target);
            }
            Branch::Pick { choice } => self.tested(at, Test::NotChosen { choice }, true, target),
            Branch::Inside { column, low, high } => {
                // No compiler makes an interval without nodes.
                let span = Span { low, span: high.checked_sub(low)? };
                self.tested(at, Test::Half { column: column.get(), span }, false, target);
            }
            Branch::Down { column } => {
                self.parted(at, target, |to| Op::Down { column: column.get(), to });
            }
            Branch::Ask { limiter } => self.parted(at, target, |to| Op::Admit { limiter, to }),
            Branch::Known { site } if of_rules => {
                self.parted(at, target, |to| Op::Rule { test: RuleTest::Known { site }, to });
            }
            Branch::Once if of_rules => {
                self.parted(at, target, |to| Op::Rule { test: RuleTest::Once, to });
            }
            Branch::Known { .. } | Branch::Once | Branch::Enter { .. } => return None,
        }
        Some(())
    }

    fn control(&mut self, at: usize, control: Control) -> Option<()> {
        match control {
            Control::Cond { condition, target } => self.condition(at, condition, target)?,
            Control::Call { block, exits } => {
                let exits = self.exits(exits);
                self.add(Op::Call { block, exits });
            }
            Control::Again { register, target, head } => {
                let to = self.word(target);
                self.add(Op::Again { register, to, head });
            }
            Control::Fault => self.add(Op::Effect(Effect::Fault)),
            Control::Ran { rule, target } if self.code.of_rules => {
                self.parted(at, target, |to| Op::Rule { test: RuleTest::Ran { rule }, to });
            }
            Control::Move { from, to, target } if self.code.of_rules => {
                self.add(Op::Effect(Effect::Move { from, to }));
                self.flow(at, self.place(target as usize));
            }
            Control::Ran { .. } | Control::Move { .. } => return None,
        }
        Some(())
    }

    fn ask(&mut self, ask: Ask, exits: u32) -> Option<()> {
        match ask {
            Ask::Act { .. } | Ask::ActExclusive { .. } | Ask::Open { .. } | Ask::Join { .. } => {}
            Ask::ActRule { .. } if self.code.of_rules => {}
            Ask::ActRule { .. } => return None,
        }
        let exits = self.exits(exits);
        self.add(Op::Ask { ask, exits });
        Some(())
    }

    fn effect(&mut self, effect: plain::Effect) -> Option<()> {
        use plain::Effect as Plain;
        match effect {
            Plain::Leave { column, node } => {
                self.add(Op::Effect(Effect::Leave { column: column.get(), node }));
            }
            Plain::Mark { wipe, node, .. } => self.add(Op::Mark { wipe, node, path: 0 }),
            Plain::WipeIf { node, .. } => self.add(Op::WipeIf { node }),
            Plain::Other { status } => self.add(Op::Effect(Effect::Other { status: status.get() })),
            Plain::Flag { flag, value } => self.add(Op::Flag { flag, value }),
            Plain::Finish { column, success } => {
                let value = if success { branch::SUCCEEDED } else { branch::FAILED };
                self.put(Put::Half { column: column.get(), value });
            }
            Plain::Fork { parallel } => self.fork(parallel),
            Plain::Raise { scope, event } => self.add(Op::Effect(Effect::Raise { scope, event })),
            Plain::Select { column, site, node } => {
                self.add(Op::Effect(Effect::Select { column: column.get(), site, node }));
            }
            Plain::Loop { register, times } => self.add(Op::Loop { register, times }),
            Plain::Close { site, node } => self.add(Op::Effect(Effect::Close { site, node })),
            Plain::Log { kind, text, node } => self.add(Op::Effect(Effect::Log { kind, text, node })),
            Plain::Rate { first, expression, choice } => {
                let expression = self.expression(expression);
                self.code.rates = true;
                self.add(Op::Effect(Effect::Rate { first, expression, choice }));
            }
            Plain::Exit { .. } => return None,
        }
        Some(())
    }

    fn park(&mut self, column: u32, node: u16) {
        if self.heard(column) {
            self.add(Op::Effect(Effect::Park { column, node }));
        } else {
            self.put(Put::Half { column, value: node });
        }
    }

    fn halt(&mut self, column: u32, low: u16, high: u16) {
        if self.heard(column) || !self.is_within(column, low, high) {
            self.add(Op::Halt { column, low, high });
        } else {
            self.put(Put::Half { column, value: 0 });
        }
    }

    fn fork(&mut self, parallel: u16) {
        let parallels = self.parallels;
        for column in &parallels[usize::from(parallel)].branches {
            self.put(Put::Half { column: *column, value: 0 });
        }
        if parallels[usize::from(parallel)].branches.is_empty() {
            self.nothing();
        }
    }

    /// A step that does nothing; it may have a label.
    fn nothing(&mut self) {
        let first = self.code.puts.len() as u32;
        self.add(Op::Put { first, count: 0 });
    }

    fn write(&mut self, write: Write) {
        let effect = match write {
            Write::Set { kind, expression, column } => {
                let (expression, column) = (self.expression(expression), column.get());
                if let Some(value) = self.constant(expression) {
                    return self.put(put(kind, column, value));
                }
                Effect::Set { kind, expression, column }
            }
            Write::SetBit { condition, column } => {
                let (expression, column) = (self.expression(condition), column.get());
                if let Some(value) = self.constant(expression) {
                    return self.put(Put::Bit { column, value: value != 0.0 });
                }
                Effect::SetBit { expression, column }
            }
            Write::SetVariable { condition, column } => {
                Effect::Change { expression: self.expression(condition), column: column.get() }
            }
            Write::Capture { before, live } => {
                return self.add(Op::Capture { before: before.get(), live: live.get() });
            }
            Write::Start { expression, column } => {
                Effect::Start { expression: self.expression(expression), column: column.get() }
            }
            Write::Note { on, column } => Effect::Note { on, column: column.get() },
            Write::Zero { column, stride } => Effect::Zero { column: column.get(), stride },
            Write::Share { how, expression, shared } => {
                Effect::Share { how, expression: self.expression(expression), shared }
            }
            Write::ShareBit { condition, shared } => {
                Effect::Share { how: how::ASSIGN, expression: self.expression(condition), shared }
            }
        };
        self.add(Op::Effect(effect));
    }

    /// Whether a position holds nothing but nodes of an interval.
    fn is_within(&self, column: u32, low: u16, high: u16) -> bool {
        let marks = |step: &Word| {
            matches!(*step, Word::Effect { effect: plain::Effect::Finish { column: marked, .. }, .. }
                if marked.get() == column)
        };
        let nodes = self.positions.get(&column);
        nodes.is_none_or(|nodes| nodes.iter().all(|node| (low..=high).contains(node)))
            && !self.plain.steps.iter().any(marks)
    }

    /// Whether the host may have to hear of what a position holds.
    fn heard(&self, column: u32) -> bool {
        let heard = |node: u16| {
            !self.shortcuts.has(Shortcut::SilentPositions)
                || !matches!(self.held.get(usize::from(node)), None | Some(Held::Nothing))
                || self.wrappers.surround(node)
        };
        self.positions.get(&column).is_some_and(|nodes| nodes.iter().any(|node| heard(*node)))
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

/// Whether the first of two places comes before the other.
fn first(first: Place, second: Place) -> bool {
    match (first, second) {
        (Place::Step(first), Place::Step(second)) => first <= second,
        (Place::Exit(_), Place::Step(_)) => false,
        _ => true,
    }
}

fn put(kind: Kind, column: u32, number: f64) -> Put {
    let value = stored(kind, number);
    match kind {
        Kind::Bit => Put::Bit { column, value: value != 0 },
        Kind::I8 | Kind::U8 => Put::Byte { column, value: value as u8 },
        Kind::I16 | Kind::U16 | Kind::Node | Kind::Set => Put::Half { column, value: value as u16 },
        Kind::I32 | Kind::F32 | Kind::Time | Kind::Moment | Kind::Data => Put::Word { column, value },
    }
}
