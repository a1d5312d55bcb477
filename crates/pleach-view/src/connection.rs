//! One connection, from its first byte to its last, on threads of its own.
//!
//! A socket is read by one thread and written by another, so that neither waits for the other: whoever reads nothing holds up
//! a thread and no more. The reading side must answer pings and closings too; what it writes goes to the outbox as whole frames,
//! and the writing side puts them between its own.

use crate::command::{self, Given};
use crate::door::{self, Asked, Refused};
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

/// Bytes of a message of a page.
const MOST_MESSAGE: usize = 16 << 10;
/// How often a page that says nothing is asked whether it is still there.
const PING: Duration = Duration::from_secs(10);
/// How long a page may say nothing at all.
const SILENCE: Duration = Duration::from_secs(30);
/// How long a page may read nothing while something is written to it.
const STALLED: Duration = Duration::from_secs(10);
/// How long the writing thread sleeps if nothing comes.
const IDLE: Duration = Duration::from_secs(1);

/// Deals with a connection until it ends.
pub(crate) fn serve(mut stream: TcpStream, hub: &Hub) {
    // A stream that refuses options is as good as closed.
    if stream.set_write_timeout(Some(STALLED)).is_err() || stream.set_nodelay(true).is_err() {
        return;
    }
    let done = match hub.door.ask(&mut stream) {
        Ok(Asked::Page(host)) => give_page(&mut stream, &host),
        Ok(Asked::Socket(request, rest)) => match door::shake(&mut stream, &request) {
            Ok(()) => talk(&stream, rest, hub),
            Err(refused) => refused.tell(&mut stream),
        },
        Err(refused) => refused.tell(&mut stream),
    };
    // Whoever is there has been told what there was to tell.
    drop(done);
    let _ = stream.shutdown(Shutdown::Both);
}

fn give_page(stream: &mut TcpStream, host: &str) -> io::Result<()> {
    let nonce = token::word()?;
    door::give(stream, host, &nonce, &page::document(&nonce, ""))?;
    // Bytes of the request that were not read would let the page's end be lost.
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(IDLE))?;
    let mut rest = [0_u8; 1 << 10];
    stream.read(&mut rest).map(drop)
}

/// Talks to a page.
fn talk(stream: &TcpStream, rest: Vec<u8>, hub: &Hub) -> io::Result<()> {
    let (reading, writing) = (stream.try_clone()?, stream.try_clone()?);
    let peer = hub.enter();
    thread::scope(|scope| {
        let writer = thread::Builder::new().spawn_scoped(scope, || write(writing, &peer));
        if writer.is_ok() {
            read(reading, rest, hub, &peer);
        }
        // Wakes whoever still waits.
        hub.leave(&peer);
        let _ = stream.shutdown(Shutdown::Both);
    });
    Ok(())
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4 << 10)
        .write_buffer_size(0)
        .max_message_size(Some(MOST_MESSAGE))
        .max_frame_size(Some(MOST_MESSAGE))
}

/// What is sent to a page.
fn write(stream: TcpStream, peer: &Peer) {
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config()));
    loop {
        let done = match peer.outbox.next(IDLE) {
            Next::Nothing => Ok(()),
            Next::Closed => break,
            Next::Raw(bytes) => socket.get_mut().write_all(&bytes).map_err(Error::Io),
            Next::Text(text) => socket.send(Message::text(&*text)),
        };
        if done.is_err() {
            break;
        }
    }
    peer.outbox.close();
    let _ = socket.get_mut().shutdown(Shutdown::Both);
}

/// What comes from a page.
fn read(stream: TcpStream, rest: Vec<u8>, hub: &Hub, peer: &Peer) {
    if stream.set_read_timeout(Some(PING)).is_err() {
        return;
    }
    let half = Half { stream, peer, heard: Instant::now() };
    let mut socket = WebSocket::from_partially_read(half, rest, Role::Server, Some(config()));
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
    matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Hands on a command; false if this is no way to talk.
fn hear(message: &Message, hub: &Hub, peer: &Peer) -> bool {
    let text = match message {
        Message::Text(text) => text,
        Message::Ping(_) | Message::Pong(_) => return true,
        _ => return false,
    };
    match command::read(text) {
        Given::Command(id, command) => {
            if !hub.order(Order { peer: peer.id, id, command }) {
                peer.outbox.answer(answer(id, Err("too many commands wait already".to_owned())));
            }
            true
        }
        Given::Wrong(id, why) => {
            peer.outbox.answer(answer(id, Err(why)));
            true
        }
        Given::Nonsense => false,
    }
}

/// The stream as the reading side sees it.
struct Half<'p> {
    stream: TcpStream,
    peer: &'p Peer,
    /// When a whole message came last. Single bytes of one do not count: they could go on for ever.
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

/// Sends somebody away for whom there is no room, without waiting.
pub(crate) fn send_away(mut stream: TcpStream) {
    if stream.set_nonblocking(true).is_ok() {
        let _ = Refused::Busy.tell(&mut stream);
    }
}
