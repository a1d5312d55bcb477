//! Peer of the monitor with raw frames, without a library of ZeroMQ.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Time limit on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Connection to a port of the monitor.
pub(crate) struct Peer(pub(crate) TcpStream);

impl Peer {
    /// Connects, greets, and introduces itself as a socket of a type.
    pub(crate) fn connect(address: SocketAddr, socket: &str) -> Self {
        let mut peer = Self::greet(address, 3);
        let mut body = b"\x05READY\x0bSocket-Type\0\0\0".to_vec();
        body.push(socket.len() as u8);
        body.extend(socket.as_bytes());
        body.extend(b"\x08Identity\0\0\0\0");
        peer.send_raw(4, &body);
        let mut head = [0; 2];
        peer.0.read_exact(&mut head).expect("the monitor introduces itself");
        let mut ready = vec![0; head[1].into()];
        peer.0.read_exact(&mut ready).expect("it is whole");
        assert!(head[0] == 4 && ready.starts_with(b"\x05READY"), "{ready:?}");
        peer
    }

    /// Connects, and sends the first bytes of a version.
    pub(crate) fn greet(address: SocketAddr, version: u8) -> Self {
        let mut stream = TcpStream::connect(address).expect("the monitor listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
        let mut greeting = [0; 64];
        (greeting[0], greeting[9], greeting[10]) = (0xff, 0x7f, version);
        greeting[12..16].copy_from_slice(b"NULL");
        stream.write_all(&greeting).expect("it is taken");
        let mut peer = Self(stream);
        peer.0.read_exact(&mut greeting).expect("the monitor greets");
        assert_eq!((greeting[0], greeting[9], greeting[10]), (0xff, 0x7f, 3));
        peer
    }

    /// Sends a frame with flags.
    pub(crate) fn send_raw(&mut self, flags: u8, bytes: &[u8]) {
        let mut frame = match u8::try_from(bytes.len()) {
            Ok(length) => vec![flags, length],
            Err(_) => [&[flags | 2][..], &(bytes.len() as u64).to_be_bytes()].concat(),
        };
        frame.extend(bytes);
        self.0.write_all(&frame).expect("it is taken");
    }

    /// Reads a message.
    pub(crate) fn read(&mut self) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        loop {
            let mut flags = [0];
            self.0.read_exact(&mut flags).expect("a frame comes");
            let length = if flags[0] & 2 == 0 {
                let mut length = [0];
                self.0.read_exact(&mut length).expect("it has a length");
                length[0].into()
            } else {
                let mut length = [0; 8];
                self.0.read_exact(&mut length).expect("it has a length");
                u64::from_be_bytes(length)
            };
            let mut frame = vec![0; length as usize];
            self.0.read_exact(&mut frame).expect("it is whole");
            frames.push(frame);
            if flags[0] & 1 == 0 {
                return frames;
            }
        }
    }

    /// Sends frames as a request, and returns the frames of the reply.
    pub(crate) fn ask_raw(&mut self, frames: &[&[u8]]) -> Vec<Vec<u8>> {
        self.send_raw(1, b"");
        for (index, frame) in frames.iter().enumerate() {
            self.send_raw(u8::from(index + 1 < frames.len()), frame);
        }
        let mut reply = self.read();
        assert_eq!(reply.remove(0), b"", "the reply has the envelope of the request");
        reply
    }

    /// Sends a request. Returns the id of the tree, and the second frame if there is one.
    pub(crate) fn ask(&mut self, kind: u8, second: Option<&str>) -> (Vec<u8>, Option<Vec<u8>>) {
        let header = [2, kind, 0x11, 0x22, 0x33, 0x44];
        let second = second.map(str::as_bytes);
        let frames: Vec<_> = std::iter::once(&header[..]).chain(second).collect();
        let mut reply = self.ask_raw(&frames).into_iter();
        let first = reply.next().expect("a reply has frames");
        assert_eq!(first[..6], header, "{}", String::from_utf8_lossy(&first));
        assert_eq!(first.len(), 22);
        (first[6..].to_vec(), reply.next())
    }

    /// Sends a request that is refused. Returns the text of the error.
    pub(crate) fn error(&mut self, kind: u8, second: Option<&str>) -> String {
        let header = [2, kind, 0, 0, 0, 0];
        let second = second.map(str::as_bytes);
        let frames: Vec<_> = std::iter::once(&header[..]).chain(second).collect();
        let reply = self.ask_raw(&frames);
        assert_eq!(reply[0], b"error");
        String::from_utf8_lossy(&reply[1]).into_owned()
    }

    /// Returns the states by uid.
    pub(crate) fn states(&mut self) -> Vec<u8> {
        let (_, bytes) = self.ask(b'S', None);
        let mut rows: Vec<_> = bytes.expect("states come").chunks(3).map(|row| (row[0], row[2])).collect();
        rows.sort_unstable();
        rows.into_iter().map(|(_, state)| state).collect()
    }

    /// Returns true once the monitor has closed the connection.
    pub(crate) fn is_closed(&mut self) -> bool {
        let mut rest = Vec::new();
        match self.0.read_to_end(&mut rest) {
            Ok(_) => true,
            Err(why) => why.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
}
