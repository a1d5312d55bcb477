//! Client sockets that signals do not interrupt.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;

/// Socket of a test's client. Repeats calls that a signal interrupted: the system returns
/// [`ErrorKind::Interrupted`] from a socket with a timeout, even without a handler of the signal
/// when the process was stopped and continues.
#[derive(Debug)]
pub struct Steady(pub TcpStream);

/// Calls until no signal interrupts the call.
fn repeated<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(why) if why.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

impl Read for Steady {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        repeated(|| self.0.read(into))
    }
}

impl Write for Steady {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        repeated(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        repeated(|| self.0.flush())
    }
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
