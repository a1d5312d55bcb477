//! Changes of texts: formatting and code actions.

use crate::client::{Session, applied, capabilities, marks};
use serde_json::{Value, json};

#[test]
fn formatting_changes_only_what_is_wrong() {
    let text = "tree a\n{\n\tsequence\n\t{\n\t\tsuccess\n\t\t  failure\n\t}\n}\ntree b {success}\n";
    let mut session = Session::new(&[("a.pleach", text)]);
    session.open("a.pleach", text);
    let uri = session.folder.uri("a.pleach");
    let options = json!({ "tabSize": 4, "insertSpaces": false });
    let edits =
        session.ask("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": options }));
    assert_eq!(
        applied(text, &edits),
        text.replace("  failure", "failure").replace("{success}", "{ success }")
    );
    assert_eq!(edits.as_array().expect("edits").len(), 3);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 7, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri }, "options": options, "range": range });
    let edits = session.ask("textDocument/rangeFormatting", params);
    assert_eq!(applied(text, &edits), text.replace("  failure", "failure"));
    let position = json!({ "line": 8, "character": 16 });
    let params =
        json!({ "textDocument": { "uri": uri }, "options": options, "position": position, "ch": "}" });
    let edits = session.ask("textDocument/onTypeFormatting", params);
    assert_eq!(applied(text, &edits), text.replace("{success}", "{ success }"));
    session.end();
}

/// Returns the actions at the mark of a text, with the session and the text.
fn actions(text: &str, diagnostics: bool, only: Option<&str>) -> (Session, String, Vec<Value>) {
    let (text, marks) = marks(text);
    let mut session = Session::new(&[("a.pleach", &text)]);
    session.open("a.pleach", &text);
    let found = if diagnostics {
        session.findings("a.pleach", |it| it.as_array().is_some_and(|it| !it.is_empty()))
    } else {
        json!([])
    };
    let mut context = json!({ "diagnostics": found });
    if let Some(only) = only {
        context["only"] = json!([only]);
    }
    let range = json!({ "start": marks[0], "end": marks[0] });
    let uri = session.folder.uri("a.pleach");
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
    let actions = session.ask("textDocument/codeAction", params).as_array().expect("actions").clone();
    (session, text, actions)
}

/// The action with this title gives this text.
#[track_caller]
fn gives(text: &str, title: &str, expected: &str) {
    let (mut session, text, actions) = actions(text, title.contains('`'), None);
    let titles: Vec<_> = actions.iter().map(|it| it["title"].as_str().unwrap_or_default()).collect();
    let action = actions.iter().find(|it| it["title"] == title).unwrap_or_else(|| panic!("{titles:?}"));
    let uri = session.folder.uri("a.pleach");
    assert_eq!(applied(&text, &action["edit"]["changes"][uri]), expected);
    session.end();
}

#[test]
fn findings_have_fixes() {
    gives(
        "action shoot\ntree t { action $shot }\n",
        "Change to `shoot`",
        "action shoot\ntree t { action shoot }\n",
    );
    gives(
        "tree t { action $fly(2) }\n",
        "Declare `action fly`",
        "action fly(arg1: int)\n\ntree t { action fly(2) }\n",
    );
    gives(
        "tree t { if $seen { success } }\n",
        "Declare `var seen`",
        "var seen: bool\n\ntree t { if seen { success } }\n",
    );
}

#[test]
fn nodes_have_changes() {
    let text = "action go\ntree t { sequence { $action go } }\n";
    let with = |new: &str| text.replace("$action go", new);
    let (session, _, _) = actions(text, false, None);
    drop(session);
    for (title, new) in
        [("Wrap in invert", "invert { action go }"), ("Wrap in timeout 5 s", "timeout 5 s { action go }")]
    {
        let title = title.replacen("Wrap in ", "Wrap in `", 1) + "`";
        let (mut session, text, list) = actions(text, false, None);
        let action = list.iter().find(|it| it["title"] == *title).expect("the action").clone();
        let uri = session.folder.uri("a.pleach");
        assert_eq!(applied(&text, &action["edit"]["changes"][uri]), with(new));
        session.end();
    }
    gives(
        text,
        "Extract into a tree",
        "action go\ntree t { sequence { use extracted } }\n\ntree extracted\n{\n\taction go\n}\n",
    );
    gives(
        "tree t { $use u }\ntree u { success }\n",
        "Inline the tree",
        "tree t { success }\ntree u { success }\n",
    );
    gives("tree t { $invert { success } }\n", "Remove the node around its children", "tree t { success }\n");
    gives(
        "enum M { a, b }\nvar m: M\ntree t { $match m { a: success } }\n",
        "Add the missing cases",
        "enum M { a, b }\nvar m: M\ntree t { match m { a: success b: failure } }\n",
    );
}

