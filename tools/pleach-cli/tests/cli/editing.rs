//! `pleach view --edit`: pages edit trees while a crowd runs them.

use crate::folder::Folder;
use crate::served::{Page, Served};
use serde_json::{Value, json};
use std::fs;
use tungstenite::Message;

/// The guard of the README, in the usual layout.
pub(crate) const GUARD: &str = include_str!("../guard.pleach");

/// Page that edits.
pub(crate) struct Editor {
    pub(crate) page: Page,
    next: u64,
    pub(crate) sources: Value,
    pub(crate) palette: Value,
    program: Value,
}

/// Returns the command for an edit of the first file.
pub(crate) fn edit(edit: &Value) -> Value {
    json!({ "do": "edit", "file": 0, "edit": edit })
}

impl Editor {
    pub(crate) fn of(served: &Served) -> Self {
        let mut page = served.page();
        let sources = page.wait("sources", |_| true);
        let palette = if sources["reason"].is_null() { page.wait("palette", |_| true) } else { Value::Null };
        Self { page, next: 0, sources, palette, program: Value::Null }
    }

    /// Sends a command about the present texts, and waits for its answer.
    pub(crate) fn send(&mut self, command: &Value) -> Value {
        self.next += 1;
        let mut command = command.clone();
        command["id"] = json!(self.next);
        if command["revision"].is_null() {
            command["revision"] = self.sources["revision"].clone();
        }
        self.page.say(&command);
        self.answer()
    }

    fn answer(&mut self) -> Value {
        loop {
            let message = self.page.wait_any(&["answer", "sources", "palette", "program"]);
            match message["type"].as_str() {
                Some("sources") => self.sources = message,
                Some("palette") => self.palette = message,
                Some("program") => self.program = message,
                _ if message["id"] == self.next => return message,
                _ => {}
            }
        }
    }

    #[track_caller]
    pub(crate) fn done(&mut self, command: &Value) -> Value {
        let answer = self.send(command);
        assert_eq!(answer["ok"], true, "{command}: {answer}");
        answer
    }

    #[track_caller]
    pub(crate) fn refused(&mut self, command: &Value, why: &str) -> Value {
        let before = self.sources.clone();
        let answer = self.send(command);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(answer["ok"] == false && error.contains(why), "{command}: {answer}");
        assert_eq!(self.sources["files"][0]["text"], before["files"][0]["text"]);
        answer
    }

    #[track_caller]
    pub(crate) fn edit(&mut self, edit: &Value) -> usize {
        let answer = self.done(&self::edit(edit));
        answer["node"].as_u64().map_or(usize::MAX, |node| node as usize)
    }

    pub(crate) fn text(&self) -> &str {
        self.sources["files"][0]["text"].as_str().expect("a text")
    }

    pub(crate) fn state(&self) -> &str {
        self.sources["files"][0]["state"].as_str().expect("a state")
    }

    /// Waits until the texts have a property.
    pub(crate) fn until(&mut self, is: impl Fn(&Value) -> bool) {
        while !is(&self.sources) {
            self.sources = self.page.wait("sources", |_| true);
        }
    }
}

