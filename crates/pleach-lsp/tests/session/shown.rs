//! Things that an editor shows beside the text: findings, outline, colors, hints, lenses.

use crate::client::{Session, capabilities};
use serde_json::{Value, json};

fn codes(findings: &Value) -> Vec<&str> {
    findings.as_array().expect("a list").iter().filter_map(|it| it["code"].as_str()).collect()
}

#[test]
fn findings_are_pushed_on_each_change() {
    let text = "tree t { action go }\n";
    let mut session = Session::new(&[("a.pleach", text)]);
    session.open("a.pleach", text);
    let found = session.findings("a.pleach", |it| !codes(it).is_empty());
    assert_eq!(codes(&found), ["E0611"]);
    assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 16 }));
    assert!(found[0]["message"].as_str().expect("a message").contains("help: declare it"));
    let uri = session.folder.uri("a.pleach");
    let range = json!({ "start": { "line": 0, "character": 9 }, "end": { "line": 0, "character": 18 } });
    let changes = json!([{ "range": range, "text": "selector { success failure }" }]);
    session.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": changes }),
    );
    let found = session.findings("a.pleach", |it| codes(it).contains(&"W0602"));
    assert_eq!((codes(&found), &found[0]["tags"]), (vec!["W0602"], &json!([1])));
    session.end();
}

#[test]
fn an_included_file_is_checked_where_it_is_included() {
    let main = "action go\ninclude \"lib.pleach\"\ntree main { use idle }\n";
    let lib = "tree idle { action go }\n";
    let mut session = Session::new(&[("a.pleach", main), ("lib.pleach", lib)]);
    session.open("a.pleach", main);
    assert_eq!(codes(&session.findings("lib.pleach", |_| true)), [""; 0]);
    let uri = session.folder.uri("a.pleach");
    let changes = json!([{ "text": main.replace("action go", "") }]);
    session.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": changes }),
    );
    let found = session.findings("lib.pleach", |it| !codes(it).is_empty());
    assert_eq!(codes(&found), ["E0611"]);
    session.end();
}

#[test]
fn findings_have_related_places_and_those_of_manifests_are_told() {
    let files = [("a.pleach", "tree t { success }\ntree t { success }\n"), ("x.manifest", "action go(\n")];
    let mut session = Session::new(&files);
    let found = session.findings("x.manifest", |_| true);
    assert_eq!(codes(&found).len(), 1, "{found}");
    session.folder.write("x.manifest", "action go()\n");
    let change = json!([{ "uri": session.folder.uri("x.manifest"), "type": 2 }]);
    session.tell("workspace/didChangeWatchedFiles", json!({ "changes": change }));
    let found = session.findings("a.pleach", |it| !codes(it).is_empty());
    assert_eq!(found[0]["relatedInformation"][0]["location"]["range"]["start"]["line"], 0);
    session.end();
}

#[test]
fn rules_are_applied_with_the_settings_of_the_folder() {
    let text = "action go()\ntree t { sequence { action go } }\n";
    let mut session = Session::new(&[("a.pleach", text)]);
    session.open("a.pleach", text);
    assert_eq!(codes(&session.findings("a.pleach", |_| true)), ["L010"]);
    session.folder.write("pleach.toml", "[lint]\nL010 = \"off\"\n");
    let change = json!([{ "uri": session.folder.uri("pleach.toml"), "type": 1 }]);
    session.tell("workspace/didChangeWatchedFiles", json!({ "changes": change }));
    session.findings("a.pleach", |it| codes(it).is_empty());
    session.end();
    let mut session = Session::with(&[("a.pleach", text)], capabilities(), json!({ "lint": false }));
    assert_eq!(codes(&session.findings("a.pleach", |_| true)), [""; 0]);
    session.end();
}

#[test]
fn a_file_of_tests_has_findings() {
    let tree = "action go()\nquery near: bool\nvar calm: bool\ntree a { if near { action go } }\n";
    let tests = "tree a.pleach\ntest one\n\tquery nearer = true\n\tset calm = maybe?\n\tjump\n\ttick\n\texpect calls go, run\n\texpect calm = true\n";
    let files = [("a.pleach", tree), ("a.test", tests), ("b.test", "# trees\n  tree b.pleach\ntest one\n")];
    let mut session = Session::new(&files);
    let found = session.findings("a.test", |_| true);
    let message = |it: &Value| {
        let line = it["range"]["start"]["line"].as_u64().expect("a number");
        format!("{line} {}", it["message"].as_str().expect("a text"))
    };
    let told: Vec<_> = found.as_array().expect("a list").iter().map(message).collect();
    assert_eq!(
        told,
        [
            "3 `maybe?` is neither a number nor `true`, `false` or `none`",
            "4 a test has no line `jump`; it has `query`, `action`, `give`, `set`, `tune`, `raise`, `wait`, `tick` and `expect`",
            "2 there is no query or variable `nearer`",
            "6 the tree has no action `run`",
        ]
    );
    let missing = session.findings("b.test", |_| true);
    assert_eq!(message(&missing[0]), "1 there is no file `b.pleach` beside the file of tests");
    assert_eq!(missing[0]["range"]["start"]["character"], 7);
    session.end();
}

