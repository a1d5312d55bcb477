//! Macros, conditional parts, includes, evaluation, enumerations.

use super::{fails, load, loads, warns};

#[test]
fn symbols_are_macros() {
    loads("action moveTo( E_GOAL )", "action moveTo(17)");
    fails("action moveTo( e_goal )", &["E0310"]);
    warns("#define E_GOAL 5\naction moveTo( E_GOAL )", "action moveTo(5)", &["W0207"]);
    fails("#undef E_GOAL\naction moveTo( E_GOAL )", &["E0310"]);
}

#[test]
fn macros_expand() {
    loads("#define BODY selector { \\\n action jump }\nBODY", "selector { action jump }");
    loads("#define A B\n#define B 5\naction moveTo( A )", "action moveTo(5)");
    warns("#define jump jump 5\naction moveTo( jump )", "action moveTo(5)", &["W0208"]);
}

#[test]
fn macros_take_arguments() {
    let near = "#define NEAR(what, far) distanceTo( what ) < far\n";
    loads(
        &format!("{near}condition NEAR(E_GOAL, 5) {{ action jump }}"),
        "condition (distanceTo(17) < 5) { action jump }",
    );
    loads("#define M (5)\naction moveTo M", "action moveTo(5)");
    warns("#define M(a) a 5\naction moveTo( M() )", "action moveTo(5)", &["W0210"]);
    fails("#define M(a) a\naction moveTo( M(1, 2) )", &["W0209", "E0311"]);
    fails("#define M(a) a\naction moveTo( M )", &["W0209", "E0311"]);
}

#[test]
fn parentheses_in_macro_arguments_are_odd() {
    loads("#define M(a) a\naction moveTo( M((1, 2))", "action moveTo(1, 2)");
}

#[test]
fn tokens_are_merged_and_made_strings() {
    loads("#define J(a, b) a##b\naction moveTo( J(E_, GOAL) )", "action moveTo(17)");
    loads("#define S(a) #a\naction say( S(x == 1) )", "action say(\"x==1\")");
    loads("#define J(a, b) a##b\naction say( J(\"x\", \"y\") )", "action say(\"xy\")");
    fails("#define J(a, b) a##b\naction say( J(1, 2) )", &["W0212", "E0311"]);
    warns("#define S(a) # 5 a\naction moveTo( S(1) )", "action moveTo(5, 1)", &["W0213"]);
}

#[test]
fn an_empty_macro_ends_the_file() {
    fails("#define NOTHING\nNOTHING action jump()", &["W0211", "E0301"]);
    warns("#define NOTHING\naction jump() NOTHING nonsense", "action jump", &["W0211"]);
}

#[test]
fn a_failure_after_a_string_does_not_end_the_file() {
    warns("#define NOTHING\naction say( \"a\" NOTHING )", "action say(\"a\")", &["W0211"]);
}

#[test]
fn wrong_directives_end_the_file() {
    for (text, code) in [
        ("#", "W0201"),
        ("#\ndefine A 1", "W0201"),
        ("#DEFINE A 1", "W0202"),
        ("#line 5", "W0203"),
        ("#error no", "W0204"),
        ("#define", "W0206"),
        ("#define 5 6", "W0206"),
        ("#define A(a, a) a", "W0206"),
        ("#define A ## b", "W0206"),
        ("#include", "W0214"),
        ("#include \"bots/none.bt\"", "W0215"),
        ("#if NOTHING", "W0217"),
        ("#if 1 +", "W0217"),
        ("#else", "W0218"),
        ("#endif", "W0218"),
        ("$nothing", "W0221"),
        ("enum { 5 }", "W0223"),
    ] {
        warns(&format!("action jump()\n{text}\nnonsense"), "action jump", &[code]);
    }
    assert_eq!(load(&[("main", b"action jump()\n#eval 1")]).codes, ["E0205"]);
    assert_eq!(load(&[("main", b"action jump()\n#if ++5\n#endif")]).codes, ["E0206"]);
    warns("#pragma once\naction jump()", "action jump", &["W0205"]);
}

