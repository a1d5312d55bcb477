//! Systems that are compared and timed. A system ticks all agents of a world.

use crate::measure::time;
use core::time::Duration;
use pleach::engine::{Engine, Vectors};

/// Status of a node or a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The task cannot be done.
    Failure,
    /// The task is done.
    Success,
    /// The task continues.
    Running,
}

/// Number of ticks of one frame, by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Trees that failed.
    pub failure: u32,
    /// Trees that succeeded.
    pub success: u32,
    /// Trees that go on.
    pub running: u32,
}

impl Counts {
    /// Counts one tick.
    #[inline]
    pub fn add(&mut self, status: Status) {
        match status {
            Status::Failure => self.failure += 1,
            Status::Success => self.success += 1,
            Status::Running => self.running += 1,
        }
    }
}

impl core::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.failure += other.failure;
        self.success += other.success;
        self.running += other.running;
    }
}

/// System under comparison.
pub trait System {
    /// Returns the number of agents.
    fn agents(&self) -> usize;

    /// Begins a frame: the world changes. No part of a tick, and never timed.
    fn advance(&mut self, frame: u32);

    /// Ticks every agent once. This alone is timed.
    fn tick(&mut self) -> Counts;

    /// Runs a frame. Returns the duration of its ticks.
    fn step(&mut self, frame: u32) -> Duration {
        self.advance(frame);
        time(|| core::hint::black_box(self.tick())).0
    }

    /// Returns a number made of what each agent did, for comparing systems.
    fn digest(&self) -> u64;
}

/// Name of the hand-written version that other systems are compared with.
pub const NATIVE: &str = "native";
/// The other library that ratios are given for.
pub const BONSAI: &str = "bonsai-bt";

/// System with its name in the lines of figures.
pub struct Named {
    /// Name of the system.
    pub name: &'static str,
    /// Role of the system in the comparison.
    pub role: Role,
    /// System with its agents at their beginning.
    pub system: Box<dyn System>,
}

impl Named {
    /// Gives a system a name.
    #[must_use]
    pub fn new(name: &'static str, role: Role, system: impl System + 'static) -> Self {
        Self { name, role, system: Box::new(system) }
    }
}

impl core::fmt::Debug for Named {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Named").field("name", &self.name).field("role", &self.role).finish_non_exhaustive()
    }
}

/// Role of a system in the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Code as a programmer would write it by hand. Engines are compared with the fastest system of
    /// this role.
    Yardstick,
    /// Code written by hand for this tree and this processor, for the highest speed. It shows what
    /// could be reached.
    Ceiling,
    /// An engine of pleach.
    Engine,
    /// Another library.
    Peer,
}

/// Returns the engines that this processor can run.
pub fn engines() -> impl Iterator<Item = (&'static str, Engine)> {
    let batch = Vectors::all().map(|vectors| {
        let name = match vectors {
            Vectors::Portable => "batch-portable",
            Vectors::Avx2 => "batch-avx2",
            Vectors::Avx512 => "batch-avx512",
        };
        (name, Engine::Batch(vectors))
    });
    core::iter::once(("scalar", Engine::Scalar)).chain(batch)
}
