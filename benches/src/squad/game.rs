//! Places of agents, and the leaves of their tree.

use core::num::Wrapping;
use pleach_image::splitmix::mix;

/// Names of the behaviors, in the order of the moods.
pub const BEHAVIORS: [&str; 3] = ["patrol", "approach", "attack"];
/// Time between two frames.
pub const FRAME: i64 = 50;
/// Side of the square in which everything is.
const SIDE: u64 = 1024;

/// Enemy that an agent has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Number of the enemy; 0 for none.
    pub who: u64,
    /// Place of the enemy.
    pub place: [f32; 2],
}

/// Returns a place that a hash stands for.
fn place(hash: u64) -> [f32; 2] {
    let middle = SIDE as f32 / 2.0;
    [hash % SIDE, hash >> 32 & (SIDE - 1)].map(|side| side as f32 - middle)
}

/// Returns the place of an agent in a frame.
#[must_use]
pub fn place_of(agent: usize, frame: u32) -> [f32; 2] {
    // The place is drawn anew from time to time, and the agent walks on a little in each frame.
    let phase = frame.wrapping_add(agent as u32 * 7);
    let [x, y] = place(mix(agent as u64 | u64::from(phase / 32) << 32));
    let step = (phase % 32) as f32;
    [x + step, y - step]
}

/// Body of an agent in the game.
#[derive(Clone, Copy, Debug, Default)]
struct Body {
    strength: Wrapping<u64>,
}

/// The game around a squad.
#[derive(Debug)]
pub struct Game {
    frame: u32,
    bodies: Vec<Body>,
    looked: u64,
    begun: [u64; BEHAVIORS.len()],
    ended: [u64; BEHAVIORS.len()],
    ticks: [u64; BEHAVIORS.len()],
}

impl Game {
    /// Returns a game with this number of agents.
    #[must_use]
    pub fn new(agents: usize) -> Self {
        let (bodies, none) = (vec![Body::default(); agents], [0; BEHAVIORS.len()]);
        Self { frame: 0, bodies, looked: 0, begun: none, ended: none, ticks: none }
    }

    /// Returns the number of agents.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.bodies.len()
    }

    /// Begins a frame.
    pub fn advance(&mut self, frame: u32) {
        self.frame = frame;
    }

    /// Looks for an enemy of an agent. Returns none if the agent sees nothing new.
    #[inline]
    pub fn find(&mut self, agent: usize, range: f32) -> Option<Found> {
        self.looked += 1;
        let hash = mix(u64::from(self.frame) << 32 | agent as u64);
        let who = if hash & 28 == 0 { 0 } else { hash >> 48 | 1 };
        let [x, y] = place(hash >> 5);
        (hash & 3 != 0).then_some(Found { who, place: [x + range, y - range] })
    }

    /// Notes that this number of agents begin a behavior.
    #[inline(always)]
    pub fn begin(&mut self, behavior: usize, agents: u64) {
        self.begun[behavior] += agents;
    }

    /// Notes that an agent was halted in a behavior.
    #[inline(always)]
    pub fn end(&mut self, behavior: usize) {
        self.ended[behavior] += 1;
    }

    /// Lets an agent patrol.
    #[inline(always)]
    pub fn patrol(&mut self, agent: usize) {
        self.ticks[0] += 1;
        self.bodies[agent].strength += 1;
    }

    /// Lets an agent approach a place.
    #[inline(always)]
    pub fn approach(&mut self, agent: usize, x: f32, y: f32) {
        self.ticks[1] += 1;
        self.bodies[agent].strength += u64::from(x.to_bits() ^ y.to_bits());
    }

    /// Lets an agent attack an enemy. Returns true if the enemy is beaten.
    #[inline(always)]
    pub fn attack(&mut self, agent: usize, who: u64) -> bool {
        self.ticks[2] += 1;
        let strength = &mut self.bodies[agent].strength;
        *strength += who;
        strength.0 & 7 == 0
    }

    /// Returns how often agents have looked for enemies.
    #[must_use]
    pub fn looked(&self) -> u64 {
        self.looked
    }

    /// Returns how often each behavior has begun.
    #[must_use]
    pub fn begun(&self) -> [u64; BEHAVIORS.len()] {
        self.begun
    }

    /// Returns the number of ticks that agents spent with each behavior.
    #[must_use]
    pub fn ticks(&self) -> [u64; BEHAVIORS.len()] {
        self.ticks
    }

    /// Returns a digest of everything that agents did.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mix = |sum: u64, number: u64| (sum ^ number).wrapping_mul(0x100_0000_01b3).rotate_left(23);
        let bodies = self.bodies.iter().fold(self.looked, |sum, body| mix(sum, body.strength.0));
        self.begun.iter().chain(&self.ended).chain(&self.ticks).fold(bodies, |sum, count| mix(sum, *count))
    }
}
