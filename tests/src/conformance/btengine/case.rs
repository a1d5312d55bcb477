//! Form of the cases, field by field.

use pleach::forest::{TreeOperation, TreeSelector};
use pleach::life::PlayMode;
use pleach_compile::internals::ir::Module;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Forests with the steps of their case.
#[derive(Deserialize)]
pub(super) struct Case {
    /// Text of the forest file.
    pub(super) source: String,
    /// Tree files by path.
    #[serde(default)]
    pub(super) files: BTreeMap<String, String>,
    /// True if all trees are loaded before the first step, without recorded hooks.
    #[serde(default = "yes")]
    pub(super) auto_load: bool,
    pub(super) steps: Vec<Step>,
    /// Expected error codes if the case does not load. If missing, any errors may occur.
    codes: Option<Vec<String>>,
}

fn yes() -> bool {
    true
}

impl Case {
    pub(super) fn loads(&self) -> bool {
        self.steps.first().is_none_or(|step| step.expected.status != "exception:LoadError")
    }

    /// Checks that the errors are the expected ones.
    pub(super) fn fails_with(&self, codes: &[&str]) -> Result<(), String> {
        match &self.codes {
            Some(must) if must != codes => Err(format!("fails with {codes:?}, not {must:?}")),
            _ => Ok(()),
        }
    }
}

/// Orders and an update.
#[derive(Deserialize)]
pub(super) struct Step {
    /// Orders that are given first.
    #[serde(default, rename = "op")]
    pub(super) orders: Vec<Order>,
    /// Answers of hooks; if missing, those of the step before.
    pub(super) leaves: Option<BTreeMap<String, Value>>,
    /// Orders that are given inside hooks.
    #[serde(default)]
    pub(super) inject: Vec<Inject>,
    pub(super) expected: Expected,
}

/// Orders that are given when a hook is called for the first time in a step.
#[derive(Clone, Deserialize)]
pub(super) struct Inject {
    /// Name of the hook, with or without its argument.
    pub(super) at: String,
    pub(super) ops: Vec<Order>,
}

/// Order for forests.
#[derive(Clone, Deserialize)]
pub(super) struct Order {
    #[serde(rename = "do")]
    what: String,
    forest: Option<String>,
    tree: Option<String>,
    count: Option<u32>,
    mode: Option<String>,
    #[serde(default)]
    sync: bool,
}

impl Order {
    /// Returns the operation of the order.
    pub(super) fn what(&self) -> Result<TreeOperation, String> {
        let sync = self.sync;
        let mode = match &self.mode {
            Some(name) => Some(PlayMode::by_name(name).ok_or_else(|| format!("{name} is no mode"))?),
            None => None,
        };
        Ok(match self.what.as_str() {
            "play" => TreeOperation::Play { target: self.count, mode },
            "pause" => TreeOperation::Pause { sync },
            "resume" => TreeOperation::Resume,
            "stop" => TreeOperation::Stop { sync },
            "reset" => TreeOperation::Reset { sync },
            "load" => TreeOperation::Load,
            "destroy" => TreeOperation::Destroy,
            other => return Err(format!("{other} is no operation")),
        })
    }

    /// Returns the trees that the order is for; `None` if there are none of these names.
    pub(super) fn whom(&self, module: &Module) -> Option<TreeSelector> {
        let text = |name| module.names.text(name);
        let Some(name) = &self.forest else { return Some(TreeSelector::All) };
        let forest = module.forests.forests.iter().position(|it| text(it.name) == *name)?;
        let Some(name) = &self.tree else { return Some(TreeSelector::Forest(forest as u32)) };
        let (first, count) = module.forests.forests[forest].trees;
        let trees = &module.forests.trees[first as usize..(first + count) as usize];
        let tree = trees.iter().position(|it| text(it.name) == *name)?;
        Some(TreeSelector::Tree(forest as u32, tree as u32))
    }
}

/// Expected results of a step: for one tree, or for each tree by its name.
#[derive(Deserialize)]
pub(super) struct Expected {
    pub(super) status: Value,
    pub(super) calls: Vec<Calls>,
    pub(super) tree_status: Value,
    #[serde(default)]
    pub(super) accu_loop_count: Value,
    /// Number of trees that did not end.
    #[serde(default)]
    pub(super) endless: usize,
}

/// Call, or a sequence of calls that is repeated.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Calls {
    One(String),
    Times(usize, Vec<String>),
}

impl Expected {
    /// Returns all calls in order.
    pub(super) fn calls(&self) -> Vec<String> {
        let mut all = Vec::new();
        for calls in &self.calls {
            match calls {
                Calls::One(call) => all.push(call.clone()),
                Calls::Times(times, calls) => (0..*times).for_each(|_| all.extend_from_slice(calls)),
            }
        }
        all
    }
}

/// Returns the part of a value that concerns a tree.
pub(super) fn of<'v>(value: &'v Value, tree: &str) -> Option<&'v Value> {
    match value {
        Value::Object(trees) => trees.get(tree),
        Value::Null => None,
        one => Some(one),
    }
}
