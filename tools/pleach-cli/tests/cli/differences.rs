//! `pleach diff`: differences in words, as JSON and as a picture, and in git.

use crate::folder::Folder;
use std::process::Command;

const OLD: &str =
    "action heal()\naction shoot()\naction roam()\nquery alert: bool\nquery near: bool\nvar ammo: int8 = 6\n
tree guard
{
	selector
	{
		while near { cooldown 500 ms { action shoot } }
		while alert { action heal }
		action roam
	}
}
";

fn compared(name: &str, new: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    folder.file("old/guard.pleach", OLD).file("new/guard.pleach", new);
    let ran = folder.pleach(&["diff", "old/guard.pleach", "new/guard.pleach"]).exits(1);
    (folder, ran.out)
}

#[test]
fn comments_and_white_space_are_no_difference() {
    let folder = Folder::new("diff_same");
    let new = format!(
        "// a guard\n{}",
        OLD.replace('\t', "  ").replace("{ action heal }", "{\n// well\naction heal }")
    );
    folder.file("old.pleach", OLD).file("new.pleach", new);
    let ran = folder.pleach(&["diff", "old.pleach", "new.pleach"]).exits(0);
    assert_eq!(ran.out, "");
    folder.pleach(&["build", "old.pleach", "-o", "old.plc"]).exits(0);
    assert_eq!(folder.pleach(&["diff", "old.plc", "new.pleach"]).exits(0).out, "");
}

#[test]
fn changed_values_are_told() {
    let new = OLD.replace("500 ms", "800 ms").replace("ammo: int8 = 6", "ammo: int8 = 8");
    let (folder, out) = compared("diff_values", &new);
    assert!(out.contains("~ cooldown 500 ms -> cooldown 800 ms  (guard.pleach:"), "{out}");
    assert!(out.contains("declarations\n  ~ var ammo: int8 = 6 -> int8 = 8\n"), "{out}");
    assert!(out.ends_with("2 differences\n"), "{out}");
    let rows =
        folder.pleach(&["diff", "--format", "json", "old/guard.pleach", "new/guard.pleach"]).exits(1).json();
    assert_eq!((rows.len(), rows[1]["change"].as_str()), (2, Some("changed")));
    for (name, text) in [("old.plc", "old/guard.pleach"), ("new.plc", "new/guard.pleach")] {
        folder.pleach(&["build", text, "-o", name]).exits(0);
    }
    let images = folder.pleach(&["diff", "old.plc", "new.plc"]).exits(1).out;
    assert!(images.contains("500") && images.contains("800"), "{images}");
}

#[test]
fn expressions_are_told_as_the_language_writes_them() {
    let folder = Folder::new("diff_expressions");
    let text = |score: &str, who: &str, text: &str| {
        format!(
            "action a() action find(out who: entity)\nvar x: float var y: float var one: entity var other: entity\n\
             var said: text\ntree main {{ utility {{ {score}: action a 0.5: action find({who}) \
             0.1: condition said == \"{text}\" }} }}"
        )
    };
    let long = "m".repeat(200);
    folder.file("old/main.pleach", text("curve(x, 0: 1, 30: 0.25)", "one", &format!("{long}1")));
    folder.file("new/main.pleach", text("curve(x, 0: 1, 40: 0.25)", "other", &format!("{long}2")));
    folder.file("third/main.pleach", text("smooth(x, 1, y * 2)", "one", &format!("{long}1")));
    let out = folder.pleach(&["diff", "old/main.pleach", "new/main.pleach"]).exits(1).out;
    let score = "utility curve(x, 0: 1, 30: 0.25), 0.5, 0.1 -> utility curve(x, 0: 1, 40: 0.25), 0.5, 0.1";
    for line in [score, "out who one -> out who other", &format!("{long}1\" -> condition said")] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    let out = folder.pleach(&["diff", "old/main.pleach", "third/main.pleach"]).exits(1).out;
    assert!(out.contains("-> utility smooth(x, 1, y * 2), 0.5, 0.1"), "{out}");
}

#[test]
fn what_has_no_words_is_told_as_something_else() {
    let text = |condition: &str| format!("var x: float\ntree main {{ condition {condition} > 1 }}");
    let folder = Folder::new("diff_conversions");
    folder.file("old.pleach", text("int(x)")).file("new.pleach", text("x"));
    let out = folder.pleach(&["diff", "old.pleach", "new.pleach"]).exits(1).out;
    assert!(out.contains("~ something else than the words of nodes and declarations differs"), "{out}");
}

