//! `pleach view --edit` while other programs change the files.

use crate::editing::{Editor, GUARD, edit};
use crate::folder::Folder;
use crate::served::{PATIENCE, Served};
use serde_json::{Value, json};
use std::fs;
use std::time::Instant;

/// Returns a view of a folder that edits its file `guard.pleach`.
fn editing(folder: &Folder) -> Served {
    Served::new(folder, &["view", "--edit", "guard.pleach", "--agents=5"])
}

/// Returns the command that replaces the text of the first file.
fn text(text: &str) -> Value {
    json!({ "do": "text", "file": 0, "text": text })
}

/// A file that is not UTF-8 for a moment loses no text, and can be edited afterwards.
#[test]
fn a_moment_of_other_bytes_loses_nothing() {
    let folder = Folder::new("edit_moment");
    folder.file("guard.pleach", GUARD);
    let served = editing(&folder);
    let mut editor = Editor::of(&served);
    let mine = GUARD.replace("= 100", "= 90");
    editor.done(&text(&mine));
    folder.file("guard.pleach", b"\xff\xfe");
    let save = json!({ "do": "save", "file": 0 });
    editor.refused(&save, "not UTF-8");
    assert_eq!((editor.text(), editor.state()), (mine.as_str(), "unsaved"));
    assert_eq!(fs::read(folder.0.join("guard.pleach")).expect("the file"), b"\xff\xfe");
    folder.file("guard.pleach", GUARD);
    editor.done(&save);
    assert_eq!((editor.state(), &editor.sources["files"][0]["reason"]), ("saved", &Value::Null));
    assert_eq!(folder.text("guard.pleach"), mine);
}

/// A file that grows beyond all limits is left out, and the steps before stay.
#[test]
fn a_file_that_has_grown_too_large_is_not_taken_over() {
    let folder = Folder::new("edit_grown");
    let guard = "include \"common.pleach\"\n\ntree guard\n{\n\taction roam\n}\n";
    folder.file("guard.pleach", guard).file("common.pleach", "action roam()\n");
    let served = editing(&folder);
    let mut editor = Editor::of(&served);
    folder.file("guard.pleach", format!("{guard}// {}\n", "x".repeat(20 << 20)));
    folder.file("common.pleach", "action roam()\naction rest()\n");
    editor.until(|it| it["files"][1]["text"].as_str().is_some_and(|text| text.contains("rest")));
    assert_eq!(editor.text(), guard);
    editor.done(&json!({ "do": "undo" }));
    assert_eq!(editor.sources["files"][1]["text"], "action roam()\n");
    assert_eq!(editor.text(), guard);
}

/// A conflict whose end cannot be written is still a conflict, with both texts.
#[cfg(unix)]
#[test]
fn a_conflict_that_cannot_be_ended_stays() {
    let folder = Folder::new("edit_stays");
    let path = folder.0.join("guard.pleach");
    let (mine, theirs) = (GUARD.replace("= 100", "= 90"), GUARD.replace("= 100", "= 70"));
    folder.file("guard.pleach", GUARD).file("other.pleach", &theirs);
    let served = editing(&folder);
    let mut editor = Editor::of(&served);
    editor.done(&text(&mine));
    fs::remove_file(&path).expect("the file");
    std::os::unix::fs::symlink("other.pleach", &path).expect("a link");
    editor.until(|it| it["files"][0]["state"] == "conflict");
    editor.refused(&json!({ "do": "keep", "file": 0 }), "another file");
    assert_eq!((editor.text(), editor.state()), (mine.as_str(), "conflict"));
    assert_eq!(folder.text("other.pleach"), theirs);
    // Mended, and the other text is still there.
    fs::remove_file(&path).expect("the link");
    folder.file("guard.pleach", &theirs);
    let before = editor.sources["revision"].clone();
    editor.done(&json!({ "do": "keep", "file": 0 }));
    assert_eq!((editor.text(), editor.state()), (mine.as_str(), "saved"));
    assert_eq!(editor.sources["revision"], before);
    editor.done(&json!({ "do": "undo" }));
    assert_eq!(editor.text(), theirs);
}

/// Commands that come all the time do not hide a change on the disk.
#[test]
fn a_change_is_seen_while_pages_send_commands() {
    let folder = Folder::new("edit_busy");
    folder.file("guard.pleach", GUARD);
    let served = editing(&folder);
    let mut editor = Editor::of(&served);
    let (theirs, wrong) = (GUARD.replace("= 100", "= 70"), GUARD.replace("ammo > 0", "ammo >"));
    folder.file("guard.pleach", &theirs);
    let until = Instant::now() + PATIENCE;
    while editor.text() != theirs && Instant::now() < until {
        assert_eq!(editor.send(&text(&wrong))["ok"], false);
    }
    assert_eq!(editor.text(), theirs);
}

