//! The front end of behavior selection trees, seen from outside: files in, findings out.

mod limits;

use pleach_compile::diagnostic::Diagnostic;
use pleach_compile::internals::dialects::Bst;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Compilation, Compiler, Request};

fn compiled(files: &[(&str, &str)], entries: &[&str], lenient: bool) -> Compilation {
    let (manifest, entries) =
        (Manifest::default(), entries.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
    let library = files.iter().fold(Texts::new("xml"), |texts, (path, text)| texts.with(*path, text));
    let request = Request { dialect: &Bst, manifest: &manifest, entries: &entries, debug: true };
    Compiler::default().lenient(lenient).compile(&library, request)
}

/// Returns all findings about a file `t.xml`, each as `CODE line:column+length message (help)`.
fn findings(text: &str, lenient: bool) -> Vec<String> {
    let done = compiled(&[("t.xml", text)], &["t"], lenient);
    let told = |finding: &Diagnostic| {
        let place = finding.span.map_or(String::new(), |span| {
            let at = done.sources.place(span);
            format!("{}:{}+{}", at.line, at.column, done.sources.text(span).len())
        });
        let help = finding.help.as_deref().unwrap_or_default();
        format!("{} {place} {} ({help})", finding.code.id, finding.message)
    };
    done.diagnostics.list().iter().map(told).collect()
}

#[test]
fn places_are_those_of_the_file() {
    let whole = "<SelectionTree name='t' type='t'>\n <Priority name='R'>\n  <Leaf nam='X'/>\n  <Ref name='b'/>\n </Priority>\n \
        <Blocks><Block name='B'/></Blocks>\n</SelectionTree>";
    let found = findings(whole, false);
    assert_eq!(found[0], "W0753 3:9+3 `Leaf` has no attribute `nam`; it is ignored (did you mean `name`?)");
    assert!(found[1].starts_with("E0706 3:4+4 `Leaf` needs the attribute `name`"), "{found:?}");
    assert_eq!(found[2], "E0771 4:14+1 there is no block `b` (did you mean `B`? Here, case counts)");
    assert_eq!(found.len(), 3, "{found:?}");
}

/// Elements around sections do not shift the places of findings.
#[test]
fn places_in_sections_without_a_tree_are_right() {
    let sections =
        "<?xml version='1.0'?>\n<Variables/>\n<Priority name='R'>\n <Sequence name='S'/></Priority>";
    let found = findings(sections, false);
    assert_eq!(found, ["E0773 4:3+8 what a `Sequence` selects is not defined (use a `Priority`)"]);
    let open = findings("<Variables/><Priority name='R'>", false);
    assert!(open[0].starts_with("E0701 1:32+0"), "{open:?}");
}

#[test]
fn what_is_forgiven_tells_what_comes_of_it() {
    let text = "<Leaf name='X'/><Leaf name='Y'/>";
    let found = findings(text, false);
    assert_eq!(
        found[0],
        "E0754 1:18+4 `Leaf` is a second node (a tree has one node: put several into a `Priority`)"
    );
    let found = findings(text, true);
    let message = "`Leaf` is a second node; the tree has neither signals nor translations";
    assert_eq!(
        found,
        [format!("W0771 1:18+4 {message} (a tree has one node: put several into a `Priority`)")]
    );
}

#[test]
fn trees_are_asked_for_by_name_or_file() {
    let trees = "<SelectionTrees><SelectionTree name='One' type='t'><Leaf name='X'/></SelectionTree>\
        <SelectionTree name='Two' type='t'><Leaf name='Y'/></SelectionTree></SelectionTrees>";
    let three = "<SelectionTree name='Three' type='t'><Leaf name='Z'/></SelectionTree>";
    let files = [("trees.xml", trees), ("three.xml", three), ("none.xml", "<Blocks/>")];
    let codes = |entries: &[&str]| {
        let done = compiled(&files, entries, false);
        done.diagnostics.list().iter().map(|it| it.code.id).collect::<Vec<_>>()
    };
    assert_eq!([codes(&["two"]), codes(&["THREE"]), codes(&["three"])], [const { Vec::<&str>::new() }; 3]);
    assert_eq!(codes(&["trees"]), ["E0407"]);
    assert_eq!(codes(&["four"]), ["E0407"]);
    assert_eq!(codes(&["none"]), ["E0620"]);
    assert_eq!(codes(&[]), ["E0407"]);
    assert_eq!(codes(&["One", "Two"]), ["E0753"]);
}
