//! The front end of the language `pleach`, seen from outside: text in, tree and codes out.

mod enums;
mod examples;
mod expressions;
mod findings;
mod limits;
mod names;
mod nodes;
mod print;
mod tunables;
mod values;
mod vectors;
mod wide;

use pleach_compile::dialect::Dialect;
use pleach_compile::internals::dialects::Pleach;
use pleach_compile::internals::session::Session;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;

/// Result of compiling some files, of which the first is the entry.
struct Outcome {
    errors: usize,
    /// Codes in the order of the findings.
    codes: Vec<&'static str>,
    /// All findings as text: place, message, help, related places.
    findings: String,
    /// Variables, events and trees, a line each.
    file: String,
}

fn load(files: &[(&str, &[u8])], manifest: &str) -> Outcome {
    let (manifest, problems) = Manifest::parse(manifest);
    assert_eq!(problems, []);
    let mut library = Texts::new("pleach");
    files.iter().for_each(|(name, text)| library.add(format!("{name}.pleach"), text));
    let mut session = Session::new(&library, &manifest);
    let file = Pleach.parse(&mut session, &[files[0].0.to_owned()]);
    let mut findings = String::new();
    let place = |span| {
        let at = session.sources.place(span);
        format!(
            "{}:{}:{}+{}",
            session.sources.get(span.source).name,
            at.line,
            at.column,
            span.end - span.start
        )
    };
    for finding in session.diagnostics.list() {
        let at = finding.span.map_or(String::new(), place);
        let help = finding.help.as_deref().unwrap_or_default();
        findings += &format!("{} {at} {} ({help})\n", finding.code.id, finding.message);
        for related in &finding.related {
            findings += &format!("    {} {}\n", place(related.span), related.message);
        }
    }
    Outcome {
        errors: session.diagnostics.errors(),
        codes: session.diagnostics.list().iter().map(|finding| finding.code.id).collect(),
        findings,
        file: print::file(&file, &session.names),
    }
}

/// Declarations that most of the tested texts use.
const WORLD: &str = "action shoot() action moveTo(place: int, speed: float) action say(line: text) \
    query visible: bool query rank(of: int): int query distance(place: int): float \
    var ammo: int8 var seen: int var health: float var alert: bool \
    group var target: int world var danger: float world var alarm: bool \
    const POST = 3 on hit { set health -= 10 }\n";

/// Loads a text in the world above, which is a library: a program need not use all of it.
fn in_the_world(text: &str) -> Outcome {
    let main = format!("include \"world.pleach\"\n{text}");
    load(&[("main", main.as_bytes()), ("world", WORLD.as_bytes())], "")
}

/// The text, in the world above, loads without any finding; these are its trees.
#[track_caller]
fn loads(text: &str, trees: &str) {
    warns(text, trees, &[]);
}

/// Checks that a text in the world compiles with exactly these warnings.
#[track_caller]
fn warns(text: &str, trees: &str, codes: &[&str]) {
    let outcome = in_the_world(text);
    assert_eq!(outcome.errors, 0, "{}", outcome.findings);
    let lines: Vec<_> =
        outcome.file.lines().filter(|line| !line.contains("var ") && !line.starts_with("on hit")).collect();
    assert_eq!(lines.join("\n"), trees, "{}", outcome.findings);
    assert_eq!(outcome.codes, codes, "{}", outcome.findings);
}

/// A node in a tree of its own becomes this.
#[track_caller]
fn node(text: &str, tree: &str) {
    loads(&format!("tree main {{ {text} }}"), &format!("main: {tree}"));
}

/// The text, in the world above, has these findings, of which the first has these parts.
#[track_caller]
fn finds(text: &str, codes: &[&str], parts: &[&str]) {
    let outcome = in_the_world(text);
    assert_eq!(outcome.codes, codes, "{}", outcome.findings);
    for part in parts {
        assert!(outcome.findings.contains(part), "{part}\n{}", outcome.findings);
    }
}
