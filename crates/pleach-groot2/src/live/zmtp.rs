//! Part of ZMTP 3.0, the protocol of ZeroMQ: servers of the types REP and PUB without security.
//!
//! A frame claims its length before it comes. Here memory is reserved only for lengths within
//! [`MOST_BYTES`].

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Largest number of bytes of a message that is read.
pub(crate) const MOST_BYTES: usize = 1 << 16;
/// Largest number of frames of a message that is read.
const MOST_FRAMES: usize = 16;
/// Time in which a peer must introduce itself.
const INTRODUCTION: Duration = Duration::from_secs(5);
/// Bytes by which a connection begins: signature, version 3.0, no security, client or server.
const GREETING: [u8; 64] = {
    let mut bytes = [0; 64];
    (bytes[0], bytes[9], bytes[10]) = (0xff, 0x7f, 3);
    (bytes[12], bytes[13], bytes[14], bytes[15]) = (b'N', b'U', b'L', b'L');
    bytes
};

/// Flags of a frame.
mod flag {
    /// Further frames follow.
    pub(super) const MORE: u8 = 1;
    /// The length has 8 bytes.
    pub(super) const LONG: u8 = 2;
    /// The frame is a command of the protocol.
    pub(super) const COMMAND: u8 = 4;
}

/// Type of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SocketType {
    /// Answers requests.
    Reply,
    /// Publishes notices.
    Publish,
}

impl SocketType {
    fn name(self) -> &'static str {
        match self {
            Self::Reply => "REP",
            Self::Publish => "PUB",
        }
    }

    /// Returns the types of peers.
    fn peers(self) -> [&'static [u8]; 2] {
        match self {
            Self::Reply => [b"REQ", b"DEALER"],
            Self::Publish => [b"SUB", b"XSUB"],
        }
    }
}

fn invalid<T>(why: &'static str) -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::InvalidData, why))
}

/// Stream whose reads end at a time.
struct Until<'s>(&'s TcpStream, Instant);

impl Read for Until<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.1.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.0.set_read_timeout(Some(left))?;
        self.0.read(bytes)
    }
}

/// Greets a peer, and makes sure that it is one of ZeroMQ with a fitting socket.
pub(crate) fn introduce(mut stream: &TcpStream, socket: SocketType) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.write_all(&GREETING)?;
    let mut peer = Until(stream, Instant::now() + INTRODUCTION);
    let mut greeting = [0; 64];
    peer.read_exact(&mut greeting)?;
    let is_new = greeting[0] == 0xff && greeting[9] & 1 == 1 && greeting[10] >= 3;
    if !is_new || greeting[12..32] != GREETING[12..32] {
        return invalid("the peer does not speak ZMTP 3 without security");
    }
    stream.write_all(&ready(socket))?;
    let Frame { is_command: true, bytes, .. } = read_frame(&mut peer, MOST_BYTES)? else {
        return invalid("the peer does not introduce itself");
    };
    let Some(kind) = bytes.strip_prefix(b"\x05READY").and_then(socket_type) else {
        return invalid("the peer does not tell its socket");
    };
    if !socket.peers().contains(&kind) {
        return invalid("the peer has a socket of another type");
    }
    stream.set_read_timeout(None)
}

/// Returns the command by which a server introduces itself.
fn ready(socket: SocketType) -> Vec<u8> {
    let name = socket.name();
    let mut body = b"\x05READY\x0bSocket-Type\0\0\0".to_vec();
    body.push(name.len() as u8);
    body.extend(name.as_bytes());
    let mut frame = vec![flag::COMMAND, body.len() as u8];
    frame.extend(body);
    frame
}

