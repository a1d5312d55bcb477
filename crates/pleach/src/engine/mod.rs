//! Engines that run programs, to be chosen by tests and measurements, and the order of agents.

// `parts` has all that engines read of a program. `walk` runs the steps of one agent, the rarer
// ones in `scalar`, with what concerns the host in `leaf` and `wrap` and expressions in `evaluate`.
// `sweep` ticks the agents of a chunk, in `lists` as far as no host is needed, or one by one
// (`alone`). `batch` runs all agents of a chunk in one sweep over the code.

pub(crate) mod alone;
pub(crate) mod batch;
mod evaluate;
pub(crate) mod leaf;
mod lists;
pub(crate) mod parts;
mod rules;
pub(crate) mod runs;
pub(crate) mod scalar;
mod sets;
pub(crate) mod sweep;
pub(crate) mod walk;
pub(crate) mod watch;
mod wrap;

pub use batch::Vectors;
pub(crate) use parts::Limiter;
pub use parts::TickOrder;
pub(crate) use runs::Runs;
pub(crate) use scalar::Scratch;
pub(crate) use sweep::{Counts, Tick, asked};
pub(crate) use watch::{Watch, WatchContext};

/// Engine that ticks the agents of a crowd. All engines have the same results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// For each chunk, the engine that is faster for its number of agents.
    #[default]
    Auto,
    /// Scalar engine: agents are ticked one after the other.
    Scalar,
    /// Batch engine: all agents of a chunk are ticked at once, with vectors not wider than these.
    Batch(batch::Vectors),
}
