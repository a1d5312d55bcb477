//! Connections. Each runs on threads of its own, from its first byte to its last.
//!
//! One thread reads a socket and another writes to it, so neither waits for the other. A page that
//! reads nothing blocks one thread and nothing else. The reading side must answer pings and close
//! frames, too. It puts these answers into the outbox as whole frames, and the writing side sends
//! them between its own frames.

use crate::command::{self, Given};
use crate::door::{self, Asked, Refused, is_interrupted};
use crate::editing::EditRequest;
use crate::hub::{Hub, Order, Peer};
use crate::messages::answer;
use crate::outbox::Next;
use crate::{page, token};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

/// Maximum size of a page's message in bytes.
const MOST_MESSAGE: usize = 16 << 10;
/// Maximum size of a page's message in bytes if pages can edit: a command may have a whole text.
const MOST_EDIT_MESSAGE: usize = 4 << 20;
/// Interval at which a silent page is pinged.
const PING: Duration = Duration::from_secs(10);
/// Maximum time for which a page may send no message.
const SILENCE: Duration = Duration::from_secs(30);
/// Maximum time for which a page may not read while data is written to it.
const STALLED: Duration = Duration::from_secs(10);
/// Maximum time for which the writing thread sleeps.
const IDLE: Duration = Duration::from_secs(1);

/// Serves a connection until it ends.
pub(crate) fn serve(mut stream: TcpStream, hub: &Hub) {
    // A stream that refuses options is treated as closed.
    if stream.set_write_timeout(Some(STALLED)).is_err() || stream.set_nodelay(true).is_err() {
        return;
    }
    let done = match hub.door.ask(&mut stream) {
        Ok(Asked::Page(host)) => give_page(&mut stream, &host, hub),
        Ok(Asked::Socket(request, rest)) => match door::shake(&mut stream, &request) {
            Ok(()) => talk(&stream, rest, hub),
            Err(refused) => refused.tell(&mut stream),
        },
        Err(refused) => refused.tell(&mut stream),
    };
    // A failed write is ignored: the connection ends anyway.
    drop(done);
    let _ = stream.shutdown(Shutdown::Both);
}

fn give_page(stream: &mut TcpStream, host: &str, hub: &Hub) -> io::Result<()> {
    let nonce = token::word()?;
    door::give(stream, host, &nonce, &page::document(&nonce, "", hub.editing), hub.door.framed)?;
    // If bytes of the request were left unread, closing could discard the end of the page.
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(IDLE))?;
    let mut rest = [0_u8; 1 << 10];
    loop {
        match stream.read(&mut rest) {
            Err(why) if is_interrupted(&why) => {}
            done => return done.map(drop),
        }
    }
}

/// Exchanges messages with a page.
fn talk(stream: &TcpStream, rest: Vec<u8>, hub: &Hub) -> io::Result<()> {
    let (reading, writing) = (stream.try_clone()?, stream.try_clone()?);
    let peer = hub.enter();
    thread::scope(|scope| {
        let writer = thread::Builder::new().spawn_scoped(scope, || write(writing, &peer));
        if writer.is_ok() {
            read(reading, rest, hub, &peer);
        }
        // Closing the outbox wakes the writing thread.
        hub.leave(&peer);
        let _ = stream.shutdown(Shutdown::Both);
    });
    Ok(())
}

fn config(editing: bool) -> WebSocketConfig {
    let most = if editing { MOST_EDIT_MESSAGE } else { MOST_MESSAGE };
    WebSocketConfig::default()
        .read_buffer_size(4 << 10)
        .write_buffer_size(0)
        .max_message_size(Some(most))
        .max_frame_size(Some(most))
}

/// Sends messages to a page.
fn write(stream: TcpStream, peer: &Peer) {
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config(false)));
    loop {
        let done = match peer.outbox.next(IDLE) {
            Next::Nothing => Ok(()),
            Next::Closed => break,
            Next::Raw(bytes) => socket.get_mut().write_all(&bytes).map_err(Error::Io),
            Next::Text(text) => sent(&mut socket, Message::text(&*text)),
        };
        if done.is_err() {
            break;
        }
    }
    peer.outbox.close();
    let _ = socket.get_mut().shutdown(Shutdown::Both);
}

