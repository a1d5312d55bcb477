//! The thread that reads messages: it changes texts in the order of the messages, and hands
//! requests to the workers with a snapshot.

use crate::live::{LiveView, follow};
use crate::results::TestRunner;
use crate::settings::{self, LIVE};
use crate::shared::Shared;
use crate::worker::{Job, Stop, caught, work};
use crate::workspace::Workspace;
use gen_lsp_types as lsp;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};

/// Reason of an end that the editor has not announced.
const NO_END: &str = "the connection ended before the session";

/// Serves an editor by standard input and output, until it ends the session. Tests are run by a
/// function; without one, they are only counted.
///
/// # Errors
/// If the editor does not keep to the protocol, or ends without saying so.
pub fn serve_stdio(run_tests: Option<TestRunner>) -> Result<(), String> {
    let (connection, threads) = Connection::stdio();
    serve(&connection, run_tests)?;
    drop(connection);
    threads.join().map_err(|why| why.to_string())
}

/// Serves an editor by a connection, until it ends the session. Tests are run by a function;
/// without one, they are only counted.
///
/// # Errors
/// If the editor does not keep to the protocol, or ends without saying so.
pub fn serve(connection: &Connection, run_tests: Option<TestRunner>) -> Result<(), String> {
    let (id, raw) = connection.initialize_start().map_err(|why| why.to_string())?;
    let params: lsp::InitializeParams = serde_json::from_value(raw.clone()).map_err(|why| why.to_string())?;
    let workspace = settings::workspace(&params, &raw);
    let result = settings::capabilities(&workspace.client);
    connection.initialize_finish(id, result).map_err(|why| why.to_string())?;
    let sender = connection.sender.clone();
    // A client that has gone needs no messages.
    let refreshes = workspace.client.refreshes_hints;
    let shared = Shared::new(refreshes, run_tests, move |message| drop(sender.send(message)));
    std::thread::scope(|scope| {
        let (jobs, queue) = channel();
        scope.spawn(|| work(&shared, queue));
        let (findings, queue) = channel();
        scope.spawn(|| work(&shared, queue));
        let (live, wishes) = channel();
        scope.spawn(|| follow(&shared, wishes));
        let outdated = Arc::default();
        let mut server = Server { connection, workspace, shared: &shared, jobs, findings, live, outdated };
        server.begin();
        server.run()
    })
}

struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    shared: &'c Shared,
    jobs: Sender<Job>,
    /// Jobs that are about findings.
    findings: Sender<Job>,
    /// Live views to connect to; none to connect to no view.
    live: Sender<Option<LiveView>>,
    /// Flag of the last job that finds findings, which the next change ends.
    outdated: Arc<AtomicBool>,
}

