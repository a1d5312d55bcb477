//! Changes around watchmen, and the behaviors of watchmen.

use crate::dice::Dice;
use core::num::Wrapping;
use pleach_image::splitmix::GAMMA;

/// Names of the booleans, in the order of [`Change::variable`].
pub const VARIABLES: [&str; 8] = ["Called", "Covered", "Dark", "Armed", "Heard", "Hurt", "Seen", "Tired"];
/// Names of the behaviors of watchmen.
pub const BEHAVIORS: [&str; 9] =
    ["Flee", "Shoot", "Shout", "Bandage", "Search", "Come", "Rest", "Light", "Walk"];

/// A variable of an agent becomes another.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Index of the agent.
    pub agent: u32,
    /// Index of the variable in [`VARIABLES`].
    pub variable: u8,
    /// New value of the variable.
    pub value: bool,
}

/// Body of an agent in the game.
#[derive(Clone, Copy, Debug, Default)]
struct Body {
    place: Wrapping<u32>,
    strength: Wrapping<u32>,
}

/// The game around watchmen.
#[derive(Debug)]
pub struct Game {
    per_mille: u32,
    changes: Vec<Change>,
    /// Booleans of each agent, as bits.
    so: Vec<u8>,
    bodies: Vec<Body>,
    begun: [u64; BEHAVIORS.len()],
    ended: [u64; BEHAVIORS.len()],
}

impl Game {
    /// Returns a game with agents that are only armed.
    #[must_use]
    pub fn new(agents: usize, per_mille: u32) -> Self {
        let (so, bodies) = (vec![1 << 3; agents], vec![Body::default(); agents]);
        Self { per_mille, changes: Vec::new(), so, bodies, begun: [0; 9], ended: [0; 9] }
    }

    /// Returns the number of agents.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.bodies.len()
    }

    /// Makes up what changes before a frame: one variable of each agent that is picked. They are
    /// told in order, as a game finds them that goes through its agents.
    pub fn advance(&mut self, frame: u32) {
        let mut dice = Dice::new(u64::from(frame) * (GAMMA >> 32));
        let agents = self.bodies.len() as u32;
        let count = (u64::from(agents) * u64::from(self.per_mille) / 1000).max(1);
        self.changes.clear();
        self.changes.extend((0..count).map(|_| {
            let (agent, variable) = (dice.below(agents), dice.below(VARIABLES.len() as u32) as u8);
            Change { agent, variable, value: false }
        }));
        self.changes.sort_by_key(|change| change.agent);
        for Change { agent, variable, value } in &mut self.changes {
            let so = &mut self.so[*agent as usize];
            *so ^= 1 << *variable;
            *value = *so >> *variable & 1 != 0;
        }
    }

    /// Returns the changes before this frame.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Notes that this number of agents begin a behavior.
    #[inline(always)]
    pub fn begin(&mut self, behavior: u8, agents: u64) {
        self.begun[usize::from(behavior)] += agents;
    }

    /// An agent ends something.
    #[inline(always)]
    pub fn end(&mut self, behavior: u8) {
        self.ended[usize::from(behavior)] += 1;
    }

    /// Does a behavior for some agents, for one frame.
    #[inline(always)]
    pub fn act(&mut self, behavior: u8, agents: impl Iterator<Item = usize>) {
        match behavior {
            0 => self.each(agents, |body| {
                body.place += 7;
                body.strength -= 2;
            }),
            1 => self.each(agents, |body| body.strength -= 1),
            2 => self.each(agents, |body| body.place ^= 1),
            3 => self.each(agents, |body| body.strength |= 1),
            4 => self.each(agents, |body| body.place = body.place * Wrapping(3) + Wrapping(1)),
            5 => self.each(agents, |body| body.place >>= 1),
            6 => self.each(agents, |body| body.strength += 3),
            7 => self.each(agents, |body| body.strength ^= body.place),
            _ => self.each(agents, |body| body.place += 1),
        }
    }

    #[inline(always)]
    fn each(&mut self, agents: impl Iterator<Item = usize>, act: impl Fn(&mut Body)) {
        agents.for_each(|agent| act(&mut self.bodies[agent]));
    }

    /// Returns how often each behavior has begun.
    #[must_use]
    pub fn begun(&self) -> [u64; BEHAVIORS.len()] {
        self.begun
    }

    /// Returns a digest of everything that agents did.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mix = |sum: u64, number: u64| (sum ^ number).wrapping_mul(0x100_0000_01b3).rotate_left(23);
        let of = |body: &Body| u64::from(body.place.0) << 32 | u64::from(body.strength.0);
        let bodies = self.bodies.iter().fold(0, |sum, body| mix(sum, of(body)));
        self.begun.iter().chain(&self.ended).fold(bodies, |sum, count| mix(sum, *count))
    }
}
