//! Agents that select a behavior: a behavior selection tree of 16 booleans and 12 leaves. In a
//! frame, few of its agents get signals.
//!
//! The cost of a frame is sending the signals, and selecting again for the agents whose
//! booleans have changed. Both are timed, in the same way for all systems: each gets the same
//! list of agents and signals, in no particular order. When a behavior ends or another
//! begins, the [`game`] is told.
//!
//! * [`game`] makes up signals and notes behaviors;
//! * [`native`] is the tree written by hand in two ways, of which the faster is the yardstick, and
//!   in two more that keep a list of those who changed, beside them;
//! * [`crowd`] runs the text, `trees/soldier.xml`, on pleach.

pub mod crowd;
pub mod game;
pub mod native;

use crate::equality;
use crate::system::{Counts, NATIVE, Named, Role, engines};
use native::{Conditions, Listed, Native, Packed, Plain, Tables};

/// Name of the tree in the lines of figures.
pub const SOLDIER: &str = "soldier";
/// Agents of the figures to quote.
pub const AGENTS: usize = 100_000;
/// Number of agents in a thousand that get a signal in a frame: in a calm world,
/// and in one with many events.
pub const FEW: u32 = 20;
/// See [`FEW`].
pub const MANY: u32 = 200;

/// Returns every system, with its agents at the beginning. `per_mille` of a thousand
/// agents get a signal in a frame.
#[must_use]
pub fn systems(agents: usize, per_mille: u32) -> Vec<Named> {
    let mut systems = Vec::new();
    for (tuned, [plain, packed, listed, tabled]) in [
        (false, [NATIVE, "native-packed", "listed", "tabled"]),
        (true, ["native-tuned", "native-packed-tuned", "listed-tuned", "tabled-tuned"]),
    ] {
        let (first, second) =
            (Native::<Plain>::new(agents, per_mille, tuned), Native::<Packed>::new(agents, per_mille, tuned));
        systems.push(Named::new(plain, Role::Yardstick, first));
        systems.push(Named::new(packed, Role::Yardstick, second));
        systems.push(Named::new(listed, Role::Ceiling, Listed::<Conditions>::new(agents, per_mille, tuned)));
        systems.push(Named::new(tabled, Role::Ceiling, Listed::<Tables>::new(agents, per_mille, tuned)));
    }
    for (name, engine) in engines() {
        systems.push(Named::new(name, Role::Engine, crowd::Soldiers::new(agents, per_mille, engine)));
    }
    systems
}

/// Runs all systems side by side. Returns the number of ticks by status.
///
/// # Errors
/// If a system does not do the same as the others; the message names the system.
pub fn check(agents: usize, per_mille: u32, frames: u32) -> Result<Counts, String> {
    equality::check(&mut systems(agents, per_mille), frames).map_err(|error| format!("{SOLDIER}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::System;
    use native::{Native, Packed};

    #[test]
    fn all_systems_select_the_same() {
        for per_mille in [FEW, MANY] {
            let counts = check(700, per_mille, 200).unwrap();
            assert_eq!((counts.failure, counts.success, counts.running), (0, 0, 140_000));
        }
    }

    /// Selections change in about a third of the frames in which an agent is told something.
    #[test]
    fn much_is_selected() {
        let mut native = Native::<Packed>::new(1000, FEW, false);
        for frame in 0..1000 {
            native.advance(frame);
            native.tick();
        }
        let begun = native.game().begun();
        assert!(begun.iter().all(|count| *count > 10), "{begun:?}");
        let share = begun.iter().sum::<u64>() * 100 / 20_000;
        assert!((15..60).contains(&share), "{share} of 100 signals");
    }
}
