//! Time, taken so that a shared machine distorts it little.
//!
//! Systems are measured in turns, repetition by repetition, so that a slow phase of the machine
//! affects all of them. A sample is short, so that another program seldom interrupts it. The result
//! is the median of all samples.

use crate::system::{Named, Role, System};
use std::time::{Duration, Instant};

/// Returns the median. For an even number of values it is the lower one of the middle two; without
/// values it is 0.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

/// Runs `work`. Returns its duration and its result.
pub fn time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// Minimum number of agent-ticks of a sample. With few agents, a sample is a mean over frames;
/// with many, it is one frame.
const SAMPLE: usize = 1000;

/// System that is measured in turns with other systems.
pub struct Runner {
    /// Name of the system in the lines of figures.
    pub name: &'static str,
    /// Role of the system in the comparison.
    pub role: Role,
    system: Box<dyn System>,
    frame: u32,
    /// Frames of a sample.
    frames: u32,
    /// Samples of a repetition.
    samples: usize,
    /// Duration of each sample, in nanoseconds.
    nanos: Vec<f64>,
}

impl core::fmt::Debug for Runner {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Runner")
            .field("name", &self.name)
            .field("frame", &self.frame)
            .field("nanos", &self.nanos())
            .finish_non_exhaustive()
    }
}

impl Runner {
    /// Measures a system. Other libraries are slow, and get fewer frames.
    #[must_use]
    pub fn new(named: Named) -> Self {
        let Named { name, role, system } = named;
        // A sweep over one agent takes as long as one over hundreds.
        let ticks = match (role, system.agents()) {
            (Role::Peer, _) => 10_000,
            (_, 0..1000) => 20_000,
            _ => 200_000,
        };
        let frames = SAMPLE.div_ceil(system.agents());
        let samples = (ticks / (frames * system.agents())).max(1);
        Self { name, role, system, frame: 0, frames: frames as u32, samples, nanos: Vec::new() }
    }

    /// Returns the number of agents of the system.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.system.agents()
    }

    /// Runs frames without measuring, so that agents are in the midst of things and caches hold
    /// them.
    pub fn warm_up(&mut self, frames: u32) {
        for _ in 0..frames {
            self.step();
        }
    }

    /// One repetition. Advancing the world is no part of a tick, so the clock runs for the ticks
    /// only; what reading the clock takes is subtracted, for it is longer than the tick of one
    /// agent.
    pub fn repeat(&mut self) {
        let clock = clock();
        self.warm_up(1);
        for _ in 0..self.samples {
            let taken: Duration = (0..self.frames).map(|_| self.step()).sum();
            let nanos = taken.as_nanos() as f64 / f64::from(self.frames) - clock;
            self.nanos.push(nanos.max(0.0) / self.system.agents() as f64);
        }
    }

    /// Nanoseconds for an agent's tick.
    #[must_use]
    pub fn nanos(&self) -> f64 {
        median(self.nanos.clone())
    }

    fn step(&mut self) -> Duration {
        self.frame += 1;
        self.system.step(self.frame - 1)
    }
}

/// Returns the time between two readings of the clock, in nanoseconds. An empty frame would seem to
/// take so long.
fn clock() -> f64 {
    const READS: u32 = 100;
    let read = |_| time(|| core::hint::black_box(())).0;
    let mean = |_| (0..READS).map(read).sum::<Duration>().as_nanos() as f64 / f64::from(READS);
    median((0..15).map(mean).collect())
}
