//! Form of the cases, field by field.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Status of a step that expects the tree not to load.
pub(super) const LOAD_ERROR: &str = "exception:LoadError";

/// Tree with the steps of its case.
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
    /// New answers of actions.
    pub(super) leaves: Option<BTreeMap<String, Value>>,
    /// New answers of conditions.
    pub(super) conditions: Option<BTreeMap<String, Value>>,
    #[serde(default, deserialize_with = "ops")]
    pub(super) op: Vec<Op>,
    pub(super) expected: Expected,
}

/// Operation before a step.
#[derive(Clone, Deserialize)]
pub(super) struct Op {
    #[serde(rename = "do")]
    pub(super) what: String,
    pub(super) id: Option<String>,
    pub(super) value: Option<u16>,
    /// Rule id in a forged saved state.
    pub(super) state: Option<String>,
    #[serde(default)]
    pub(super) first_run: bool,
    pub(super) call: Option<String>,
    pub(super) jump: Option<String>,
}

/// Reads one operation or several.
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

/// Expected results of a step.
#[derive(Deserialize)]
pub(super) struct Expected {
    pub(super) status: String,
    pub(super) calls: Vec<String>,
    /// Id of the rule afterwards. Missing: not checked. Null: no rule.
    #[serde(default, deserialize_with = "present")]
    pub(super) current_rule: Option<Option<String>>,
    pub(super) first_run: Option<bool>,
    /// Ids of the rules that have run, if the step limit was exceeded.
    pub(super) rules: Option<Vec<String>>,
}

fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}
