//! Tests of trees, and trees as pictures.

use crate::folder::Folder;
use pleach_tests::callgrind::Counted;
use std::path::Path;

const TREE: &str = "selector {\n\tsequence {\n\t\tcondition team < 1\n\t\taction fight()\n\t}\n\taction roamInRadius( E_SELF, 50 )\n}\n";

const TESTS: &str = "tree guard.bt\n\ntest fights its own\n\tquery team = 0\n\taction fight = running\n\ttick 2\n\texpect running\n\
                     \texpect calls fight\n\ntest roams\n\tquery team = 2\n\taction roamInRadius(22, 50) = success\n\ttick\n\
                     \texpect success\n\texpect no call fight\n";

fn folder(name: &str, tests: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("guard.bt", TREE);
    folder.file("guard.test", tests);
    folder
}

#[test]
fn tests_pass() {
    let ran = folder("tests_pass", TESTS).pleach(&["test", "guard.test"]).exits(0);
    let told = "guard.test: 2 tests\n  ok      fights its own\n  ok      roams\n";
    assert!(ran.out.starts_with(told), "{}", ran.out);
    assert!(ran.out.ends_with("nodes ran\n2 tests, 0 failed\n") && !ran.out.contains("never"), "{}", ran.out);
}

/// Values of enums have names in tests, in what they say and in what is told.
#[test]
fn members_of_enums_have_names() {
    let folder = Folder::new("members_in_tests");
    folder.file("mood.pleach", MOODS).file("mood.test", MOOD_TESTS);
    let ran = folder.pleach(&["test", "mood.test"]).exits(1);
    assert!(ran.out.contains("  ok      names\n  ok      numbers\n"), "{}{}", ran.out, ran.err);
    for message in [
        "`mood` holds wary",
        "the enum `Mood` has no member `happy`",
        "`wary` is neither a number nor `true` or `false`",
        "the last tick called: show(wary, 2)",
        "add `query near(wary) = 0`",
    ] {
        assert!(ran.err.contains(message), "{message} in {}", ran.err);
    }
}

const MOODS: &str = "enum Mood { calm, wary = 4 }\naction show(m: Mood, n: int)\nquery near(m: Mood): Mood\n\
                     var mood: Mood\nvar n: int = 2\nworld var all: Mood\n\
                     tree mood { sequence { set mood = near(wary) set all = mood action show(mood, n) } }\n";

const MOOD_TESTS: &str = "tree mood.pleach\n\n\
    test names\n\tset mood = calm\n\tquery near(wary) = wary\n\taction show(wary, 2) = success\n\ttick\n\
    \texpect calls show(wary, 2)\n\texpect mood = wary\n\texpect all = wary\n\
    test numbers\n\tset mood = 0\n\tquery near(4) = 4\n\taction show(4, 2) = success\n\ttick\n\
    \texpect calls show(4, 2)\n\texpect mood = 4\n\
    test held\n\tquery near = wary\n\taction show = success\n\ttick\n\texpect mood = calm\n\
    test unknown\n\tset mood = happy\n\
    test int\n\tset n = wary\n\
    test called\n\tquery near = wary\n\taction show = success\n\ttick\n\texpect calls show(calm, 2)\n\
    test unanswered\n\ttick\n";

/// Parts of vectors are set, given, called and expected by their names and places.
#[test]
fn vectors_are_known_by_their_parts() {
    let folder = Folder::new("vectors_in_tests");
    folder.file("go.pleach", VECTORS).file("go.test", VECTOR_TESTS);
    let ran = folder.pleach(&["test", "go.test"]).exits(1);
    assert!(ran.out.contains("  ok      goes\n"), "{}{}", ran.out, ran.err);
    for message in [
        "`home.y` holds 2",
        "there is no variable `home`",
        "`threat` answers a vector, whose parts are given: `give threat 1 = 0`",
        "add `give threat(out, out) 1 = 0`",
        "argument 3 of `threat` is no `out` argument",
    ] {
        assert!(ran.err.contains(message), "{message} in {}", ran.err);
    }
    let ran = folder.pleach(&["trace", "go.pleach", "--ticks", "1"]).exits(0);
    assert!(ran.out.contains("= home.x "), "{}", ran.out);
}

