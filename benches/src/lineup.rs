//! Systems that run each tree, and the check that all of them do the same.

use crate::crowd::Bots;
use crate::equality;
use crate::fields::Tree;
use crate::native::Native;
use crate::peer::Peer;
use crate::squad;
use crate::system::{BONSAI, Counts, NATIVE, Named, Role, System, engines};

/// Tree with the kind of its leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// The bot, whose leaves ask the game, and how much work each leaf is.
    Bot(Effort),
    /// A tree whose leaves read and write the agent's fields. On average, a field changes
    /// once in this number of frames.
    Fields(Tree, u32),
    /// Members of a squad, whose leaves ask the game.
    Squad,
}

/// Amount of work of a bot's leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// About a nanosecond, so that the tree is timed.
    Least,
    /// About 5 nanoseconds more.
    Little,
    /// About 20 nanoseconds more.
    More,
}

impl Effort {
    /// Rounds of work in a leaf.
    fn rounds(self) -> u32 {
        match self {
            Self::Least => 0,
            Self::Little => 4,
            Self::More => 15,
        }
    }
}

impl Workload {
    /// Returns all trees, in worlds that change fast.
    pub fn all() -> impl Iterator<Item = Self> {
        [Effort::Least, Effort::Little, Effort::More]
            .map(Self::Bot)
            .into_iter()
            .chain(Tree::ALL.map(|tree| Self::Fields(tree, 1)))
            .chain([Self::Squad])
    }

    /// Returns the name of the tree.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bot(Effort::Least) => crate::trees::BOT,
            Self::Bot(Effort::Little) => "bot_5ns",
            Self::Bot(Effort::More) => "bot_20ns",
            Self::Fields(tree, _) => tree.name(),
            Self::Squad => squad::SQUAD,
        }
    }

    /// Returns every system that runs the tree, with agents at their beginning. Other libraries are
    /// included if `peers` is true.
    #[must_use]
    pub fn systems(self, agents: usize, peers: bool) -> Vec<Named> {
        match self {
            Self::Bot(effort) => bots::<false>(agents, effort.rounds(), peers),
            Self::Fields(tree, period) => tree.systems(agents, period, peers),
            Self::Squad => squad::systems(agents),
        }
    }

    /// Runs all systems side by side. Returns the number of ticks by status.
    ///
    /// # Errors
    /// If a system does not do the same as the others; the message names the system.
    pub fn check(self, agents: usize, frames: u32) -> Result<Counts, String> {
        let mut systems = match self {
            Self::Bot(effort) => bots::<true>(agents, effort.rounds(), true),
            Self::Fields(..) | Self::Squad => self.systems(agents, true),
        };
        equality::check(&mut systems, frames).map_err(|error| format!("{}: {error}", self.name()))
    }
}

fn bots<const TRACE: bool>(agents: usize, effort: u32, peers: bool) -> Vec<Named> {
    let mut systems = vec![
        Named::new(NATIVE, Role::Yardstick, Native::<TRACE>::new(agents, effort, false)),
        Named::new("native-tuned", Role::Yardstick, Native::<TRACE>::new(agents, effort, true)),
    ];
    for (name, engine) in engines() {
        systems.push(Named::new(name, Role::Engine, Bots::<TRACE>::new(agents, effort, engine)));
    }
    if peers {
        systems.push(Named::new(BONSAI, Role::Peer, Peer::<TRACE>::new(agents, effort)));
    }
    systems
}

/// Returns the mean number of leaf calls in a bot's tick.
#[must_use]
pub fn calls_per_tick(agents: usize, frames: u32) -> f64 {
    let mut native = Native::<true>::new(agents, 0, false);
    for frame in 0..frames {
        native.advance(frame);
        native.tick();
    }
    native.calls() as f64 / (agents as f64 * f64::from(frames))
}

#[cfg(test)]
mod tests {
    use super::{Effort, Tree, Workload, calls_per_tick};

    /// Returns how many of 100 ticks fail, succeed, and do neither.
    fn odds(tree: Tree, period: u32) -> [u32; 3] {
        let (agents, frames) = (200, 200);
        let counts = Workload::Fields(tree, period).check(agents, frames).unwrap();
        [counts.failure, counts.success, counts.running].map(|count| count * 100 / (agents as u32 * frames))
    }

    #[test]
    fn all_systems_do_the_same_for_bots() {
        let counts = Workload::Bot(Effort::Least).check(100, 200).unwrap();
        assert_eq!(counts.failure, 0, "the bot never fails");
        assert!(counts.running > counts.success, "{counts:?}");
        assert!(calls_per_tick(100, 200) > 12.0);
    }

    #[test]
    fn all_systems_do_the_same_for_fields() {
        let [failure, _, running] = odds(Tree::Guard, 1);
        assert!(failure == 0 && (70..=76).contains(&running));
        assert_eq!(odds(Tree::GuardR, 1)[0], 0);
        let [failure, success, running] = odds(Tree::Wide, 1);
        assert!((49..=55).contains(&failure) && (20..=26).contains(&success) && (22..=28).contains(&running));
        assert!(odds(Tree::WideF, 1)[0] > failure, "actions fail");
        assert!((84..=90).contains(&odds(Tree::Deep, 1)[2]));
    }

    #[test]
    fn all_systems_do_the_same_in_a_calm_world() {
        for tree in Tree::ALL {
            odds(tree, 64);
        }
    }
}
