//! The sweep: one pass over the code of a tree, for all lanes of a chunk at once.

use super::columns::{Columns, bit_lanes, half_lanes, word_lanes};
use super::lanes::{Job, Lanes};
use super::mask::{Mask, Ways};
use super::scratch::{Caller, Scratch};
use crate::code::batch::Code;
use crate::code::batch::ops::{Apart, Case, Cases, EXITS, NOWHERE, Op, Step, Test, Wait};
use crate::code::relation::Relation;
use crate::code::step::Span;
use crate::code::table::NONE;
use crate::engine::parts::{Limiter, Parts};
use crate::engine::scalar;
use crate::engine::sweep::Counts;
use crate::host::Host;
use crate::layout::LANES;
use crate::planted::{self, Bug};
use crate::store::chunk::Chunk;
use crate::store::world::World;

/// So many lanes are not worth a pass.
pub(super) const FEW: u32 = 4;

/// A chunk under way.
pub(super) struct Sweep<'a, L> {
    pub(super) parts: &'a Parts,
    pub(super) code: &'a Code,
    pub(super) scratch: &'a mut Scratch,
    /// What single agents need that are halted.
    pub(super) scalar: &'a mut scalar::Scratch,
    pub(super) world: &'a mut World,
    pub(super) chunk: &'a mut Chunk,
    pub(super) now: i64,
    pub(super) host: &'a mut dyn Host,
    pub(super) lanes: L,
    /// The lanes whose ticks a panic of the host has cut short.
    pub(super) faulted: Mask,
}

/// A tick of some agents of a chunk, in which they run a block.
pub(super) struct Tick<'a, L> {
    pub(super) sweep: Sweep<'a, L>,
    pub(super) block: u32,
    pub(super) agents: Mask,
}

impl<L: Lanes> Job for Tick<'_, L> {
    /// How many ended by each exit.
    type Out = Counts;

    #[inline(always)]
    fn run(self) -> Counts {
        let Self { mut sweep, block, agents } = self;
        sweep.clear(agents);
        sweep.look_at_timers(block);
        sweep.steps(block, agents);
        sweep.count_down(block);
        sweep.put_endings(&sweep.code.endings[block as usize]);
        let exits = sweep.take_exits();
        sweep.end(exits);
        Counts::each(exits.map(Mask::count), sweep.faulted.count())
    }
}

/// A query of the host, by whose answers lanes part.
struct Asking<'a, 'b, L> {
    sweep: &'b mut Sweep<'a, L>,
    lanes: Mask,
    site: u16,
    relation: Relation,
    with: f64,
}

impl<L: Lanes> Job for Asking<'_, '_, L> {
    type Out = Mask;

    #[inline(always)]
    fn run(self) -> Mask {
        let Self { sweep, lanes, site, relation, with } = self;
        sweep.test_answers(lanes, site, relation, with)
    }
}

