//! A long session leaves nothing in the memory of the server, however many edits there are.
//!
//! `PLEACH_RANDOM` is the number of rounds, each of which has its number as its seed. After each of
//! them the process must hold as many bytes as after the first 10 rounds. Before a release,
//! 1,000,000 edits are tried, of which 530,000 are possible:
//!
//! ```console
//! $ PLEACH_RANDOM=10000 cargo test --release -p pleach-lsp --test memory
//! ```
//!
//! Each edit is a change of an open text, which is followed by requests and taken back. Each round
//! also opens and closes a file of its own.

use lsp_server::{Connection, Message, Notification, Request};
use pleach_edit::Project;
use pleach_tests::counting::{Counting, held};
use pleach_tests::random::check::programs;
use pleach_tests::random::draws::Draws;
use pleach_tests::random::edits::edit;
use serde_json::{Value, json};
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const ROUNDS: u64 = 10;
/// Edits that are tried in a round.
const EDITS: usize = 100;
/// Longest time for an answer. A server that does not answer must not hang the test.
const PATIENCE: Duration = Duration::from_secs(60);
const MAIN: &str = "/nowhere/main.pleach";
const TEXT: &str = "action go(post: int)\nvar ammo: int8 = 6\nvar calm: bool\non hit { set calm = false }\n\
    tree main { selector { while ammo > 0 { sequence { action go(1) set ammo -= 1 } } use rest random { 2: action go(2) 1: success } } }\n\
    tree rest { invert { timeout 2 s { repeat { condition calm } } } } // a comment\n";
/// Requests that follow an edit, in turn. Each begins with the name behind `textDocument/`.
const REQUESTS: &[&str] = &[
    "semanticTokens/full",
    "documentSymbol",
    "codeLens",
    "foldingRange",
    "inlayHint",
    "completion",
    "hover",
    "references",
    "documentHighlight",
    "codeAction",
    "formatting",
];

struct Session {
    connection: Connection,
    next: i32,
    version: i32,
}

impl Session {
    fn begin(connection: Connection) -> Self {
        let mut session = Self { connection, next: 0, version: 0 };
        // Findings that are asked for are there when the answer comes.
        let can = json!({
            "general": { "positionEncodings": ["utf-8"] },
            "textDocument": { "diagnostic": {} }
        });
        session.ask("initialize", json!({ "capabilities": can }));
        session.tell("initialized", json!({}));
        session
    }

    fn tell(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(notification.into()).expect("the server lives");
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.next += 1;
        let request = Request { id: self.next.into(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).expect("the server lives");
        loop {
            let message = self.connection.receiver.recv_timeout(PATIENCE).expect("a message of the server");
            if let Message::Response(response) = message {
                assert_eq!(response.id, self.next.into());
                assert!(response.response_result.is_ok(), "{method}: {:?}", response.response_result);
                return;
            }
        }
    }

    fn open(&self, path: &str, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "pleach", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Sends changes of the text, and asks for the findings.
    fn change(&mut self, changes: &[Value]) {
        self.version += 1;
        let document = json!({ "uri": uri(MAIN), "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
        self.of("diagnostic", MAIN, json!({ "line": 0, "character": 0 }));
    }

    /// Asks about a position in a file, or all of it.
    fn of(&mut self, request: &str, path: &str, position: Value) {
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let params = json!({
            "textDocument": { "uri": uri(path) },
            "position": position,
            "range": range,
            "context": { "diagnostics": [], "includeDeclaration": true, "triggerKind": 1 },
            "options": { "tabSize": 4, "insertSpaces": false }
        });
        self.ask(&format!("textDocument/{request}"), params);
    }
}

fn uri(path: &str) -> String {
    format!("file://{path}")
}

/// Returns the position of a byte.
fn position(text: &str, at: u32) -> Value {
    let before = &text[..at as usize];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": before.matches('\n').count(), "character": before.len() - start })
}

/// Makes edits of the text and takes them back. Returns the number of edits that were made.
fn round(session: &mut Session, project: &Project, number: u64) -> usize {
    let mut draws = Draws::seeded(number);
    let document = project.file(MAIN).expect("the file").document();
    let mut made = 0;
    for turn in 0..EDITS {
        let edit = edit(&mut draws, document).expect("a node").1;
        let Ok(change) = project.edit(MAIN, &edit) else { continue };
        let replacements =
            change.files.iter().filter(|(name, _)| &***name == MAIN).flat_map(|(_, list)| list);
        let mut changes: Vec<Value> = replacements
            .map(|it| {
                let [start, end] = [it.range.0, it.range.1].map(|at| position(TEXT, at));
                json!({ "range": { "start": start, "end": end }, "text": it.text })
            })
            .collect();
        // Changes are made one after the other, so that the last one comes first.
        changes.reverse();
        session.change(&changes);
        let at = draws.below(TEXT.len()) as u32;
        session.of(REQUESTS[turn % REQUESTS.len()], MAIN, position(TEXT, at));
        session.change(&[json!({ "text": TEXT })]);
        made += 1;
    }
    let own = format!("/nowhere/own{number}.pleach");
    session.open(&own, TEXT);
    for request in ["diagnostic", "semanticTokens/full"] {
        session.of(request, &own, json!({ "line": 0, "character": 0 }));
    }
    session.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri(&own) } }));
    for request in ["diagnostic", "semanticTokens/full"] {
        session.of(request, MAIN, json!({ "line": 0, "character": 0 }));
    }
    made
}

#[test]
fn a_long_session_leaves_nothing_in_memory() {
    let (server, connection) = Connection::memory();
    let server = std::thread::spawn(move || pleach_lsp::serve(&server, None));
    let mut session = Session::begin(connection);
    session.open(MAIN, TEXT);
    let project = Project::new().with(MAIN, TEXT);
    let mut made = 0;
    let mut peak_of = |session: &mut Session, numbers: std::ops::Range<u64>| {
        let after = numbers.map(|number| {
            made += round(session, &project, number);
            held()
        });
        after.max().expect("a round")
    };
    let first = peak_of(&mut session, 0..ROUNDS);
    let count = programs(10 * ROUNDS);
    let later = peak_of(&mut session, ROUNDS..ROUNDS + count);
    println!("{made} edits; held after {ROUNDS} rounds: {first} bytes, after {count} more: {later} bytes");
    assert!(made > ROUNDS as usize * EDITS / 4, "{made} edits");
    assert!(later <= first + first / 20, "{first} bytes, later {later}");
    session.ask("shutdown", Value::Null);
    session.tell("exit", Value::Null);
    assert_eq!(server.join().expect("no panic"), Ok(()));
}
