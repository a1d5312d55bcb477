//! The project's own language: a file is a unit and holds several trees.

use crate::folder::Folder;
use std::path::Path;

fn examples() -> Folder {
    Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/examples/pleach"))
}

/// Three trees, of which one has a parameter.
fn trees(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("lib/host.pleach", "action go(far: float)\nquery near(place: int): float\n").file(
        "scout.pleach",
        "include \"lib/host.pleach\"\n\
         var fuel: uint8 = 9\nvar tired: bool\nworld var count: int\n\
         tree walk { sequence { action go(2.5) set fuel -= 1 set count += 1 set tired = fuel < 5 } }\n\
         tree scout { selector { condition near(4) > 7.5 use step(3) } }\n\
         tree step(far: int) { use walk }\n",
    );
    folder
}

#[test]
fn examples_are_right() {
    let names =
        ["builder.pleach", "common.pleach", "guard.pleach", "medic.pleach", "sentry.pleach", "tour.pleach"];
    let ran = examples().pleach(&[&["check"], &names[..]].concat());
    assert_eq!(ran.exits(0).err, "6 files: no problems\n");
    for name in names.iter().filter(|name| **name != "common.pleach") {
        examples().pleach(&["list", name]).exits(0);
        examples().pleach(&["run", name, "--agents=20", "--ticks=20"]).exits(0);
        examples().pleach(&["trace", name, "--ticks=3"]).exits(0);
    }
}

#[test]
fn all_trees_without_parameters_are_entries() {
    let folder = trees("entries");
    let ran = folder.pleach(&["build", "scout.pleach", "-o", "o.plc"]).exits(0);
    assert!(ran.err.starts_with("o.plc: 2 entries, "), "{}", ran.err);
    for file in ["scout.pleach", "o.plc"] {
        let first = if file == "o.plc" { "walk" } else { "scout" };
        assert!(folder.pleach(&["run", file, "--ticks=3"]).exits(0).out.contains(&format!("tree `{first}`")));
        let ran = folder.pleach(&["trace", file, "--ticks=3", "--entry", "walk"]).exits(0);
        assert!(ran.out.contains("of `walk`"), "{}", ran.out);
        for (name, trees) in [("step", "`walk`, `scout`"), ("scuot", "`scout`, `walk`")] {
            let err = folder.pleach(&["run", file, "--entry", name]).exits(2).err;
            assert!(err.contains(&format!("has no tree `{name}`; it has {trees}")), "{err}");
        }
    }
}

#[test]
fn entries_are_looked_for_by_every_command() {
    let folder = trees("every");
    for args in [&["check"][..], &["build", "-o", "o.plc"], &["list"], &["run"], &["trace"]] {
        let err = folder.pleach(&[args, &["scout.pleach", "--entry", "scuot"]].concat()).exits(2).err;
        assert!(err.contains("has no tree `scuot`; it has `scout`, `walk`"), "{args:?} {err}");
    }
    assert!(!folder.0.join("o.plc").exists());
}

#[test]
fn files_to_include_are_checked_but_not_built() {
    let folder = trees("included");
    folder.file("parts.pleach", "tree part(n: int) { wait n ticks }\n").file("no.pleach", "\n");
    folder.pleach(&["check", "lib/host.pleach", "parts.pleach", "no.pleach"]).exits(0);
    for file in ["lib/host.pleach", "parts.pleach", "no.pleach"] {
        assert!(folder.pleach(&["build", file, "-o", "o.plc"]).exits(1).err.contains("E0620"));
    }
    // With another file that has something to start, and includes one of them, it is read once.
    folder.pleach(&["build", "lib/host.pleach", "parts.pleach", "scout.pleach", "-o", "o.plc"]).exits(0);
    folder.file("parts.pleach", "tree part(n: int) { wait m ticks }\n");
    folder.pleach(&["check", "parts.pleach"]).exits(1);
}

