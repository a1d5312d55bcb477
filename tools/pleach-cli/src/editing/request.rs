//! Commands of editing as pages send them, see `spec/view.md`.

use super::form::Form;
use super::trial::{Comparison, Trial};
use pleach_compile::source::Sources;
use pleach_edit::Edit;
use pleach_view::Finding;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    Completion { file: usize, text: String, line: u32, character: u32 },
    Hover { file: usize, text: String, line: u32, character: u32 },
    Diagnostics { file: usize, text: String },
    Try { drafts: Vec<DraftText>, percent: f64 },
    Compare { drafts: Vec<DraftText> },
}

/// Text of a file that a page has not applied.
#[derive(Debug, Deserialize)]
pub(super) struct DraftText {
    pub(super) file: usize,
    pub(super) text: String,
}

impl Command {
    /// Reads a command. Its texts get LF at the ends of lines, as the edited texts have them.
    pub(super) fn read(json: &str) -> Result<Self, Refused> {
        let read = || {
            let mut command = serde_json::from_str(json)?;
            end_lines(&mut command);
            Self::deserialize(command)
        };
        read().map_err(|why| Refused::new(format!("the command is wrong: {why}")))
    }
}

/// Puts LF at the ends of lines of all texts of a value.
fn end_lines(value: &mut Value) {
    match value {
        Value::String(text) if text.contains('\r') => {
            *text = text.replace("\r\n", "\n").replace('\r', "\n");
        }
        Value::Array(list) => list.iter_mut().for_each(end_lines),
        Value::Object(fields) => fields.values_mut().for_each(end_lines),
        _ => {}
    }
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
    /// Completions or findings of a draft, as LSP has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) items: Option<Value>,
    /// Meaning of a word, as LSP has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hover: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trial: Option<Trial>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) comparison: Option<Comparison>,
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

    /// Returns the refusal because the saved texts have an error. Its findings are dropped: their
    /// lines are those of texts that pages do not show.
    pub(crate) fn of_saved(error: &str) -> Self {
        Self::new(format!("the saved trees have errors, so there is nothing to compare with: {error}"))
    }
}