const VECTORS: &str = "action go(to: vec2)\nquery threat: vec2\nvar home: vec2 = vec2(1, 2)\n\
                       tree go { sequence { set home = home - threat action go(home) } }\n";

const VECTOR_TESTS: &str = "tree go.pleach\n\n\
    test goes\n\tset home.x = 5\n\tgive threat 1 = 3\n\taction go(2, 2) = running\n\ttick\n\
    \texpect calls go(2, 2)\n\texpect home.x = 2\n\texpect home.y = 2\n\
    test held\n\texpect home.y = 3\n\
    test whole\n\tset home = 3\n\
    test answered\n\tquery threat = 3\n\
    test unanswered\n\ttick\n\
    test given\n\tgive threat 3 = 1\n";

/// Calls of one query that leave out an argument have their answers at different places.
#[test]
fn answers_behind_arguments_that_may_be_left_out_are_given() {
    let folder = Folder::new("left_out_in_tests");
    folder
        .file("go.manifest", "action go(who: entity)\nquery who(a: int?) -> entity\nquery at(a: int?) -> vec2\n")
        .file(
            "go.pleach",
            "var target: entity var home: vec2 var other: vec2 tree go { sequence { set target = who() action go(target) \
             set target = who(1) action go(target) set other = at(1) set home = at() condition home.x == other.x } }\n",
        )
        .file(
            "go.test",
            "tree go.pleach\n\ntest asks\n\tquery who = 7\n\tquery who(1, out) = 8\n\taction go = success\n\
             \tgive at 1 = 2\n\tgive at(1, out, out) 2 = 2\n\ttick\n\texpect success\n\
             test unanswered\n\tquery who = 7\n\taction go = success\n\ttick\n",
        );
    let ran = folder.pleach(&["test", "go.test", "--manifest", "go.manifest"]).exits(1);
    assert!(ran.out.contains("  ok      asks\n"), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("add `give at(1, out, out) 2 = 0`"), "{}", ran.err);
}

/// A `match` whose value no case has says so, and its value once.
#[test]
fn a_match_without_a_case_is_told() {
    let folder = Folder::new("match_in_trace");
    folder.file("m.pleach", "var n: int = 7\ntree m { match n { 1: success 2: success } }\n");
    let ran = folder.pleach(&["trace", "m.pleach", "--ticks", "1"]).exits(0);
    let lines: Vec<_> = ran.out.lines().map(str::trim).collect();
    assert!(
        lines.iter().any(|line| line.starts_with("no case has this value") && line.contains("failure")),
        "{}",
        ran.out
    );
    assert_eq!(
        lines.iter().filter(|line| **line == "= n 7").count(),
        2,
        "once as it was, and at the end: {}",
        ran.out
    );
}

#[test]
fn examples_pass() {
    let folder = Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/examples/unvanquished"));
    let ran = folder.pleach(&["test", "guard.test"]).exits(0);
    assert!(ran.out.ends_with("\n3 tests, 0 failed\n"), "{}", ran.out);
}

#[test]
fn tests_fail_with_their_line() {
    let folder = folder("tests_fail", &TESTS.replace("calls fight", "calls roamInRadius"));
    let ran = folder.pleach(&["test", "guard.test", "--junit", "results.xml"]).exits(1);
    assert!(ran.out.contains("  FAILED  fights its own\n  ok      roams\n"), "{}", ran.out);
    assert!(ran.err.contains("expected roamInRadius; the last tick called: fight()"), "{}", ran.err);
    assert!(ran.err.contains("guard.test:8:"), "{}", ran.err);
    let xml = std::fs::read_to_string(folder.0.join("results.xml")).expect("it was written");
    assert!(xml.contains("tests=\"2\" failures=\"1\""), "{xml}");
    assert!(xml.contains("<testcase classname=\"guard.test\" name=\"roams\"/>"), "{xml}");
}

/// Nodes that ran in no test are listed.
#[test]
fn tests_tell_what_never_ran() {
    let half = TESTS.split("test roams").next().expect("there is a part in front");
    let ran = folder("never_ran", half).pleach(&["test", "guard.test"]).exits(0);
    assert!(ran.out.contains("    never: action roamInRadius guard.bt:6\n"), "{}", ran.out);
}

