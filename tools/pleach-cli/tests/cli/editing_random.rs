//! `pleach view --edit` with random messages: no file is written but the edited ones, and the view
//! goes on.
//!
//! The variable `PLEACH_RANDOM` has the number of messages.

use crate::editing::GUARD;
use crate::folder::Folder;
use crate::served::{Page, Served};
use pleach_tests::random::check::programs;
use pleach_tests::random::draws::Draws;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpStream;
use std::process::Stdio;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Number of messages, unless the variable says another.
const MESSAGES: u64 = 1_500;
/// Messages between two looks at the files.
const ROUND: u64 = 500;
/// Messages that are sent before their answers are awaited.
const BATCH: u64 = 100;
const MORE: &str = "include \"part.pleach\"\n";
const PART: &str = "action rest()\nquery tired(): bool\ntree nap { if tired() { action rest } }\n";

const COMMANDS: &[&str] = &[
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
    "pick",
    "at",
    "statistics",
    "clear",
    "pause",
    "resume",
    "step",
    "speed",
    "hold",
    "release",
    "walk",
    "break",
    "force",
    "set",
    "tune",
    "raise",
    "fly",
    "",
];
const OPS: &[&str] = &[
    "wrap",
    "unwrap",
    "delete",
    "duplicate",
    "insert",
    "move",
    "changeKind",
    "replace",
    "setArgument",
    "setWeight",
    "extract",
    "inline",
    "addDeclaration",
    "changeDeclaration",
    "deleteDeclaration",
    "rename",
    "declare",
    "nearName",
    "addCases",
    "disable",
    "enable",
    "write",
];
const TEXTS: &[&str] = &[
    "",
    "invert",
    "sequence",
    "running",
    "action walk(1)",
    "include \"../outside.pleach\"",
    "include \"/etc/passwd\"",
    "tree a { success }",
    "while true",
    "{ {",
    "}",
    "// x",
    "\u{1f600}\r\n",
    "../outside.pleach",
    "a\0b",
    "set ammo = 1",
    "include \"unread.pleach\"",
    "name",
    "random",
    "utility",
    "1.0",
    "var x: int8 = 9",
    "\"",
    "timeout 5 s",
];

/// Returns a random value for a field.
fn value(draws: &mut Draws, text: &str) -> Value {
    match draws.below(12) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(u64::MAX),
        3 => json!(1e300),
        4 => json!(draws.pick(TEXTS)),
        5 => json!([draws.below(3)]),
        6 => json!({ "file": draws.below(3), "text": changed(draws, text) }),
        7 => json!(true),
        _ => json!(draws.below(12)),
    }
}

/// Returns a text with a random part in the place of another.
fn changed(draws: &mut Draws, text: &str) -> String {
    let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    places.sort_unstable();
    let start = draws.below(places.len());
    let end = (start + draws.below(12)).min(places.len() - 1);
    format!("{}{}{}", &text[..places[start]], draws.pick(TEXTS), &text[places[end]..])
}

/// Returns a random command. Most fields are as they should be, so that many commands are done.
fn command(draws: &mut Draws, id: u64, sources: &Value) -> Value {
    let name = draws.pick(COMMANDS);
    let text = sources["files"][draws.below(2)]["text"].as_str().unwrap_or(GUARD).to_owned();
    let mut command =
        json!({ "do": name, "id": id, "revision": sources["revision"], "file": draws.below(2) });
    let nodes = sources["files"][0]["nodes"].as_array().map_or(1, |nodes| nodes.len().max(1));
    command["edit"] = json!({
        "op": draws.pick(OPS), "node": draws.below(nodes), "parent": draws.below(nodes), "index": draws.below(3),
        "item": draws.below(8), "at": draws.below(text.len() + 2), "header": draws.pick(TEXTS),
        "text": draws.pick(TEXTS), "name": draws.pick(TEXTS), "kind": "action",
    });
    command["text"] = json!(changed(draws, &text));
    for (field, limit) in
        [("line", 20), ("character", 40), ("node", nodes), ("agent", 6), ("ticks", 3), ("tick", 50)]
    {
        command[field] = json!(draws.below(limit));
    }
    command["percent"] = json!(1.0);
    command["rate"] = json!(0);
    let drafts =
        (0..draws.below(3)).map(|_| json!({ "file": draws.below(2), "text": changed(draws, &text) }));
    command["drafts"] = drafts.collect();
    for _ in 0..draws.below(2) {
        let fields: Vec<String> = command.as_object().expect("an object").keys().cloned().collect();
        let field = &fields[draws.below(fields.len())];
        if field != "id" {
            command[field.as_str()] = value(draws, &text);
        }
    }
    command
}

