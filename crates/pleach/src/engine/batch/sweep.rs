//! The sweep: one pass over the code of a tree, for all lanes of a chunk at once.

use super::columns::{Columns, bit_lanes, half_lanes, word_lanes};
use super::lanes::{Job, Lanes};
use super::mask::{Mask, Ways};
use super::scratch::{BatchScratch, Caller};
use crate::code::batch::BatchCode;
use crate::code::batch::ops::{
    Apart, BatchEffect, BatchStep, Cases, EXITS, NOWHERE, Op, SwitchCase, Test, Wait,
};
use crate::code::{NONE, Span};
use crate::engine::parts::{Limiter, Parts};
use crate::engine::scalar;
use crate::engine::sets::is_member;
use crate::engine::sweep::Counts;
use crate::host::Host;
use crate::layout::LANES;
use crate::planted::{self, Bug};
use crate::store::{Chunk, World};
use pleach_image::isa::{OTHER, RUNNING};

/// Number of lanes up to which a pass is not worth its cost.
pub(super) const FEW: u32 = 4;

/// A chunk under way.
pub(super) struct Sweep<'a, L> {
    pub(super) parts: &'a Parts,
    pub(super) code: &'a BatchCode,
    pub(super) scratch: &'a mut BatchScratch,
    /// Memory of the scalar engine, for agents that are halted one by one.
    pub(super) scalar: &'a mut scalar::Scratch,
    pub(super) world: &'a mut World,
    pub(super) chunk: &'a mut Chunk,
    pub(super) now: i64,
    pub(super) host: &'a mut dyn Host,
    pub(super) lanes: L,
    /// The lanes whose ticks a panic of the host has cut short.
    pub(super) faulted: Mask,
    /// Number of the step that may ask the host, from 1.
    pub(super) place: u32,
}

/// A tick of some agents of a chunk, in which they run a block.
pub(super) struct BatchTick<'a, L> {
    pub(super) sweep: Sweep<'a, L>,
    pub(super) block: u32,
    pub(super) agents: Mask,
}

impl<L: Lanes> Job for BatchTick<'_, L> {
    /// Numbers of agents that ended by each exit.
    type Out = Counts;

    #[inline(always)]
    fn run(self) -> Counts {
        let Self { mut sweep, block, agents } = self;
        sweep.clear();
        sweep.steps(block, agents);
        sweep.put_endings(&sweep.code.endings[block as usize]);
        let exits = sweep.take_exits();
        sweep.end(exits);
        Counts::each(exits.map(Mask::count), sweep.faulted.count())
    }
}

