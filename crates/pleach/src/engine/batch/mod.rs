//! The batch engine: all agents of a chunk in one sweep over the code.
//!
//! Within a tick, control only goes forward. So one pass over a tree's steps, in their order, is
//! enough to run any number of agents through it. Each *label* has a mask of the lanes that
//! continue there, and when the sweep reaches the label, the mask is complete. A step is done once,
//! for all its lanes. A leaf is called once, with all its agents. A test divides the lanes in two.
//! A call of a block is a sweep within the sweep.
//!
//! ```text
//!                    lanes 0..8, lane 4 waits     health < 30 for lanes 0 3 7, visible for 3 5
//!   wait             4: counts down, runs
//!   health < 30      01235678  -> 0 3 7 go on, 12568 pending at `else`
//!   visible          0 3 7     -> 3 goes on, 0 7 pending at `else`
//!   out := 1         3         -> pending at `running`
//!   else: out := 7   0125678   -> pending at `success`
//! ```
//!
//! The results, and the promises to the host, are the same as those of ticking one agent after the
//! other. Each agent's own calls come in the order of its own tree, and writes to shared variables
//! are combined after the tick. Only the order across agents differs, which a program must not
//! depend on. A program that does (see [`crate::host::Effect`]) is not run in batches.
//!
//! Work without an effect is done for all lanes of a column, needed or not: a comparison
//! of 64 lanes costs less than finding the needed ones. Work that calls the host or writes
//! is done only for its lanes.
//!
//! [`crate::code::batch`] has the steps, which are made when a program is linked. [`sweep`] runs
//! them, [`asking`] has the calls of the host, [`rules`] the steps of agents at rules, and
//! [`evaluate`] the expressions. [`lanes`] has the operations on vectors of the processor, and
//! [`columns`] those on a whole chunk.

mod apart;
mod asking;
mod chain;
mod columns;
mod ending;
mod evaluate;
mod lanes;
mod mask;
mod reacting;
mod rules;
mod scratch;
mod stack;
mod sweep;
mod trails;

use crate::code::batch::BatchCode;
use scratch::BatchScratch;

use crate::engine::Engine;
use crate::engine::parts::{Parts, TickOrder};
use crate::engine::sweep::{Counts, Tick};
use crate::host::Host;
use crate::layout::{BIT_WORDS, LANES};
use crate::store::chunk::Chunk;
use crate::values::{Fault, Outcome, PANIC};
#[cfg(target_arch = "x86_64")]
use lanes::x86::{Avx2, Avx512};
use lanes::{Lanes, Portable};
use mask::Mask;

/// Width of the vectors that the batch engine uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Vectors {
    /// Vectors that the build of the game is compiled for: of 16 bytes on nearly all processors.
    Portable,
    /// Vectors of 32 bytes (AVX2).
    Avx2,
    /// Vectors of 64 bytes (AVX-512 with F, BW, DQ and VL).
    Avx512,
}

impl Vectors {
    /// Returns the widths that this processor supports, the narrowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        let all = [Self::Portable, Self::Avx2, Self::Avx512];
        all.into_iter().filter(|vectors| vectors.width().is_some())
    }

    fn width(self) -> Option<Found> {
        match self {
            Self::Portable => Some(Found::Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::of_this_processor().map(Found::Avx2),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::of_this_processor().map(Found::Avx512),
            #[cfg(not(target_arch = "x86_64"))]
            _ => None,
        }
    }
}

/// Vectors that this processor has been asked for.
#[derive(Clone, Copy, Debug)]
enum Found {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Found {
    /// Returns the widest vectors that this processor has, but none wider than these.
    fn up_to(most: Vectors) -> Self {
        let widths = Vectors::all().filter(|vectors| *vectors <= most).filter_map(Vectors::width);
        widths.last().unwrap_or(Self::Portable)
    }

    /// Returns the number of agents of a chunk from which on a sweep is faster than ticking one
    /// after the other, for trees with few and with many tests. The number was measured and then
    /// increased. Without vectors, the portable form is not always faster even for a whole chunk.
    fn least(self) -> u32 {
        const VECTORS: bool =
            cfg!(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128"));
        match self {
            Found::Portable if VECTORS => 128,
            Found::Portable => u32::MAX,
            #[cfg(target_arch = "x86_64")]
            Found::Avx2(_) => 128,
            #[cfg(target_arch = "x86_64")]
            Found::Avx512(_) => 64,
        }
    }
}

/// Returns the number of agents from which on the batch engine pays for agents that are
/// at rules. It grows with the rules of a tree, because agents at different rules are
/// ticked one rule after the other.
fn fewest_at_rules(parts: &Parts) -> u32 {
    const FOR_EACH: u32 = 4;
    let rules = parts.frame.rules.as_ref().map_or(0, |rules| rules.most(parts.held.len()));
    rules as u32 * FOR_EACH
}

/// Ticks chunks, each in one sweep.
#[derive(Debug)]
pub(crate) struct BatchEngine {
    width: Found,
    /// Number of agents of a chunk from which on the chunk is swept. No chunk has so many if
    /// the program cannot be swept.
    least: u32,
    scratch: BatchScratch,
}

impl BatchEngine {
    pub(crate) fn new(parts: &Parts, engine: Engine, limit: u16) -> Self {
        let most = if let Engine::Batch(vectors) = engine { vectors } else { Vectors::Avx512 };
        let width = Found::up_to(most);
        let least = match engine {
            Engine::Auto => width.least().max(fewest_at_rules(parts)),
            Engine::Scalar => u32::MAX,
            Engine::Batch(_) => 0,
        };
        let mut batch = match &parts.batch {
            Some(code) => Self { width, least, scratch: BatchScratch::new(parts, code) },
            None => Self { width, least: u32::MAX, scratch: BatchScratch::new(parts, &BatchCode::default()) },
        };
        batch.allow(limit);
        batch
    }

