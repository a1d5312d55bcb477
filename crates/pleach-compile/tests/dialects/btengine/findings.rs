//! Findings: their places and their help. The conformance cases have the codes of all errors.

use super::{Outcome, load, tree};

/// These findings, of which all parts are told.
#[track_caller]
fn finds(outcome: &Outcome, codes: &[&str], parts: &[&str]) {
    assert_eq!(outcome.codes, codes, "{}", outcome.findings);
    for part in parts {
        assert!(outcome.findings.contains(part), "{part}\n{}", outcome.findings);
    }
}

#[test]
fn unknown_elements_come_with_near_ones() {
    let outcome = tree("<Sequnce name='q'/>");
    finds(
        &outcome,
        &["E0705"],
        &["t.xml:1:20 `Sequnce`", "a `Sequnce` has no place in a", "did you mean `Sequence`?"],
    );
    let outcome = tree("<Condition name='c'><Sequnce/></Condition>");
    finds(&outcome, &["E0705"], &["what can stand here is UserAttr"]);
}

#[test]
fn names_are_told_with_their_first_place() {
    let outcome = tree("<Sequence name='n'>\n<Condition name='n'/></Sequence>");
    finds(
        &outcome,
        &["E0609"],
        &["t.xml:2:18 `n` the node `n` is there twice", "    t.xml:1:35 `n` here it is the first time"],
    );
}

#[test]
fn missing_and_empty_names() {
    let outcome = tree("<Sequence><Condition name=''/></Sequence>");
    finds(
        &outcome,
        &["E0706", "E0707"],
        &["t.xml:1:20 `Sequence` this `Sequence` has no `name`", "t.xml:1:40 `name`"],
    );
}

#[test]
fn policies_are_listed() {
    let outcome = tree("<Parallel name='p' policy='All'><Action name='a' policy='success'/></Parallel>");
    finds(
        &outcome,
        &["E0707", "E0707"],
        &["`All`", "it is `Sequence` or `Selector`", "`success`", "it is `Success` or `Failure`"],
    );
    finds(&tree("<Action name='a' policy='no'/>"), &["E0707"], &["`no` is no policy of an `Action`"]);
    finds(&tree("<Condition name='c' policy='Success'/>"), &["E0733"], &["t.xml:1:39 `policy`"]);
}

#[test]
fn counts_of_children() {
    finds(
        &tree("<Decorator name='d'><Action name='a'/><Action name='b'/></Decorator>"),
        &["E0306"],
        &["t.xml:1:58 `Action`"],
    );
    finds(&tree("<Action name='a'><Action name='b'/></Action>"), &["E0731"], &["t.xml:1:37 `Action`"]);
    finds(&tree("<Action name='a'/><Action name='b'/>"), &["E0306"], &["t.xml:1:38 `Action`"]);
    finds(&tree(""), &["E0307"], &["this `BehaviorTreeRoot` has no child", "exactly one"]);
    finds(&tree("<Selector name='l'/>"), &["E0307"], &["at least one"]);
}

#[test]
fn files_that_are_not_there_or_something_else() {
    let forest = "<BehaviorForestRoot><Forest name='F'><Tree name='T' file='t.xml'/><Tree name='U' file='t.xml'/></Forest></BehaviorForestRoot>";
    finds(&load(&[("f.xml", forest)]), &["E0619"], &["f.xml:1:59 `t.xml`"]);
    let outcome = load(&[("f.xml", forest), ("t.xml", "<BehaviorForestRoot/>")]);
    finds(
        &outcome,
        &["E0705"],
        &["t.xml:1:2 `BehaviorForestRoot`", "    f.xml:1:59 `t.xml` here the file is named"],
    );
    finds(&load(&[("f.xml", "<bt/>")]), &["E0705"], &["a file of forests is a `BehaviorForestRoot`"]);
    finds(
        &load(&[("f.xml", "<BehaviorForestRoot><UserAttr key='a' value='b'/></BehaviorForestRoot>")]),
        &["E0307"],
        &["there is no forest in this file", "add a `Forest`"],
    );
}

#[test]
fn a_file_is_complained_about_once() {
    let forest = "<BehaviorForestRoot><Forest name='F'><Tree name='T' file='t.xml'/><Tree name='U' file='t.xml'/></Forest></BehaviorForestRoot>";
    let outcome =
        load(&[("f.xml", forest), ("t.xml", "<BehaviorTreeRoot><Selector name='l'/></BehaviorTreeRoot>")]);
    finds(&outcome, &["E0307"], &[]);
}

#[test]
fn what_is_of_no_use_is_only_told() {
    let outcome = tree("<Condition name='c' nmae='d'/>");
    finds(&outcome, &["W0731"], &["t.xml:1:39 `nmae`", "did you mean `name`?"]);
    assert!(outcome.file.ends_with("t.xml: Condition c\n"));
}

#[test]
fn text_and_filled_attributes() {
    finds(&tree("<Sequence name='q'>first<Condition name='c'/></Sequence>"), &["E0732"], &["`first`"]);
    finds(
        &tree("<Condition name='c'><UserAttr key='k' value='v'><Action name='a'/></UserAttr></Condition>"),
        &["E0705"],
        &["a `UserAttr` is empty"],
    );
}

#[test]
fn all_in_one_run() {
    let forest = "<BehaviorForestRoot><Forest><Tree file='t.xml'/><Tree name='T' file='u.xml'/><Shrub/></Forest></BehaviorForestRoot>";
    let files = [
        ("f.xml", forest),
        ("t.xml", "<BehaviorTreeRoot><Selector/></BehaviorTreeRoot>"),
        ("u.xml", "<BehaviorTreeRoot>"),
    ];
    finds(&load(&files), &["E0706", "E0706", "E0706", "E0307", "E0701", "E0705"], &[]);
}

#[test]
fn keys_are_told_as_keys() {
    let outcome =
        tree("<Condition name='c'><UserAttr key='k' value='1'/><UserAttr key='k' value='2'/></Condition>");
    finds(&outcome, &["E0609"], &["the attribute `k` is there twice", "give one of them another key"]);
}

#[test]
fn what_is_wrong_with_the_xml_is_told_in_full() {
    let twice = tree("<Condition name='c' name='d'/>");
    finds(&twice, &["E0701"], &["t.xml:1:39", "attribute 'name' is already defined"]);
    finds(&tree("<!-- a -- b -->"), &["E0701"], &["t.xml:1:19", "comment contains '--'"]);
    finds(&tree("<Condition name='a'></Action>"), &["E0701"], &["expected 'Condition' tag, not 'Action'"]);
}
