//! Crowd with a view, and pages without a browser.
//!
//! One thread drives the crowd and the pages in turns, so no test depends on speed. While a page
//! waits for a message, the crowd is ticked. Only a minute without the message is a failure.

use pleach::state::{ReloadPolicy, ReloadReport};
use pleach::{Agent, Bindings, Crowd, Image, Program, Status};
use pleach_compile::dialect::by_name;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Compiler, Request};
use pleach_tests::steady::{Steady, repeated};
use pleach_view::{Options, Scene, View};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::handshake::client::generate_key;
use tungstenite::http::Request as Asking;
use tungstenite::{Error, Message, WebSocket};

/// Time limit on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) const TREE: &str = "action fight()
action roam()
query near: int
var angry: bool
var count: int
on alarm { set angry = true }
tree main {
    reactive selector {
        sequence { condition angry && near < 3 action fight set count += 1 }
        action roam
    }
}
";

pub(crate) fn image(text: &str) -> Image {
    compiled("pleach", "pleach", &Manifest::default(), text)
}

/// Compiles a file `main` of a dialect.
pub(crate) fn compiled(dialect: &str, extension: &str, manifest: &Manifest, text: &str) -> Image {
    let dialect = by_name(dialect).expect("the compiler knows it");
    let library = Texts::of("main", extension, text);
    let request = Request { dialect, manifest, entries: &["main".to_owned()], debug: true };
    let bytes = Compiler::default().compile(&library, request).image.expect("it is right");
    Image::copy(&bytes).expect("it is right")
}

/// Returns a host in which fights run for two ticks and succeed in the third, and roaming never
/// ends. Odd agents are near.
pub(crate) fn game() -> Bindings<Vec<u32>> {
    let mut host = Bindings::new(Vec::new());
    host.action("fight", |fought: &mut Vec<u32>, call| {
        let index = call.agent.index();
        fought.resize(fought.len().max(index + 1), 0);
        fought[index] += 1;
        if fought[index].is_multiple_of(3) { Status::Success } else { Status::Running }
    });
    host.action("roam", |_, _| Status::Running);
    host.query("near", |_, call| if call.agent.index() % 2 == 1 { 2.0 } else { 7.0 });
    host
}

/// Crowd, with its view if it has one.
pub(crate) struct Stage {
    pub(crate) view: Option<View>,
    pub(crate) crowd: Crowd,
    pub(crate) agents: Vec<Agent>,
    host: Bindings<Vec<u32>>,
    pub(crate) now: i64,
}

pub(crate) fn scene(text: &str, image: &Image, program: &Program) -> Scene {
    Scene::new("a test", image, program, |file| (file == "main.pleach").then(|| text.as_bytes().to_vec()))
}

impl Stage {
    /// Creates a crowd without a view.
    pub(crate) fn hidden(agents: usize) -> Self {
        let (image, host) = (image(TREE), game());
        let program = Program::link(&image, &host).expect("the host has all");
        let mut crowd = Crowd::new(&program);
        let agents = (0..agents).map(|_| crowd.spawn("main").expect("there is room")).collect();
        Self { view: None, crowd, agents, host, now: 0 }
    }

    /// Creates a crowd whose host keeps the clock: it is ticked in each turn.
    pub(crate) fn new(agents: usize) -> Self {
        Self::with(agents, Options::default())
    }

    /// Creates a crowd whose view keeps the clock.
    pub(crate) fn with_clock(agents: usize) -> Self {
        Self::with(agents, Options { clock: Some(0.0), ..Options::default() })
    }

    pub(crate) fn with(agents: usize, options: Options) -> Self {
        let mut stage = Self::hidden(agents);
        let scene = scene(TREE, &image(TREE), stage.crowd.program());
        stage.view = Some(View::serve("127.0.0.1:0", scene, options).expect("there is a port"));
        stage
    }

    pub(crate) fn view(&mut self) -> &mut View {
        self.view.as_mut().expect("it is shown")
    }

    /// Ticks the crowd, with or without a view.
    pub(crate) fn tick(&mut self) {
        self.now += 50;
        let Self { view, crowd, host, now, .. } = self;
        match view {
            Some(view) => view.tick(crowd, *now, host),
            None => crowd.tick(*now, host),
        };
    }

    /// Carries out the commands of pages, and ticks if a tick is due.
    pub(crate) fn turn(&mut self) {
        let Self { view, crowd, host, now, .. } = self;
        let view = view.as_mut().expect("it is shown");
        view.obey(crowd, *now, host);
        if !view.has_clock() || view.due() {
            self.tick();
        }
    }

    /// Continues with an edited tree.
    pub(crate) fn edit(&mut self, text: &str) -> ReloadReport {
        self.go_on_with(text, &image(text))
    }

    /// Continues with the tree of an image.
    pub(crate) fn go_on_with(&mut self, text: &str, image: &Image) -> ReloadReport {
        let program = Program::link(image, &self.host).expect("the host has all");
        let report = self
            .crowd
            .reload(&program, ReloadPolicy::Places, self.now, &mut self.host)
            .expect("the tree is there");
        let scene = scene(text, image, &program);
        let Self { view, crowd, .. } = self;
        view.as_mut().expect("it is shown").reloaded(scene, &report, crowd);
        report
    }

