//! `pleach lsp`: a session by standard input and output.

use crate::folder::Folder;
use crate::served::PATIENCE;
use pleach_tests::random::{Case, language::program, mutate::damage};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

/// Editor that has started the command.
pub(crate) struct Editor {
    pub(crate) child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    /// Messages that came while another one was waited for.
    passed: VecDeque<Value>,
}

impl Editor {
    pub(crate) fn new(folder: &Folder, args: &[&str]) -> Self {
        let mut child = folder.command(args).stdin(Stdio::piped()).spawn().expect("the command");
        let input = child.stdin.take().expect("piped");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, messages) = channel();
        // A test that waits for a message that never comes fails instead of hanging.
        thread::spawn(move || {
            while let Some(message) = receive(&mut output)
                && sender.send(message).is_ok()
            {}
        });
        Self { child, input, messages, passed: VecDeque::new() }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the command reads");
    }

    /// Returns the first message that fits and has not been returned.
    pub(crate) fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(message) = self.passed.iter().position(&fits).and_then(|at| self.passed.remove(at)) {
            return message;
        }
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left) {
                Ok(message) if fits(&message) => return message,
                Ok(message) => self.passed.push_back(message),
                Err(why) => panic!("no message that fits: {why}; others: {:#?}", self.passed),
            }
        }
    }
}

/// Returns the next message, or `None` after the last one.
fn receive(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).expect("a header") == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().expect("a number"),
            Some(_) => {}
            None => break,
        }
    }
    let mut text = vec![0; length];
    output.read_exact(&mut text).expect("a message");
    Some(serde_json::from_slice(&text).expect("JSON"))
}

#[test]
fn an_editor_gets_findings_and_formatted_text_and_ends_the_session() {
    let folder = Folder::new("editor");
    folder.file("a.pleach", "tree a { action go }\n");
    let uri = format!("file://{}", folder.0.join("a.pleach").display());
    let root = json!([{ "uri": format!("file://{}", folder.0.display()), "name": "trees" }]);
    let mut editor = Editor::new(&folder, &["lsp", "--stdio"]);
    let params = json!({ "processId": null, "rootUri": null, "capabilities": {}, "workspaceFolders": root });
    editor.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
    let first = editor.wait(|it| it["id"] == 1);
    assert_eq!(first["result"]["serverInfo"]["name"], "pleach");
    editor.send(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let told = editor.wait(|it| it["method"] == "textDocument/publishDiagnostics");
    assert_eq!(
        (&told["params"]["uri"], &told["params"]["diagnostics"][0]["code"]),
        (&json!(uri), &json!("E0611"))
    );
    let document = json!({ "uri": uri, "languageId": "pleach", "version": 1, "text": "tree a {success}\n" });
    editor.send(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let options = json!({ "tabSize": 4, "insertSpaces": false });
    let params = json!({ "textDocument": { "uri": uri }, "options": options });
    editor.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "textDocument/formatting", "params": params }));
    let formatted = editor.wait(|it| it["id"] == 2);
    assert_eq!(formatted["result"].as_array().map(Vec::len), Some(2), "{formatted}");
    editor.send(&json!({ "jsonrpc": "2.0", "id": 3, "method": "shutdown" }));
    editor.wait(|it| it["id"] == 3);
    editor.send(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert!(editor.child.wait().expect("it ends").success());
}

