//! Steps apart from the sweep's own code: they ask the host, are rare, or take long anyway.

use super::columns::{Columns, bit_lanes, half_lanes};
use super::lanes::{Job, Lanes};
use super::mask::{Mask, Ways};
use super::sweep::Sweep;
use crate::code::batch::ops::{Apart, BatchEffect, SlowTest};
use crate::code::class::{Ask, StepEffect, Write};
use crate::engine::sets::{mark, wipe_if};
use crate::host::Halt;
use crate::layout::Column;
use crate::values::{Kind, SPENT, held};
use pleach_image::format::{branch, how};

/// A call of such a step for some lanes.
struct RareCall<'a, 'b, L> {
    sweep: &'b mut Sweep<'a, L>,
    step: Apart,
    lanes: Mask,
}

impl<L: Lanes> Job for RareCall<'_, '_, L> {
    type Out = Ways;

    #[inline(always)]
    fn run(self) -> Ways {
        let Self { sweep, step, lanes } = self;
        match step {
            Apart::Ask(ask) => sweep.ways(ask, lanes),
            Apart::Test(test) => one(sweep.slow_test(test, lanes)),
            Apart::Chain { chain } => {
                let code = sweep.code;
                one(sweep.chain(lanes, &code.chains[chain as usize]))
            }
            Apart::Effect(effect) => {
                sweep.effect(effect, lanes);
                Ways::default()
            }
            Apart::Evaluate(range) => {
                sweep.operations(range, lanes);
                Ways::default()
            }
        }
    }
}

/// Returns the way out of a step that has only one.
fn one(lanes: Mask) -> Ways {
    [lanes, Mask::NONE, Mask::NONE, Mask::NONE]
}

