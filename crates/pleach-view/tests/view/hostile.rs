//! Foreign clients, damaged frames and half-open connections: each connection ends by itself, and
//! the crowd keeps ticking.

use crate::support::{PATIENCE, Page, Stage, exchange, get, parts};
use pleach_view::Options;
use serde_json::json;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Instant;
use tungstenite::Message;

/// Checks that the crowd keeps ticking, and that a new page is let in and gets the state.
fn is_well(stage: &mut Stage) {
    let address = stage.view().address();
    let until = Instant::now() + PATIENCE;
    let mut page = loop {
        // Closed connections may still be counted for a moment.
        stage.turn();
        match Page::open(&address) {
            Ok(page) => break page,
            Err(why) => assert!(Instant::now() < until, "{why}"),
        }
    };
    let first = page.wait(stage, "state", |_| true)["tick"].as_u64().expect("a number");
    page.wait(stage, "state", |state| state["tick"].as_u64() > Some(first + 2));
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("closed")
}

#[test]
fn the_page_is_given_to_those_who_have_the_word() {
    let mut stage = Stage::new(3);
    let (host, path) = parts(&stage.view().address());
    let page = get(&host, &path, &host);
    assert_eq!(status(&page), "200");
    let nonce =
        page.split("script-src 'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).expect("a policy");
    assert!(
        page.contains(&format!("<script nonce=\"{nonce}\">"))
            && page.contains(&format!("connect-src ws://{host};"))
    );
    for header in [
        "default-src 'none'",
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
        "frame-ancestors 'none'",
    ] {
        assert!(page.contains(header), "{header}");
    }
    let mut framed = Stage::with(3, Options { framed: true, ..Options::default() });
    let (frame, path_of_frame) = parts(&framed.view().address());
    let in_frame = get(&frame, &path_of_frame, &frame);
    assert!(in_frame.contains("frame-ancestors http: https: vscode-webview:"), "{in_frame}");
    let again = get(&host, &path, &host);
    assert!(!again.contains(nonce), "a word is used once");
    let port = host.rsplit_once(':').expect("a port").1;
    assert_eq!(status(&get(&host, &path, &format!("localhost:{port}"))), "200");
    is_well(&mut stage);
}

#[test]
fn others_are_given_nothing() {
    let mut stage = Stage::new(3);
    let (host, path) = parts(&stage.view().address());
    let port = host.rsplit_once(':').expect("a port").1;
    let (token, short) = (path.clone(), &path[..path.len() - 1]);
    for (path, name, wanted) in [
        ("/", host.clone(), "403"),
        ("/?token=", host.clone(), "403"),
        (short, host.clone(), "403"),
        ("/?token=00000000000000000000000000000000", host.clone(), "403"),
        (&token, format!("evil.example:{port}"), "403"),
        (&token, "127.0.0.1:1".to_owned(), "403"),
        (&token, String::new(), "403"),
        ("/etc/passwd", host.clone(), "404"),
        ("/../../etc/passwd", host.clone(), "404"),
        ("/live", host.clone(), "403"),
        (&token.replacen("/?", "/live?", 1), host.clone(), "403"),
    ] {
        assert_eq!(status(&get(&host, path, &name)), wanted, "{path} of {name}");
    }
    assert_eq!(
        status(&exchange(&host, format!("POST {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())),
        "405"
    );
    assert_eq!(status(&exchange(&host, b"GET / HTTP/1.1\r\n\r\n")), "403");
    assert!(
        ["400", "closed"]
            .contains(&status(&exchange(&host, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n")))
    );
    assert!(["400", "closed"].contains(&status(&exchange(&host, b"nonsense\r\n\r\n"))));
    is_well(&mut stage);
}

#[test]
fn no_other_page_gets_a_socket() {
    let mut stage = Stage::new(3);
    let (host, path) = parts(&stage.view().address());
    let live = path.replacen("/?", "/live?", 1);
    let own = format!("http://{host}");
    let refused = |path: &str, name: &str, origin: &str| {
        let why =
            Page::ask(&host, path, name, origin).err().unwrap_or_else(|| panic!("{path} {name} {origin}"));
        assert!(why.to_string().contains("403") || why.to_string().contains("404"), "{why}");
    };
    refused(&live, &host, "http://evil.example");
    refused(&live, &host, "null");
    refused(&live, &host, "");
    refused(&live, &host, &format!("https://{host}"));
    refused(&live, &host, &format!("{own}.evil.example"));
    refused(&live, "evil.example", "http://evil.example");
    refused("/live", &host, &own);
    refused("/live?token=", &host, &own);
    refused("/live?token=00000000000000000000000000000000", &host, &own);
    refused(&live.replacen("/live", "/live/x", 1), &host, &own);
    assert!(!stage.view().is_watched(), "none of them was let in");
    assert!(Page::ask(&host, &live, &host, &own).is_ok());
    is_well(&mut stage);
}

#[test]
fn a_head_without_end_is_cut_off() {
    let mut stage = Stage::new(3);
    let (host, _) = parts(&stage.view().address());
    let mut head = b"GET / HTTP/1.1\r\n".to_vec();
    head.extend(b"X-Long: ".iter().chain(&[b'x'; 1 << 20]));
    let mut stream = TcpStream::connect(&host).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
    // The server may close before everything is written.
    let _ = stream.write_all(&head);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(["431", "closed"].contains(&status(&answer)), "{answer}");
    is_well(&mut stage);
}

#[test]
fn who_says_nothing_is_sent_away() {
    let mut stage = Stage::new(3);
    let (host, _) = parts(&stage.view().address());
    let mut silent = TcpStream::connect(&host).expect("the server listens");
    let mut slow = TcpStream::connect(&host).expect("the server listens");
    slow.write_all(b"GET /").expect("the server reads");
    is_well(&mut stage);
    for stream in [&mut silent, &mut slow] {
        stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("the server closes");
        assert_eq!(status(&String::from_utf8_lossy(&answer)), "408");
    }
    is_well(&mut stage);
}

#[test]
fn more_than_there_is_room_for_are_sent_away() {
    let mut stage = Stage::new(3);
    let (host, _) = parts(&stage.view().address());
    let crowd: Vec<_> = (0..60).filter_map(|_| TcpStream::connect(&host).ok()).collect();
    let sent_away = |mut stream: &TcpStream| {
        stream.set_nonblocking(true).expect("it can be set");
        let read = stream.read(&mut [0; 64]);
        read.map_or_else(|why| why.kind() != ErrorKind::WouldBlock, |count| count < 64)
    };
    let until = Instant::now() + PATIENCE;
    while crowd.iter().filter(|stream| sent_away(stream)).count() < crowd.len() - 16 {
        assert!(Instant::now() < until, "they are all let in");
        stage.turn();
    }
    drop(crowd);
    is_well(&mut stage);
}

#[test]
fn nonsense_ends_the_connection_and_nothing_else() {
    let mut stage = Stage::new(3);
    let nested = "[".repeat(10_000);
    let long = format!("{{\"do\":\"{}\"}}", "x".repeat(1 << 20));
    for message in [
        Message::text(""),
        Message::text("[1, 2]"),
        Message::text("pause"),
        Message::text(nested),
        Message::text(long),
        Message::binary(b"{\"do\":\"pause\"}".to_vec()),
    ] {
        let mut page = stage.page();
        // A long message may be cut off before it is written.
        let _ = page.socket.send(message);
        page.ends(&mut stage);
    }
    for bytes in [
        &b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"[..],
        b"\x81\x05hello",
        b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0",
        b"\x83\x80\0\0\0\0",
        b"\x81\x82\0\0\0\0\xff\xfe",
    ] {
        let mut page = stage.page();
        page.socket.get_mut().write_all(bytes).expect("the server reads");
        page.ends(&mut stage);
    }
    // Half a frame, and then the connection is dropped.
    let mut page = stage.page();
    page.socket.get_mut().write_all(b"\x81\xfe\x10").expect("the server reads");
    drop(page);
    is_well(&mut stage);
}

#[test]
fn a_flood_of_commands_is_answered_or_cut_off() {
    let mut stage = Stage::with_clock(3);
    let mut page = stage.page();
    for id in 0..5_000 {
        // The host is busy elsewhere: no command is carried out meanwhile.
        if page.socket.send(Message::text(json!({ "do": "pause", "id": id }).to_string())).is_err() {
            break;
        }
    }
    stage.turn();
    page.ends_or(&mut stage, |message| {
        message.to_text().is_ok_and(|text| text.contains("too many commands"))
    });
    drop(page);
    let mut other = stage.page();
    // Commands of the page that has gone may still wait.
    let until = Instant::now() + PATIENCE;
    while let Err(refused) = other.command(&mut stage, json!({ "do": "resume" })) {
        assert!(refused.contains("too many commands") && Instant::now() < until, "{refused}");
    }
    is_well(&mut stage);
}

#[test]
fn who_reads_nothing_is_let_go() {
    let mut stage = Stage::new(10_000);
    let mut page = stage.page();
    let commands = [json!({ "do": "pick", "agent": 1 }), json!({ "do": "statistics", "every": 1 })];
    commands.iter().for_each(|command| page.say(command));
    let until = Instant::now() + PATIENCE * 2;
    let mut speaks = true;
    while speaks || stage.view().is_watched() {
        assert!(Instant::now() < until, "it is still there");
        // Each command requests some hundred kilobytes, which the page does not read.
        speaks = speaks && page.socket.send(Message::text(r#"{"do":"at","tick":null}"#)).is_ok();
        stage.turn();
    }
    assert!(stage.now > 0);
    is_well(&mut stage);
}

#[test]
fn the_end_is_clean() {
    let mut stage = Stage::new(3);
    let (host, _) = parts(&stage.view().address());
    let mut page = stage.page();
    page.wait(&mut stage, "crowd", |_| true);
    let half = TcpStream::connect(&host).expect("the server listens");
    drop(stage.view.take());
    // All connections are closed, and the port is free.
    let until = Instant::now() + PATIENCE;
    while page.socket.read().is_ok() || page.socket.can_read() {
        assert!(Instant::now() < until, "it is still there");
    }
    half.set_read_timeout(Some(PATIENCE)).expect("it can be set");
    let mut rest = Vec::new();
    let ended =
        (&half).read_to_end(&mut rest).map_or_else(|why| why.kind() != ErrorKind::WouldBlock, |_| true);
    assert!(ended);
    TcpListener::bind(&host).expect("nobody listens");
    stage.tick();
}
