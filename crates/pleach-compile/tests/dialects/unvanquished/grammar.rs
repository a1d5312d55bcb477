//! Nodes, argument lists, conditions.

use super::{fails, load, loads, warns};

#[test]
fn all_nodes_are_read() {
    loads(
        "selector { sequence { } fallback { } concurrent { action jump } decorator invert() { action jump } \
         condition 1 { action jump } spawnAs 3 }",
        "selector { sequence; fallback; concurrent { action jump }; decorator invert { action jump }; \
         condition 1 { action jump }; spawnAs(3) }",
    );
}

#[test]
fn case_does_not_matter() {
    loads(
        "SELECTOR { Action MOVETO( 1 ) DECORATOR MapStatus( 1 1 0 ) { SpawnAs 1 } }",
        "selector { action moveTo(1); decorator mapStatus(1, 1, 0) { spawnAs(1) } }",
    );
}

#[test]
fn commas_mean_nothing() {
    loads("action teleport( 1 2 3 )", "action teleport(1, 2, 3)");
    loads("action teleport( ,1,,2,3, )", "action teleport(1, 2, 3)");
}

#[test]
fn wrong_arguments_are_errors() {
    fails("action moveTo()", &["E0405"]);
    fails("action moveTo( 1, 2, 3 )", &["E0406"]);
    fails("action moveTo( foo )", &["E0310"]);
    fails("action moveTo( (1) )", &["E0310"]);
    fails("action say( 'a' )", &["E0310"]);
    fails("selector { action moveTo action jump }", &["E0302"]);
    fails("action moveTo( 1", &["E0311"]);
}

#[test]
fn wrong_arguments_are_ignored_where_none_are_needed() {
    warns("selector { action jump( 5 ) }", "selector { action jump }", &["W0301"]);
    warns("selector { action jump( { ) }", "selector { action jump }", &["W0301"]);
    warns("condition team( { action jump }", "condition team { action jump }", &["W0301"]);
    warns("decorator invert( 1 ) { action jump }", "decorator invert { action jump }", &["W0301"]);
    warns("action jump(", "action jump", &["W0301"]);
}

#[test]
fn strings_count_as_parentheses_by_their_first_byte() {
    fails("action say( \"(\" )", &["E0311"]);
    fails("action say( \")\" )", &["E0405", "E0304"]);
    warns(
        "action teleport( 1 \"(a\" \"b\" , \")\" )",
        "action teleport(1, \"(ab\", \")\")",
        &["W0401", "W0401"],
    );
}

#[test]
fn the_last_word_needs_parentheses() {
    loads("action jump()", "action jump");
    fails("action jump", &["E0312"]);
    fails("condition team", &["E0312"]);
}

#[test]
fn operators_group_to_the_right() {
    for (text, grouped) in [
        ("1 < 2 < 3", "(1 < (2 < 3))"),
        ("1 <= 2 < 3", "(1 <= (2 < 3))"),
        ("1 < 2 <= 3", "((1 < 2) <= 3)"),
        ("1 != 2 == 3", "(1 != (2 == 3))"),
    ] {
        warns(
            &format!("selector {{ condition {text} }}"),
            &format!("selector {{ condition {grouped} }}"),
            &["W0402"],
        );
    }
    loads("selector { condition 1 && 2 && 3 }", "selector { condition (1 && (2 && 3)) }");
    loads("selector { condition 1 || 2 && 3 || 4 }", "selector { condition (1 || ((2 && 3) || 4)) }");
}

#[test]
fn every_operator_has_its_level() {
    let outcome = load(&[("main", b"selector { condition 1 < 2 < 3 <= 4 > 5 >= 6 == 7 != 8 && 9 || 10 }")]);
    let grouped = "((((((((1 < (2 < 3)) <= 4) > 5) >= 6) == 7) != 8) && 9) || 10)";
    assert_eq!(outcome.trees, format!("main: selector {{ condition {grouped} }}"));
}

#[test]
fn not_is_tightest() {
    loads("selector { condition !team == 1 }", "selector { condition (!team == 1) }");
    loads("selector { condition !!(team == 1) }", "selector { condition !!(team == 1) }");
    loads("selector { condition (1 < 2) < 3 }", "selector { condition ((1 < 2) < 3) }");
}

#[test]
fn wrong_conditions_are_errors() {
    fails("selector { condition }", &["E0314"]);
    fails("selector { condition team == }", &["E0314"]);
    fails("selector { condition team == -1 }", &["E0314"]);
    fails("selector { condition ( team }", &["E0302"]);
    fails("selector { condition () { action jump } }", &["E0314"]);
    fails("selector { condition team 1 }", &["E0401"]);
    fails("condition 1", &["E0303"]);
}

#[test]
fn conditions_have_at_most_one_child() {
    loads("selector { condition 1 action jump }", "selector { condition 1; action jump }");
    fails("selector { condition 1 { } }", &["E0307"]);
    fails("condition 1 { action jump action roam }", &["E0306"]);
}

#[test]
fn decorators_need_parentheses_and_a_child() {
    fails("selector { decorator invert action jump }", &["E0313"]);
    fails("decorator invert { action jump }", &["E0313"]);
    fails("decorator invert", &["E0313"]);
    fails("decorator timer 5 { action jump }", &["E0302"]);
    fails("decorator timer() { action jump }", &["E0405"]);
    fails("selector { decorator return( 1 ) action jump }", &["E0302"]);
}

#[test]
fn a_class_tree_comes_first() {
    let outcome = load(&[("main", b"selectClass { spawnAs 3.7 } action jump()")]);
    assert_eq!((outcome.errors, outcome.trees.as_str()), (0, "class main: spawnAs(3)\nmain: action jump"));
    fails("selectClass { spawnAs 3 }", &["E0309"]);
    fails("selectClass { } action jump()", &["E0307"]);
    fails("selectClass { spawnAs 1 spawnAs 2 } action jump()", &["E0306"]);
    fails("selector { selectClass { spawnAs 1 } }", &["E0401"]);
    fails("spawnAs -3", &["E0302"]);
}

#[test]
fn a_file_is_one_tree() {
    fails("", &["E0301"]);
    fails("action jump() action roam()", &["E0304"]);
    fails("selector { } }", &["E0305"]);
    fails("selector {", &["E0303"]);
    fails("selector", &["E0303"]);
    fails("selector action jump()", &["E0302"]);
    fails("action", &["E0303"]);
}