#[test]
fn from_an_empty_file_to_the_guard_of_the_readme() {
    let folder = Folder::new("edit_guard");
    folder.file("guard.pleach", "");
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=20"]);
    let mut editor = Editor::of(&served);
    assert_eq!((editor.text(), editor.state()), ("tree guard\n{\n\trunning\n}\n", "unsaved"));
    for text in ["action shoot()", "action walk(post: int)", "var health: float = 100", "var ammo: int8 = 6"]
    {
        editor.edit(&json!({ "op": "addDeclaration", "text": text }));
    }
    editor.edit(&json!({ "op": "addDeclaration", "text": "var visible: bool" }));
    editor.edit(&json!({ "op": "addDeclaration", "text": "on hit { set health -= 10.0 }" }));
    // The `set` of the event is the first node.
    assert_eq!(editor.edit(&json!({ "op": "replace", "node": 1, "text": "reactive selector\n{\n}" })), 1);
    let text = "while visible && ammo > 0 { running }";
    assert_eq!(editor.edit(&json!({ "op": "insert", "parent": 1, "index": 0, "text": text })), 2);
    editor.edit(&json!({ "op": "replace", "node": 3, "text": "sequence\n{\n}" }));
    editor.edit(&json!({ "op": "insert", "parent": 3, "index": 0, "text": "action shoot" }));
    assert_eq!(editor.edit(&json!({ "op": "wrap", "node": 4, "header": "cooldown 500 ms" })), 4);
    assert_eq!(editor.edit(&json!({ "op": "insert", "parent": 3, "index": 1, "text": "set ammo -= 1" })), 6);
    assert_eq!(editor.edit(&json!({ "op": "insert", "parent": 1, "index": 1, "text": "action walk(3)" })), 7);
    assert_eq!(editor.text(), GUARD);
    let walk = editor.palette["names"].as_array().expect("names").iter().find(|it| it["name"] == "walk");
    assert_eq!(walk.expect("a name")["params"], json!([["post", "int", false]]));
    let form = editor.done(&json!({ "do": "form", "file": 0, "node": 7 }))["form"].clone();
    let argument = json!([{ "name": "post", "type": "int", "text": "3" }]);
    assert_eq!(form, json!({ "words": "action walk(3)", "weight": null, "arguments": argument }));
    // The running crowd has the new tree, and nothing is written before it is saved.
    let nodes = editor.program["nodes"].to_string();
    assert!(nodes.contains("action walk(3)"), "{nodes}");
    assert_eq!(fs::read_to_string(folder.0.join("guard.pleach")).expect("the file"), "");
    editor.done(&json!({ "do": "save", "file": null }));
    assert_eq!(fs::read_to_string(folder.0.join("guard.pleach")).expect("the file"), GUARD);
    assert_eq!(editor.state(), "saved");
    // Each step is undone, down to the first text, and done again.
    let mut steps = 0;
    while !editor.sources["undo"].is_null() {
        editor.done(&json!({ "do": "undo" }));
        steps += 1;
    }
    assert_eq!((steps, editor.text()), (13, "tree guard\n{\n\trunning\n}\n"));
    editor.refused(&json!({ "do": "undo" }), "nothing to undo");
    for _ in 0..steps {
        editor.done(&json!({ "do": "redo" }));
    }
    assert_eq!((editor.text(), editor.state()), (GUARD, "saved"));
}

