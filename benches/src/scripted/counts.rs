//! Counts of the work in a tick: calls of leaves, and executed instructions of its image.

use super::Tree;
use super::crowd::Scripted;
use crate::system::System;
use pleach::Agent;
use pleach::engine::Engine;
use pleach::watch::{LaneId, LaneMask, Watch, Watchers};
use std::collections::BTreeMap;

/// Number of times that each instruction of an image was left. All agents are watched, so they run
/// step by step.
#[derive(Debug)]
struct Executed(Vec<u64>);

impl Watch for Executed {
    fn left(&mut self, word: u32, _: u32) {
        self.0[word as usize] += 1;
    }
}

impl Watchers for Executed {
    type Watch<'a> = &'a mut Self;

    fn seen(&mut self, _: usize) -> LaneMask {
        [u64::MAX; 4]
    }

    fn watch(&mut self, _: LaneId, _: Agent) -> Option<Self::Watch<'_>> {
        Some(self)
    }
}

/// Runs frames and returns the number of leaf calls.
pub(super) fn calls(agents: &mut Scripted<true>, frames: u32) -> u64 {
    for frame in 0..frames {
        agents.advance(frame);
        agents.tick();
    }
    agents.calls()
}

/// Returns how often an agent's tick executes each opcode on average, by opcode, the most frequent
/// first. The opcode `return` is not counted.
#[must_use]
pub fn opcodes(tree: &Tree, agents: usize, frames: u32) -> Vec<(&'static str, f64)> {
    let mut crowd = Scripted::<false>::new(tree, agents, Engine::Scalar);
    let mut executed = Executed(vec![0; tree.image.code().len()]);
    for frame in 0..frames {
        crowd.advance(frame);
        crowd.tick_watched(&mut executed);
    }
    let mut sums = BTreeMap::<_, u64>::new();
    for (word, times) in tree.image.code().iter().zip(&executed.0) {
        if let Some(op) = word.op() {
            *sums.entry(op.mnemonic()).or_default() += times;
        }
    }
    let ticks = agents as f64 * f64::from(frames);
    let mut means: Vec<_> = sums.into_iter().filter(|(_, sum)| *sum > 0).collect();
    means.sort_by_key(|(_, sum)| core::cmp::Reverse(*sum));
    means.into_iter().map(|(name, sum)| (name, sum as f64 / ticks)).collect()
}