#[test]
fn a_line_over_a_tree_has_the_results_of_its_tests() {
    let folder = Folder::new("editor_tests");
    let tree = "action a()\naction b()\ntree t { selector { action a action b } }\ntree u { success }\n";
    folder.file("t.pleach", tree);
    folder.file("t.test", "tree t.pleach\ntest one\n\taction a = success\n\ttick\n\texpect success\n");
    folder.file("more.test", "tree t.pleach\ntest two\n\taction a = success\n\ttick\n\texpect failure\n");
    let root = format!("file://{}", folder.0.display());
    let mut editor = Editor::new(&folder, &["lsp"]);
    let params = json!({ "rootUri": root, "capabilities": {} });
    editor.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
    editor.send(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let mut ask = |id: u32, method: &str, params: Value| {
        editor.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        editor.wait(|it| it["id"] == id)["result"].take()
    };
    let document = json!({ "uri": format!("{root}/t.pleach") });
    let lenses = ask(2, "textDocument/codeLens", json!({ "textDocument": document }));
    let open: Vec<_> =
        lenses.as_array().expect("a list").iter().filter(|it| it.get("command").is_none()).collect();
    let titles: Vec<_> = (3..)
        .zip(open)
        .map(|(id, lens)| ask(id, "codeLens/resolve", lens.clone())["command"].take())
        .collect();
    let tests = json!([[format!("{root}/more.test"), format!("{root}/t.test")]]);
    let told = |title: &str| json!({ "title": title, "command": "pleach.test", "arguments": tests });
    // Nothing of the second tree is in the program of the tests, whose entry is the first tree.
    let expected = ["tests: 1 pass, 1 fail, 1 node never ran", "tests: 1 pass, 1 fail, 2 nodes never ran"];
    assert_eq!(titles, expected.map(told));
}

#[test]
fn an_editor_that_goes_ends_the_command() {
    let folder = Folder::new("editor_gone");
    let mut child = folder.command(&["lsp"]).stdin(Stdio::piped()).spawn().expect("the command");
    drop((child.stdin.take(), child.stdout.take()));
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
}

/// Number of broken programs about which the server and `check` must agree.
const BROKEN: usize = 200;

/// Finding: file, place in lines and bytes, severity, code, and message with advice.
type Told = (String, [u64; 4], String, String, String);

/// Writes a program with random damage, and adds the number of its files to `count`. Returns the
/// path of its first file if there are findings.
fn broken(folder: &Folder, seed: u64, count: &mut usize) -> Option<String> {
    let case = Case::new(seed).cut(30);
    let mut files = program(&case).files;
    // The last file includes no other one, so the damage leaves the files of the program together.
    let last = &mut files.last_mut()?.1;
    *last = String::from_utf8_lossy(&damage(&case, std::mem::take(last))).into_owned();
    let of = |name: &str| format!("broken{seed}/{name}");
    files.iter().for_each(|(name, text)| _ = folder.file(&of(name), text));
    *count += files.len();
    let first = of(&files[0].0);
    let has_findings = !folder.pleach(&["check", "--format", "json", &first]).json().is_empty();
    has_findings.then_some(first)
}

/// Returns the findings of `check`.
fn checked(folder: &Folder, names: &[String]) -> BTreeSet<Told> {
    let args = ["check", "--format", "json"].into_iter().chain(names.iter().map(String::as_str));
    let number = |value: &Value| value.as_u64().expect("a number") - 1;
    let told = |it: Value| {
        let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
        let help = it["help"].as_str().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        let place = [&it["line"], &it["column"], &it["end"]["line"], &it["end"]["column"]].map(number);
        (text("file"), place, text("severity"), text("code"), text("message") + &help)
    };
    folder.pleach(&args.collect::<Vec<_>>()).json().into_iter().map(told).collect()
}

/// Returns the findings of the server about the files of a folder, when all of them have been told.
fn served(folder: &Folder, files: usize) -> BTreeSet<Told> {
    let mut editor = Editor::new(folder, &["lsp"]);
    let root = format!("file://{}", folder.0.display());
    let can = json!({ "general": { "positionEncodings": ["utf-8"] } });
    let params = json!({
        "processId": null,
        "rootUri": root,
        "capabilities": can,
        "initializationOptions": { "lint": false }
    });
    editor.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
    editor.send(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let mut all: BTreeMap<String, Value> = BTreeMap::new();
    while all.len() < files {
        let told = editor.wait(|it| it["method"] == "textDocument/publishDiagnostics")["params"].take();
        let file =
            told["uri"].as_str().and_then(|uri| uri.strip_prefix(&root)).expect("a file of the folder");
        all.insert(file.trim_start_matches('/').to_owned(), told["diagnostics"].clone());
    }
    editor.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }));
    editor.wait(|it| it["id"] == 2);
    editor.send(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert!(editor.child.wait().expect("it ends").success());
    let place = |range: &Value| {
        ["/start/line", "/start/character", "/end/line", "/end/character"]
            .map(|pointer| range.pointer(pointer).and_then(Value::as_u64).expect("a number"))
    };
    let told = |file: &str, it: &Value| {
        let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
        let severity = if it["severity"] == 1 { "error" } else { "warning" };
        (file.to_owned(), place(&it["range"]), severity.to_owned(), text("code"), text("message"))
    };
    let lists = all.iter().filter_map(|(file, list)| Some((file, list.as_array()?)));
    lists.flat_map(|(file, list)| list.iter().map(|it| told(file, it)).collect::<Vec<_>>()).collect()
}

#[test]
fn the_server_and_check_agree_on_broken_programs() {
    let folder = Folder::new("editor_broken");
    let mut files = 0;
    let names: Vec<String> =
        (0..).filter_map(|seed| broken(&folder, seed, &mut files)).take(BROKEN).collect();
    let (checked, served) = (checked(&folder, &names), served(&folder, files));
    let differ: Vec<_> = checked.symmetric_difference(&served).take(5).collect();
    assert!(differ.is_empty() && checked.len() > BROKEN, "{} findings: {differ:#?}", checked.len());
}