/// A tree that others use has a copy in each of them, and counts once.
#[test]
fn used_trees_count_once() {
    let folder = Folder::new("used");
    folder.file("a.pleach", "tree a { sequence { use b use b } }\ntree b { success }\n");
    folder.file("a.test", "tree a.pleach\ntest it\n\ttick\n\texpect success\n");
    let ran = folder.pleach(&["test", "a.test"]).exits(0);
    assert!(!ran.out.contains("never"), "{}", ran.out);
}

/// A handler of an event ran if a test raises the event.
#[test]
fn tests_tell_which_events_they_raise() {
    let folder = Folder::new("raised");
    let handler = "{ set hits += 1 set hits += 1 }";
    let tree = format!(
        "var hits: int\non hit {handler}\non heal {handler}\non hit {handler}\ntree guard {{ condition hits > 0 }}\n"
    );
    folder.file("guard.pleach", &tree);
    folder.file("guard.test", "tree guard.pleach\ntest hit\n\traise hit\n\texpect hits = 4\n\ttick\n");
    let ran = folder.pleach(&["test", "guard.test"]).exits(0);
    assert!(
        ran.out.contains("  3 of 4 nodes ran\n    never: on heal guard.pleach:3\n1 test,"),
        "{}",
        ran.out
    );
}

/// If no test could run, no number of tests is printed.
#[test]
fn tests_of_a_tree_with_errors_end_with_the_errors() {
    let folder = folder("erroneous", TESTS);
    folder.file("guard.bt", "selector {\n");
    let ran = folder.pleach(&["test", "guard.test"]).exits(1);
    assert!(ran.out.ends_with("guard.test: the tree has errors\n"), "{}", ran.out);
    folder.file("empty.test", "tree other.bt\n").file("other.bt", "sequence { action roamInRadius(1, 2) }\n");
    let ran = folder.pleach(&["test", "empty.test"]).exits(0);
    assert!(ran.out.ends_with("\n0 tests, 0 failed\n"), "{}", ran.out);
}

#[test]
fn what_is_not_answered_is_told() {
    let ran =
        folder("unanswered", "tree guard.bt\ntest it\n\ttick\n").pleach(&["test", "guard.test"]).exits(1);
    assert!(
        ran.err.contains("the tree calls a function that the test does not answer; add `query team() = 0`"),
        "{}",
        ran.err
    );
    let wrong =
        "tree guard.bt\ntest it\n\tquery taem = 1\n\texpect call fihgt\n\tset ammo = 1\n\traise hit\n";
    let ran = folder("misspelled", wrong).pleach(&["test", "guard.test"]).exits(1);
    for message in [
        "the tree has no query `taem`; did you mean `team`?",
        "the tree has no action `fihgt`; did you mean `fight`?",
        "there is no variable `ammo`",
        "no tree has an event `hit`",
    ] {
        assert!(ran.err.contains(message), "{message}: {}", ran.err);
    }
    let ran = folder("treeless", "test it\n\ttick\n").pleach(&["test", "guard.test"]).exits(1);
    assert!(
        ran.err.contains("the line `tree FILE` is missing, which names the tree under test"),
        "{}",
        ran.err
    );
}

#[test]
fn trees_are_drawn() {
    let folder = folder("drawn", TESTS);
    let svg = folder.pleach(&["graph", "guard.bt"]).exits(0).out;
    assert!(svg.starts_with("<svg ") && svg.contains(">action fight()</text>"), "{svg}");
    let dot = folder.pleach(&["graph", "guard.bt", "--format=dot"]).exits(0).out;
    assert!(dot.contains("label=\"action fight()\", tooltip=\"guard.bt:4\""), "{dot}");
    let mermaid = folder.pleach(&["graph", "guard.bt", "--format=mermaid"]).exits(0).out;
    assert!(mermaid.starts_with("flowchart LR\n  n0[\"tree guard\"]\n"), "{mermaid}");
}

/// Returns a file with this number of tests, each of which ends in its line.
fn many(tests: usize) -> String {
    (0..tests)
        .fold("tree guard.bt\n".to_owned(), |text, number| text + &format!("test {number}\nexpect running\n"))
}

