//! Commands by which pages edit trees. The view passes them on; the host carries them out, because
//! it has the texts and the compiler.

/// Names of the commands of editing, see `spec/view.md`.
pub(crate) const EDITING: [&str; 13] = [
    "edit",
    "text",
    "undo",
    "redo",
    "save",
    "take",
    "keep",
    "form",
    "completion",
    "hover",
    "diagnostics",
    "try",
    "compare",
];

/// Command of a page that edits trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditRequest {
    /// Number of the page.
    pub(crate) peer: u64,
    /// Number that the answer repeats.
    pub(crate) id: Option<u64>,
    /// The command, a JSON object with the name of the command in the field `do`.
    pub json: String,
}

/// Kind of a message about the edited texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditMessage {
    /// The texts and their states.
    Sources,
    /// Words and names that can be written.
    Palette,
}
