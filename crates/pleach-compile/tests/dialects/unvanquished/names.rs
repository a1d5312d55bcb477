//! Names of actions, queries and trees.

use super::{fails, load, loads, warns};

#[test]
fn unknown_names_get_suggestions() {
    for (text, code, suggestion) in [
        ("action jmp()", "E0402", "`jump`"),
        ("selector { condition distanceT( 1 ) }", "E0403", "`distanceTo`"),
        ("selector { condition E_GAOL }", "E0403", "`E_GOAL`"),
        ("action moveTo( e_goal )", "E0310", "`E_GOAL`"),
        ("decorator inverse() { action jump }", "E0404", "`invert`"),
        ("selektor { action jump }", "E0401", "`selector`"),
    ] {
        let outcome = load(&[("main", text.as_bytes())]);
        assert_eq!(outcome.codes, [code], "{}", outcome.findings);
        assert!(outcome.findings.contains(suggestion), "{}", outcome.findings);
    }
}

#[test]
fn arguments_of_another_type_are_told() {
    warns("action moveTo( \"a\" )", "action moveTo(\"a\")", &["W0401"]);
    warns("action moveTo( 1.5 )", "action moveTo(1.5)", &["W0401"]);
    warns("action say( 5 )", "action say(5)", &["W0401"]);
    loads("action moveTo( 1, 1.5 )", "action moveTo(1, 1.5)");
}

#[test]
fn included_trees_come_first_and_once() {
    let outcome = load(&[
        ("main", b"selector { behavior a behavior A behavior \"b-c\" }"),
        ("a", b"behavior 5"),
        ("b-c", b"behavior A"),
        ("5", b"action jump()"),
    ]);
    let expected = "5: action jump\na: behavior 5\nb-c: behavior a\n\
                    main: selector { behavior a; behavior a; behavior b-c }";
    assert_eq!((outcome.findings.as_str(), outcome.trees.as_str()), ("", expected));
}

#[test]
fn any_token_names_a_tree() {
    let outcome =
        load(&[("main", b"behavior E_GOAL"), ("17", b"behavior action"), ("action", b"action jump()")]);
    assert_eq!(outcome.trees, "action: action jump\n17: behavior action\nmain: behavior 17");
}

#[test]
fn trees_that_include_themselves_are_errors() {
    fails("behavior MAIN", &["E0409"]);
    let outcome = load(&[("main", b"behavior sub"), ("sub", b"selector { behavior main }")]);
    assert_eq!(outcome.codes, ["E0409", "E0408"]);
}

#[test]
fn a_failing_tree_fails_those_that_include_it() {
    let outcome = load(&[
        ("main", b"selector { behavior good behavior bad behavior bad }"),
        ("good", b"action jump()"),
        ("bad", b"action nothing"),
    ]);
    assert_eq!(outcome.codes, ["E0402", "E0408", "E0408"]);
    assert_eq!(outcome.trees, "good: action jump");
}

#[test]
fn missing_trees_are_errors() {
    fails("behavior none", &["E0407"]);
    assert_eq!(load(&[("main", b"behavior stay-here")]).codes, ["E0407", "E0304"]);
    let long = "n".repeat(56);
    let outcome = load(&[("main", format!("behavior {long}").as_bytes()), (&long, b"action jump()")]);
    assert_eq!(outcome.codes, ["E0407"]);
    let fits = "n".repeat(55);
    let outcome = load(&[("main", format!("behavior {fits}").as_bytes()), (&fits, b"action jump()")]);
    assert_eq!(outcome.findings, "");
}