#[test]
fn problems_are_told_up_to_a_number() {
    let ran = folder("many_failed", &many(1_200)).pleach(&["test", "guard.test"]).exits(1);
    assert_eq!(ran.err.matches("there was no tick yet").count(), 500);
    assert!(ran.err.ends_with("1 file: 500 errors, 700 more not shown\n"), "{}", ran.err);
    assert!(ran.out.ends_with("\n1,200 tests, 1200 failed\n"), "{}", ran.out);
    let lines = "jump\n".repeat(1_200);
    let ran =
        folder("many_wrong", &format!("tree guard.bt\ntest one\n{lines}")).pleach(&["test", "guard.test"]);
    let err = ran.exits(1).err;
    assert_eq!(err.matches("a test has no line `jump`").count(), 500);
    assert!(err.ends_with("1 file: 500 errors, 700 more not shown\n"), "{err}");
}

/// A tree given in place of its tests is refused at once, not line by line.
#[test]
fn a_tree_is_no_file_of_tests() {
    let folder = folder("tree_as_tests", TESTS);
    let ran = folder.pleach(&["test", "guard.bt"]).exits(2);
    let told = "pleach: cannot test guard.bt: it is a tree; name a file of tests, which begins with `tree guard.bt`\n";
    assert_eq!(ran.err, told);
}

#[test]
fn a_line_before_the_first_test_is_told_with_what_may_stand_there() {
    let folder = folder("line_before_tests", "tre guard.bt\n");
    let err = folder.pleach(&["test", "guard.test"]).exits(1).err;
    assert!(err.contains("expected `tree FILE`, `entry NAME` or `test NAME`, found `tre`"), "{err}");
}

#[test]
fn a_line_has_a_million_ticks_at_most() {
    for (ticks, code) in
        [("1000000", 0), ("1000001", 1), ("4000000000", 1), ("99999999999999999999", 1), ("-1", 1)]
    {
        let text =
            format!("tree guard.bt\ntest long\n\tquery team = 0\n\taction fight = success\n\ttick {ticks}\n");
        let ran = folder("ticks_of_a_line", &text).pleach(&["test", "guard.test"]).exits(code);
        let told = format!("`{ticks}` is not a number of ticks; a line has at most 1,000,000");
        assert_eq!(ran.err.contains(&told), code == 1, "{ticks}: {}", ran.err);
    }
}

/// Twice the tests take at most 2.5 times the instructions, beyond those of a file with one test.
#[test]
fn many_tests_take_time_in_proportion() {
    let counts = [1, 1_000, 2_000].map(|tests| {
        let folder = folder(&format!("many_tests_{tests}"), &many(tests));
        let file = folder.0.join("guard.test").display().to_string();
        let counted = Counted {
            program: Path::new(env!("CARGO_BIN_EXE_pleach")),
            arguments: &["test", &file],
            variables: &[],
            input: "",
            function: "pleach::main",
            calls: 1,
        };
        let counts = counted.instructions().expect("files can be written");
        counts.map(|it| *it.first().expect("the command comes to its end"))
    });
    let [Some(least), Some(once), Some(twice)] = counts else {
        return println!("skipped: callgrind is not installed");
    };
    assert!((twice - least) * 2 <= (once - least) * 5, "{least}, {once} and then {twice}");
}

#[test]
fn pictures_say_what_nodes_say() {
    let folder = Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/examples/pleach"));
    let dot = folder.pleach(&["graph", "guard.pleach", "--format=dot"]).exits(0).out;
    for label in [
        "on hit",
        "tree guard",
        "while visible && ammo > 0",
        "action moveTo(3, 1.5)",
        "wait 250 ms",
        "timeout 30 s",
    ] {
        assert!(dot.contains(&format!("label=\"{label}\",")), "{label} in {dot}");
    }
    assert!(!dot.contains("tree hit"), "{dot}");
    let one = folder.pleach(&["graph", "guard.pleach", "--format=dot", "--entry=guard"]).exits(0).out;
    assert!(one.contains("tree guard") && !one.contains("on hit"), "{one}");
}
