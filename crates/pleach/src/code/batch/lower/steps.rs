//! Plain steps, class by class.
//!
//! Tests and control are matched exhaustively. Other classes are handed on, and matched where
//! sweeps run them. A step that sweeps do not know makes `None` of the whole program, which then
//! runs agent by agent.

use super::Builder;
use crate::code::batch::ops::{BatchEffect, Op, SlowTest, Test};
use crate::code::{Ask, Branch, Control, Put, Span, Step as Word, StepEffect, Write, fused};
use pleach_image::format::branch;

impl Builder<'_> {
    /// Lowers a plain step. Returns `None` if sweeps do not know it.
    pub(super) fn step(&mut self, at: usize) -> Option<()> {
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
            Word::Half { column, span, target } => {
                self.tested(at, Test::Half { column, span }, true, target);
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
            Word::PutHalf { column, value, target } => {
                self.put(Put::half(column, value));
                target
            }
            Word::Park { column, node, target } => {
                self.park(column, node);
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
        let (is, to, falls) = if no <= yes { (is, yes, no) } else { (!is, no, yes) };
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
            Branch::IfMember { column, stride, node } => {
                let column = column.get();
                self.parted(at, target, |to| Op::Member { column, stride, node, to });
            }
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
            Branch::JumpOther { status } => {
                let test = SlowTest::Other { status: status.get() };
                self.parted(at, target, |to| Op::SlowTest { test, to });
            }
            Branch::Known { site } if of_rules => {
                self.parted(at, target, |to| Op::SlowTest { test: SlowTest::Unknown { site }, to });
            }
            Branch::Once if of_rules => {
                self.parted(at, target, |to| Op::SlowTest { test: SlowTest::FirstRun, to });
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
            Control::Fault => self.add(Op::Effect(BatchEffect::Fault)),
            Control::Ran { rule, target } if self.code.of_rules => {
                self.parted(at, target, |to| Op::SlowTest { test: SlowTest::Left { rule }, to });
            }
            Control::Move { from, to, target } if self.code.of_rules => {
                self.add(Op::Effect(BatchEffect::Move { from, to }));
                self.flow(at, self.place(target as usize));
            }
            Control::Ran { .. } | Control::Move { .. } => return None,
        }
        Some(())
    }

    fn ask(&mut self, ask: Ask, exits: u32) -> Option<()> {
        if ask.is_of_rules() && !self.code.of_rules {
            return None;
        }
        let exits = self.exits(exits);
        self.add(Op::Ask { ask, exits });
        Some(())
    }

    fn effect(&mut self, effect: StepEffect) -> Option<()> {
        if let StepEffect::Loop { register, times } = effect {
            self.add(Op::Loop { register, times });
        } else {
            effect.is_swept().then(|| self.add(Op::Effect(BatchEffect::Step(effect))))?;
        }
        Some(())
    }

    fn park(&mut self, column: u32, node: u16) {
        if self.heard(column) {
            self.add(Op::Effect(BatchEffect::Park { column, node }));
        } else {
            self.put(Put::half(column, node));
        }
    }

    fn halt(&mut self, column: u32, low: u16, high: u16) {
        if self.heard(column) || !self.is_within(column, low, high) {
            self.add(Op::Halt { column, low, high });
        } else {
            self.put(Put::half(column, 0));
        }
    }

    /// Adds a write. A constant is stored as such.
    fn write(&mut self, write: Write) {
        let put = write
            .stored()
            .and_then(|(kind, expression, column)| Put::of(kind, column, self.calcs.constant(expression)?));
        match put {
            Some(put) => self.put(put),
            None => self.add(Op::Effect(BatchEffect::Write(write))),
        }
    }
}
