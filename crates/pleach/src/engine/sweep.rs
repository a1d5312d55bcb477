//! A tick of all agents of a chunk.
//!
//! In most ticks, most agents only wait: their tree is at a leaf that counts down, and stays there.
//! Others begin their tree again and pass its tests. Running steps for that would need jumps that
//! no processor can predict, for each agent. So a chunk is ticked in three passes:
//!
//! 1. Look up each agent's position in a table that was made when the program was linked, count
//!    down its timer, and put agents that no longer wait into lists.
//! 2. Run the steps of these lists, as long as they need no host ([`super::lists`]).
//! 3. Run the remaining agents one by one.
//!
//! The first two passes have no branch that depends on an agent. Agents do not depend on each other
//! within a tick, so the order makes no difference. A chunk with few agents goes directly to the
//! third pass.

use super::alone::{begin, start};
use super::lists::{Ends, Lists, Work};
use super::scalar::{Run, Scratch};
use super::walk::UNASKED;
use super::watch::{Hostless, Mode, Watch};
use crate::code::sweep::{Row, SweepPlan};
use crate::engine::parts::Parts;
use crate::host::Host;
use crate::host::panics::caught;
use crate::layout::{BIT_WORDS, LANES};
use crate::store::chunk::clock::Clock;
use crate::store::{Chunk, World, of_bits};
use crate::values::{Fault, Outcome, PANIC};
use core::cell::Cell;
use core::hint::select_unpredictable;
use pleach_image::isa::RUNNING;

/// Fewest agents of a chunk for which lists are worth their while.
const FEWEST: u32 = 20;

/// Numbers of agents of a chunk whose ticks ended by each exit or with a fault, 12 bits each.
///
/// Which one is to be counted is known only when a tick has ended, so an array would
/// have to be memory, and for the tick of a single agent it matters that memory just
/// written is not read at once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts(u64);

impl Counts {
    const BITS: u32 = 12;

    #[inline]
    fn of(exit: u8, count: u32) -> Self {
        Self(u64::from(count) << (u32::from(exit.min(PANIC)) * Self::BITS))
    }

    /// Returns the count of one agent.
    #[inline]
    pub(crate) fn one(exit: u8) -> Self {
        Self::of(exit, 1)
    }

    /// Returns the counts of agents by exit, and of faults.
    pub(crate) fn each(exits: [u32; 4], faults: u32) -> Self {
        let mut counts = Self::of(PANIC, faults);
        (0..).zip(exits).for_each(|(exit, count)| counts.add(Self::of(exit, count)));
        counts
    }

    #[inline]
    pub(crate) fn add(&mut self, Self(more): Self) {
        self.0 += more;
    }

    /// Returns the number of agents that ended by an exit, or, for [`PANIC`], with any fault.
    #[inline]
    pub(crate) fn by(self, exit: u8) -> u32 {
        (self.0 >> (u32::from(exit) * Self::BITS)) as u32 & ((1 << Self::BITS) - 1)
    }

    /// Returns the number of all agents.
    fn sum(self) -> u32 {
        (0..=PANIC).map(|exit| self.by(exit)).sum()
    }
}

/// The results of the first two passes.
struct Results<'a> {
    agents: &'a mut [u64; LANES],
    count: &'a mut usize,
    counts: Counts,
}

impl Ends for Results<'_> {
    fn end(&mut self, exit: u8, ends: &mut [u8], lanes: &[u8]) {
        lanes.iter().for_each(|lane| ends[usize::from(*lane)] = exit);
        self.counts.add(Counts::of(exit, lanes.len() as u32));
    }

    fn go(&mut self, start: u32, lane: u8) {
        self.agents[*self.count % LANES] = u64::from(start) << 8 | u64::from(lane);
        *self.count += 1;
    }
}

impl Row {
    /// Counts a tick down if the agent counts ticks. Returns true if it still waits for ticks.
    #[inline]
    fn counts(self, timer: &mut u16) -> bool {
        *timer = timer.saturating_sub(self.ticks & 1);
        *timer & self.ticks != 0
    }

    /// Returns true if the agent waits for a time that has not come.
    #[inline]
    fn is_early(self, timer: u32, clock: Clock) -> bool {
        ((self.ticks | self.keeps) == 0) & clock.is_before(timer, true)
    }

    /// Returns the position of the agent when it has been found to wait or not.
    #[inline]
    fn left(self, node: u16, waits: bool) -> u16 {
        node & select_unpredictable(waits, u16::MAX, self.keeps)
    }
}

