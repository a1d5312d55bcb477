//! A tick of all agents of a chunk.
//!
//! Most agents of most ticks only wait: their tree stands in a leaf that counts down, and goes on standing there. Others
//! begin their tree anew and pass its tests. To run steps for that would cost jumps that nobody can predict, for each agent.
//! So a chunk is ticked in three passes. The first one looks up each agent's position in a table made when the program was
//! linked, counts down its timer, and puts agents that do not go on waiting into lists. The second runs the steps of these
//! lists, as long as they need no host ([`super::lists`]). Neither has a branch that depends on an agent. The third runs
//! what remains, agent by agent. Agents are independent of each other within a tick, so the order makes no difference.
//!
//! A chunk with few agents goes straight to the third pass.

use super::Watch;
use super::lists::{Ends, Lists, Plan};
use super::scalar::{Run, Scratch};
use super::step::{Code, NONE, Step};
use super::table::Table;
use crate::chunk::{Chunk, FAULT};
use crate::frame::{BIT_WORDS, LANES};
use crate::host::Host;
use crate::program::Parts;
use crate::status::Outcome;
use crate::world::World;
use core::cell::Cell;
use core::hint::select_unpredictable;
use pleach_image::format::branch;
use pleach_image::isa::RUNNING;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Fewest agents of a chunk for which lists are worth their while.
const FEWEST: u32 = 16;

/// How many ticks ended by each exit, and by a fault.
pub(crate) type Counts = [u32; FAULT as usize + 1];

/// Agents to run steps for: the step at which each begins, times 256, plus its lane.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    agents: Box<[u64; LANES]>,
    count: usize,
    lists: Lists,
}

impl Work {
    pub(crate) fn of(parts: &Parts) -> Self {
        let sweeps = parts.sweeps.iter().flatten();
        let lists = sweeps.map(|sweep| sweep.plan.lists()).max().unwrap_or(0);
        Self { agents: Box::new([0; LANES]), count: 0, lists: Lists::new(lists) }
    }
}

/// The results of the first two passes.
struct Results<'a> {
    agents: &'a mut [u64; LANES],
    count: &'a mut usize,
    counts: &'a mut Counts,
}

impl Ends for Results<'_> {
    fn end(&mut self, exit: u8, ends: &mut [u8], lanes: &[u8]) {
        lanes.iter().for_each(|lane| ends[usize::from(*lane)] = exit);
        self.counts[usize::from(exit & 3)] += lanes.len() as u32;
    }

    fn go(&mut self, start: u32, lane: u8) {
        self.agents[*self.count % LANES] = u64::from(start) << 8 | u64::from(lane);
        *self.count += 1;
    }
}

/// What the first pass does with an agent that holds some node.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The node. What is not found here begins its tree.
    node: u16,
    /// The list for it, if it does not wait any longer.
    list: u8,
    /// All ones if the agent counts ticks, else zero.
    ticks: u16,
    /// What is left of the position of an agent that does not wait any longer: nothing or all.
    keeps: u16,
}

impl Row {
    /// Whether the agent waits for a time.
    fn timed(self) -> bool {
        (self.ticks | self.keeps) == 0
    }
}

/// How the first pass treats the agents of an entry.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    /// Column of the position, if agents wait.
    column: Option<u32>,
    /// Column of the counters, among the halves.
    timer: Option<u32>,
    /// Column of the times, among the words.
    clock: Option<u32>,
    /// A power of two of rows; the place of a node is the remainder. Agents without one have a row, too.
    rows: Box<[Row]>,
    /// The list of agents that begin their tree.
    begin: u8,
    plan: Plan,
}

impl Sweep {
    /// How to treat agents whose tree begins with this step; `None` if nothing can be gained.
    pub(crate) fn of(code: &Code, start: u32) -> Option<Self> {
        let Step::Switch { column, table } = code.steps[start as usize] else {
            return Self::without(code, start);
        };
        let Table::Dense { low, targets } = &code.tables[table as usize] else { return None };
        let (mut timer, mut clock) = (None, None);
        // Waiting leaves share their timers, so one column of each kind does; what has another is not waited for here.
        let mut waits = |target: u32| match code.steps[target as usize] {
            Step::Tick { timer: own, column: cleared, target }
                if cleared == column && *timer.get_or_insert(own) == own =>
            {
                (target, u16::MAX, 0)
            }
            Step::Until { timer: own, column: cleared, target }
                if cleared == column && *clock.get_or_insert(own) == own =>
            {
                (target, 0, 0)
            }
            _ => (target, 0, u16::MAX),
        };
        let of_node = |(index, target): (usize, &u32)| (low + index as u16, waits(*target));
        let nodes = targets.iter().enumerate().filter(|(_, target)| **target != NONE).map(of_node);
        let nodes: Vec<_> = nodes.chain([(0, (start + 1, 0, u16::MAX))]).collect();
        let mut starts: Vec<u32> = nodes.iter().map(|(_, (start, ..))| *start).collect();
        starts.sort_unstable();
        starts.dedup();
        let plan = Plan::of(code, &starts)?;
        let begin = plan.list(start + 1)?;
        let mut sweep = Self { column: Some(column), timer, clock, rows: [].into(), begin, plan };
        sweep.rows = sweep.table(&nodes, targets.len())?;
        let gains = timer.is_some() || clock.is_some() || sweep.plan.runs();
        gains.then_some(sweep)
    }

