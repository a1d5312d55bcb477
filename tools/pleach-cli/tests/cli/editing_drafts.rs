//! `pleach view --edit`: drafts get the answers of the language server, trials and pictures. None
//! of these commands changes anything.

use crate::editing::{Editor, GUARD, edit};
use crate::folder::Folder;
use crate::served::Served;
use serde_json::json;

#[test]
fn drafts_are_completed_explained_and_checked() {
    let folder = Folder::new("edit_drafts");
    folder.file("guard.pleach", GUARD);
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    let text = GUARD.replace("action walk(3)", "action wa");
    let (line, row) =
        text.lines().enumerate().find(|(_, row)| row.ends_with("action wa")).expect("it is there");
    let character = row.len();
    let at = |command: &str| json!({ "do": command, "file": 0, "text": text, "line": line, "character": character });
    let items = editor.done(&at("completion"))["items"].clone();
    // The editor leaves out those that do not begin as the word does.
    let mut known = items.as_array().expect("a list").iter();
    let walk = known.find(|item| item["label"] == "walk").expect("it is declared");
    assert_eq!(walk["textEdit"]["newText"], "walk(${1:post})");
    let mut hover = at("hover");
    hover["text"] = json!(GUARD);
    let meaning = editor.done(&hover)["hover"]["contents"]["value"].clone();
    assert!(meaning.as_str().is_some_and(|it| it.contains("action walk(post: int)")), "{meaning}");
    let items = editor.done(&json!({ "do": "diagnostics", "file": 0, "text": text }))["items"].clone();
    assert_eq!(items[0]["range"]["start"]["line"], json!(line));
    editor.refused(&json!({ "do": "diagnostics", "file": 7, "text": text }), "there is no file 7");
    let long = "x".repeat((1 << 20) + 1);
    editor.refused(
        &json!({ "do": "completion", "file": 0, "text": long, "line": 0, "character": 0 }),
        "at most 1 MiB",
    );
    assert_eq!((editor.text(), editor.state()), (GUARD, "saved"));
}

#[test]
fn trials_and_pictures_compare_with_the_saved_trees() {
    let folder = Folder::new("edit_trial");
    folder.file("guard.pleach", GUARD);
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=300"]);
    let mut editor = Editor::of(&served);
    let tried = json!({ "do": "try", "percent": 1.0, "drafts": [] });
    editor.refused(&tried, "nothing differs");
    let draft = json!({ "file": 0, "text": GUARD.replace("action walk(3)", "failure") });
    let trial = editor.done(&json!({ "do": "try", "percent": 1.0, "drafts": [draft] }))["trial"].clone();
    assert_eq!((&trial["agents"], &trial["ticks"], &trial["time"]), (&json!(3), &json!(600), &json!(30_000)));
    // Guards that see nobody walk; without the walk, each of their ticks fails.
    assert_eq!(trial["edited"]["statuses"], json!([1800, 0, 0, 0, 0]));
    let saved: u64 = (0..5).map(|at| trial["saved"]["statuses"][at].as_u64().expect("a number")).sum();
    assert!(saved == 1800 && trial["saved"] != trial["edited"], "{trial}");
    let nodes = trial["nodes"].as_array().expect("a list");
    assert!(nodes.iter().any(|it| it["label"] == "action walk" && it["edited"].is_null()), "{trial}");
    let compared = editor.done(&json!({ "do": "compare", "drafts": [draft] }))["comparison"].clone();
    assert_eq!(compared["count"], 2);
    assert!(compared["picture"].as_str().is_some_and(|it| it.starts_with("<svg") && it.contains("failure")));
    // Without a draft, the unsaved text is compared.
    editor.edit(&json!({ "op": "disable", "node": 6 }));
    let trial = editor.done(&json!({ "do": "try", "percent": 50.0, "drafts": [] }))["trial"].clone();
    assert_eq!((&trial["agents"], &trial["ticks"]), (&json!(150), &json!(600)));
    for percent in [0.0, -1.0, 101.0] {
        editor.refused(&json!({ "do": "try", "percent": percent, "drafts": [draft] }), "from above 0 to 100");
    }
    let wrong = json!({ "file": 0, "text": GUARD.replace("walk(3)", "wolk(3)") });
    editor.refused(&json!({ "do": "try", "percent": 1.0, "drafts": [wrong] }), "wolk");
    editor.refused(&edit(&json!({ "op": "enable", "node": 0 })), "not disabled");
    assert_eq!(folder.text("guard.pleach"), GUARD);
}

/// Two drafts, neither of which compiles without the other one.
#[test]
fn drafts_of_all_files_are_tried_and_compared() {
    let folder = Folder::new("edit_trial_files");
    let (guard, common) = ("include \"common.pleach\"\ntree guard { action walk }\n", "action walk()\n");
    folder.file("guard.pleach", guard).file("common.pleach", common);
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    let guard = json!({ "file": 0, "text": guard.replace("walk", "roam") });
    let common = json!({ "file": 1, "text": common.replace("walk", "roam") });
    for command in ["try", "compare"] {
        let with = |drafts| json!({ "do": command, "percent": 100.0, "drafts": drafts });
        editor.done(&with(json!([guard, common])));
        let answer = editor.refused(&with(json!([common])), "walk");
        let finding = &answer["findings"][0];
        assert_eq!((&finding["place"], &finding["line"]), (&json!(0), &json!(2)), "{command}: {answer}");
    }
}

#[test]
fn errors_of_the_saved_trees_are_not_those_of_a_draft() {
    let folder = Folder::new("edit_trial_saved");
    folder.file("guard.pleach", GUARD);
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    editor.edit(&json!({ "op": "disable", "node": 6 }));
    folder.file("guard.pleach", GUARD.replace("walk(3)", "wolk(3)"));
    editor.until(|sources| sources["files"][0]["state"] == "conflict");
    for command in ["try", "compare"] {
        let told = json!({ "do": command, "percent": 100.0, "drafts": [] });
        let answer = editor.refused(&told, "the saved trees have errors");
        let error = answer["error"].as_str().expect("a sentence");
        assert!(error.contains("wolk") && answer["findings"].is_null(), "{command}: {answer}");
    }
}

#[test]
fn nodes_tell_by_which_node_they_are_disabled() {
    let folder = Folder::new("edit_disabled");
    folder.file("guard.pleach", "tree guard\n{\n\tsequence { success running }\n}\n");
    let served = Served::new(&folder, &["view", "--edit", "guard.pleach", "--agents=5"]);
    let mut editor = Editor::of(&served);
    let disabled_by = |editor: &Editor| {
        let nodes = editor.sources["files"][0]["nodes"].as_array().expect("a list").iter();
        nodes.map(|row| row[5].as_i64().expect("a number")).collect::<Vec<_>>()
    };
    assert_eq!(disabled_by(&editor), [-1, -1, -1]);
    editor.edit(&json!({ "op": "disable", "node": 1 }));
    // The success is in `force success { if false { success } }` now.
    assert_eq!(disabled_by(&editor), [-1, 1, 1, 1, -1]);
    editor.edit(&json!({ "op": "enable", "node": 3 }));
    assert_eq!(disabled_by(&editor), [-1, -1, -1]);
}