impl<L: Lanes> Sweep<'_, L> {
    /// Clears the registers of a tick.
    #[inline(always)]
    fn clear(&mut self) {
        let scratch = &mut *self.scratch;
        scratch.flags.fill(Mask::NONE);
        if self.parts.frame.rules.is_some() {
            scratch.trails.clear();
        }
        if self.parts.frame.others {
            scratch.others.fill(0);
        }
        if self.code.draws {
            scratch.rounds.fill(0);
        }
        if self.code.rates {
            scratch.best.fill(0.0);
            scratch.choices.fill(0);
        }
    }

    /// Returns the lanes that have left the block that runs.
    #[inline(always)]
    fn take_exits(&mut self) -> Ways {
        let mut ways = Ways::default();
        for (way, pending) in ways.iter_mut().zip(&mut self.scratch.pending) {
            *way = if planted::is(Bug::StaleMask) { *pending } else { pending.take() };
        }
        ways
    }

    /// Puts down how lanes have ended.
    #[inline(always)]
    fn end(&mut self, exits: Ways) {
        if let Some(ends) = self.chunk.ends.first_chunk_mut::<LANES>() {
            let exits = (0..).zip(exits).filter(|(_, lanes)| lanes.any());
            exits.for_each(|(end, lanes)| self.lanes.put_value(ends, lanes, end));
        }
        let others = &self.scratch.others;
        let [.., other] = exits;
        other.for_each(|lane| {
            self.chunk.end(lane, OTHER, others[usize::from(lane)]);
        });
    }

    /// Sweeps a block. Afterwards the exits' labels have the lanes that have left it.
    ///
    /// This is the table of all steps of a sweep, which are in one match in the loop, as in any
    /// interpreter. So the function is longer than others.
    #[inline(always)]
    fn steps(&mut self, block: u32, lanes: Mask) {
        let code: &BatchCode = self.code;
        let steps = &code.steps[..];
        let mut at = code.blocks[block as usize] as usize;
        let mut cur = lanes;
        loop {
            let BatchStep { ref op, label, skip, then } = steps[at];
            if label != NOWHERE {
                cur |= self.scratch.pending[label as usize].take();
            }
            if !cur.any() && skip as usize != at {
                at = skip as usize;
                continue;
            }
            match *op {
                Op::Test { test, is, to } => {
                    let holds = self.test(test).is(is);
                    self.part(&mut cur, holds, to);
                }
                Op::Choose { test, is, number, to } => {
                    let holds = self.test(test).is(is);
                    self.end_with(cur & holds, number);
                    self.part(&mut cur, holds, to);
                }
                Op::Chain { chain } => cur = self.apart(Apart::Chain { chain }, cur)[0],
                Op::Ending { number, to } => {
                    self.end_with(cur, number);
                    self.send(cur.take(), to);
                }
                Op::Put { first, count } => {
                    let puts = &code.puts[first as usize..][..count as usize];
                    puts.iter().for_each(|put| self.lanes.put(self.chunk, cur, *put));
                }
                Op::Jump { to } => self.send(cur.take(), to),
                Op::Wait { column, wait } => cur = self.wait(cur, column, &code.waits[wait as usize]),
                Op::Switch { column, cases } => {
                    let (cases, position) = (&code.cases[cases as usize], half_lanes(self.chunk, column));
                    cur = cases.send(self.lanes, cur, position, &mut self.scratch.pending);
                }
                Op::Down { column, to } => {
                    let left = self.lanes.down(half_lanes(self.chunk, column), cur);
                    self.part(&mut cur, left, to);
                }
                Op::Arm { column, duration } => self.arm(cur, column, duration),
                Op::SlowTest { test, to } => {
                    self.place = at as u32 + 1;
                    let holds = self.apart(Apart::Test(test), cur)[0];
                    cur = cur.without(self.faulted);
                    self.part(&mut cur, holds, to);
                }
                Op::Call { block, exits: _ } => {
                    at = self.call(block, at);
                    continue;
                }
                Op::End => {
                    let Some(call) = self.return_to_caller() else { return };
                    cur = Mask::NONE;
                    at = call;
                }
                Op::Ask { ask, exits } => {
                    self.place = at as u32 + 1;
                    let ways = self.apart(Apart::Ask(ask), cur.take());
                    self.leave(ways, &code.exits[exits as usize]);
                }
                Op::Member { column, stride, node, to } => {
                    let mut members = cur;
                    cur.for_each(|lane| {
                        if !is_member(self.chunk.set(column, stride, lane), node) {
                            members.unset(lane);
                        }
                    });
                    self.part(&mut cur, members, to);
                }
                Op::Admit { limiter, to } => self.admit(&mut cur, limiter, to),
                Op::Halt { column, low, high } => self.halt_some(&mut cur, column, low, high),
                Op::Loop { register, times } => self.begin_loop(register, times, at),
                Op::Again { register, to, head } => {
                    if let Some(start) = self.again(&mut cur, register, to, head) {
                        at = start;
                        continue;
                    }
                }
                Op::Effect(effect) => {
                    self.place = at as u32 + 1;
                    self.apart(Apart::Effect(effect), cur);
                    cur = cur.without(self.faulted);
                }
            }
            if then != NOWHERE {
                self.send(cur.take(), then);
            }
            at += 1;
        }
    }

    /// Lets the lanes for which something holds go on at a label.
    #[inline(always)]
    fn part(&mut self, cur: &mut Mask, holds: Mask, to: u32) {
        let holds = *cur & holds;
        self.send(holds, to);
        *cur = cur.without(holds);
    }

    /// Begins to sweep another block, and returns its first step. Lanes that
    /// have left this one are kept.
    #[inline(always)]
    fn call(&mut self, block: u16, at: usize) -> usize {
        let exits = self.take_exits();
        self.scratch.callers.push(Caller { at, exits });
        self.code.blocks[usize::from(block)] as usize
    }

    /// Ends a block: its lanes continue at the exits of the call. Returns the step of the call, or
    /// `None` if the block was not called.
    #[inline(always)]
    fn return_to_caller(&mut self) -> Option<usize> {
        let Caller { at, exits } = self.scratch.callers.pop()?;
        let ways = self.take_exits();
        self.scratch.pending[..EXITS].copy_from_slice(&exits);
        let code: &BatchCode = self.code;
        if let Op::Call { exits, .. } = code.steps[at].op {
            self.leave(ways, &code.exits[exits as usize]);
        }
        Some(at)
    }

    #[inline(always)]
    fn arm(&mut self, lanes: Mask, column: u32, duration: i32) {
        let timer = self.chunk.clock.after(duration);
        self.lanes.put_value(word_lanes(self.chunk, column), lanes, timer);
    }

    /// Halts what positions hold if it is from `low` to `high`. Lanes whose ticks are
    /// cut short by that do not go on.
    #[inline(always)]
    fn halt_some(&mut self, cur: &mut Mask, column: u32, low: u16, high: u16) {
        let span = Span { low, span: high.wrapping_sub(low) };
        let inside = *cur & self.lanes.halves_span(half_lanes(self.chunk, column), span);
        if inside.any() {
            self.apart(Apart::Effect(BatchEffect::Halt { column, low, high }), inside);
            *cur = cur.without(self.faulted);
        }
    }

    /// Begins a loop, whose first step is the next one.
    #[inline(always)]
    fn begin_loop(&mut self, register: u8, times: u16, at: usize) {
        let times = if times == 0 { self.scratch.trails.limit } else { times };
        self.scratch.loops[usize::from(register)] = (at + 1, times);
    }

    /// Returns the beginning of a loop, if it is to begin again. Few lanes of
    /// agents at rules go on one by one.
    #[inline(always)]
    fn again(&mut self, cur: &mut Mask, register: u8, to: u32, head: u32) -> Option<usize> {
        let (start, left) = &mut self.scratch.loops[usize::from(register)];
        if *left > 0 && cur.any() {
            *left -= 1;
            let start = *start;
            if self.code.draws {
                cur.for_each(|lane| self.scratch.rounds[usize::from(lane)] += 1);
            }
            if !self.code.of_rules || cur.count() > FEW || !self.scratch.callers.is_empty() {
                return Some(start);
            }
            self.go_on_alone(cur.take(), head);
        }
        self.send(cur.take(), to);
        None
    }

    /// Lets lanes go on at a label.
    #[inline(always)]
    pub(super) fn send(&mut self, lanes: Mask, to: u32) {
        self.scratch.pending[to as usize] |= lanes;
    }

    /// Lets lanes go on by four ways.
    #[inline(always)]
    fn leave(&mut self, ways: Ways, exits: &[u32; EXITS]) {
        for (lanes, to) in ways.into_iter().zip(exits) {
            self.send(lanes, *to);
        }
    }

    /// Returns the lanes in which a test holds.
    #[inline(always)]
    fn test(&mut self, test: Test) -> Mask {
        match test {
            Test::Flag { flag } => self.scratch.flags[usize::from(flag)],
            Test::NotChosen { choice } => !self.lanes.halves_in(&self.scratch.choices, choice),
            _ => self.lanes.test(self.chunk, test),
        }
    }

    /// Counts down for lanes that stand in a leaf of this wait. Those with something left run, all
    /// others go on behind their leaves. Returns the lanes that stood in none.
    #[inline(always)]
    fn wait(&mut self, lanes: Mask, column: u32, wait: &Wait) -> Mask {
        let position = half_lanes(self.chunk, column);
        let stand = |stand, span: &Span| stand | self.lanes.halves_span(position, *span);
        let waiting = lanes & wait.nodes.iter().fold(Mask::NONE, stand);
        if !waiting.any() {
            return lanes;
        }
        let timer = half_lanes(self.chunk, wait.timer);
        let left = if wait.left == RUNNING.into() {
            self.lanes.down(timer, waiting)
        } else {
            let left = waiting & self.lanes.halves_span(timer, Span { low: 2, span: u16::MAX - 2 });
            self.lanes.put_value(timer, waiting.without(left), 0);
            left
        };
        self.send(left, wait.left);
        let over = waiting.without(left);
        if over.any() {
            let position = half_lanes(self.chunk, column);
            match *wait.cases.few {
                // No other leaf is left.
                [SwitchCase { to, .. }] => self.scratch.pending[to as usize] |= over,
                _ => {
                    wait.cases.send(self.lanes, over, position, &mut self.scratch.pending);
                }
            }
            self.lanes.put_value(position, over, 0);
        }
        lanes.without(waiting)
    }

    /// Lets lanes that a limiter does not let in go on at a label, and notes
    /// that they want to be let in.
    fn admit(&mut self, cur: &mut Mask, limiter: u16, to: u32) {
        let Limiter { wants, granted, .. } = self.parts.limiters[usize::from(limiter)];
        let refused = cur.without(Mask(*bit_lanes(self.chunk, granted)));
        for (wants, refused) in bit_lanes(self.chunk, wants).iter_mut().zip(refused.0) {
            *wants |= refused;
        }
        self.part(cur, refused, to);
    }
}

impl Cases {
    /// Sends lanes on by what their position holds. Returns the lanes of no case.
    #[inline(always)]
    pub(super) fn send(
        &self,
        lanes: impl Lanes,
        from: Mask,
        position: &[u16; LANES],
        pending: &mut [Mask],
    ) -> Mask {
        let mut rest = from;
        if let Some(table) = &self.many {
            from.for_each(|lane| {
                let to = table.find(position[usize::from(lane)]);
                if to != NONE {
                    pending[to as usize].set(lane);
                    rest.unset(lane);
                }
            });
            return rest;
        }
        for SwitchCase { span, to } in &self.few {
            let there = rest & lanes.halves_span(position, *span);
            pending[*to as usize] |= there;
            rest = rest.without(there);
        }
        rest
    }
}