#[test]
fn an_edit_that_is_wrong_or_late_changes_nothing() {
    let folder = Folder::new("edit_refused");
    folder.file("guard.pleach", GUARD);
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    let unwrap = json!({ "op": "unwrap", "node": 1 });
    for (command, why) in [
        (edit(&json!({ "op": "wrap", "node": 1, "header": "while nonsense" })), "nonsense"),
        (edit(&json!({ "op": "wrap", "node": 1, "header": "while {{{" })), ""),
        (edit(&json!({ "op": "wrap", "node": 99, "header": "invert" })), "no such node"),
        (edit(&json!({ "op": "delete", "node": 5 })), "must have a child"),
        (edit(&json!({ "op": "move", "node": 1, "parent": 2, "index": 0 })), "into itself"),
        (edit(&json!({ "op": "fly", "node": 1 })), "fly"),
        (edit(&json!({ "op": "rename", "at": 4_000_000_000_u32, "name": "x" })), "no name here"),
        // Two edits would be about each other's nodes.
        (json!({ "do": "edit", "file": 0, "edits": [&unwrap, &unwrap] }), "missing field `edit`"),
        (json!({ "do": "edit", "file": 0, "edit": [&unwrap, &unwrap] }), "wrong"),
        (json!({ "do": "edit", "file": 7, "edit": &unwrap }), "no file 7"),
        (json!({ "do": "edit", "file": -1, "edit": &unwrap }), "wrong"),
        (json!({ "do": "edit", "file": 0, "revision": 0, "edit": &unwrap }), "changed meanwhile"),
        (json!({ "do": "text", "file": 0, "revision": 99, "text": "" }), "changed meanwhile"),
        (json!({ "do": "form", "file": 0, "node": 99 }), "no node 99"),
        (json!({ "do": "take", "file": 0 }), "no conflict"),
        (json!({ "do": "save", "file": 3 }), "no file 3"),
        (json!({ "do": "undo" }), "nothing to undo"),
    ] {
        editor.refused(&command, why);
    }
    // The tree that the agents run cannot go.
    let name = GUARD.find("guard").expect("a name");
    editor.refused(&edit(&json!({ "op": "rename", "at": name, "name": "sentry" })), "guard");
    // A text with errors is refused with their places.
    let wrong = GUARD.replace("ammo > 0", "ammo >");
    let answer = editor.refused(&json!({ "do": "text", "file": 0, "text": wrong }), "");
    assert_eq!((&answer["findings"][0]["line"], &answer["findings"][0]["place"]), (&json!(15), &json!(0)));
    let right = GUARD.replace("ammo > 0", "ammo > 1 // not the last");
    editor.done(&json!({ "do": "text", "file": 0, "text": right }));
    assert_eq!((editor.text(), editor.state()), (right.as_str(), "unsaved"));
    assert_eq!(fs::read_to_string(folder.0.join("guard.pleach")).expect("the file"), GUARD);
}

#[test]
fn two_pages_and_the_disk_lose_nothing() {
    let folder = Folder::new("edit_conflict");
    let path = folder.0.join("guard.pleach");
    folder.file("guard.pleach", GUARD);
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let (mut one, mut other) = (Editor::of(&served), Editor::of(&served));
    let text = |from: &str, to: &str| GUARD.replace(from, to);
    // Two pages: the second edit is about an old text.
    one.done(&json!({ "do": "text", "file": 0, "text": text("= 100", "= 90") }));
    let late = json!({ "do": "text", "file": 0, "revision": 1, "text": text("= 100", "= 80") });
    let answer = other.send(&late);
    assert!(answer["error"].as_str().is_some_and(|it| it.contains("changed meanwhile")), "{answer}");
    other.until(|sources| sources["revision"] == 2);
    assert_eq!(other.text(), text("= 100", "= 90"));
    // The disk changes while there are unsaved changes.
    fs::write(&path, text("= 100", "= 70")).expect("a file");
    one.until(|sources| sources["files"][0]["state"] == "conflict");
    one.refused(&json!({ "do": "save", "file": 0 }), "has changed on the disk");
    one.done(&json!({ "do": "take", "file": 0 }));
    assert_eq!((one.text(), one.state()), (text("= 100", "= 70").as_str(), "saved"));
    one.done(&json!({ "do": "undo" }));
    assert_eq!((one.text(), one.state()), (text("= 100", "= 90").as_str(), "unsaved"));
    // Again, and this time the unsaved text is kept.
    fs::write(&path, text("= 100", "= 60")).expect("a file");
    one.until(|sources| sources["files"][0]["state"] == "conflict");
    one.done(&json!({ "do": "keep", "file": 0 }));
    assert_eq!((one.text(), one.state()), (text("= 100", "= 90").as_str(), "saved"));
    assert_eq!(fs::read_to_string(&path).expect("the file"), text("= 100", "= 90"));
    one.done(&json!({ "do": "undo" }));
    assert_eq!((one.text(), one.state()), (text("= 100", "= 60").as_str(), "unsaved"));
    one.done(&json!({ "do": "redo" }));
    // Without unsaved changes the text of the disk is taken over, also with an error.
    fs::write(&path, text("ammo > 0", "ammo >")).expect("a file");
    one.until(|sources| sources["files"][0]["current"] == false);
    assert!(one.text().contains("ammo >\n"));
    one.refused(&edit(&json!({ "op": "unwrap", "node": 1 })), "");
    one.done(&json!({ "do": "undo" }));
    assert_eq!(
        (one.text(), &one.sources["files"][0]["current"]),
        (text("= 100", "= 90").as_str(), &json!(true))
    );
}

