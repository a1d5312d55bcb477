//! Client of a live view, on a thread of its own: it keeps the counts of a running crowd up to date
//! for hints.
//!
//! `spec/view.md` describes the protocol. The thread reads for short times only, so it sees soon
//! that another view, or none, is wanted.

use crate::counts::{Model, ViewMessage};
use crate::shared::Shared;
use serde_json::json;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};
use tungstenite::handshake::client::generate_key;
use tungstenite::http::Request;
use tungstenite::{Error, HandshakeError, Message, WebSocket};

/// Longest time for a view to accept a connection, and for each answer of the handshake.
const CONNECT: Duration = Duration::from_secs(2);
/// Longest time for which the thread waits for a message.
const WAIT: Duration = Duration::from_millis(250);
/// Shortest time between two changes of hints that the editor is told.
const SHOWN_EVERY: Duration = Duration::from_secs(1);
/// Time without counts after which they are asked for again, because another page of the view may
/// have ended them.
const ASK_EVERY: Duration = Duration::from_secs(5);
/// Largest number of agents that are counted, as the page of the view has it. In larger crowds
/// every n-th agent is counted.
const MAX_COUNTED: u32 = 20_000;

/// Live view to connect to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LiveView {
    /// IP address or `localhost`, with the port.
    host: String,
    /// Query of the address, which has the token.
    query: String,
    /// Agent to be followed.
    agent: Option<u32>,
}

impl LiveView {
    /// Reads the address that `pleach view` prints.
    pub(crate) fn new(address: &str, agent: Option<u32>) -> Result<Self, String> {
        let rest = address.trim().strip_prefix("http://");
        let parts = rest.and_then(|rest| rest.split_once("/?")).filter(|(host, query)| {
            let is_host = host.parse::<SocketAddr>().is_ok() || host.starts_with("localhost:");
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"=-_".contains(&byte);
            is_host && query.starts_with("token=") && query.bytes().all(is_plain)
        });
        let (host, query) = parts.ok_or_else(|| {
            let known = "`pleach view` prints it: `http://127.0.0.1:PORT/?token=TOKEN`";
            format!("this is not the address of a live view; {known}")
        })?;
        Ok(Self { host: host.to_owned(), query: query.to_owned(), agent })
    }

    /// Connects as the page of the view does.
    fn connect(&self) -> Result<WebSocket<TcpStream>, String> {
        let why = |why: std::io::Error| why.to_string();
        // `localhost` has two addresses, and a view listens at one of them.
        let addresses = self.host.to_socket_addrs().map_err(why)?;
        let connect = |address| TcpStream::connect_timeout(&address, CONNECT).map_err(why);
        let none = Err("the host has no address".to_owned());
        let stream = addresses.map(connect).reduce(Result::or).unwrap_or(none)?;
        stream.set_read_timeout(Some(CONNECT)).map_err(why)?;
        stream.set_write_timeout(Some(CONNECT)).map_err(why)?;
        let request = Request::builder()
            .uri(format!("ws://{}/live?{}", self.host, self.query))
            .header("Host", &self.host)
            .header("Origin", format!("http://{}", self.host))
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", generate_key())
            .body(())
            .map_err(|why| why.to_string())?;
        let (socket, _) = tungstenite::client(request, stream).map_err(|error| match error {
            HandshakeError::Failure(why) => why.to_string(),
            HandshakeError::Interrupted(_) => "it does not answer".to_owned(),
        })?;
        socket.get_ref().set_read_timeout(Some(WAIT)).map_err(why)?;
        Ok(socket)
    }
}

/// Follows the views that are asked for, one at a time, until nobody can ask any more.
pub(crate) fn follow(shared: &Shared, wishes: Receiver<Option<LiveView>>) {
    let mut wish = wishes.recv().ok();
    while let Some(wanted) = wish {
        wish = match wanted {
            None => wishes.recv().ok(),
            Some(view) => followed(shared, &wishes, &view),
        };
    }
}