/// A manifest that changes while trees are edited is read again, also one with models of nodes.
#[test]
fn manifests_are_read_again() {
    let folder = Folder::new("edit_manifests");
    let models = |name: &str| {
        format!("<root BTCPP_format=\"4\"><TreeNodesModel><Action ID=\"{name}\"/></TreeNodesModel></root>\n")
    };
    folder.file("guard.pleach", "tree guard\n{\n\taction roam\n}\n");
    folder.file("game.manifest", "action roam()\n").file("models.xml", models("Walk"));
    let manifests = ["--manifest", "game.manifest", "--manifest", "models.xml"];
    let args = [&["view", "--edit", "guard.pleach", "--agents=5"], &manifests[..]].concat();
    let served = Served::new(&folder, &args);
    let mut editor = Editor::of(&served);
    assert!(editor.palette["names"].to_string().contains("\"Walk\""), "{}", editor.palette["names"]);
    folder.file("game.manifest", "action roam()\naction rest(post: int)\n");
    folder.file("models.xml", models("Dream"));
    let until = Instant::now() + PATIENCE;
    let knows = |editor: &Editor, name: &str| editor.palette["names"].to_string().contains(name);
    while !(knows(&editor, "\"rest\"") && knows(&editor, "\"Dream\"")) && Instant::now() < until {
        editor.send(&json!({ "do": "form", "file": 0, "node": 0 }));
    }
    editor.edit(&json!({ "op": "replace", "node": 0, "text": "action rest(1)" }));
    editor.edit(&json!({ "op": "replace", "node": 0, "text": "action Dream" }));
}

/// Leaves of an image are offered, and the edited tree compiles. A new image is read again.
#[test]
fn an_image_declares_leaves() {
    let folder = Folder::new("edit_image");
    let game = "action walk(post: int, at: vec2)\naction find(out who: entity)\naction sit()\nvar e: entity\n\
        tree game { sequence { action walk(3, vec2(0.0, 1.0)) action find(e) } }\n";
    folder.file("game.pleach", game).file("new.pleach", "");
    folder.pleach(&["build", "game.pleach", "-o", "game.plc"]).exits(0);
    let args = ["view", "--edit", "new.pleach", "--agents=5", "--manifest", "game.plc"];
    let served = Served::new(&folder, &args);
    let mut editor = Editor::of(&served);
    let params = |editor: &Editor, name: &str| {
        let names = editor.palette["names"].as_array().cloned().unwrap_or_default();
        names
            .into_iter()
            .find(|it| it["name"] == name && it["kind"] == "action")
            .map(|it| it["params"].clone())
    };
    let walk = json!([["value1", "int", false], ["value2", "float", false], ["value3", "float", false]]);
    assert_eq!(params(&editor, "walk"), Some(walk));
    assert_eq!(params(&editor, "find"), Some(json!([["value1", "entity", true]])));
    assert_eq!(params(&editor, "sit"), None, "the image does not call it");
    editor.edit(&json!({ "op": "replace", "node": 0, "text": "action walk(0, 0.0, 0.0)" }));
    editor.refused(
        &edit(&json!({ "op": "replace", "node": 0, "text": "action find(value1)" })),
        "`value1` is not declared",
    );
    editor.edit(&json!({ "op": "addDeclaration", "text": "var value1: entity" }));
    editor.edit(&json!({ "op": "replace", "node": 0, "text": "action find(value1)" }));
    folder.file("game.pleach", game.replace("action find(e)", "action find(e) action sit"));
    folder.pleach(&["build", "game.pleach", "-o", "game.plc"]).exits(0);
    let until = Instant::now() + PATIENCE;
    while params(&editor, "sit").is_none() && Instant::now() < until {
        editor.send(&json!({ "do": "form", "file": 0, "node": 0 }));
    }
    editor.edit(&json!({ "op": "replace", "node": 0, "text": "action sit" }));
}

/// A file that is missing is written only in the folder of the start.
#[cfg(unix)]
#[test]
fn a_missing_file_is_not_written_elsewhere() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("edit_elsewhere");
    folder.file("one/guard.pleach", GUARD).file("two/other.pleach", GUARD);
    let link = folder.0.join("trees");
    symlink("one", &link).expect("a link");
    let served = Served::new(&folder, &["view", "--edit", "trees/guard.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    editor.done(&edit(&json!({ "op": "wrap", "node": 7, "header": "invert" })));
    fs::remove_file(folder.0.join("one/guard.pleach")).expect("the file");
    fs::remove_file(&link).expect("the link");
    symlink("two", &link).expect("a link");
    let save = json!({ "do": "save", "file": 0 });
    editor.refused(&save, "another file");
    assert!(!folder.0.join("one/guard.pleach").exists() && !folder.0.join("two/guard.pleach").exists());
    fs::remove_file(&link).expect("the link");
    symlink("one", &link).expect("a link");
    editor.done(&save);
    assert_eq!(folder.text("one/guard.pleach"), editor.text());
}

#[test]
fn files_are_in_the_order_of_their_names() {
    let folder = Folder::new("edit_order");
    let names = ["a", "b", "c", "d", "e", "z"];
    let includes: String = names.iter().rev().map(|name| format!("include \"{name}.pleach\"\n")).collect();
    folder.file("guard.pleach", format!("{includes}\ntree guard\n{{\n\taction roam\n}}\n"));
    folder.file("z.pleach", "action roam()\n");
    for name in &names[..5] {
        folder.file(&format!("{name}.pleach"), format!("action {name}1()\n"));
    }
    let served = editing(&folder);
    let editor = Editor::of(&served);
    let files = editor.sources["files"].as_array().expect("files").iter();
    let files: Vec<&str> = files.filter_map(|file| file["name"].as_str()).collect();
    let expected = ["guard", "a", "b", "c", "d", "e", "z"].map(|name| format!("{name}.pleach"));
    assert_eq!(files, expected);
}
