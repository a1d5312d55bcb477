//! The form of the cases, field by field.

use crate::conformance::flag::Flag;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A tree, and what happens step by step.
#[derive(Deserialize)]
pub(super) struct Case {
    /// The text of the tree.
    pub(super) source: String,
    /// `ok` or `error`.
    load: String,
    /// Where all draws lie between the ends of what is drawn.
    pub(super) random_value: Option<f64>,
    /// Groups of agents, by their names.
    #[serde(default)]
    groups: BTreeMap<String, u32>,
    #[serde(default)]
    listed: Listed,
    /// Codes of errors that must be told.
    #[serde(default)]
    pub(super) codes: Vec<String>,
    #[serde(default)]
    pub(super) steps: Vec<Step>,
}

/// What is written in an order.
#[derive(Default, Deserialize)]
struct Listed {
    agents: Vec<String>,
}

/// What happens before a tick, and what must come out of it.
#[derive(Deserialize)]
pub(super) struct Step {
    /// Seconds.
    time_s: f64,
    /// Agents by their names; one alone has everything beside the time.
    #[serde(default)]
    agents: BTreeMap<String, Part>,
    #[serde(flatten)]
    alone: Option<Part>,
}

/// What happens to an agent.
#[derive(Deserialize)]
pub(super) struct Part {
    #[serde(default)]
    pub(super) set_variables: BTreeMap<String, bool>,
    #[serde(default)]
    pub(super) events: Vec<String>,
    /// What changes in the table of answers.
    #[serde(default)]
    pub(super) leaves: BTreeMap<String, String>,
    /// Whether the tree is stopped before the tick.
    #[serde(default)]
    pub(super) stop: Flag,
    pub(super) expected: Must,
}

/// What must come out.
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

    /// The names of the agents, in the order in which they are ticked. One alone has none.
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
    /// The time in units of 10 microseconds, as the engine makes it of seconds.
    pub(super) fn time(&self) -> i64 {
        (self.time_s as f32 * 100_000.0) as i64
    }

    /// What concerns an agent, if anything does.
    pub(super) fn part(&self, agent: &str) -> Option<&Part> {
        self.agents.get(agent).or(self.alone.as_ref())
    }
}
