//! A tick of all agents of a chunk.
//!
//! Most agents of most ticks only wait: their tree stands in a leaf that counts down, and goes on standing there. To run
//! steps for that would cost a jump that nobody can predict, for each agent. So a chunk is ticked in two passes. The first
//! one looks up each agent's position in a table made when the program was linked, counts down its timer, and writes down
//! the agents that do not go on waiting, with the step at which each goes on; it has no branch that depends on an agent.
//! The second pass runs steps for those that were written down. Agents are independent of each other within a tick, so
//! the order makes no difference.
//!
//! Trees whose position somebody else has a say in, such as a reactive selector at the root, have no such table: all their
//! agents are written down.

use super::Watch;
use super::scalar::{Run, Scratch};
use super::sift::{Lists, Sift};
use super::step::{Code, NONE, Step, Table};
use crate::chunk::{Chunk, FAULT};
use crate::frame::{BIT_WORDS, LANES};
use crate::host::Host;
use crate::program::Parts;
use crate::status::Outcome;
use crate::world::World;
use core::cell::Cell;
use pleach_image::isa::RUNNING;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many ticks ended by each exit, and by a fault.
pub(crate) type Counts = [u32; FAULT as usize + 1];

/// Agents to run steps for: the step at which each begins, times 256, plus its lane.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    agents: Box<[u64; LANES]>,
    count: usize,
    /// Agents that begin their tree, while they are sorted.
    lists: Lists,
}

impl Work {
    pub(crate) fn of(parts: &Parts) -> Self {
        let sifts = parts.entries.iter().filter_map(|entry| Some(&entry.sweep.as_ref()?.sift));
        let lists = sifts.map(Sift::lists).max().unwrap_or(1);
        Self { agents: Box::new([0; LANES]), count: 0, lists: Lists::new(lists) }
    }

    fn add(&mut self, start: u32, lane: u8) {
        self.agents[self.count % LANES] = u64::from(start) << 8 | u64::from(lane);
        self.count += 1;
    }
}

/// What the first pass does with an agent that holds some node.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Where it goes on, if it does not wait any longer.
    start: u32,
    /// All ones if the agent counts ticks, else zero.
    ticks: u16,
    /// What is left of the position of an agent that does not wait any longer: nothing or all.
    keeps: u16,
}

impl Row {
    /// Agents that do not wait.
    fn at(start: u32) -> Self {
        Self { start, ticks: 0, keeps: u16::MAX }
    }

    /// Whether the agent waits for a time.
    fn timed(self) -> bool {
        (self.ticks | self.keeps) == 0
    }
}

/// How the first pass treats the agents of an entry.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    /// Column of the position.
    column: u32,
    /// Column of the counters, among the halves.
    timer: Option<u32>,
    /// Column of the times, among the words.
    clock: Option<u32>,
    /// Where agents begin their tree.
    begin: u32,
    /// How those are sorted.
    sift: Sift,
    /// The node of the first row.
    low: u16,
    /// For each node; the last row is for all others.
    rows: Box<[Row]>,
}

impl Sweep {
    /// How to treat agents whose tree begins with this step; `None` if nothing can be gained.
    pub(crate) fn of(code: &Code, start: u32) -> Option<Self> {
        let Step::Switch { column, table } = code.steps[start as usize] else { return None };
        let Table::Dense { low, targets } = &code.tables[table as usize] else { return None };
        let sift = Sift::of(code, start + 1);
        let mut sweep =
            Self { column, timer: None, clock: None, begin: start + 1, sift, low: *low, rows: [].into() };
        let begin = Row::at(start + 1);
        let mut rows = Vec::with_capacity(targets.len() + 1);
        for target in targets {
            rows.push(if *target == NONE { begin } else { sweep.row(code, *target) });
        }
        rows.push(begin);
        sweep.rows = rows.into();
        (sweep.timer.is_some() || sweep.clock.is_some()).then_some(sweep)
    }

    /// The row for agents that go on at a step. Waiting leaves share their timers, so one column of each kind does; what
    /// has another one is left to the second pass.
    fn row(&mut self, code: &Code, start: u32) -> Row {
        match code.steps[start as usize] {
            Step::Tick { timer, column, target }
                if column == self.column && *self.timer.get_or_insert(timer) == timer =>
            {
                Row { start: target, ticks: u16::MAX, keeps: 0 }
            }
            Step::Until { timer, column, target }
                if column == self.column && *self.clock.get_or_insert(timer) == timer =>
            {
                Row { start: target, ticks: 0, keeps: 0 }
            }
            _ => Row::at(start),
        }
    }

    /// The first pass.
    fn run(&self, chunk: &mut Chunk, work: &mut Work, now: i64) {
        let occupied = chunk.occupied();
        chunk.ends.fill(RUNNING);
        let Chunk { halves, words, .. } = chunk;
        let halves = Cell::from_mut(&mut **halves).as_slice_of_cells();
        let Some(positions) = lanes(halves, self.column) else { return };
        // An absent column is never looked at: no row waits for it.
        let timers = self.timer.and_then(|timer| lanes(halves, timer));
        let clocks = self.clock.and_then(|clock| lanes(words, clock));
        let counted = |lane: usize, row: Row, timers: &[Cell<u16>; LANES]| {
            let left = timers[lane].get().saturating_sub(row.ticks & 1);
            timers[lane].set(left);
            left & row.ticks != 0
        };
        let timed = |lane: usize, row: Row, clocks: &[u32; LANES]| {
            row.timed() & (now < i64::from(clocks[lane] as i32))
        };
        match (timers, clocks) {
            (Some(timers), None) => {
                self.lanes(occupied, positions, work, |lane, row| counted(lane, row, timers));
            }
            (None, Some(clocks)) => {
                self.lanes(occupied, positions, work, |lane, row| timed(lane, row, clocks));
            }
            (Some(timers), Some(clocks)) => self.lanes(occupied, positions, work, |lane, row| {
                counted(lane, row, timers) | timed(lane, row, clocks)
            }),
            (None, None) => {}
        }
    }

