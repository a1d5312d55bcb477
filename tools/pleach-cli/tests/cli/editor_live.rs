//! `pleach lsp` beside `pleach view`: counts of a running crowd as hints.

use crate::editor::Editor;
use crate::folder::Folder;
use crate::served::Served;
use serde_json::{Value, json};

const TREE: &str = "tree a\n{\n\tselector\n\t{\n\t\trunning\n\t\tsequence { success }\n\t}\n}\n";

impl Editor {
    /// Begins a session of an editor that asks for hints again, with options.
    fn begin(&mut self, folder: &Folder, options: &Value) {
        let root = format!("file://{}", folder.0.display());
        let can = json!({ "workspace": { "inlayHint": { "refreshSupport": true } } });
        let params = json!({ "rootUri": root, "capabilities": can, "initializationOptions": options });
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
        self.wait(|it| it["id"] == 1);
        self.send(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    }

    fn ask(&mut self, id: &str, method: &str, params: &Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|it| it["id"] == id && it.get("method").is_none())
    }

    /// Asks for the hints of the file whenever they have changed, until they are these.
    fn wait_for_hints(&mut self, folder: &Folder, expected: &[(u64, &str)]) {
        let uri = format!("file://{}", folder.0.join("a.pleach").display());
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let params = json!({ "textDocument": { "uri": uri }, "range": range });
        loop {
            let answer = self.ask("hints of the file", "textDocument/inlayHint", &params);
            let hints = answer["result"].as_array().cloned().unwrap_or_default();
            let row = |it: &Value| (it["position"]["line"].as_u64(), it["label"].as_str().map(str::to_owned));
            let rows: Vec<_> = hints.iter().map(row).collect();
            let wanted: Vec<_> =
                expected.iter().map(|(line, label)| (Some(*line), Some((*label).to_owned()))).collect();
            if rows == wanted {
                return;
            }
            let request = self.wait(|it| it["method"] == "workspace/inlayHint/refresh");
            self.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": null }));
        }
    }

    fn end(mut self) {
        self.ask("end", "shutdown", &Value::Null);
        self.send(&json!({ "jsonrpc": "2.0", "method": "exit" }));
        assert!(self.child.wait().expect("it ends").success());
    }
}

fn told(editor: &mut Editor) -> String {
    let message = editor.wait(|it| it["method"] == "window/showMessage");
    message["params"]["message"].as_str().expect("a text").to_owned()
}

#[test]
fn an_editor_shows_the_counts_of_a_running_crowd_until_its_view_ends() {
    let folder = Folder::new("editor_live");
    folder.file("a.pleach", TREE);
    let served = Served::new(&folder, &["view", "a.pleach", "--agents", "10", "--port", "0"]);
    let mut editor = Editor::new(&folder, &["lsp"]);
    editor.begin(&folder, &json!({}));
    editor.wait_for_hints(&folder, &[]);
    let arguments = json!({ "command": "pleach.live", "arguments": [served.address, 7] });
    let answer = editor.ask("live", "workspace/executeCommand", &arguments);
    assert_eq!((answer.get("error"), &answer["result"]), (None, &Value::Null), "{answer}");
    let counts = ["10 running, agent 7: running", "10 running, agent 7: running", "never", "never"];
    let hints = |lines: [u64; 4]| lines.into_iter().zip(counts).collect::<Vec<_>>();
    editor.wait_for_hints(&folder, &hints([2, 4, 5, 5]));
    // Hints move with their lines.
    let uri = format!("file://{}", folder.0.join("a.pleach").display());
    let text = TREE.replace("\t{\n", "\t{\n\t\t// A comment\n");
    let document = json!({ "uri": uri, "languageId": "pleach", "version": 1, "text": text });
    editor.send(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    editor.wait_for_hints(&folder, &hints([2, 5, 6, 6]));
    drop(served);
    let message = told(&mut editor);
    assert!(message.contains("has ended"), "{message}");
    editor.wait_for_hints(&folder, &[]);
    editor.end();
}

#[test]
fn an_editor_is_told_that_a_view_is_not_there() {
    let folder = Folder::new("editor_no_live");
    folder.file("a.pleach", TREE);
    let served = Served::new(&folder, &["view", "a.pleach", "--port", "0"]);
    let (front, token) = served.address.split_once("token=").expect("it has a token");
    let wrong = format!("{front}token={}", token.chars().rev().collect::<String>());
    let mut editor = Editor::new(&folder, &["lsp"]);
    editor.begin(&folder, &json!({ "live": wrong }));
    let message = told(&mut editor);
    assert!(message.contains("cannot connect") && message.contains("403"), "{message}");
    assert!(!message.contains("token"), "{message}");
    for arguments in [json!(["guard.pleach"]), json!([7]), json!([served.address, -1])] {
        let params = json!({ "command": "pleach.live", "arguments": arguments });
        let answer = editor.ask("wrong", "workspace/executeCommand", &params);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    let address = served.address.clone();
    drop(served);
    editor.ask(
        "gone",
        "workspace/executeCommand",
        &json!({ "command": "pleach.live", "arguments": [address] }),
    );
    assert!(told(&mut editor).contains("cannot connect"));
    // A view can be unwanted even if there is none.
    editor.ask("none", "workspace/executeCommand", &json!({ "command": "pleach.live", "arguments": [null] }));
    editor.end();
}