/// Sends a message, also if signals arrive meanwhile. A stream with a timeout returns `Interrupted`
/// then; the socket keeps the rest of the frame, and flushing continues with it.
fn sent(socket: &mut WebSocket<impl Read + Write>, message: Message) -> Result<(), Error> {
    let mut done = socket.send(message);
    while matches!(&done, Err(Error::Io(why)) if is_interrupted(why)) {
        done = socket.flush();
    }
    done
}

/// Receives messages from a page.
fn read(stream: TcpStream, rest: Vec<u8>, hub: &Hub, peer: &Peer) {
    if stream.set_read_timeout(Some(PING)).is_err() {
        return;
    }
    let half = Half { stream, peer, heard: Instant::now() };
    let mut socket = WebSocket::from_partially_read(half, rest, Role::Server, Some(config(hub.editing)));
    while !hub.closing.load(Ordering::Acquire) && !peer.outbox.is_closed() {
        let done = match socket.read() {
            Ok(message) => {
                socket.get_mut().heard = Instant::now();
                hear(&message, hub, peer)
            }
            Err(Error::Io(why)) if is_waiting(&why) => socket.send(Message::Ping(Vec::new().into())).is_ok(),
            Err(_) => false,
        };
        if !done {
            break;
        }
    }
}

fn is_waiting(why: &io::Error) -> bool {
    matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) || is_interrupted(why)
}

/// Passes a command on. Returns false if the page violates the protocol.
fn hear(message: &Message, hub: &Hub, peer: &Peer) -> bool {
    let text = match message {
        Message::Text(text) => text,
        Message::Ping(_) | Message::Pong(_) => return true,
        _ => return false,
    };
    let (id, has_room) = match command::read(text, hub.editing) {
        Given::Command(id, command) => (id, hub.order(Order { peer: peer.id, id, command })),
        Given::Edit(id) => (id, hub.request(EditRequest { peer: peer.id, id, json: text.to_string() })),
        Given::Wrong(id, why) => {
            peer.outbox.answer(answer(id, Err(why)));
            return true;
        }
        Given::Nonsense => return false,
    };
    if !has_room {
        peer.outbox.answer(answer(id, Err("too many commands wait already".to_owned())));
    }
    true
}

/// Stream of the reading side, which writes to the outbox.
struct Half<'p> {
    stream: TcpStream,
    peer: &'p Peer,
    /// Time of the last whole message. Single bytes do not count: a page could send them for ever.
    heard: Instant,
}

impl Read for Half<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.heard.elapsed() > SILENCE {
            return Err(ErrorKind::ConnectionAborted.into());
        }
        self.stream.read(into)
    }
}

impl Write for Half<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.peer.outbox.raw(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Refuses a connection that exceeds the maximum, without waiting.
pub(crate) fn send_away(mut stream: TcpStream) {
    if stream.set_nonblocking(true).is_ok() {
        let _ = Refused::Busy.tell(&mut stream);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stream whose every other write is interrupted by a signal, and
    /// which takes 5 bytes at a time.
    #[derive(Default)]
    struct Shaken {
        bytes: Vec<u8>,
        is_interrupted: bool,
    }

    impl Read for Shaken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(ErrorKind::WouldBlock.into())
        }
    }

    impl Write for Shaken {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.is_interrupted = !self.is_interrupted;
            if self.is_interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
            let taken = bytes.len().min(5);
            self.bytes.extend_from_slice(&bytes[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn signals_end_no_message() {
        let mut socket = WebSocket::from_raw_socket(Shaken::default(), Role::Server, Some(config(false)));
        sent(&mut socket, Message::text("a longer message")).expect("the stream is open");
        sent(&mut socket, Message::text("another")).expect("the stream is open");
        assert_eq!(socket.get_ref().bytes, b"\x81\x10a longer message\x81\x07another");
    }
}
