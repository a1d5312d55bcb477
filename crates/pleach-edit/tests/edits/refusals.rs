//! Edits that are refused, and edits of texts with errors.

use super::{becomes, refuses};
use pleach_edit::{Edit, Project};

#[test]
fn what_would_not_compile_is_refused() {
    let wrap = |header: &str| {
        let header = header.to_owned();
        move |node| Edit::Wrap { node, header: header.clone() }
    };
    refuses("tree t { $success }", wrap("if a"), "`a` is not declared");
    refuses("tree t { $success }", wrap("invertt"), "begins no node");
    refuses("tree t { $success }", wrap("utility"), "needs a score");
    refuses("var a: int on e { $set a = 1 }", wrap("invert"), "only sets");
    let cleanup = "var a: int tree t { cleanup ${ $set a = 1 } { running } }";
    refuses(cleanup, wrap("invert"), "belongs to the node around it");
    refuses(&cleanup.replacen('$', "", 1), wrap("invert"), "only `set` can stand here");
    let every = "action a() tree t { every 1 s { $action a } { running } }";
    refuses(every, wrap("invert"), "only `set`, `raise` and `action` can stand here");
    let insert = |parent| Edit::Insert { parent, index: 0, text: "action fly".to_owned() };
    refuses("tree t { $sequence { } }", insert, "`fly` is not declared");
    refuses("tree t { $invert { success } }", insert, "only one node");
}

#[test]
fn what_the_grammar_does_not_allow_is_refused() {
    let delete = |node| Edit::Delete { node };
    refuses("tree t { $success }", delete, "a tree has a node");
    refuses("tree t { invert { $success } }", delete, "must have a child");
    refuses("tree t { random { $success } }", delete, "must have a child");
    refuses("tree t { $sequence { success failure } }", |node| Edit::Unwrap { node }, "only one node");
    refuses("tree t { $success }", |node| Edit::Unwrap { node }, "no block");
    refuses("tree t { if false { $success } }", |node| Edit::Disable { node }, "disabled already");
    refuses("tree t { if true { $success } }", |node| Edit::Enable { node }, "not disabled");
    refuses("tree t { $sequence { } }", |node| Edit::Unwrap { node }, "no children");
    refuses("tree t { $success }", |node| Edit::Duplicate { node }, "only one node");
    let into_itself = |node| Edit::Move { node, parent: node, index: 0 };
    refuses("tree t { $sequence { } }", into_itself, "into itself");
}

#[test]
fn trees_with_variables_and_hidden_names_are_not_inlined() {
    let inline = |node| Edit::Inline { node };
    refuses("tree t { $use u }\ntree u { var a: int success }", inline, "has variables");
    refuses("tree t { $use u }", inline, "there is no tree `u`");
    refuses(
        "tree t { $use u(vec2(1.0, 2.0)) }\ntree u(v: vec2) { condition v.x > 0.0 }",
        inline,
        "a part of `v` is read",
    );
    refuses(
        "var home: vec2 tree t { $use u(home.x) }\ntree u(p: float) { set p = 1.0 }",
        inline,
        "`p` is set, and its argument is no name",
    );
    refuses(
        "var a: int\ntree s { use t(1) }\ntree t(a: int) { $use u }\ntree u { condition a == 1 }",
        inline,
        "another name",
    );
}

/// A short edit makes no text of any size.
#[test]
fn copies_of_a_long_name_are_bounded() {
    let renamed = |length| move |node| Edit::Extract { node, name: "x".repeat(length) };
    refuses("tree t { $success }", renamed(1_001), "at most 1,000 bytes");
    let sets = "set a = 1 ".repeat(20_000);
    let project = Project::new().with("a.pleach", &format!("var a: int tree t {{ sequence {{ {sets} }} }}"));
    let rename = |length| project.edit("a.pleach", &Edit::Rename { at: 4, name: "x".repeat(length) });
    assert!(rename(1_001).is_err_and(|why| why.reason.contains("at most 1,000 bytes")));
    assert!(rename(1_000).is_err_and(|why| why.reason.contains("too long")));
    let name = "x".repeat(200_000);
    let sets = "set a = p ".repeat(100);
    let text = format!(
        "var a: int var {name}: int tree t {{ $use u({name}) }} tree u(p: int) {{ sequence {{ {sets} }} }}"
    );
    refuses(&text, |node| Edit::Inline { node }, "too long");
}

#[test]
fn a_text_with_errors_elsewhere_can_be_edited() {
    becomes(
        "tree a { foo }\ntree b { $success }\ntree c { action x( }",
        |node| Edit::Wrap { node, header: "invert".to_owned() },
        "tree a { foo }\ntree b { invert { success } }\ntree c { action x( }",
    );
    let invert = |node| Edit::ChangeKind { node, header: "invert".to_owned() };
    refuses("tree a { foo }\ntree b { $success }", invert, "`{` is missing");
    // An unknown node is an error like others, whatever errors the text has already.
    let unknown = |node| Edit::Wrap { node, header: "wibble".to_owned() };
    for other in ["tree c { action x( }", "tree c { foo }", "tree c { wibble }"] {
        refuses(&format!("tree b {{ $success }} {other}"), unknown, "`wibble` begins no node");
    }
    refuses("tree a { sequence { foo $success } }", |node| Edit::Delete { node }, "has errors");
    refuses("tree a { $sequence { success }", |node| Edit::Unwrap { node }, "has errors");
}

#[test]
fn a_name_that_is_two_things_by_an_error_is_renamed_once() {
    let project = Project::new().with("a.pleach", "tree tr\naction a(p0: tex(p1: text) { success }\n");
    for at in 0..project.text("a.pleach").len() as u32 {
        let edit = Edit::Rename { at, name: "other".to_owned() };
        if let Ok(change) = project.edit("a.pleach", &edit) {
            let changed = change.applied(&project);
            assert_eq!(change.inverse(&project).applied(&changed).text("a.pleach"), project.text("a.pleach"));
        }
    }
}
