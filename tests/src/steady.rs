//! Client sockets that signals do not interrupt.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;

/// Socket of a test's client. Repeats calls that a signal interrupted: the system returns
/// [`ErrorKind::Interrupted`] from a socket with a timeout, even without a handler of the signal
/// when the process was stopped and continues.
#[derive(Debug)]
pub struct Steady(pub TcpStream);

/// Calls until no signal interrupts the call.
///
/// # Errors
/// With any other error of the call.
pub fn repeated<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
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
