//! Completion at each place of the grammar.

use crate::client::{Session, capabilities};
use serde_json::{Value, json};

const HEAD: &str = "enum Mood { calm, wary }\naction go(place: int, speed: float)\naction look\nquery near(who: int): bool\nquery far: float\n\
    var seen: bool\nvar ammo: int8\nvar mood: Mood\nworld var alarm: bool\nconst POST = 3\non hit { }\ntree idle(pause: int) { wait pause s }\n";

/// Returns the labels that are proposed at the mark, in the order of the alphabet.
fn labels(text: &str) -> Vec<String> {
    let (mut session, marks) = Session::marked(&format!("{HEAD}{text}"));
    let items = session.at("completion", &marks[0]);
    session.end();
    let label = |it: &Value| it["label"].as_str().expect("a label").to_owned();
    let mut labels: Vec<String> = items.as_array().expect("items").iter().map(label).collect();
    labels.sort();
    labels
}

/// These are proposed, and the others are not.
#[track_caller]
fn proposes(text: &str, wanted: &[&str], others: &[&str]) {
    let labels = labels(text);
    let has = |label: &&&str| labels.iter().any(|it| it == **label);
    let missing: Vec<_> = wanted.iter().filter(|it| !has(it)).collect();
    let wrong: Vec<_> = others.iter().filter(has).collect();
    assert!(
        missing.is_empty() && wrong.is_empty(),
        "{text}: without {missing:?}, with {wrong:?}: {labels:?}"
    );
}

#[track_caller]
fn is(text: &str, wanted: &[&str]) {
    assert_eq!(labels(text), wanted, "{text}");
}

#[test]
fn declarations_begin_outside_of_trees() {
    proposes("$", &["tree", "var", "group var", "include", "enum", "on"], &["sequence", "ammo"]);
    proposes("tr$", &["tree"], &["sequence"]);
    is("world $", &["var"]);
    is("tree $", &[]);
}

#[test]
fn nodes_begin_in_blocks() {
    proposes("tree t { $ }", &["sequence", "var", "keep var", "match"], &["ammo", "tree"]);
    proposes("tree t { sequence { action look $ } }", &["sequence", "action"], &["var", "ammo"]);
    proposes("tree t { sequence { seq$ } }", &["sequence"], &["tree"]);
    proposes("tree t { sequence { condition seen $ } }", &["wait"], &["ammo"]);
    proposes("tree t { utility { $ } }", &["sequence", "far", "ammo"], &["seen"]);
    proposes("tree t { random { 3: $ } }", &["action"], &["far"]);
    is("on hit { $ }", &["set"]);
    is("tree t { cleanup { $ } { success } }", &["set"]);
}

#[test]
fn names_follow_the_words_of_their_space() {
    is("tree t { action $ }", &["go", "look"]);
    is("tree t { action g$ }", &["go", "look"]);
    is("tree t { use $ }", &["idle", "t"]);
    is("tree t { raise $ }", &["hit"]);
    is("tree t { raise hit to $ }", &["all", "group"]);
    is("tree t { var mine: int set $ }", &["alarm", "ammo", "mine", "mood", "seen"]);
    is("tree t { force $ }", &["failure", "success"]);
    is("tree t { reactive $ }", &["match", "selector", "sequence", "utility"]);
    is("tree t { parallel ($ }", &["fail", "succeed"]);
    is("tree t { parallel (succeed $ }", &["all", "any"]);
}

#[test]
fn values_fit_their_place() {
    proposes(
        "tree t { condition $ }",
        &["seen", "alarm", "near", "ammo", "POST", "true", "Mood"],
        &["go", "hit", "idle"],
    );
    proposes("tree t { condition !$ }", &["seen", "near", "true"], &["ammo", "POST", "far", "mood"]);
    proposes("tree t { condition mood == $ }", &["calm", "wary", "mood"], &["ammo", "seen", "true"]);
    proposes("tree t { condition far > $ }", &["far", "ammo", "POST", "random"], &["seen", "near"]);
    proposes("tree t { action go($) }", &["ammo", "POST"], &["seen", "far"]);
    proposes("tree t { action go(1, $) }", &["ammo", "far", "random"], &["seen"]);
    proposes("tree t { use idle($) }", &["POST"], &["seen"]);
    proposes("tree t { set mood = $ }", &["calm", "wary"], &["ammo", "seen"]);
    proposes("tree u(depth: int) { var mine: bool limit $ }", &["depth", "POST"], &["mine", "seen"]);
    proposes("const NEXT = $", &["POST", "true"], &["go"]);
    is("tree t { condition mood == Mood.$ }", &["calm", "wary"]);
}

