//! Ticks of a crowd: of all its agents, of the agents whose turn it is, or of as
//! many chunks as a budget allows.
//!
//! Four things leave agents out of a tick. All four have the same effect in each run,
//! because none depends on a clock:
//!
//! * An agent that [sleeps](Crowd::sleep) is left out until it is woken.
//! * An agent with a *pace* is ticked only every n-th time. Agents with the same pace are spread
//!   over the n ticks by their indices.
//! * A *budget* ends a tick at the border of a chunk. The next tick continues there. When all
//!   chunks have had their turn, the round is over, and shared variables are combined.
//! * A *part* of a crowd is ticked by itself, see [`CrowdPart`](super::CrowdPart).

use super::observer::{CrowdStep, ObservedHost};
use super::{Crowd, Tally};
use crate::crowd::{NoWatchers, OneWatcher, SwitchError, Watchers};
use crate::engine::batch::BatchEngine;
use crate::engine::watch::Unwatched;
use crate::engine::{Counts, Tick, TickOrder, Watch, asked};
use crate::host::Host;
use crate::layout::BIT_WORDS;
use crate::store::{Agents, Chunk, Place, of_bits};
use crate::values::{AccessError, Agent, EventTarget, Outcome, StaleAgent};
use core::num::NonZeroU16;
use core::ops::Range;

/// Result of a tick within a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetedTick {
    /// Counts of the outcomes.
    pub tally: Tally,
    /// True if all agents have had their turn. Else the next tick within a budget continues with
    /// the rest.
    pub ended: bool,
}

/// Ticks.
impl Crowd {
    /// Ticks each agent that is awake, once. If agents have [paces](Crowd::set_pace), only agents
    /// whose turn it is are ticked. Allocates nothing. `H` is any [`Host`].
    ///
    /// A tree that ended in an earlier tick begins anew. `now` is the time, in the unit that the
    /// trees and the host use, milliseconds in most dialects. It should not decrease. If it does,
    /// nodes that wait for a time wait until that time comes again.
    ///
    /// `host` is the one that the program was linked with, or one that resolves names to the same
    /// numbers. If the host panics, the ticks of the agents that asked end with a fault, and the
    /// tally counts them (with the feature `std`).
    #[inline]
    pub fn tick<H: ObservedHost + ?Sized>(&mut self, now: i64, host: &mut H) -> Tally {
        self.tick_watched(now, host, &mut NoWatchers)
    }

    /// Ticks as [`Crowd::tick`] does, and tells an observer each step of one agent. All results
    /// are those of [`Crowd::tick`].
    ///
    /// # Errors
    /// If the agent is gone. No agent is ticked then.
    pub fn tick_watching<H: ObservedHost + ?Sized, W: Watch>(
        &mut self,
        now: i64,
        host: &mut H,
        agent: Agent,
        watch: &mut W,
    ) -> Result<Tally, StaleAgent> {
        let place = self.agents.find(agent)?;
        Ok(self.tick_watched(now, host, &mut OneWatcher { place, watch }))
    }

    /// Ticks as [`Crowd::tick`] does, and tells observers of agents each of their steps:
    /// [`Traces`](crate::watch::Traces) of some agents, [`Statistics`](crate::watch::Statistics) of
    /// many, or both as `&mut (&mut traces, &mut statistics)`. Allocates only if the crowd has more
    /// agents than ever before.
    #[inline]
    pub fn tick_watched<H: ObservedHost + ?Sized, W: Watchers>(
        &mut self,
        now: i64,
        host: &mut H,
        watchers: &mut W,
    ) -> Tally {
        self.tell(host, now, CrowdStep::Begin(None));
        self.next = 0;
        watchers.begin(self, now);
        let tally = self.whole().tick_watched(now, host.split().0, watchers);
        self.tell(host, now, CrowdStep::Ticked(0..self.chunks.len()));
        self.end_tick(now, host);
        tally
    }

    /// Ticks chunks of agents as far as a budget allows, but at least one chunk. The next call
    /// continues with the chunk that follows. When all chunks have had their turn, the tick ends as
    /// by [`Crowd::end_tick`], and the next call begins with the first chunk. An agent counts as
    /// many instructions as its tree can take at most, see
    /// [`Program::bounds`](crate::Program::bounds). So the result does not depend on the engine or
    /// the machine.
    ///
    /// Agents that are spawned or switch between two such ticks may wait for the next
    /// round, or be up twice. Where agents run [by
    /// index](crate::engine::TickOrder::ByIndex), all are ticked at once.
    pub fn tick_within<H: ObservedHost + ?Sized>(
        &mut self,
        now: i64,
        host: &mut H,
        budget: u64,
    ) -> BudgetedTick {
        if self.order == TickOrder::ByIndex {
            return BudgetedTick { tally: self.tick(now, host), ended: true };
        }
        self.tell(host, now, CrowdStep::Begin(None));
        let first = self.next;
        let tally = self.chunks_within(now, host.split().0, budget);
        let (last, ended) = (self.next, self.next >= self.chunks.len());
        if ended {
            self.next = 0;
        }
        self.tell(host, now, CrowdStep::Ticked(first..last));
        if ended {
            self.end_tick(now, host);
        }
        BudgetedTick { tally, ended }
    }

