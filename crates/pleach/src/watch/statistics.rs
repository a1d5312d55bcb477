//! Statistics of the nodes of a population: how often each node began, how it ended, and how long
//! it ran.
//!
//! To count an agent, it must be watched, and that takes several times as long as its tick. So
//! count every agent of a test run, but only one in a hundred of a running game
//! ([`Statistics::every`]). A crowd without statistics costs nothing extra.

use crate::crowd::Crowd;
use crate::crowd::watchers::{LaneId, LaneMask, Watchers};
use crate::engine::Watch;
use crate::store::chunk::bits_of;
use crate::values::{Agent, Outcome, Status};
use alloc::{vec, vec::Vec};
use core::num::NonZeroU32;
use core::ops::AddAssign;
use pleach_image::Image;
use pleach_image::format::DebugEnd;

/// Counts of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeStatistics {
    /// Number of times the node began.
    pub entries: u64,
    /// Number of times the node succeeded.
    pub successes: u64,
    /// Number of times the node failed.
    pub failures: u64,
    /// Number of times the node ended with a status of the host.
    pub others: u64,
    /// Number of times the node ran and did not continue: another node took its place, or its agent
    /// was reset.
    pub aborts: u64,
    /// Number of agents' ticks at whose end the node ran.
    pub ticks: u64,
    /// Time during which the node ran, in the unit of the host's time.
    pub time: u64,
    /// Number of calls of the host for the node's action or condition.
    pub calls: u64,
}

impl AddAssign for NodeStatistics {
    fn add_assign(&mut self, other: Self) {
        self.entries += other.entries;
        self.successes += other.successes;
        self.failures += other.failures;
        self.others += other.others;
        self.aborts += other.aborts;
        self.ticks += other.ticks;
        self.time += other.time;
        self.calls += other.calls;
    }
}

/// Counts of what agents of a crowd do, for each node. [`Crowd::tick_watched`] fills it.
#[derive(Debug)]
pub struct Statistics {
    table: ExitTable,
    /// Counts for each node. Element 0 stands for no node.
    counts: Vec<NodeStatistics>,
    every: u32,
    agent_ticks: u64,
    now: i64,
    /// Lanes that are counted, by chunk.
    seen: Vec<LaneMask>,
    /// By the agents' indices, whose turn it was last and when.
    last: Vec<Option<(Agent, i64)>>,
    /// By the agents' indices, the nodes that run, as bits.
    running: Vec<u64>,
    turn: Turn,
}

/// Nodes of instructions, from the debug information.
#[derive(Debug)]
struct ExitTable {
    /// By instruction and exit, the first row of the nodes that end there, plus one; 0 if none end.
    ways: Vec<u32>,
    /// Nodes that end, with their statuses, and the next row of the chain,
    /// plus one. Chains share rows.
    ends: Vec<DebugEnd>,
    /// The node of each instruction.
    words: Vec<u16>,
}

impl ExitTable {
    fn of<D: AsRef<[u8]>>(image: &Image<D>) -> Self {
        let words = || 0..image.code().len() as u32;
        let way = |word| (0..4).map(move |exit| image.debug_way(word, exit));
        let node = |word| image.debug_word(word).unwrap_or(0) as u16;
        Self {
            ways: words().flat_map(way).collect(),
            ends: image.debug_end_rows().to_vec(),
            words: words().map(node).collect(),
        }
    }
}

/// The agent whose turn it is.
#[derive(Debug, Default)]
struct Turn {
    /// The nodes that ran when its tick began and have not ended since, as bits.
    open: Vec<u64>,
    /// Nodes that run when the tick ends, as bits.
    next: Vec<u64>,
    /// Number of queries whose asking node is not known yet.
    asked: u64,
}

impl Statistics {
    /// Returns statistics without counts. `image` is the image of the crowd's program, with debug
    /// information.
    #[must_use]
    pub fn new<D: AsRef<[u8]>>(image: &Image<D>) -> Self {
        let nodes = image.meta().nodes as usize + 1;
        let words = nodes.div_ceil(64);
        Self {
            table: ExitTable::of(image),
            counts: vec![NodeStatistics::default(); nodes],
            every: 1,
            agent_ticks: 0,
            now: 0,
            seen: Vec::new(),
            last: Vec::new(),
            running: Vec::new(),
            turn: Turn { open: vec![0; words], next: vec![0; words], asked: 0 },
        }
    }

    /// Restricts the counts to agents whose index is a multiple of a number.
    #[must_use]
    pub fn every(mut self, every: NonZeroU32) -> Self {
        self.every = every.get();
        self
    }

    /// Returns the counts of a node, by its id. If there is no such node, all counts are zero.
    #[must_use]
    pub fn of(&self, node: u32) -> NodeStatistics {
        self.counts.get(node as usize).copied().unwrap_or_default()
    }

