//! `pleach lint`: findings in all forms, configuration, comments, and changes that mend.

use crate::folder::Folder;
use serde_json::{Value, json};

const TREE: &str = "action roam()\ntree main\n{\n\tselector\n\t{\n\t\taction roam\n\t}\n}\n";

#[test]
fn findings_stand_beside_those_of_the_compiler() {
    let folder = Folder::new("lint_findings");
    folder.file("a.pleach", format!("var unused: int\n{TREE}"));
    let ran = folder.pleach(&["lint", "a.pleach"]).exits(0);
    assert!(ran.err.contains("warning[L010]: this `selector` has one child"), "{}", ran.err);
    assert!(ran.err.contains("--> a.pleach:5:2") && ran.err.contains("warning[W0606]"), "{}", ran.err);
    assert!(ran.err.ends_with("1 file: 2 warnings\n"), "{}", ran.err);
    assert_eq!(folder.pleach(&["check", "--lint", "a.pleach"]).exits(0).err, ran.err);
    let plain = folder.pleach(&["check", "a.pleach"]).exits(0);
    assert!(!plain.err.contains("L010"), "{}", plain.err);
}

#[test]
fn the_nearest_configuration_counts() {
    let folder = Folder::new("lint_settings");
    folder.file("pleach.toml", "[lint]\nL010 = \"error\"\n").file("bots/a.pleach", TREE);
    let ran = folder.pleach(&["lint", "bots/a.pleach"]).exits(1);
    assert!(ran.err.contains("error[L010]"), "{}", ran.err);
    folder.file("bots/pleach.toml", "[lint]\nL010 = \"off\"\n");
    assert_eq!(folder.pleach(&["lint", "bots"]).exits(0).err, "1 file: no problems\n");
    folder.file("bots/pleach.toml", "[lint]\nL010 = 7\nL999 = \"off\"\n");
    let ran = folder.pleach(&["lint", "bots"]).exits(1);
    assert!(
        ran.err.contains("pleach.toml:2:1") && ran.err.contains("there is no rule `L999`"),
        "{}",
        ran.err
    );
}

#[test]
fn comments_allow_findings_and_idle_ones_are_told() {
    let folder = Folder::new("lint_comments");
    let with = |comment: &str| TREE.replace("\tselector", &format!("\t{comment}\n\tselector"));
    folder.file("a.pleach", with("// pleach: allow L010 more will follow"));
    assert_eq!(folder.pleach(&["lint", "a.pleach"]).exits(0).err, "1 file: no problems\n");
    folder.file("a.pleach", with("// pleach: allow L010"));
    assert!(folder.pleach(&["lint", "a.pleach"]).exits(0).err.contains("L091"));
    folder.file("a.pleach", with("// pleach: allow L030 no wait here"));
    let err = folder.pleach(&["lint", "a.pleach"]).exits(0).err;
    assert!(err.contains("L090") && err.contains("L010"), "{err}");
}

#[test]
fn fixes_are_made() {
    let folder = Folder::new("lint_fix");
    folder.file(
        "a.pleach",
        "action roam()\ntree main { invert { selector { sequence { invert { action roam } } } } }\n",
    );
    let ran = folder.pleach(&["lint", "--fix", "a.pleach"]).exits(0);
    assert!(ran.err.ends_with("1 file: no problems\n"), "{}", ran.err);
    let text = std::fs::read_to_string(folder.0.join("a.pleach")).expect("the file");
    let words: Vec<_> = text.split_whitespace().collect();
    assert_eq!(words.join(" "), "action roam() tree main { action roam }");
    let ran = folder.fed(&["lint", "--dialect=pleach", "-"], TREE.as_bytes()).exits(0);
    assert!(ran.err.contains("L010") && ran.err.contains("<stdin>:4:2"), "{}", ran.err);
    let ran = folder.pleach(&["lint", "--fix", "-"]).exits(2);
    assert!(ran.err.contains("standard input cannot be mended"), "{}", ran.err);
}

#[test]
fn a_folder_is_all_its_trees_and_names_may_be_used_elsewhere() {
    let folder = Folder::new("lint_folder");
    let library = "action roam()\nquery post: int\ntree idle { action roam }\n";
    let user = "include \"idle.pleach\"\nvar at: int\ntree main { while at == post { use idle } }\n";
    folder.file("bots/idle.pleach", library).file("bots/main.pleach", user);
    let alone = folder.pleach(&["lint", "bots/idle.pleach"]).exits(0);
    assert!(alone.err.contains("L063"), "{}", alone.err);
    assert_eq!(folder.pleach(&["lint", "bots"]).exits(0).err, "2 files: no problems\n");
    folder.file("empty/readme", "nothing");
    assert!(folder.pleach(&["lint", "empty"]).exits(2).err.contains("there is no tree in it"));
}

