//! Ticks of a crowd: of all its agents, of those whose turn it is, of as many as there is time for.
//!
//! Four things leave agents out of a tick, and all are the same from run to run: they go by how often an agent was up,
//! by what its program can cost at most, and by what the host wants, never by a clock.
//!
//! * An agent that [sleeps](Crowd::sleep) is left out until it is woken.
//! * A *pace* lets an agent be ticked every n-th time only. Who has the same pace is spread over the n times by index.
//! * A *budget* ends a tick at the border of a chunk. The next one goes on there, and when all chunks have had their turn,
//!   the round is over and what agents share is put together.
//! * A *part* of a crowd is ticked by itself, see [`Part`](super::Part).

use super::{Crowd, Tally, To};
use crate::agents::{Agent, Place, Stale};
use crate::cell::AccessError;
use crate::chunk::Chunk;
use crate::engine::Watch;
use crate::engine::batch::Batch;
use crate::engine::sweep::{Counts, Tick};
use crate::frame::BIT_WORDS;
use crate::host::Host;
use crate::program::Order;
use core::num::NonZeroU16;

/// What became of a tick within a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// How the ticks came out.
    pub tally: Tally,
    /// Whether all agents have had their turn. If not, the next tick within a budget goes on with the others.
    pub ended: bool,
}

impl Tally {
    pub(super) fn of(ticked: u32, counts: Counts) -> Self {
        let [failure, success, running, other] = counts.all();
        // All others have come to an end.
        Self { failure, success, running, other, faults: ticked - counts.sum() }
    }
}

impl Crowd {
    /// Ticks every agent once that is awake, or, if agents have [paces](Crowd::set_pace), those whose turn it is. `now` is the time, in the
    /// unit that the trees and the host use. Allocates nothing.
    // What is returned stays in registers where this is inlined: see `Counts`.
    #[inline]
    pub fn tick<H: Host + ?Sized>(&mut self, now: i64, host: &mut H) -> Tally {
        let counts = self.tick_all(now, host, None::<(Place, &mut ())>);
        Tally::of(self.ticked(), counts)
    }

    /// The same, but somebody watches one of the agents. It is run step by step, all others as ever, and all come to the same
    /// as if nobody watched.
    ///
    /// # Errors
    /// If the agent is gone. Nobody is ticked then.
    pub fn tick_watching<H: Host + ?Sized, W: Watch>(
        &mut self,
        now: i64,
        host: &mut H,
        agent: Agent,
        watch: &mut W,
    ) -> Result<Tally, Stale> {
        let place = self.agents.find(agent)?;
        let counts = self.tick_all(now, host, Some((place, watch)));
        Ok(Tally::of(self.ticked(), counts))
    }

    /// How many agents were up in the last tick of all.
    #[inline]
    fn ticked(&self) -> u32 {
        if self.paced { self.up } else { (self.count - self.asleep) as u32 }
    }

    #[inline(never)]
    fn tick_all<H: Host + ?Sized, W: Watch>(
        &mut self,
        now: i64,
        host: &mut H,
        mut watched: Option<(Place, &mut W)>,
    ) -> Counts {
        self.next = 0;
        if self.paced {
            self.up = self.chunks.iter_mut().map(Chunk::next_turn).sum();
        }
        let Self { program, chunks, agents, scratch, batch, world, .. } = self;
        let mut tick = Tick { parts: &program.parts, scratch, world, now, host };
        let mut counts = Counts::default();
        if program.parts.order == Order::ByIndex {
            for Place { chunk, lane } in agents.places() {
                let watch = watched.as_mut().filter(|(place, _)| *place == Place { chunk, lane });
                let chunk = &mut chunks[chunk as usize];
                if chunk.is_up(lane) {
                    counts.add(match watch {
                        Some((_, watch)) => tick.watched(chunk, lane, *watch),
                        None => tick.lane(chunk, lane),
                    });
                }
            }
        } else {
            for (index, chunk) in chunks.iter_mut().enumerate() {
                let mut lanes = chunk.up();
                if let Some((place, watch)) = &mut watched
                    && place.chunk as usize == index
                    && chunk.is_up(place.lane)
                {
                    lanes[usize::from(place.lane) / 64] &= !(1 << (place.lane % 64));
                    counts.add(tick.watched(chunk, place.lane, *watch));
                }
                counts.add(some(&mut tick, batch, chunk, lanes));
            }
        }
        self.end_tick(now, host);
        counts
    }

