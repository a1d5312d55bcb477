//! The world of the bots: the answers of the game.
//!
//! Every answer is a cheap function of agent, frame and leaf, the same for all systems: one 64-bit
//! number per agent, computed before the ticks of a frame are timed, times a constant of the leaf.
//! So a leaf costs about a nanosecond, and mostly the tree is timed. Bots diverge, because each has
//! numbers of its own. The answers of queries change every four frames. Actions draw a new number
//! every frame, and so run for a few ticks or fail.

use crate::leaves::{ACTIONS, QUERIES};
use crate::system::Status;
use pleach_image::splitmix::{GAMMA, mix};

/// Milliseconds of game time between frames.
const FRAME_MS: u32 = 50;
/// Frames for which an agent's senses stay as they are; a power of two.
const COHERENCE: u32 = 4;

/// The game's side of the border. With `TRACE`, every call is noted; timed runs go without.
#[derive(Debug)]
pub struct World<const TRACE: bool> {
    senses: Vec<u64>,
    dice: u64,
    now: i32,
    /// Last action of each agent. Writing it is the one effect of actions.
    done: Vec<u16>,
    trails: Vec<u64>,
    calls: u64,
    /// Amount of work of a leaf, in rounds of about 1.6 nanoseconds.
    effort: u32,
}

impl<const TRACE: bool> World<TRACE> {
    /// Returns a world before its first frame.
    #[must_use]
    pub fn new(agents: usize, effort: u32) -> Self {
        Self {
            senses: vec![0; agents],
            dice: 0,
            now: 0,
            done: vec![0; agents],
            trails: vec![0; if TRACE { agents } else { 0 }],
            calls: 0,
            effort,
        }
    }

    /// Begins a frame. Not part of a tick, and never timed.
    pub fn advance(&mut self, frame: u32) {
        self.dice = mix(u64::from(frame) | 1 << 40);
        self.now = (frame + 1).wrapping_mul(FRAME_MS) as i32;
        for (agent, sense) in self.senses.iter_mut().enumerate() {
            let agent = agent as u32;
            let epoch = frame.wrapping_add(agent % COHERENCE) / COHERENCE;
            *sense = mix(u64::from(agent) << 32 | u64::from(epoch));
        }
    }

    /// Returns the number of agents.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.senses.len()
    }

    /// Returns the time of the frame, in milliseconds.
    #[must_use]
    pub fn now(&self) -> i32 {
        self.now
    }

    /// Answers a question: `query` is an index of [`QUERIES`].
    #[inline(always)]
    pub fn query(&mut self, agent: usize, query: usize, arg: i32) -> f64 {
        let key = key(query, arg);
        self.note(agent, key);
        self.work(key);
        let byte = (self.senses[agent].wrapping_mul(key) >> 56) as u8;
        QUERIES[query].answer(byte)
    }

    /// Answers a query for many agents. Everything that is the same for all agents is looked up
    /// once, and there is no branch.
    #[inline(always)]
    pub fn query_all(
        &mut self,
        agents: impl Iterator<Item = usize>,
        query: usize,
        arg: i32,
        out: &mut [f64],
    ) {
        let (key, query) = (key(query, arg), QUERIES[query]);
        for (agent, out) in agents.zip(out) {
            self.note(agent, key);
            self.work(key);
            *out = query.answer_in_a_row((self.senses[agent].wrapping_mul(key) >> 56) as u8);
        }
    }

    /// Many agents act.
    #[inline(always)]
    pub fn act_all<S>(
        &mut self,
        agents: impl Iterator<Item = usize>,
        action: usize,
        arg: i32,
        out: &mut [S],
        status: impl Fn(Status) -> S,
    ) {
        let (key, does) = (key(QUERIES.len() + action, arg), ACTIONS[action]);
        for (agent, out) in agents.zip(out) {
            self.note(agent, key);
            self.work(key);
            self.done[agent] = action as u16;
            let draw = ((self.senses[agent] ^ self.dice).wrapping_mul(key) >> 56) as u8;
            *out = status(does.status_in_a_row(draw));
        }
    }

    /// Acts: `action` is an index of [`ACTIONS`].
    #[inline(always)]
    pub fn act(&mut self, agent: usize, action: usize, arg: i32) -> Status {
        let key = key(QUERIES.len() + action, arg);
        self.note(agent, key);
        self.work(key);
        self.done[agent] = action as u16;
        let byte = ((self.senses[agent] ^ self.dice).wrapping_mul(key) >> 56) as u8;
        ACTIONS[action].status(byte)
    }

    /// Returns a number made of what each agent did last and, if calls are noted, of every call in
    /// the order of each agent's own.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut digest = 0;
        for (agent, done) in self.done.iter().enumerate() {
            let trail = self.trails.get(agent).copied().unwrap_or_default();
            digest = mix(digest ^ trail ^ u64::from(*done));
        }
        digest
    }

    /// Returns the number of leaf calls so far, if calls are counted.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Does the work of a leaf of a game.
    #[inline(always)]
    fn work(&self, key: u64) {
        if self.effort > 0 {
            let round = |bits: u64, _| (bits ^ bits >> 29).wrapping_mul(GAMMA);
            core::hint::black_box((0..self.effort).fold(key, round));
        }
    }

    #[inline(always)]
    fn note(&mut self, agent: usize, key: u64) {
        if TRACE {
            self.calls += 1;
            self.trails[agent] = mix(self.trails[agent] ^ key);
        }
    }
}

/// Returns the constant of a leaf with an argument. Odd, so that no bit of the senses is lost.
#[inline(always)]
fn key(leaf: usize, arg: i32) -> u64 {
    ((leaf as u64) << 16 | arg as u64 & 0xff).wrapping_add(1).wrapping_mul(GAMMA) | 1
}