impl<L: Lanes> Sweep<'_, L> {
    /// Steps that ask the host, are rarer, or take long anyway. How lanes leave them.
    #[inline(never)]
    pub(super) fn apart(&mut self, step: Apart, lanes: Mask) -> Ways {
        self.lanes.run(RareCall { sweep: self, step, lanes })
    }

    /// Does a step with four exits. Returns the lanes of each exit.
    #[inline(always)]
    fn ways(&mut self, ask: Ask, lanes: Mask) -> Ways {
        match ask {
            Ask::Act { column, site, node } => self.act(lanes, column.get(), site, node),
            Ask::ActExclusive { column, site, node } => self.act_exclusive(lanes, column.get(), site, node),
            Ask::ActRule { site, rule } => self.act_rule(lanes, site, rule),
            Ask::Open { site, node } => self.ask_to_act(lanes, lanes, site, node).ways(lanes),
            Ask::Perform { fresh, site, node } => {
                let begun = if fresh { lanes } else { Mask::NONE };
                self.ask_to_act(lanes, begun, site, node).ways(lanes)
            }
            Ask::Join { parallel } => self.join(lanes, parallel),
        }
    }

    /// Returns the lanes for which a test holds.
    #[inline(always)]
    fn slow_test(&mut self, test: SlowTest, lanes: Mask) -> Mask {
        match test {
            SlowTest::Query { site, relation, with } => self.test_answers(lanes, site, relation, with),
            SlowTest::Value { range, is } => {
                self.evaluate(range, lanes);
                self.truth().is(is)
            }
            SlowTest::Other { status } => {
                lanes.filter(|lane| self.scratch.others[usize::from(lane)] == status)
            }
            SlowTest::Unknown { site } => self.unknown(lanes, site),
            SlowTest::FirstRun => self.first_run(lanes),
            SlowTest::Left { rule } => self.left(lanes, rule),
        }
    }

    #[inline(always)]
    fn effect(&mut self, effect: BatchEffect, lanes: Mask) {
        match effect {
            BatchEffect::Step(effect) => self.step_effect(effect, lanes),
            BatchEffect::Write(write) => self.write(write, lanes),
            BatchEffect::Park { column, node } => self.displace(lanes, column, node),
            BatchEffect::Halt { column, low, high } => self.halt(lanes, column, low, high),
            BatchEffect::Move { from, to } => self.go_to_rule(lanes, from, to),
            BatchEffect::Fault => lanes.for_each(|lane| self.cut_short(lane, SPENT)),
        }
    }

    #[inline(always)]
    fn step_effect(&mut self, effect: StepEffect, lanes: Mask) {
        match effect {
            StepEffect::Leave { column, node } => {
                let position = half_lanes(self.chunk, column.get());
                let there = lanes & self.lanes.halves_in(position, node);
                self.lanes.put_value(position, there, 0);
            }
            StepEffect::Other { status } => {
                lanes.for_each(|lane| self.scratch.others[usize::from(lane)] = status.get());
            }
            StepEffect::Flag { flag, value } => {
                let flag = &mut self.scratch.flags[usize::from(flag)];
                *flag = if value { *flag | lanes } else { flag.without(lanes) };
            }
            StepEffect::Finish { column, success } => {
                let mark = if success { branch::SUCCEEDED } else { branch::FAILED };
                self.lanes.put_value(half_lanes(self.chunk, column.get()), lanes, mark);
            }
            StepEffect::Fork { parallel } => {
                for column in &self.parts.parallels[usize::from(parallel)].branches {
                    self.lanes.put_value(half_lanes(self.chunk, *column), lanes, 0);
                }
            }
            StepEffect::Mark { wipe, column, stride, node } => {
                lanes.for_each(|lane| mark(self.chunk.set_mut(column.get(), stride, lane), node, wipe));
            }
            StepEffect::WipeIf { column, stride, node } => {
                lanes.for_each(|lane| wipe_if(self.chunk.set_mut(column.get(), stride, lane), node));
            }
            StepEffect::Select { column, site, node } => self.select(lanes, column.get(), site, node),
            StepEffect::Close { site, node } => {
                lanes.for_each(|lane| self.alone(lane, |run| run.tell(site, node, Halt::Ended)));
            }
            StepEffect::Stop { site, node } => {
                lanes.for_each(|lane| self.alone(lane, |run| run.tell(site, node, Halt::Interrupted)));
            }
            StepEffect::Log { kind, text, node } => {
                lanes.for_each(|lane| self.alone(lane, |run| run.log(kind, text, node)));
            }
            StepEffect::Rate { first, expression, choice } => {
                self.each_number(expression, lanes, |sweep, lane, score| {
                    let best = &mut sweep.scratch.best[usize::from(lane)];
                    if first || score > *best || best.is_nan() && !score.is_nan() {
                        *best = score;
                        sweep.scratch.choices[usize::from(lane)] = choice;
                    }
                });
            }
            StepEffect::Raise { scope, event } => {
                lanes.for_each(|lane| self.world.raise(event, scope, self.chunk.group(lane)));
            }
            // These are steps of the sweep itself, or keep a program from being swept.
            StepEffect::Loop { .. } | StepEffect::Exit { .. } => {}
        }
    }

    #[inline(always)]
    fn write(&mut self, write: Write, lanes: Mask) {
        match write {
            Write::Set { kind, expression, column } => {
                let column = Column { kind, first: column.get(), stride: 1 };
                self.each_entry(expression, lanes, |sweep, lane, entry| {
                    sweep.chunk.write(column, lane, held(kind, entry));
                });
            }
            Write::SetBit { condition, column } => {
                let (lanes, truth) = self.truths(condition, lanes);
                let bits = bit_lanes(self.chunk, column.get());
                *bits = (Mask(*bits).without(lanes) | truth & lanes).0;
            }
            Write::SetVariable { condition, column } => {
                let (lanes, truth) = self.truths(condition, lanes);
                self.change(lanes, truth, column.get());
            }
            Write::Share { how, expression, shared } => self.share(lanes, how, expression, shared),
            Write::ShareBit { condition, shared } => self.share(lanes, how::ASSIGN, condition, shared),
            Write::Capture { before, live } => self.capture(lanes, before.get(), live.get()),
            Write::Start { expression, column } => {
                self.each_number(expression, lanes, |sweep, lane, length| {
                    *sweep.chunk.moment_mut(column.get(), lane) = sweep.now.saturating_add(length as i64);
                });
            }
            Write::Timer { expression, column } => {
                self.each_number(expression, lanes, |sweep, lane, length| {
                    sweep.chunk.arm(column.get(), lane, (length as i32).max(0));
                });
            }
            Write::Note { on, column } => self.note(lanes, on, column.get()),
            Write::Zero { column, stride } => {
                let column = Column { kind: Kind::Data, first: column.get(), stride };
                lanes.for_each(|lane| self.chunk.data_mut(column, lane).fill(0));
            }
        }
    }

    #[inline(always)]
    fn share(&mut self, lanes: Mask, how: u8, expression: u16, shared: u16) {
        self.each_entry(expression, lanes, |sweep, lane, value| {
            let agent = sweep.chunk.agent(lane).index() as u32;
            sweep.world.write(shared, sweep.chunk.group(lane), agent, how, value);
        });
    }
}