#[test]
fn all_near_names_are_written_at_once() {
    let text = "$action shoot\nvar ammo: int\ntree t { sequence { action shot condition amo > 0 } }\n";
    let (mut session, text, list) = actions(text, false, Some("source.fixAll"));
    assert_eq!(list.len(), 1, "{list:?}");
    let uri = session.folder.uri("a.pleach");
    let new = applied(&text, &list[0]["edit"]["changes"][uri]);
    assert_eq!(new, text.replace("shot", "shoot").replace("amo ", "ammo "));
    session.end();
}

/// Both names become longer in a block on one line, which then no longer fits.
#[test]
fn near_names_that_break_a_line_are_laid_out_once() {
    let (first, second) = ("a".repeat(34), "b".repeat(34));
    let text = format!(
        "$action {first}x\naction {second}x\n\ntree t\n{{\n\tsequence {{ action {first} action {second} }}\n}}\n"
    );
    let (mut session, text, list) = actions(&text, false, Some("source.fixAll"));
    let new = applied(&text, &list[0]["edit"]["changes"][session.folder.uri("a.pleach")]);
    let block = format!("\tsequence\n\t{{\n\t\taction {first}x\n\t\taction {second}x\n\t}}\n");
    assert!(new.ends_with(&format!("{{\n{block}}}\n")), "{new}");
    session.end();
}

/// Returns what a client can do that holds edits back.
fn resolving() -> Value {
    let mut can = capabilities();
    can["textDocument"]["codeAction"] = json!({ "resolveSupport": { "properties": ["edit"] } });
    can
}

#[test]
fn edits_are_held_back_until_they_are_chosen() {
    let text = "tree t { success }\n";
    let mut session = Session::with(&[("a.pleach", text)], resolving(), json!({}));
    session.open("a.pleach", text);
    let uri = session.folder.uri("a.pleach");
    let at = json!({ "line": 0, "character": 10 });
    let range = json!({ "start": at, "end": at });
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
    let actions = session.ask("textDocument/codeAction", params);
    let invert = actions.as_array().expect("actions").iter().find(|it| it["title"] == "Wrap in `invert`");
    let invert = invert.expect("the action").clone();
    assert!(invert["edit"].is_null());
    let chosen = session.ask("codeAction/resolve", invert.clone());
    assert_eq!(applied(text, &chosen["edit"]["changes"][&uri]), "tree t { invert { success } }\n");
    // The text changes between the offer and the choice.
    let changes = json!([{ "text": "tree t { failure }\n" }]);
    session.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": changes }),
    );
    let (_, why) = session.refused("codeAction/resolve", invert);
    assert!(why.contains("has changed"), "{why}");
    session.end();
}

#[test]
fn findings_of_rules_have_their_edits() {
    let text = "action go()\n\ntree t\n{\n\t$force success { invert { action go } }\n}\n";
    let (mut session, text, list) = actions(text, true, None);
    let mend = list.iter().find(|it| it["diagnostics"][0]["code"] == "L006").expect("the action");
    assert!(mend["title"].as_str().is_some_and(|title| title.starts_with("Mend: ")), "{mend}");
    let uri = session.folder.uri("a.pleach");
    let new = applied(&text, &mend["edit"]["changes"][uri]);
    assert_eq!(new, text.replace("force success { invert { action go } }", "force success { action go }"));
    session.end();
}

#[test]
fn edits_of_rules_are_held_back_until_they_are_chosen() {
    let text = "action go()\n\ntree t\n{\n\tforce success { invert { action go } }\n}\n";
    let mut session = Session::with(&[("a.pleach", text)], resolving(), json!({}));
    let found = session.findings("a.pleach", |it| it.as_array().is_some_and(|it| !it.is_empty()));
    let uri = session.folder.uri("a.pleach");
    let (range, context) = (found[0]["range"].clone(), json!({ "diagnostics": found }));
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
    let actions = session.ask("textDocument/codeAction", params);
    let is_mend = |it: &&Value| it["title"].as_str().is_some_and(|title| title.starts_with("Mend: "));
    let mut mend = actions.as_array().expect("actions").iter().find(is_mend).expect("the action").clone();
    assert!(mend["edit"].is_null(), "{mend}");
    let chosen = session.ask("codeAction/resolve", mend.clone());
    let new = applied(text, &chosen["edit"]["changes"][&uri]);
    assert_eq!(new, text.replace("force success { invert { action go } }", "force success { action go }"));
    // A client may change the data.
    mend["data"]["change"]["mend"] = json!([[[5, 9999], ""]]);
    let (_, why) = session.refused("codeAction/resolve", mend);
    assert!(why.contains("not within the text"), "{why}");
    session.end();
}
