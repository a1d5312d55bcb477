//! A crowd: the agents of one program, and their ticks.

use crate::agents::{Agent, Agents, Place, Stale};
use crate::chunk::Chunk;
use crate::engine::Watch;
use crate::engine::scalar::{Run, Scratch};
use crate::frame::{Column, Variable};
use crate::host::{Call, Halt, Host, bit_column};
use crate::program::{Parts, Program};
use crate::status::{Outcome, Status};
use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How the ticks of a crowd came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Trees that failed.
    pub failure: u32,
    /// Trees that succeeded.
    pub success: u32,
    /// Trees that go on.
    pub running: u32,
    /// Trees that ended with a status outside the three.
    pub other: u32,
    /// Agents whose tick was cut short by a panic of the host.
    pub faults: u32,
}

impl Tally {
    fn add(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Status(Status::Failure) => &mut self.failure,
            Outcome::Status(Status::Success) => &mut self.success,
            Outcome::Status(Status::Running) => &mut self.running,
            Outcome::Status(Status::Other(_)) => &mut self.other,
            Outcome::Fault => &mut self.faults,
        } += 1;
    }

    /// All agents that were ticked.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.failure + self.success + self.running + self.other + self.faults
    }
}

/// An agent could not be spawned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpawnError {
    /// The program has no entry of this name.
    NoEntry(String),
    /// There are as many agents as handles can tell apart.
    Full,
}

impl fmt::Display for SpawnError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEntry(name) => write!(out, "the program has no tree `{name}`"),
            Self::Full => out.write_str("the crowd is full"),
        }
    }
}

impl core::error::Error for SpawnError {}

/// The agents of one program.
#[derive(Debug)]
pub struct Crowd {
    program: Program,
    chunks: Vec<Chunk>,
    /// For each entry, its chunks that may have room.
    open: Vec<Vec<u32>>,
    agents: Agents,
    scratch: Scratch,
    count: usize,
}