    /// Ticks as many agents as a budget has room for, chunk by chunk, and at least one chunk; the next such tick goes on
    /// where this one ended. When all have had their turn, the tick is ended as [`Crowd::end_tick`] does, and the next one
    /// begins anew. Each agent of a chunk counts as many instructions as its tree can take at most, see
    /// [`Program::bounds`](crate::Program::bounds). So it makes no difference which engine runs, or how fast.
    ///
    /// Agents that are spawned or switch between two such ticks may wait for the next round, or be up twice. Where agents run
    /// [by index](crate::Order::ByIndex), all are ticked at once.
    pub fn tick_within<H: Host + ?Sized>(&mut self, now: i64, host: &mut H, budget: u64) -> Round {
        if self.program.parts.order == Order::ByIndex {
            return Round { tally: self.tick(now, host), ended: true };
        }
        let Self { program, chunks, scratch, batch, world, next, .. } = self;
        let parts = &program.parts;
        let limit = scratch.runs.limit();
        let mut tick = Tick { parts, scratch, world, now, host };
        let (mut counts, mut ticked, mut spent) = (Counts::default(), 0, 0_u64);
        while let Some(chunk) = chunks.get_mut(*next) {
            let most = program.bounds_of(chunk.entry, limit).instructions;
            spent = spent.saturating_add(most.saturating_mul(chunk.count().into()));
            if ticked > 0 && spent > budget {
                return Round { tally: Tally::of(ticked, counts), ended: false };
            }
            ticked += chunk.next_turn();
            let lanes = chunk.up();
            counts.add(some(&mut tick, batch, chunk, lanes));
            *next += 1;
        }
        *next = 0;
        self.end_tick(now, host);
        Round { tally: Tally::of(ticked, counts), ended: true }
    }

    /// Lets an agent, or all that are in a group, or all, be ticked every n-th time only. What counts ticks in their trees
    /// counts those in which they are up. Who has the same pace is up in turns, by index. A new agent is up each time.
    /// May allocate.
    ///
    /// # Errors
    /// If the agent is gone or the group is not one of this crowd.
    pub fn set_pace(&mut self, whom: To, every: NonZeroU16) -> Result<(), AccessError> {
        self.paced |= every.get() > 1;
        match whom {
            To::Agent(agent) => {
                let place = self.agents.find(agent)?;
                self.chunks[place.chunk as usize].set_pace(place.lane, every.get());
            }
            To::Group(group) => {
                self.known(group)?;
                self.set_paces(every.get(), |chunk, lane| chunk.group(lane) == group.0);
            }
            To::All => self.set_paces(every.get(), |_, _| true),
        }
        Ok(())
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

/// Ticks some agents of a chunk, by what is faster.
#[inline]
pub(super) fn some<H: Host + ?Sized>(
    tick: &mut Tick<'_, H>,
    batch: &mut Batch,
    chunk: &mut Chunk,
    lanes: [u64; BIT_WORDS],
) -> Counts {
    if lanes == chunk.awake() {
        return if batch.takes(chunk.count()) { batch.lanes(tick, chunk, lanes) } else { tick.chunk(chunk) };
    }
    if batch.takes(lanes.iter().map(|word| word.count_ones()).sum()) {
        return batch.lanes(tick, chunk, lanes);
    }
    let mut counts = Counts::default();
    for (index, mut word) in lanes.into_iter().enumerate() {
        while word != 0 {
            counts.add(tick.lane(chunk, (index * 64) as u8 + word.trailing_zeros() as u8));
            word &= word - 1;
        }
    }
    counts
}

impl<H: Host + ?Sized> Tick<'_, H> {
    /// Ticks one agent of a chunk step by step.
    fn watched<W: Watch>(&mut self, chunk: &mut Chunk, lane: u8, watch: &mut W) -> Counts {
        let block = self.parts.entries[chunk.entry as usize].block;
        let outcome = self.block(chunk, lane, block, watch);
        chunk.note(lane, outcome);
        Counts::one(chunk.ends[usize::from(lane)])
    }
}
