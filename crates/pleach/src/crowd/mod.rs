//! The agents of one program and their ticks: in parts, within a budget, by columns, at rules.
//!
//! [`Crowd`] is what most games need. The other types are views of it and results of its methods.

// `tick` has the ticks of all agents and `part` those of some, `variables` the agents' own
// variables, `shared` what agents share, `rules` where agents are, `places` where in their trees,
// and whether they are ticked.

mod columns;
mod error;
mod inspect;
pub(crate) mod observer;
mod part;
mod places;
mod rules;
mod shared;
mod tally;
mod tick;
mod tuning;
mod variables;
pub(crate) mod watchers;

pub use crate::store::RuleError;
pub use columns::{ColumnView, ColumnViewMut};
pub use error::{MissingTree, SpawnError, SwitchError};
pub use inspect::Inspection;
pub(crate) use observer::{CrowdObserver, CrowdStep, ObservedHost};
pub use part::CrowdPart;
pub use rules::{RuleView, RuleViewMut};
pub use tally::Tally;
pub use tick::BudgetedTick;
pub(crate) use watchers::{NoWatchers, OneWatcher, Watchers};

use alloc::alloc::handle_alloc_error;
use alloc::{vec, vec::Vec};
use core::alloc::Layout;
use part::Worker;

use crate::engine::batch::BatchEngine;
use crate::engine::{Engine, Scratch, Tick, TickOrder, asked};
use crate::host::panics::caught;
use crate::host::{Halt, Host};
use crate::layout::Frame;
use crate::program::Program;
use crate::store::{Agents, Chunk, Place, World};
use crate::values::{Agent, Outcome, PANIC, StaleAgent};
use alloc::collections::{BinaryHeap, TryReserveError};
use core::cmp::Reverse;
use core::num::NonZeroU16;

/// Agents of one program, with everything that changes while they run.
///
/// A crowd is made of a program, agents are spawned by the name of their tree, and each tick runs
/// all of them:
///
/// ```no_run
/// use pleach::{Bindings, Crowd, Image, Program, Status};
/// let mut host = Bindings::new(());
/// host.action("heal", |_, _| Status::Success).query("hurt", |_, _| true);
/// let program = Program::link(&Image::load("guard.plc").unwrap(), &host).unwrap();
/// let health = program.variable("health").unwrap();
///
/// let mut crowd = Crowd::new(&program);
/// let guard = crowd.spawn("guard").unwrap();
/// assert_eq!(crowd.tick(0, &mut host).success, 1);
/// assert_eq!(crowd.get::<f32>(guard, health), Ok(50.0));
/// ```
///
/// Its methods stand in groups: making a crowd and its agents here; then
/// [ticks](Crowd::tick) of all, [variables](Crowd::get), what agents [share](Crowd::add_group),
/// and the rest.
#[derive(Debug)]
pub struct Crowd {
    pub(crate) program: Program,
    pub(crate) chunks: Vec<Chunk>,
    /// For each entry, its chunks that have room, the first on top.
    open: Vec<BinaryHeap<Reverse<u32>>>,
    pub(crate) agents: Agents,
    scratch: Scratch,
    batch: BatchEngine,
    pub(crate) world: World,
    pub(crate) count: usize,
    /// No more agents than this.
    pub(crate) most: usize,
    engine: Engine,
    /// For parts that are ticked by themselves, beside the first.
    workers: Vec<Worker>,
    /// The chunk with which a tick within a budget goes on.
    pub(crate) next: usize,
    /// In which order agents run.
    order: TickOrder,
    /// True if all agents run by index in ticks and events, as in replays.
    replays: bool,
}

