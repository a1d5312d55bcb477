//! Agents that react: modular behavior trees, compared with hand-written code.
//!
//! * `watchman`: a `Priority` of nine cases over eight variables. Before a frame, one variable
//!   changes for some of a thousand agents. The running leaf is called in each frame, as nodes of
//!   these trees are. The changes and the ticks are timed.
//! * `alarm`: an event for all agents, which sets two variables and two timestamps and lets a state
//!   machine continue. Only the event is timed; between two events is the tick in which agents
//!   react.
//!
//! [`game`] makes the changes and implements the leaves. [`native`] has the trees written by hand.
//! [`crowd`] runs their texts, `trees/watchman.xml` and `trees/alarm.xml`.

pub mod crowd;
pub mod game;
pub mod native;

use crate::equality;
use crate::system::{Counts, NATIVE, Named, Role, engines};
use native::{Packed, Plain, Sleepers, Watchmen};

/// Tree with its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reacting {
    /// Agents with a `Priority`, and for how many of a thousand something changes in a frame.
    Watchman(u32),
    /// Event for all agents.
    Alarm,
}

impl Reacting {
    /// Variants that the quoted figures use.
    pub const ALL: [Self; 2] = [Self::Watchman(50), Self::Alarm];

    /// Returns the name in the lines of figures.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Watchman(_) => "watchman",
            Self::Alarm => "alarm",
        }
    }

    /// Returns every system, with its agents at their beginning.
    #[must_use]
    pub fn systems(self, agents: usize) -> Vec<Named> {
        let mut systems = Vec::new();
        for (tuned, [plain, packed]) in
            [(false, [NATIVE, "native-packed"]), (true, ["native-tuned", "native-packed-tuned"])]
        {
            match self {
                Self::Watchman(per_mille) => {
                    let first = Watchmen::<Plain>::new(agents, per_mille, tuned);
                    let second = Watchmen::<Packed>::new(agents, per_mille, tuned);
                    systems.push(Named::new(plain, Role::Yardstick, first));
                    systems.push(Named::new(packed, Role::Yardstick, second));
                }
                Self::Alarm => {
                    systems.push(Named::new(plain, Role::Yardstick, Sleepers::new(agents, tuned)));
                }
            }
        }
        for (name, engine) in engines() {
            systems.push(match self {
                Self::Watchman(per_mille) => {
                    Named::new(name, Role::Engine, crowd::Watchmen::new(agents, per_mille, engine))
                }
                Self::Alarm => Named::new(name, Role::Engine, crowd::Sleepers::new(agents, engine)),
            });
        }
        systems
    }

    /// Runs all systems side by side. Returns the number of ticks by status.
    ///
    /// # Errors
    /// If a system does not do the same as the others; the message names the system.
    pub fn check(self, agents: usize, frames: u32) -> Result<Counts, String> {
        let checked = equality::check(&mut self.systems(agents), frames);
        checked.map_err(|error| format!("{}: {error}", self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::System;

    #[test]
    fn all_systems_do_the_same() {
        for per_mille in [50, 500] {
            let counts = Reacting::Watchman(per_mille).check(700, 200).unwrap();
            assert_eq!((counts.failure, counts.success, counts.running), (0, 0, 140_000));
        }
        Reacting::Alarm.check(700, 50).unwrap();
    }

    /// Programs of both kinds are swept; in a world that changes fast, each behavior begins, and
    /// most are seen often.
    #[test]
    fn the_figures_are_about_something() {
        let mut watchmen = crowd::Watchmen::new(700, 500, pleach::engine::Engine::Auto);
        assert!(watchmen.is_swept());
        for frame in 0..200 {
            watchmen.advance(frame);
            watchmen.tick();
        }
        assert!(watchmen.game().begun().iter().all(|begun| *begun > 1000), "{:?}", watchmen.game().begun());
    }
}
