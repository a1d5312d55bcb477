//! Edits of texts that were written for them. `tests/tests/dialects/editing.rs` edits random
//! programs.

mod items;
mod names;
mod nodes;
mod refusals;
mod symbols;

use pleach_edit::{Edit, Project};

/// Returns a project of one file and the bytes of its marks, which are `$`.
fn marked(text: &str) -> (Project, Vec<u32>) {
    let pieces: Vec<&str> = text.split('$').collect();
    let mut marks = Vec::new();
    let mut at = 0;
    for piece in &pieces[..pieces.len() - 1] {
        at += piece.len() as u32;
        marks.push(at);
    }
    (Project::new().with("a.pleach", &pieces.concat()), marks)
}

/// Returns the node at a mark.
fn node(project: &Project, at: u32) -> usize {
    project.file("a.pleach").expect("the file").document().node_at(at).expect("a node")
}

/// The edit of the node at the mark gives this text, and its inverse gives the old text.
#[track_caller]
fn becomes(text: &str, edit: impl Fn(usize) -> Edit, expected: &str) {
    let (project, marks) = marked(text);
    let edit = edit(node(&project, marks[0]));
    changes(&project, &edit, expected);
}

/// The edit gives this text, and its inverse gives the old text.
#[track_caller]
fn changes(project: &Project, edit: &Edit, expected: &str) {
    let change = project.edit("a.pleach", edit).unwrap_or_else(|refusal| panic!("{refusal}"));
    let changed = change.applied(project);
    assert_eq!(changed.text("a.pleach"), expected, "{change:?}");
    let back = change.inverse(project).applied(&changed);
    assert_eq!(back.text("a.pleach"), project.text("a.pleach"));
}

/// The edit of the node at the mark is refused for this reason.
#[track_caller]
fn refuses(text: &str, edit: impl Fn(usize) -> Edit, reason: &str) {
    let (project, marks) = marked(text);
    let edit = edit(node(&project, marks[0]));
    let refusal = project.edit("a.pleach", &edit).expect_err("a refusal");
    assert!(refusal.reason.contains(reason), "{refusal}");
}

/// The examples of `spec/editing.md` are edits.
#[test]
fn edits_are_data() {
    let page = include_str!("../../../../spec/editing.md");
    let lines = page.lines().filter(|line| line.starts_with("{ \"op\""));
    let edits: Vec<Edit> = lines.map(|line| serde_json::from_str(line).expect("an edit")).collect();
    let expected = [
        Edit::Wrap { node: 3, header: "timeout 5 s".to_owned() },
        Edit::Move { node: 3, parent: 0, index: 2 },
        Edit::Rename { at: 120, name: "patrol".to_owned() },
    ];
    assert_eq!(edits, expected);
}
