//! `pleach lsp`: a session by standard input and output.

use crate::folder::Folder;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// Editor that has started the command.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Editor {
    fn new(folder: &Folder, args: &[&str]) -> Self {
        let mut child = folder.command(args).stdin(Stdio::piped()).spawn().expect("the command");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, input, output }
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the command reads");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("a header");
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("a message");
        serde_json::from_slice(&text).expect("JSON")
    }

    /// Receives messages up to one that fits.
    fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.receive();
            if fits(&message) {
                return message;
            }
        }
    }
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
fn an_editor_that_goes_ends_the_command() {
    let folder = Folder::new("editor_gone");
    let Editor { mut child, input, output } = Editor::new(&folder, &["lsp"]);
    drop((input, output));
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
}
