//! The request `pleach/preview`: pictures of trees, with the places of their nodes.

use crate::client::{Session, marks};
use serde_json::{Value, json};

/// Returns the words of the nodes in a picture, in the order of the drawing.
fn labels(picture: &Value) -> Vec<String> {
    let svg = picture["svg"].as_str().expect("a drawing");
    let groups = svg.split(" data-place=\"").skip(1);
    let texts = groups.filter_map(|group| group.split_once("</text>"));
    texts.map(|(group, _)| group.rsplit('>').next().unwrap_or_default().to_owned()).collect()
}

/// Returns the first line and column, and the last line, of a place, and those of its words.
fn places(picture: &Value) -> Vec<[u64; 6]> {
    let nodes = picture["nodes"].as_array().expect("places").iter();
    let number =
        |range: &Value, pointer: &str| range.pointer(pointer).and_then(Value::as_u64).expect("a number");
    nodes
        .map(|it| {
            let (range, words) = (&it["range"], &it["selectionRange"]);
            [
                number(range, "/start/line"),
                number(range, "/start/character"),
                number(range, "/end/line"),
                number(words, "/start/line"),
                number(words, "/start/character"),
                number(words, "/end/character"),
            ]
        })
        .collect()
}

const TEXT: &str = "action go(post: int)
tree a
{
	selector
	{
		invert { action go(1) }
		use b
	}
}
tree b { condition true }
";

#[test]
fn a_picture_is_that_of_the_unsaved_text_and_leads_to_it() {
    let mut session = Session::new(&[("a.pleach", "tree a { success }\n")]);
    session.open("a.pleach", TEXT);
    let picture =
        session.ask("pleach/preview", json!({ "textDocument": { "uri": session.folder.uri("a.pleach") } }));
    let expected = ["tree a", "selector", "invert", "action go(1)", "use b", "tree b", "condition true"];
    assert_eq!(labels(&picture), expected);
    assert_eq!(
        places(&picture),
        [
            [1, 0, 8, 1, 0, 6],
            [3, 1, 7, 3, 1, 9],
            [5, 2, 5, 5, 2, 8],
            [5, 11, 5, 5, 11, 23],
            [6, 2, 6, 6, 2, 7],
            [9, 0, 9, 9, 0, 6],
            [9, 9, 9, 9, 9, 23],
        ]
    );
    let uris = picture["nodes"].as_array().expect("places").iter().map(|it| it["uri"].clone());
    assert!(uris.into_iter().all(|uri| uri == session.folder.uri("a.pleach")));
    assert!(picture["svg"].as_str().expect("a drawing").contains("data-place=\"a.pleach:4\""));
    session.end();
}

#[test]
fn a_position_chooses_a_tree() {
    let (text, places) = marks(&TEXT.replace("condition", "con$dition"));
    let mut session = Session::new(&[("a.pleach", &text)]);
    let uri = session.folder.uri("a.pleach");
    let picture =
        session.ask("pleach/preview", json!({ "textDocument": { "uri": uri }, "position": places[0] }));
    assert_eq!(labels(&picture), ["tree b", "condition true"]);
    session.end();
}

#[test]
fn a_text_with_errors_is_drawn_as_far_as_it_can_be_read() {
    let mut session = Session::new(&[("a.pleach", "tree a { selector { action go random { 2: jump\n")]);
    let picture =
        session.ask("pleach/preview", json!({ "textDocument": { "uri": session.folder.uri("a.pleach") } }));
    let labels = labels(&picture);
    assert_eq!(labels[..4], ["tree a", "selector", "action go", "random"], "{labels:?}");
    session.end();
}

#[test]
fn a_file_without_trees_has_no_picture_and_errors_of_other_dialects_are_told() {
    let files =
        [("a.pleach", "tree a { action go }\n"), ("a.test", "tree a.pleach\n"), ("a.bt", "\nselect { }\n")];
    let mut session = Session::new(&files);
    let mut refused = |name: &str| {
        let uri = session.folder.uri(name);
        session.refused("pleach/preview", json!({ "textDocument": { "uri": uri } }))
    };
    for name in ["a.test", "b.pleach"] {
        let (code, message) = refused(name);
        assert_eq!((code, message.contains("does not know this file")), (-32803, true), "{message}");
    }
    let (code, message) = refused("a.bt");
    assert_eq!((code, message.starts_with("a.bt:2: ")), (-32803, true), "{message}");
    session.end();
}

#[test]
fn trees_of_other_dialects_are_drawn() {
    let text = "selector\n{\n\taction roam( )\n}\n";
    let mut session = Session::new(&[("a.bt", text)]);
    let uri = session.folder.uri("a.bt");
    let picture = session.ask("pleach/preview", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(labels(&picture).last().map(String::as_str), Some("action roam()"));
    assert_eq!(places(&picture).last(), Some(&[2, 1, 2, 2, 1, 15]));
    session.end();
}