#[test]
fn only_files_of_the_start_are_written() {
    let folder = Folder::new("edit_files");
    let text = "include \"common.pleach\"\n\ntree guard\n{\n\taction roam\n}\n";
    folder.file("guard.pleach", text).file("common.pleach", "action roam()\n");
    folder.file("other.pleach", "action roam()\naction rest()\n").file("secret.txt", "secret");
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    assert_eq!(editor.sources["files"].as_array().map(Vec::len), Some(2));
    // A rename goes through all files.
    let at = text.find("roam").expect("a name");
    let rename = edit(&json!({ "op": "rename", "at": at, "name": "walk" }));
    editor.done(&rename);
    assert_eq!(editor.sources["files"][1]["text"], "action walk()\n");
    editor.done(&json!({ "do": "undo" }));
    // A file that is included later is shown, and not written.
    let more = text.replace("common", "other");
    editor.done(&json!({ "do": "text", "file": 0, "text": more }));
    let late = &editor.sources["files"][2];
    assert!(late["name"] == "other.pleach" && late["reason"].is_string(), "{late}");
    editor.refused(&json!({ "do": "text", "file": 2, "text": "" }), "cannot be edited");
    editor.refused(&rename, "cannot be edited");
    editor.done(&json!({ "do": "undo" }));
    manifests_stay();
    // A path that leads elsewhere is not written.
    let path = folder.0.join("guard.pleach");
    editor.done(&json!({ "do": "text", "file": 0, "text": text.replace("action roam", "success") }));
    #[cfg(unix)]
    {
        fs::rename(&path, folder.0.join("old.pleach")).expect("a name");
        std::os::unix::fs::symlink(folder.0.join("secret.txt"), &path).expect("a link");
        let answer = editor.send(&json!({ "do": "save", "file": 0 }));
        assert_eq!(answer["ok"], false, "{answer}");
        assert_eq!(fs::read_to_string(folder.0.join("secret.txt")).expect("the file"), "secret");
    }
    assert_eq!(
        fs::read_to_string(folder.0.join("other.pleach")).expect("the file"),
        "action roam()\naction rest()\n"
    );
}

/// A name that a manifest declares keeps its name, because manifests are not changed.
fn manifests_stay() {
    let folder = Folder::new("edit_manifest");
    let text = "tree guard\n{\n\taction roam(3)\n}\n";
    folder.file("guard.pleach", text).file("game.manifest", "action roam(post: int)\n");
    let args = ["view", "--edit", "guard.pleach", "--agents=5", "--manifest", "game.manifest"];
    let served = Served::new(&folder, &args);
    let mut editor = Editor::of(&served);
    assert!(editor.palette["names"].to_string().contains("\"roam\""), "{}", editor.palette["names"]);
    let rename = json!({ "op": "rename", "at": text.find("roam"), "name": "walk" });
    editor.refused(&edit(&rename), "game.manifest would change");
}

