//! Thread that accepts connections, and the end of all threads.

use crate::connection;
use crate::hub::Hub;
use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Maximum number of connections at once.
const MOST_CONNECTIONS: usize = 16;
/// Interval at which new connections and the end of the server are checked. Waiting for a
/// connection without limit could not be ended reliably: the connection that would wake the thread
/// may fail for lack of descriptors.
const LOOK: Duration = Duration::from_millis(20);

/// Running server. When it is dropped, all its threads have ended.
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
        // Closing the outboxes stops the writing threads at once.
        self.hub.peers().iter().for_each(|peer| peer.outbox.close());
        self.thread.take().map(JoinHandle::join);
    }
}

/// Connection: its stream, so that it can be closed, and its thread.
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
            // No connection waits, it is gone again, or there are no descriptors left.
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
        let hub =
            Arc::new(Hub::new(Door { token: "x".to_owned(), port: address.port(), framed: false }, false));
        let server = Server::start(listener, hub.clone()).expect("there is a thread");
        let open: Vec<_> = (0..20).map(|_| TcpStream::connect(address)).collect();
        drop(server);
        // Each thread would hold a reference.
        assert_eq!(Arc::strong_count(&hub), 1);
        drop(open);
    }
}
