//! The live monitor, asked by a peer while a crowd is ticked.

use crate::peer::Peer;
use crate::support::{GUARD, ROBOT, guard, image, robot, tree};
use pleach::{Agent, Bindings, Crowd, Image, Program, Status};
use pleach_groot2::Monitor;
use std::net::SocketAddr;
use std::thread;

/// Crowd with a monitor at its first agent.
pub(crate) struct Stage {
    pub(crate) monitor: Monitor,
    crowd: Crowd,
    host: Bindings<u32>,
    agents: Vec<Agent>,
    pub(crate) now: i64,
}

impl Stage {
    /// Returns a crowd in which walks run, and shots succeed. The host counts calls.
    fn new(image: &Image, entry: &str, text: &str) -> Self {
        let mut host = Bindings::new(0);
        for name in ["Walk", "walk"] {
            host.action(name, |calls: &mut u32, _| {
                *calls += 1;
                Status::Running
            });
        }
        host.action("shoot", |_, _| Status::Success);
        Self::with(image, entry, text, host)
    }

    pub(crate) fn with(image: &Image, entry: &str, text: &str, host: Bindings<u32>) -> Self {
        let program = Program::link(image, &host).expect("the host has all");
        let mut crowd = Crowd::new(&program);
        let agents: Vec<_> = (0..3).map(|_| crowd.spawn(entry).expect("the entry is there")).collect();
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let tree = tree(image, entry, text);
        let monitor = Monitor::serve(address, tree, agents[0]).expect("there are ports");
        Self { monitor, crowd, host, agents, now: 0 }
    }

    pub(crate) fn tick(&mut self) {
        self.now += 1;
        self.monitor.tick(&mut self.crowd, self.now, &mut self.host);
    }

    pub(crate) fn peer(&self) -> Peer {
        Peer::connect(self.monitor.address(), "REQ")
    }

    /// Returns a subscriber of all notices, once the monitor knows the subscription.
    fn subscriber(&self) -> Peer {
        let address = self.monitor.address();
        let mut peer = Peer::connect((address.ip(), address.port() + 1).into(), "SUB");
        peer.send_raw(0, b"\x01");
        peer
    }

    /// Ticks while a peer acts in another thread.
    fn tick_while(&mut self, act: impl FnOnce() + Send) {
        thread::scope(|scope| {
            let acting = scope.spawn(act);
            self.tick();
            acting.join().expect("the peer is done");
        });
    }
}

fn robots() -> Stage {
    Stage::new(&robot(), "Main", ROBOT)
}

#[test]
fn trees_and_states_are_told() {
    let mut stage = robots();
    let mut peer = stage.peer();
    let (id, xml) = peer.ask(b'T', None);
    assert_eq!(xml.as_deref(), Some(stage.monitor.tree().xml().as_bytes()));
    assert_eq!((id[6] >> 4, id[8] >> 6), (4, 2), "it is a UUID of version 4");
    assert_eq!(peer.states(), [0; 7]);
    let (_, bytes) = peer.ask(b'S', None);
    let order: Vec<_> = bytes.expect("states come").chunks(3).map(|row| row[0]).collect();
    assert_eq!(order, [1, 2, 3, 7, 4, 5, 6]);
    stage.tick();
    assert_eq!(peer.states(), [1, 2, 2, 12, 12, 12, 1]);
    // Another agent has not been ticked since it is looked at.
    let other = tree(&robot(), "Main", ROBOT);
    stage.monitor.look_at(other, stage.agents[1]).expect("there are random numbers");
    assert_eq!(peer.states(), [0; 7]);
    assert_ne!(peer.ask(b'T', None).0, id);
}

#[test]
fn blackboards_are_told_after_a_tick() {
    let mut stage = robots();
    let mut peer = stage.peer();
    assert_eq!(peer.ask(b'B', Some("Main")).1, Some(vec![0xc0]));
    stage.tick();
    let root = b"\x82\xa5speed\xca\x3f\xc0\0\0\xa1x\x03";
    let sub = b"\xa3sub\x82\xa1w\xca\x41\x20\0\0\xa1z\x07";
    let (_, board) = peer.ask(b'B', Some("sub;nothing"));
    let expected = [&b"\x82\xa4ROOT"[..], root, sub].concat();
    assert_eq!(board, Some(expected));
    let mut stage = Stage::new(&guard(), "guard", GUARD);
    let mut peer = stage.peer();
    peer.states();
    stage.tick();
    let (_, board) = peer.ask(b'B', Some("guard"));
    let expected = b"\x81\xa5guard\x83\xa4ammo\x06\xa6health\xca\x42\xc8\0\0\xa7visible\0";
    assert_eq!(board.as_deref(), Some(&expected[..]));
}

