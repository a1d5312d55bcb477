//! The form of the cases, field by field.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A tree, and what happens step by step.
#[derive(Deserialize)]
pub(super) struct Case {
    /// The files of the folder, which are found in the order of their names.
    pub(super) files: BTreeMap<String, String>,
    /// The name of the tree.
    pub(super) tree: String,
    /// `ok` or `error`.
    load: String,
    /// Whether nothing is forgiven.
    #[serde(default)]
    pub(super) strict: bool,
    /// Codes that must be told.
    #[serde(default)]
    pub(super) codes: Vec<String>,
    #[serde(default)]
    pub(super) steps: Vec<Step>,
}

/// What happens before a tick, and what must come out of it.
#[derive(Deserialize)]
pub(super) struct Step {
    /// Whether the tree must not select from now on: 1, or 0 for not any more.
    pub(super) block: Option<u8>,
    #[serde(default)]
    pub(super) set_variables: BTreeMap<String, bool>,
    #[serde(default)]
    pub(super) events: Vec<String>,
    #[serde(default)]
    pub(super) expected: Must,
}

/// What must come out.
#[derive(Default, Deserialize)]
pub(super) struct Must {
    root: Option<String>,
    pub(super) selected_leaf: Option<String>,
    pub(super) evaluated: Option<bool>,
    #[serde(default)]
    pub(super) calls: Vec<String>,
    #[serde(default)]
    pub(super) variables: BTreeMap<String, bool>,
}

impl Case {
    pub(super) fn loads(&self) -> bool {
        self.load == "ok"
    }
}

impl Must {
    /// Whether something must be selected, if that is said.
    pub(super) fn selects(&self) -> Option<bool> {
        self.root.as_ref().map(|root| root == "running")
    }
}
