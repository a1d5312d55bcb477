//! Lines over trees: what can be done with them, and where they are used and tested.

use crate::snapshot::Snapshot;
use crate::text::uri_of;
use gen_lsp_types::{CodeLens, CodeLensParams, Command};
use pleach_edit::{Access, DeclarationKind, FileKind, Symbol};
use serde_json::json;

/// Commands of the client. They get the URI of the file, and the name of the tree.
const RUN: &str = "pleach.run";
const VIEW: &str = "pleach.view";
const TEST: &str = "pleach.test";
const REFERENCES: &str = "pleach.references";

pub(crate) fn lenses(now: &Snapshot, params: &CodeLensParams) -> Vec<CodeLens> {
    let Some(opened) = now.open(&params.text_document.uri.0) else { return Vec::new() };
    let mut list = Vec::new();
    let trees = opened.file.declarations().iter().filter(|it| it.kind == DeclarationKind::Tree);
    for tree in trees {
        let range = opened.range(tree.range);
        let uri = json!(params.text_document.uri);
        let mut push = |title: String, command: &str, arguments| {
            let command =
                Command { title, tooltip: None, command: command.to_owned(), arguments: Some(arguments) };
            list.push(CodeLens { range, command: Some(command), data: None });
        };
        if tree.params.is_empty() {
            push("run".to_owned(), RUN, vec![uri.clone(), json!(tree.name)]);
            push("view".to_owned(), VIEW, vec![uri.clone(), json!(tree.name)]);
        }
        let symbol = Symbol { space: tree.space.clone(), name: tree.name.clone() };
        let references = now.project.references(&opened.name, &symbol);
        let uses: Vec<_> = references
            .iter()
            .filter(|it| it.access == Access::Reads && FileKind::of(&it.file) == Some(FileKind::Trees))
            .map(|it| now.location(&it.file, it.range))
            .collect();
        let plural = if uses.len() == 1 { "" } else { "s" };
        push(
            format!("{} use{plural}", uses.len()),
            REFERENCES,
            vec![uri.clone(), json!(range.start), json!(uses)],
        );
        let tests = tests(now, &opened.name);
        if let Some(first) = tests.first() {
            let count: usize = tests.iter().map(|(_, count)| count).sum();
            let plural = if count == 1 { "" } else { "s" };
            push(format!("{count} test{plural}"), TEST, vec![json!(uri_of(&first.0))]);
        }
    }
    list
}

/// Returns the files of tests of a file, with the number of tests in each.
fn tests(now: &Snapshot, name: &str) -> Vec<(String, usize)> {
    let entries = now.project.entries_with(name).iter();
    let tests = entries.filter(|entry| FileKind::of(entry) == Some(FileKind::Tests));
    let count = |text: &str| text.lines().filter(|line| line.starts_with("test ")).count();
    tests.map(|entry| (entry.to_string(), count(now.project.text(entry)))).collect()
}