/// Making a crowd, and its agents.
impl Crowd {
    /// Returns a crowd without agents.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut crowd = Self::untuned(program);
        crowd.begin_tuned(|_| true);
        crowd
    }

    /// Returns a crowd without agents, with the declared values of tunables.
    fn untuned(program: &Program) -> Self {
        let (parts, scratch) = (&program.parts, Scratch::new(&program.parts));
        Self {
            program: program.clone(),
            chunks: Vec::new(),
            open: vec![BinaryHeap::new(); program.entries().len()],
            agents: Agents::default(),
            batch: BatchEngine::new(parts, Engine::Auto, scratch.runs.limit),
            scratch,
            world: World::new(&parts.shared, parts.events.len(), parts.gate_counts, &parts.texts),
            count: 0,
            most: usize::MAX,
            engine: Engine::Auto,
            workers: Vec::new(),
            next: 0,
            order: program.parts.order,
            replays: false,
        }
    }

    /// Chooses the engine. By default, this is [`Engine::Auto`], which is right for games; tests
    /// and measurements may choose another engine.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.set_engine(engine);
        self
    }

    /// Chooses the engine of the next ticks, as [`Crowd::with_engine`] does.
    pub fn set_engine(&mut self, engine: Engine) {
        self.batch = BatchEngine::new(&self.program.parts, engine, self.scratch.runs.limit);
        self.engine = engine;
        self.workers.clear();
    }

    /// Returns the program that the agents run.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the number of agents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true if the crowd has no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns all agents in the order in which they are ticked. (If the program's order is
    /// [`ByIndex`](crate::engine::TickOrder::ByIndex), they are ticked by index instead.)
    pub fn agents(&self) -> impl Iterator<Item = Agent> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.lanes().map(|lane| chunk.agent(lane)))
    }

    /// Returns the agent with this [index](Agent::index); `None` if there is none.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<Agent> {
        self.agents.at(u32::try_from(index).ok()?)
    }

    /// Limits the number of agents. If there are as many or more, the crowd is full: agents that
    /// exist stay, and no agent can be spawned. By default, only memory limits the number.
    pub fn set_most(&mut self, agents: usize) {
        self.most = agents;
    }

    /// Spawns an agent that runs the named tree. The agent's variables have their declared values.
    /// May allocate.
    ///
    /// # Errors
    /// If the program has no such entry, or the crowd is full. Nothing has changed then.
    pub fn spawn(&mut self, tree: &str) -> Result<Agent, SpawnError> {
        let entry = self.entry(tree).map_err(SpawnError::NoEntry)?;
        self.spawn_entry(entry)
    }

    /// Returns the index of a tree that agents can run.
    fn entry(&self, name: &str) -> Result<u32, MissingTree> {
        self.program.entry(name).ok_or_else(|| MissingTree::new(name, &self.program))
    }

    /// Spawns an agent by the index of an entry, which must exist.
    pub(crate) fn spawn_entry(&mut self, entry: u32) -> Result<Agent, SpawnError> {
        if self.count >= self.most {
            return Err(SpawnError::Full);
        }
        self.agents.reserve_one().map_err(|_| SpawnError::Full)?;
        let place = self.room(entry).map_err(|_| SpawnError::Full)?;
        let agent = self.agents.add(place).ok_or(SpawnError::Full)?;
        self.chunks[place.chunk as usize].occupy(&self.program.parts.frame, place.lane, agent);
        // A replay reads the values from its recording.
        if !self.replays {
            self.begin_tuned_at(place, |_| true);
        }
        self.close_if_full(place);
        self.count += 1;
        Ok(agent)
    }

    /// Removes an agent. The host is told which of the agent's actions do not continue.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn despawn<H: ObservedHost + ?Sized>(
        &mut self,
        agent: Agent,
        now: i64,
        host: &mut H,
    ) -> Result<(), StaleAgent> {
        let place = self.agents.find(agent)?;
        self.tell(host, now, CrowdStep::Begin(None));
        self.wake(agent)?;
        self.halt(place, now, host.split().0, Halt::Despawned);
        self.leave_gates(place);
        self.vacate(place);
        self.agents.remove(agent);
        self.count -= 1;
        self.tell(host, now, CrowdStep::Despawned(agent));
        Ok(())
    }

    /// Resets an agent to the beginning of its tree. Timers and variables keep their values.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn reset<H: ObservedHost + ?Sized>(
        &mut self,
        agent: Agent,
        now: i64,
        host: &mut H,
    ) -> Result<(), StaleAgent> {
        let place = self.agents.find(agent)?;
        self.tell(host, now, CrowdStep::Begin(None));
        self.halt(place, now, host.split().0, Halt::Reset);
        self.leave_gates(place);
        self.clear(place);
        self.tell(host, now, CrowdStep::Reset(agent));
        Ok(())
    }

    /// Switches an agent to the beginning of another tree of the program. Timers and variables keep
    /// their values. May allocate.
    ///
    /// # Errors
    /// If the agent is gone ([`SwitchError::Stale`]), there is no such tree, or no
    /// room for one more agent of it.
    pub fn switch<H: ObservedHost + ?Sized>(
        &mut self,
        agent: Agent,
        entry: &str,
        now: i64,
        host: &mut H,
    ) -> Result<(), SwitchError> {
        let from = self.agents.find(agent).map_err(|StaleAgent| SwitchError::Stale)?;
        let index = self.entry(entry).map_err(SwitchError::NoEntry)?;
        let stays = self.chunks[from.chunk as usize].entry == index;
        let to = if stays { from } else { self.room(index).map_err(|_| SwitchError::Full)? };
        self.tell(host, now, CrowdStep::Begin(None));
        self.halt(from, now, host.split().0, Halt::Switched);
        self.leave_gates(from);
        self.clear(from);
        self.chunks[to.chunk as usize].set_time(&self.program.parts.frame, now);
        let done = stays || self.move_to(agent, from, to);
        self.tell(host, now, CrowdStep::Switched(agent, entry.into()));
        if done { Ok(()) } else { Err(SwitchError::Full) }
    }

    /// Returns the outcome of the agent's last tick; `None` before the first.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn outcome(&self, agent: Agent) -> Result<Option<Outcome>, StaleAgent> {
        let place = self.agents.find(agent)?;
        Ok(self.chunks[place.chunk as usize].outcome(place.lane))
    }

    /// Returns the chunk and the lane of an agent.
    pub(crate) fn chunk_of(&self, agent: Agent) -> Result<(&Chunk, u8), StaleAgent> {
        let Place { chunk, lane } = self.agents.find(agent)?;
        Ok((&self.chunks[chunk as usize], lane))
    }

    /// Returns the chunk and the lane of an agent, with the layout of its frame.
    pub(crate) fn place_of(&mut self, agent: Agent) -> Result<(&mut Chunk, &Frame, u8), StaleAgent> {
        let Place { chunk, lane } = self.agents.find(agent)?;
        Ok((&mut self.chunks[chunk as usize], &self.program.parts.frame, lane))
    }

    /// Returns a free lane in a chunk of this entry. If all are full, makes a chunk.
    fn room(&mut self, entry: u32) -> Result<Place, TryReserveError> {
        let Self { chunks, open, program, .. } = self;
        let open = &mut open[entry as usize];
        let vacancy = open.peek().and_then(|chunk| Some((chunk.0, chunks[chunk.0 as usize].vacancy()?)));
        if let Some((chunk, lane)) = vacancy {
            return Ok(Place { chunk, lane });
        }
        let (chunk, parts) = (chunks.len() as u32, &program.parts);
        let sweep = parts.sweeps[parts.block(entry)].clone();
        let new = Chunk::new(&parts.frame, entry, sweep)?;
        chunks.try_reserve(1)?;
        // All chunks may have free lanes one day. The memory for that is reserved now.
        open.try_reserve(chunks.len() + 1 - open.len())?;
        chunks.push(new);
        open.push(Reverse(chunk));
        Ok(Place { chunk, lane: 0 })
    }

    /// Removes a chunk from the open ones if its last free lane was taken. It must be the
    /// first open chunk of its entry.
    fn close_if_full(&mut self, place: Place) {
        let chunk = &self.chunks[place.chunk as usize];
        if chunk.vacancy().is_none() {
            self.open[chunk.entry as usize].pop();
        }
    }

    /// Reserves memory so that all of this number of chunks can be open.
    pub(crate) fn reserve_open(&mut self, chunks: usize) -> Result<(), TryReserveError> {
        self.open.iter_mut().try_for_each(|open| open.try_reserve(chunks.saturating_sub(open.len())))
    }

    /// Computes again the open chunks and the number of agents, after
    /// the chunks have been replaced.
    pub(crate) fn settle_in(&mut self) {
        self.open.iter_mut().for_each(BinaryHeap::clear);
        self.count = 0;
        for (index, chunk) in self.chunks.iter().enumerate() {
            self.count += chunk.occupied().iter().map(|word| word.count_ones() as usize).sum::<usize>();
            if chunk.vacancy().is_some() {
                self.open[chunk.entry as usize].push(Reverse(index as u32));
            }
        }
        self.workers.iter_mut().for_each(|worker| worker.world.forget());
    }

    /// Combines what parts of the crowd wrote to shared variables and raised,
    /// as the end of the tick would.
    #[inline]
    pub(crate) fn gather(&mut self) {
        if !self.workers.is_empty() {
            self.gather_all();
        }
    }

    #[inline(never)]
    fn gather_all(&mut self) {
        for worker in &mut self.workers {
            self.world.absorb(&mut worker.world);
        }
    }

    /// Returns a crowd without agents that runs another program with the same settings.
    pub(crate) fn like(&self, program: &Program) -> Self {
        let mut other = Self::new(program).with_engine(self.engine);
        let own = self.program.parts.frame.rules.as_ref().map_or(0, |rules| rules.limit);
        if let Some(limit) = NonZeroU16::new(self.step_limit()).filter(|limit| limit.get() != own) {
            other.set_step_limit(limit);
        }
        other.world.fixed = self.world.fixed;
        other.most = self.most;
        other
    }

    /// Returns a crowd without agents in which all agents run by index.
    pub(crate) fn replaying(program: &Program) -> Self {
        Self {
            order: TickOrder::ByIndex,
            replays: true,
            ..Self::untuned(program).with_engine(Engine::Scalar)
        }
    }

    /// Becomes a copy of another crowd of the same program, but for engine and order.
    pub(crate) fn follow(&mut self, other: &Self) {
        self.chunks.truncate(other.chunks.len());
        for (index, from) in other.chunks.iter().enumerate() {
            match self.chunks.get_mut(index).filter(|chunk| chunk.entry == from.entry) {
                Some(chunk) => chunk.follow(from),
                None => {
                    // A recorder cannot continue without memory.
                    let chunk = Chunk::new(&self.program.parts.frame, from.entry, from.sweep.clone());
                    let mut chunk = chunk.unwrap_or_else(|_| handle_alloc_error(Layout::new::<Chunk>()));
                    chunk.follow(from);
                    self.chunks.splice(index..(index + 1).min(self.chunks.len()), [chunk]);
                }
            }
        }
        self.world.clone_from(&other.world);
        self.next = other.next;
        if self.step_limit() != other.step_limit() {
            NonZeroU16::new(other.step_limit()).into_iter().for_each(|limit| self.set_step_limit(limit));
        }
        if !self.agents.is_like(&other.agents) {
            self.agents.replace(other.agents.rows(), other.agents.free.iter().copied());
            self.settle_in();
        }
    }

    /// Copies one agent's chunk and the shared variables of another crowd of the same program.
    pub(crate) fn follow_agent(&mut self, other: &Self, agent: Agent) {
        if let Ok(Place { chunk, .. }) = other.agents.find(agent) {
            self.chunks[chunk as usize].follow(&other.chunks[chunk as usize]);
        }
        self.world.clone_from(&other.world);
    }

    /// Returns all agents, by index.
    pub(crate) fn agents_by_index(&self) -> impl Iterator<Item = Agent> + '_ {
        self.agents.places().map(|place| self.chunks[place.chunk as usize].agent(place.lane))
    }

    /// Frees the places that an agent has behind gates.
    fn leave_gates(&mut self, place: Place) {
        let Self { program, chunks, world, .. } = self;
        let chunk = &mut chunks[place.chunk as usize];
        program.parts.gates.iter().for_each(|gate| gate.leave(world, chunk, place.lane));
    }

    fn vacate(&mut self, place: Place) {
        let chunk = &mut self.chunks[place.chunk as usize];
        let was_full = chunk.vacancy().is_none();
        chunk.vacate(place.lane);
        if was_full {
            self.open[chunk.entry as usize].push(Reverse(place.chunk));
        }
    }

    /// Moves an agent to a lane that no other agent has. Returns false if
    /// handles cannot name the lane.
    fn move_to(&mut self, agent: Agent, from: Place, to: Place) -> bool {
        if !self.agents.move_to(agent, to) {
            return false;
        }
        let frame = &self.program.parts.frame;
        // Chunks of different entries are always two chunks.
        if let Ok([target, source]) = self.chunks.get_disjoint_mut([to.chunk as usize, from.chunk as usize]) {
            target.occupy(frame, to.lane, agent);
            target.copy_from(frame, to.lane, source, from.lane);
        }
        self.close_if_full(to);
        self.vacate(from);
        true
    }

    fn clear(&mut self, place: Place) {
        let frame = &self.program.parts.frame;
        self.chunks[place.chunk as usize].clear(frame, place.lane, |slot| slot.reset);
    }

    /// Tells the host that every running action is halted. A panic of the host is this agent's
    /// fault; the operation that halted the agent continues.
    fn halt<H: Host + ?Sized>(&mut self, place: Place, now: i64, mut host: &mut H, reason: Halt) {
        let Self { program, chunks, scratch, world, .. } = self;
        let chunk = &mut chunks[place.chunk as usize];
        chunk.set_time(&program.parts.frame, now);
        let mut tick = Tick { parts: &program.parts, scratch, world, now, host: asked(&mut host) };
        if caught(|| tick.agent(chunk, place.lane, &mut ()).stop_all(reason)).is_err() {
            chunk.end(place.lane, PANIC, 0);
        }
    }
}
