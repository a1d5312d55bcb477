//! Files that load, and the trees that they become.

use super::{load, tree};

/// Nodes in a tree of their own become these.
#[track_caller]
fn nodes(text: &str, must: &str) {
    let outcome = tree(text);
    assert_eq!(outcome.findings, "");
    assert_eq!(outcome.file, format!("F: T(t.xml)\nt.xml:{must}\n"));
}

#[test]
fn each_node() {
    nodes("<Condition name='c'/>", " Condition c");
    nodes("<Action name='a'/>", " Action a(1 Success)");
    nodes("<Action name='a' policy='Failure'/>", " Action a(0 Failure)");
    nodes("<Decorator name='d'><Condition name='c'/></Decorator>", " Decorator d{ Condition c}");
    nodes(
        "<Selector name='l'><Condition name='c'/><Action name='a'/></Selector>",
        " Selector l{ Condition c Action a(1 Success)}",
    );
    nodes("<Sequence name='q'><Condition name='c'/></Sequence>", " Sequence q{ Condition c}");
    nodes("<Parallel name='p'><Condition name='c'/></Parallel>", " Parallel p(1 Sequence){ Condition c}");
    nodes(
        "<Parallel name='p' policy='Selector'><Condition name='c'/></Parallel>",
        " Parallel p(0 Selector){ Condition c}",
    );
}

#[test]
fn nodes_in_nodes() {
    nodes(
        "<!-- all --><Selector name='l'><Sequence name='q'><Condition name='c'/>\n</Sequence><Action name='a'/></Selector>",
        " Selector l{ Sequence q{ Condition c} Action a(1 Success)}",
    );
}

#[test]
fn attributes_of_everything() {
    let forest = "<?xml version='1.0'?><BehaviorForestRoot><UserAttr key='k' value='0'/>
        <Forest name='F'><Tree name='T' file='t.xml'><UserAttr key='k' value='&lt;1&gt;'/></Tree>
        <UserAttr key='k' value='2'/><UserAttr key='l' value=''/></Forest></BehaviorForestRoot>";
    let tree = "<BehaviorTreeRoot><Condition name='c'><UserAttr key='k' value='4'/></Condition><UserAttr key='k' value='3'/></BehaviorTreeRoot>";
    let outcome = load(&[("f.xml", forest), ("t.xml", tree)]);
    assert_eq!(outcome.findings, "");
    assert_eq!(outcome.file, "F k=2 l=: T(t.xml k=<1>)\nt.xml k=3: Condition c k=4\n");
}

#[test]
fn files_are_read_once() {
    let forest = "<BehaviorForestRoot><Forest name='F'><Tree name='T' file='t.xml'/><Tree name='U' file='u.xml'/></Forest>
        <Forest name='G'/><Forest name='H'><Tree name='T' file='t.xml'/></Forest></BehaviorForestRoot>";
    let tree = "<BehaviorTreeRoot><Condition name='c'/></BehaviorTreeRoot>";
    let outcome = load(&[("f.xml", forest), ("t.xml", tree), ("u.xml", tree)]);
    assert_eq!(outcome.findings, "");
    assert_eq!(
        outcome.file,
        "F: T(t.xml) U(u.xml)\nG:\nH: T(t.xml)\nt.xml: Condition c\nu.xml: Condition c\n"
    );
}

#[test]
fn a_tree_alone() {
    let outcome = load(&[("t.xml", "<BehaviorTreeRoot><Condition name='c'/></BehaviorTreeRoot>")]);
    assert_eq!((outcome.findings.as_str(), outcome.file.as_str()), ("", "t.xml: Condition c\n"));
}
