//! Members of a squad: an agent that looks for enemies at intervals, judges distances, and acts by
//! its mood.
//!
//! The tree, `trees/squad.pleach`, has what trees of our own language usually have: a service with
//! out arguments, an entity, an enum, distances between floats of the agent and of the world, and a
//! reactive `match`. Before a frame, the game moves all agents, which is not timed.
//!
//! [`game`] implements the leaves. [`native`] is the tree written by hand. [`crowd`] runs its text.

pub mod crowd;
pub mod game;
pub mod native;

use crate::system::{NATIVE, Named, Role, engines};

/// Name of the tree.
pub const SQUAD: &str = "squad";

/// Returns every system, with its agents at their beginning.
#[must_use]
pub fn systems(agents: usize) -> Vec<Named> {
    let mut systems: Vec<_> = [(NATIVE, false), ("native-tuned", true)]
        .map(|(name, tuned)| Named::new(name, Role::Yardstick, native::Native::new(agents, tuned)))
        .into();
    for (name, engine) in engines() {
        systems.push(Named::new(name, Role::Engine, crowd::Squad::new(agents, engine)));
    }
    systems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equality;
    use crate::system::System;

    #[test]
    fn all_systems_do_the_same() {
        let counts = equality::check(&mut systems(700), 200).unwrap();
        assert_eq!((counts.failure, counts.success, counts.running), (0, 0, 140_000));
    }

    /// Each behavior takes a good part of the ticks, and begins often. Agents look for enemies in
    /// every tenth frame.
    #[test]
    fn the_figures_are_about_something() {
        let mut squad = crowd::Squad::new(700, pleach::engine::Engine::Auto);
        assert!(squad.is_swept());
        for frame in 0..200 {
            squad.advance(frame);
            squad.tick();
        }
        let game = squad.game();
        assert!(game.ticks().iter().all(|ticks| *ticks > 20_000), "{:?}", game.ticks());
        assert!(game.begun().iter().all(|begun| *begun > 1000), "{:?}", game.begun());
        assert!((14_000..=15_400).contains(&game.looked()), "{}", game.looked());
    }
}