impl Crowd {
    /// A crowd without agents.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        Self {
            program: program.clone(),
            chunks: Vec::new(),
            open: vec![Vec::new(); program.entries().len()],
            agents: Agents::default(),
            scratch: Scratch::new(&program.parts),
            count: 0,
        }
    }

    /// The program that the agents run.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// How many agents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All agents, in the order in which they are ticked.
    pub fn agents(&self) -> impl Iterator<Item = Agent> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.lanes().filter_map(|lane| chunk.agent(lane)))
    }

    /// A new agent that runs the named tree, with a frame of zeros. May allocate.
    ///
    /// # Errors
    /// If the program has no such entry, or the crowd is full.
    pub fn spawn(&mut self, entry: &str) -> Result<Agent, SpawnError> {
        let entry = self.program.entry(entry).ok_or_else(|| SpawnError::NoEntry(entry.to_owned()))?;
        let place = self.room(entry);
        let agent = self.agents.add(place).ok_or(SpawnError::Full)?;
        self.chunks[place.chunk as usize].occupy(&self.program.parts.frame, place.lane, agent);
        self.count += 1;
        Ok(agent)
    }

    /// Ends an agent. The host is told which of its actions will not go on.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn despawn<H: Host + ?Sized>(&mut self, agent: Agent, now: i64, host: &mut H) -> Result<(), Stale> {
        let place = self.agents.find(agent)?;
        self.halt(agent, place, now, host, Halt::Despawned);
        self.vacate(place);
        self.agents.remove(agent);
        self.count -= 1;
        Ok(())
    }

    /// Lets an agent begin its tree anew. What is not part of its place in the tree stays: timers and variables.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn reset<H: Host + ?Sized>(&mut self, agent: Agent, now: i64, host: &mut H) -> Result<(), Stale> {
        let place = self.agents.find(agent)?;
        self.halt(agent, place, now, host, Halt::Reset);
        self.clear(place);
        Ok(())
    }

    /// Lets an agent run another tree of the program from its beginning. Timers and variables stay.
    ///
    /// # Errors
    /// If the agent is gone ([`SwitchError::Stale`]) or there is no such tree.
    pub fn switch<H: Host + ?Sized>(
        &mut self,
        agent: Agent,
        entry: &str,
        now: i64,
        host: &mut H,
    ) -> Result<(), SwitchError> {
        let from = self.agents.find(agent).map_err(|Stale| SwitchError::Stale)?;
        let entry = self.program.entry(entry).ok_or_else(|| SwitchError::NoEntry(entry.to_owned()))?;
        self.halt(agent, from, now, host, Halt::Switched);
        self.clear(from);
        if self.chunks[from.chunk as usize].entry != entry {
            self.move_to(agent, from, entry);
        }
        Ok(())
    }

    /// Ticks every agent once. `now` is the time, in the unit that the trees and the host use. Allocates nothing.
    pub fn tick<H: Host + ?Sized>(&mut self, now: i64, host: &mut H) -> Tally {
        let mut tally = Tally::default();
        let parts = &*self.program.parts;
        for chunk in &mut self.chunks {
            let block = parts.entries[chunk.entry as usize].block;
            for lane in chunk.lanes() {
                let outcome = run(parts, &mut self.scratch, chunk, lane, block, now, host, &mut ());
                chunk.outcomes[usize::from(lane)] = outcome;
                tally.add(outcome.unwrap_or(Outcome::Fault));
            }
        }
        tally
    }

    /// Ticks one agent.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn tick_agent<H: Host + ?Sized, W: Watch>(
        &mut self,
        agent: Agent,
        now: i64,
        host: &mut H,
        watch: &mut W,
    ) -> Result<Outcome, Stale> {
        let place = self.agents.find(agent)?;
        let entry = self.chunks[place.chunk as usize].entry;
        let outcome = self.run_entry(place, entry, now, host, watch);
        self.chunks[place.chunk as usize].outcomes[usize::from(place.lane)] = Some(outcome);
        Ok(outcome)
    }

    /// Runs another tree of the program once for an agent, on the agent's own frame; the agent's own tree stays what
    /// it is. This is how a class tree chooses.
    ///
    /// # Errors
    /// If the agent is gone or there is no such tree.
    pub fn tick_entry<H: Host + ?Sized>(
        &mut self,
        agent: Agent,
        entry: &str,
        now: i64,
        host: &mut H,
    ) -> Result<Outcome, SwitchError> {
        let place = self.agents.find(agent).map_err(|Stale| SwitchError::Stale)?;
        let entry = self.program.entry(entry).ok_or_else(|| SwitchError::NoEntry(entry.to_owned()))?;
        Ok(self.run_entry(place, entry, now, host, &mut ()))
    }

    /// What the agent's last tick came to; `None` before its first.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn outcome(&self, agent: Agent) -> Result<Option<Outcome>, Stale> {
        let place = self.agents.find(agent)?;
        Ok(self.chunks[place.chunk as usize].outcomes[usize::from(place.lane)])
    }

    /// A bit variable of an agent. A variable of another program names whatever bit has its place here, or none, which is
    /// `false`.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn bit(&self, agent: Agent, variable: Variable) -> Result<bool, Stale> {
        let place = self.agents.find(agent)?;
        let column = bit_column(&self.program.parts.frame, variable);
        Ok(column.is_some_and(|first| self.chunks[place.chunk as usize].bit(first, place.lane)))
    }

    /// Sets a bit variable of an agent.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn set_bit(&mut self, agent: Agent, variable: Variable, value: bool) -> Result<(), Stale> {
        let place = self.agents.find(agent)?;
        if let Some(first) = bit_column(&self.program.parts.frame, variable) {
            self.chunks[place.chunk as usize].set_bit(first, place.lane, value);
        }
        Ok(())
    }

    /// The nodes that an agent remembers as running, in the order they were added; empty if its dialect has no such
    /// memory.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn running_set(&self, agent: Agent) -> Result<&[u16], Stale> {
        let place = self.agents.find(agent)?;
        let chunk = &self.chunks[place.chunk as usize];
        let sets = self.program.parts.frame.slots.iter().filter_map(|slot| match slot.column {
            Column::Set { first, stride } => Some(chunk.set(first, stride, place.lane)),
            _ => None,
        });
        Ok(sets.map(|set| &set[1..=usize::from(set[0])]).next().unwrap_or_default())
    }

    fn run_entry<H: Host + ?Sized, W: Watch>(
        &mut self,
        place: Place,
        entry: u32,
        now: i64,
        host: &mut H,
        watch: &mut W,
    ) -> Outcome {
        let parts = &*self.program.parts;
        let chunk = &mut self.chunks[place.chunk as usize];
        let block = parts.entries[entry as usize].block;
        let outcome = run(parts, &mut self.scratch, chunk, place.lane, block, now, host, watch);
        outcome.unwrap_or(Outcome::Fault)
    }

    /// A free lane in a chunk of this entry; makes a chunk if all are full.
    fn room(&mut self, entry: u32) -> Place {
        let open = &mut self.open[entry as usize];
        while let Some(chunk) = open.last() {
            if let Some(lane) = self.chunks[*chunk as usize].vacancy() {
                return Place { chunk: *chunk, lane };
            }
            open.pop();
        }
        let chunk = self.chunks.len() as u32;
        self.chunks.push(Chunk::new(&self.program.parts.frame, entry));
        open.push(chunk);
        Place { chunk, lane: 0 }
    }

    fn vacate(&mut self, place: Place) {
        let chunk = &mut self.chunks[place.chunk as usize];
        let was_full = chunk.vacancy().is_none();
        chunk.vacate(place.lane);
        if was_full {
            self.open[chunk.entry as usize].push(place.chunk);
        }
    }

    fn move_to(&mut self, agent: Agent, from: Place, entry: u32) {
        let to = self.room(entry);
        let frame = &self.program.parts.frame;
        // Two chunks of different entries are two chunks.
        if let Ok([target, source]) = self.chunks.get_disjoint_mut([to.chunk as usize, from.chunk as usize]) {
            target.occupy(frame, to.lane, agent);
            target.copy_from(frame, to.lane, source, from.lane);
        }
        self.vacate(from);
        self.agents.move_to(agent, to);
    }

    fn clear(&mut self, place: Place) {
        let frame = &self.program.parts.frame;
        self.chunks[place.chunk as usize].clear(frame, place.lane, |slot| slot.reset);
    }

    /// Tells the host of every action that was running.
    fn halt<H: Host + ?Sized>(&mut self, agent: Agent, place: Place, now: i64, host: &mut H, reason: Halt) {
        let parts = &*self.program.parts;
        let chunk = &mut self.chunks[place.chunk as usize];
        for slot in &parts.frame.slots {
            let Column::Node { first } = slot.column else { continue };
            let node = chunk.node(first, place.lane);
            let Some(site) = parts.action_sites[usize::from(node)].checked_sub(1) else { continue };
            let site = parts.sites[site as usize];
            let mut call = Call {
                agent,
                function: site.function,
                args: parts.args(site),
                node: node.into(),
                fresh: false,
                now,
                frame: &parts.frame,
                chunk,
                lane: place.lane,
            };
            host.halt(&mut call, reason);
        }
    }
}

/// Runs a block for one lane; `None` for a lane without agent. A panic of the host is this agent's fault alone.
#[expect(clippy::too_many_arguments, reason = "the parts of a crowd, borrowed apart")]
fn run<H: Host + ?Sized, W: Watch>(
    parts: &Parts,
    scratch: &mut Scratch,
    chunk: &mut Chunk,
    lane: u8,
    block: u32,
    now: i64,
    host: &mut H,
    watch: &mut W,
) -> Option<Outcome> {
    let agent = chunk.agent(lane)?;
    let mut run = Run { parts, scratch, chunk, lane, agent, now, host, watch, other: 0 };
    let outcome = catch_unwind(AssertUnwindSafe(|| run.block(block)));
    Some(outcome.map_or(Outcome::Fault, Outcome::Status))
}

/// An agent could not be switched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SwitchError {
    /// The agent is gone.
    Stale,
    /// The program has no entry of this name.
    NoEntry(String),
}

impl fmt::Display for SwitchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => Stale.fmt(out),
            Self::NoEntry(name) => write!(out, "the program has no tree `{name}`"),
        }
    }
}

impl core::error::Error for SwitchError {}
