//! All findings of a file in one run, and no more than there are.

use super::load;

#[track_caller]
fn codes(text: &str, expected: &[&str]) {
    let outcome = load(&[("main", text.as_bytes())]);
    assert_eq!(outcome.codes, expected, "{}", outcome.findings);
}

#[test]
fn every_wrong_node_is_told() {
    codes(
        "selector {
            action jmp
            action moveTo( 1 2 3 )
            decorator nothing( 1 ) { action flie }
            condition nobody == 1 { action jump }
            sequence { foo( 5 ) bar action jump }
            action nowhere( ( ) 1 )
            action roam
        }",
        &["E0402", "E0406", "E0404", "E0402", "E0403", "E0401", "E0402"],
    );
}

#[test]
fn unknown_blocks_are_entered() {
    codes("selector { untill ( x ) { action nothing } action nobody }", &["E0401", "E0402", "E0402"]);
}

#[test]
fn disorder_is_told_once() {
    codes("selector { action jump } } action roam action nothing", &["E0305", "E0402"]);
    codes("selector { sequence { action jump()", &["E0303"]);
    codes("sequence action jump } }", &["E0302"]);
}

#[test]
fn a_wrong_condition_keeps_its_block() {
    codes("selector { condition team == { action nothing } action nobody }", &["E0314", "E0402", "E0402"]);
    codes("selector { condition ( team == 1 { action nothing } }", &["E0302", "E0402"]);
}

#[test]
fn an_error_where_the_file_was_cut_points_there() {
    let outcome = load(&[("main", b"selector { action jump() @ }")]);
    assert_eq!(outcome.codes, ["W0101", "E0303"]);
}

#[test]
fn findings_have_a_limit() {
    let outcome = load(&[("main", format!("selector {{ {} }}", "action nothing ".repeat(2000)).as_bytes())]);
    assert_eq!(outcome.codes.len(), 500);
    assert_eq!(outcome.errors, 2001);
}

#[test]
fn what_seems_to_be_meant_is_told() {
    for (text, advice) in [
        ("selector { condition team = 1 { action jump } }", "`==`, `<=` and `>=` compare"),
        ("selector { condition team and skill { action jump } }", "write `&&`"),
        ("selector { condition NOT team { action jump } }", "write `!`"),
        ("selector { behavior stay-here }", "a tree's name with `-` in it must stand in quotes"),
        ("selector { condition team == \"a\" { action jump } }", "a string is only an argument"),
        ("selector { condition team > -1 { action jump } }", "no negative numbers"),
        ("selector { condition jump { action jump } }", "it is an action, which has no value"),
        ("selector { action team }", "it is a query, which a `condition` asks"),
        ("selector { action moveTo( 1 2 3 ) }", "but 3 are given"),
        ("selector { action teleport( 1 ) }", "but 1 is given"),
    ] {
        let outcome = load(&[("main", text.as_bytes())]);
        assert!(outcome.errors > 0 && outcome.findings.contains(advice), "{text}\n{}", outcome.findings);
    }
    let outcome = load(&[("main", b"selector { condition team -1 }")]);
    assert!(!outcome.findings.contains("quotes"), "{}", outcome.findings);
}
