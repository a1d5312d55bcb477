//! The tree as somebody would write it in Rust, without any library.
//!
//! * [`Plain`]: a struct with a `bool` for each truth.
//! * [`Packed`]: the truths are the bits of one number, and conditions are masks. An agent is four
//!   bytes.
//!
//! Both note that something has changed in the agent, and a frame goes through all agents, as
//! engines do whose agents are updated in each frame anyway. [`Listed`] is for speed alone: who
//! changes is put into a list, and nobody else is looked at; by [`Conditions`], or by [`Tables`],
//! for which few jumps depend on agents.

use super::game::{Game, Told};
use crate::system::{Counts, System};
use crate::trusted;

/// An agent that selects.
pub trait Mind: Clone + core::fmt::Debug + 'static {
    /// Returns the mind of an agent that has had no signal.
    fn new() -> Self;

    /// Takes a signal.
    fn hear(&mut self, signal: u8);

    /// Returns the newly selected behavior, if something has changed.
    fn reconsider(&mut self) -> Option<Change>;
}

/// Another behavior is selected.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    from: Option<u8>,
    to: u8,
}

/// Number of no behavior.
const NOTHING: u8 = u8::MAX;

/// The behaviors, in the order of [`super::game::BEHAVIORS`].
mod behavior {
    pub(super) const DIE: u8 = 0;
    pub(super) const RELOAD: u8 = 1;
    pub(super) const TAKE_COVER: u8 = 2;
    pub(super) const SHOOT: u8 = 3;
    pub(super) const BRAWL: u8 = 4;
    pub(super) const FLEE: u8 = 5;
    pub(super) const HEAL: u8 = 6;
    pub(super) const AMBUSH: u8 = 7;
    pub(super) const INVESTIGATE: u8 = 8;
    pub(super) const FOLLOW: u8 = 9;
    pub(super) const REST: u8 = 10;
    pub(super) const PATROL: u8 = 11;
}

/// Mind that takes signals and selects, over some storage of booleans.
macro_rules! mind {
    ($name:ident) => {
        impl Mind for $name {
            fn new() -> Self {
                let mut mind = Self { leaf: NOTHING, changed: true, ..Self::default() };
                mind.set_has_ammo(true);
                mind.set_has_gun(true);
                mind
            }

            #[inline(always)]
            fn hear(&mut self, signal: u8) {
                match signal {
                    0 => self.set_alarmed(true),
                    1 => self.set_has_ammo(false),
                    2 => self.set_blinded(true),
                    3 => {
                        self.set_alarmed(false);
                        self.set_hears_enemy(false);
                    }
                    4 => self.set_cover_near(true),
                    5 => {
                        self.set_cover_near(false);
                        self.set_in_cover(false);
                    }
                    6 => self.set_in_cover(self.cover_near()),
                    7 => {
                        self.set_dying(self.hurt() && !self.in_cover());
                        self.set_hurt(true);
                    }
                    8 => self.set_enemy_near(false),
                    9 => self.set_sees_enemy(false),
                    10 => self.set_enemy_near(true),
                    11 => {
                        self.set_sees_enemy(true);
                        self.set_hears_enemy(true);
                    }
                    12 => self.set_indoors(true),
                    13 => self.set_has_gun(false),
                    14 => self.set_has_gun(true),
                    16 => self.set_indoors(false),
                    17 => self.set_hears_enemy(true),
                    18 => {
                        self.set_ordered(false);
                        self.set_following(false);
                    }
                    19 => {
                        self.set_following(!self.carrying());
                        self.set_ordered(true);
                    }
                    20 => self.set_carrying(true),
                    21 => self.set_carrying(false),
                    22 => self.set_has_ammo(true),
                    23 => self.set_tired(false),
                    24 => self.set_blinded(false),
                    25 => self.set_tired(true),
                    _ => {
                        self.set_dying(false);
                        self.set_hurt(false);
                    }
                }
            }

            #[inline(always)]
            fn reconsider(&mut self) -> Option<Change> {
                if !self.changed {
                    return None;
                }
                self.changed = false;
                let (from, to) = (self.leaf, self.select());
                self.leaf = to;
                (from != to).then_some(Change { from: (from != NOTHING).then_some(from), to })
            }
        }

        impl $name {
            #[inline(always)]
            fn select(&self) -> u8 {
                if self.dying() {
                    return behavior::DIE;
                }
                if self.sees_enemy() && !self.blinded() {
                    return if self.has_gun() && !self.has_ammo() && self.in_cover() {
                        behavior::RELOAD
                    } else if self.hurt() && self.cover_near() && !self.in_cover() {
                        behavior::TAKE_COVER
                    } else if self.has_gun() && self.has_ammo() {
                        behavior::SHOOT
                    } else if self.enemy_near() {
                        behavior::BRAWL
                    } else {
                        behavior::FLEE
                    };
                }
                if self.hurt() && self.in_cover() {
                    return behavior::HEAL;
                }
                if self.hears_enemy() || self.alarmed() {
                    if self.in_cover() && !self.ordered() {
                        return behavior::AMBUSH;
                    }
                    if !self.tired() && !self.carrying() {
                        return behavior::INVESTIGATE;
                    }
                }
                if self.following() && self.ordered() {
                    behavior::FOLLOW
                } else if self.tired() && self.indoors() {
                    behavior::REST
                } else {
                    behavior::PATROL
                }
            }
        }
    };
}

