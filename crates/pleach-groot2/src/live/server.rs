//! Threads that accept connections and serve them.

use super::notices::Notices;
use super::requests;
use super::state::Shared;
use super::zmtp::{self, SocketType};
use std::io;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Largest number of connections of a port at once.
const MOST_CONNECTIONS: usize = 16;
/// Interval at which new connections and the end of the server are looked for.
const LOOK: Duration = Duration::from_millis(20);
/// Number of attempts to find two ports beside each other.
const ATTEMPTS: usize = 100;
/// Time in which a peer must take a reply.
const PATIENCE: Duration = Duration::from_secs(1);

/// Running server. When it is dropped, all its threads have ended.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    closing: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start(address: SocketAddr, shared: &Arc<Shared>) -> io::Result<Self> {
        let (replies, notices) = listeners(address)?;
        let closing = Arc::new(AtomicBool::new(false));
        let mut server = Self { address: replies.local_addr()?, closing, threads: Vec::new() };
        for (listener, socket) in [(replies, SocketType::Reply), (notices, SocketType::Publish)] {
            listener.set_nonblocking(true)?;
            let (closing, shared) = (server.closing.clone(), shared.clone());
            let thread = thread::Builder::new().name("pleach-groot2".to_owned());
            server.threads.push(thread.spawn(move || listen(&listener, socket, &closing, &shared))?);
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Release);
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

/// Returns listeners at a port and the next one. Port 0 stands for any free ones.
fn listeners(address: SocketAddr) -> io::Result<(TcpListener, TcpListener)> {
    let second = |port: u16, ip: IpAddr| match port.checked_add(1) {
        Some(next) => TcpListener::bind((ip, next)),
        None => Err(io::Error::new(io::ErrorKind::AddrNotAvailable, "there is no port behind the last one")),
    };
    let mut tries = 1;
    loop {
        let first = TcpListener::bind(address)?;
        match second(first.local_addr()?.port(), address.ip()) {
            Ok(second) => return Ok((first, second)),
            Err(why) if address.port() != 0 || tries == ATTEMPTS => return Err(why),
            Err(_) => tries += 1,
        }
    }
}

/// Connection: its stream, so that it can be closed, and its thread.
struct Connection {
    stream: TcpStream,
    thread: JoinHandle<()>,
}

fn listen(listener: &TcpListener, socket: SocketType, closing: &AtomicBool, shared: &Arc<Shared>) {
    let mut connections: Vec<Connection> = Vec::new();
    while !closing.load(Ordering::Acquire) {
        connections.retain(|connection| !connection.thread.is_finished());
        match listener.accept() {
            Ok((stream, _)) if connections.len() < MOST_CONNECTIONS => {
                connections.extend(begin(stream, socket, shared));
            }
            // It is closed at once.
            Ok(_) => {}
            // No connection waits, it is gone again, or there are no descriptors left.
            Err(_) => thread::sleep(LOOK),
        }
    }
    for connection in &connections {
        let _ = connection.stream.shutdown(Shutdown::Both);
    }
    connections.into_iter().for_each(|connection| drop(connection.thread.join()));
}

fn begin(stream: TcpStream, socket: SocketType, shared: &Arc<Shared>) -> Option<Connection> {
    stream.set_nonblocking(false).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let (mine, shared) = (stream.try_clone().ok()?, shared.clone());
    let thread = thread::Builder::new().name("pleach-groot2".to_owned());
    let work = move || {
        // A peer that is wrong or gone ends its connection.
        drop(match socket {
            SocketType::Reply => replies(&stream, &shared),
            SocketType::Publish => Notices::serve(&shared.notices, &stream),
        });
        let _ = stream.shutdown(Shutdown::Both);
    };
    Some(Connection { stream: mine, thread: thread.spawn(work).ok()? })
}

/// Answers the requests of a connection.
fn replies(mut stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    zmtp::introduce(stream, SocketType::Reply)?;
    loop {
        let mut message = zmtp::read_message(&mut stream)?;
        // Frames up to an empty one say where the reply goes.
        let Some(end) = message.iter().position(Vec::is_empty) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let request = message.split_off(end + 1);
        message.extend(requests::answer(shared, &request));
        zmtp::write_message(&mut stream, &message)?;
    }
}
