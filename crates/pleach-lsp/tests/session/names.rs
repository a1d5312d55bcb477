//! Names: hover, definition, references, highlights, rename, signature, calls.

use crate::client::{Session, applied};
use serde_json::{Value, json};

/// Returns the beginnings of ranges as `line:column`, with the names of their files.
fn places(locations: &Value) -> Vec<String> {
    let place = |it: &Value| {
        let name = it["uri"].as_str().and_then(|uri| uri.rsplit('/').next()).unwrap_or_default().to_owned();
        let start = &it["range"]["start"];
        format!("{name}:{}:{}", start["line"], start["character"])
    };
    locations.as_array().expect("a list").iter().map(place).collect()
}

#[test]
fn hover_shows_declarations_and_meanings() {
    let (mut session, marks) = Session::marked(
        "// Walks there.\naction go(place: int)\nconst POST = 1 + 2\ntree t { sequ$ence { action g$o(PO$ST) } }\n",
    );
    let mut text =
        |mark: &Value| session.at("hover", mark)["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(text(&marks[0]).contains("until one fails"));
    let go = text(&marks[1]);
    assert!(go.contains("action go(place: int)") && go.contains("Walks there."), "{go}");
    assert!(text(&marks[2]).contains("value: `3`"));
    session.end();
}

#[test]
fn hover_counts_the_copies_of_a_tree() {
    let (mut session, marks) = Session::marked(
        "tree t { sequence { use $u use u } }\ntree u { sequence { use $v(1) use v(2) } }\ntree v(n: int) { wait n s }\n",
    );
    let mut text =
        |mark: &Value| session.at("hover", mark)["contents"]["value"].as_str().unwrap_or_default().to_owned();
    // A tree without parameters can be started, too.
    let of_u = text(&marks[0]);
    assert!(of_u.ends_with("3 nodes, 2 uses, 3 copies in the program of `a.pleach`"), "{of_u}");
    let of_v = text(&marks[1]);
    assert!(of_v.ends_with("1 node, 2 uses, 6 copies in the program of `a.pleach`"), "{of_v}");
    session.end();
}

#[test]
fn tunables_are_names_of_values() {
    let (mut session, marks) = Session::marked(
        "// How far.\ntune agent const RA$NGE = 8.0 in 2.0..20.0\nquery near: float\ntree t { condition near < R$ANGE }\n",
    );
    let hover = session.at("hover", &marks[1])["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(hover.contains("tune agent const RANGE = 8.0 in 2.0..20.0"), "{hover}");
    assert!(hover.contains("tunable of each agent") && hover.contains("How far."), "{hover}");
    let found = places(&session.at("definition", &marks[1]));
    assert!(found.len() == 1 && found[0].ends_with(":1:17"), "{found:?}");
    session.end();
}

#[test]
fn definitions_and_references_cross_files_that_are_not_open() {
    let main = "include \"lib.pleach\"\ntree main { use idle }\n";
    let files = [
        ("a.pleach", main),
        ("lib.pleach", "tree idle { action go }\n"),
        ("x.manifest", "action go() # walks\n"),
        ("a.test", "  tree a.pleach\ntest goes\n\taction go = success\n"),
    ];
    let mut session = Session::new(&files);
    session.open("a.pleach", main);
    let found = session.at("definition", &json!({ "line": 1, "character": 17 }));
    assert_eq!(places(&found), ["lib.pleach:0:5"]);
    let found = session.at("definition", &json!({ "line": 0, "character": 12 }));
    assert_eq!(places(&found), ["lib.pleach:0:0"]);
    let place = json!({
        "textDocument": { "uri": session.folder.uri("lib.pleach") },
        "position": { "line": 0, "character": 20 },
        "context": { "includeDeclaration": false }
    });
    let found = session.ask("textDocument/references", place);
    assert_eq!(places(&found), ["a.test:2:8", "lib.pleach:0:19"]);
    let links = session.of("documentLink", "a.pleach");
    assert!(links[0]["target"].as_str().expect("a link").ends_with("/lib.pleach"));
    let links = session.of("documentLink", "a.test");
    assert_eq!(links[0]["range"]["start"], json!({ "line": 0, "character": 7 }));
    assert!(links[0]["target"].as_str().expect("a link").ends_with("/a.pleach"));
    session.end();
}

#[test]
fn a_name_before_a_part_is_that_of_the_vector() {
    let (mut session, marks) =
        Session::marked("var home: vec3\ntree t(v: vec2) { condition ho$me.x > $v.y }\n");
    let text = |shown: &Value| shown["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(text(&session.at("hover", &marks[0])).contains("var home: vec3"));
    assert!(text(&session.at("hover", &marks[1])).contains("v: vec2"));
    let name = |found: &Value| places(found)[0].split_once(':').map(|(_, at)| at.to_owned());
    assert_eq!(name(&session.at("definition", &marks[0])).as_deref(), Some("0:4"));
    assert_eq!(name(&session.at("definition", &marks[1])).as_deref(), Some("1:7"));
    session.end();
}

#[test]
fn highlights_tell_reads_from_writes() {
    let (mut session, marks) =
        Session::marked("var am$mo: int\non e { set ammo = 1 }\ntree t { condition ammo > 0 }\n");
    let found = session.at("documentHighlight", &marks[0]);
    let kinds: Vec<_> = found.as_array().expect("a list").iter().map(|it| it["kind"].as_u64()).collect();
    assert_eq!(kinds, [Some(3), Some(3), Some(2)]);
    session.end();
}

#[test]
fn rename_changes_all_files_or_says_why_not() {
    let main = "include \"lib.pleach\"\ntree main { use idle }\n";
    let lib = "var x: int\ntree idle { condition x == 0 }\n";
    let mut session = Session::new(&[("a.pleach", main), ("lib.pleach", lib)]);
    session.open("a.pleach", main);
    let position = json!({ "line": 1, "character": 17 });
    assert_eq!(session.at("prepareRename", &position)["placeholder"], "idle");
    let params = |uri: String, position: &Value, name: &str| json!({ "textDocument": { "uri": uri }, "position": position, "newName": name });
    let uri = session.folder.uri("a.pleach");
    let edit = session.ask("textDocument/rename", params(uri.clone(), &position, "rest"));
    assert_eq!(applied(main, &edit["changes"][&uri]), main.replace("idle", "rest"));
    assert_eq!(applied(lib, &edit["changes"][session.folder.uri("lib.pleach")]), lib.replace("idle", "rest"));
    let (_, why) = session.refused("textDocument/rename", params(uri.clone(), &position, "tree"));
    assert!(why.contains("a word of the language"), "{why}");
    let (_, why) = session.refused("textDocument/rename", params(uri, &position, "main"));
    assert!(why.contains("declared already"), "{why}");
    session.end();
}

#[test]
fn signatures_show_the_parameter_that_is_typed() {
    let (mut session, marks) = Session::marked(
        "action go(place: int, speed: float)\nquery near(who: int): bool\ntree t { sequence { action go(1, $) condition near($ } }\n",
    );
    let help = session.at("signatureHelp", &marks[0]);
    assert_eq!(help["signatures"][0]["label"], "action go(place: int, speed: float)");
    assert_eq!(
        (&help["activeParameter"], &help["signatures"][0]["parameters"][1]["label"]),
        (&json!(1), &json!("speed: float"))
    );
    let help = session.at("signatureHelp", &marks[1]);
    assert_eq!(
        (&help["activeParameter"], &help["signatures"][0]["label"]),
        (&json!(0), &json!("query near(who: int): bool"))
    );
    session.end();
}

#[test]
fn calls_are_uses_of_trees_and_actions() {
    let (mut session, marks) = Session::marked(
        "action go\ntree a { use b }\ntree $b { sequence { action go use c } }\ntree c { action go }\n",
    );
    let item = session.at("prepareCallHierarchy", &marks[0])[0].clone();
    assert_eq!(item["name"], "b");
    let incoming = session.ask("callHierarchy/incomingCalls", json!({ "item": item }));
    assert_eq!(incoming[0]["from"]["name"], "a");
    let outgoing = session.ask("callHierarchy/outgoingCalls", json!({ "item": item }));
    let names: Vec<_> =
        outgoing.as_array().expect("a list").iter().map(|it| it["to"]["name"].as_str()).collect();
    assert_eq!(names, [Some("go"), Some("c")]);
    let callers = session.ask("callHierarchy/incomingCalls", json!({ "item": outgoing[0]["to"] }));
    let names: Vec<_> =
        callers.as_array().expect("a list").iter().map(|it| it["from"]["name"].as_str()).collect();
    assert_eq!(names, [Some("b"), Some("c")]);
    session.end();
}
