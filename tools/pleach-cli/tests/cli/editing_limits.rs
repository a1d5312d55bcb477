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

#[test]
fn a_file_that_cannot_be_edited_has_no_steps() {
    let folder = Folder::new("edit_large");
    let text = "include \"large.pleach\"\n\ntree guard\n{\n\taction roam\n}\n";
    folder.file("guard.pleach", text).file("large.pleach", longer("action roam()\n", 1 << 20));
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    assert!(editor.sources["files"][1]["reason"].as_str().is_some_and(|it| it.contains("1 MiB")));
    folder.file("large.pleach", longer("action roam()\naction rest()\n", 1 << 20));
    editor.until(|it| it["files"][1]["text"].as_str().is_some_and(|text| text.contains("rest")));
    editor.refused(&json!({ "do": "undo" }), "nothing to undo");
    // The new declaration is known.
    editor.edit(&json!({ "op": "replace", "node": 0, "text": "action rest" }));
}

#[test]
fn ends_of_lines_stay_as_the_file_has_them() {
    let folder = Folder::new("edit_ends");
    folder.file("guard.pleach", GUARD).file("mixed.pleach", GUARD.replacen('\n', "\r\n", 3));
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    editor.edit(&json!({ "op": "replace", "node": 7, "text": "sequence\r\n{\r\n\taction shoot\r\n}" }));
    assert!(!editor.text().contains('\r'), "{}", editor.text());
    // Another program has given the lines other ends.
    folder.file("guard.pleach", GUARD.replace('\n', "\r\n"));
    editor.done(&json!({ "do": "save", "file": 0 }));
    assert_eq!(folder.text("guard.pleach"), editor.text().replace('\n', "\r\n"));
    let served = Served::new(&folder, &["view", "--edit", "mixed.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    editor.refused(&json!({ "do": "text", "file": 0, "text": GUARD }), "ends of lines");
}
