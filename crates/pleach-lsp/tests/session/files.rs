//! Files, sessions that do not go as usual, and trees of other dialects.

use crate::client::{Session, capabilities, marks};
use serde_json::{Value, json};

#[test]
fn positions_count_bytes_if_the_client_wants_that() {
    let text = "tree t { action say(\"\u{e4}\u{1f600}\") }\n";
    for (encodings, column) in [(json!(["utf-8", "utf-16"]), 16), (json!(["utf-16"]), 16)] {
        let mut can = capabilities();
        can["general"] = json!({ "positionEncodings": encodings });
        let mut session = Session::with(&[("a.pleach", text)], can, json!({}));
        session.open("a.pleach", text);
        let found = session.findings("a.pleach", |it| it.as_array().is_some_and(|it| !it.is_empty()));
        assert_eq!(found[0]["range"]["start"]["character"], column);
        session.end();
    }
}

#[test]
fn a_file_of_no_folder_is_read_with_the_files_beside_it() {
    let mut session = Session::new(&[]);
    let other = crate::client::Folder::new(&[("lib.pleach", "tree idle { success }\n")]);
    let text = "include \"lib.pleach\"\ntree main { use idle }\n";
    let uri = other.uri("main.pleach");
    let document = json!({ "uri": uri, "languageId": "pleach", "version": 1, "text": text });
    session.tell("textDocument/didOpen", json!({ "textDocument": document }));
    let params = json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": 17 } });
    let found = session.ask("textDocument/definition", params);
    assert!(found[0]["uri"].as_str().expect("a file").ends_with("/lib.pleach"), "{found}");
    session.end();
}

#[test]
fn a_file_that_is_closed_is_as_on_the_disk() {
    let mut session = Session::new(&[("a.pleach", "tree a { success }\n")]);
    session.open("a.pleach", "tree b { success }\n");
    let name = |session: &mut Session| session.of("documentSymbol", "a.pleach")[0]["name"].clone();
    assert_eq!(name(&mut session), "b");
    let uri = session.folder.uri("a.pleach");
    session.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(name(&mut session), "a");
    std::fs::remove_file(session.folder.path().join("a.pleach")).expect("the file");
    session.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 3 }] }));
    assert_eq!(session.of("documentSymbol", "a.pleach"), json!([]));
    session.end();
}

#[test]
fn folders_and_manifests_of_settings_count() {
    let files = [
        ("trees/a.pleach", "include \"idle.pleach\"\ntree a { use idle }\n"),
        ("shared/idle.pleach", "tree idle { action go }\n"),
        ("game.txt.manifest", "action go()\n"),
    ];
    let options = json!({ "include": ["shared"], "manifests": ["game.txt.manifest"] });
    let mut session = Session::with(&files, capabilities(), options);
    assert_eq!(session.findings("trees/a.pleach", |_| true), json!([]));
    session.end();
}

#[test]
fn requests_that_the_server_cannot_answer_are_errors() {
    let mut session = Session::new(&[("a.pleach", "tree a { success }\n")]);
    let (code, _) = session.refused("pleach/unknown", json!({}));
    assert_eq!(code, -32601);
    let (code, _) = session.refused("textDocument/hover", json!({ "position": 3 }));
    assert_eq!(code, -32602);
    // A request that has not come yet, and one that has its answer, cannot be cancelled.
    session.tell("$/cancelRequest", json!({ "id": 4 }));
    session.tell("$/cancelRequest", json!({ "id": 2 }));
    session.tell("textDocument/didChange", json!({ "nothing": true }));
    assert!(session.ask("workspace/symbol", json!({ "query": "" })).is_array());
    session.end();
}

/// Asks about a position of a file.
fn at(session: &mut Session, method: &str, name: &str, position: &Value) -> Value {
    let uri = session.folder.uri(name);
    let context = json!({ "includeDeclaration": true });
    let params = json!({ "textDocument": { "uri": uri }, "position": position, "context": context });
    session.ask(&format!("textDocument/{method}"), params)
}

#[test]
fn trees_of_unvanquished_have_findings_names_and_an_outline() {
    let (text, marks) =
        marks("selector\n{\n\tsequence { action he$al() }\n\tbehavior oth$er\n\taction nothing()\n}\n");
    let files = [("a.bt", text.as_str()), ("other.bt", "action heal()\n")];
    let mut session = Session::new(&files);
    let found = session.findings("a.bt", |it| it.as_array().is_some_and(|it| !it.is_empty()));
    assert!(found[0]["message"].as_str().expect("a message").contains("nothing"), "{found}");
    assert_eq!(session.findings("other.bt", |_| true), json!([]));
    let file = |it: &Value| it["uri"].as_str().and_then(|uri| uri.rsplit('/').next()).map(str::to_owned);
    let found = at(&mut session, "definition", "a.bt", &marks[1]);
    assert_eq!(file(&found[0]).as_deref(), Some("other.bt"));
    let found = at(&mut session, "references", "a.bt", &marks[0]);
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");
    let hover = at(&mut session, "hover", "a.bt", &marks[0]);
    assert!(hover["contents"]["value"].as_str().expect("text").contains("action heal"), "{hover}");
    let symbols = session.of("documentSymbol", "a.bt");
    assert_eq!(
        (&symbols[0]["name"], &symbols[0]["children"][0]["name"]),
        (&json!("selector"), &json!("sequence"))
    );
    session.end();
}