impl<L: Lanes> Sweep<'_, L> {
    /// Makes the registers of a tick what they are when it begins.
    #[inline(always)]
    fn clear(&mut self, agents: Mask) {
        if let Some((sets, _)) = self.code.sets {
            self.turn_over(sets, agents);
        }
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

    /// The lanes that have left the block that runs.
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
            self.lanes.ends(ends, exits);
        }
        let others = &self.scratch.others;
        let [.., other] = exits;
        other.for_each(|lane| {
            self.chunk.end(lane, pleach_image::isa::OTHER, others[usize::from(lane)]);
        });
    }

    /// Sweeps a block. Afterwards the exits' labels have the lanes that have left it.
    #[inline(always)]
    fn steps(&mut self, block: u32, lanes: Mask) {
        let code: &Code = self.code;
        let steps = &code.steps[..];
        let mut at = code.blocks[block as usize] as usize;
        let mut cur = lanes;
        loop {
            let Step { ref op, label, skip, then } = steps[at];
            if label != NOWHERE {
                cur |= self.scratch.pending[label as usize].take();
            }
            if !cur.any() && skip as usize != at {
                at = skip as usize;
                continue;
            }
            match *op {
                Op::Test { test, is, to } => {
                    let holds = cur & self.test(test).is(is);
                    self.send(holds, to);
                    cur = cur.without(holds);
                }
                Op::Choose { test, is, number, to } => {
                    let holds = cur & self.test(test).is(is);
                    self.end_with(holds, number);
                    self.send(holds, to);
                    cur = cur.without(holds);
                }
                Op::Chain { chain } => cur = self.chain(cur, &code.chains[chain as usize]),
                Op::Ending { number, to } => {
                    self.end_with(cur, number);
                    self.send(cur.take(), to);
                }
                Op::Put { first, count } => {
                    for put in &code.puts[first as usize..][..count as usize] {
                        self.lanes.put(self.chunk, cur, *put);
                    }
                }
                Op::Jump { to } => self.send(cur.take(), to),
                Op::Wait { column, wait } => {
                    let waiting = self.wait(cur, column, &code.waits[wait as usize]);
                    cur = cur.without(waiting);
                }
                Op::Switch { column, cases } => {
                    let position = half_lanes(self.chunk, column);
                    let lanes = self.lanes;
                    let pending = &mut self.scratch.pending;
                    cur = code.cases[cases as usize].send(lanes, cur, position, pending);
                }
                Op::Down { column, to } => {
                    let left = self.lanes.down(half_lanes(self.chunk, column), cur);
                    self.send(left, to);
                    cur = cur.without(left);
                }
                Op::Arm { column, duration } => {
                    let timer = self.chunk.clock.after(duration);
                    self.lanes.put_word(word_lanes(self.chunk, column), cur, timer);
                }
                Op::Query { site, relation, is, to, with } => {
                    let answers = self.answers(cur, site, relation, with);
                    cur = cur.without(self.faulted);
                    let holds = cur & answers.is(is);
                    self.send(holds, to);
                    cur = cur.without(holds);
                }
                Op::Value { expression, is, to } => {
                    self.evaluate(expression, cur);
                    let holds = cur.without(self.faulted) & self.truth(expression).is(is);
                    self.send(holds, to);
                    cur = cur.without(holds | self.faulted);
                }
                Op::Call { block, exits: _ } => {
                    let exits = self.take_exits();
                    self.scratch.callers.push(Caller { at, exits });
                    at = code.blocks[usize::from(block)] as usize;
                    continue;
                }
                Op::End => {
                    let Some(Caller { at: call, exits }) = self.scratch.callers.pop() else { return };
                    let ways = self.take_exits();
                    self.scratch.pending[..EXITS].copy_from_slice(&exits);
                    if let Op::Call { exits, .. } = steps[call].op {
                        self.leave(ways, &code.exits[exits as usize]);
                    }
                    cur = Mask::NONE;
                    at = call;
                }
                Op::Rule { test, to } => {
                    let [stay, leave, ..] = self.apart(Apart::Rule(test), cur.take());
                    self.send(leave, to);
                    cur = stay;
                }
                Op::Ask { ask, exits } => {
                    let ways = self.apart(Apart::Ask(ask), cur.take());
                    self.leave(ways, &code.exits[exits as usize]);
                }
                Op::Mark { wipe, path, .. } => self.mark(cur, path, wipe),
                Op::WipeIf { node } => self.wipe_if(cur, node),
                Op::Admit { limiter, to } => {
                    let refused = self.ask_in(cur, limiter);
                    self.send(refused, to);
                    cur = cur.without(refused);
                }
                Op::Flag { flag, value } => {
                    let flag = &mut self.scratch.flags[usize::from(flag)];
                    *flag = if value { *flag | cur } else { flag.without(cur) };
                }
                Op::Halt { column, low, high } => {
                    let span = Span { low, span: high.wrapping_sub(low) };
                    let inside = cur & self.lanes.halves_span(half_lanes(self.chunk, column), span);
                    if inside.any() {
                        self.apart(Apart::Halt { column, low, high }, inside);
                        cur = cur.without(self.faulted);
                    }
                }
                Op::Capture { before, live } => self.capture(cur, before, live),
                Op::Loop { register, times } => {
                    let times = if times == 0 { self.scratch.trails.limit() } else { times };
                    self.scratch.loops[usize::from(register)] = (at + 1, times);
                }
                Op::Again { register, to, head } => {
                    let (start, left) = &mut self.scratch.loops[usize::from(register)];
                    if *left > 0 && cur.any() {
                        *left -= 1;
                        if code.draws {
                            cur.for_each(|lane| self.scratch.rounds[usize::from(lane)] += 1);
                        }
                        if !code.of_rules || cur.count() > FEW || !self.scratch.callers.is_empty() {
                            at = *start;
                            continue;
                        }
                        self.go_on_alone(cur.take(), head);
                    }
                    self.send(cur.take(), to);
                }
                Op::Effect(effect) => {
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

    /// Where a test holds.
    #[inline(always)]
    fn test(&mut self, test: Test) -> Mask {
        match test {
            Test::Flag { flag } => self.scratch.flags[usize::from(flag)],
            Test::Member { node } => self.scratch.running.members(node),
            Test::NotChosen { choice } => !self.lanes.halves_in(&self.scratch.choices, choice),
            _ => self.lanes.test(self.chunk, test),
        }
    }

    /// Counts down for lanes that stand in a leaf of this wait. Those with something left run, the others go on behind their
    /// leaves. All lanes that stood in one.
    #[inline(always)]
    fn wait(&mut self, lanes: Mask, column: u32, wait: &Wait) -> Mask {
        let position = half_lanes(self.chunk, column);
        let mut stand = Mask::NONE;
        for Span { low, span } in &wait.nodes {
            stand |= match span {
                0 => self.lanes.halves_in(position, *low),
                _ => self.lanes.halves_span(position, Span { low: *low, span: *span }),
            };
        }
        let waiting = lanes & stand;
        let left = match wait.late {
            Some(timer) => {
                let (left, counted) = &mut self.scratch.timers[timer];
                *counted |= waiting;
                *left & waiting
            }
            None => self.lanes.down(half_lanes(self.chunk, wait.timer), waiting),
        };
        self.send(left, pleach_image::isa::RUNNING.into());
        let over = waiting.without(left);
        if over.any() {
            let position = half_lanes(self.chunk, column);
            match *wait.cases.few {
                // No other leaf is left.
                [Case { to, .. }] => self.scratch.pending[to as usize] |= over,
                _ => {
                    wait.cases.send(self.lanes, over, position, &mut self.scratch.pending);
                }
            }
            self.lanes.put_half(position, over, 0);
        }
        waiting
    }

    /// Finds out in which lanes something will be left of the block's late timers.
    #[inline(always)]
    fn look_at_timers(&mut self, block: u32) {
        for (column, (left, counted)) in self.code.timers[block as usize].iter().zip(&mut self.scratch.timers)
        {
            *left =
                self.lanes.halves_span(half_lanes(self.chunk, *column), Span { low: 2, span: u16::MAX - 2 });
            *counted = Mask::NONE;
        }
    }

    /// Counts the block's late timers down for all that wait.
    #[inline(always)]
    fn count_down(&mut self, block: u32) {
        for (column, (_, counted)) in self.code.timers[block as usize].iter().zip(&self.scratch.timers) {
            self.lanes.down(half_lanes(self.chunk, *column), *counted);
        }
    }

    /// Lanes that a limiter does not let in; it is noted that they want to.
    fn ask_in(&mut self, lanes: Mask, limiter: u16) -> Mask {
        let Limiter { wants, granted, .. } = self.parts.limiters[usize::from(limiter)];
        let refused = lanes.without(Mask(*bit_lanes(self.chunk, granted)));
        for (wants, refused) in bit_lanes(self.chunk, wants).iter_mut().zip(refused.0) {
            *wants |= refused;
        }
        refused
    }

    /// Lanes for which the answer of a query stands so to a number.
    #[inline(never)]
    fn answers(&mut self, lanes: Mask, site: u16, relation: Relation, with: f64) -> Mask {
        self.lanes.run(Asking { sweep: self, lanes, site, relation, with })
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
                    rest.0[usize::from(lane) / 64] &= !(1 << (lane % 64));
                }
            });
            return rest;
        }
        for Case { span, to } in &self.few {
            let there = match span.span {
                0 => lanes.halves_in(position, span.low),
                _ => lanes.halves_span(position, *span),
            };
            let there = rest & there;
            pending[*to as usize] |= there;
            rest = rest.without(there);
        }
        rest
    }
}