/// Returns the files of a folder and their bytes.
fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(&folder.0).expect("a folder").map(|entry| entry.expect("an entry").path());
    let read = |path: std::path::PathBuf| (path.display().to_string(), fs::read(&path).unwrap_or_default());
    entries.map(read).collect()
}

/// Sends messages, and waits for the answers of those that get one. Returns the page.
fn batch(served: &Served, mut page: Page, draws: &mut Draws, first: u64, sources: &mut Value) -> Page {
    let last = first + BATCH - 1;
    for id in first..last {
        let mut text = command(draws, id, sources).to_string();
        if draws.one_in(20) {
            let at = draws.below(text.len());
            text = text.char_indices().filter(|(place, _)| *place != at).map(|(_, it)| it).collect();
        }
        if page.0.send(Message::text(text)).is_err() {
            // A message that is no object ends the connection.
            page = served.page();
        }
        // Some commands see the text that the last one has left.
        if draws.one_in(4) {
            *sources = settled(served, &mut page, id + (1 << 40), sources);
        }
    }
    *sources = settled(served, &mut page, last, sources);
    page
}

/// Waits until all messages so far are answered. Returns the present sources.
fn settled(served: &Served, page: &mut Page, id: u64, sources: &Value) -> Value {
    let mut now = sources.clone();
    let ask = json!({ "do": "form", "id": id, "file": 0, "revision": 0, "node": 0 }).to_string();
    let mut is_asked = page.0.send(Message::text(ask.clone())).is_ok();
    loop {
        let read = if is_asked { page.0.read() } else { Err(tungstenite::Error::AlreadyClosed) };
        match read {
            Ok(Message::Text(text)) => {
                let message: Value = serde_json::from_str(&text).expect("it is JSON");
                match message["type"].as_str() {
                    Some("sources") => now = message,
                    Some("answer") if message["id"] == id => return now,
                    _ => {}
                }
            }
            Ok(_) => {}
            Err(_) => {
                *page = served.page();
                is_asked = page.0.send(Message::text(ask.clone())).is_ok();
            }
        }
    }
}

/// Returns true if a page without the right token is let in.
fn is_open(served: &Served, token: &str) -> bool {
    let (start, _) = served.address.split_once("token=").expect("a token");
    let address = format!("{start}token={token}").replacen("http://", "ws://", 1).replacen("/?", "/live?", 1);
    let host = address.split('/').nth(2).expect("a host").to_owned();
    let mut request = address.into_client_request().expect("an address");
    request.headers_mut().insert("Origin", format!("http://{host}").parse().expect("text"));
    let stream = TcpStream::connect(host).expect("it listens");
    let done: Result<(WebSocket<_>, _), _> = tungstenite::client(request, stream);
    done.is_ok()
}

#[test]
fn random_messages_write_only_the_edited_files() {
    let folder = Folder::new("edit_random");
    folder.file("guard.pleach", format!("{MORE}{GUARD}")).file("part.pleach", PART);
    folder.file("outside.pleach", "tree outside { success }\n").file("unread.pleach", "action unread()\n");
    let args = ["view", "--edit", "guard.pleach", "--agents=5", "--rate=0"];
    let mut command = folder.command(&args);
    // Each reload is told there.
    command.stderr(Stdio::null());
    let mut served = Served::of(command);
    let before = files(&folder);
    let mut draws = Draws::seeded(7);
    let mut page = served.page();
    let mut sources = page.wait("sources", |_| true);
    let all = programs(MESSAGES);
    for first in (0..all).step_by(ROUND as usize) {
        for at in (first..first + ROUND).step_by(BATCH as usize) {
            page = batch(&served, page, &mut draws, at, &mut sources);
        }
        assert!(served.child.try_wait().expect("a process").is_none(), "the view has ended");
        assert!(!is_open(&served, &"0".repeat(32)) && !is_open(&served, ""));
        let mut now = files(&folder);
        let mut old = before.clone();
        for name in ["guard.pleach", "part.pleach"] {
            let path = folder.0.join(name).display().to_string();
            assert!(now.remove(&path).is_some() && old.remove(&path).is_some(), "{name} is gone");
        }
        assert_eq!(now, old, "another file was written");
    }
    // Done commands are among the random ones.
    assert!(sources["revision"].as_u64() > Some(5), "{}", sources["revision"]);
}
