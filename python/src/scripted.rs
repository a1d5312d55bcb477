//! Leaves that answer at random without Python: a hash of seed, agent, node and time.

use pleach::{Agent, Status};
use pleach_image::splitmix::mix;
use std::collections::BTreeMap;

/// Smallest and largest number of calls of a scripted action, from its beginning to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CallLimits {
    pub(crate) least: u32,
    pub(crate) most: Option<u32>,
}

/// Chances of a scripted action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScriptedAction {
    pub(crate) success: f64,
    pub(crate) failure: f64,
    pub(crate) limits: CallLimits,
}

/// Numbers of calls of scripted actions that run: by node and by the agent's index.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CallCounts(BTreeMap<u32, Vec<u32>>);

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

impl ScriptedAction {
    /// Returns true if the answers depend on the number of calls.
    pub(crate) fn counts(&self) -> bool {
        self.limits != CallLimits { least: 1, most: None }
    }

    /// Returns the status for a call by its draw and its number, which counts from 1.
    pub(crate) fn status(&self, drawn: f64, call: u32) -> Status {
        let Self { success, failure, limits } = *self;
        if limits.most.is_some_and(|most| call >= most) {
            let share = if success + failure > 0.0 { success / (success + failure) } else { 1.0 };
            return if drawn < share { Status::Success } else { Status::Failure };
        }
        match drawn {
            _ if call < limits.least => Status::Running,
            drawn if drawn < success => Status::Success,
            drawn if drawn < success + failure => Status::Failure,
            _ => Status::Running,
        }
    }
}

impl CallCounts {
    /// Returns the counts of a node. They have room for the agents with these indices.
    pub(crate) fn of(&mut self, node: u32, most: usize) -> &mut [u32] {
        let counts = self.0.entry(node).or_default();
        if counts.len() <= most {
            counts.resize(most + 1, 0);
        }
        counts
    }

    /// Returns the counts as numbers: for each node its id, the number of counts, and the counts.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        let rows = self.0.iter();
        rows.flat_map(|(node, counts)| [*node, counts.len() as u32].into_iter().chain(counts.iter().copied()))
            .collect()
    }

    /// Returns the counts with these numbers; `None` if they end too early.
    pub(crate) fn from_numbers(mut numbers: &[u32]) -> Option<Self> {
        let mut counts = BTreeMap::new();
        while let [node, count, rest @ ..] = numbers {
            let (own, others) = rest.split_at_checked(*count as usize)?;
            counts.insert(*node, own.to_vec());
            numbers = others;
        }
        numbers.is_empty().then_some(Self(counts))
    }
}
