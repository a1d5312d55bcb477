//! Ways to tick a crowd, and the pairs of engine and way that are compared.

use pleach::engine::{Engine, Vectors};

/// Way to tick a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// All agents at once.
    Whole,
    /// In this number of parts, sometimes by threads.
    Parts(usize),
    /// Chunk by chunk, with a budget for the least.
    Within,
    /// While one of the agents is watched.
    Watching,
    /// While some agents are traced, and all counted.
    Watched,
    /// All agents at once, while a recorder takes the input.
    Recorded,
    /// All agents at once. Before each tick everything is saved and restored: after another tick,
    /// in a new crowd, in another build.
    Restored,
    /// All agents at once. Before each tick the program is reloaded, from one build to another.
    Reloaded,
}

impl Way {
    /// Returns true if the input is recorded, for the program of this seed. A recording of parts
    /// has a snapshot after each tick.
    pub(super) fn is_recorded(self, seed: u64) -> bool {
        match self {
            Self::Recorded => true,
            Self::Within | Self::Watched => seed.is_multiple_of(16),
            Self::Parts(2) => seed.is_multiple_of(64),
            _ => false,
        }
    }
}

/// Returns all engines that this processor can run and all ways to tick, the one that
/// the others must equal first. Recordings take as long as all others together, so only
/// every fourth program is recorded.
pub(super) fn contenders(seed: u64) -> impl Iterator<Item = (Engine, Way)> {
    let engines = [Engine::Scalar].into_iter().chain(Vectors::all().map(Engine::Batch)).chain([Engine::Auto]);
    let ways = [Way::Parts(2), Way::Parts(5), Way::Within, Way::Watching, Way::Watched, Way::Recorded];
    let widest = Engine::Batch(Vectors::Avx512);
    let ways = ways.into_iter().filter(move |way| *way != Way::Recorded || seed.is_multiple_of(4));
    engines.map(|engine| (engine, Way::Whole)).chain(ways.map(move |way| (widest, way)))
}

/// Engines with all that is done to them when agents are to survive it.
pub(super) fn survivors() -> impl Iterator<Item = (Engine, Way)> {
    let batch = Engine::Batch(Vectors::Avx512);
    let ways = [Engine::Scalar, batch]
        .into_iter()
        .flat_map(|engine| [Way::Restored, Way::Reloaded].map(|way| (engine, way)));
    core::iter::once((Engine::Scalar, Way::Whole)).chain(ways)
}

/// One of each kind, every one of them on both kinds of engine from program to program.
pub(super) fn representatives(seed: u64) -> impl Iterator<Item = (Engine, Way)> {
    let mut engines = [Engine::Scalar, Engine::Batch(Vectors::Avx512)];
    engines.rotate_left((seed % 2) as usize);
    let whole = [Engine::Scalar, Engine::Batch(Vectors::Avx512)].map(|engine| (engine, Way::Whole));
    whole.into_iter().chain([(engines[0], Way::Restored), (engines[1], Way::Reloaded)])
}
