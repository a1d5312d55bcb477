//! Logs that are written and read, and bytes that are no logs.

use crate::support::{Play, ROBOT, robot, tree};
use pleach::{Bindings, Status};
use pleach_groot2::{Log, LogProblem, LogWriter, NodeStatus};

/// Place of the XML.
const XML_AT: usize = 23;

/// Returns the log of two ticks.
fn log() -> Vec<u8> {
    let mut host = Bindings::new(());
    host.action("Walk", |(), _| Status::Success);
    let image = robot();
    let mut play = Play::new(&image, tree(&image, "Main", ROBOT), host);
    let mut writer =
        LogWriter::new(Vec::new(), play.watcher.tree(), 1_795_442_896_324_613).expect("memory is there");
    for now in 1..=2 {
        play.crowd.tick_watched(now, &mut play.host, &mut play.watcher);
        for change in std::mem::take(&mut play.watcher.sink) {
            writer.write(now * 1000, change).expect("memory is there");
        }
    }
    writer.finish().expect("memory is there")
}

/// Returns a log with another tree.
fn with_xml(xml: &str) -> Vec<u8> {
    let mut bytes = b"BTCPP4-FileLogger2\x01".to_vec();
    bytes.extend((xml.len() as i32).to_le_bytes());
    bytes.extend(xml.as_bytes());
    bytes.extend([0; 8]);
    bytes
}

fn error(bytes: &[u8]) -> String {
    Log::read(bytes).expect_err("it is no log").to_string()
}

#[test]
fn a_log_is_read_as_it_was_written() {
    let log = Log::read(&log()).expect("it is a log");
    assert_eq!(log.start, 1_795_442_896_324_613);
    assert_eq!(log.changes.len(), 2 * 17);
    let first = log.changes[0];
    assert_eq!((first.micros, first.uid, first.status), (1000, 1, NodeStatus::Running));
    let last = log.changes[33];
    assert_eq!((last.micros, last.uid, last.status), (2000, 1, NodeStatus::Idle));
    let paths = ["root_sequence", "Script::2", "sub", "sub/Sequence::4", "sub/Script::5", "sub/last"];
    assert_eq!((1..=6).map(|uid| log.path(uid).expect("the node is there")).collect::<Vec<_>>(), paths);
    assert_eq!(log.path(7).as_deref(), Some("to the door"));
    assert_eq!(log.path(8), None);
}

#[test]
fn times_stay_within_48_bits() {
    let image = robot();
    let tree = tree(&image, "Main", ROBOT);
    let mut writer = LogWriter::new(Vec::new(), &tree, 0).expect("memory is there");
    let change = pleach_groot2::StatusChange { uid: 1, from: NodeStatus::Idle, to: NodeStatus::Running };
    for micros in [i64::MIN, 7, i64::MAX] {
        writer.write(micros, change).expect("memory is there");
    }
    let log = Log::read(&writer.finish().expect("memory is there")).expect("it is a log");
    assert_eq!(log.changes.iter().map(|it| it.micros).collect::<Vec<_>>(), [0, 7, (1 << 48) - 1]);
}

#[test]
fn every_cut_log_is_refused_with_its_place() {
    let whole = log();
    let head = XML_AT + tree(&robot(), "Main", ROBOT).xml().len() + 8;
    for length in 0..whole.len() {
        let read = Log::read(&whole[..length]);
        let is_whole = length >= head && (length - head).is_multiple_of(9);
        assert_eq!(read.is_ok(), is_whole, "{length}");
        if let Err(error) = read {
            assert!(error.at <= length, "{error}");
        }
    }
    assert_eq!(error(b"BTCPP4"), "byte 6: the file is cut here; write the log again");
    assert_eq!(error(b""), "byte 0: it is no log: it does not begin with `BTCPP4-FileLogger2`");
}