/// Follows a view until it is lost, or until something else is wanted, which is returned; `None`
/// if nobody can ask any more.
fn followed(
    shared: &Shared,
    wishes: &Receiver<Option<LiveView>>,
    view: &LiveView,
) -> Option<Option<LiveView>> {
    let mut socket = match view.connect() {
        Ok(socket) => socket,
        Err(why) => {
            shared.show(&format!("cannot connect to the live view at {}: {why}", view.host));
            return wishes.recv().ok();
        }
    };
    let mut session = Session { shared, view, model: Model::default(), times: Times::default(), agents: 0 };
    let end = loop {
        match wishes.try_recv() {
            Ok(wish) => break Ok(Some(wish)),
            Err(TryRecvError::Disconnected) => break Ok(None),
            Err(TryRecvError::Empty) => {}
        }
        if let Err(why) = session.turn(&mut socket) {
            break Err(why);
        }
    };
    shared.set_live(None);
    end.unwrap_or_else(|why| {
        shared.show(&format!("the live view at {} has ended, and so have its hints: {why}", view.host));
        wishes.recv().ok()
    })
}

/// Times of a session. None stands for never.
#[derive(Default)]
struct Times {
    /// Last time at which counts came, or were asked for.
    asked: Option<Instant>,
    /// Last time at which the editor was told of new hints.
    shown: Option<Instant>,
    /// True if there is something that the editor has not been told of.
    has_news: bool,
}

/// Session with a view.
struct Session<'s> {
    shared: &'s Shared,
    view: &'s LiveView,
    model: Model,
    times: Times,
    /// Number of agents of the crowd, 0 if unknown.
    agents: u32,
}

impl Session<'_> {
    /// Reads a message, if one comes soon, and does what is due.
    fn turn(&mut self, socket: &mut WebSocket<TcpStream>) -> Result<(), String> {
        match socket.read() {
            Ok(Message::Text(text)) => {
                self.hear(&text, socket).map_err(|why| format!("a message cannot be read: {why}"))?;
            }
            Ok(Message::Close(_)) => return Err("it was closed".to_owned()),
            Ok(_) => {}
            Err(Error::Io(why)) if is_waiting(why.kind()) => {}
            Err(why) => return Err(why.to_string()),
        }
        let is_due = |time: Option<Instant>, after| time.is_none_or(|time| time.elapsed() >= after);
        if self.agents > 0 && is_due(self.times.asked, ASK_EVERY) {
            let every = self.agents.div_ceil(MAX_COUNTED);
            say(socket, &json!({ "do": "statistics", "every": every }))?;
            self.times.asked = Some(Instant::now());
        }
        if self.times.has_news && is_due(self.times.shown, SHOWN_EVERY) {
            self.shared.set_live(Some(self.model.crowd.clone()));
            (self.times.shown, self.times.has_news) = (Some(Instant::now()), false);
        }
        Ok(())
    }

    fn hear(&mut self, text: &str, socket: &mut WebSocket<TcpStream>) -> Result<(), String> {
        match serde_json::from_str(text).map_err(|why| why.to_string())? {
            ViewMessage::Program(program) => {
                self.model.set_program(program);
                if let Some(agent) = self.view.agent {
                    say(socket, &json!({ "do": "pick", "agent": agent }))?;
                }
            }
            ViewMessage::State { agents } => {
                self.agents = agents;
                return Ok(());
            }
            ViewMessage::Statistics(counts) => {
                self.times.asked = Some(Instant::now());
                self.model.set_counts(&counts);
            }
            ViewMessage::Agent { revision, agent, nodes, walked } => {
                if !walked {
                    return Ok(());
                }
                let nodes = nodes.into_iter().map(|(id, status, ..)| (id, status));
                self.model.set_statuses((revision, agent), nodes);
            }
            ViewMessage::Other => return Ok(()),
        }
        self.times.has_news = true;
        Ok(())
    }
}

fn is_waiting(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Sends a command.
fn say(socket: &mut WebSocket<TcpStream>, command: &serde_json::Value) -> Result<(), String> {
    socket.send(Message::text(command.to_string())).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_views_are_known_and_others_are_refused() {
        for address in
            ["http://127.0.0.1:80/?token=a1", "http://[::1]:80/?token=a1", " http://localhost:1/?token=b\n"]
        {
            assert!(LiveView::new(address, None).is_ok(), "{address}");
        }
        for address in [
            "",
            "127.0.0.1:80/?token=a1",
            "https://127.0.0.1:80/?token=a1",
            "http://127.0.0.1/?token=a1",
            "http://game.example:80/?token=a1",
            "http://127.0.0.1:80/?taken=a1",
            "http://127.0.0.1:80/?token=a1 HTTP/1.1\r\nA: b",
        ] {
            assert!(LiveView::new(address, None).is_err(), "{address}");
        }
    }
}