#[test]
fn conditional_parts_are_chosen() {
    loads("#ifdef E_GOAL\naction jump()\n#else\naction roam()\n#endif", "action jump");
    loads("#ifndef E_GOAL\naction jump()\n#else\naction roam()\n#endif", "action roam");
    loads(
        "#if 0\naction jump()\n#elif E_GOAL == 17 && defined(E_SELF)\naction roam()\n#endif",
        "action roam",
    );
    loads("#if 0\n#if 0\nx\n#else\ny\n#endif\n#endif\naction jump()", "action jump");
    warns("#if 1\naction jump()", "action jump", &["W0219"]);
}

#[test]
fn later_parts_look_at_the_one_before_only() {
    warns(
        "selector {\n#if 1\naction jump\n#elif 1\naction roam\n#endif\n}",
        "selector { action jump; action roam }",
        &["W0220"],
    );
    warns(
        "selector {\n#if 1\naction jump\n#elif 0\naction roam\n#else\naction rush\n#endif\n}",
        "selector { action jump; action rush }",
        &["W0220"],
    );
}

#[test]
fn skipped_parts_are_not_quite_skipped() {
    warns("action jump()\n#if 0\n#error no\n#endif\nnonsense", "action jump", &["W0204"]);
    loads("action say(\n#if 0\n\"a\"\n#endif\n\"b\" )", "action say(\"ab\")");
}

#[test]
fn files_are_included() {
    let main = b"#include \"bots//defs.bt\"\nselector {\n#include <bots/nodes.bt>\n}";
    let outcome =
        load(&[("main", main), ("defs", b"#define FAR 5"), ("nodes", b"action moveTo( E_GOAL FAR )")]);
    assert_eq!(
        (outcome.findings.as_str(), outcome.trees.as_str()),
        ("", "main: selector { action moveTo(17, 5) }")
    );
}

#[test]
fn circles_of_includes_are_ignored() {
    let outcome = load(&[
        ("main", b"#include \"bots/other.bt\"\naction jump()"),
        ("other", b"#include \"bots/MAIN.bt\"\n#include \"bots/other.bt\"\n"),
    ]);
    assert_eq!((outcome.codes, outcome.trees.as_str()), (vec!["W0216", "W0216"], "main: action jump"));
}

#[test]
fn what_is_unreadable_ends_only_the_included_file() {
    let outcome = load(&[("main", b"#include \"bots/bad.bt\"\naction jump()"), ("bad", b"@ nonsense")]);
    assert_eq!((outcome.codes, outcome.trees.as_str()), (vec!["W0101"], "main: action jump"));
}

#[test]
fn numbers_are_computed() {
    loads("action moveTo( $evalint(2 * (3 + 4)) )", "action moveTo(14)");
    loads("#define FAR 4\naction moveTo( $evalint(FAR - 1) )", "action moveTo(3)");
    loads("action moveTo( 1 $evalfloat(1.0 / 4.0) )", "action moveTo(1, 0.25)");
    warns("action moveInDir( $evalint(3 - 5) )", "action moveInDir(2)", &["W0222"]);
    fails("selector { condition team == $evalint(3 - 5) }", &["W0222", "E0314"]);
    fails("action moveTo( $evalint(1 / 0) )", &["W0217", "E0311"]);
}

#[test]
fn enumerations_are_macros() {
    loads("enum { A, B = 5, C };\naction teleport( A B C )", "action teleport(0, 5, 6)");
    loads("enum { A = -2 } action moveTo( A )", "action moveTo(-2)");
    loads("ENUM { A } enum { B } ; ; action moveTo( B )", "action moveTo(0)");
}

#[test]
fn definitions_stay_in_their_file() {
    let outcome =
        load(&[("main", b"#define Q 3\nselector { behavior sub }"), ("sub", b"action moveTo( Q )")]);
    assert_eq!(outcome.codes, ["E0310", "E0408"]);
}

#[test]
fn findings_in_macros_point_to_the_definition() {
    let outcome = load(&[("main", b"#define BAD foo\nselector { action BAD }")]);
    assert!(outcome.findings.starts_with("E0402 1:13+3"), "{}", outcome.findings);
}
