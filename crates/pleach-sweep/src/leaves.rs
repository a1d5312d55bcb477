//! Actions that end at random: with chances for each call, and with a smallest and a largest number
//! of calls.

use pleach::{Agent, Status};
use std::collections::BTreeMap;

/// Smallest and largest number of calls of a scripted action, from its beginning to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallLimits {
    /// Number of the first call in which the action may end, from 1.
    pub least: u32,
    /// Number of the call in which the action ends at the latest; `None` if there is no such call.
    pub most: Option<u32>,
}

/// Chances of a scripted action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScriptedAction {
    /// Chance of success in each call.
    pub success: f64,
    /// Chance of failure in each call.
    pub failure: f64,
    /// Limits of the number of calls.
    pub limits: CallLimits,
}

/// Numbers of calls of scripted actions that run: by node and by the agent's index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallCounts(BTreeMap<u32, Vec<u32>>);

impl ScriptedAction {
    /// Returns true if the answers depend on the number of calls.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.limits != CallLimits { least: 1, most: None }
    }

    /// Returns the status of all calls, if chances and limits leave only one.
    #[must_use]
    pub fn certain(&self) -> Option<Status> {
        match self {
            _ if self.counts() => None,
            Self { success: 1.0.., .. } => Some(Status::Success),
            Self { success: ..=0.0, failure: 1.0.., .. } => Some(Status::Failure),
            Self { success: ..=0.0, failure: ..=0.0, .. } => Some(Status::Running),
            _ => None,
        }
    }

    /// Returns the status for a call by its draw, a number from 0 to 1, and its number, which
    /// counts from 1.
    #[must_use]
    pub fn status(&self, drawn: f64, call: u32) -> Status {
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
    /// Counts a call. Returns its number: 1 if the action begins with this call.
    pub fn next(&mut self, node: u32, agent: Agent, begins: bool) -> u32 {
        let count = &mut self.of(node, agent.index())[agent.index()];
        *count = if begins { 1 } else { count.saturating_add(1) };
        *count
    }

    /// Returns the counts of a node. They have room for the agents with these indices.
    pub fn of(&mut self, node: u32, most: usize) -> &mut [u32] {
        let counts = self.0.entry(node).or_default();
        if counts.len() <= most {
            counts.resize(most + 1, 0);
        }
        counts
    }

    /// Returns the counts as numbers: for each node its id, the number of counts, and the counts.
    #[must_use]
    pub fn numbers(&self) -> Vec<u32> {
        let rows = self.0.iter();
        rows.flat_map(|(node, counts)| [*node, counts.len() as u32].into_iter().chain(counts.iter().copied()))
            .collect()
    }

    /// Returns the counts with these numbers; `None` if they end too early.
    #[must_use]
    pub fn from_numbers(mut numbers: &[u32]) -> Option<Self> {
        let mut counts = BTreeMap::new();
        while let [node, count, rest @ ..] = numbers {
            let (own, others) = rest.split_at_checked(*count as usize)?;
            counts.insert(*node, own.to_vec());
            numbers = others;
        }
        numbers.is_empty().then_some(Self(counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_certain_is_the_status_of_each_draw() {
        let limits = CallLimits { least: 1, most: None };
        let chances = [0.0, 0.25, 0.5, 1.0];
        for (success, failure) in chances.into_iter().flat_map(|one| chances.map(|other| (one, other))) {
            let action = ScriptedAction { success, failure, limits };
            let drawn = [0.0, 0.1, 0.3, 0.6, 0.9].map(|drawn| action.status(drawn, 1));
            let is_one = drawn.iter().all(|status| *status == drawn[0]);
            assert_eq!(action.certain(), is_one.then_some(drawn[0]), "{action:?}");
            assert_eq!(
                ScriptedAction { limits: CallLimits { least: 2, ..limits }, ..action }.certain(),
                None
            );
        }
    }

    #[test]
    fn limits_come_before_chances() {
        let action = |limits| ScriptedAction { success: 0.25, failure: 0.25, limits };
        let limited = action(CallLimits { least: 2, most: Some(3) });
        assert!(limited.counts() && !action(CallLimits { least: 1, most: None }).counts());
        assert_eq!(
            [1, 2, 3].map(|call| limited.status(0.1, call)),
            [Status::Running, Status::Success, Status::Success]
        );
        assert_eq!([2, 3].map(|call| limited.status(0.9, call)), [Status::Running, Status::Failure]);
    }
}
