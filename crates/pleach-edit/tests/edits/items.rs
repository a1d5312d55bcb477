//! Edits of declarations, nodes that are replaced, and the table of words.

use super::{becomes, changes, refuses};
use pleach_edit::words::{ITEMS, NODES};
use pleach_edit::{Edit, Project};

fn add(text: &str) -> Edit {
    Edit::AddDeclaration { text: text.to_owned() }
}

fn project(text: &str) -> Project {
    Project::new().with("a.pleach", text)
}

#[test]
fn declarations_are_added_in_the_usual_order() {
    let text = "action a()\n\nvar v: int // first\n\ntree t\n{\n\tsequence { action a condition v > 0 }\n}\n";
    let after = |from: &str, to: &str| text.replacen(from, &format!("{from}{to}"), 1);
    changes(&project(text), &add("action b(post: int)"), &after("action a()", "\naction b(post: int)"));
    changes(&project(text), &add("var w: bool"), &after("// first", "\nvar w: bool"));
    changes(&project(text), &add("query q: bool"), &after("action a()", "\n\nquery q: bool"));
    changes(&project(text), &add("on hit { set v = 1 }"), &after("// first", "\n\non hit { set v = 1 }"));
    changes(&project(text), &add("const C = 1"), &format!("const C = 1\n\n{text}"));
    changes(&project(text), &add("tree u { success }"), &format!("{text}\ntree u {{ success }}\n"));
    let empty = project("// nothing yet\n");
    changes(&empty, &add("tree t { running }"), "// nothing yet\ntree t { running }\n");
}

#[test]
fn declarations_change_and_go() {
    let text = "// why\naction a() // here\naction b()\n\ntree t\n{\n\taction b\n}\n";
    let change = |item, text: &str| Edit::ChangeDeclaration { item, text: text.to_owned() };
    changes(
        &project(text),
        &change(0, "action c(x: int)"),
        &text.replacen("action a()", "action c(x: int)", 1),
    );
    changes(&project(text), &change(2, "tree u(p: int)"), &text.replacen("tree t", "tree u(p: int)", 1));
    let gone = text.replacen("// why\naction a() // here\n", "", 1);
    changes(&project(text), &Edit::DeleteDeclaration { item: 0 }, &gone);
}

#[test]
fn a_declaration_that_is_wrong_or_needed_is_refused() {
    let text = "action a()\n\ntree t\n{\n\taction a\n}\n";
    for (edit, reason) in [
        (add("sequence { }"), "begins with a word"),
        (add(""), "begins with a word"),
        (add("action b() action c()"), "more than one"),
        (add("action a(x: int)"), "would not compile"),
        (add("var"), "name"),
        (Edit::DeleteDeclaration { item: 0 }, "would not compile"),
        (Edit::DeleteDeclaration { item: 7 }, "no such declaration"),
        (Edit::ChangeDeclaration { item: 0, text: "action b()".to_owned() }, "would not compile"),
    ] {
        let refusal = project(text).edit("a.pleach", &edit).expect_err("a refusal");
        assert!(refusal.reason.contains(reason), "{edit:?}: {refusal}");
    }
}

#[test]
fn a_comment_at_the_end_of_a_new_text_hides_nothing() {
    let text = "failure // c".to_owned();
    let replace = |node| Edit::Replace { node, text: text.clone() };
    let two = |first: &str| format!("tree t {{ random {{ 1: {first} 2: success }} }}");
    becomes(&two("$running"), replace, &two("failure // c\n"));
    becomes("tree t\n{\n\t$running\n}\n", replace, "tree t\n{\n\tfailure // c\n}\n");
    becomes(&two("$running"), |node| Edit::ChangeKind { node, header: text.clone() }, &two("failure // c\n"));
    becomes(
        "tree t { $running }",
        |node| Edit::Wrap { node, header: "invert // c".to_owned() },
        "tree t { invert // c\n{ running } }",
    );
    becomes(
        "tree t { $sequence { running success } }",
        |parent| Edit::Insert { parent, index: 1, text: text.clone() },
        "tree t { sequence { running failure // c\n success } }",
    );
    becomes(
        "tree t { $wait 1 s }",
        |node| Edit::SetArgument { node, index: 0, text: "2 // c".to_owned() },
        "tree t { wait 2 // c\n s }",
    );
    let close = project("action a() tree t { action a }");
    changes(&close, &add("action b() // c"), "action a()\naction b() // c\n tree t { action a }");
    let change = Edit::ChangeDeclaration { item: 1, text: "tree u // c".to_owned() };
    changes(&close, &change, "action a() tree u // c\n { action a }");
}

#[test]
fn a_node_is_replaced_with_its_children_and_keeps_its_weight() {
    let replace = |text: &str| {
        let text = text.to_owned();
        move |node| Edit::Replace { node, text: text.clone() }
    };
    becomes("tree t { $running }", replace("sequence { }"), "tree t { sequence { } }");
    becomes(
        "tree t { random { 2: $invert { success } // two\n} }",
        replace("failure"),
        "tree t { random { 2: failure // two\n} }",
    );
    becomes(
        "tree t\n{\n\t$running\n}\n",
        replace("reactive selector { }"),
        "tree t\n{\n\treactive selector { }\n}\n",
    );
    refuses("tree t { $running }", replace(" "), "no words");
    refuses("tree t { $running }", replace("nonsense"), "");
}

/// Makes sure that a text has no errors of form.
#[track_caller]
fn has_form(text: &str) {
    let known = project(text);
    let errors = known.file("a.pleach").expect("the file").document().errors();
    let errors: Vec<_> = errors.map(|error| error.message).collect();
    assert!(errors.is_empty(), "{text}: {errors:?}");
}

/// Each word of a node makes a node without errors of form, with its example and block, and each
/// word of a declaration makes a declaration.
#[test]
fn examples_of_words_are_nodes_and_declarations() {
    for word in NODES {
        let node = format!("{}{}", word.example(), word.block());
        has_form(&format!("tree t {{ {node} }}"));
    }
    for word in ITEMS {
        assert!(word.example().starts_with(word.text), "{}", word.example());
        has_form(&format!("{}{}", word.example(), word.block()));
    }
}
