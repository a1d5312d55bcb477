//! Time between a key and the answer of the language server, in a file of 10,000 nodes.
//!
//! ```console
//! $ cargo run -q --release -p pleach-benches --bin editor
//! ```
//!
//! A client types letters into the middle of the file: first into the name of a tree, which leaves
//! the program without errors, so that the rules about trees are applied; then into the name of an
//! action, which is an error. After a key of the second kind, the server is asked for a completion
//! at once, as editors do. After each key, it pushes its findings. All times begin with the key. A
//! line is printed for each: median, largest of all keys, and the time that is allowed. The exit
//! code is 1 if a median takes longer than allowed.

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::fmt::Write;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

/// Nodes of the file.
const NODES: usize = 10_000;
/// Keys that are pressed in each place.
const KEYS: usize = 60;
/// Lines between the first line of a tree and its call of `walk`.
const CALL: usize = 9;
const FILE: &str = "file:///nowhere/crowd.pleach";
/// Longest times for findings with and without those of rules, and for a completion.
const ALLOWED: [(&str, Duration); 3] = [
    ("findings, with rules", Duration::from_millis(50)),
    ("findings, with an error", Duration::from_millis(50)),
    ("completion", Duration::from_millis(20)),
];

/// Returns a text of trees with [`NODES`] nodes, and the first line of the tree in its middle.
fn text() -> (String, usize) {
    let mut text = "action attack(strength: int)\naction walk(post: int, speed: float)\naction rest()\n\
        query near: bool\nvar health: float = 100\nvar ammo: int = 6\nvar alert: bool\n\
        tree crowd { sequence { use guard0 use guard1 } }\n"
        .to_owned();
    let mut count = 3;
    let mut line = 0;
    for number in 0.. {
        if count >= NODES {
            break;
        }
        let at = text.lines().count();
        if count <= NODES / 2 {
            line = at + 1;
        }
        // Each of these trees has 10 nodes.
        write!(
            text,
            "// Guard of post {number}.\ntree guard{number}\n{{\n\treactive selector\n\t{{\n\
             \t\twhile near && ammo > {number}\n\t\t{{\n\
             \t\t\tsequence {{ cooldown 500 ms {{ action attack({number}) }} set ammo -= 1 }}\n\t\t}}\n\
             \t\twhile health < 30.0 && !alert {{ action rest }}\n\
             \t\taction walk({number}, 1)\n\t}}\n}}\n\n"
        )
        .expect("strings can be written");
        count += 9;
    }
    (text, line)
}

/// Client of a server in this process.
struct Client {
    connection: Connection,
    next: i32,
}

impl Client {
    fn tell(&self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params };
        self.connection.sender.send(message.into()).expect("the server lives");
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.next += 1;
        let message = Request { id: self.next.into(), method: method.to_owned(), params };
        self.connection.sender.send(message.into()).expect("the server lives");
    }

    /// Returns the number of items in the answer to the last request.
    fn answer(&self) -> usize {
        loop {
            if let Message::Response(response) = self.receive() {
                let result = response.response_result.expect("an answer");
                return result.as_array().map_or(0, Vec::len);
            }
        }
    }

    fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(Duration::from_secs(60)).expect("a message")
    }

    fn begin(&mut self, text: &str) {
        self.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
        self.answer();
        self.tell("initialized", json!({}));
        let document = json!({ "uri": FILE, "languageId": "pleach", "version": 0, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        assert_eq!(self.findings(&self.receive()), Some((0, 0)), "the file has no findings");
    }

    /// Returns the version and the number of findings in a message.
    fn findings(&self, message: &Message) -> Option<(u64, usize)> {
        match message {
            Message::Notification(it) if it.method == "textDocument/publishDiagnostics" => {
                let list = it.params["diagnostics"].as_array().map_or(0, Vec::len);
                Some((it.params["version"].as_u64().unwrap_or_default(), list))
            }
            _ => None,
        }
    }

    /// Types a letter, and returns the time of the key.
    fn press(&self, version: u64, line: usize, column: usize) -> Instant {
        let at = json!({ "line": line, "character": column });
        let changes = json!([{ "range": { "start": at, "end": at }, "text": "w" }]);
        let document = json!({ "uri": FILE, "version": version });
        let begin = Instant::now();
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
        begin
    }

    /// Types a letter into the name of a tree. Returns the time until the findings are there.
    fn name_tree(&self, version: u64, line: usize, column: usize) -> Duration {
        let begin = self.press(version, line, column);
        loop {
            let message = self.receive();
            let took = begin.elapsed();
            if let Some((told, count)) = self.findings(&message).filter(|(told, _)| *told == version) {
                assert_eq!((told, count), (version, 0), "the program has no findings");
                return took;
            }
        }
    }

    /// Types a letter into the name of an action. Returns the times until the findings and the
    /// completion are there.
    fn name_action(&mut self, version: u64, line: usize, column: usize) -> [Duration; 2] {
        let begin = self.press(version, line, column);
        let after = json!({ "line": line, "character": column + 1 });
        self.ask("textDocument/completion", json!({ "textDocument": { "uri": FILE }, "position": after }));
        let mut times = [None, None];
        while let [None, _] | [_, None] = times {
            let message = self.receive();
            let took = Some(begin.elapsed());
            if let Some((_, count)) = self.findings(&message).filter(|(told, _)| *told == version) {
                assert!(count > 0, "there is an error");
                times[0] = took;
            } else if let Message::Response(response) = message {
                let items = response.response_result.expect("an answer");
                assert!(items.as_array().is_some_and(|items| !items.is_empty()), "there is a completion");
                times[1] = took;
            }
        }
        times.map(Option::unwrap_or_default)
    }

    fn end(&mut self) {
        self.ask("shutdown", Value::Null);
        self.answer();
        self.tell("exit", Value::Null);
    }
}

fn main() -> ExitCode {
    let (text, line) = text();
    let (server, connection) = Connection::memory();
    let server = thread::spawn(move || pleach_lsp::serve(&server, None));
    let mut client = Client { connection, next: 0 };
    client.begin(&text);
    let lines: Vec<&str> = text.lines().collect();
    let name = lines[line].len();
    let rules = (0..KEYS).map(|key| client.name_tree(key as u64 + 1, line, name + key)).collect();
    let call = line + CALL;
    let column = lines[call].find("walk").expect("a call");
    let (errors, completions) =
        (0..KEYS).map(|key| client.name_action((KEYS + key) as u64 + 1, call, column + key).into()).unzip();
    client.end();
    server.join().expect("no panic").expect("the session ends as it should");
    let mut code = ExitCode::SUCCESS;
    let all: [Vec<Duration>; 3] = [rules, errors, completions];
    for ((name, allowed), mut sorted) in ALLOWED.into_iter().zip(all) {
        sorted.sort();
        let (median, most) = (sorted[KEYS / 2], sorted[KEYS - 1]);
        println!("{name:<23}  median {median:>8.2?}  largest {most:>8.2?}  allowed {allowed:?}");
        if median > allowed {
            code = ExitCode::FAILURE;
        }
    }
    code
}
