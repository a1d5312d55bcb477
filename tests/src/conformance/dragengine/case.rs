//! The form of the cases, field by field.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The status of a step that shows that the tree does not load.
pub(super) const LOAD_ERROR: &str = "exception:LoadError";

/// A tree, and what happens step by step.
#[derive(Deserialize)]
pub(super) struct Case {
    pub(super) source: String,
    /// Further files by path.
    #[serde(default)]
    pub(super) files: BTreeMap<String, String>,
    pub(super) steps: Vec<Step>,
}

/// Operations, and a step.
#[derive(Deserialize)]
pub(super) struct Step {
    /// The table of actions from now on.
    pub(super) leaves: Option<BTreeMap<String, Value>>,
    /// The table of conditions from now on.
    pub(super) conditions: Option<BTreeMap<String, Value>>,
    #[serde(default, deserialize_with = "ops")]
    pub(super) op: Vec<Op>,
    pub(super) expected: Expected,
}

/// What is done before a step.
#[derive(Clone, Deserialize)]
pub(super) struct Op {
    #[serde(rename = "do")]
    pub(super) what: String,
    pub(super) id: Option<String>,
    pub(super) value: Option<u16>,
    /// The id in a state that was never saved.
    pub(super) state: Option<String>,
    #[serde(default)]
    pub(super) first_run: bool,
    pub(super) call: Option<String>,
    pub(super) jump: Option<String>,
}

/// One operation or several.
fn ops<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<Op>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        One(Box<Op>),
        Many(Vec<Op>),
    }
    Ok(match Form::deserialize(from)? {
        Form::One(op) => vec![*op],
        Form::Many(ops) => ops,
    })
}

/// What must come out of a step.
#[derive(Deserialize)]
pub(super) struct Expected {
    pub(super) status: String,
    pub(super) calls: Vec<String>,
    /// The id of the rule afterwards; absent means that it does not matter, null that there is none.
    #[serde(default, deserialize_with = "present")]
    pub(super) current_rule: Option<Option<String>>,
    pub(super) first_run: Option<bool>,
    /// The ids of the rules that have run, when more did than may.
    pub(super) rules: Option<Vec<String>>,
}

fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}
