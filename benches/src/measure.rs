//! Time, taken so that a shared machine distorts it little.
//!
//! What is compared is measured in turns, repetition by repetition, so that a slow phase of the machine hits all; and
//! what counts is the median over the repetitions.

use crate::system::System;
use crate::world::World;
use std::time::{Duration, Instant};

/// The median; of an even number, the lower of the two in the middle. 0 of nothing.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

/// How long `work` takes.
pub fn time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// A system that is measured in turns with others.
pub struct Runner {
    system: Box<dyn System<false>>,
    /// A world of its own, to learn what advancing it costs.
    blank: World<false>,
    frame: u32,
    frames: u32,
    nanos: Vec<f64>,
}

impl core::fmt::Debug for Runner {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Runner")
            .field("frame", &self.frame)
            .field("nanos", &self.nanos)
            .finish_non_exhaustive()
    }
}

impl Runner {
    /// Repetitions shall take about `ticks` agent-ticks each.
    #[must_use]
    pub fn new(mut system: Box<dyn System<false>>, ticks: usize) -> Self {
        let agents = system.world().agents();
        let frames = (ticks / agents).max(1) as u32;
        Self { system, blank: World::new(agents), frame: 0, frames, nanos: Vec::new() }
    }

    /// Runs frames without measuring, so that agents are in the midst of things.
    pub fn warm_up(&mut self, frames: u32) {
        for _ in 0..frames {
            self.step();
        }
    }

    /// One repetition. Advancing the world is no part of a tick, and too short to be left out by stopping the clock
    /// where agents are few; so it is measured alone and subtracted.
    pub fn repeat(&mut self) {
        let first = self.frame;
        let (world, ()) = time(|| (first..first + self.frames).for_each(|frame| self.blank.advance(frame)));
        let (all, ()) = time(|| (0..self.frames).for_each(|_| self.step()));
        let ticks = self.blank.agents() as f64 * f64::from(self.frames);
        self.nanos.push(all.saturating_sub(world).as_nanos() as f64 / ticks);
    }

    /// Nanoseconds for an agent's tick.
    #[must_use]
    pub fn nanos(&self) -> f64 {
        median(self.nanos.clone())
    }

    fn step(&mut self) {
        self.system.world().advance(self.frame);
        core::hint::black_box(self.system.tick());
        self.frame += 1;
    }
}
