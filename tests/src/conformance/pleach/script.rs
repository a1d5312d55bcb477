//! World of a case: answers as the case says, and records the calls.

use super::case::{number, status};
use crate::conformance::engine::{Call, Halt, World};
use pleach_compile::internals::ir::Outcome;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, VecDeque};

pub(super) struct Script {
    /// Answers by function, or by `function@agent`. The last answer of a queue stays.
    answers: HashMap<String, VecDeque<Value>>,
    /// Calls of each agent to the host.
    pub(super) heard: Vec<Vec<String>>,
    /// Invalid answer in the case.
    wrong: Option<String>,
}

impl Script {
    pub(super) fn new(agents: usize) -> Self {
        Self { answers: HashMap::new(), heard: vec![Vec::new(); agents], wrong: None }
    }

    /// Changes the answers.
    pub(super) fn learn(&mut self, answers: &BTreeMap<String, Value>) {
        for (key, answer) in answers {
            let queue = match answer {
                Value::Array(queue) => queue.iter().cloned().collect(),
                one => VecDeque::from([one.clone()]),
            };
            self.answers.insert(key.clone(), queue);
        }
    }

    /// Returns the calls since the last time. Fails if the case has an invalid answer.
    pub(super) fn take(&mut self) -> Result<Vec<Vec<String>>, String> {
        match self.wrong.take() {
            Some(wrong) => Err(wrong),
            None => Ok(self.heard.iter_mut().map(core::mem::take).collect()),
        }
    }

    /// Returns the next answer of a function, or `else_` if the case does not mention the function.
    fn answer<T>(&mut self, agent: usize, call: &Call<'_>, read: fn(&Value) -> Option<T>, else_: T) -> T {
        let name = String::from_utf8_lossy(call.name);
        let own = format!("{name}@{agent}");
        let key = if self.answers.contains_key(&own) { own } else { name.into_owned() };
        let Some(queue) = self.answers.get_mut(&key) else { return else_ };
        let next = if queue.len() > 1 { queue.pop_front() } else { queue.front().cloned() };
        next.as_ref().and_then(read).unwrap_or_else(|| {
            self.wrong = Some(format!("{key} is answered by {next:?}"));
            else_
        })
    }
}

impl World for Script {
    fn act(&mut self, agent: usize, call: &Call<'_>) -> Outcome {
        let begins = if call.fresh { "+" } else { "" };
        self.heard[agent].push(begins.to_owned() + &call.written());
        self.answer(agent, call, status, Outcome::Running)
    }

    /// The key is the function and the place: `find.1`. `null` gives nothing.
    fn give(&mut self, _: usize, call: &Call<'_>, place: usize) -> Option<f64> {
        let queue = self.answers.get_mut(&format!("{}.{place}", String::from_utf8_lossy(call.name)))?;
        let next = if queue.len() > 1 { queue.pop_front() } else { queue.front().cloned() };
        next.as_ref().and_then(number)
    }

    fn query(&mut self, agent: usize, call: &Call<'_>) -> f64 {
        self.heard[agent].push("?".to_owned() + &call.written());
        self.answer(agent, call, number, 0.0)
    }

    fn halt(&mut self, agent: usize, call: &Call<'_>, why: Halt) {
        let why = match why {
            Halt::Interrupted => "",
            Halt::Reset => ":reset",
            Halt::Switched => ":switched",
            Halt::Despawned => ":despawned",
            Halt::Ended => ":ended",
        };
        self.heard[agent].push(format!("-{}{why}", call.written()));
    }
}
