//! A crowd that two threads tick, each one half of it.
//!
//! Only a tick is to be measured, not the work before it in a game: starting or waking threads, and
//! bringing their data into the caches of their processors. So each thread first changes the fields
//! of its own agents, waits for the other one, and then ticks them.

use super::crowd::{Fields, Nobody, counts};
use super::world::{Kind, World};
use crate::measure::time;
use crate::system::{Counts, System};
use core::hint::{black_box, spin_loop};
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::{Acquire, Release};
use core::time::Duration;
use pleach::crowd::CrowdPart;
use pleach::{Tally, Variable};
use std::thread;

/// The agents of a world, for two threads.
#[derive(Debug)]
pub(super) struct Halves {
    whole: Fields,
    frame: u32,
}

impl Halves {
    /// Cuts a crowd in two.
    #[must_use]
    pub(super) fn of(whole: Fields) -> Self {
        Self { whole, frame: 0 }
    }

    /// Runs a frame. Returns the duration of its ticks and their results.
    fn both(&mut self) -> (Duration, Tally) {
        let Fields { world, crowd, fields, now, .. } = &mut self.whole;
        let (world, fields, now, frame) = (*world, &fields[..], *now, self.frame);
        let (cut, parts) = time(|| crowd.parts(2).collect::<Vec<_>>());
        let (ready, all) = (AtomicUsize::new(0), parts.len());
        let half = |mut part: CrowdPart<'_>| {
            change(&mut part, world, fields, frame);
            ready.fetch_add(1, Release);
            while ready.load(Acquire) < all {
                spin_loop();
            }
            time(|| black_box(part.tick(now, &mut Nobody)))
        };
        let halves = thread::scope(|scope| {
            let mut parts = parts.into_iter();
            let first = parts.next();
            let others: Vec<_> = parts.map(|part| scope.spawn(|| half(part))).collect();
            let others = others.into_iter().map(|other| other.join().expect("no half panics"));
            let first = first.map(half);
            first.into_iter().chain(others).collect::<Vec<_>>()
        });
        let (ended, ()) = time(|| crowd.end_tick(now, &mut Nobody));
        let longest = halves.iter().map(|(taken, _)| *taken).max().unwrap_or_default();
        (cut + longest + ended, halves.into_iter().fold(Tally::default(), |all, (_, half)| add(all, half)))
    }
}

fn add(all: Tally, half: Tally) -> Tally {
    Tally {
        failure: all.failure + half.failure,
        success: all.success + half.success,
        running: all.running + half.running,
        other: all.other + half.other,
        faults: all.faults + half.faults,
    }
}

/// The world writes the fields of some agents.
fn change(part: &mut CrowdPart<'_>, world: World, fields: &[Variable], frame: u32) {
    for chunk in 0..part.columns().chunks() {
        let agents: Vec<_> =
            part.columns().agents_of(chunk).map(|(lane, agent)| (lane, agent.index())).collect();
        for (lane, agent) in agents {
            world.roll(agent, frame, |field, value| {
                let variable = fields[field];
                match world.fields[field].kind {
                    Kind::Float => {
                        lanes(part.columns_mut().column::<f32>(chunk, variable))[lane] = value as f32
                    }
                    Kind::Int => {
                        lanes(part.columns_mut().column::<i32>(chunk, variable))[lane] = value as i32
                    }
                    Kind::Bool => {
                        let word = &mut lanes(part.columns_mut().bits(chunk, variable))[lane / 64];
                        *word = *word & !(1 << (lane % 64)) | u64::from(value != 0) << (lane % 64);
                    }
                }
            });
        }
    }
}

fn lanes<T, E: core::fmt::Debug>(lanes: Result<T, E>) -> T {
    lanes.expect("the tree declares what the world changes")
}

impl System for Halves {
    fn agents(&self) -> usize {
        self.whole.agents()
    }

    /// Stores the frame and its time. The threads advance the world.
    fn advance(&mut self, frame: u32) {
        (self.frame, self.whole.now) = (frame, frame.into());
    }

    fn tick(&mut self) -> Counts {
        counts(self.both().1)
    }

    fn step(&mut self, frame: u32) -> Duration {
        self.advance(frame);
        self.both().0
    }

    fn digest(&self) -> u64 {
        self.whole.digest()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tree;
    use crate::equality;

    #[test]
    fn two_threads_do_the_same_as_one() {
        for tree in Tree::ALL {
            equality::check(&mut tree.threads(1000), 50).unwrap();
        }
    }
}