#[test]
fn standard_input_holds_trees() {
    let folder = trees("stdin_trees");
    let text = b"include \"lib/host.pleach\" tree a { action go(1) } tree b { wait 2 ticks }";
    folder.fed(&["check", "-", "--dialect", "pleach"], text).exits(0);
    let out = folder.fed(&["run", "-", "--dialect=pleach", "--ticks=2"], text).exits(0).out;
    assert!(out.starts_with("<stdin>: tree `a`"), "{out}");
    let out = folder.fed(&["trace", "-", "--dialect=pleach", "--ticks=2", "--entry=b"], text).exits(0).out;
    assert!(out.contains("wait 2 ticks  "), "{out}");
    let err = folder.fed(&["run", "-", "--dialect=pleach", "--entry=c"], text).exits(2).err;
    assert!(err.contains("<stdin> has no tree `c`; it has `a`, `b`"), "{err}");
}

/// Answers of a query are the numbers that the tree compares it with, and their neighbors, for each
/// type of the query.
#[test]
fn conditions_come_out_both_ways() {
    let folder = Folder::new("both_ways");
    folder.file(
        "a.pleach",
        "query near: float query rank: int query seen: bool \
         tree a { parallel (succeed all, fail all)\n{\n\
         condition near > 7.5\ncondition 40 == rank\ncondition seen\n} }",
    );
    let out = folder.pleach(&["trace", "a.pleach", "--ticks=60"]).exits(0).out;
    for condition in ["near > 7.5", "40 == rank", "seen"] {
        for status in ["success", "failure"] {
            let told =
                |line: &str| line.contains(&format!("condition {condition} ")) && line.contains(status);
            assert!(out.lines().any(told), "{condition} {status}");
        }
    }
    for answer in ["near() = 7.5", "near() = 11.25", "rank() = 39", "rank() = 40", "seen() = 0", "seen() = 1"]
    {
        assert!(out.contains(&format!("? {answer}\n")), "{answer}");
    }
}

#[test]
fn traces_tell_what_variables_hold() {
    let folder = Folder::new("variables");
    folder.file(
        "a.pleach",
        "var ammo: int8 = 3\nvar half: float\nvar empty: bool\ngroup var shots: int\nworld var alarm: bool\n\
         tree a { sequence { set ammo -= 1 set half = ammo / 2.0 set empty = ammo < 1 \
         set shots += 1 set alarm = true } }",
    );
    let out = folder.pleach(&["trace", "a.pleach", "--ticks=3", "--agents=4", "--agent=2"]).exits(0).out;
    let lines: Vec<_> = out.lines().filter_map(|line| line.strip_prefix("  = ")).collect();
    assert_eq!(
        lines,
        [
            "empty false, ammo 2, half 1, group shots 4, world alarm true",
            "empty false, ammo 1, half 0.5, group shots 8, world alarm true",
            "empty true, ammo 0, half 0, group shots 12, world alarm true",
        ]
    );
}

/// Chance, shared variables, limits and events are the same in a trace as in the crowd.
#[test]
fn traces_tell_what_the_crowd_did() {
    for tree in ["guard", "medic", "builder", "tour"] {
        let file = format!("{tree}.pleach");
        let ran = examples().pleach(&["run", &file, "--agents=6", "--ticks=40", "--seed=5"]).exits(0);
        let trace = |agent: usize| {
            let agent = agent.to_string();
            let args = ["trace", &file, "--agents=6", "--ticks=40", "--seed=5", "--agent", &agent];
            examples().pleach(&args).exits(0).out
        };
        let traces: String = (0..6).map(trace).collect();
        for status in ["success", "failure", "running"] {
            let ended = |line: &&str| line.starts_with("tick ") && line.ends_with(&format!(": {status}"));
            let row = ran.out.lines().find_map(|line| line.trim().strip_prefix(status)).unwrap_or_default();
            let told: usize =
                row.split_whitespace().next().unwrap_or("0").replace(',', "").parse().expect("a number");
            assert_eq!(traces.lines().filter(ended).count(), told, "{tree} {status}\n{}", ran.out);
        }
    }
}
