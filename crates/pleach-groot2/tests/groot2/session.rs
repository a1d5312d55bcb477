//! The session that was captured of the library, with the same tree and the same requests.

use crate::captures::capture;
use crate::live::Stage;
use crate::support::image;
use pleach::Bindings;

/// Time of the second tick, after the `Sleep` of the tree.
const LATER: i64 = 40;
/// Requests whose replies differ, with the reason.
const OTHER: [(&str, &str); 7] = [
    ("full tree", "models and attributes have another order"),
    ("recording start", "it is a time"),
    ("insert hook: replace node 4 by SUCCESS before its tick", "the node does not call the game"),
    ("hooks dump, one", "the hook was refused"),
    ("remove hook", "the hook was refused"),
    ("unlock the breakpoint", "the node does not call the game"),
    ("hooks dump after the once-breakpoint", "the breakpoint was not reached"),
];

/// Request and reply of a capture.
struct Exchange {
    title: String,
    request: Vec<u8>,
    text: Option<String>,
    /// Frames of the reply.
    reply: Vec<Vec<u8>>,
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<_> = hex.chars().filter_map(|it| it.to_digit(16)).collect();
    digits.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

/// Returns the exchanges of a capture. Frames that are cut in it are left out.
fn exchanges(text: &str) -> Vec<Exchange> {
    let sections = text.split("## ").skip(1);
    let exchange = |section: &str| {
        let (title, rest) = section.split_once('\n')?;
        let line = |word: &str| rest.lines().find_map(|line| line.strip_prefix(word));
        let (request, reply) = (line("request ")?, line("reply | ")?);
        let (request, text) =
            request.split_once(" | ").map_or((request, None), |(it, text)| (it, Some(text)));
        let frame = |frame: &str| {
            let hex = frame.split_once("] ").map_or(frame, |(_, hex)| hex);
            bytes(hex.split([' ', '(']).next().unwrap_or_default())
        };
        Some(Exchange {
            title: title.to_owned(),
            request: bytes(request),
            text: text.map(str::to_owned),
            reply: reply.split(" | ").map(frame).collect(),
        })
    };
    sections.filter_map(exchange).collect()
}

/// Returns the parts of a reply that do not depend on times and on the id of the tree.
fn steady(kind: u8, mut reply: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    reply[0].truncate(6);
    if kind == b't' {
        let rows = reply[1].chunks(9).flat_map(|row| row[6..].to_vec());
        reply[1] = rows.collect();
    }
    reply
}

#[test]
fn a_session_of_the_library_has_the_same_replies() {
    let (Some(tree), Some(frames)) = (capture("tree.xml"), capture("frames.txt")) else { return };
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    let tree = text(tree).replace("_fullpath=\"sub\" _uid=\"7\"", "name=\"sub\" _uid=\"7\"");
    let tree = tree.split("    <TreeNodesModel").next().unwrap_or_default().to_owned() + "</root>";
    let tree = tree.replace("<root ", "<root main_tree_to_execute=\"Main\" ");
    let mut stage = Stage::with(&image("btcpp", "xml", &tree, ""), "Main", &tree, Bindings::new(0));
    let mut peer = stage.peer();
    let mut compared = 0;
    for Exchange { title, request, text, reply } in exchanges(&text(frames)) {
        match &*title {
            "status after the first tick (Sleep runs)" => stage.tick(),
            "status after the end" => {
                stage.now = LATER;
                stage.tick();
            }
            _ => {}
        }
        let parts: Vec<_> = std::iter::once(&*request).chain(text.as_deref().map(str::as_bytes)).collect();
        let own = peer.ask_raw(&parts);
        if OTHER.iter().any(|(other, _)| *other == title) || request.len() != 6 {
            continue;
        }
        let kind = request[1];
        if title == "insert hook, bad JSON" {
            // The library cites its reader of JSON.
            assert_eq!((&own[0], own.len()), (&reply[0], 2), "{title}");
        } else {
            assert_eq!(steady(kind, own), steady(kind, reply), "{title}");
        }
        compared += 1;
    }
    assert!(compared >= 12, "only {compared} replies were compared");
}
