//! The thread that listens, and the end of all threads.

use crate::connection;
use crate::hub::Hub;
use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Connections at once.
const MOST_CONNECTIONS: usize = 16;
/// How often it is looked whether somebody knocks, or all is over. To wait for a connection without end could not be ended safely: who
/// would knock at one's own door may find that there is no descriptor left.
const LOOK: Duration = Duration::from_millis(20);

/// A server that runs. When it is dropped, all its threads have ended.
#[derive(Debug)]
pub(crate) struct Server {
    hub: Arc<Hub>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start(listener: TcpListener, hub: Arc<Hub>) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let shared = hub.clone();
        let thread = thread::Builder::new().name("pleach-view".to_owned());
        let thread = thread.spawn(move || listen(&listener, &shared))?;
        Ok(Self { hub, thread: Some(thread) })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.hub.closing.store(true, Ordering::Release);
        // What is written stops at once, even where nobody looks.
        self.hub.peers().iter().for_each(|peer| peer.outbox.close());
        self.thread.take().map(JoinHandle::join);
    }
}

/// A connection: its stream, so that it can be closed, and its thread.
struct Connection {
    stream: TcpStream,
    thread: JoinHandle<()>,
}

fn listen(listener: &TcpListener, hub: &Arc<Hub>) {
    let mut connections: Vec<Connection> = Vec::new();
    while !hub.closing.load(Ordering::Acquire) {
        connections.retain(|connection| !connection.thread.is_finished());
        match listener.accept() {
            Ok((stream, _)) if connections.len() < MOST_CONNECTIONS => {
                connections.extend(begin(stream, hub));
            }
            Ok((stream, _)) => connection::send_away(stream),
            // Nobody knocks, or whoever did is gone, or there are no descriptors.
            Err(_) => thread::sleep(LOOK),
        }
    }
    for connection in &connections {
        let _ = connection.stream.shutdown(Shutdown::Both);
    }
    for connection in connections {
        let _ = connection.thread.join();
    }
}

fn begin(stream: TcpStream, hub: &Arc<Hub>) -> Option<Connection> {
    stream.set_nonblocking(false).ok()?;
    let (mine, hub) = (stream.try_clone().ok()?, hub.clone());
    let thread = thread::Builder::new().name("pleach-view".to_owned());
    let thread = thread.spawn(move || connection::serve(stream, &hub)).ok()?;
    Some(Connection { stream: mine, thread })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::door::Door;

    #[test]
    fn no_thread_outlives_the_server() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let address = listener.local_addr().expect("it has one");
        let hub = Arc::new(Hub::new(Door { token: "x".to_owned(), port: address.port() }));
        let server = Server::start(listener, hub.clone()).expect("there is a thread");
        let open: Vec<_> = (0..20).map(|_| TcpStream::connect(address)).collect();
        drop(server);
        // Each thread has a share of it.
        assert_eq!(Arc::strong_count(&hub), 1);
        drop(open);
    }
}