#[test]
fn recordings_have_the_changes_since_they_were_read() {
    let mut stage = robots();
    let mut peer = stage.peer();
    let start = String::from_utf8(peer.ask(b'r', Some("start")).1.expect("a time")).expect("text");
    assert!(start.parse::<u64>().is_ok_and(|micros| micros > 1_700_000_000_000_000), "{start}");
    stage.tick();
    let (_, rows) = peer.ask(b't', None);
    let rows: Vec<_> = rows.expect("changes come").chunks(9).map(|row| (row[6], row[8])).collect();
    assert_eq!(rows.len(), 12);
    assert_eq!((rows[0], rows[11]), ((1, 1), (7, 1)));
    assert_eq!(peer.ask(b't', None).1, Some(Vec::new()));
    assert_eq!(peer.ask(b'r', Some("stop")).1, None);
    assert_eq!(peer.error(b'r', Some("begin")), "a recording is told `start` or `stop`");
}

#[test]
fn a_recording_keeps_the_last_thousand_changes() {
    let mut stage = Stage::new(&guard(), "guard", GUARD);
    let variable = |name| stage.crowd.program().variable(name).expect("it is there");
    let [visible, ammo] = ["visible", "ammo"].map(variable);
    let mut peer = stage.peer();
    peer.ask(b'r', Some("start"));
    for tick in 0..600 {
        for (variable, value) in [(visible, f64::from(tick % 2)), (ammo, 6.0)] {
            stage.crowd.set_number(stage.agents[0], variable, value).expect("the agent is there");
        }
        stage.tick();
    }
    assert_eq!(peer.ask(b't', None).1.map(|rows| rows.len()), Some(9 * 1000));
}

#[test]
fn a_hook_replaces_the_call_of_the_game() {
    let mut stage = robots();
    let mut peer = stage.peer();
    let hook = r#"{"enabled":true,"uid":7,"mode":1,"once":false,"desired_status":"SUCCESS","position":0}"#;
    assert_eq!(peer.ask(b'I', Some(hook)).1, None);
    let listed =
        r#"[{"desired_status":"SUCCESS","enabled":true,"mode":1,"once":false,"position":0,"uid":7}]"#;
    assert_eq!(peer.ask(b'D', None).1.as_deref(), Some(listed.as_bytes()));
    stage.tick();
    assert_eq!(peer.states()[0], 12, "the tree has succeeded");
    assert_eq!(*stage.host.world(), 2, "only the other agents have walked");
    peer.ask(b'X', None);
    stage.tick();
    assert_eq!((peer.states()[0], *stage.host.world()), (1, 5));
    // Behind the call, the answer is replaced.
    let hook = hook.replace("\"position\":0", "\"position\":1").replace("SUCCESS", "FAILURE");
    peer.ask(b'A', None);
    peer.ask(b'I', Some(&hook.replace("\"once\":false", "\"once\":true")));
    stage.tick();
    assert_eq!((peer.states()[6], *stage.host.world()), (13, 8));
    assert_eq!(peer.ask(b'D', None).1.as_deref(), Some(&b"[]"[..]));
}

#[test]
fn a_hook_replaces_the_call_of_a_rule() {
    let text = "<behaviorTree><sequence id='round'><action id='.go' name='walk'/></sequence></behaviorTree>";
    let mut stage = Stage::new(&image("dragengine", "debt", text, ""), "main", text);
    let mut peer = stage.peer();
    let (_, xml) = peer.ask(b'T', None);
    let xml = String::from_utf8(xml.expect("the tree comes")).expect("it is text");
    assert!(xml.contains("<walk name=\"walk()\" _uid=\"3\"/>"), "{xml}");
    let hook = r#"{"enabled":true,"uid":3,"mode":1,"once":true,"desired_status":"SUCCESS","position":0}"#;
    assert_eq!(peer.ask(b'I', Some(hook)).1, None);
    stage.tick();
    assert_eq!((peer.states()[2], *stage.host.world()), (12, 2), "only the other agents have walked");
    stage.tick();
    assert_eq!(*stage.host.world(), 5);
}

