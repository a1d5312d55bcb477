//! Form of the cases, field by field.

use crate::conformance::flag::Flag;
use pleach_compile::source::{Found, Library};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Tree with the steps of its case.
#[derive(Deserialize)]
pub(super) struct Case {
    /// Files of the folder.
    files: BTreeMap<String, String>,
    #[serde(default)]
    listed: Listed,
    /// Name of the tree.
    pub(super) tree: String,
    /// Expected result of loading: `ok` or `error`.
    load: String,
    /// True if nothing is tolerated that the original engine tolerates.
    #[serde(default)]
    pub(super) strict: bool,
    /// Codes that must be reported.
    #[serde(default)]
    pub(super) codes: Vec<String>,
    #[serde(default)]
    pub(super) steps: Vec<Step>,
}

/// Order in which the case lists its files.
#[derive(Default, Deserialize)]
struct Listed {
    files: Vec<String>,
}

/// Inputs before a tick, and its expected results.
#[derive(Deserialize)]
pub(super) struct Step {
    /// True if the tree must not select from now on.
    pub(super) block: Option<Flag>,
    #[serde(default)]
    pub(super) set_variables: BTreeMap<String, bool>,
    #[serde(default)]
    pub(super) events: Vec<String>,
    #[serde(default)]
    pub(super) expected: Must,
}

/// Expected results.
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

    /// Returns the files of the folder in the order in which they are found.
    fn listed(&self) -> impl Iterator<Item = (&String, &String)> {
        let Self { files, listed, .. } = self;
        let others = files.keys().filter(|path| !listed.files.contains(path));
        listed.files.iter().chain(others).filter_map(|path| files.get_key_value(path))
    }
}

/// Library that finds no file by the name of a tree, only the folder as a whole.
impl Library for Case {
    fn tree(&self, _: &str) -> Option<Found> {
        None
    }

    fn include(&self, _: &str) -> Option<Found> {
        None
    }

    fn files(&self) -> Vec<Found> {
        let found =
            |(path, text): (&String, &String)| Found { name: path.clone(), text: text.as_bytes().into() };
        self.listed().map(found).collect()
    }
}

impl Must {
    /// Returns true if the case expects a selection; `None` if it does not say.
    pub(super) fn selects(&self) -> Option<bool> {
        self.root.as_ref().map(|root| root == "running")
    }
}