#[test]
fn lengths_versions_and_rows_that_lie_are_refused() {
    let whole = log();
    let mut other = whole.clone();
    other[18] = 2;
    assert_eq!(error(&other), "byte 18: the version is 2, and only version 1 can be read");
    for length in [-1, i32::MIN, i32::MAX, 1 << 25] {
        let mut other = whole.clone();
        other[19..23].copy_from_slice(&length.to_le_bytes());
        assert_eq!(Log::read(&other).expect_err("it lies").problem, LogProblem::Length(length));
    }
    let last = whole.len() - 9;
    let mut other = whole.clone();
    other[last + 6] = 99;
    assert_eq!(error(&other), format!("byte {}: the tree has no node with the uid 99", last + 6));
    let mut other = whole;
    other[last + 8] = 4;
    assert_eq!(error(&other), format!("byte {}: 4 is no status; statuses go from 0 to 3", last + 8));
}

#[test]
fn wrong_xml_is_refused_with_its_place() {
    let node = |inside: &str| format!("<root><BehaviorTree ID=\"a\">{inside}</BehaviorTree></root>");
    assert!(Log::read(&with_xml(&node("<A _uid=\"1\"/>"))).is_ok());
    let entities =
        "<!DOCTYPE root [<!ENTITY a \"aaaaaaaaaa\">]>".to_owned() + &node("<A _uid=\"1\" name=\"&a;\"/>");
    let cases = [
        (entities, "byte 23: the tree is wrong: a document type is not allowed"),
        (node("<A name=\"&a;\" _uid=\"1\"/>"), "byte 50: the tree is wrong: "),
        (node("<A/>"), "byte 50: the tree is wrong: the node `A` has no `_uid`"),
        (node("<A _uid=\"0\"/>"), "byte 50: the tree is wrong: the uid `0` is no number from 1 to 65535"),
        (
            node("<A _uid=\"65536\"/>"),
            "byte 50: the tree is wrong: the uid `65536` is no number from 1 to 65535",
        ),
        (node("<A _uid=\"1\"/><B _uid=\"1\"/>"), "byte 63: the tree is wrong: two nodes have the uid 1"),
        (node(""), "byte "),
        (node("<A _uid=\"1\">"), "byte "),
        (
            "<root><BehaviorTree><A _uid=\"1\"/>".to_owned(),
            "byte 56: the tree is wrong: an element has no end",
        ),
        ("<tree/>".to_owned(), "byte 23: the tree is wrong: the outermost element is `tree`, not `root`"),
        (String::new(), "byte 23: the tree is wrong: it has no node"),
    ];
    for (xml, expected) in cases {
        let error = error(&with_xml(&xml));
        assert!(error.starts_with(expected), "{xml}: {error}");
    }
    let mut bytes = with_xml(&node("<A _uid=\"1\"/>"));
    bytes[XML_AT + 2] = 0xff;
    assert_eq!(error(&bytes), "byte 25: the tree is wrong: it is not in UTF-8");
}

#[test]
fn deep_and_wide_xml_takes_no_more_than_its_length() {
    let deep = "<A>".repeat(200_000);
    assert!(error(&with_xml(&format!("<root><B>{deep}"))).contains("an element has no end"));
    let wide: String = (0..200_000).map(|number| format!(" a{number}=\"\"")).collect();
    let wide = format!("<root><BehaviorTree ID=\"a\"><A _uid=\"1\"{wide}/></BehaviorTree></root>");
    assert!(Log::read(&with_xml(&wide)).is_ok());
    // The long path is that of each node inside, and is not copied for them.
    let path = "p".repeat(4 << 20);
    let calls = |uid| format!("<SubTree ID=\"b\" _fullpath=\"c\" _uid=\"{uid}\"/>");
    let calls: String = (1..60_000).map(calls).collect();
    let long = format!("<root><BehaviorTree ID=\"a\" _fullpath=\"{path}\">{calls}</BehaviorTree></root>");
    let log = Log::read(&with_xml(&long)).expect("it is a log");
    assert_eq!(log.path(1), Some(format!("{path}/c")));
}
