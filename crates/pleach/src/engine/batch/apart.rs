//! Steps apart from the sweep's own code: they ask the host, are rare, or take long anyway.

use super::columns::{Columns, bit_lanes, half_lanes};
use super::lanes::{Job, Lanes};
use super::mask::{Mask, Ways};
use super::sweep::Sweep;
use crate::code::batch::ops::{Apart, BatchEffect};
use crate::code::class::Ask;
use crate::layout::Column;
use crate::store::chunk::SPENT;
use crate::values::Kind;

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
            Apart::Rule(test) => sweep.rule_test(test, lanes),
            Apart::Effect(effect) => {
                sweep.effect(effect, lanes);
                Ways::default()
            }
            Apart::Halt { column, low, high } => {
                sweep.halt(lanes, column, low, high);
                Ways::default()
            }
        }
    }
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
            Ask::Join { parallel } => self.join(lanes, parallel),
        }
    }

    #[inline(always)]
    fn effect(&mut self, effect: BatchEffect, lanes: Mask) {
        match effect {
            BatchEffect::Park { column, node } => self.displace(lanes, column, node),
            BatchEffect::Leave { column, node } => {
                let position = half_lanes(self.chunk, column);
                let there = lanes & self.lanes.halves_in(position, node);
                self.lanes.put_half(position, there, 0);
            }
            BatchEffect::Zero { column, stride } => {
                let column = Column { kind: Kind::Data, first: column, stride };
                lanes.for_each(|lane| self.chunk.data_mut(column, lane).fill(0));
            }
            BatchEffect::Other { status } => {
                lanes.for_each(|lane| self.scratch.others[usize::from(lane)] = status);
            }
            BatchEffect::Set { kind, expression, column } => {
                self.evaluate(expression, lanes);
                self.store(expression, lanes.without(self.faulted), kind, column);
            }
            BatchEffect::SetBit { expression, column } => {
                self.evaluate(expression, lanes);
                let (lanes, truth) = (lanes.without(self.faulted), self.truth(expression));
                let bits = bit_lanes(self.chunk, column);
                *bits = (Mask(*bits).without(lanes) | truth & lanes).0;
            }
            BatchEffect::Change { expression, column } => {
                self.evaluate(expression, lanes);
                self.change(expression, lanes.without(self.faulted), column);
            }
            BatchEffect::Select { column, site, node } => self.select(lanes, column, site, node),
            BatchEffect::Start { expression, column } => self.start(lanes, expression, column),
            BatchEffect::Note { on, column } => self.note(lanes, on, column),
            BatchEffect::Close { site, node } => self.close(lanes, site, node),
            BatchEffect::Log { kind, text, node } => self.log(lanes, kind, text, node),
            BatchEffect::Share { how, expression, shared } => {
                self.evaluate(expression, lanes);
                lanes.without(self.faulted).for_each(|lane| {
                    let value = self.number(expression, lane);
                    let agent = self.chunk.agent(lane).index() as u32;
                    self.world.write(shared, self.chunk.group(lane), agent, how, value);
                });
            }
            BatchEffect::Rate { first, expression, choice } => {
                self.evaluate(expression, lanes);
                lanes.without(self.faulted).for_each(|lane| {
                    let score = self.number(expression, lane);
                    let best = &mut self.scratch.best[usize::from(lane)];
                    if first || score > *best || best.is_nan() && !score.is_nan() {
                        *best = score;
                        self.scratch.choices[usize::from(lane)] = choice;
                    }
                });
            }
            BatchEffect::Raise { scope, event } => {
                lanes.for_each(|lane| self.world.raise(event, scope, self.chunk.group(lane)));
            }
            BatchEffect::Move { from, to } => self.go_to_rule(lanes, from, to),
            BatchEffect::Fault => lanes.for_each(|lane| self.cut_short(lane, SPENT)),
        }
    }
}
