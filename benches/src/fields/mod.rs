//! Trees whose leaves are built in: they read an agent's fields and write
//! one, and no host is called.
//!
//! Only the tree is timed, which is what batches are made for. An action writes its number to `out`
//! and runs for some ticks. A condition compares fields. The world draws new fields between frames.
//!
//! | tree | what it is |
//! |---|---|
//! | guard | a guard of a game: six branches, a cooldown, variables that the tree writes |
//! | guard_r | the same with a reactive root: branches further up take over from those that run |
//! | wide | a selector over 64 pairs of condition and action; mostly, all conditions are tested |
//! | wide_f | the same with actions that may fail at once, so that the selector goes on |
//! | deep | 32 sequences and selectors in one another, around one long action |
//!
//! * [`world`] rolls the fields, [`agents`] holds them where an agent is a struct;
//! * [`native`] is each tree written by hand, the yardstick; [`vector`] and the branch-free guard
//!   are written by hand for speed alone: how far one could get;
//! * [`shape`] describes the trees for the other libraries, [`bonsai`] and [`lite`] build them
//!   there;
//! * [`text`] is their text, [`crowd`] runs it on pleach.

pub mod agents;
pub mod bonsai;
pub mod crowd;
pub mod lite;
pub mod native;
pub mod shape;
pub mod text;
mod threads;
#[cfg(target_arch = "x86_64")]
pub mod vector;
pub mod world;

use crate::system::{BONSAI, NATIVE, Named, Role};
use agents::Agent;
use bonsai::Bonsai;
use lite::Lite;
use native::{Native, Rule};
use pleach::engine::Engine;
use shape::Node;
use world::World;

/// One of the trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A guard.
    Guard,
    /// A guard with a reactive root.
    GuardR,
    /// 64 pairs of condition and action.
    Wide,
    /// `Wide` with actions that may fail.
    WideF,
    /// 32 levels.
    Deep,
}

impl Tree {
    /// All trees.
    pub const ALL: [Self; 5] = [Self::Guard, Self::GuardR, Self::Wide, Self::WideF, Self::Deep];

    /// Returns the name of the tree in its text and in the lines of figures.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::GuardR => "guard_r",
            Self::Wide => "wide",
            Self::WideF => "wide_f",
            Self::Deep => "deep",
        }
    }

    /// Returns the world of the tree's agents, in which the fields of an agent change
    /// every `period` frames on average.
    ///
    /// # Panics
    /// If the period is no power of two.
    #[must_use]
    pub fn world(self, period: u32) -> World {
        match self {
            Self::Guard | Self::GuardR => World::new(world::GUARD, period),
            Self::Wide | Self::WideF | Self::Deep => World::new(world::GRID, period),
        }
    }

    /// Returns the tree on every system that can run it on this machine, the yardstick first; other
    /// libraries, which take their time, only if asked for.
    #[must_use]
    pub fn systems(self, agents: usize, period: u32, peers: bool) -> Vec<Named> {
        let world = self.world(period);
        let mut systems = match self {
            Self::Guard => by_hand::<native::Guarding>(world, agents),
            Self::GuardR => by_hand::<native::Watching>(world, agents),
            Self::Wide => by_hand::<native::Choosing>(world, agents),
            Self::WideF => by_hand::<native::Trying>(world, agents),
            Self::Deep => by_hand::<native::Descending>(world, agents),
        };
        for (name, engine) in crate::system::engines() {
            systems.push(Named::new(name, Role::Engine, crowd::Fields::new(self, world, agents, engine)));
        }
        systems.extend(self.ceilings(world, agents));
        if peers {
            systems.extend(self.peers(world, agents));
        }
        systems
    }

    /// Returns crowds with the engine that the runtime chooses, on one thread and on two.
    #[must_use]
    pub fn threads(self, agents: usize) -> [Named; 2] {
        let crowd = || crowd::Fields::new(self, self.world(1), agents, Engine::Auto);
        let two = threads::Halves::of(crowd());
        [Named::new("one thread", Role::Engine, crowd()), Named::new("two threads", Role::Engine, two)]
    }

    /// Returns the systems that are written by hand for speed alone.
    fn ceilings(self, world: World, agents: usize) -> Vec<Named> {
        let mut systems = Vec::new();
        if self == Self::Guard {
            let branch_free = |tuned| Native::<native::BranchFree>::new(world, agents, tuned);
            systems.push(Named::new("branch-free", Role::Ceiling, branch_free(false)));
            systems.push(Named::new("branch-free-tuned", Role::Ceiling, branch_free(true)));
        }
        #[cfg(target_arch = "x86_64")]
        systems
            .extend(vector::Processor::detect().and_then(|with| vector::system(self, with, world, agents)));
        systems
    }

    /// Returns the other libraries. None has a selector that looks at branches further up again and
    /// lets the running one be: bonsai-bt's forgets the place in the running branch,
    /// behavior-tree-lite's does not halt it.
    fn peers(self, world: World, agents: usize) -> Vec<Named> {
        match self {
            Self::Guard => on_peers(&shape::guard(), world, agents),
            Self::GuardR => Vec::new(),
            Self::Wide => on_peers(&shape::wide(false), world, agents),
            Self::WideF => on_peers(&shape::wide(true), world, agents),
            Self::Deep => on_peers(&shape::deep(), world, agents),
        }
    }
}

/// Returns a tree written by hand, compiled for the baseline and for this processor.
fn by_hand<R: Rule>(world: World, agents: usize) -> Vec<Named> {
    [(NATIVE, false), ("native-tuned", true)]
        .map(|(name, tuned)| Named::new(name, Role::Yardstick, Native::<R>::new(world, agents, tuned)))
        .into()
}

fn on_peers<A: Agent>(tree: &Node<A>, world: World, agents: usize) -> Vec<Named> {
    vec![
        Named::new(BONSAI, Role::Peer, Bonsai::new(tree, world, agents)),
        Named::new("behavior-tree-lite", Role::Peer, Lite::new(tree, world, agents)),
    ]
}