impl SweepPlan {
    /// Does the first pass.
    fn run(&self, chunk: &mut Chunk, lists: &mut Lists) {
        let awake = chunk.awake();
        if awake == chunk.occupied() {
            chunk.ends.fill(RUNNING);
        } else {
            chunk.awake_lanes().for_each(|lane| chunk.ends[usize::from(lane)] = RUNNING);
        }
        let Chunk { halves, words, clock, .. } = chunk;
        let halves = Cell::from_mut(&mut **halves).as_slice_of_cells();
        let Some(positions) = self.column.and_then(|column| lanes(halves, column)) else {
            return chunk.awake_lanes().for_each(|lane| lists.add(self.begin, lane));
        };
        let timers = self.timer.and_then(|timer| lanes(halves, timer));
        let clocks = self.clock.and_then(|clock| lanes(words, clock));
        let counted = |lane: usize, row: Row, timers: &[Cell<u16>; LANES]| {
            let mut timer = timers[lane].get();
            let waits = row.counts(&mut timer);
            timers[lane].set(timer);
            waits
        };
        let timed = |lane: usize, row: Row, clocks: &[u32; LANES]| row.is_early(clocks[lane], *clock);
        // An absent column is not looked at: no row waits for it.
        match (timers, clocks) {
            (Some(timers), None) => {
                self.lanes(awake, positions, lists, |lane, row| counted(lane, row, timers));
            }
            (None, Some(clocks)) => {
                self.lanes(awake, positions, lists, |lane, row| timed(lane, row, clocks));
            }
            (Some(timers), Some(clocks)) => self.lanes(awake, positions, lists, |lane, row| {
                counted(lane, row, timers) | timed(lane, row, clocks)
            }),
            (None, None) => self.lanes(awake, positions, lists, |_, _| false),
        }
    }

    /// Lets all agents wait that `wait` finds waiting, and puts the others into lists.
    #[inline(never)]
    fn lanes(
        &self,
        awake: [u64; BIT_WORDS],
        positions: &[Cell<u16>; LANES],
        lists: &mut Lists,
        wait: impl Fn(usize, Row) -> bool,
    ) {
        // Agents that do not wait: list times 256 plus lane. The place of one
        // that waits is taken by the next.
        let (mut going, mut count) = ([0_u16; LANES], 0);
        for (index, mut lanes) in awake.into_iter().enumerate() {
            while lanes != 0 {
                let lane = (index * 64 + lanes.trailing_zeros() as usize) % LANES;
                lanes &= lanes - 1;
                let node = positions[lane].get();
                let row = self.row(node);
                let waits = wait(lane, row);
                positions[lane].set(row.left(node, waits));
                going[count % LANES] = u16::from(row.list) << 8 | lane as u16;
                count += usize::from(!waits);
            }
        }
        for agent in &going[..count.min(LANES)] {
            lists.add((agent >> 8) as u8, *agent as u8);
        }
    }
}

/// Returns the lanes of a column.
fn lanes<T>(array: &[T], column: u32) -> Option<&[T; LANES]> {
    array.get(column as usize..)?.first_chunk()
}

/// Returns the lanes that are ticked, if they are too few for lists. Agents take the
/// lowest lanes that are free, so only the first lanes are looked at: where few are
/// left of many, lists do as well.
#[inline]
fn few(awake: [u64; BIT_WORDS]) -> Option<u64> {
    let [first, rest @ ..] = awake;
    (first >> (FEWEST - 1) | rest[0] | rest[1] | rest[2] == 0).then_some(first)
}

/// Everything that a tick needs beside the chunk.
pub(crate) struct Tick<'a, H: ?Sized> {
    pub(crate) parts: &'a Parts,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) world: &'a mut World,
    pub(crate) now: i64,
    pub(crate) host: &'a mut H,
}

/// Returns the host as engines ask it. In builds for development it is behind a table of functions,
/// so that not each type of host has engines of its own: they take a second or two to build. Other
/// builds have them, and the compiler can put the host's functions into them.
#[cfg(debug_assertions)]
pub(crate) fn asked<'a, H: Host + ?Sized>(host: &'a mut &mut H) -> &'a mut (dyn Host + 'a) {
    host
}

#[cfg(not(debug_assertions))]
pub(crate) fn asked<'a, H: Host + ?Sized>(host: &'a mut &mut H) -> &'a mut H {
    host
}

