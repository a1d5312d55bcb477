//! Peers that are wrong, many or greedy.

use crate::peer::Peer;
use crate::support::{GUARD, guard, image, tree};
use pleach::{Bindings, Crowd, Image, Program, Status};
use pleach_groot2::Monitor;
use std::io::Write;
use std::net::{SocketAddr, TcpStream};

/// Returns a monitor of an agent that is not ticked.
fn monitor() -> Monitor {
    monitor_of(&guard(), GUARD)
}

fn monitor_of(image: &Image, text: &str) -> Monitor {
    let mut host = Bindings::new(());
    host.action("walk", |(), _| Status::Running);
    host.action("shoot", |(), _| Status::Running);
    let program = Program::link(image, &host).expect("the host has all");
    let mut crowd = Crowd::new(&program);
    let agent = crowd.spawn("guard").expect("the entry is there");
    let address = SocketAddr::from(([127, 0, 0, 1], 0));
    Monitor::serve(address, tree(image, "guard", text), agent).expect("there are ports")
}

#[test]
fn peers_of_other_protocols_are_sent_away() {
    let monitor = monitor();
    let mut stream = TcpStream::connect(monitor.address()).expect("it listens");
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html,application/xml\r\n\r\n")
        .expect("it is taken");
    assert!(Peer(stream).is_closed());
    assert!(Peer::greet(monitor.address(), 2).is_closed());
    // A subscriber at the port of requests.
    let mut peer = Peer::greet(monitor.address(), 3);
    peer.send_raw(4, b"\x05READY\x0bSocket-Type\0\0\0\x03SUB");
    assert!(peer.is_closed());
    // A message in the place of an introduction.
    let mut peer = Peer::greet(monitor.address(), 3);
    peer.send_raw(0, b"hello");
    assert!(peer.is_closed());
    assert_eq!(Peer::connect(monitor.address(), "REQ").states().len(), 6);
}

#[test]
fn messages_that_are_too_long_are_not_waited_for() {
    let monitor = monitor();
    for length in [1_u64 << 62, u64::MAX, 1 << 17] {
        let mut peer = Peer::connect(monitor.address(), "REQ");
        peer.send_raw(1, b"");
        peer.0.write_all(&[&[2][..], &length.to_be_bytes()].concat()).expect("it is taken");
        assert!(peer.is_closed());
    }
    let mut peer = Peer::connect(monitor.address(), "REQ");
    let frames = [1, 1, 7].repeat(20);
    peer.0.write_all(&frames).expect("it is taken");
    assert!(peer.is_closed());
    // Without an envelope.
    let mut peer = Peer::connect(monitor.address(), "DEALER");
    peer.send_raw(0, b"\x02S1234");
    assert!(peer.is_closed());
}

#[test]
fn connections_are_limited_and_have_the_same_hooks() {
    let monitor = monitor();
    let mut peers: Vec<_> = (0..16).map(|_| Peer::connect(monitor.address(), "REQ")).collect();
    let mut more = Peer(TcpStream::connect(monitor.address()).expect("the system accepts it"));
    assert!(more.is_closed());
    let hook = r#"{"enabled":true,"uid":4,"mode":0,"once":false,"desired_status":"SKIPPED","position":0}"#;
    let (first, rest) = peers.split_first_mut().expect("there are peers");
    assert_eq!(first.ask(b'I', Some(hook)).1, None);
    let (_, listed) = rest[0].ask(b'D', None);
    assert!(listed.is_some_and(|it| it.starts_with(b"[{")), "all peers have the same hooks");
}

#[test]
fn hooks_are_limited_and_those_in_the_place_of_others_do_not_count() {
    let text = format!("action walk()\ntree guard {{ sequence {{ {} }} }}\n", "action walk ".repeat(500));
    let monitor = monitor_of(&image("pleach", "pleach", &text, ""), &text);
    let mut peer = Peer::connect(monitor.address(), "REQ");
    let hooks = |uids: std::ops::RangeInclusive<u16>, position: u8| {
        let hook = |uid| {
            let place = format!("\"uid\":{uid},\"position\":{position}");
            format!("{{\"enabled\":true,{place},\"mode\":0,\"once\":false,\"desired_status\":\"\"}}")
        };
        format!("[{}]", uids.map(hook).collect::<Vec<_>>().join(","))
    };
    for position in [0, 1, 0] {
        assert_eq!(peer.ask(b'I', Some(&hooks(1..=500, position))).1, None);
    }
    let why = peer.error(b'I', Some(&hooks(501..=501, 0)));
    assert_eq!(why, "there can be at most 1000 hooks; remove some");
    assert_eq!(peer.ask(b'I', Some(&hooks(500..=500, 1))).1, None);
}

#[test]
fn a_monitor_that_is_dropped_closes_all_connections() {
    let monitor = monitor();
    let mut peers: Vec<_> = (0..3).map(|_| Peer::connect(monitor.address(), "REQ")).collect();
    let address = monitor.address();
    peers.push(Peer::connect((address.ip(), address.port() + 1).into(), "SUB"));
    drop(monitor);
    assert!(peers.iter_mut().all(Peer::is_closed));
    assert!(TcpStream::connect(address).is_err());
}
