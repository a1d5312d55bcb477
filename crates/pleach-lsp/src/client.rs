//! The client: its abilities and the wishes of its user.

/// Facts about the client that answers depend on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    /// True if columns count bytes.
    pub(crate) is_utf8: bool,
    /// True if the client asks for findings; else they are pushed.
    pub(crate) pulls: bool,
    /// True if the client can hold edits of code actions back until they are chosen.
    pub(crate) resolves: bool,
    /// True if completions may have places to fill in.
    pub(crate) has_snippets: bool,
    /// True if the client can watch files.
    pub(crate) watches: bool,
    /// Address of the page that lists the codes of findings.
    pub(crate) code_page: Option<String>,
    /// True if the rules about trees are applied.
    pub(crate) has_lint: bool,
    /// True if the client asks for inlay hints again when the server says that they have changed.
    pub(crate) refreshes_hints: bool,
    /// Address of a live view whose counts are shown as hints.
    pub(crate) live: Option<String>,
    /// Kinds of inlay hints that are shown.
    pub(crate) hints: Vec<String>,
}