impl<H: Host + ?Sized> Tick<'_, H> {
    /// Returns an agent about to run.
    pub(crate) fn agent<'b, W: Mode>(
        &'b mut self,
        chunk: &'b mut Chunk,
        lane: u8,
        watch: &'b mut W,
    ) -> Run<'b, H, W> {
        let Self { parts, scratch, world, now, host } = self;
        let (now, best) = (*now, (0.0, 0));
        Run { parts, scratch, world, chunk, lane, now, host, watch, other: 0, best, rounds: 0 }
    }

    /// Runs a block of the plain program for one agent, step by step, as an observer sees it.
    #[inline(never)]
    pub(crate) fn block_watched(
        &mut self,
        chunk: &mut Chunk,
        lane: u8,
        block: u32,
        mut watch: &mut dyn Watch,
    ) -> Outcome {
        let Self { parts, scratch, world, now, host } = self;
        let mut tick = Tick { parts, scratch, world, now: *now, host: host as &mut dyn Host };
        tick.block(chunk, lane, block, &mut watch)
    }

    /// Runs a block for one agent. A panic of the host is this agent's fault alone.
    pub(crate) fn block<W: Mode>(
        &mut self,
        chunk: &mut Chunk,
        lane: u8,
        block: u32,
        watch: &mut W,
    ) -> Outcome {
        let mut run = self.agent(chunk, lane, watch);
        let exit = caught(|| run.block(block));
        exit.ok().and_then(|exit| Outcome::of(exit, run.other)).unwrap_or(Outcome::Fault(Fault::Panic))
    }

    /// Ticks all agents of a chunk.
    #[inline(always)]
    pub(crate) fn chunk(&mut self, chunk: &mut Chunk) -> Counts {
        let Some(mut lanes) = few(chunk.awake()) else { return self.many(chunk) };
        let mut counts = Counts::default();
        while lanes != 0 {
            counts.add(self.lane(chunk, lanes.trailing_zeros() as u8));
            lanes &= lanes - 1;
        }
        counts
    }

    /// Ticks one agent of a chunk.
    #[inline(always)]
    pub(crate) fn lane(&mut self, chunk: &mut Chunk, lane: u8) -> Counts {
        let exit = match start(self.parts, chunk, lane) {
            Some(at) => match self.agent(chunk, lane, &mut Hostless).through(at) {
                (UNASKED, at) => return Counts::one(self.go(chunk, lane, at)),
                (exit, _) => exit,
            },
            None => RUNNING,
        };
        chunk.end(lane, exit, 0);
        Counts::one(exit)
    }

    /// Runs an agent from a step on to the end of its tick, where the host may be asked. A panic of
    /// the host is this agent's fault alone.
    #[inline(never)]
    pub(crate) fn go(&mut self, chunk: &mut Chunk, lane: u8, at: u32) -> u8 {
        let mut nobody = ();
        let mut run = self.agent(chunk, lane, &mut nobody);
        let exit = caught(|| run.from(at));
        let exit = exit.unwrap_or(PANIC);
        run.chunk.end(lane, exit, run.other);
        exit
    }

    /// Ticks many agents, in three passes.
    #[inline(never)]
    fn many(&mut self, chunk: &mut Chunk) -> Counts {
        let (start, sweep) = (begin(self.parts, chunk), &self.parts.sweeps[self.parts.block(chunk.entry)]);
        let Work { agents, count, lists } = &mut self.scratch.work;
        *count = 0;
        let mut results = Results { agents, count, counts: Counts::default() };
        if let Some(sweep) = sweep {
            sweep.run(chunk, lists);
            sweep.plan.run(self.parts, lists, chunk, &mut results);
        } else {
            of_bits(chunk.awake()).for_each(|lane| results.go(start, lane));
        }
        let Results { count, mut counts, .. } = results;
        counts.add(Counts::of(RUNNING, chunk.count() - counts.sum() - *count as u32));
        self.rest(chunk, &mut counts);
        counts
    }

    /// The third pass.
    fn rest(&mut self, chunk: &mut Chunk, counts: &mut Counts) {
        let mut nobody = ();
        let mut run = self.agent(chunk, 0, &mut nobody);
        let mut next = 0;
        while caught(|| third(&mut run, &mut next, counts)).is_err() {
            // The host panicked for the agent whose turn it was. The others are not concerned.
            run.chunk.end(run.lane, PANIC, 0);
            counts.add(Counts::one(PANIC));
        }
    }
}

/// Does the third pass, from the remaining agent at `next` on.
#[inline(never)]
fn third<H: Host + ?Sized>(run: &mut Run<'_, H, ()>, next: &mut usize, counts: &mut Counts) {
    while *next < run.scratch.work.count {
        let agent = run.scratch.work.agents[*next % LANES];
        *next += 1;
        run.lane = agent as u8;
        run.other = 0;
        let exit = run.from((agent >> 8) as u32);
        run.chunk.end(run.lane, exit, run.other);
        counts.add(Counts::one(exit));
    }
}

#[cfg(test)]
mod tests;
