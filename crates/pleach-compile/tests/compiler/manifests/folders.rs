//! Checks of whole folders.

use super::told;
use pleach_compile::dialect::by_name;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Compilation, Compiler, Request};

fn checked(texts: &Texts, lenient: bool) -> Compilation {
    let dialect = by_name("bst").expect("a dialect");
    let manifest = Manifest::default();
    let request = Request { dialect, manifest: &manifest, entries: &[], debug: false };
    Compiler::default().lenient(lenient).check_folder(texts, request)
}

fn tree(name: &str, inner: &str) -> String {
    format!("<SelectionTree name='{name}' type='x'>{inner}</SelectionTree>")
}

#[test]
fn all_trees_are_checked_and_shared_findings_are_told_once() {
    let shared = "<Blocks><Block name='B'><Leaf name='L' conditon='x'/></Block></Blocks>";
    let texts = Texts::new("xml")
        .with("blocks.xml", shared)
        .with("a.xml", tree("A", "<Priority name='P'><Ref name='B'/></Priority>"))
        .with(
            "b.xml",
            tree("B", "<Priority name='P'><Ref name='B'/><Leaf name='C' condition='('/></Priority>"),
        )
        .with("c.xml", tree("C", "<Leaf/>"));
    let done = checked(&texts, false);
    let codes: Vec<_> = told(&done.diagnostics).iter().map(|(code, ..)| *code).collect();
    assert_eq!(codes, ["E0706", "W0753", "E0751"], "the last file comes first");
    assert!(done.image.is_none());
}

#[test]
fn a_folder_without_fault() {
    let texts = Texts::new("xml")
        .with("a.xml", tree("A", "<Leaf name='L'/>"))
        .with("b.xml", tree("B", "<Priority name='P'><Leaf name='M'/></Priority>"));
    for lenient in [false, true] {
        assert_eq!(told(&checked(&texts, lenient).diagnostics), []);
    }
}

#[test]
fn what_only_an_image_cannot_hold_is_told() {
    let deep = format!(
        "{}<Leaf name='L'/>{}",
        "<Priority name='P' condition='A'>".repeat(60_000),
        "</Priority>".repeat(60_000)
    );
    let texts = Texts::new("xml")
        .with("a.xml", tree("A", &format!("<Variables><Variable name='A'/></Variables>{deep}")));
    let done = checked(&texts, false);
    assert!(done.diagnostics.errors() > 0);
}

#[test]
fn trees_of_one_name_and_folders_without_trees() {
    let twice = Texts::new("xml")
        .with("a.xml", tree("A", "<Leaf name='L'/>"))
        .with("b.xml", tree("a", "<Leaf name='M'/>"));
    let codes = |texts: &Texts, lenient| {
        told(&checked(texts, lenient).diagnostics).iter().map(|(code, ..)| *code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&twice, false), ["E0609"]);
    assert_eq!(codes(&twice, true), ["W0771"]);
    assert_eq!(codes(&Texts::new("xml"), false), ["E0407"]);
}
