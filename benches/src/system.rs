//! What is timed: a system that ticks all agents of a world.

use crate::world::{Counts, World};

/// One of the systems under comparison.
pub trait System<const TRACE: bool> {
    /// The world that its agents live in.
    fn world(&mut self) -> &mut World<TRACE>;

    /// Ticks every agent once. This alone is timed.
    fn tick(&mut self) -> Counts;
}
