//! Trees of BehaviorTree.CPP. The conformance cases have the behavior of trees that load.

mod findings;
mod titles;
mod values;

use pleach_compile::dialect::by_name;
use pleach_compile::manifest::{Manifest, Starter};
use pleach_compile::texts::Texts;
use pleach_compile::{Compilation, Request, compile};

/// Returns a file whose main tree has this node, with other elements beside the tree.
fn file(node: &str, others: &str) -> String {
    format!(
        "<root BTCPP_format='4' main_tree_to_execute='M'><BehaviorTree ID='M'>{node}</BehaviorTree>{others}</root>"
    )
}

/// Returns the codes and messages of a compilation. If there is none, there is an image.
fn findings(done: &Compilation) -> String {
    let list = done.diagnostics.list();
    assert_eq!(done.image.is_some(), list.is_empty(), "{list:?}");
    list.iter().map(|it| format!("{} {}", it.code.id, it.message)).collect::<Vec<_>>().join("; ")
}

/// Compiles a file with a manifest. Returns the findings.
fn with(manifest: &str, text: &str) -> String {
    let (manifest, problems) = Manifest::parse(manifest);
    assert_eq!(problems, []);
    let (dialect, entries) = (by_name("btcpp").expect("a dialect"), ["main".to_owned()]);
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
    findings(&compile(&Texts::of("main", "xml", text), request))
}

/// Compiles a file. Returns the findings.
fn load(text: &str) -> String {
    with("", text)
}

/// Returns the manifest that is made from a file, and the findings.
fn starter(text: &str) -> (String, String) {
    let (dialect, entries) = (by_name("btcpp").expect("a dialect"), ["main".to_owned()]);
    let manifest = Manifest::default();
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
    let mut starter = Starter::default();
    let done = starter.read(&Texts::of("main", "xml", text), request);
    let told = done.diagnostics.list().iter().map(|it| format!("{} {}", it.code.id, it.message));
    (starter.to_string(), told.collect())
}