    /// How to treat agents whose tree begins with some other step: they do not wait.
    fn without(code: &Code, start: u32) -> Option<Self> {
        let plan = Plan::of(code, &[start])?;
        let sweep =
            Self { column: None, timer: None, clock: None, rows: [].into(), begin: plan.list(start)?, plan };
        sweep.plan.runs().then_some(sweep)
    }

    /// The rows of nodes, given by where they go on, whether they count ticks, and what they keep.
    fn table(&self, nodes: &[(u16, (u32, u16, u16))], span: usize) -> Option<Box<[Row]>> {
        // The nodes of a span have places of their own; but 0 must have one, too.
        let least = (span + 1).next_power_of_two();
        let apart = |size: &usize| nodes.iter().all(|(node, _)| *node == 0 || usize::from(*node) % size != 0);
        let size = [least, least * 2, least * 4, least * 8].into_iter().find(apart)?;
        // Nobody is found in a row of an impossible node.
        let nobody = Row { node: branch::FAILED, list: self.begin, ticks: 0, keeps: u16::MAX };
        let mut rows = vec![nobody; size];
        for (node, (start, ticks, keeps)) in nodes {
            let list = self.plan.list(*start)?;
            rows[usize::from(*node) % size] = Row { node: *node, list, ticks: *ticks, keeps: *keeps };
        }
        Some(rows.into())
    }

    /// The first pass.
    fn run(&self, chunk: &mut Chunk, lists: &mut Lists, now: i64) {
        let occupied = chunk.occupied();
        chunk.ends.fill(RUNNING);
        let Chunk { halves, words, .. } = chunk;
        let halves = Cell::from_mut(&mut **halves).as_slice_of_cells();
        let Some(positions) = self.column.and_then(|column| lanes(halves, column)) else {
            return chunk.lanes().for_each(|lane| lists.add(self.begin, lane));
        };
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
        // An absent column is not looked at: no row waits for it.
        match (timers, clocks) {
            (Some(timers), None) => {
                self.lanes(occupied, positions, lists, |lane, row| counted(lane, row, timers));
            }
            (None, Some(clocks)) => {
                self.lanes(occupied, positions, lists, |lane, row| timed(lane, row, clocks));
            }
            (Some(timers), Some(clocks)) => self.lanes(occupied, positions, lists, |lane, row| {
                counted(lane, row, timers) | timed(lane, row, clocks)
            }),
            (None, None) => self.lanes(occupied, positions, lists, |_, _| false),
        }
    }

    /// Lets all agents wait that `wait` finds waiting, and puts the others into lists.
    #[inline(never)]
    fn lanes(
        &self,
        occupied: [u64; BIT_WORDS],
        positions: &[Cell<u16>; LANES],
        lists: &mut Lists,
        wait: impl Fn(usize, Row) -> bool,
    ) {
        let rows = &self.rows[..];
        // Agents that do not wait: list times 256 plus lane. The place of one that waits is taken by the next.
        let (mut going, mut count) = ([0_u16; LANES], 0);
        for (index, mut lanes) in occupied.into_iter().enumerate() {
            while lanes != 0 {
                let lane = (index * 64 + lanes.trailing_zeros() as usize) % LANES;
                lanes &= lanes - 1;
                let node = positions[lane].get();
                let mut row = rows[usize::from(node) & (rows.len() - 1)];
                if row.node != node {
                    row = Row { node, list: self.begin, ticks: 0, keeps: u16::MAX };
                }
                let waits = wait(lane, row);
                positions[lane].set(node & select_unpredictable(waits, u16::MAX, row.keeps));
                going[count % LANES] = u16::from(row.list) << 8 | lane as u16;
                count += usize::from(!waits);
            }
        }
        for agent in &going[..count.min(LANES)] {
            lists.add((agent >> 8) as u8, *agent as u8);
        }
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
        let Work { agents, count, lists } = &mut self.scratch.work;
        *count = 0;
        let block = self.parts.entries[chunk.entry as usize].block as usize;
        let population: u32 = chunk.occupied().iter().map(|lanes| lanes.count_ones()).sum();
        let before: u32 = counts.iter().sum();
        let mut results = Results { agents, count, counts };
        match &self.parts.sweeps[block] {
            Some(sweep) if population >= FEWEST => {
                sweep.run(chunk, lists, self.now);
                sweep.plan.run(self.parts, lists, chunk, self.now, &mut results);
                let over: u32 = results.counts.iter().sum::<u32>() - before;
                results.counts[usize::from(RUNNING)] += population - over - *results.count as u32;
            }
            _ => {
                let start = self.parts.fused.blocks[block];
                chunk.lanes().for_each(|lane| results.go(start, lane));
            }
        }
        let mut nobody = ();
        let mut run = self.agent(chunk, 0, &mut nobody);
        let mut next = 0;
        while catch_unwind(AssertUnwindSafe(|| third(&mut run, &mut next, counts))).is_err() {
            // The host panicked for the agent whose turn it was. The others are not concerned.
            run.chunk.end(run.lane, FAULT, 0);
            counts[usize::from(FAULT)] += 1;
        }
    }
}

/// The third pass, from the agent at `next` of those that remain on.
#[inline(never)]
fn third<H: Host + ?Sized>(run: &mut Run<'_, H, ()>, next: &mut usize, counts: &mut Counts) {
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
