//! State that agents share, for the host: groups

use super::Crowd;
use super::observer::{CrowdStep, ObservedHost};
use crate::engine::{Limiter, Tick, asked};
use crate::host::Host;
use crate::layout::BIT_WORDS;
use crate::store::columns::expect_type;
use crate::store::{Chunk, Place, World, of_bits};
use crate::values::{
    AccessError, Agent, Event, EventTarget, Group, InternError, Outcome, SharedVariable, StaleAgent, TextId,
    TextTable, VariableValue, entry_of, held, stored,
};
use alloc::vec::Vec;
use pleach_image::splitmix::mix;

/// Agents that are looked up together.
const AT_ONCE: usize = 64;

/// Groups, what agents share, events and chance.
impl Crowd {
    /// Sets the seed of random draws. By default, the seed is 0.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.world.seed = mix(seed);
        self
    }

    /// Replaces all random draws by one number, for tests of trees. Draws are from 0 to 1 - 2^-24.
    /// Another number is replaced by the nearest of these, and NaN by 0.
    #[must_use]
    pub fn with_fixed_chance(mut self, drawn: f64) -> Self {
        const HIGHEST: f64 = 1.0 - 1.0 / (1 << 24) as f64;
        self.world.fixed = Some(if drawn.is_nan() { 0.0 } else { drawn.clamp(0.0, HIGHEST) });
        self
    }

    /// Returns the number of a text, by which variables hold it. A text that is new in the crowd
    /// gets a number, which stays as long as the crowd lives. May allocate.
    ///
    /// # Errors
    /// If the text has more than [`MAX_TEXT`](crate::values::MAX_TEXT) bytes, or the host has
    /// interned [`MAX_INTERNED`](crate::values::MAX_INTERNED) texts.
    pub fn intern(&mut self, text: impl AsRef<[u8]>) -> Result<TextId, InternError> {
        TextTable::intern(&mut self.world.texts, text.as_ref()).map(TextId)
    }

    /// Returns the bytes of a text; no bytes for a number of no text.
    #[must_use]
    pub fn text(&self, text: TextId) -> &[u8] {
        self.world.texts.get(text.0)
    }

    /// Adds a group, whose variables have their declared values. All agents begin in the default
    /// group.
    ///
    /// # Errors
    /// [`AccessError::NoPlace`] if there are 2^32 groups.
    pub fn add_group(&mut self) -> Result<Group, AccessError> {
        self.world.add_group().ok_or(AccessError::NoPlace)
    }

    /// Puts an agent into a group. The places that the agent has in nodes limited by group become
    /// free in the old group. If the program has no group variables, no events and no nodes limited
    /// by group, the group makes no difference to the tree. May allocate.
    ///
    /// # Errors
    /// If the agent is gone or the group is not one of this crowd.
    pub fn join(&mut self, agent: Agent, group: Group) -> Result<(), AccessError> {
        let place = self.agents.find(agent)?;
        self.known(group)?;
        let Self { program, chunks, world, .. } = self;
        let chunk = &mut chunks[place.chunk as usize];
        if chunk.group(place.lane) != group.0 {
            for gate in program.parts.gates.iter().filter(|gate| gate.grouped) {
                gate.leave(world, chunk, place.lane);
            }
        }
        chunk.set_group(place.lane, group.0);
        Ok(())
    }

    pub(super) fn known(&self, group: Group) -> Result<(), AccessError> {
        if self.world.has(group) { Ok(()) } else { Err(AccessError::NoPlace) }
    }

    /// Returns the value of a group's variable; if the variable belongs to the world, the group
    /// makes no difference. A boolean is 1 or 0.
    ///
    /// # Errors
    /// If the program has no such variable or the crowd no such group.
    pub fn shared(&self, variable: SharedVariable, group: Group) -> Result<f64, AccessError> {
        self.known(group)?;
        self.world.number(variable, group).ok_or(AccessError::NoVariable)
    }

    /// Sets a variable of a group or of the world to the nearest value that it can hold.
    ///
    /// # Errors
    /// As [`Crowd::shared`].
    pub fn set_shared(
        &mut self,
        variable: SharedVariable,
        group: Group,
        value: f64,
    ) -> Result<(), AccessError> {
        self.known(group)?;
        let (kind, _) = self.world.entry_at(variable, group).ok_or(AccessError::NoVariable)?;
        self.world.set(variable, group, entry_of(kind, stored(kind, value))).ok_or(AccessError::NoVariable)
    }

    /// Returns the exact value of a group's variable of this type; if the variable belongs to the
    /// world, the group makes no difference.
    ///
    /// # Errors
    /// As [`Crowd::shared`], and if the variable has another type.
    pub fn shared_value<T: VariableValue>(
        &self,
        variable: SharedVariable,
        group: Group,
    ) -> Result<T, AccessError> {
        self.known(group)?;
        let (kind, entry) = self.world.entry_at(variable, group).ok_or(AccessError::NoVariable)?;
        expect_type::<T>(kind)?;
        Ok(T::of(held(kind, entry)))
    }

    /// Sets a variable of a group or of the world, of this type.
    ///
    /// # Errors
    /// As [`Crowd::shared_value`].
    pub fn set_shared_value<T: VariableValue>(
        &mut self,
        variable: SharedVariable,
        group: Group,
        value: T,
    ) -> Result<(), AccessError> {
        let _: T = self.shared_value(variable, group)?;
        self.world.set(variable, group, entry_of(T::KIND, value.bits())).ok_or(AccessError::NoVariable)
    }

    /// Raises an event at once, between ticks.
    ///
    /// # Errors
    /// If the agent is gone, the group unknown, or the event not one of this program.
    pub fn raise<H: ObservedHost + ?Sized>(
        &mut self,
        event: Event,
        to: EventTarget,
        now: i64,
        host: &mut H,
    ) -> Result<(), AccessError> {
        let number = usize::from(event.0);
        if number >= self.program.parts.events.len() {
            return Err(AccessError::NoVariable);
        }
        match to {
            EventTarget::Agent(agent) => {
                let place = self.agents.find(agent)?;
                self.happen_to((agent, place), now, host, event);
                return Ok(());
            }
            EventTarget::Group(group) => self.known(group)?,
            EventTarget::All => {}
        }
        self.tell(host, now, CrowdStep::Begin(None));
        self.happen(now, host.split().0, number, |_, chunk| match to {
            EventTarget::Group(group) => chunk.of_groups(|other| other == group.0),
            _ => chunk.occupied(),
        });
        self.world.commit();
        self.tell(host, now, CrowdStep::Raised(event, to));
        Ok(())
    }

    /// Raises many events at once, each for one agent, in order. The result is that of
    /// [`Crowd::raise`] for each event, but takes less time, because places of many agents are
    /// looked up together.
    ///
    /// # Errors
    /// The first, if agents are gone or events are not of this program. All others have happened.
    pub fn raise_each<H: ObservedHost + ?Sized>(
        &mut self,
        events: &[(Agent, Event)],
        now: i64,
        host: &mut H,
    ) -> Result<(), AccessError> {
        let mut error = None;
        for events in events.chunks(AT_ONCE) {
            // Places first: where agents are is seldom in a cache, and so the processor
            // waits for all of them together.
            let mut places = [Err(StaleAgent); AT_ONCE];
            for (place, (agent, _)) in places.iter_mut().zip(events) {
                *place = self.agents.find(*agent);
            }
            for ((agent, event), place) in events.iter().zip(places) {
                match place {
                    Ok(place) if usize::from(event.0) < self.program.parts.events.len() => {
                        self.happen_to((*agent, place), now, host, *event);
                    }
                    Ok(_) => error = error.or(Some(AccessError::NoVariable)),
                    Err(stale) => error = error.or(Some(stale.into())),
                }
            }
        }
        error.map_or(Ok(()), Err)
    }

    /// Lets an event happen for one agent.
    fn happen_to<H: ObservedHost + ?Sized>(
        &mut self,
        (agent, place): (Agent, Place),
        now: i64,
        host: &mut H,
        event: Event,
    ) {
        self.tell(host, now, CrowdStep::Begin(Some(agent)));
        let Self { program, chunks, scratch, world, .. } = self;
        let block = program.parts.events[usize::from(event.0)].block;
        let chunk = &mut chunks[place.chunk as usize];
        chunk.set_time(&program.parts.frame, now);
        let mut asking = host.split().0;
        let mut tick = Tick { parts: &program.parts, scratch, world, now, host: asked(&mut asking) };
        happen(&mut tick, chunk, place.lane, block);
        self.world.commit();
        self.tell(host, now, CrowdStep::Raised(event, EventTarget::Agent(agent)));
    }

    /// Ends a tick: combines the values that agents wrote to shared variables, runs the events that
    /// agents raised, grants places in limited nodes, and prepares the random draws of the next
    /// tick. [`Crowd::tick`] calls this itself. After a round of [`Crowd::tick_agent`] or of
    /// [parts](Crowd::parts), the host calls it.
    #[inline]
    pub fn end_tick<H: ObservedHost + ?Sized>(&mut self, now: i64, host: &mut H) {
        self.gather();
        self.tell(host, now, CrowdStep::Begin(None));
        if self.world.written || self.world.any_raised || !self.program.parts.limiters.is_empty() {
            self.settle(now, host);
        }
        self.world.tick = self.world.tick.wrapping_add(1);
        self.tell(host, now, CrowdStep::Ended);
    }

    /// Does everything at the end of a tick except preparing the draws of the next tick.
    #[inline(never)]
    fn settle<H: ObservedHost + ?Sized>(&mut self, now: i64, host: &mut H) {
        self.world.commit();
        if self.world.any_raised {
            for event in 0..self.program.parts.events.len() {
                self.happen(now, host.split().0, event, |world, chunk| {
                    chunk.of_groups(|group| world.is_raised(event as u16, group))
                });
                self.tell(host, now, CrowdStep::Happened(Event(event as u16)));
            }
            self.world.settle();
            self.world.commit();
        }
        for limiter in 0..self.program.parts.limiters.len() {
            self.grant(self.program.parts.limiters[limiter]);
        }
    }

    /// Lets an event happen for all agents whom it concerns.
    fn happen<H: Host + ?Sized>(
        &mut self,
        now: i64,
        mut host: &mut H,
        event: usize,
        concerns: impl Fn(&World, &Chunk) -> [u64; BIT_WORDS],
    ) {
        let Self { program, chunks, agents, scratch, batch, world, replays, .. } = self;
        let block = program.parts.events[event].block;
        chunks.iter_mut().for_each(|chunk| chunk.set_time(&program.parts.frame, now));
        let mut tick = Tick { parts: &program.parts, scratch, world, now, host: asked(&mut host) };
        if *replays {
            let lanes: Vec<_> = chunks.iter().map(|chunk| concerns(tick.world, chunk)).collect();
            for Place { chunk, lane } in agents.places() {
                if lanes[chunk as usize][usize::from(lane) / 64] >> (lane % 64) & 1 != 0 {
                    happen(&mut tick, &mut chunks[chunk as usize], lane, block);
                }
            }
            return;
        }
        for chunk in chunks {
            let lanes = concerns(tick.world, chunk);
            if !batch.happens(&mut tick, chunk, lanes, block) {
                of_bits(lanes).for_each(|lane| happen(&mut tick, chunk, lane, block));
            }
        }
    }

    /// Grants the free places of a limiter to the agents that want one, lowest index first.
    fn grant(&mut self, limiter: Limiter) {
        let inside: usize = self.chunks.iter().map(|chunk| inside(chunk, &limiter)).sum();
        let mut free = (limiter.places as usize).saturating_sub(inside);
        let mut wanting = 0;
        for chunk in &mut self.chunks {
            chunk.bits[limiter.granted as usize..][..BIT_WORDS].fill(0);
            let occupied = chunk.occupied();
            let wants = &mut chunk.bits[limiter.wants as usize..][..BIT_WORDS];
            for (wants, occupied) in wants.iter_mut().zip(occupied) {
                *wants &= occupied;
                wanting += wants.count_ones() as usize;
            }
        }
        if wanting == 0 {
            return;
        }
        for place in self.agents.places() {
            let chunk = &mut self.chunks[place.chunk as usize];
            if chunk.bit(limiter.wants, place.lane) {
                chunk.set_bit(limiter.wants, place.lane, false);
                chunk.set_bit(limiter.granted, place.lane, free > 0);
                free = free.saturating_sub(1);
                wanting -= 1;
            }
            if wanting == 0 {
                return;
            }
        }
    }
}

/// Runs an event's block for an agent.
fn happen<H: Host + ?Sized>(tick: &mut Tick<'_, H>, chunk: &mut Chunk, lane: u8, block: u32) {
    if let outcome @ Outcome::Fault(_) = tick.block(chunk, lane, block, &mut ()) {
        chunk.note(lane, outcome);
    }
}

/// Returns the number of agents of a chunk that are inside a limited node.
fn inside(chunk: &Chunk, limiter: &Limiter) -> usize {
    let nodes = limiter.low..=limiter.high;
    chunk.lanes().filter(|lane| nodes.contains(&chunk.half(limiter.column, *lane))).count()
}
