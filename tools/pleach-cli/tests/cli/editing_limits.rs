//! `pleach view --edit`: limits of texts and names, and texts that cannot be edited.

use crate::editing::{Editor, GUARD, edit};
use crate::folder::Folder;
use crate::served::Served;
use serde_json::json;

/// Returns a text that is longer than a part of 1 MiB, all in a comment.
fn longer(text: &str, bytes: usize) -> String {
    format!("{text}// {}\n", "x".repeat(bytes))
}

#[test]
fn no_step_makes_a_text_too_long() {
    let folder = Folder::new("edit_long");
    let text = longer(GUARD, 900 << 10);
    folder.file("guard.pleach", &text);
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    let more = longer("", 200 << 10) + "var more: int";
    editor.refused(&edit(&json!({ "op": "addDeclaration", "text": more })), "at most 1 MiB");
    editor.refused(&json!({ "do": "text", "file": 0, "text": longer(&text, 200 << 10) }), "at most 1 MiB");
    let name = "x".repeat(1_001);
    let at = GUARD.find("ammo");
    editor.refused(&edit(&json!({ "op": "rename", "at": at, "name": name })), "1,000 bytes");
    editor.edit(&json!({ "op": "addDeclaration", "text": "var more: int" }));
}