/// Booleans, each with its reader and its writer.
macro_rules! truths {
    ($($bit:literal $name:ident $set:ident)*) => {
        /// An agent with a `bool` for each boolean of the tree.
        #[derive(Clone, Debug, Default)]
        pub struct Plain {
            $($name: bool,)*
            changed: bool,
            leaf: u8,
        }

        impl Plain {
            $(
                #[inline(always)]
                fn $name(&self) -> bool {
                    self.$name
                }

                #[inline(always)]
                fn $set(&mut self, value: bool) {
                    self.changed |= self.$name != value;
                    self.$name = value;
                }
            )*
        }

        impl Packed {
            $(
                #[inline(always)]
                fn $name(&self) -> bool {
                    self.truths & 1 << $bit != 0
                }

                #[inline(always)]
                fn $set(&mut self, value: bool) {
                    let truths = self.truths & !(1 << $bit) | u16::from(value) << $bit;
                    self.changed |= self.truths != truths;
                    self.truths = truths;
                }
            )*
        }
    };
}

/// An agent whose booleans are the bits of a number.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    truths: u16,
    changed: bool,
    leaf: u8,
}

truths! {
    0 alarmed set_alarmed
    1 blinded set_blinded
    2 carrying set_carrying
    3 cover_near set_cover_near
    4 dying set_dying
    5 enemy_near set_enemy_near
    6 following set_following
    7 has_ammo set_has_ammo
    8 has_gun set_has_gun
    9 hears_enemy set_hears_enemy
    10 hurt set_hurt
    11 in_cover set_in_cover
    12 indoors set_indoors
    13 ordered set_ordered
    14 sees_enemy set_sees_enemy
    15 tired set_tired
}

mind!(Plain);
mind!(Packed);

/// Agents of a game. Each agent is looked at in each frame.
#[derive(Debug)]
pub struct Native<M> {
    game: Game,
    minds: Vec<M>,
    tuned: bool,
}

impl<M: Mind> Native<M> {
    /// Agents at their beginning. `tuned` as for [`crate::native::Native`].
    #[must_use]
    pub fn new(agents: usize, per_mille: u32, tuned: bool) -> Self {
        Self { game: Game::new(agents, per_mille), minds: vec![M::new(); agents], tuned }
    }

    /// Returns the game around the agents.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    #[inline(always)]
    fn tick_all(&mut self) -> Counts {
        for Told { agent, signal } in self.game.told() {
            self.minds[*agent as usize].hear(*signal);
        }
        for (agent, mind) in self.minds.iter_mut().enumerate() {
            if let Some(change) = mind.reconsider() {
                change.tell(&mut self.game, agent);
            }
        }
        everybody_runs(self.minds.len())
    }
}

impl Change {
    #[inline(always)]
    fn tell(self, game: &mut Game, agent: usize) {
        if let Some(from) = self.from {
            game.end(agent, from);
        }
        game.begin(agent, self.to);
    }
}

/// In this tree something can always be selected.
fn everybody_runs(agents: usize) -> Counts {
    Counts { failure: 0, success: 0, running: agents as u32 }
}