#[test]
fn trees_in_xml_have_findings_names_and_an_outline() {
    let block = "<SelectionTree name='A' type='x'>\n\t<Leef name='Idle'/>\n</SelectionTree>\n";
    let mut session = Session::new(&[("a.xml", block)]);
    let found = session.findings("a.xml", |it| it.as_array().is_some_and(|it| !it.is_empty()));
    assert!(found[0]["message"].as_str().expect("a message").contains("Leef"), "{found}");
    let symbols = session.of("documentSymbol", "a.xml");
    assert_eq!(symbols[0]["name"], "SelectionTree A");
    let found = at(&mut session, "definition", "a.xml", &json!({ "line": 1, "character": 14 }));
    assert_eq!(found[0]["range"]["start"], json!({ "line": 1, "character": 13 }));
    session.end();
}

#[test]
fn xml_that_is_no_tree_has_no_findings_and_no_names() {
    let tree = "<SelectionTree name='A' type='x'>\n\t<Leef name='Idle'/>\n</SelectionTree>\n";
    let foreign = "<project>\n\t<Leef name='Idle'/>\n</project>\n";
    let mut session = Session::new(&[("a.xml", tree), ("pom.xml", foreign)]);
    session.open("pom.xml", foreign);
    assert_eq!(session.findings("pom.xml", |_| true), json!([]));
    assert_eq!(session.of("documentSymbol", "pom.xml"), json!([]));
    let place = json!({ "line": 1, "character": 14 });
    assert_eq!(at(&mut session, "definition", "pom.xml", &place), json!([]));
    let uses = at(&mut session, "references", "a.xml", &place);
    assert_eq!(uses.as_array().map(Vec::len), Some(1), "{uses}");
    session.end();
}

#[test]
fn xml_of_no_dialect_is_no_tree() {
    let mut session = Session::new(&[("pom.xml", "")]);
    session.open("pom.xml", "<project>\n\t<name>a</name>\n</project>\n");
    assert_eq!(session.findings("pom.xml", |_| true), json!([]));
    assert_eq!(session.of("documentSymbol", "pom.xml"), json!([]));
    // The text becomes a tree.
    let uri = session.folder.uri("pom.xml");
    let changes = json!([{ "text": "<SelectionTree name='A' type='x'>\n\t<Leef/>\n</SelectionTree>\n" }]);
    let document = json!({ "uri": uri, "version": 2 });
    session.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    let found = session.findings("pom.xml", |it| it.as_array().is_some_and(|it| !it.is_empty()));
    assert!(found[0]["message"].as_str().expect("a message").contains("Leef"), "{found}");
    session.end();
}

#[test]
fn a_text_that_was_too_large_is_read_when_it_is_small() {
    let comment = format!("/*{}*/\n", "x".repeat(1 << 24));
    let mut session = Session::new(&[("a.pleach", "")]);
    session.open("a.pleach", &format!("{comment}tree a {{ success }}\n"));
    assert_eq!(session.ask("workspace/symbol", json!({ "query": "" })), json!([]));
    let uri = session.folder.uri("a.pleach");
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } });
    let changes = json!([{ "range": range, "text": "" }]);
    let document = json!({ "uri": uri, "version": 2 });
    session.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    let symbols = session.ask("workspace/symbol", json!({ "query": "" }));
    assert_eq!(symbols[0]["name"], "a", "{symbols}");
    session.end();
}

#[test]
fn folders_come_and_go() {
    let mut session = Session::new(&[("a.pleach", "tree a { success }\n")]);
    let other = crate::client::Folder::new(&[("b.pleach", "tree b { action nobody }\n")]);
    let names = |session: &mut Session| {
        let found = session.ask("workspace/symbol", json!({ "query": "" }));
        let name = |it: &Value| it["name"].as_str().unwrap_or_default().to_owned();
        found.as_array().expect("a list").iter().map(name).collect::<Vec<_>>()
    };
    let folder = json!([{ "uri": other.uri(""), "name": "other" }]);
    let event = |added: &Value, removed: &Value| json!({ "event": { "added": added, "removed": removed } });
    session.tell("workspace/didChangeWorkspaceFolders", event(&folder, &json!([])));
    assert_eq!(names(&mut session), ["a", "b"]);
    let file = other.path().join("b.pleach");
    let file = file.to_str().expect("UTF-8");
    let has = |found: &Value| found.as_array().is_some_and(|it| !it.is_empty());
    session.findings(file, has);
    session.tell("workspace/didChangeWorkspaceFolders", event(&json!([]), &folder));
    assert_eq!(names(&mut session), ["a"]);
    session.findings(file, |found| !has(found));
    session.end();
}

#[test]
fn deep_texts_are_no_danger() {
    let depth = 20_000;
    let text = format!("tree t {{ {} success {} }}\n", "invert {".repeat(depth), "}".repeat(depth));
    let options = json!({ "codePage": "https://pages.invalid/diagnostics.html" });
    let mut session = Session::with(&[("a.pleach", &text)], capabilities(), options);
    session.open("a.pleach", &text);
    let position = json!({ "line": 0, "character": text.find("success").expect("the leaf") });
    let params =
        json!({ "textDocument": { "uri": session.folder.uri("a.pleach") }, "positions": [position] });
    let selection = session.ask("textDocument/selectionRange", params);
    assert!(selection[0]["parent"]["parent"].is_object(), "{selection}");
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens"] {
        assert!(!session.of(method, "a.pleach").is_null(), "{method}");
    }
    session.end();
}
