//! Access control.
//!
//! A client that can send commands can change a running game, and any page in the same browser can
//! open a socket to this machine. So a request must have everything that a foreign page cannot
//! have: the token, an address instead of a host name (names can be made to lead here), and the
//! right origin of the socket, which a page cannot choose. `spec/view.md` has the rules.

use crate::token;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, TcpStream};
use std::time::{Duration, Instant};
use tungstenite::error::{Error, ProtocolError};
use tungstenite::handshake::machine::TryParse;
use tungstenite::handshake::server::{Request, create_response, write_response};

/// Maximum size of a request's head in bytes.
const MOST_HEAD: usize = 8 << 10;
/// Maximum time for receiving a request's head.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Paths of the page and of its socket.
const PAGE: &str = "/";
const SOCKET: &str = "/live";

/// Accepted request.
#[derive(Debug)]
pub(crate) enum Asked {
    /// Request for the page, with the host and port that the client used.
    Page(String),
    /// Request for a socket, with the bytes that followed it.
    Socket(Box<Request>, Vec<u8>),
}

/// Reason for refusing a request, sent as the status of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    Nonsense,
    Forbidden,
    NotThere,
    Method,
    Late,
    TooLarge,
    Busy,
}

impl Refused {
    fn line(self) -> &'static str {
        match self {
            Self::Nonsense => "400 Bad Request",
            Self::Forbidden => "403 Forbidden",
            Self::NotThere => "404 Not Found",
            Self::Method => "405 Method Not Allowed",
            Self::Late => "408 Request Timeout",
            Self::TooLarge => "431 Request Header Fields Too Large",
            Self::Busy => "503 Service Unavailable",
        }
    }

    /// Sends the refusal.
    pub(crate) fn tell(self, stream: &mut TcpStream) -> io::Result<()> {
        let text = format!(
            "HTTP/1.1 {}\r\nContent-Length: 0\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
            self.line()
        );
        stream.write_all(text.as_bytes())
    }
}

/// Credentials that a request must have.
#[derive(Debug)]
pub(crate) struct Door {
    pub(crate) token: String,
    pub(crate) port: u16,
    /// True if other pages can show the page in a frame.
    pub(crate) framed: bool,
}

impl Door {
    /// Reads a request and checks it.
    pub(crate) fn ask(&self, stream: &mut TcpStream) -> Result<Asked, Refused> {
        let (request, rest) = head(stream)?;
        let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
        let host = header("host").filter(|host| self.is_ours(host)).ok_or(Refused::Forbidden)?;
        if !matches!(request.uri().path(), PAGE | SOCKET) {
            return Err(Refused::NotThere);
        }
        let query = request.uri().query().unwrap_or_default();
        let token = query.split('&').find_map(|field| field.strip_prefix("token="));
        if !token.is_some_and(|token| token::is_same(token, &self.token)) {
            return Err(Refused::Forbidden);
        }
        if request.uri().path() == PAGE {
            return Ok(Asked::Page(host.to_owned()));
        }
        let origin = header("origin").and_then(|origin| origin.strip_prefix("http://"));
        if origin != Some(host) {
            return Err(Refused::Forbidden);
        }
        Ok(Asked::Socket(Box::new(request), rest))
    }

    /// Returns true if a host is an IP address or `localhost`, with the port of the server.
    fn is_ours(&self, host: &str) -> bool {
        let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let known = name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok();
        known && port.parse() == Ok(self.port)
    }
}

/// Reads the head of a request in bounded time and memory. Returns it with the bytes that followed
/// it.
fn head(stream: &mut TcpStream) -> Result<(Request, Vec<u8>), Refused> {
    let until = Instant::now() + HEAD_TIME;
    let mut bytes = Vec::new();
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return Err(Refused::Late);
        }
        let mut piece = [0_u8; 1 << 10];
        match stream.read(&mut piece) {
            Ok(0) => return Err(Refused::Nonsense),
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
            Err(why) if is_interrupted(&why) => continue,
            Err(_) => return Err(Refused::Late),
        }
        match Request::try_parse(&bytes) {
            Ok(Some((end, request))) => return Ok((request, bytes.split_off(end))),
            Ok(None) if bytes.len() > MOST_HEAD => return Err(Refused::TooLarge),
            Ok(None) => {}
            Err(Error::Protocol(ProtocolError::WrongHttpMethod)) => return Err(Refused::Method),
            Err(_) => return Err(Refused::Nonsense),
        }
    }
}

/// Returns true if a signal interrupted a call, which can be repeated. Calls on a socket with a
/// timeout return this error even if the handler of the signal asks the system to repeat them.
pub(crate) fn is_interrupted(why: &io::Error) -> bool {
    why.kind() == ErrorKind::Interrupted
}

/// Sends the page.
pub(crate) fn give(
    stream: &mut TcpStream,
    host: &str,
    nonce: &str,
    page: &str,
    framed: bool,
) -> io::Result<()> {
    // The panels of an editor have schemes of their own.
    let ancestors = if framed { "http: https: vscode-webview: vscode-file:" } else { "'none'" };
    let head = format!(
        "HTTP/1.1 200 OK\r\n\
         Content-Type: text/html; charset=utf-8\r\n\
         Content-Length: {}\r\n\
         Content-Security-Policy: default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; \
         connect-src ws://{host}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}\r\n\
         Referrer-Policy: no-referrer\r\n\
         X-Content-Type-Options: nosniff\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n\
         Cache-Control: no-store\r\n\
         Connection: close\r\n\r\n",
        page.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(page.as_bytes())
}

/// Accepts a request as a WebSocket.
pub(crate) fn shake(stream: &mut TcpStream, request: &Request) -> Result<(), Refused> {
    let response = create_response(request).map_err(|_| Refused::Nonsense)?;
    write_response(stream, &response).map_err(|_| Refused::Nonsense)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_ours_and_names_are_not() {
        let door = Door { token: String::new(), port: 80, framed: false };
        for host in ["127.0.0.1:80", "127.0.0.1", "localhost:80", "LOCALHOST", "[::1]:80", "10.1.2.3:80"] {
            assert!(door.is_ours(host), "{host}");
        }
        for host in [
            "evil.example:80",
            "127.0.0.1.evil.example:80",
            "127.0.0.1:81",
            "",
            ":",
            "localhost.:80",
            "127.0.0.1:80 ",
        ] {
            assert!(!door.is_ours(host), "{host}");
        }
    }
}
