//! `pleach view` while it serves, and its pages.

use crate::folder::Folder;
use pleach_tests::steady::Steady;
use serde_json::Value;
use std::io::{BufRead, BufReader, ErrorKind, Lines};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Error, Message, WebSocket};

/// Longest time that anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The command while it serves.
pub(crate) struct Served {
    pub(crate) child: Child,
    pub(crate) address: String,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Served {
    pub(crate) fn new(folder: &Folder, args: &[&str]) -> Self {
        Self::of(folder.command(args))
    }

    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).spawn().expect("the command");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut served = Self { child, address: String::new(), lines };
        served.address = served.line("http://");
        served
    }

    /// Returns the next line of the output with this beginning.
    pub(crate) fn line(&mut self, beginning: &str) -> String {
        let mut lines = self.lines.by_ref().map_while(Result::ok);
        lines.find(|line| line.starts_with(beginning)).unwrap_or_else(|| panic!("no line {beginning}..."))
    }

    pub(crate) fn page(&self) -> Page {
        let address = self.address.replacen("http://", "ws://", 1).replacen("/?", "/live?", 1);
        let host = address.split('/').nth(2).expect("a host").to_owned();
        let mut request = address.into_client_request().expect("an address");
        let origin = HeaderValue::from_str(&format!("http://{host}")).expect("it is text");
        request.headers_mut().insert("Origin", origin);
        let stream = TcpStream::connect(host).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
        let (socket, _) = tungstenite::client(request, Steady(stream)).expect("it is let in");
        Page(socket)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Page without a browser.
pub(crate) struct Page(pub(crate) WebSocket<Steady>);

impl Page {
    pub(crate) fn say(&mut self, command: &Value) {
        self.0.send(Message::text(command.to_string())).expect("it listens");
    }

    /// Waits for a message of a kind.
    pub(crate) fn wait(&mut self, kind: &str, is: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.wait_any(&[kind]);
            if is(&message) {
                return message;
            }
        }
    }

    /// Waits for a message of one of these kinds.
    pub(crate) fn wait_any(&mut self, kinds: &[&str]) -> Value {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            match self.0.read() {
                Ok(Message::Text(text)) => {
                    let message: Value = serde_json::from_str(&text).expect("it is JSON");
                    if message["type"].as_str().is_some_and(|kind| kinds.contains(&kind)) {
                        return message;
                    }
                }
                Ok(_) => {}
                Err(Error::Io(why)) if why.kind() == ErrorKind::WouldBlock => {}
                Err(why) => panic!("it has closed: {why}"),
            }
        }
        panic!("none of {kinds:?} came")
    }
}
