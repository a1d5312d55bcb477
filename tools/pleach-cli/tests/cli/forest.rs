//! Forests: which dialect a file of XML is, and what trees have come to.

use crate::folder::Folder;
use std::path::Path;

fn examples() -> Folder {
    Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/examples/btengine"))
}

#[test]
fn examples_are_right() {
    let ran = examples().pleach(&["check", "camp.xml", "guard.xml", "patrol.xml"]);
    assert_eq!(ran.exits(0).err, "3 files: no problems\n");
}

#[test]
fn the_first_element_tells_the_dialect() {
    let folder = Folder::new("first_element");
    let tree = "<?xml version='1.0'?><!-- <a> --><BehaviorTreeRoot><Action name='a'/></BehaviorTreeRoot>";
    folder.file("tree.xml", tree).file("tree.other", tree).file("note.xml", "<note/>");
    folder.pleach(&["check", "tree.xml", "tree.other"]).exits(0);
    let refused = folder.pleach(&["check", "note.xml"]).exits(2);
    assert!(refused.err.contains("--dialect"), "{}", refused.err);
    let read = folder.pleach(&["check", "--dialect", "btengine", "note.xml"]).exits(1);
    assert!(read.err.contains("E0705"), "{}", read.err);
}

#[test]
fn a_forest_file_without_a_forest_is_told() {
    let folder = Folder::new("no_forest");
    folder.file("none.xml", "<BehaviorForestRoot>\n</BehaviorForestRoot>\n");
    let told = folder.pleach(&["check", "none.xml"]).exits(1).err;
    assert!(told.contains("E0307") && told.contains("there is no forest in this file"), "{told}");
}

#[test]
fn status_is_told_as_deep_as_asked() {
    let status = |more: &[&str]| {
        let ran = examples().pleach(&[&["forest", "status", "camp.xml"], more].concat()).exits(0);
        serde_json::from_str::<serde_json::Value>(&ran.out).expect("JSON")
    };
    let all = status(&["--depth", "all"]);
    assert_eq!((&all["forest_count"], &all["forests"]), (&1.into(), &serde_json::json!([])));
    let forest = &status(&["--depth", "forest"])["forests"][0];
    assert_eq!(forest["attributes"], serde_json::json!({ "team": "red" }));
    assert_eq!((&forest["tree_count"], &forest["exists"]), (&2.into(), &false.into()));
    assert_eq!(forest["trees"], serde_json::json!([]));
    let guard = &status(&[])["forests"][0]["trees"][0];
    assert_eq!(guard["attributes"], serde_json::json!({ "post": "gate", "rank": "private" }));
    assert_eq!((&guard["status"], &guard["node_count"]), (&"Destructed".into(), &6.into()));
    let nodes = &status(&["--depth", "node"])["forests"][0]["trees"][1]["nodes"];
    assert_eq!((&nodes[0]["name"], &nodes[0]["type"]), (&"Patrol".into(), &"TreeRoot".into()));
    assert_eq!((&nodes[3]["name"], &nodes[3]["policy"]), (&"Walk".into(), &"Sequence".into()));
}

#[test]
fn status_tells_what_was_played() {
    let played = |mode: &str| {
        let args = ["forest", "status", "camp.xml", "--updates=40", "--target=5", "--seed=3", "--mode", mode];
        let ran = examples().pleach(&args).exits(0);
        let status: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        status["forests"][0]["trees"].clone()
    };
    for tree in played("StopByExecuteLoopCount").as_array().expect("trees") {
        assert_eq!(
            (&tree["status"], &tree["accumulated_loop_count"]),
            (&"Stopped".into(), &5.into()),
            "{tree}"
        );
    }
    assert_eq!(played("StopByNotifyInterruptLoopCount")[0]["accumulated_loop_count"], 0);
    examples().pleach(&["forest", "status", "camp.xml", "--mode", "StopBySunset"]).exits(2);
}

/// Writes a forest whose trees have one file, and prints its properties with all nodes.
fn shared(test: &str, trees: usize, file: &str) -> crate::folder::Ran {
    let folder = Folder::new(test);
    let rows: String = (0..trees).map(|n| format!("<Tree name='T{n}' file='t.xml'/>")).collect();
    folder
        .file("f.xml", format!("<BehaviorForestRoot><Forest name='F'>{rows}</Forest></BehaviorForestRoot>"));
    folder.file("t.xml", format!("<BehaviorTreeRoot>{file}</BehaviorTreeRoot>"));
    folder.pleach(&["forest", "status", "f.xml", "--depth", "node"])
}

#[test]
fn what_trees_share_is_printed_for_each_within_a_limit() {
    let value = format!("<UserAttr key='k' value='{}'/><Condition name='c'/>", "x".repeat(20_000));
    let nodes: String = (0..1_000).map(|n| format!("<Condition name='c{n}'/>")).collect();
    let nodes = format!("<Sequence name='s'>{nodes}</Sequence>");
    for (name, file) in [("shared_values", value), ("shared_nodes", nodes)] {
        let few = shared(name, 10, &file).exits(0);
        // Every value and node stands there ten times.
        assert!(few.out.len() > 10 * file.len(), "{name}: {}", few.out.len());
        let many = shared(name, 1_000, &file).exits(2);
        assert!(many.out.is_empty() && many.err.contains("more than 16 MiB"), "{name}: {}", many.err);
    }
}

#[test]
fn what_has_no_forests_is_refused() {
    let ran = examples().pleach(&["forest", "status", "guard.xml"]).exits(2);
    assert!(ran.err.contains("no forests"), "{}", ran.err);
}

/// A repeated call in a tick gets another answer, so that a decorator does not go on for ever by
/// chance.
#[test]
fn decorators_come_to_an_end() {
    let ran = examples().pleach(&["trace", "patrol.xml", "--ticks", "30", "--agents", "4"]).exits(0);
    assert!(ran.out.contains("AllPosts.OnExecute() [goes on]"), "{}", ran.out);
    assert!(!ran.out.contains("too often"), "{}", ran.out);
    let ran = examples().pleach(&["forest", "status", "camp.xml", "--updates", "100"]).exits(0);
    assert_eq!(ran.err, "");
}