#[test]
fn parts_and_functions_of_vectors_are_values() {
    const TREES: &str = "var home: vec3 const UP = vec2(0.0, 1.0)";
    is(&format!("{TREES} tree t {{ condition home.$ }}"), &["x", "y", "z"]);
    is(&format!("{TREES} tree t {{ condition UP.$ }}"), &["x", "y"]);
    is(&format!("{TREES} tree t(v: vec2) {{ condition v . $ }}"), &["x", "y"]);
    is(&format!("{TREES} tree t {{ var v: vec3 condition v.$ > 0.0 }}"), &["x", "y", "z"]);
    proposes(
        &format!("{TREES} tree t {{ set home = $ }}"),
        &["home", "vec3"],
        &["ammo", "vec2", "UP", "dot"],
    );
    proposes(&format!("{TREES} tree t {{ condition far > $ }}"), &["dot", "length", "distance"], &["vec3"]);
}

#[test]
fn cases_are_the_missing_members() {
    proposes("tree t { match mood { calm: success $ } }", &["wary", "else", "sequence"], &["calm"]);
}

#[test]
fn units_and_types_follow() {
    is("tree t { wait 3 $ }", &["ms", "s", "ticks"]);
    is("tree t { timeout 3 $ { success } }", &["ms", "s"]);
    proposes("var x: $", &["int", "int8", "text", "Mood"], &[]);
    proposes("action x(a: $", &["int", "text", "Mood"], &["int8"]);
    proposes("query x: $", &["bool", "float", "text", "Mood"], &["int8"]);
    proposes("tree t { var x: $ }", &["uint16", "text", "Mood"], &[]);
}

#[test]
fn nothing_is_proposed_in_comments_and_texts() {
    is("tree t { // $\n success }", &[]);
    is("tree t { action say(\"$\") }", &[]);
}

#[test]
fn paths_are_those_of_files() {
    let text = "include \"\"\ntree t { success }\n";
    let mut session =
        Session::new(&[("a.pleach", text), ("lib/b.pleach", "tree b { success }"), ("c.manifest", "")]);
    session.open("a.pleach", text);
    let items = session.at("completion", &json!({ "line": 0, "character": 9 }));
    let labels: Vec<_> = items.as_array().expect("items").iter().map(|it| it["label"].as_str()).collect();
    assert_eq!(labels, [Some("lib/b.pleach")]);
    session.end();
    let files = [("a/a.pleach", text), ("shared/b.pleach", "tree b { success }"), ("c.pleach", "")];
    let options = json!({ "include": ["shared"] });
    let mut session = Session::with(&files, capabilities(), options);
    let place = json!({ "textDocument": { "uri": session.folder.uri("a/a.pleach") }, "position": { "line": 0, "character": 9 } });
    let items = session.ask("textDocument/completion", place);
    let labels: Vec<_> = items.as_array().expect("items").iter().map(|it| it["label"].as_str()).collect();
    assert_eq!(labels, [Some("b.pleach")]);
    session.end();
}

#[test]
fn calls_have_places_for_their_arguments() {
    let (mut session, marks) = Session::marked(&format!("{HEAD}tree t {{ action g$ }}"));
    let items = session.at("completion", &marks[0]);
    let go = items.as_array().expect("items").iter().find(|it| it["label"] == "go").expect("the action");
    assert_eq!(go["textEdit"]["newText"], "go(${1:place}, ${2:speed})");
    assert_eq!(go["detail"], "action go(place: int, speed: float)");
    session.end();
}
