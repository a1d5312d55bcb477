//! Form of the cases, field by field.

use pleach_compile::internals::ir::{Module, SlotKind};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Tree with the steps of its case.
#[derive(Deserialize)]
pub(super) struct Case {
    /// Text of the tree.
    pub(super) source: String,
    /// Expected result of loading: `ok` or `error`.
    load: String,
    /// The original crashed while it loaded the tree.
    crash_signal: Option<Value>,
    /// Tree that the host asks for.
    pub(super) tree: Option<String>,
    /// Further files.
    #[serde(default)]
    pub(super) files: BTreeMap<String, String>,
    #[serde(default)]
    enums: BTreeMap<String, i32>,
    #[serde(default)]
    pub(super) initial: BTreeMap<String, Value>,
    global: Option<Value>,
    /// Rules by which nodes are replaced.
    pub(super) substitutions: Option<Value>,
    version: Option<String>,
    #[serde(default)]
    pub(super) steps: Vec<Step>,
}

/// Inputs before a tick, and its expected results.
#[derive(Deserialize)]
pub(super) struct Step {
    /// Time in seconds.
    time_s: f64,
    #[serde(default)]
    pub(super) set_variables: BTreeMap<String, Value>,
    /// Changed answers of leaves: one, or one for each call.
    #[serde(default)]
    pub(super) leaves: BTreeMap<String, Value>,
    #[serde(default)]
    pub(super) halt: bool,
    #[serde(default)]
    pub(super) wake: bool,
    tick: Option<String>,
    sleep_ms: Option<i64>,
    pub(super) expected: Must,
}

/// Expected results.
#[derive(Deserialize)]
pub(super) struct Must {
    pub(super) root: String,
    #[serde(default)]
    pub(super) calls: Vec<String>,
    pub(super) transitions: Option<Vec<String>>,
    #[serde(default)]
    pub(super) variables: BTreeMap<String, Value>,
    #[serde(default)]
    pub(super) scopes: BTreeMap<String, BTreeMap<String, Value>>,
    #[serde(default)]
    pub(super) set_errors: Vec<String>,
    time_s: Option<f64>,
}

/// Ways of a tick.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ticks {
    ExactlyOnce,
    Once,
    /// Sleeps so many milliseconds between ticks.
    WhileRunning(i64),
    None,
}

impl Case {
    /// Returns true if the case was recorded with version 3, whose changes of statuses are written
    /// otherwise.
    pub(super) fn is_old(&self) -> bool {
        self.version.is_some()
    }

    /// Returns true if a file of the case has a text.
    pub(super) fn mentions(&self, text: &str) -> bool {
        self.source.contains(text) || self.files.values().any(|file| file.contains(text))
    }

    pub(super) fn loads(&self) -> bool {
        self.load == "ok" && self.crash_signal.is_none()
    }

    /// Returns the reason why the case is about something that is not carried, if it is.
    pub(super) fn foreign(&self) -> Option<String> {
        self.global.is_some().then(|| "a blackboard of the host".to_owned())
    }

    /// Returns true if the host writes a number to an entry that holds texts.
    pub(super) fn sets_numbers_of_texts(&self, module: &Module) -> bool {
        let texts = module.slots.iter().filter(|slot| slot.kind == SlotKind::Text);
        let names: Vec<_> =
            texts.filter_map(|slot| slot.name).map(|name| module.names.text(name).into_owned()).collect();
        let mut set = self.steps.iter().flat_map(|step| &step.set_variables).chain(&self.initial);
        set.any(|(name, value)| names.contains(name) && !value.is_string())
    }

    /// Returns the texts that the host may write to entries.
    pub(super) fn texts(&self) -> Vec<&str> {
        let steps = self.steps.iter().flat_map(|step| step.set_variables.values());
        let set = self.initial.values().chain(steps).filter_map(Value::as_str);
        let given = self.source.split(" to=\"").skip(1).filter_map(|rest| rest.split('"').next());
        set.chain(given).collect()
    }

    /// Returns true if the host writes a text to an entry only after the tree is made.
    pub(super) fn has_late_texts(&self) -> bool {
        let mut set = self.steps.iter().flat_map(|step| &step.set_variables);
        set.any(|(name, value)| value.is_string() && !self.initial.contains_key(name))
    }

    /// Returns the declarations of what the host brings besides leaves. `late` is the type of an
    /// entry to which the host writes a text only after the tree is made.
    pub(super) fn declarations(&self, late: impl Fn(&str) -> &'static str) -> String {
        let mut lines: Vec<_> =
            self.enums.iter().map(|(name, value)| format!("symbol {name} = {value}")).collect();
        let steps = self.steps.iter().flat_map(|step| &step.set_variables);
        let mut known: Vec<&str> = Vec::new();
        for (name, value) in self.initial.iter().chain(steps) {
            if known.contains(&&**name) {
                continue;
            }
            let ty = match value {
                Value::Bool(_) => "bool",
                Value::Number(number) if number.is_f64() => "double",
                Value::Number(_) => "int",
                Value::String(_) if self.initial.contains_key(name) => "text",
                Value::String(_) => late(name),
                _ => continue,
            };
            known.push(name);
            lines.push(format!("entry {name}: {ty}"));
        }
        lines.join("\n")
    }
}

impl Step {
    /// Returns the time in milliseconds.
    pub(super) fn time(&self) -> i64 {
        (self.time_s * 1000.0).round() as i64
    }

    pub(super) fn ticks(&self) -> Ticks {
        match self.tick.as_deref() {
            Some("once") => Ticks::Once,
            Some("while_running") => Ticks::WhileRunning(self.sleep_ms.unwrap_or(10)),
            Some("none") => Ticks::None,
            _ => Ticks::ExactlyOnce,
        }
    }
}

impl Must {
    /// Returns the time in milliseconds after the ticks, if it is told.
    pub(super) fn time(&self) -> Option<i64> {
        self.time_s.map(|time| (time * 1000.0).round() as i64)
    }
}