impl Server<'_> {
    /// Asks the client to watch files, and finds the findings of all files.
    fn begin(&mut self) {
        if self.workspace.client.watches {
            let watchers =
                json!([{ "globPattern": "**/{*.{pleach,manifest,test,bt,xml,debt},pleach.toml}" }]);
            let registration = json!({
                "id": "files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": watchers }
            });
            let params = json!({ "registrations": [registration] });
            let id = RequestId::from("watch".to_owned());
            self.send(Request { id, method: "client/registerCapability".to_owned(), params });
        }
        self.all_changed();
        self.find();
        let address = self.workspace.client.live.as_ref();
        match address.map(|address| LiveView::new(address, None)) {
            Some(Ok(view)) => drop(self.live.send(Some(view))),
            Some(Err(why)) => self.shared.show(&why),
            None => {}
        }
    }

    /// Answers a command of the client.
    fn execute(&self, request: Request) -> Response {
        let refused =
            |why: String| Response::new_err(request.id.clone(), ErrorCode::InvalidParams as i32, why);
        let params: lsp::ExecuteCommandParams = match serde_json::from_value(request.params) {
            Ok(params) => params,
            Err(why) => return refused(why.to_string()),
        };
        if params.command != LIVE {
            return refused(format!("the server has no command {}", params.command));
        }
        let view = match wish(&params.arguments.unwrap_or_default()) {
            Ok(view) => view,
            Err(why) => return refused(why),
        };
        drop(self.live.send(view));
        Response::new_ok(request.id, Value::Null)
    }

    /// Notes that the findings of all files may have changed.
    fn all_changed(&self) {
        self.workspace.files().for_each(|name| self.shared.changed(name.to_owned()));
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that has gone needs no messages.
        drop(self.connection.sender.send(message.into()));
    }

    fn run(&mut self) -> Result<(), String> {
        for message in &self.connection.receiver {
            match message {
                Message::Request(request) if request.method == "shutdown" => {
                    self.send(Response::new_ok(request.id, Value::Null));
                    return self.leave();
                }
                Message::Request(request) if request.method == "workspace/executeCommand" => {
                    let response = self.execute(request);
                    self.send(response);
                }
                Message::Request(request) => {
                    let snapshot = Box::new(self.workspace.snapshot());
                    self.shared.asked(request.id.clone(), &snapshot);
                    let is_about_findings = request.method == "textDocument/diagnostic";
                    let queue = if is_about_findings { &self.findings } else { &self.jobs };
                    drop(queue.send(Job::Request { request, snapshot }));
                }
                Message::Notification(notification) => {
                    let method = notification.method.clone();
                    match caught(&method, || self.notified(notification)) {
                        Ok(Ok(())) => {}
                        Ok(Err(why)) => self.shared.tell(&format!("{method}: {why}")),
                        Err(Stop::Defect(message)) => self.shared.tell(&message),
                        Err(Stop::Cancelled) => {}
                    }
                }
                Message::Response(_) => {}
            }
        }
        Err(NO_END.to_owned())
    }

    /// Waits for the end after a `shutdown`. Editors close their files in the meantime.
    fn leave(&self) -> Result<(), String> {
        self.outdated.store(true, Ordering::Relaxed);
        for message in &self.connection.receiver {
            match message {
                Message::Notification(notification) if notification.method == "exit" => return Ok(()),
                Message::Request(request) => {
                    let (code, why) = (ErrorCode::InvalidRequest as i32, "the session has ended");
                    self.send(Response::new_err(request.id, code, why.to_owned()));
                }
                Message::Notification(_) | Message::Response(_) => {}
            }
        }
        Err(NO_END.to_owned())
    }

    /// Takes a notification.
    fn notified(&mut self, notification: Notification) -> Result<(), String> {
        let Notification { method, params } = notification;
        let read = |why: serde_json::Error| why.to_string();
        let changed = match method.as_str() {
            "textDocument/didOpen" => {
                let params: lsp::DidOpenTextDocumentParams = serde_json::from_value(params).map_err(read)?;
                let document = params.text_document;
                self.workspace.open(&document.uri.0, document.version, document.text)
            }
            "textDocument/didChange" => {
                let params: lsp::DidChangeTextDocumentParams =
                    serde_json::from_value(params).map_err(read)?;
                let document = params.text_document;
                let uri = document.text_document_identifier.uri.0;
                self.workspace.change(&uri, document.version, params.content_changes)
            }
            "textDocument/didClose" => {
                let params: lsp::DidCloseTextDocumentParams = serde_json::from_value(params).map_err(read)?;
                self.workspace.close(&params.text_document.uri.0)
            }
            "workspace/didChangeWatchedFiles" => {
                let params: lsp::DidChangeWatchedFilesParams =
                    serde_json::from_value(params).map_err(read)?;
                self.files_changed(&params);
                None
            }
            "workspace/didChangeWorkspaceFolders" => {
                let params: lsp::DidChangeWorkspaceFoldersParams =
                    serde_json::from_value(params).map_err(read)?;
                self.folders_changed(&params);
                None
            }
            "$/cancelRequest" => {
                let params: lsp::CancelParams = serde_json::from_value(params).map_err(read)?;
                let id: RequestId =
                    serde_json::to_value(&params.id).and_then(serde_json::from_value).map_err(read)?;
                self.shared.cancel(&id);
                return Ok(());
            }
            _ => return Ok(()),
        };
        if let Some(path) = changed {
            self.shared.changed(path);
        }
        self.find();
        Ok(())
    }

    /// Reads files that have changed outside of the editor.
    fn files_changed(&mut self, params: &lsp::DidChangeWatchedFilesParams) {
        for path in params.changes.iter().filter_map(|it| crate::text::path_of(&it.uri.0)) {
            if path.ends_with("/pleach.toml") {
                self.workspace.revision += 1;
                self.all_changed();
                continue;
            }
            self.shared.changed_around(&self.workspace.snapshot(), &path);
            self.workspace.read(&path);
            self.shared.changed(path);
        }
    }

    /// Forgets folders, and reads others.
    fn folders_changed(&mut self, params: &lsp::DidChangeWorkspaceFoldersParams) {
        let path = |folder: &lsp::WorkspaceFolder| crate::text::path_of(&folder.uri.0);
        // The findings of the files that are forgotten go, too.
        self.all_changed();
        let gone = params.event.removed.iter().filter_map(path);
        gone.for_each(|path| self.workspace.forget_folder(&path));
        let new = params.event.added.iter().filter_map(path);
        new.for_each(|path| self.workspace.read_folder(Path::new(&path), usize::MAX));
        self.all_changed();
    }

    /// Lets the worker find the findings of all files that have changed.
    fn find(&mut self) {
        self.shared.set_revision(self.workspace.revision);
        if self.workspace.client.pulls {
            // The client asks for findings itself.
            return self.shared.forget_changed();
        }
        let snapshot = Box::new(self.workspace.snapshot());
        let outdated = std::mem::replace(&mut self.outdated, snapshot.is_cancelled.clone());
        outdated.store(true, Ordering::Relaxed);
        drop(self.findings.send(Job::Findings { snapshot }));
    }
}

/// Returns the live view that the arguments of [`LIVE`] name.
fn wish(arguments: &[Value]) -> Result<Option<LiveView>, String> {
    let agent = match arguments.get(1) {
        None | Some(Value::Null) => None,
        Some(number) => {
            let index = number.as_u64().and_then(|number| u32::try_from(number).ok());
            Some(index.ok_or_else(|| format!("{number} is not the number of an agent"))?)
        }
    };
    match arguments.first() {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(address)) => LiveView::new(address, agent).map(Some),
        Some(other) => Err(format!("{other} is not the address of a live view")),
    }
}