    /// Ticks the agents of some chunks by index. It does not end the tick.
    pub(crate) fn tick_chunks<H: Host + ?Sized, W: Watchers>(
        &mut self,
        chunks: Range<usize>,
        now: i64,
        mut host: &mut H,
        watchers: &mut W,
    ) {
        let end = if chunks.end < self.chunks.len() { chunks.end } else { 0 };
        let Self { program, chunks: all, agents, scratch, world, .. } = self;
        let mut tick = Tick { parts: &program.parts, scratch, world, now, host: asked(&mut host) };
        tick.by_index(all, chunks, agents, watchers);
        self.next = end;
    }

    /// Ticks chunks from the next one on, as far as a budget goes.
    fn chunks_within<H: Host + ?Sized>(&mut self, now: i64, mut host: &mut H, budget: u64) -> Tally {
        let Self { program, chunks, scratch, batch, world, next, .. } = self;
        let parts = &program.parts;
        let limit = scratch.runs.limit;
        let mut tick = Tick { parts, scratch, world, now, host: asked(&mut host) };
        let (mut tally, mut spent) = (Tally::default(), 0_u64);
        while let Some(chunk) = chunks.get_mut(*next) {
            let most = program.bounds_of(chunk.entry, limit).instructions;
            spent = spent.saturating_add(most.saturating_mul(chunk.count().into()));
            if tally != Tally::default() && spent > budget {
                break;
            }
            tally.count(tick.turn(batch, chunk));
            *next += 1;
        }
        tally
    }

    /// Sets the pace of an agent, of a group or of all agents: they are ticked every n-th time
    /// only. Agents with the same pace are spread over the n ticks by their indices. What counts
    /// ticks in a tree counts only ticks of its agent. New agents are ticked each time. May
    /// allocate.
    ///
    /// # Errors
    /// If the agent is gone or the group is not one of this crowd.
    pub fn set_pace(&mut self, whom: EventTarget, every: NonZeroU16) -> Result<(), AccessError> {
        match whom {
            EventTarget::Agent(agent) => {
                let place = self.agents.find(agent)?;
                self.chunks[place.chunk as usize].set_pace(place.lane, every.get());
            }
            EventTarget::Group(group) => {
                self.known(group)?;
                self.set_paces(every.get(), |chunk, lane| chunk.group(lane) == group.0);
            }
            EventTarget::All => self.set_paces(every.get(), |_, _| true),
        }
        Ok(())
    }

    /// Ticks one agent, for games that choose the agents of a tick themselves. When these have been
    /// ticked, the game must call [`Crowd::end_tick`].
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn tick_agent<H: ObservedHost + ?Sized, W: Watch>(
        &mut self,
        agent: Agent,
        now: i64,
        host: &mut H,
        watch: &mut W,
    ) -> Result<Outcome, StaleAgent> {
        let place = self.agents.find(agent)?;
        self.tell(host, now, CrowdStep::Begin(None));
        let entry = self.chunks[place.chunk as usize].entry;
        let outcome = self.run_entry(place, entry, now, host.split().0, watch);
        self.chunks[place.chunk as usize].note(place.lane, outcome);
        self.tell(host, now, CrowdStep::TickedAgent(agent));
        Ok(outcome)
    }

    /// Runs another tree of the program once for an agent, on the agent's own variables.
    /// The agent's own tree does not change. So a class tree can choose the agent's
    /// tree, for [`Crowd::switch`].
    ///
    /// # Errors
    /// If the agent is gone or there is no such tree.
    pub fn tick_entry<H: ObservedHost + ?Sized>(
        &mut self,
        agent: Agent,
        entry: &str,
        now: i64,
        host: &mut H,
    ) -> Result<Outcome, SwitchError> {
        let place = self.agents.find(agent).map_err(|StaleAgent| SwitchError::Stale)?;
        let index = self.entry(entry).map_err(SwitchError::NoEntry)?;
        self.tell(host, now, CrowdStep::Begin(None));
        let outcome = self.run_entry(place, index, now, host.split().0, &mut ());
        self.tell(host, now, CrowdStep::TickedEntry(agent, entry.into()));
        Ok(outcome)
    }

    fn run_entry<H: Host + ?Sized>(
        &mut self,
        place: Place,
        entry: u32,
        now: i64,
        mut host: &mut H,
        watch: &mut dyn Watch,
    ) -> Outcome {
        let Self { program, chunks, scratch, batch, world, .. } = self;
        let (parts, chunk) = (&*program.parts, &mut chunks[place.chunk as usize]);
        chunk.set_time(&parts.frame, now);
        let block = parts.block(entry) as u32;
        let mut tick = Tick { parts, scratch, world, now, host: asked(&mut host) };
        let has_paths = parts.frame.paths.as_ref().is_some_and(|paths| paths.entries[entry as usize]);
        if watch.is_on() {
            tick.block_watched(chunk, place.lane, block, watch)
        } else if has_paths && (chunk.paths.is_none() || chunk.is_list(place.lane)) {
            tick.block_watched(chunk, place.lane, block, &mut Unwatched)
        } else if batch.always() {
            batch.block(&mut tick, chunk, place.lane, block)
        } else {
            tick.block(chunk, place.lane, block, &mut ())
        }
    }