#[test]
fn branches_that_move_are_told_as_such() {
    let lines: Vec<_> = OLD.lines().collect();
    let near = lines.iter().position(|line| line.contains("while near")).expect("the line");
    let mut moved = lines.clone();
    moved.swap(near, near + 1);
    let (_, out) = compared("diff_moved", &(moved.join("\n") + "\n"));
    assert!(out.contains("tree guard\n  > while moved ") && out.ends_with("1 difference\n"), "{out}");
}

#[test]
fn new_and_lost_nodes_have_their_places() {
    let new = OLD
        .replace("\t\taction roam\n", "\t\tsequence { wait 1 s action roam }\n")
        .replace("while alert { action heal }", "success");
    let (folder, out) = compared("diff_nodes", &new);
    assert!(out.contains("- while alert removed from under selector"), "{out}");
    assert!(out.contains("+ sequence added under selector, behind success"), "{out}");
    assert!(out.contains("> action roam moved under sequence, behind wait"), "{out}");
    let svg =
        folder.pleach(&["diff", "--format", "svg", "old/guard.pleach", "new/guard.pleach"]).exits(1).out;
    for class in ["added", "removed", "moved"] {
        assert!(svg.contains(&format!("<g class=\"{class}\" data-place=")), "{class} in {svg}");
    }
}

#[test]
fn errors_are_told() {
    let folder = Folder::new("diff_errors");
    folder.file("a.pleach", OLD).file("b.pleach", "tree main { action nothing }\n");
    assert!(folder.pleach(&["diff", "a.pleach", "b.pleach"]).exits(1).err.contains("E0611"));
    assert!(folder.pleach(&["diff", "a.pleach"]).exits(2).err.contains("two files are compared"));
}

#[test]
fn git_shows_differences() {
    let folder = Folder::new("diff_git");
    let git = |args: &[&str]| {
        let command = Command::new("git").args(args).current_dir(&folder.0).env("GIT_PAGER", "cat").output();
        command.map(|done| (done.status.success(), String::from_utf8_lossy(&done.stdout).into_owned()))
    };
    if git(&["init", "-q", "."]).is_err() {
        println!("skipped: there is no git");
        return;
    }
    let run = |args: &[&str]| {
        let (is_well, out) = git(args).expect("git runs");
        assert!(is_well, "git {args:?}: {out}");
        out
    };
    folder.file(".gitattributes", "*.pleach diff=pleach\n");
    folder.file(
        "bots/lib.pleach",
        "action heal()\naction shoot()\naction roam()\nquery alert: bool\nquery near: bool\n",
    );
    let text = format!("include \"lib.pleach\"\n{}", &OLD[OLD.find("var ammo").expect("it")..]);
    folder.file("bots/guard.pleach", &text);
    let command = format!("{} diff --git", env!("CARGO_BIN_EXE_pleach"));
    run(&["config", "diff.pleach.command", &command]);
    run(&["add", "."]);
    run(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"]);
    folder.file("bots/guard.pleach", text.replace("500 ms", "800 ms"));
    let out = run(&["diff"]);
    assert!(
        out.contains("bots/guard.pleach\n") && out.contains("~ cooldown 500 ms -> cooldown 800 ms"),
        "{out}"
    );
    folder.file("bots/guard.pleach", text.replace('\t', " "));
    assert!(run(&["diff"]).contains("no change in meaning"));
}

/// Trees of all dialects, and images of them. The trees are those of the repository.
#[test]
fn trees_of_all_dialects_are_compared() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/examples");
    let folder = Folder::new("diff_dialects");
    let manifest = format!("{examples}/mbt/game.manifest");
    let trees: &[(&str, &[&str])] = &[
        ("unvanquished/guard.bt", &[]),
        ("btengine/camp.xml", &[]),
        ("dragengine/guard.debt", &[]),
        ("mbt/chase.xml", &["--manifest", &manifest]),
        ("bst", &["--entry", "Grunt"]),
    ];
    for (path, options) in trees {
        let file = format!("{examples}/{path}");
        let run = |args: &[&str]| folder.pleach(&[args, options].concat());
        let image = format!("{}.plc", path.replace(['/', '.'], "_"));
        run(&["build", &file, "-o", &image]).exits(0);
        assert_eq!(run(&["diff", &file, &file]).exits(0).out, "", "{path}");
        assert_eq!(run(&["diff", &image, &file]).exits(0).out, "", "{path}");
    }
    folder.file("old.bt", "selector { decorator timer( 200 ) { action roam() } action heal() }\n");
    folder.file("new.bt", "selector { decorator timer( 900 ) { action roam() } action heal() }\n");
    let out = folder.pleach(&["diff", "old.bt", "new.bt"]).exits(1).out;
    assert!(out.contains("decorator timer 200 ms -> decorator timer 900 ms"), "{out}");
}