#[test]
fn texts_and_members_in_tests_are_as_the_tree_has_them() {
    let tree = "enum Mood { calm, wary }\nenum Sea { calm, rough }\naction say(line: text, mood: Mood)\naction find(out place: int)\n\
        var p: int\nvar mood: Mood\nvar sea: Sea\ntree a { sequence { action say(\"hello there\", Mood.calm) action find(p) condition mood != wary && sea != rough } }\n";
    let tests = "tree a.pleach\ntest one\n\taction say = success\n\taction find = success\n\tgive find 1 = 3\n\ttick\n\
        \texpect calls say(\"hello there\", calm), find(out)\n\tgive fetch 1 = 3\n";
    let mut session = Session::new(&[("a.pleach", tree), ("a.test", tests)]);
    assert_eq!(session.findings("a.pleach", |_| true), json!([]));
    let found = session.findings("a.test", |_| true);
    let messages: Vec<_> =
        found.as_array().expect("a list").iter().map(|it| it["message"].as_str()).collect();
    assert_eq!(messages, [Some("the tree has no action `fetch`")]);
    session.end();
}

#[test]
fn a_client_that_pulls_gets_no_pushes() {
    let text = "tree t { action go }\n";
    let mut can = capabilities();
    can["textDocument"]["diagnostic"] = json!({});
    let mut session = Session::with(&[("a.pleach", text)], can, json!({}));
    assert!(session.capabilities["diagnosticProvider"].is_object());
    session.open("a.pleach", text);
    let report = session.of("diagnostic", "a.pleach");
    assert_eq!((&report["kind"], codes(&report["items"])), (&json!("full"), vec!["E0611"]));
    session.end();
}

#[test]
fn the_outline_has_trees_and_their_nodes() {
    let text = "enum M { a, b }\ntree t(n: int)\n{\n\tvar x: int\n\tsequence\n\t{\n\t\tinvert\n\t\t{\n\t\t\tsuccess\n\t\t}\n\t}\n}\n";
    let mut session = Session::new(&[("a.pleach", text)]);
    let symbols = session.of("documentSymbol", "a.pleach");
    let name = |it: &Value| it["name"].as_str().expect("a name").to_owned();
    let names = |it: &Value| it.as_array().expect("a list").iter().map(name).collect::<Vec<_>>();
    assert_eq!(names(&symbols), ["M", "t"]);
    assert_eq!(names(&symbols[0]["children"]), ["a", "b"]);
    assert_eq!(names(&symbols[1]["children"]), ["x", "sequence"]);
    assert_eq!(names(&symbols[1]["children"][1]["children"]), ["invert"]);
    let folds = session.of("foldingRange", "a.pleach");
    let lines: Vec<_> = folds
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| (it["startLine"].as_u64(), it["endLine"].as_u64()))
        .collect();
    assert_eq!(lines, [(Some(1), Some(11)), (Some(4), Some(10)), (Some(6), Some(9))]);
    let params = json!({ "textDocument": { "uri": session.folder.uri("a.pleach") }, "positions": [{ "line": 8, "character": 5 }] });
    let mut selection = session.ask("textDocument/selectionRange", params)[0].clone();
    let mut starts = Vec::new();
    while !selection.is_null() {
        starts.push(selection["range"]["start"]["line"].as_u64());
        selection = selection["parent"].clone();
    }
    assert_eq!(starts, [Some(8), Some(6), Some(4), Some(1), Some(0)]);
    session.end();
}