    /// Sets the number of rules that may run in an agent's tick. May allocate.
    pub(crate) fn allow(&mut self, limit: u16) {
        let sweeps = self.takes(LANES as u32);
        self.scratch.trails.allow(if sweeps { limit } else { 0 });
    }

    /// Returns true if a sweep is worth it for this number of agents.
    #[inline]
    pub(crate) fn takes(&self, agents: u32) -> bool {
        agents >= self.least
    }

    /// Returns true if a sweep is done for any number of agents.
    pub(crate) fn always(&self) -> bool {
        self.least == 0
    }

    /// Ticks some agents of a chunk.
    pub(crate) fn lanes<H: Host + ?Sized>(
        &mut self,
        tick: &mut Tick<'_, H>,
        chunk: &mut Chunk,
        lanes: [u64; BIT_WORDS],
    ) -> Counts {
        let block = tick.parts.block(chunk.entry) as u32;
        self.sweep(tick, chunk, block, Mask(lanes))
    }

    /// Runs an event's block for some agents of a chunk, if they are enough. How their last ticks
    /// ended is kept, but for faults.
    pub(crate) fn happens<H: Host + ?Sized>(
        &mut self,
        tick: &mut Tick<'_, H>,
        chunk: &mut Chunk,
        lanes: [u64; BIT_WORDS],
        block: u32,
    ) -> bool {
        let agents = Mask(lanes);
        // Numbers beside statuses are not kept; few programs have them.
        let is_fit = tick.parts.order == TickOrder::Any && !tick.parts.frame.others;
        let Some(ends) = chunk.ends.first_chunk::<LANES>().copied() else { return false };
        if !is_fit || !self.takes(agents.count()) {
            return false;
        }
        self.sweep(tick, chunk, block, agents);
        for (end, before) in chunk.ends.iter_mut().zip(ends) {
            *end = if *end == PANIC { PANIC } else { before };
        }
        true
    }

    /// Runs a block for one agent. How its last tick ended is kept.
    pub(crate) fn block<H: Host + ?Sized>(
        &mut self,
        tick: &mut Tick<'_, H>,
        chunk: &mut Chunk,
        lane: u8,
        block: u32,
    ) -> Outcome {
        let mut agents = Mask::NONE;
        agents.set(lane);
        let (before, end) = (chunk.outcome(lane), chunk.ends[usize::from(lane)]);
        self.sweep(tick, chunk, block, agents);
        let outcome = chunk.outcome(lane);
        match before {
            Some(before) => chunk.note(lane, before),
            None => chunk.ends[usize::from(lane)] = end,
        }
        outcome.unwrap_or(Outcome::Fault(Fault::Panic))
    }

    fn sweep<H: Host + ?Sized>(
        &mut self,
        tick: &mut Tick<'_, H>,
        chunk: &mut Chunk,
        block: u32,
        agents: Mask,
    ) -> Counts {
        let Tick { parts, scratch, world, now, host } = tick;
        let mut tick = Tick { parts, scratch, world, now: *now, host: host as &mut dyn Host };
        match self.width {
            Found::Portable => self.with(Portable, &mut tick, chunk, block, agents),
            #[cfg(target_arch = "x86_64")]
            Found::Avx2(lanes) => self.with(lanes, &mut tick, chunk, block, agents),
            #[cfg(target_arch = "x86_64")]
            Found::Avx512(lanes) => self.with(lanes, &mut tick, chunk, block, agents),
        }
    }

    fn with(
        &mut self,
        lanes: impl Lanes,
        tick: &mut Tick<'_, dyn Host + '_>,
        chunk: &mut Chunk,
        block: u32,
        agents: Mask,
    ) -> Counts {
        let Tick { parts, scratch: scalar, world, now, host } = tick;
        // A program without code for sweeps takes no chunk.
        let Some(code) = &parts.batch else { return Counts::default() };
        let scratch = &mut self.scratch;
        let (now, host, faulted) = (*now, &mut **host, Mask::NONE);
        let sweep =
            sweep::Sweep { parts, code, scratch, scalar, world, chunk, now, host, lanes, faulted, place: 0 };
        lanes.run(sweep::BatchTick { sweep, block, agents })
    }
}
