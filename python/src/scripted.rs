//! Draws of leaves that answer at random without Python: a hash of seed, agent, node and time.

use pleach::Agent;
use pleach_image::splitmix::mix;

/// Draws for the calls of one node at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64, node: u32, function: u32, now: i64) -> Self {
        let site = u64::from(node) << 32 | u64::from(function);
        Self(mix(mix(mix(seed ^ 0x5c21_47ed) ^ site) ^ now as u64))
    }

    /// Returns a number from 0 to 1, without 1.
    pub(crate) fn of(self, agent: Agent) -> f64 {
        (mix(self.0 ^ agent.index() as u64) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