    fn set_paces(&mut self, every: u16, concerns: impl Fn(&Chunk, u8) -> bool) {
        for chunk in &mut self.chunks {
            for lane in chunk.lanes() {
                if concerns(chunk, lane) {
                    chunk.set_pace(lane, every);
                }
            }
        }
    }
}

impl<H: Host + ?Sized> Tick<'_, H> {
    /// Ticks the agents of some chunks whose turn it is, in the order of their indices.
    // Apart, so that it takes no registers from a tick of chunks.
    #[inline(never)]
    pub(super) fn by_index<W: Watchers>(
        &mut self,
        chunks: &mut [Chunk],
        which: Range<usize>,
        agents: &Agents,
        watchers: &mut W,
    ) -> Tally {
        let mut tally = Tally::default();
        for chunk in &mut chunks[which.clone()] {
            chunk.set_time(&self.parts.frame, self.now);
            chunk.next_turn();
        }
        for place in agents.places() {
            let index = place.chunk as usize;
            if which.contains(&index) && chunks[index].is_up(place.lane) {
                tally.count(self.watched((index, &mut chunks[index]), place.lane, watchers));
            }
        }
        tally
    }

    /// Ticks the agents of a chunk whose turn it is, on the faster engine.
    #[inline(always)]
    pub(super) fn turn(&mut self, batch: &mut BatchEngine, chunk: &mut Chunk) -> Counts {
        chunk.set_time(&self.parts.frame, self.now);
        if chunk.is_paced() || chunk.is_listed {
            chunk.next_turn();
            self.some(batch, chunk, chunk.up())
        } else if batch.takes(chunk.count()) {
            batch.lanes(self, chunk, chunk.awake())
        } else {
            self.chunk(chunk)
        }
    }

    /// Ticks the agents of a chunk whose turn it is, as [`Self::turn`] does. Agents that are seen
    /// by watchers are ticked one by one.
    #[inline(never)]
    pub(super) fn turn_watched<W: Watchers>(
        &mut self,
        batch: &mut BatchEngine,
        (index, chunk): (usize, &mut Chunk),
        seen: [u64; BIT_WORDS],
        watchers: &mut W,
    ) -> Counts {
        chunk.set_time(&self.parts.frame, self.now);
        chunk.next_turn();
        let (up, mut counts) = (chunk.up(), Counts::default());
        for lane in of_bits(core::array::from_fn(|word| up[word] & seen[word])) {
            counts.add(self.watched((index, chunk), lane, watchers));
        }
        counts.add(self.some(batch, chunk, core::array::from_fn(|word| up[word] & !seen[word])));
        counts
    }

    /// Ticks some agents of a chunk, on the faster engine.
    #[inline(never)]
    pub(super) fn some(
        &mut self,
        batch: &mut BatchEngine,
        chunk: &mut Chunk,
        mut lanes: [u64; BIT_WORDS],
    ) -> Counts {
        let mut counts = Counts::default();
        if chunk.is_listed {
            let listed = chunk.number_lists();
            for lane in of_bits(core::array::from_fn(|word| lanes[word] & listed[word])) {
                counts.add(self.listed(chunk, lane));
            }
            lanes = core::array::from_fn(|word| lanes[word] & !listed[word]);
        }
        if batch.takes(lanes.iter().map(|word| word.count_ones()).sum()) {
            counts.add(batch.lanes(self, chunk, lanes));
            return counts;
        }
        of_bits(lanes).for_each(|lane| counts.add(self.lane(chunk, lane)));
        counts
    }

    /// Ticks an agent whose running set is a list though its tree has numbers of
    /// paths: by the plain program.
    #[cold]
    fn listed(&mut self, chunk: &mut Chunk, lane: u8) -> Counts {
        let outcome = self.block_watched(chunk, lane, self.parts.block(chunk.entry) as u32, &mut Unwatched);
        chunk.note(lane, outcome);
        Counts::one(chunk.ends[usize::from(lane)])
    }

    /// Ticks one agent of a chunk step by step if it is watched.
    pub(super) fn watched<W: Watchers>(
        &mut self,
        (index, chunk): (usize, &mut Chunk),
        lane: u8,
        watchers: &mut W,
    ) -> Counts {
        let agent = chunk.agent(lane);
        let Some(mut watch) = watchers.watch((index, lane), agent) else {
            return if chunk.is_list(lane) { self.listed(chunk, lane) } else { self.lane(chunk, lane) };
        };
        let block = self.parts.block(chunk.entry) as u32;
        let outcome = self.block_watched(chunk, lane, block, &mut watch);
        drop(watch);
        chunk.note(lane, outcome);
        watchers.ticked((index, lane), agent, outcome);
        Counts::one(chunk.ends[usize::from(lane)])
    }
}