#[test]
fn findings_hold_in_all_programs_and_fixes_are_made_in_named_files() {
    let folder = Folder::new("lint_shared");
    let head = "action go()\nvar x: int\n";
    let library = format!("{head}tree walk {{ timeout 2 s {{ if x > 0 {{ action go }} }} }}\n");
    let user = |tree: &str| format!("include \"lib.pleach\"\ntree main {{ {tree} }}\n");
    folder.file("bots/lib.pleach", &library);
    folder.file("bots/a.pleach", user("while x <= 0 { use walk }")).file("bots/b.pleach", user("use walk"));
    let text = || std::fs::read_to_string(folder.0.join("bots/lib.pleach")).expect("the file");
    let alone = folder.pleach(&["lint", "bots/a.pleach"]).exits(0).err;
    assert!(alone.contains("L033") && alone.contains("L041"), "{alone}");
    let both: [&[&str]; 2] = [&["bots/a.pleach", "bots/b.pleach"], &["bots"]];
    for files in both {
        let err = folder.pleach(&[&["lint", "--fix"], files].concat()).exits(0).err;
        assert!(err.ends_with("files: no problems\n") && !err.contains("mended"), "{err}");
    }
    let err = folder.pleach(&["lint", "--fix", "bots/a.pleach"]).exits(0).err;
    assert!(!err.contains("mended") && text() == library, "{err}");
    // A program in which the node never begins has no say.
    folder.file("bots/b.pleach", user("sequence { action go }"));
    let err = folder.pleach(&["lint", "bots/a.pleach", "bots/b.pleach"]).exits(0).err;
    assert!(err.contains("L033") && err.contains("L041"), "{err}");
}

#[test]
fn json_has_edits() {
    let folder = Folder::new("lint_json");
    let rows = folder.file("a.pleach", TREE).pleach(&["lint", "--format=json", "a.pleach"]).exits(0).json();
    assert_eq!((&rows[0]["code"], &rows[0]["severity"]), (&json!("L010"), &json!("warning")));
    let edits = rows[0]["edits"].as_array().expect("edits");
    assert_eq!((edits.len(), &edits[0]["line"], &edits[0]["text"]), (2, &json!(4), &json!("")));
}

#[test]
fn junit_has_a_failed_test_for_each_finding() {
    let folder = Folder::new("lint_junit");
    let ran = folder.file("a.pleach", TREE).pleach(&["lint", "--format=junit", "a.pleach"]).exits(0);
    assert!(ran.out.contains("tests=\"1\" failures=\"1\""), "{}", ran.out);
    assert!(ran.out.contains("<testcase classname=\"a.pleach\" name=\"L010\""), "{}", ran.out);
    folder.file("b.pleach", "tree main { wait 1 s }\n");
    let ran = folder.pleach(&["check", "--format=junit", "b.pleach"]).exits(0);
    assert!(ran.out.contains("tests=\"1\" failures=\"0\""), "{}", ran.out);
}

#[test]
fn sarif_has_rules_places_and_fixes() {
    let folder = Folder::new("lint_sarif");
    folder.file("my bots/a.pleach", format!("/* ä */ {}", TREE.replace('\n', " ")));
    let ran = folder.pleach(&["lint", "--format=sarif", "my bots/a.pleach"]).exits(0);
    let log: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(
        (&run["tool"]["driver"]["name"], &run["columnKind"]),
        (&json!("pleach"), &json!("unicodeCodePoints"))
    );
    let result = &run["results"][0];
    assert_eq!(
        (&result["ruleId"], &result["level"], &result["ruleIndex"]),
        (&json!("L010"), &json!("warning"), &json!(0))
    );
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "L010");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "my%20bots/a.pleach");
    // Columns count characters: one fewer than bytes behind the `ä`.
    let column = place["region"]["startColumn"].as_u64().expect("a column") as usize;
    let text = std::fs::read_to_string(folder.0.join("my bots/a.pleach")).expect("the file");
    let marked: String = text.chars().skip(column - 1).take(8).collect();
    assert_eq!(marked, "selector");
    let replacements = result["fixes"][0]["artifactChanges"][0]["replacements"].as_array().expect("changes");
    assert_eq!(replacements.len(), 2);
    assert_eq!(result["relatedLocations"][0]["message"]["text"], "this is the child");
}

#[test]
fn rules_are_listed() {
    let ran = Folder::new("lint_rules").pleach(&["lint", "--rules"]).exits(0);
    assert!(ran.out.starts_with("L001  warning  never begins: child that can never begin\n"), "{}", ran.out);
    assert!(ran.out.lines().count() > 35 && ran.out.contains("L051  off "), "{}", ran.out);
}

#[test]
fn trees_of_other_dialects_have_the_rules_about_nodes() {
    let folder = Folder::new("lint_bt");
    let with = |comment: &str| {
        let first = "decorator return( STATUS_SUCCESS ) { action roam() }";
        format!("selector\n{{\n\t{first}\n\t{comment}\n\taction heal()\n}}\n")
    };
    let ran = folder.file("a.bt", with("")).pleach(&["lint", "a.bt"]).exits(0);
    assert!(ran.err.contains("warning[L001]: this `action` never begins"), "{}", ran.err);
    // Lists of other dialects are not looked at.
    folder.file("pleach.toml", "[lint]\nL012 = \"error\"\n");
    folder.file("b.bt", "selector\n{\n\taction heal()\n\taction heal()\n}\n");
    assert_eq!(folder.pleach(&["lint", "b.bt"]).exits(0).err, "1 file: no problems\n");
    let ran = folder.file("a.bt", with("// pleach: allow L001 not yet")).pleach(&["lint", "a.bt"]).exits(0);
    assert_eq!(ran.err, "1 file: no problems\n");
}
