//! Parts of a crowd, which can be ticked by different threads.
//!
//! Within a tick, agents of a crowd do not depend on each other: shared variables are read as they
//! were when the tick began. Writes to them are combined when the tick has ended, in a way that
//! does not depend on their order. So a crowd can be divided at the borders of its chunks. The
//! results are the same on any thread, in any order and with any number of parts. The game chooses
//! the threads: those of its job system, of a thread pool, or of the standard library.
//!
//! ```
//! use pleach::{Crowd, Host};
//!
//! /// A tick on as many threads as there are hosts.
//! fn tick(crowd: &mut Crowd, now: i64, hosts: &mut [impl Host + Send]) {
//!     std::thread::scope(|scope| {
//!         for (mut part, host) in crowd.parts(hosts.len()).zip(&mut *hosts) {
//!             scope.spawn(move || part.tick(now, host));
//!         }
//!     });
//!     crowd.end_tick(now, &mut hosts[0]);
//! }
//! ```

use super::{Crowd, Tally};
use crate::crowd::{NoWatchers, Watchers};
use crate::engine::batch::BatchEngine;
use crate::engine::{Engine, Runs, Scratch, Tick, TickOrder, asked};
use crate::host::Host;
use crate::program::Program;
use crate::store::{Agents, Chunk, World};

/// Memory of a part.
#[derive(Debug)]
pub(super) struct Worker {
    scratch: Scratch,
    batch: BatchEngine,
    /// Shared variables as they were when the tick began, and the writes of agents of the part.
    pub(super) world: World,
}

impl Worker {
    fn new(program: &Program, engine: Engine, world: &World) -> Self {
        let parts = &program.parts;
        let scratch = Scratch::new(parts);
        let batch = BatchEngine::new(parts, engine, scratch.runs.limit);
        Self { scratch, batch, world: world.apart() }
    }

    /// Prepares the memory for a tick.
    fn begin(&mut self, scratch: &Scratch, world: &World) {
        if self.scratch.runs.limit != scratch.runs.limit {
            self.scratch.runs = Runs::new(scratch.runs.limit);
            self.batch.allow(scratch.runs.limit);
        }
        self.world.follow(world);
    }
}

/// Range of chunks of a crowd that one thread ticks. See [`Crowd::parts`].
#[derive(Debug)]
pub struct CrowdPart<'a> {
    pub(super) program: &'a Program,
    pub(super) chunks: &'a mut [Chunk],
    /// All agents, if they run by index.
    agents: Option<&'a Agents>,
    scratch: &'a mut Scratch,
    batch: &'a mut BatchEngine,
    world: &'a mut World,
}

impl CrowdPart<'_> {
    /// Ticks the agents of the part as [`Crowd::tick`] ticks all agents, but does not end the tick.
    #[inline(never)]
    pub fn tick<H: Host + ?Sized>(&mut self, now: i64, host: &mut H) -> Tally {
        self.tick_watched(now, host, &mut NoWatchers)
    }

    /// Ticks the agents of the part, as [`Self::tick`] does, and lets the watchers see their
    /// agents. The part is the whole crowd.
    #[inline(always)]
    pub(super) fn tick_watched<H: Host + ?Sized, W: Watchers>(
        &mut self,
        now: i64,
        mut host: &mut H,
        watchers: &mut W,
    ) -> Tally {
        let Self { program, chunks, agents, scratch, batch, world } = self;
        let mut tick = Tick { parts: &program.parts, scratch, world, now, host: asked(&mut host) };
        if let Some(agents) = agents {
            return tick.by_index(chunks, 0..chunks.len(), agents, watchers);
        }
        let mut tally = Tally::default();
        for (index, chunk) in chunks.iter_mut().enumerate() {
            let seen = watchers.seen(index);
            // Each word is compared by itself: so the compiler finds out that no agent is watched.
            tally.count(if seen.iter().all(|lanes| *lanes == 0) {
                tick.turn(batch, chunk)
            } else {
                tick.turn_watched(batch, (index, chunk), seen, watchers)
            });
        }
        tally
    }
}

/// Parts of a crowd, for threads.
impl Crowd {
    /// Returns all of the crowd.
    #[inline]
    pub(super) fn whole(&mut self) -> CrowdPart<'_> {
        let Self { program, chunks, agents, scratch, batch, world, order, .. } = self;
        let agents = (*order == TickOrder::ByIndex).then_some(&*agents);
        CrowdPart { program, chunks, agents, scratch, batch, world }
    }

    /// Divides the crowd into parts with about equal numbers of chunks, at most `most` of them and
    /// at least one. Threads may tick the parts at the same time, each with a host of its own. All
    /// these hosts must return the same number for a name in [`Host::resolve`]. A
    /// [`Bindings`](crate::Bindings) cannot be sent to another thread, so a game whose threads
    /// share a world has to implement [`Host`].
    ///
    /// When each part has been ticked once, the game must call [`Crowd::end_tick`]. The crowd is
    /// then in the same state as after [`Crowd::tick`]. Agents of a part that was not ticked stay
    /// as they were.
    ///
    /// If agents run [by index](TickOrder::ByIndex), there is only one part. Allocates memory the
    /// first time that this crowd is divided into so many parts.
    pub fn parts(&mut self, most: usize) -> impl Iterator<Item = CrowdPart<'_>> {
        let Self { program, chunks, agents, scratch, batch, world, workers, engine, order, .. } = self;
        let agents = (*order == TickOrder::ByIndex).then_some(&*agents);
        let most = if agents.is_some() { 1 } else { most.clamp(1, chunks.len().max(1)) };
        let others = most - 1;
        while workers.len() < others {
            workers.push(Worker::new(program, *engine, world));
        }
        let workers = &mut workers[..others];
        workers.iter_mut().for_each(|worker| worker.begin(scratch, world));
        let program = &*program;
        let mut rest = chunks.as_mut_slice();
        let mut cut = move |parts: usize| {
            let chunks = core::mem::take(&mut rest);
            let (chunks, others) = chunks.split_at_mut(chunks.len().div_ceil(parts));
            rest = others;
            chunks
        };
        let first = CrowdPart { program, chunks: cut(most), agents, scratch, batch, world };
        core::iter::once(first).chain(workers.iter_mut().enumerate().map(move |(index, worker)| {
            let Worker { scratch, batch, world } = worker;
            CrowdPart { program, chunks: cut(others - index), agents: None, scratch, batch, world }
        }))
    }
}