#[test]
fn mode_line_ends_and_links_stay() {
    let folder = Folder::new("edit_bytes");
    let (dos, path) = (GUARD.replace('\n', "\r\n"), folder.0.join("real.pleach"));
    folder.file("real.pleach", &dos);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("a mode");
        symlink("real.pleach", folder.0.join("guard.pleach")).expect("a link");
    }
    #[cfg(not(unix))]
    fs::copy(&path, folder.0.join("guard.pleach")).expect("a copy");
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    assert_eq!((editor.text(), editor.state()), (GUARD, "saved"));
    editor.edit(&json!({ "op": "wrap", "node": 7, "header": "invert" }));
    editor.done(&json!({ "do": "save", "file": 0 }));
    let expected = dos.replace("action walk(3)", "invert { action walk(3) }");
    assert_eq!(fs::read_to_string(folder.0.join("guard.pleach")).expect("the file"), expected);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(path.metadata().expect("the file").permissions().mode() & 0o777, 0o640);
        assert!(folder.0.join("guard.pleach").is_symlink());
        assert_eq!(fs::read_to_string(&path).expect("the file"), expected);
    }
}

#[test]
fn without_the_option_and_in_other_dialects_nothing_can_be_edited() {
    let folder = Folder::new("edit_not");
    folder.file("guard.pleach", GUARD).file("rover.bt", "selector { action fight }\n");
    let served = Served::new(&folder, &["view", "guard.pleach", "--agents=5"]);
    let mut page = served.page();
    let hello = page.wait("hello", |_| true);
    assert!(!hello["can"].to_string().contains("edit"), "{hello}");
    for command in ["edit", "text", "undo", "save", "keep"] {
        page.say(&json!({ "do": command, "id": 1, "file": 0, "revision": 1, "text": "" }));
        let answer = page.wait("answer", |_| true);
        assert!(answer["error"].as_str().is_some_and(|it| it.contains("unknown variant")), "{answer}");
    }
    let served = Served::new(&folder, &["view", "--edit", "rover.bt", "--agents=5"]);
    let editor = Editor::of(&served);
    let reason = editor.sources["reason"].as_str().expect("a reason");
    assert!(reason.contains("unvanquished"), "{reason}");
    assert_eq!(editor.sources["files"], json!([]));
}

/// Messages that are broken, huge or in a wrong order change no file and end no view.
#[test]
fn hostile_messages_change_nothing() {
    let folder = Folder::new("edit_hostile");
    folder.file("guard.pleach", GUARD);
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let valid =
        json!({ "do": "edit", "file": 0, "revision": 1, "edit": { "op": "wrap", "node": 1, "header": "" } });
    let valid = valid.to_string();
    let mut editor = Editor::of(&served);
    let mut seed = 7_u64;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for _ in 0..2_000 {
        // A text with other bytes in the place of some of its own, which stays an object.
        let mut bytes = valid.clone().into_bytes();
        for _ in 0..=draw(3) {
            let at = 1 + draw(bytes.len() - 2);
            bytes[at] = b"\"{}[]:,-019aeu\\ "[draw(16)];
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if serde_json::from_str::<serde_json::Map<String, Value>>(&text).is_ok() {
            editor.page.0.send(Message::text(text)).expect("it listens");
        }
    }
    let huge = json!({ "do": "text", "file": 0, "text": "x".repeat(2 << 20) });
    editor.refused(&huge, "at most 1 MiB");
    let deep = format!("tree guard {{ {} running {} }}", "invert { ".repeat(100_000), "}".repeat(100_000));
    editor.refused(&json!({ "do": "text", "file": 0, "text": deep }), "");
    editor.refused(&json!({ "do": "text", "file": 0, "text": "\0\u{feff}{{{" }), "");
    // More than a message may have ends the connection, and only that.
    let _ = editor
        .page
        .0
        .send(Message::text(format!("{{\"do\":\"text\",\"text\":\"{}\"}}", "x".repeat(5 << 20))));
    let mut next = Editor::of(&served);
    assert_eq!(next.text(), GUARD);
    next.edit(&json!({ "op": "wrap", "node": 1, "header": "invert" }));
    assert_eq!(fs::read_to_string(folder.0.join("guard.pleach")).expect("the file"), GUARD);
    assert_eq!(fs::read_dir(&folder.0).expect("the folder").count(), 1);
}