#[test]
fn colors_tell_what_names_are_and_change_by_differences() {
    let text = "var ammo: int\nworld var alarm: bool\nconst POST = 3\nquery near: bool\ntree t { sequence { set ammo = POST condition alarm && near && unknown } }\n";
    let mut session = Session::new(&[("a.pleach", text)]);
    session.open("a.pleach", text);
    let legend = session.capabilities["semanticTokensProvider"]["legend"].clone();
    let names = |list: &str| {
        legend[list]
            .as_array()
            .expect("names")
            .iter()
            .map(|it| it.as_str().expect("a name").to_owned())
            .collect::<Vec<_>>()
    };
    let (types, modifiers) = (names("tokenTypes"), names("tokenModifiers"));
    let tokens = session.of("semanticTokens/full", "a.pleach");
    let data: Vec<u64> = tokens["data"].as_array().expect("data").iter().filter_map(Value::as_u64).collect();
    let kind = |it: &[u64]| {
        let modifiers = modifiers.iter().enumerate().filter(|(bit, _)| it[4] >> bit & 1 == 1);
        modifiers.fold(types[it[3] as usize].clone(), |text, (_, name)| format!("{text}.{name}"))
    };
    assert_eq!(
        data.chunks(5).map(kind).collect::<Vec<_>>(),
        [
            "variable.declaration",
            "variable.declaration.world",
            "variable.declaration.readonly",
            "function.declaration.query",
            "class.declaration",
            "variable.modification",
            "variable.readonly",
            "variable.world",
            "function.query",
        ]
    );
    let uri = session.folder.uri("a.pleach");
    let changes = json!([{ "text": text.replace("set ammo", "set  ammo") }]);
    session.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": changes }),
    );
    let params = json!({ "textDocument": { "uri": uri }, "previousResultId": tokens["resultId"] });
    let delta = session.ask("textDocument/semanticTokens/full/delta", params);
    let edit = &delta["edits"][0];
    assert_eq!((&edit["start"], &edit["deleteCount"]), (&json!(25), &json!(5)), "{delta}");
    session.end();
}

#[test]
fn hints_are_shown_as_far_as_they_are_wanted() {
    let text = "action go(place: int, speed: float)\nconst POST = 1 + 2\ntree t { sequence { action go(POST, 2) wait POST } }\n";
    let hints = |options: Value| {
        let mut session = Session::with(&[("a.pleach", text)], capabilities(), options);
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
        let params = json!({ "textDocument": { "uri": session.folder.uri("a.pleach") }, "range": range });
        let hints = session.ask("textDocument/inlayHint", params);
        session.end();
        let label = |it: &Value| it["label"].as_str().expect("a label").to_owned();
        hints.as_array().expect("a list").iter().map(label).collect::<Vec<_>>()
    };
    assert_eq!(hints(json!({})), ["place:", "speed:"]);
    let all = hints(json!({ "inlayHints": ["names", "values", "units", "conversions"] }));
    assert_eq!(all, ["place:", "speed:", "as float", "ms, s?", "= 3", "= 3"]);
}

#[test]
fn lenses_count_uses_and_tests_and_have_the_arguments_of_their_commands() {
    let text = "tree t { use u(1) }\ntree u(n: int) { wait n s }\n";
    let tests = "tree a.pleach\ntest one\n\ttick\n  test two\n\ttick\n# test\ntests\n";
    let files = [
        ("a.pleach", text),
        ("a.test", tests),
        ("b.test", "tree a.pleach\ntest\tthree\n"),
        ("c.test", "tree a.pleach\n"),
    ];
    let mut session = Session::new(&files);
    let uri = |name: &str| session.folder.uri(name);
    let (tree, tests) = (uri("a.pleach"), json!([uri("a.test"), uri("b.test")]));
    let place = |line: u32, from: u32, to: u32| json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } });
    let use_of_u = json!({ "uri": tree, "range": place(0, 13, 14) });
    let expected = [
        ("run", "pleach.run", json!([tree, "t"])),
        ("view", "pleach.view", json!([tree, "t"])),
        ("0 uses", "pleach.references", json!([tree, place(0, 5, 6)["start"], []])),
        ("3 tests", "pleach.test", json!([tests])),
        ("1 use", "pleach.references", json!([tree, place(1, 5, 6)["start"], [use_of_u]])),
        ("3 tests", "pleach.test", json!([tests])),
    ];
    let lenses = session.of("codeLens", "a.pleach");
    let commands: Vec<_> = lenses.as_array().expect("a list").iter().map(|it| &it["command"]).collect();
    let expected = expected.map(
        |(title, command, arguments)| json!({ "title": title, "command": command, "arguments": arguments }),
    );
    assert_eq!(commands, expected.iter().collect::<Vec<_>>());
    session.end();
}

#[test]
fn all_files_are_searched() {
    let mut session = Session::new(&[
        ("a.pleach", "tree patrol { success }\n"),
        ("b/c.pleach", "action parley\ntree x { action parley }\n"),
    ]);
    let found = session.ask("workspace/symbol", json!({ "query": "ley" }));
    let names: Vec<_> = found.as_array().expect("a list").iter().map(|it| it["name"].as_str()).collect();
    assert_eq!(names, [Some("parley")]);
    // The letters of a query may have others between them.
    let found = session.ask("workspace/symbol", json!({ "query": "prl" }));
    assert_eq!(found.as_array().expect("a list").len(), 2);
    session.end();
}
