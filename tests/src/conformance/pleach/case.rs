//! Form of the cases, field by field.

use crate::conformance::engine::Whom;
use pleach_compile::internals::ir::Outcome;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Program with the ticks of its case.
#[derive(Deserialize)]
pub(super) struct Case {
    /// Texts by path.
    pub(super) files: BTreeMap<String, String>,
    /// Tree that all agents run at first.
    #[serde(default = "main")]
    pub(super) entry: String,
    /// True if the program compiles and has the entry.
    #[serde(default = "yes")]
    pub(super) loads: bool,
    #[serde(default)]
    pub(super) seed: u64,
    /// Group of each agent.
    #[serde(default = "one")]
    pub(super) groups: Vec<u32>,
    #[serde(default)]
    pub(super) ticks: Vec<Tick>,
}

fn main() -> String {
    "main".to_owned()
}

fn yes() -> bool {
    true
}

fn one() -> Vec<u32> {
    vec![0]
}

/// Tick of all agents.
#[derive(Deserialize)]
pub(super) struct Tick {
    pub(super) time: i64,
    /// Operations before the tick.
    #[serde(default, rename = "do")]
    pub(super) ops: Vec<Op>,
    /// Changed answers of functions.
    #[serde(default)]
    pub(super) answers: BTreeMap<String, Value>,
    /// Expected results of each agent. Those of a single agent are beside the time instead.
    #[serde(default)]
    agents: Vec<Must>,
    #[serde(flatten)]
    alone: Option<Must>,
}

impl Tick {
    /// Returns the expected results of each agent.
    pub(super) fn must(&self) -> &[Must] {
        self.alone.as_ref().map_or(self.agents.as_slice(), core::slice::from_ref)
    }
}

/// Expected results of a tick for an agent.
#[derive(Deserialize)]
pub(super) struct Must {
    status: Value,
    /// Calls that the host received, in order.
    pub(super) heard: Vec<String>,
    /// Values of some variables after the tick.
    #[serde(default)]
    pub(super) vars: BTreeMap<String, Value>,
}

impl Must {
    pub(super) fn status(&self) -> Result<Outcome, String> {
        status(&self.status).ok_or_else(|| format!("{} is no status", self.status))
    }
}

/// Operation between ticks.
#[derive(Deserialize)]
#[serde(try_from = "Vec<Value>")]
pub(super) enum Op {
    Set(String, f64, usize),
    Raise(String, Whom),
    Reset(usize),
    Switch(String, usize),
}

impl Op {
    fn read(op: &[Value]) -> Option<Self> {
        let name = || Some(op.get(1)?.as_str()?.to_owned());
        let agent = |at: usize| match op.get(at) {
            Some(agent) => usize::try_from(agent.as_u64()?).ok(),
            None => Some(0),
        };
        Some(match op.first()?.as_str()? {
            "set" => Self::Set(name()?, number(op.get(2)?)?, agent(3)?),
            "raise" => Self::Raise(name()?, whom(op)?),
            "reset" => Self::Reset(agent(1)?),
            "switch" => Self::Switch(name()?, agent(2)?),
            _ => return None,
        })
    }
}

fn whom(op: &[Value]) -> Option<Whom> {
    let number = || op.get(3)?.as_u64();
    Some(match op.get(2).map(Value::as_str) {
        None => Whom::Agent(0),
        Some(Some("agent")) => Whom::Agent(usize::try_from(number()?).ok()?),
        Some(Some("group")) => Whom::Group(u32::try_from(number()?).ok()?),
        Some(Some("all")) => Whom::All,
        Some(_) => return None,
    })
}

impl TryFrom<Vec<Value>> for Op {
    type Error = String;

    fn try_from(op: Vec<Value>) -> Result<Self, String> {
        Self::read(&op).ok_or_else(|| format!("no such operation: {op:?}"))
    }
}

/// Reads a status: a word, or the number of a status other than the three.
pub(super) fn status(value: &Value) -> Option<Outcome> {
    match value.as_str() {
        Some("failure") => Some(Outcome::Failure),
        Some("success") => Some(Outcome::Success),
        Some("running") => Some(Outcome::Running),
        Some(_) => None,
        None => Some(Outcome::Other(i32::try_from(value.as_i64()?).ok()?)),
    }
}

/// Reads a number, or a boolean as 1 or 0.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(is) => Some(f64::from(u8::from(*is))),
        Value::String(number) => number.parse().ok(),
        _ => value.as_f64(),
    }
}

/// Reads the value of a variable: an integer and a text exactly, a fraction as the nearest 32-bit
/// float.
pub(super) fn held(value: &Value) -> Option<f64> {
    let number = number(value)?;
    Some(if value.is_f64() { f64::from(number as f32) } else { number })
}
