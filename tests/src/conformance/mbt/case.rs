//! Form of the cases, field by field.

use crate::conformance::flag::Flag;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Tree with the steps of its case.
#[derive(Deserialize)]
pub(super) struct Case {
    /// Text of the tree.
    pub(super) source: String,
    /// Expected result of loading: `ok` or `error`.
    load: String,
    /// Relative position of every random draw in its range.
    pub(super) random_value: Option<f64>,
    /// Groups of agents by the names of agents.
    #[serde(default)]
    groups: BTreeMap<String, u32>,
    #[serde(default)]
    listed: Listed,
    /// Codes of errors that must be reported.
    #[serde(default)]
    pub(super) codes: Vec<String>,
    #[serde(default)]
    pub(super) steps: Vec<Step>,
}

/// Order in which the case lists its agents.
#[derive(Default, Deserialize)]
struct Listed {
    agents: Vec<String>,
}

/// Inputs before a tick, and its expected results.
#[derive(Deserialize)]
pub(super) struct Step {
    /// Time in seconds.
    time_s: f64,
    /// Agents by name. The fields of a single agent are beside the time instead.
    #[serde(default)]
    agents: BTreeMap<String, Part>,
    #[serde(flatten)]
    alone: Option<Part>,
}

/// Inputs of an agent.
#[derive(Deserialize)]
pub(super) struct Part {
    #[serde(default)]
    pub(super) set_variables: BTreeMap<String, bool>,
    #[serde(default)]
    pub(super) events: Vec<String>,
    /// Changed answers of leaves.
    #[serde(default)]
    pub(super) leaves: BTreeMap<String, String>,
    /// True if the tree is stopped before the tick.
    #[serde(default)]
    pub(super) stop: Flag,
    pub(super) expected: Must,
}

/// Expected results.
#[derive(Deserialize)]
pub(super) struct Must {
    pub(super) root: String,
    #[serde(default)]
    pub(super) calls: Vec<String>,
    #[serde(default)]
    pub(super) variables: BTreeMap<String, bool>,
    pub(super) log: Option<Vec<String>>,
}

impl Case {
    pub(super) fn loads(&self) -> bool {
        self.load == "ok"
    }

    /// Returns the names of the agents in the order in which they are ticked. A single agent has
    /// the empty name.
    pub(super) fn agents(&self) -> Vec<String> {
        let mut names = self.listed.agents.clone();
        for name in self.steps.iter().flat_map(|step| step.agents.keys()).chain(self.groups.keys()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        if names.is_empty() { vec![String::new()] } else { names }
    }

    pub(super) fn group(&self, agent: &str) -> u32 {
        self.groups.get(agent).copied().unwrap_or(0)
    }
}

impl Step {
    /// Returns the time in units of 10 microseconds, converted from seconds like the engine does.
    pub(super) fn time(&self) -> i64 {
        (self.time_s as f32 * 100_000.0) as i64
    }

    /// Returns the part that concerns an agent, if there is one.
    pub(super) fn part(&self, agent: &str) -> Option<&Part> {
        self.agents.get(agent).or(self.alone.as_ref())
    }
}