impl<M: Mind> System for Native<M> {
    fn agents(&self) -> usize {
        self.minds.len()
    }

    fn advance(&mut self, frame: u32) {
        self.game.advance(frame);
    }

    fn tick(&mut self) -> Counts {
        if self.tuned { trusted::tuned(|| self.tick_all()) } else { self.tick_all() }
    }

    fn digest(&self) -> u64 {
        self.game.digest()
    }
}

/// Way in which a listed agent takes signals and selects.
pub trait Means: core::fmt::Debug + 'static {
    /// Returns the initial state.
    fn new() -> Self;

    /// Gives a signal to an agent.
    fn hear(&self, mind: &mut Packed, signal: u8);

    /// Returns the behavior that an agent selects.
    fn select(&self, mind: &Packed) -> u8;
}

/// By conditions, as all others do.
#[derive(Debug)]
pub struct Conditions;

impl Means for Conditions {
    fn new() -> Self {
        Self
    }

    #[inline(always)]
    fn hear(&self, mind: &mut Packed, signal: u8) {
        mind.hear(signal);
    }

    #[inline(always)]
    fn select(&self, mind: &Packed) -> u8 {
        mind.select()
    }
}

/// Tables: most signals are two masks, and each combination of booleans has its behavior.
#[derive(Debug)]
pub struct Tables {
    masks: [(u16, u16); 26],
    behaviors: Box<[u8]>,
}

impl Means for Tables {
    fn new() -> Self {
        let of = |truths: u16| Packed { truths, ..Packed::new() };
        let heard = |truths: u16, signal: usize| {
            let mut mind = of(truths);
            mind.hear(signal as u8);
            mind.truths
        };
        Self {
            masks: core::array::from_fn(|signal| (heard(u16::MAX, signal), heard(0, signal))),
            behaviors: (0..=u16::MAX).map(|truths| of(truths).select()).collect(),
        }
    }

    #[inline(always)]
    fn hear(&self, mind: &mut Packed, signal: u8) {
        if let 6 | 7 | 19 = signal {
            return mind.hear(signal);
        }
        let (and, or) = self.masks[usize::from(signal)];
        let truths = mind.truths & and | or;
        mind.changed |= truths != mind.truths;
        mind.truths = truths;
    }

    #[inline(always)]
    fn select(&self, mind: &Packed) -> u8 {
        self.behaviors[usize::from(mind.truths)]
    }
}

/// Agents of a game. Only agents that may have changed are looked at.
#[derive(Debug)]
pub struct Listed<M> {
    game: Game,
    minds: Vec<Packed>,
    changed: Vec<u32>,
    means: M,
    tuned: bool,
}

impl<M: Means> Listed<M> {
    /// Agents at their beginning.
    #[must_use]
    pub fn new(agents: usize, per_mille: u32, tuned: bool) -> Self {
        let (game, changed) = (Game::new(agents, per_mille), (0..agents as u32).collect());
        Self { game, minds: vec![Packed::new(); agents], changed, means: M::new(), tuned }
    }

    #[inline(always)]
    fn tick_all(&mut self) -> Counts {
        for Told { agent, signal } in self.game.told() {
            let mind = &mut self.minds[*agent as usize];
            let before = mind.changed;
            self.means.hear(mind, *signal);
            if mind.changed && !before {
                self.changed.push(*agent);
            }
        }
        for agent in self.changed.drain(..) {
            let mind = &mut self.minds[agent as usize];
            mind.changed = false;
            let to = self.means.select(mind);
            let from = core::mem::replace(&mut mind.leaf, to);
            if from != to {
                let from = (from != NOTHING).then_some(from);
                Change { from, to }.tell(&mut self.game, agent as usize);
            }
        }
        everybody_runs(self.minds.len())
    }
}

impl<M: Means> System for Listed<M> {
    fn agents(&self) -> usize {
        self.minds.len()
    }

    fn advance(&mut self, frame: u32) {
        self.game.advance(frame);
    }

    fn tick(&mut self) -> Counts {
        if self.tuned { trusted::tuned(|| self.tick_all()) } else { self.tick_all() }
    }

    fn digest(&self) -> u64 {
        self.game.digest()
    }
}
