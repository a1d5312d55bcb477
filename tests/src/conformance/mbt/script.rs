//! World of a case: leaves answer as the case says, and their calls are recorded.

use crate::conformance::engine::{Arg, Call, Halt, LogKind, World};
use pleach_compile::internals::ir::Outcome;
use std::collections::{BTreeMap, HashMap};

/// Answers of an agent's leaves, and the record of the agent.
#[derive(Default)]
pub(super) struct Actor {
    answers: HashMap<String, Outcome>,
    pub(super) calls: Vec<String>,
    pub(super) log: Vec<String>,
}

pub(super) struct Script {
    pub(super) actors: Vec<Actor>,
}

impl Script {
    pub(super) fn new(agents: usize) -> Self {
        Self { actors: (0..agents).map(|_| Actor::default()).collect() }
    }

    /// Changes an agent's answers.
    pub(super) fn learn(&mut self, agent: usize, leaves: &BTreeMap<String, String>) -> Result<(), String> {
        for (leaf, answer) in leaves {
            let outcome = match &**answer {
                "success" => Outcome::Success,
                "failure" => Outcome::Failure,
                "running" => Outcome::Running,
                other => return Err(format!("{other} is no answer")),
            };
            self.actors[agent].answers.insert(leaf.clone(), outcome);
        }
        Ok(())
    }
}

/// Returns the name of a leaf. A node of the host other than the leaf of cases has its own name.
fn label(call: &Call<'_>) -> String {
    let text = match (call.name, call.args) {
        (b"Act", [Arg::Text(name)]) => name,
        (name, _) => name,
    };
    String::from_utf8_lossy(text).into_owned()
}

impl World for Script {
    fn act(&mut self, agent: usize, call: &Call<'_>) -> Outcome {
        let (leaf, actor) = (label(call), &mut self.actors[agent]);
        if call.fresh {
            actor.calls.push(format!("init {leaf}"));
        }
        actor.calls.push(format!("update {leaf}"));
        let outcome = actor.answers.get(&leaf).copied().unwrap_or(Outcome::Running);
        if outcome != Outcome::Running {
            actor.calls.push(format!("terminate {leaf}"));
        }
        outcome
    }

    fn query(&mut self, _: usize, _: &Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, agent: usize, call: &Call<'_>, _: Halt) {
        self.actors[agent].calls.push(format!("terminate {}", label(call)));
    }

    fn log(&mut self, agent: usize, _: LogKind, text: &[u8]) {
        self.actors[agent].log.push(String::from_utf8_lossy(text).into_owned());
    }
}