#[test]
fn a_breakpoint_stops_the_crowd_until_it_is_unlocked() {
    let mut stage = robots();
    let (mut peer, mut subscriber) = (stage.peer(), stage.subscriber());
    let hook = r#"[{"enabled":true,"uid":7,"mode":0,"once":false,"desired_status":"SKIPPED","position":0}]"#;
    peer.ask(b'I', Some(hook));
    let unlock = r#"{"uid":7,"position":0,"desired_status":"FAILURE","remove_when_done":true}"#;
    stage.tick_while(|| {
        let states = loop {
            let states = peer.states();
            if states[2] == 2 {
                break states;
            }
        };
        assert_eq!(states[6], 0, "the node waits for its breakpoint");
        peer.ask(b'U', Some(unlock));
    });
    assert_eq!(peer.states()[6], 13);
    assert_eq!(peer.ask(b'D', None).1.as_deref(), Some(&b"[]"[..]));
    // The subscription may have come after the first notice.
    peer.ask(b'I', Some(&hook.replace("\"mode\":0", "\"mode\":1")));
    for _ in 0..1000 {
        stage.tick();
    }
    let notice = subscriber.read();
    assert_eq!((&notice[0][..2], notice[0].len(), &*notice[1]), (&b"\x02N"[..], 6, &b"7"[..]));
}

#[test]
fn a_breakpoint_at_another_node_waits_too() {
    for (mut stage, uid) in [(robots(), 4), (Stage::new(&guard(), "guard", GUARD), 1)] {
        let mut peer = stage.peer();
        let hook =
            r#"{"enabled":true,"uid":UID,"mode":0,"once":false,"desired_status":"SKIPPED","position":0}"#;
        let hook = hook.replace("UID", &uid.to_string());
        peer.ask(b'I', Some(&hook));
        stage.tick_while(|| {
            while peer.states()[uid - 1] != 1 {}
            // Removing it lets the crowd go on.
            peer.ask(b'R', Some(&format!("{{\"uid\":{uid},\"position\":0}}")));
        });
        let why = peer.error(b'I', Some(&hook.replace("\"mode\":0", "\"mode\":1")));
        assert!(why.starts_with("only the status of a node that calls the game can be replaced"), "{why}");
    }
}

#[test]
fn errors_are_those_of_the_library() {
    let stage = robots();
    let mut peer = stage.peer();
    assert_eq!(peer.error(b'R', Some("{\"uid\":7,\"position\":0}")), "Node ID not found");
    let unlock = r#"{"uid":7,"position":0,"desired_status":"SUCCESS","remove_when_done":true}"#;
    assert_eq!(peer.error(b'U', Some(unlock)), "Node ID not found");
    assert_eq!(peer.error(b'B', None), "must be 2 parts message");
    assert_eq!(peer.error(b'Z', None), "Request not recognized");
    assert_eq!(peer.ask_raw(&[b"abc"]), [b"error".to_vec(), b"wrong request header".to_vec()]);
    assert!(peer.error(b'I', Some("x")).starts_with("the JSON is wrong: expected value at line 1 column 1"));
    // A hook of an unknown node is passed over.
    let hook = r#"{"enabled":true,"uid":99,"mode":1,"once":false,"desired_status":"SUCCESS","position":0}"#;
    peer.ask(b'I', Some(hook));
    assert_eq!(peer.ask(b'D', None).1.as_deref(), Some(&b"[]"[..]));
}

#[test]
fn a_crowd_goes_on_when_its_peer_is_gone() {
    let mut stage = robots();
    let mut peer = stage.peer();
    let hook = r#"{"enabled":true,"uid":7,"mode":0,"once":false,"desired_status":"FAILURE","position":0}"#;
    peer.ask(b'I', Some(hook));
    drop(peer);
    // It waits until no request has come for five seconds.
    stage.tick();
    assert_eq!(*stage.host.world(), 3, "the node was ticked");
    let mut peer = stage.peer();
    let (_, listed) = peer.ask(b'D', None);
    let listed = String::from_utf8(listed.expect("hooks come")).expect("it is text");
    assert!(listed.contains("\"enabled\":true"), "the next request enables all hooks: {listed}");
}