    /// Opens a page with the right address.
    pub(crate) fn page(&mut self) -> Page {
        let address = self.view().address();
        Page::open(&address).expect("it is let in")
    }
}

/// Returns the host with port, and the path, of the page's address.
pub(crate) fn parts(address: &str) -> (String, String) {
    let rest = address.strip_prefix("http://").expect("it is plain");
    let (host, path) = rest.split_once('/').expect("it has a path");
    (host.to_owned(), format!("/{path}"))
}

/// Page without a browser.
pub(crate) struct Page {
    pub(crate) socket: WebSocket<Steady>,
    next: u64,
    /// Messages that arrived before an expected answer.
    before: VecDeque<Value>,
}

impl Page {
    /// Opens the socket like the served page.
    pub(crate) fn open(address: &str) -> Result<Self, Box<Error>> {
        let (host, path) = parts(address);
        Self::ask(&host, &path.replacen("/?", "/live?", 1), &host, &format!("http://{host}"))
    }

    /// Opens a socket with any host and origin.
    pub(crate) fn ask(to: &str, path: &str, host: &str, origin: &str) -> Result<Self, Box<Error>> {
        let request = Asking::builder()
            .uri(format!("ws://{to}{path}"))
            .header("Host", host)
            .header("Origin", origin)
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", generate_key())
            .body(())
            .expect("a request");
        let stream = TcpStream::connect(to).map_err(|why| Box::new(Error::Io(why)))?;
        stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
        match tungstenite::client(request, Steady(stream)) {
            Ok((socket, _)) => {
                socket.get_ref().0.set_read_timeout(Some(Duration::from_millis(5))).expect("it can be set");
                Ok(Self { socket, next: 1, before: VecDeque::new() })
            }
            Err(tungstenite::HandshakeError::Failure(why)) => Err(Box::new(why)),
            Err(tungstenite::HandshakeError::Interrupted(_)) => Err(Box::new(Error::ConnectionClosed)),
        }
    }

    pub(crate) fn say(&mut self, command: &Value) {
        self.socket.send(Message::text(command.to_string())).expect("the server listens");
    }

    /// Returns the next message, if there is one.
    pub(crate) fn read(&mut self) -> Option<Value> {
        self.before.pop_front().or_else(|| self.receive())
    }

    fn receive(&mut self) -> Option<Value> {
        match self.socket.read() {
            Ok(Message::Text(text)) => Some(serde_json::from_str(&text).expect("it is JSON")),
            Ok(_) => None,
            Err(Error::Io(why)) if matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => None,
            Err(why) => panic!("the server has closed: {why}"),
        }
    }

    /// Waits for a message of a kind while the crowd is ticked.
    pub(crate) fn wait(&mut self, stage: &mut Stage, kind: &str, is: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            stage.turn();
            while let Some(message) = self.read() {
                if message["type"] == kind && is(&message) {
                    return message;
                }
            }
        }
        panic!("no such `{kind}` came")
    }

    /// Sends a command, and waits for the answer: success, or the reason for a failure.
    pub(crate) fn command(&mut self, stage: &mut Stage, mut command: Value) -> Result<(), String> {
        let id = self.next;
        self.next += 1;
        command["id"] = json!(id);
        self.say(&command);
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            stage.turn();
            while let Some(message) = self.receive() {
                if message["type"] != "answer" || message["id"] != id {
                    self.before.push_back(message);
                    continue;
                }
                let why = message["error"].as_str().unwrap_or_default().to_owned();
                return if message["ok"] == true { Ok(()) } else { Err(why) };
            }
        }
        panic!("no answer came")
    }

    /// Waits until the server has closed the connection.
    pub(crate) fn ends(&mut self, stage: &mut Stage) {
        self.ends_or(stage, |_| false);
    }

    /// Waits until the server has closed the connection, or a matching message has arrived.
    pub(crate) fn ends_or(&mut self, stage: &mut Stage, comes: impl Fn(&Message) -> bool) {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            stage.turn();
            match self.socket.read() {
                Ok(message) if comes(&message) => return,
                Ok(_) => {}
                Err(Error::Io(why)) if matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => return,
            }
        }
        panic!("the server keeps talking")
    }
}

/// Sends bytes, and returns everything that the server sends back.
pub(crate) fn exchange(to: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(to).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
    stream.write_all(bytes).expect("the server reads");
    let mut all = Vec::new();
    // The server may cut off a refused connection.
    let _ = stream.read_to_end(&mut all);
    String::from_utf8_lossy(&all).into_owned()
}

/// Sends a GET request.
pub(crate) fn get(to: &str, path: &str, host: &str) -> String {
    exchange(to, format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
}

#[test]
fn interrupted_calls_are_repeated() {
    let mut calls = 0;
    let done = repeated(|| {
        calls += 1;
        if calls < 3 { Err(ErrorKind::Interrupted.into()) } else { Ok(calls) }
    });
    assert_eq!(done.expect("no other error"), 3);
    let closed = repeated::<()>(|| Err(ErrorKind::ConnectionReset.into()));
    assert_eq!(closed.map_err(|why| why.kind()), Err(ErrorKind::ConnectionReset));
}
