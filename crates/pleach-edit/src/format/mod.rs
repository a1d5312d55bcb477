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

mod layout;
mod pieces;
mod space;

#[cfg(test)]
mod tests;

use crate::change::{Replacement, smallest};
use crate::document::errors_of_form;
use crate::tokens::tokens;
use core::mem::take;
use pleach_compile::Compilation;
use pleach_compile::diagnostic::Diagnostics;
use pleach_compile::internals::language::{Keyword, Node, OpKind, Parsed, parse};

/// Returns a text in the usual layout.
///
/// ```
/// let text = b"tree a { sequence{ wait 2s // short\n invert { failure } } }";
/// let formatted =
///     "tree a\n{\n\tsequence\n\t{\n\t\twait 2 s // short\n\t\tinvert { failure }\n\t}\n}\n";
/// assert_eq!(pleach_edit::format("a.pleach", text).unwrap(), formatted);
/// ```
///
/// # Errors
/// If the text has errors of syntax: a [`Compilation`] without an image, with the errors as
/// diagnostics. Included files are not read and names are not looked up, so an unknown name is no
/// error. `name` is the name of the file in diagnostics.
pub fn format(name: &str, text: &[u8]) -> Result<String, Compilation> {
    let mut parsed = parse(name, text);
    match wrong(&mut parsed, text) {
        Some(wrong) => Err(wrong),
        None => Ok(layout::layout(&String::from_utf8_lossy(text), &starts(&parsed))),
    }
}

/// Returns the replacements that give a text the usual layout, in order. Each is about the space
/// between two tokens, or within a comment.
///
/// # Errors
/// As for [`format()`].
pub fn changes(name: &str, text: &str) -> Result<Vec<Replacement>, Compilation> {
    Ok(between(text, &format(name, text.as_bytes())?))
}

/// Returns a text that has been read in the usual layout, or none if it has errors of syntax.
pub(crate) fn formatted(parsed: &Parsed, text: &str) -> Option<String> {
    let has_errors = errors_of_form(parsed, text.as_bytes()).next().is_some();
    (!has_errors).then(|| layout::layout(text, &starts(parsed)))
}

/// Returns the replacements that give a text the layout of another one with the same tokens.
pub(crate) fn between(text: &str, form: &str) -> Vec<Replacement> {
    let (old, new) = (tokens(text), tokens(form));
    let mut list = Vec::new();
    let (mut from, mut to) = (0, 0);
    for (old, new) in old.iter().zip(&new) {
        list.push(Replacement::new((from, old.start), &form[to as usize..new.start as usize]));
        list.push(Replacement::new((old.start, old.end), &form[new.start as usize..new.end as usize]));
        (from, to) = (old.end, new.end);
    }
    list.push(Replacement::new((from, text.len() as u32), &form[to as usize..]));
    smallest(list, text)
}

/// Returns a text of an earlier version of the language in today's words, otherwise unchanged: a
/// `condition` with a block becomes an `if`.
#[must_use]
pub fn upgrade(name: &str, text: &[u8]) -> Vec<u8> {
    let word = Keyword::Condition.text().as_bytes();
    let parsed = parse(name, text);
    let ifs = parsed.nodes.iter().filter(|node| node.kind == Keyword::If);
    let mut places: Vec<usize> = ifs.map(|node| node.start as usize).collect();
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

/// Returns the beginnings of all lines that a token other than a brace or a declaration begins, in
/// order.
fn starts(parsed: &Parsed) -> Vec<u32> {
    let nodes = parsed.nodes.iter().filter(|node| !node.is_sets).map(|node| start(parsed, node));
    let members = parsed.members.iter().map(|(start, _)| *start);
    let mut starts: Vec<u32> = nodes.chain(parsed.locals.iter().copied()).chain(members).collect();
    starts.sort_unstable();
    starts
}

/// Returns the errors of a text, if it has any.
fn wrong(parsed: &mut Parsed, text: &[u8]) -> Option<Compilation> {
    let mut diagnostics = Diagnostics::default();
    errors_of_form(parsed, text).for_each(|error| diagnostics.push(error));
    let sources = take(&mut parsed.sources);
    (diagnostics.errors() > 0).then_some(Compilation { image: None, sources, diagnostics })
}

/// Returns the beginning of a node: its word, or the weight before it. Parentheses around a weight
/// do not count, because they are no ops of the parser.
fn start(parsed: &Parsed, node: &Node) -> u32 {
    let range = node.weight.map(|weight| parsed.operands[weight as usize]);
    let ops = range.map(|(first, end)| &parsed.ops[first as usize..end as usize]).unwrap_or_default();
    let is_wrong = ops.iter().any(|op| op.kind == OpKind::Wrong);
    ops.iter().map(|op| op.place.0).min().filter(|_| !is_wrong).unwrap_or(node.start)
}
