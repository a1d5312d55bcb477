//! Features for one text without a connection: the editor in the page of a live view asks for them.

use crate::client::Client;
use crate::features::completion::complete_at;
use crate::features::findings::FindingsCache;
use crate::features::hover::hover_at;
use crate::snapshot::{Opened, Snapshot};
use gen_lsp_types::Position;
use pleach_edit::Project;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// Text of a file that is being written. The other files are those of a project.
#[derive(Debug)]
pub struct Draft {
    snapshot: Snapshot,
    file: String,
}

impl Draft {
    /// Makes a draft of a file. The project stays as it is.
    #[must_use]
    pub fn new(project: &Project, file: &str, text: &str) -> Self {
        let mut project = project.clone();
        project.set(file, text.into());
        let client = Arc::new(Client { has_snippets: true, has_lint: true, ..Client::default() });
        let snapshot = Snapshot {
            client,
            project,
            others: Arc::default(),
            versions: HashMap::new(),
            revision: 1,
            is_cancelled: Arc::default(),
            lines: Default::default(),
        };
        Self { snapshot, file: file.to_owned() }
    }

    /// Returns the result of the request `textDocument/completion` at a line and a column, both
    /// from 0. Columns count UTF-16 code units.
    #[must_use]
    pub fn completion(&self, line: u32, character: u32) -> Value {
        self.at(line, character)
            .map_or_else(|| json!([]), |(opened, at)| json!(complete_at(&self.snapshot, &opened, at)))
    }

    /// Returns the result of the request `textDocument/hover` at a line and a column, both from 0.
    /// Nothing is compiled, so the copies of a tree are not counted.
    #[must_use]
    pub fn hover(&self, line: u32, character: u32) -> Value {
        self.at(line, character)
            .map_or(Value::Null, |(opened, at)| json!(hover_at(&self.snapshot, None, &opened, at)))
    }

    /// Returns the findings of the compiler and of the rules, as a list of LSP's `Diagnostic`.
    #[must_use]
    pub fn diagnostics(&self) -> Value {
        json!(FindingsCache::default().of(&self.snapshot, &self.file))
    }

    fn at(&self, line: u32, character: u32) -> Option<(Opened<'_>, u32)> {
        let opened = self.snapshot.named(&self.file)?;
        let at = opened.lines.byte(Position { line, character });
        Some((opened, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_has_completions_meanings_and_findings() {
        let project = Project::new().with("a.pleach", "action walk(post: int)\ntree a { action walk(1) }");
        let draft = Draft::new(&project, "a.pleach", "action walk(post: int)\ntree a { action wa }");
        let completion = draft.completion(1, 18);
        assert_eq!(completion[0]["label"], "walk");
        assert_eq!(completion[0]["textEdit"]["newText"], "walk(${1:post})");
        let hover = draft.hover(1, 11);
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.contains("**action**"), "{hover}");
        let found = draft.diagnostics();
        assert!(found[0]["message"].as_str().is_some_and(|it| it.contains("wa")), "{found}");
        assert_eq!(found[0]["range"]["start"], json!({ "line": 1, "character": 16 }));
        // The project is as before.
        assert!(project.text("a.pleach").ends_with("walk(1) }"));
        assert_eq!(Draft::new(&project, "b.txt", "tree").completion(9, 9), json!([]));
    }
}
