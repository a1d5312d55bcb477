//! The front end of modular behavior trees, seen from outside: text in, findings out.

mod examples;
mod findings;
mod limits;

use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::Mbt;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Compilation, Request, compile};

/// Returns the manifest that comes with the dialect, with more behind it.
fn manifest(more: &str) -> Manifest {
    let (manifest, problems) = Manifest::parse(&format!("{}\n{more}", Mbt.manifest()));
    assert_eq!(problems, []);
    manifest
}

fn compiled(text: &str, manifest: &Manifest) -> Compilation {
    let entries = &["tree".to_owned()];
    compile(&Texts::of("tree", "xml", text), Request { dialect: &Mbt, manifest, entries, debug: true })
}

/// Returns all findings, each as `CODE line:column+length message (help)`.
fn findings(text: &str) -> Vec<String> {
    let done = compiled(text, &manifest(""));
    let told = |finding: &pleach_compile::diagnostic::Diagnostic| {
        let place = finding.span.map_or(String::new(), |span| {
            let at = done.sources.place(span);
            format!("{}:{}+{}", at.line, at.column, done.sources.text(span).len())
        });
        let help = finding.help.as_deref().unwrap_or_default();
        format!("{} {place} {} ({help})", finding.code.id, finding.message)
    };
    done.diagnostics.list().iter().map(told).collect()
}

/// Returns a tree with this node.
fn root(node: &str) -> String {
    format!("<BehaviorTree><Root>{node}</Root></BehaviorTree>")
}

/// Checks that the findings begin and go on like these.
#[track_caller]
fn told(text: &str, expected: &[&str]) {
    let findings = findings(text);
    assert_eq!(findings.len(), expected.len(), "{findings:#?}");
    for (finding, expected) in findings.iter().zip(expected) {
        let mut parts = expected.split(" … ");
        assert!(finding.starts_with(parts.next().unwrap_or_default()), "{finding}, not {expected}");
        assert!(parts.all(|part| finding.contains(part)), "{finding}, not {expected}");
    }
}
