//! Errors by which a text has no form: it can be neither laid out nor edited where they are.

use pleach_compile::codes;
use pleach_compile::diagnostic::{Diagnostic, Severity};
use pleach_compile::internals::language::Parsed;
use pleach_compile::source::{OriginId, SourceId, Span};

/// Returns the errors by which a text has no form: those of the parser, and each unknown node. A
/// second declaration of a name does not matter, unless the parser has dropped findings: a dropped
/// finding may be an error that matters.
pub(crate) fn errors_of_form(parsed: &Parsed, text: &[u8]) -> impl Iterator<Item = Diagnostic> {
    let matters = |it: &&Diagnostic| {
        let is_repeated = [codes::DECLARED_TWICE, codes::DECLARED_OTHERWISE].contains(&it.code);
        it.severity == Severity::Error && (!is_repeated || parsed.diagnostics.dropped() > 0)
    };
    let errors = parsed.diagnostics.list().iter().filter(matters).cloned();
    let unknown = parsed.nodes.iter().filter(|node| node.is_unknown);
    errors.chain(unknown.map(|node| unknown_node(text, node.start)))
}

/// Returns the error about a word that begins no node.
fn unknown_node(text: &[u8], start: u32) -> Diagnostic {
    let word = text[start as usize..].iter().take_while(|it| it.is_ascii_alphanumeric() || **it == b'_');
    let end = start + word.count() as u32;
    let name = String::from_utf8_lossy(&text[start as usize..end as usize]);
    let at = Span { source: SourceId(0), start, end, origin: OriginId::NONE };
    Diagnostic::new(codes::UNKNOWN_NODE, Some(at), format!("`{name}` begins no node"))
}