    /// Returns the ids and counts of all nodes. Ids begin with 1.
    pub fn nodes(&self) -> impl Iterator<Item = (u32, NodeStatistics)> + '_ {
        (1..).zip(self.counts.iter().skip(1).copied())
    }

    /// Returns the nodes that ran at the end of an agent's last counted tick, as bits: node `n` is
    /// bit `n % 64` of word `n / 64`. Empty if the agent has not been counted.
    #[must_use]
    pub fn running(&self, agent: Agent) -> &[u64] {
        match self.counted_at(agent) {
            Some(_) => &self.running[agent.index() * self.stride()..][..self.stride()],
            None => &[],
        }
    }

    /// Returns the time of an agent's last counted tick; `None` if the agent has not been counted.
    #[must_use]
    pub fn counted_at(&self, agent: Agent) -> Option<i64> {
        let (last, time) = self.last.get(agent.index()).copied()??;
        (last == agent).then_some(time)
    }

    /// Returns the number of ticks of agents that have been counted.
    #[must_use]
    pub fn agent_ticks(&self) -> u64 {
        self.agent_ticks
    }

    /// Sets all counts to zero. Nodes that run still count as running.
    pub fn clear(&mut self) {
        self.counts.fill(NodeStatistics::default());
        self.agent_ticks = 0;
    }

    fn stride(&self) -> usize {
        self.turn.open.len()
    }

    /// Counts nodes that ran and have not gone on.
    fn abort(&mut self, running: usize) {
        let words = self.stride();
        for (word, bits) in self.running[running * words..][..words].iter().enumerate() {
            nodes(word, *bits).for_each(|node| self.counts[node].aborts += 1);
        }
    }
}

/// Returns the nodes of a word of bits.
fn nodes(word: usize, mut bits: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let node = (bits != 0).then(|| word * 64 + bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(node)
    })
}

fn has(bits: &[u64], node: u16) -> bool {
    bits[usize::from(node) / 64] >> (node % 64) & 1 != 0
}

fn put(bits: &mut [u64], node: u16, value: bool) {
    let word = &mut bits[usize::from(node) / 64];
    *word = *word & !(1 << (node % 64)) | u64::from(value) << (node % 64);
}

impl Watch for Statistics {
    fn acted(&mut self, node: u32, _: u32, fresh: bool, _: Status) {
        let count = &mut self.counts[node as usize];
        count.calls += 1;
        if fresh && has(&self.turn.open, node as u16) {
            count.aborts += 1;
            put(&mut self.turn.open, node as u16, false);
        }
    }

    fn asked(&mut self, _: u32, _: f64) {
        self.turn.asked += 1;
    }

    fn left(&mut self, word: u32, exit: u32) {
        let Self { table, counts, turn, .. } = self;
        if turn.asked > 0 {
            counts[usize::from(table.words[word as usize])].calls += core::mem::take(&mut turn.asked);
        }
        let way = table.ways[word as usize * 4 + (exit & 3) as usize];
        for DebugEnd { node, status, .. } in DebugEnd::chain(&table.ends, way) {
            let Some(count) = counts.get_mut(usize::from(*node)) else { continue };
            count.entries += u64::from(!has(&turn.open, *node));
            match status {
                0 => count.failures += 1,
                1 => count.successes += 1,
                2 => {}
                _ => count.others += 1,
            }
            put(&mut turn.open, *node, false);
            put(&mut turn.next, *node, *status == 2);
        }
    }
}

impl Watchers for Statistics {
    type Watch<'a> = &'a mut Self;

    fn begin(&mut self, crowd: &Crowd, now: i64) {
        self.now = now;
        let agents = crowd.agents.rows().len();
        if self.last.len() < agents {
            self.last.resize(agents, None);
            self.running.resize(agents * self.stride(), 0);
        }
        self.seen.clear();
        for chunk in &crowd.chunks {
            let is_counted = |lane: &u8| chunk.agent(*lane).index().is_multiple_of(self.every as usize);
            let seen = bits_of(chunk.lanes().filter(is_counted));
            self.seen.push(seen);
        }
    }

    fn seen(&mut self, chunk: usize) -> LaneMask {
        self.seen.get(chunk).copied().unwrap_or_default()
    }

    fn watch(&mut self, (chunk, lane): LaneId, agent: Agent) -> Option<Self::Watch<'_>> {
        let seen = self.seen(chunk);
        if seen[usize::from(lane) / 64] >> (lane % 64) & 1 == 0 {
            return None;
        }
        let index = agent.index();
        let words = self.stride();
        let before = self.last[index].filter(|(other, _)| *other == agent);
        if before.is_none() {
            self.abort(index);
            self.running[index * words..][..words].fill(0);
        }
        let running = &self.running[index * words..][..words];
        if let Some((_, then)) = before {
            let time = self.now.saturating_sub(then).max(0) as u64;
            for (word, bits) in running.iter().enumerate() {
                nodes(word, *bits).for_each(|node| self.counts[node].time += time);
            }
        }
        self.last[index] = Some((agent, self.now));
        self.turn.open.copy_from_slice(running);
        self.turn.next.fill(0);
        self.turn.asked = 0;
        self.agent_ticks += 1;
        Some(self)
    }

    fn ticked(&mut self, _: LaneId, agent: Agent, _: Outcome) {
        if !agent.index().is_multiple_of(self.every as usize) {
            return;
        }
        let Self { counts, running, turn: Turn { open, next, .. }, .. } = self;
        for (word, (open, next)) in open.iter().zip(&*next).enumerate() {
            nodes(word, open & !next).for_each(|node| counts[node].aborts += 1);
            nodes(word, *next).for_each(|node| counts[node].ticks += 1);
        }
        running[agent.index() * next.len()..][..next.len()].copy_from_slice(next);
    }
}
