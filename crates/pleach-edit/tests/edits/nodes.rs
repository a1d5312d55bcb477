//! Edits of nodes.

use super::{becomes, changes, marked, node};
use pleach_edit::Edit;

fn wrap(header: &str) -> impl Fn(usize) -> Edit {
    move |node| Edit::Wrap { node, header: header.to_owned() }
}

fn unwrap(node: usize) -> Edit {
    Edit::Unwrap { node }
}

fn kind(header: &str) -> impl Fn(usize) -> Edit {
    move |node| Edit::ChangeKind { node, header: header.to_owned() }
}

#[test]
fn a_node_is_wrapped_behind_its_weight_and_before_its_comment() {
    becomes("tree t { $success }", wrap("invert"), "tree t { invert { success } }");
    becomes(
        "tree t {random{3:$success // why\n }}",
        wrap("timeout 5 s"),
        "tree t {random{3:timeout 5 s { success } // why\n }}",
    );
    // A formatted text stays formatted: a block of several lines has its brace below.
    becomes(
        "tree t\n{\n\t// all\n\t$sequence\n\t{\n\t\tsuccess\n\t}\n}\n",
        wrap("repeat 3"),
        "tree t\n{\n\t// all\n\trepeat 3\n\t{\n\t\tsequence\n\t\t{\n\t\t\tsuccess\n\t\t}\n\t}\n}\n",
    );
}

#[test]
fn a_node_is_unwrapped_and_its_comments_stay() {
    becomes("tree t { $invert { success } }", unwrap, "tree t { success }");
    becomes("tree t { $invert/*a*/{//b\nsuccess /*c*/ } }", unwrap, "tree t { /*a*/ //b\nsuccess /*c*/  }");
    becomes(
        "tree t { sequence { success $sequence { failure running } } }",
        unwrap,
        "tree t { sequence { success failure running } }",
    );
    becomes("tree t{$random{2:success}}", unwrap, "tree t{success}");
    becomes(
        "var a: bool\ntree t { $cleanup { set a = true } { success } }",
        unwrap,
        "var a: bool\ntree t { success }",
    );
    becomes(
        "tree t { random { 5: $if true { success } failure } }",
        unwrap,
        "tree t { random { 5: success failure } }",
    );
}

#[test]
fn a_node_is_disabled_and_enabled() {
    let disable = |node| Edit::Disable { node };
    let enable = |node| Edit::Enable { node };
    let selector = "tree t { selector { if false { wait 1 s } success } }";
    becomes("tree t { selector { $wait 1 s success } }", disable, selector);
    let sequence = "tree t { sequence { force success { if false { wait 1 s } } success } }";
    becomes("tree t { sequence { $wait 1 s success } }", disable, sequence);
    let reactive = "tree t { reactive /*a*/ sequence { force success { if false { success } } running } }";
    becomes("tree t { reactive /*a*/ sequence { $success running } }", disable, reactive);
    // A `force success` that is there already stays when the node is enabled.
    let passed = "tree t { sequence { force success { force success { if false { wait 1 s } } } } }";
    let before = "tree t { sequence { force success { $wait 1 s } } }";
    becomes(before, disable, passed);
    becomes(&passed.replace("wait", "$wait"), enable, &before.replace('$', ""));
    // The words of a condition do not count.
    let named = "var sequence_on: bool tree t { while sequence_on { if false { success } } }";
    becomes("var sequence_on: bool tree t { while sequence_on { $success } }", disable, named);
    becomes("tree t { random { 3: $success } }", disable, "tree t { random { 3: if false { success } } }");
    // Each of the nodes stands for the disabled one.
    let enabled = "tree t { sequence { wait 1 s success } }";
    for marked in ["$force", "$if", "$wait"] {
        becomes(&sequence.replace(&marked[1..], marked), enable, enabled);
    }
    becomes("tree t { $if false { /*a*/ success // b\n} }", enable, "tree t { /*a*/ success // b\n }");
}

#[test]
fn a_node_is_deleted_with_its_comments_and_its_line() {
    let delete = |node| Edit::Delete { node };
    becomes(
        "tree t\n{\n\tsequence\n\t{\n\t\t// first\n\t\t$success // why\n\t\tfailure\n\t}\n}\n",
        delete,
        "tree t\n{\n\tsequence\n\t{\n\t\tfailure\n\t}\n}\n",
    );
    becomes("tree t { sequence { success $failure } }", delete, "tree t { sequence { success } }");
    becomes("tree t {sequence{ //a\n$success running}}", delete, "tree t {sequence{ //a\nrunning}}");
    becomes(
        "var a: int on e { $set a = 1 }\ntree t { success }",
        delete,
        "var a: int on e { }\ntree t { success }",
    );
}

#[test]
fn a_node_is_duplicated() {
    let duplicate = |node| Edit::Duplicate { node };
    becomes("tree t { sequence { $success } }", duplicate, "tree t { sequence { success success } }");
    becomes(
        "tree t\n{\n\trandom\n\t{\n\t\t2: $success // two\n\t}\n}\n",
        duplicate,
        "tree t\n{\n\trandom\n\t{\n\t\t2: success // two\n\t\t2: success\n\t}\n}\n",
    );
}

#[test]
fn nodes_are_inserted() {
    let insert = |index| move |parent| Edit::Insert { parent, index, text: "running".to_owned() };
    becomes("tree t { $sequence { } }", insert(0), "tree t { sequence { running } }");
    becomes("tree t {$sequence{}}", insert(0), "tree t {sequence{ running }}");
    becomes("tree t { $sequence { success } }", insert(0), "tree t { sequence { running success } }");
    becomes(
        "tree t { $sequence { success //a\n } }",
        insert(1),
        "tree t { sequence { success //a\nrunning\n } }",
    );
    becomes(
        "tree t\n{\n\t$sequence\n\t{\n\t\tsuccess\n\t}\n}\n",
        insert(1),
        "tree t\n{\n\tsequence\n\t{\n\t\tsuccess\n\t\trunning\n\t}\n}\n",
    );
}

