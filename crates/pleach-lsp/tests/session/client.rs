//! A client that talks to the server in the same process.

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Longest time for an answer. A server that does not answer must not hang the test.
const PATIENCE: Duration = Duration::from_secs(60);

/// Folder of a test, which is removed with it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("pleach-lsp-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let folder = Self(folder.canonicalize().expect("a folder"));
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn uri(&self, name: &str) -> String {
        format!("file://{}", self.0.join(name).display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Session with a server.
pub(crate) struct Session {
    pub(crate) folder: Folder,
    connection: Connection,
    server: Option<JoinHandle<Result<(), String>>>,
    next: i32,
    /// Notifications that came while something else was waited for.
    told: Vec<Notification>,
    pub(crate) capabilities: Value,
}

/// Returns what most clients can do.
pub(crate) fn capabilities() -> Value {
    json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } })
}

impl Session {
    /// Begins a session with files in its folder.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, capabilities(), json!({}))
    }

    pub(crate) fn with(files: &[(&str, &str)], capabilities: Value, options: Value) -> Self {
        let folder = Folder::new(files);
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || pleach_lsp::serve(&server, None));
        let mut session = Self {
            folder,
            connection,
            server: Some(server),
            next: 0,
            told: Vec::new(),
            capabilities: Value::Null,
        };
        let folders = json!([{ "uri": session.folder.uri(""), "name": "test" }]);
        let params = json!({
            "processId": null,
            "rootUri": null,
            "capabilities": capabilities,
            "workspaceFolders": folders,
            "initializationOptions": options
        });
        session.capabilities = session.ask("initialize", params)["capabilities"].clone();
        session.tell("initialized", json!({}));
        session
    }

    /// Begins a session with one file, which is opened. The marks of the text are `$`; returns
    /// their positions.
    pub(crate) fn marked(text: &str) -> (Self, Vec<Value>) {
        let (text, marks) = marks(text);
        let mut session = Self::new(&[("a.pleach", &text)]);
        session.open("a.pleach", &text);
        (session, marks)
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(notification.into()).expect("the server lives");
    }

    pub(crate) fn open(&mut self, name: &str, text: &str) {
        let document =
            json!({ "uri": self.folder.uri(name), "languageId": "pleach", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let request = Request { id: self.next.into(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).expect("the server lives");
        self.next.into()
    }

    fn receive(&mut self) -> Message {
        self.connection.receiver.recv_timeout(PATIENCE).expect("a message of the server")
    }

    pub(crate) fn response(&mut self, id: &RequestId) -> Response {
        loop {
            match self.receive() {
                Message::Response(response) if response.id == *id => return response,
                Message::Response(response) => panic!("an answer to another request: {response:?}"),
                Message::Notification(notification) => self.told.push(notification),
                Message::Request(request) => {
                    let answer = Response::new_ok(request.id, Value::Null);
                    self.connection.sender.send(answer.into()).expect("the server lives");
                }
            }
        }
    }

    /// Asks the server, and returns its answer.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let response = self.response(&id);
        response.response_result.unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    /// Asks for something that is refused, and returns the code and the message.
    #[track_caller]
    pub(crate) fn refused(&mut self, method: &str, params: Value) -> (i32, String) {
        let id = self.send(method, params);
        let error = self.response(&id).response_result.expect_err("an error");
        (error.code, error.message)
    }

    /// Asks about a position of the file `a.pleach`.
    #[track_caller]
    pub(crate) fn at(&mut self, method: &str, position: &Value) -> Value {
        let params = json!({ "textDocument": { "uri": self.folder.uri("a.pleach") }, "position": position });
        self.ask(&format!("textDocument/{method}"), params)
    }

    /// Asks about a file.
    #[track_caller]
    pub(crate) fn of(&mut self, method: &str, name: &str) -> Value {
        let params = json!({ "textDocument": { "uri": self.folder.uri(name) } });
        self.ask(&format!("textDocument/{method}"), params)
    }

    /// Waits for the findings of a file that fit.
    pub(crate) fn findings(&mut self, name: &str, fit: impl Fn(&Value) -> bool) -> Value {
        let uri = self.folder.uri(name);
        let is =
            |it: &Notification| it.method == "textDocument/publishDiagnostics" && it.params["uri"] == uri;
        loop {
            let position = self.told.iter().position(|it| is(it) && fit(&it.params["diagnostics"]));
            if let Some(position) = position {
                return self.told.remove(position).params["diagnostics"].clone();
            }
            match self.receive() {
                Message::Notification(notification) => self.told.push(notification),
                other => panic!("not findings: {other:?}"),
            }
        }
    }

    /// Ends the session as the protocol says. Editors close their files in between.
    pub(crate) fn end(&mut self) {
        self.ask("shutdown", Value::Null);
        let document = json!({ "uri": self.folder.uri("a.pleach") });
        self.tell("textDocument/didClose", json!({ "textDocument": document }));
        assert_eq!(self.refused("workspace/symbol", json!({ "query": "" })).0, -32600);
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("a session ends once");
        assert_eq!(server.join().expect("no panic"), Ok(()));
    }
}

/// Returns a text without its marks, and their positions in bytes of UTF-16, which are those of
/// ASCII.
pub(crate) fn marks(text: &str) -> (String, Vec<Value>) {
    let pieces: Vec<&str> = text.split('$').collect();
    let mut before = String::new();
    let mut marks = Vec::new();
    for piece in &pieces[..pieces.len() - 1] {
        before += piece;
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().len();
        marks.push(json!({ "line": line, "character": column }));
    }
    (pieces.concat(), marks)
}

/// Returns a text with edits of the protocol, which do not overlap.
pub(crate) fn applied(text: &str, edits: &Value) -> String {
    let at = |position: &Value| {
        let number = |name: &str| position[name].as_u64().expect("a number") as usize;
        let start: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
        start + number("character")
    };
    let edits = edits.as_array().expect("edits").iter();
    let mut edits: Vec<(usize, usize, &str)> = edits
        .map(|it| (at(&it["range"]["start"]), at(&it["range"]["end"]), it["newText"].as_str().expect("text")))
        .collect();
    edits.sort();
    let mut new = text.to_owned();
    for (start, end, piece) in edits.into_iter().rev() {
        new.replace_range(start..end, piece);
    }
    new
}
