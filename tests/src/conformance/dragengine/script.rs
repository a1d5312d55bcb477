//! Host of a case: answers from its tables, and records the calls.

use crate::conformance::engine::walker::{Guide, Turn};
use crate::conformance::engine::{Arg, Call};
use pleach_compile::internals::ir::Outcome;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Answers by name. The last answer of a queue stays.
type Table = HashMap<String, VecDeque<Value>>;

#[derive(Default)]
pub(super) struct Script {
    actions: Table,
    conditions: Table,
    /// Rules to which calls of a name send the agent.
    pub(super) jumps: HashMap<String, String>,
    /// Calls, in order.
    pub(super) calls: Vec<String>,
    /// Invalid answer in the case.
    wrong: Option<String>,
}

impl Script {
    /// Replaces the tables that the step has.
    pub(super) fn learn(
        &mut self,
        actions: Option<&BTreeMap<String, Value>>,
        conditions: Option<&BTreeMap<String, Value>>,
    ) {
        let of =
            |table: &BTreeMap<String, Value>| table.iter().map(|(name, value)| queue(name, value)).collect();
        if let Some(table) = actions {
            self.actions = of(table);
        }
        if let Some(table) = conditions {
            self.conditions = of(table);
        }
    }

    /// Returns the calls since the last time. Fails if the case has an invalid answer.
    pub(super) fn take(&mut self) -> Result<Vec<String>, String> {
        match self.wrong.take() {
            Some(wrong) => Err(wrong),
            None => Ok(core::mem::take(&mut self.calls)),
        }
    }

    fn jump(&self, key: &str) -> Option<String> {
        self.jumps.get(key).cloned()
    }
}

fn queue(name: &str, value: &Value) -> (String, VecDeque<Value>) {
    let queue = match value {
        Value::Array(queue) => queue.iter().cloned().collect(),
        one => VecDeque::from([one.clone()]),
    };
    (name.to_owned(), queue)
}

fn next(table: &mut Table, name: &str) -> Option<Value> {
    let queue = table.get_mut(name)?;
    if queue.len() > 1 { queue.pop_front() } else { queue.front().cloned() }
}

/// Returns true if a parameter of the call has a value: `param:name=value`. Each parameter is four
/// arguments.
fn has_parameter(call: &Call<'_>, wanted: &str) -> bool {
    let (name, value) = wanted.split_once('=').unwrap_or((wanted, ""));
    call.args.chunks(4).any(|parameter| {
        parameter.first() == Some(&Arg::Text(name.as_bytes())) && parameter[1] == Arg::Text(value.as_bytes())
    })
}

impl Guide for Script {
    fn knows(&mut self, _: usize, name: &[u8]) -> bool {
        self.actions.contains_key(&*String::from_utf8_lossy(name))
    }

    fn act(&mut self, _: usize, call: &Call<'_>) -> Turn<Outcome> {
        let name = String::from_utf8_lossy(call.name).into_owned();
        let key = format!("act:{name}");
        self.calls.push(format!("{key}{}", if call.fresh { "(first)" } else { "" }));
        let answer = next(&mut self.actions, &name);
        let answer = match answer.as_ref().and_then(Value::as_str) {
            Some("running") => Outcome::Running,
            Some("success") => Outcome::Success,
            Some("failure") => Outcome::Failure,
            Some(text) if text.starts_with("param:") => {
                if has_parameter(call, &text["param:".len()..]) {
                    Outcome::Success
                } else {
                    Outcome::Failure
                }
            }
            _ => {
                self.wrong = Some(format!("{key} is answered by {answer:?}"));
                Outcome::Failure
            }
        };
        Turn { answer, jump: self.jump(&key) }
    }

    fn query(&mut self, _: usize, call: &Call<'_>) -> Turn<bool> {
        let name = String::from_utf8_lossy(call.name).into_owned();
        // A missing condition is false, and no call is recorded.
        let Some(answer) = next(&mut self.conditions, &name) else { return Turn::stay(false) };
        let key = format!("cond:{name}");
        self.calls.push(key.clone());
        let answer = match &answer {
            Value::Bool(answer) => *answer,
            Value::String(text) if text.starts_with("param:") => has_parameter(call, &text["param:".len()..]),
            _ => {
                self.wrong = Some(format!("{key} is answered by {answer:?}"));
                false
            }
        };
        Turn { answer, jump: self.jump(&key) }
    }
}