#[test]
fn a_node_moves_with_its_comments() {
    let text = "tree t\n{\n\tsequence\n\t{\n\t\tsuccess\n\t\t// last\n\t\t$failure // f\n\t\t$selector\n\t\t{\n\t\t\trunning\n\t\t}\n\t}\n}\n";
    let (project, marks) = marked(text);
    let (moved, parent) = (node(&project, marks[0]), node(&project, marks[1]));
    changes(
        &project,
        &Edit::Move { node: moved, parent, index: 0 },
        "tree t\n{\n\tsequence\n\t{\n\t\tsuccess\n\t\tselector\n\t\t{\n\t\t\t// last\n\t\t\tfailure // f\n\t\t\trunning\n\t\t}\n\t}\n}\n",
    );
    changes(
        &project,
        &Edit::Move { node: moved, parent: 0, index: 0 },
        "tree t\n{\n\tsequence\n\t{\n\t\t// last\n\t\tfailure // f\n\t\tsuccess\n\t\tselector\n\t\t{\n\t\t\trunning\n\t\t}\n\t}\n}\n",
    );
    changes(
        &project,
        &Edit::Move { node: moved, parent: 0, index: 3 },
        "tree t\n{\n\tsequence\n\t{\n\t\tsuccess\n\t\tselector\n\t\t{\n\t\t\trunning\n\t\t}\n\t\t// last\n\t\tfailure // f\n\t}\n}\n",
    );
}

#[test]
fn a_kind_changes_and_children_stay() {
    becomes(
        "tree t { $sequence { success failure } }",
        kind("reactive selector"),
        "tree t { reactive selector { success failure } }",
    );
    becomes(
        "tree t { $random { 2: success failure } }",
        kind("sequence"),
        "tree t { sequence { success failure } }",
    );
    becomes(
        "tree t { $sequence /*a*/ { success failure } }",
        kind("utility"),
        "tree t { utility /*a*/ { 1.0: success 1.0: failure } }",
    );
    becomes("tree t { $success }", kind("wait 5 s"), "tree t { wait 5 s }");
    becomes(
        "tree t { $match 1 + 1 { 1: success else: failure } }",
        kind("selector"),
        "tree t { selector { success failure } }",
    );
}

#[test]
fn expressions_are_replaced() {
    let set = |index, text: &str| {
        let text = text.to_owned();
        move |node| Edit::SetArgument { node, index, text: text.clone() }
    };
    let text = "action a(x: int, y: float) var v: int\ntree t { $action a((1), float(v + 1)) }";
    becomes(text, set(0, "v"), &text.replace("(1)", "v").replace('$', ""));
    becomes(text, set(1, "2.0"), &text.replace("float(v + 1)", "2.0").replace('$', ""));
    becomes("tree t { $wait (1 + 2) s to 5 s }", set(0, "2"), "tree t { wait 2 s to 5 s }");
    becomes("tree t { $if (random()) < 0.5 { success } }", set(0, "true"), "tree t { if true { success } }");
    let (project, marks) = marked("action a(x: int)\ntree t { $action b }\ntree u(n: int) { success }");
    let edit = Edit::SetArgument { node: node(&project, marks[0]), index: 0, text: "3".to_owned() };
    changes(&project, &edit, "action a(x: int)\ntree t { action b(3) }\ntree u(n: int) { success }");
}

#[test]
fn weights_are_set_and_removed() {
    let set = |text: &str| {
        let text = text.to_owned();
        move |node| Edit::SetWeight { node, text: text.clone() }
    };
    becomes("tree t { random { $success } }", set("3"), "tree t { random { 3: success } }");
    becomes("tree t { random { $(1): success } }", set("3"), "tree t { random { 3: success } }");
    becomes("tree t { random { $1: success } }", set(""), "tree t { random { success } }");
}

#[test]
fn missing_cases_are_added() {
    let text = "enum Mood { calm, wary, angry }\nvar mood: Mood\ntree t\n{\n\t$match mood\n\t{\n\t\tcalm: success // c\n\t}\n}\n";
    let cases = "calm: success // c\n\t\twary: failure\n\t\tangry: failure";
    becomes(
        text,
        |node| Edit::AddCases { node },
        &text.replace("calm: success // c", cases).replace('$', ""),
    );
}

#[test]
fn a_node_becomes_a_tree_with_the_names_that_it_uses() {
    becomes(
        "action go(x: int)\ntree t { use u(1) }\ntree u(n: int)\n{\n\tvar left: int8 = 2\n\tsequence\n\t{\n\t\t$repeat n { action go(left + n) }\n\t}\n}\n",
        |node| Edit::Extract { node, name: "v".to_owned() },
        "action go(x: int)\ntree t { use u(1) }\ntree u(n: int)\n{\n\tvar left: int8 = 2\n\tsequence\n\t{\n\t\tuse v(n, left)\n\t}\n}\n\
         \ntree v(n: int, left: int)\n{\n\trepeat n { action go(left + n) }\n}\n",
    );
}

#[test]
fn a_use_becomes_the_node_of_its_tree() {
    becomes(
        "action go(x: int)\ntree t { $use u(1 + 1) }\ntree u(n: int) { repeat n { action go(n * 2) } }",
        |node| Edit::Inline { node },
        "action go(x: int)\ntree t { repeat (1 + 1) { action go((1 + 1) * 2) } }\ntree u(n: int) { repeat n { action go(n * 2) } }",
    );
}