    /// Writes down the agents that begin their tree.
    fn begin(&self, code: &Code, chunk: &Chunk, work: &mut Work, now: i64) {
        let Work { agents, count, lists } = work;
        let add = |start: u32, lane: u8| {
            agents[*count % LANES] = u64::from(start) << 8 | u64::from(lane);
            *count += 1;
        };
        self.sift.run(code, lists, chunk, now, add);
    }

    /// Lets all agents wait that `wait` finds waiting, and writes down the others.
    #[inline(never)]
    fn lanes(
        &self,
        occupied: [u64; BIT_WORDS],
        positions: &[Cell<u16>; LANES],
        work: &mut Work,
        wait: impl Fn(usize, Row) -> bool,
    ) {
        let (rows, low, last) = (&self.rows[..], self.low, self.rows.len() - 1);
        let Some((fresh, fresh_len)) = work.lists.first() else { return };
        let (mut count, mut begins) = (0, 0);
        for (index, mut lanes) in occupied.into_iter().enumerate() {
            while lanes != 0 {
                let lane = (index * 64 + lanes.trailing_zeros() as usize) % LANES;
                lanes &= lanes - 1;
                let node = positions[lane].get();
                let row = rows[usize::from(node.wrapping_sub(low)).min(last)];
                let waits = wait(lane, row);
                positions[lane].set(if waits { node } else { node & row.keeps });
                // Places that are not this agent's are taken by the next one.
                fresh[begins % LANES] = lane as u8;
                work.agents[(count - begins) % LANES] = u64::from(row.start) << 8 | lane as u64;
                count += usize::from(!waits);
                begins += usize::from(!waits & (row.start == self.begin));
            }
        }
        *fresh_len = begins;
        work.count = count - begins;
    }
}

/// The lanes of a column.
fn lanes<T>(array: &[T], column: u32) -> Option<&[T; LANES]> {
    array.get(column as usize..)?.first_chunk()
}

/// What a tick needs beside the chunk.
pub(crate) struct Tick<'a, H: ?Sized> {
    pub(crate) parts: &'a Parts,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) world: &'a mut World,
    pub(crate) now: i64,
    pub(crate) host: &'a mut H,
}

impl<H: Host + ?Sized> Tick<'_, H> {
    /// An agent about to run.
    pub(crate) fn agent<'b, W: Watch>(
        &'b mut self,
        chunk: &'b mut Chunk,
        lane: u8,
        watch: &'b mut W,
    ) -> Run<'b, H, W> {
        let Self { parts, scratch, world, now, host } = self;
        Run { parts, scratch, world, chunk, lane, now: *now, host, watch, other: 0, best: (0.0, 0) }
    }

    /// Runs a block for one agent. A panic of the host is this agent's fault alone.
    pub(crate) fn block<W: Watch>(
        &mut self,
        chunk: &mut Chunk,
        lane: u8,
        block: u32,
        watch: &mut W,
    ) -> Outcome {
        let mut run = self.agent(chunk, lane, watch);
        let exit = catch_unwind(AssertUnwindSafe(|| run.block(block)));
        exit.map_or(Outcome::Fault, |exit| Outcome::Status(run.status(exit)))
    }

    /// Ticks all agents of a chunk.
    pub(crate) fn chunk(&mut self, chunk: &mut Chunk, counts: &mut Counts) {
        let entry = &self.parts.entries[chunk.entry as usize];
        let work = &mut self.scratch.work;
        work.count = 0;
        match &entry.sweep {
            Some(sweep) => {
                sweep.run(chunk, work, self.now);
                sweep.begin(&self.parts.fused, chunk, work, self.now);
            }
            None => {
                let start = self.parts.fused.blocks[entry.block as usize];
                chunk.lanes().for_each(|lane| work.add(start, lane));
            }
        }
        let agents: u32 = chunk.occupied().iter().map(|lanes| lanes.count_ones()).sum();
        counts[usize::from(RUNNING)] += agents - work.count as u32;
        let mut nobody = ();
        let mut run = self.agent(chunk, 0, &mut nobody);
        let mut next = 0;
        while catch_unwind(AssertUnwindSafe(|| second(&mut run, &mut next, counts))).is_err() {
            // The host panicked for the agent whose turn it was. The others are not concerned.
            run.chunk.end(run.lane, FAULT, 0);
            counts[usize::from(FAULT)] += 1;
        }
    }
}

/// The second pass, from the agent at `next` of the list on.
#[inline(never)]
fn second<H: Host + ?Sized>(run: &mut Run<'_, H, ()>, next: &mut usize, counts: &mut Counts) {
    while *next < run.scratch.work.count {
        let agent = run.scratch.work.agents[*next % LANES];
        *next += 1;
        run.lane = agent as u8;
        run.other = 0;
        let exit = run.from((agent >> 8) as u32);
        run.chunk.end(run.lane, exit, run.other);
        counts[usize::from(exit & 3)] += 1;
    }
}
