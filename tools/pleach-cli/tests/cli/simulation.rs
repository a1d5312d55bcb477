//! Running and tracing without a game.

use crate::folder::{Folder, Ran};
use pleach_compile::dialect::by_name;
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile};
use std::path::Path;

fn examples() -> Folder {
    Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/examples/unvanquished"))
}

/// The trees of the examples, all their errors shown.
#[test]
fn examples_are_right() {
    let ran = examples().pleach(&["check", "recover.bt", "guard.bt", "medic.bt", "builder.bt", "raider.bt"]);
    assert_eq!(ran.exits(0).err, "5 files: no problems\n");
}

/// Returns a number of the summary's table.
fn ticks(ran: &Ran, status: &str) -> usize {
    let row = ran.out.lines().find_map(|line| line.trim().strip_prefix(status)).unwrap_or_default();
    row.split_whitespace().next().unwrap_or("0").replace(',', "").parse().expect("a number")
}

/// The traces of all agents add up to the summary of the crowd.
#[test]
fn traces_tell_what_the_crowd_did() {
    for tree in ["guard.bt", "medic.bt", "builder.bt", "raider.bt"] {
        let ran = examples().pleach(&["run", tree, "--agents=5", "--ticks=40", "--seed=7"]).exits(0);
        let traces: String = (0..5)
            .map(|agent| {
                examples().pleach(&["trace", tree, "--agent", &agent.to_string(), "--ticks=40", "--seed=7"])
            })
            .map(|ran| ran.exits(0).out)
            .collect();
        for status in ["success", "failure", "running"] {
            let ended = |line: &&str| line.starts_with("tick ") && line.ends_with(&format!(": {status}"));
            assert_eq!(
                traces.lines().filter(ended).count(),
                ticks(&ran, status),
                "{tree} {status}\n{}",
                ran.out
            );
        }
    }
}

/// Returns the rows of a table of the summary.
fn rows(ran: &Ran, table: &str) -> Vec<String> {
    let behind = ran.out.lines().skip_while(|line| !line.trim().starts_with(table)).skip(1);
    behind.take_while(|line| !line.is_empty()).map(|line| line.trim().to_owned()).collect()
}

/// Whatever instruction asks it.
#[test]
fn actions_have_names() {
    for tree in ["unvanquished/guard.bt", "dragengine/guard.debt", "pleach/guard.pleach"] {
        let folder = Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/examples"));
        let ran = folder.pleach(&["run", tree, "--agents=50", "--ticks=50"]).exits(0);
        let rows = rows(&ran, "busiest actions");
        assert!(!rows.is_empty(), "{tree}: {}", ran.out);
        for row in rows {
            assert!(row.starts_with(char::is_alphabetic), "{tree}: {row}");
        }
    }
}

#[test]
fn events_that_nothing_raises_are_named() {
    let folder = Folder::new("events_never_raised");
    let events = "var n: int on hit { set n = 1 } on calm { set n = 0 } on lost { set n = 2 }";
    folder.file("some.pleach", format!("{events} tree some {{ sequence {{ set n = 3 raise calm }} }}"));
    folder
        .file("all.pleach", "var n: int on hit { set n = 1 } tree all { sequence { set n = 3 raise hit } }");
    folder.file("far.pleach", "on hit { } tree far { sequence { raise hit to all running } }");
    folder.file("calm.pleach", "tree calm { success }");
    let run = |file| folder.pleach(&["run", file, "--agents=5", "--ticks=5"]).exits(0).out;
    let some = run("some.pleach");
    assert!(some.contains("\n  events never raised: hit, lost\n"), "{some}");
    for file in ["all.pleach", "far.pleach", "calm.pleach"] {
        assert!(!run(file).contains("never raised"), "{}", run(file));
    }
    let help = folder.pleach(&["run", "--help"]).exits(0).out;
    assert!(help.contains("names the events that are never raised"), "{help}");
}

/// Returns all but the line that tells the time.
fn timeless(ran: Ran) -> Vec<String> {
    ran.out.lines().filter(|line| !line.contains(" per millisecond")).map(str::to_owned).collect()
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run =
        |seed: &str| timeless(examples().pleach(&["run", "guard.bt", "--ticks=50", "--seed", seed]).exits(0));
    assert_eq!(run("3"), run("3"));
    assert_ne!(run("3"), run("4"));
}

#[test]
fn traces_speak_of_the_source() {
    let folder = Folder::new("trace");
    folder.file(
        "a.bt",
        "#define GO action roamInRadius( E_SELF, 50 )\nselector\n{\n\tcondition team < 0\n\tbehavior b\n}\n",
    );
    folder.file("b.bt", "#define GO action roamInRadius( E_SELF, 50 )\nsequence\n{\n\tGO\n\tGO\n}\n");
    let ran = folder.pleach(&["trace", "a.bt", "--ticks=30"]).exits(0);
    for line in [
        "tick 1, 50 ms: ",
        "  tree a ",
        "    selector ",
        "      condition team < 0 ",
        "        ? team() = ",
        "      behavior b ",
        "        sequence ",
        "          action roamInRadius(22, 50) [fresh] ",
        "          action roamInRadius(22, 50) [goes on] ",
    ] {
        assert!(ran.out.lines().any(|it| it.starts_with(line)), "{line:?} in {}", ran.out);
    }
    assert!(ran.out.contains("b.bt:1, in macro `GO` at b.bt:4\n"), "{}", ran.out);
    // The call is told, not the tree again that it calls.
    assert!(!ran.out.contains("tree b"), "{}", ran.out);
}

/// Without debug information, the calls are still told.
#[test]
fn bare_images_are_traced() {
    let dialect = by_name("unvanquished").expect("a dialect");
    let manifest = dialect.own_manifest();
    let entries = ["a".to_owned()];
    let library = Texts::of("a", "bt", "condition team >= 0 { action roam() }");
    let image =
        compile(&library, Request { dialect, manifest: &manifest, entries: &entries, debug: false }).image;
    let folder = Folder::new("bare");
    let ran =
        folder.file("a.plc", image.expect("no errors")).pleach(&["trace", "a.plc", "--ticks=20"]).exits(0);
    assert!(
        ran.out.contains("\n  ? team() = ") && ran.out.contains("\n  action roam() [fresh] "),
        "{}",
        ran.out
    );
    assert!(folder.pleach(&["run", "a.plc"]).exits(0).out.contains("    roam() "));
}

/// Deep trees take no deep stack and no long lines.
#[test]
fn deep_trees_are_traced() {
    let folder = Folder::new("deep");
    let depth = 5_000;
    folder.file("a.bt", format!("{}action roam(){}\n", "selector {\n".repeat(depth), "}".repeat(depth)));
    let ran = folder.pleach(&["trace", "a.bt", "--ticks=1"]).exits(0);
    assert_eq!(ran.out.lines().filter(|line| line.contains("selector")).count(), depth);
    assert!(ran.out.lines().all(|line| line.len() < 200));
}
