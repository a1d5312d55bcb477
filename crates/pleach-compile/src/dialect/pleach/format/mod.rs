//! The formatter: one layout for all texts of the language.
//!
//! Formatting changes only the space between tokens. Every node and declaration gets a line of its
//! own, indented by tabs. So do braces, unless the whole block was written on one line and fits.
//! Comments stay between their tokens. A line break within an expression or a list stays. Of
//! several blank lines one stays.
//!
//! Line ends have no meaning in the language, so only the parser knows the beginnings of nodes
//! (`starts`). Everything else depends on tokens. A formatted text is not changed by formatting it
//! again, and keeps its meaning; tests check both with examples and random programs. A file with
//! errors is not changed, because its meaning is unknown.
//!
//! ```
//! use pleach_compile::internals::dialects::format;
//!
//! let text = b"tree a { sequence{ wait 2s // short\n invert { failure } } }";
//! let formatted =
//!     "tree a\n{\n\tsequence\n\t{\n\t\twait 2 s // short\n\t\tinvert { failure }\n\t}\n}\n";
//! assert_eq!(format("a.pleach", text).unwrap(), formatted);
//! ```

mod layout;
mod pieces;
mod space;

#[cfg(test)]
mod tests;

use super::parser::Parser;
use super::syntax::{Code, Mode, NO_WEIGHT, Node, Program};
use super::words::Keyword;
use crate::Compilation;
use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::manifest::Manifest;
use crate::session::Session;
use crate::source::{Found, Library, OriginId, SourceId, Span};
use crate::text::Sym;
use bumpalo::Bump;
use core::mem::take;

/// Returns a text in the usual layout.
///
/// # Errors
/// What is wrong with a text that has no such form, as a compilation without an image. It is about
/// this text alone: what it includes is not read, and what its names stand for does not matter.
pub fn format(name: &str, text: &[u8]) -> Result<String, Compilation> {
    let (starts, wrong) = starts(name, text);
    match wrong {
        Some(wrong) => Err(wrong),
        None => Ok(layout::layout(&String::from_utf8_lossy(text), &starts)),
    }
}

/// Returns a text of an earlier version of the language in today's words, otherwise unchanged: a
/// `condition` with a block becomes an `if`.
#[must_use]
pub(crate) fn upgrade(name: &str, text: &[u8]) -> Vec<u8> {
    let manifest = Manifest::default();
    let mut session = Session::new(&Alone, &manifest);
    let arena = Bump::new();
    let program = read(&mut session, &arena, name, text).program;
    let word = Keyword::Condition.text().as_bytes();
    let ifs = program.nodes.iter().filter(|node| node.kind == Keyword::If);
    let mut places: Vec<usize> = ifs.map(|node| node.place.0 as usize).collect();
    places.retain(|at| text[*at..].starts_with(word));
    places.sort_unstable();
    let mut upgraded = Vec::with_capacity(text.len());
    let mut from = 0;
    for at in places {
        upgraded.extend_from_slice(&text[from..at]);
        upgraded.extend_from_slice(Keyword::If.text().as_bytes());
        from = at + word.len();
    }
    upgraded.extend_from_slice(&text[from..]);
    upgraded
}

/// Nothing to include: an empty file will do.
struct Alone;

impl Library for Alone {
    fn tree(&self, _: &str) -> Option<Found> {
        None
    }

    fn include(&self, path: &str) -> Option<Found> {
        Some(Found { name: format!("include {path}"), text: [].into() })
    }
}

/// Returns the beginnings of all nodes in order, each with the weight before it,
/// and the errors of the text.
fn starts(name: &str, text: &[u8]) -> (Vec<u32>, Option<Compilation>) {
    let manifest = Manifest::default();
    let mut session = Session::new(&Alone, &manifest);
    let arena = Bump::new();
    let Parser { session, program, .. } = read(&mut session, &arena, name, text);
    let nodes = program.nodes.iter().filter(|node| node.mode != Mode::Sets);
    let locals = program.trees.iter().flat_map(|tree| tree.locals).map(|local| local.start);
    let members = program.members.iter().map(|member| member.span.start);
    let starts = nodes.map(|node| start(&program, node)).chain(locals).chain(members);
    let mut starts: Vec<u32> = starts.collect();
    starts.sort_unstable();
    let mut diagnostics = Diagnostics::default();
    // A dropped finding may be an error of this kind.
    let all = session.diagnostics.dropped() > 0;
    for finding in session.diagnostics.list().iter().filter(|finding| all || is_about_form(finding)) {
        diagnostics.push(finding.clone());
    }
    if let Some(node) = program.nodes.iter().find(|node| node.mode == Mode::Unknown) {
        let name = session.names.text(Sym(node.subject)).into_owned();
        let (start, end) = node.place;
        let at = Span { source: SourceId(0), start, end, origin: OriginId::NONE };
        let message = format!("`{name}` begins no node");
        diagnostics.push(Diagnostic::new(codes::UNKNOWN_NODE, Some(at), message));
    }
    let wrong = diagnostics.errors() > 0;
    let sources = take(&mut session.sources);
    (starts, wrong.then_some(Compilation { image: None, sources, diagnostics }))
}

/// Reads the nodes of one text.
fn read<'s, 'a>(session: &'s mut Session<'a>, arena: &'s Bump, name: &str, text: &[u8]) -> Parser<'s, 'a> {
    let mut parser = Parser::new(session, arena);
    parser.read(Found { name: name.to_owned(), text: text.into() });
    parser
}

/// Returns true if a text with this error has no form. A second
/// declaration of a name does not matter.
fn is_about_form(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
        && ![codes::DECLARED_TWICE, codes::DECLARED_OTHERWISE].contains(&finding.code)
}

/// Returns the beginning of a node: its word, or the weight before it. Parentheses around a weight
/// do not count, because they are no ops of the parser.
fn start(program: &Program<'_>, node: &Node) -> u32 {
    let weight = program.operands.get(node.weight as usize).map(|range| program.ops(*range));
    let ops = weight.filter(|_| node.weight != NO_WEIGHT).unwrap_or_default();
    let is_wrong = ops.iter().any(|op| matches!(op.code, Code::Wrong));
    ops.iter().map(|op| op.start).min().filter(|_| !is_wrong).unwrap_or(node.place.0)
}
