//! Messages of `check` and `build` about trees with errors.

use crate::folder::Folder;

const BAD: &str = "selector\n{\n\taction haeal()\n\tcondition tema == 1 { action roam() }\n}\n";

#[test]
fn all_errors_of_all_files_are_told() {
    let folder = Folder::new("all_errors");
    folder.file("a.bt", BAD).file("b.bt", "action nothing()\n").file("c.bt", "action roam()\n");
    let ran = folder.pleach(&["check", "a.bt", "b.bt", "c.bt"]).exits(1);
    for place in ["a.bt:3:9", "a.bt:4:12", "b.bt:1:8"] {
        assert!(ran.err.contains(place), "{place} in {}", ran.err);
    }
    assert!(ran.err.ends_with("3 files: 3 errors\n"), "{}", ran.err);
    assert!(ran.err.contains("heal"), "{}", ran.err);
    assert_eq!(ran.out, "");
}

#[test]
fn no_problems_is_an_answer() {
    let folder = Folder::new("no_problems");
    let ran = folder.file("a.bt", "action roam()\n").pleach(&["check", "a.bt"]).exits(0);
    assert_eq!(ran.err, "1 file: no problems\n");
}

#[test]
fn an_error_of_a_shared_tree_is_told_once() {
    let folder = Folder::new("shared");
    folder.file("a.bt", "behavior s\n").file("b.bt", "behavior s\n").file("s.bt", "action nothing()\n");
    let ran = folder.pleach(&["check", "a.bt", "b.bt", "s.bt"]).exits(1);
    assert_eq!(ran.err.matches("s.bt:1:8").count(), 1, "{}", ran.err);
}

#[test]
fn json_has_places() {
    let folder = Folder::new("json");
    let rows =
        folder.file("bots/a.bt", BAD).pleach(&["check", "--format", "json", "bots/a.bt"]).exits(1).json();
    assert_eq!(rows.len(), 2);
    let row = &rows[0];
    assert_eq!((&row["severity"], &row["code"]), (&"error".into(), &"E0402".into()));
    assert_eq!((&row["file"], &row["line"], &row["column"]), (&"bots/a.bt".into(), &3.into(), &9.into()));
    assert_eq!(row["end"], serde_json::json!({"line": 3, "column": 14}));
    assert!(row["message"].as_str().expect("text").contains("haeal"));
    assert_eq!(row["origins"], serde_json::json!([]));
}

#[test]
fn macros_and_includes_are_told() {
    let folder = Folder::new("origins");
    folder.file("bots/lib.bt", "#define GO action nothing()\n");
    folder.file("bots/a.bt", "#include \"bots/lib.bt\"\nselector { GO }\n");
    let ran = folder.pleach(&["check", "bots/a.bt"]).exits(1);
    assert!(ran.err.contains("--> bots/lib.bt:1:19"), "{}", ran.err);
    assert!(ran.err.contains("in this expansion of macro `GO`"), "{}", ran.err);
    let rows = folder.pleach(&["check", "--format=json", "bots/a.bt"]).exits(1).json();
    let origin = &rows[0]["origins"][0];
    assert_eq!((&origin["kind"], &origin["name"]), (&"macro".into(), &"GO".into()));
    assert_eq!(
        (&origin["file"], &origin["line"], &origin["column"]),
        (&"bots/a.bt".into(), &2.into(), &12.into())
    );
}

#[test]
fn bytes_that_are_no_text_keep_their_columns() {
    let folder = Folder::new("bytes");
    folder.file("a.bt", b"selector { /* \xff\xfe */ action nothing() }\n");
    let ran = folder.pleach(&["check", "a.bt"]).exits(1);
    assert!(ran.err.contains("a.bt:1:28"), "{}", ran.err);
    let mut lines = ran.err.lines().skip_while(|line| !line.starts_with("1 |"));
    let (text, marks) = (lines.next().expect("the line"), lines.next().expect("the marks"));
    let column =
        text.chars().collect::<Vec<_>>().windows(7).position(|it| it.iter().collect::<String>() == "nothing");
    assert_eq!(marks.chars().position(|it| it == '^'), column, "{text}\n{marks}");
}

#[test]
fn terminals_are_not_commanded() {
    let folder = Folder::new("escapes");
    folder.file("a.bt", "behavior \"\u{1b}[31mred\"\n");
    let ran = folder.pleach(&["check", "a.bt"]).exits(1);
    assert!(!ran.err.contains('\u{1b}'), "{:?}", ran.err);
}

#[test]
fn huge_lines_are_not_shown() {
    let folder = Folder::new("huge");
    let text =
        format!("selector {{ {} action nothing() }}", "action roam() ".repeat(10).repeat(100_000 / 140));
    let ran =
        folder.file("a.bt", format!("/* {} */ {text}", "x".repeat(5_000_000))).pleach(&["check", "a.bt"]);
    let ran = ran.exits(1);
    assert!(ran.err.contains("a.bt:1:") && ran.err.len() < 2_000, "{} bytes", ran.err.len());
}

#[test]
fn manifests_are_read_and_their_problems_told() {
    let folder = Folder::new("manifest");
    folder.file("m", "manifest mine\naction dance(steps: int)\n").file("a.bt", "action dance( 3 )\n");
    folder.pleach(&["check", "a.bt", "--manifest", "m"]).exits(0);
    folder.file("m", "manifest mine\naction dance(steps int)\ntree x\n");
    let ran = folder.pleach(&["check", "a.bt", "--manifest", "m"]).exits(1);
    assert!(ran.err.contains("m:2:1") && ran.err.contains("m:3:1"), "{}", ran.err);
    assert!(ran.err.ends_with("1 file: 2 errors\n"), "{}", ran.err);
}

#[test]
fn files_that_are_not_there_hide_no_errors() {
    let folder = Folder::new("missing");
    folder.file("b.bt", "action nothing()\n");
    let ran = folder.pleach(&["check", "a.bt", "b.bt"]).exits(2);
    assert!(ran.err.contains("cannot read a.bt") && ran.err.contains("b.bt:1:8"), "{}", ran.err);
}

#[test]
fn who_looks_for_events_is_told_how_one_is_declared() {
    let folder = Folder::new("declare_event");
    folder.file("bell.pleach", "event bell\ntree guard { success }\n");
    let err = folder.pleach(&["check", "bell.pleach"]).exits(1).err;
    assert!(err.contains("`event` begins no declaration") && err.contains("`on` (an event)"), "{err}");
}
