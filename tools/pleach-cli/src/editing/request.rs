//! Commands of editing as pages send them, see `spec/view.md`.

use super::form::Form;
use pleach_compile::source::Sources;
use pleach_edit::Edit;
use pleach_view::Finding;
use serde::{Deserialize, Serialize};

/// Command of a page.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub(super) enum Command {
    Edit { file: usize, revision: u64, edit: Edit },
    Text { file: usize, revision: u64, text: String },
    Undo { revision: u64 },
    Redo { revision: u64 },
    Save { file: Option<usize> },
    Take { file: usize },
    Keep { file: usize },
    Form { file: usize, revision: u64, node: usize },
}

/// Fields of an answer beyond success.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Details {
    /// Index of the changed file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<usize>,
    /// Index of the node that was edited, in the new text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) node: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) form: Option<Form>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) findings: Vec<Placed>,
}

/// Finding, with the index of its file in `sources`.
#[derive(Debug, Serialize)]
pub(super) struct Placed {
    #[serde(flatten)]
    pub(super) finding: Finding,
    pub(super) place: Option<usize>,
}

/// Reason why texts were not changed.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    /// One sentence for people.
    pub(crate) error: String,
    /// Errors of the new texts.
    pub(crate) findings: Vec<Finding>,
    /// The new texts.
    pub(crate) sources: Option<Sources>,
}

impl Refused {
    /// Returns the refusal for a reason.
    pub(crate) fn new(error: impl Into<String>) -> Self {
        Self { error: error.into(), ..Self::default() }
    }
}
