//! Findings in files of tests: lines that cannot be read, and names that the tree does not have.

use crate::snapshot::Snapshot;
use gen_lsp_types::{Diagnostic, DiagnosticSeverity, Message};
use pleach_edit::scenario::{TreePath, parse};
use pleach_edit::{DeclarationKind, FileKind, Mention, Owner, ProjectFile, Space};

/// Returns the findings in a file of tests. `compiles` tells if a tree has no errors.
pub(crate) fn findings(
    now: &Snapshot,
    name: &str,
    compiles: &mut dyn FnMut(&str) -> bool,
) -> Vec<Diagnostic> {
    let Some(file) = now.project.file(name) else { return Vec::new() };
    let (scenario, problems) = parse(file.document().text());
    let mut list: Vec<_> =
        problems.iter().map(|it| finding(now, name, line(file, it.line), &it.message)).collect();
    let Some(TreePath { path, range }) = scenario.tree else { return list };
    let Some(tree) = now.project.linked(name, &path) else {
        // A tree of another dialect, or an image, is not in the project.
        if FileKind::of(&path) == Some(FileKind::Trees) {
            let message = format!("there is no file `{path}` beside the file of tests");
            list.push(finding(now, name, range, &message));
        }
        return list;
    };
    // A program with errors may lack a name because of them.
    if FileKind::of(tree) == Some(FileKind::Trees) && compiles(tree) {
        let unknown = file.mentions().iter().filter_map(|it| Some((it, unknown(now, name, it)?)));
        list.extend(unknown.map(|(it, message)| finding(now, name, it.range, &message)));
    }
    list
}

/// Returns the message about a name that is not declared.
fn unknown(now: &Snapshot, file: &str, mention: &Mention) -> Option<String> {
    let symbol = now.project.resolve(file, mention);
    let word = match &symbol.space {
        Space::Action => "the tree has no action",
        Space::Event => "no tree has an event",
        Space::Tree => "there is no tree",
        // A value that does not fit is told when the test runs.
        Space::Value if mention.context.is_none() && !is_member(now, file, &mention.name) => {
            "there is no query or variable"
        }
        // A part of a vector is checked when the test runs.
        Space::Local(Owner::Tree(of)) if !now.project.has(file, &Space::Value, of) => {
            "the tree has no variable"
        }
        _ => return None,
    };
    let is_known = now.project.declaration(file, &symbol).is_some();
    (!is_known).then(|| format!("{word} `{}`", mention.name))
}

/// Returns true if an enum has a member of a name. Several enums may have it.
fn is_member(now: &Snapshot, file: &str, name: &str) -> bool {
    let mut all = now.project.declarations(file);
    all.any(|(_, it)| it.kind == DeclarationKind::Member && *it.name == *name)
}

/// Returns the place of a line, without the white space around its text.
fn line(file: &ProjectFile, number: u32) -> (u32, u32) {
    let text = file.document().text();
    let Some(line) = text.lines().nth(number as usize - 1) else { return (0, 0) };
    let start = line.trim_start().as_ptr() as usize - text.as_ptr() as usize;
    (start as u32, (start + line.trim().len()) as u32)
}

fn finding(now: &Snapshot, name: &str, place: (u32, u32), message: &str) -> Diagnostic {
    Diagnostic {
        range: now.lines(name).range(place),
        severity: Some(DiagnosticSeverity::Error),
        source: Some("pleach".to_owned()),
        message: Message::String(message.to_owned()),
        ..Diagnostic::default()
    }
}
