//! The front end of Bt Engine's files, seen from outside: text in, tree and codes out.

mod examples;
mod findings;
mod limits;
mod nodes;

use pleach_compile::dialect::Dialect;
use pleach_compile::internals::ast::{File, Value};
use pleach_compile::internals::dialects::BtEngine;
use pleach_compile::internals::session::Session;
use pleach_compile::internals::text::{Interner, Sym};
use pleach_compile::manifest::Manifest;
use pleach_compile::source::{Found, Library};
use std::fmt::Write;

/// Files by path. The first one is the entry.
struct Files<'a>(&'a [(&'a str, &'a str)]);

impl Library for Files<'_> {
    fn tree(&self, name: &str) -> Option<Found> {
        self.include(name)
    }

    fn include(&self, path: &str) -> Option<Found> {
        let (_, text) = self.0.iter().find(|(known, _)| *known == path)?;
        Some(Found { name: path.to_owned(), text: text.as_bytes().into() })
    }
}

/// Result of compiling some files.
struct Outcome {
    /// Codes in the order of the findings.
    codes: Vec<&'static str>,
    /// All findings as text: place, message, help, related places.
    findings: String,
    /// Forests and trees, a line each.
    file: String,
}

fn load(files: &[(&str, &str)]) -> Outcome {
    let (library, manifest) = (Files(files), Manifest::default());
    let mut session = Session::new(&library, &manifest);
    let file = BtEngine.parse(&mut session, &[files[0].0.to_owned()]);
    let mut findings = String::new();
    let place = |span| {
        let at = session.sources.place(span);
        let text = String::from_utf8_lossy(session.sources.text(span)).into_owned();
        format!("{}:{}:{} `{text}`", session.sources.get(span.source).name, at.line, at.column)
    };
    for finding in session.diagnostics.list() {
        let at = finding.span.map_or(String::new(), place);
        let help = finding.help.as_deref().unwrap_or_default();
        let _ = writeln!(findings, "{} {at} {} ({help})", finding.code.id, finding.message);
        for related in &finding.related {
            let _ = writeln!(findings, "    {} {}", place(related.span), related.message);
        }
    }
    Outcome {
        codes: session.diagnostics.list().iter().map(|finding| finding.code.id).collect(),
        findings,
        file: print(&file, &session.names),
    }
}

/// Forests, then tree files, a line each.
fn print(file: &File, names: &Interner) -> String {
    let (mut out, forests) = (String::new(), &file.forests);
    let name = |sym: Sym| names.text(sym).into_owned();
    let attributes = |(first, count): (u32, u32)| -> String {
        let rows = &forests.attributes[first as usize..(first + count) as usize];
        rows.iter().map(|(key, value)| format!(" {}={}", name(*key), name(*value))).collect()
    };
    for forest in &forests.forests {
        let _ = write!(out, "{}{}:", name(forest.name), attributes(forest.attributes));
        for tree in &forests.trees[forest.trees.0 as usize..(forest.trees.0 + forest.trees.1) as usize] {
            let runs = name(file.trees[file.entries[tree.entry as usize] as usize].name);
            let _ = write!(out, " {}({runs}{})", name(tree.name), attributes(tree.attributes));
        }
        out.push('\n');
    }
    let mut faces = forests.nodes.iter();
    for tree in &file.trees {
        let root = faces.next().expect("a root");
        let _ = write!(out, "{}{}:", name(tree.name), attributes(root.attributes));
        let nodes = tree.root..file.nodes[tree.root as usize].end;
        let mut open: Vec<u32> = Vec::new();
        for index in nodes {
            let (node, face) = (&file.nodes[index as usize], faces.next().expect("a face for each node"));
            while open.pop_if(|end| *end <= index).is_some() {
                out.push('}');
            }
            assert_eq!(face.name, node.subject);
            let _ = write!(out, " {} {}", name(node.keyword), node.subject.map(name).unwrap_or_default());
            let args = file.args(node.args).iter().map(|value| match value {
                Value::Int(int) => format!("({int} {:?})", face.policy),
                other => format!("{other:?}"),
            });
            args.for_each(|arg| out.push_str(&arg));
            out.push_str(&attributes(face.attributes));
            if node.end > index + 1 {
                out.push('{');
                open.push(node.end);
            }
        }
        open.iter().for_each(|_| out.push('}'));
        out.push('\n');
    }
    out
}

/// Returns a tree file with these nodes, in a forest.
fn tree(nodes: &str) -> Outcome {
    let forest =
        "<BehaviorForestRoot><Forest name='F'><Tree name='T' file='t.xml'/></Forest></BehaviorForestRoot>";
    load(&[("f.xml", forest), ("t.xml", &format!("<BehaviorTreeRoot>{nodes}</BehaviorTreeRoot>"))])
}