/// Returns the type of the socket among the properties of a peer.
fn socket_type(mut properties: &[u8]) -> Option<&[u8]> {
    loop {
        let (length, rest) = properties.split_first()?;
        let (name, rest) = rest.split_at_checked((*length).into())?;
        let (length, rest) = rest.split_first_chunk()?;
        let (value, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        if name.eq_ignore_ascii_case(b"Socket-Type") {
            return Some(value);
        }
        properties = rest;
    }
}

struct Frame {
    has_more: bool,
    is_command: bool,
    bytes: Vec<u8>,
}

/// Reads a frame of at most `most` bytes.
fn read_frame(stream: &mut impl Read, most: usize) -> io::Result<Frame> {
    let mut head = [0; 2];
    stream.read_exact(&mut head)?;
    let [flags, first] = head;
    if flags & !(flag::MORE | flag::LONG | flag::COMMAND) != 0 {
        return invalid("a frame has unknown flags");
    }
    let length = if flags & flag::LONG == 0 {
        u64::from(first)
    } else {
        let mut length = [first, 0, 0, 0, 0, 0, 0, 0];
        stream.read_exact(&mut length[1..])?;
        u64::from_be_bytes(length)
    };
    let Some(length) = usize::try_from(length).ok().filter(|length| *length <= most) else {
        return invalid("a message is too long");
    };
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    Ok(Frame { has_more: flags & flag::MORE != 0, is_command: flags & flag::COMMAND != 0, bytes })
}

/// Reads a message. Commands between messages are passed over.
pub(crate) fn read_message(stream: &mut impl Read) -> io::Result<Vec<Vec<u8>>> {
    let (mut frames, mut left) = (Vec::new(), MOST_BYTES);
    loop {
        let frame = read_frame(stream, left)?;
        if frame.is_command && frames.is_empty() {
            continue;
        }
        if frame.is_command || frames.len() == MOST_FRAMES {
            return invalid("a message has a command or too many frames");
        }
        left -= frame.bytes.len();
        frames.push(frame.bytes);
        if !frame.has_more {
            return Ok(frames);
        }
    }
}

/// Writes a message with at least one frame.
pub(crate) fn write_message<F: AsRef<[u8]>>(stream: &mut impl Write, frames: &[F]) -> io::Result<()> {
    let mut bytes = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let frame = frame.as_ref();
        let more = if index + 1 < frames.len() { flag::MORE } else { 0 };
        match u8::try_from(frame.len()) {
            Ok(length) => bytes.extend([more, length]),
            Err(_) => {
                bytes.push(more | flag::LONG);
                bytes.extend((frame.len() as u64).to_be_bytes());
            }
        }
        bytes.extend(frame);
    }
    stream.write_all(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        read_message(&mut &*bytes).map_err(|why| why.to_string())
    }

    #[test]
    fn messages_are_read_as_they_are_written() {
        for frames in [vec![vec![1; 300], Vec::new(), vec![7]], vec![Vec::new()], vec![vec![0; MOST_BYTES]]] {
            let mut bytes = Vec::new();
            write_message(&mut bytes, &frames).expect("memory is there");
            assert_eq!(read(&bytes), Ok(frames));
        }
        assert_eq!(read(&[flag::COMMAND, 1, 9, 0, 1, 5]), Ok(vec![vec![5]]));
    }

    #[test]
    fn long_messages_are_refused_before_they_come() {
        let long = |length: u64| [&[flag::LONG][..], &length.to_be_bytes()].concat();
        for length in [u64::MAX, 1 << 40, MOST_BYTES as u64 + 1] {
            assert_eq!(read(&long(length)), Err("a message is too long".to_owned()));
        }
        let mut halves = vec![flag::MORE | flag::LONG];
        halves.extend((MOST_BYTES as u64).to_be_bytes());
        halves.extend(vec![0; MOST_BYTES]);
        halves.extend([0, 1, 0]);
        assert_eq!(read(&halves), Err("a message is too long".to_owned()));
        let many = [flag::MORE, 0].repeat(MOST_FRAMES + 1);
        assert_eq!(read(&many), Err("a message has a command or too many frames".to_owned()));
        assert_eq!(read(&[8, 0]), Err("a frame has unknown flags".to_owned()));
    }

    #[test]
    fn properties_of_a_peer_end_where_they_end() {
        let own = ready(SocketType::Reply);
        assert_eq!(socket_type(&own[8..]), Some(&b"REP"[..]));
        for length in 0..own.len() - 8 {
            assert_eq!(socket_type(&own[8..8 + length]), None);
        }
        assert_eq!(socket_type(b"\x01a\xff\xff\xff\xff"), None);
    }
}
