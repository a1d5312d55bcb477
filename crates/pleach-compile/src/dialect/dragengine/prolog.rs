//! The document type, as far as the engine's reader takes one.
//!
//! `<!DOCTYPE behaviorTree SYSTEM "…">` says nothing that the reader looks at, but it does no harm
//! either, so it is taken away before the file is parsed. One with declarations in it stays, and is
//! refused: it could bring entities.

use super::{Markup, ROOT, Text, unquoted};
use core::ops::Range;

/// Returns the text with blanks in place of a harmless document type.
pub(super) fn without_doctype(text: Text) -> Text {
    match harmless(text.text()) {
        Some(range) => text.without(range),
        None => text,
    }
}

/// Returns the range of a document type without declarations.
fn harmless(text: &str) -> Option<Range<usize>> {
    const BEGIN: &str = "<!DOCTYPE";
    let start = behind_prolog(text);
    let rest = text[start..].strip_prefix(BEGIN)?;
    let end = unquoted(rest).find(|(_, byte)| matches!(byte, b'[' | b'>'));
    let (length, _) = end.filter(|(_, byte)| *byte == b'>')?;
    let name = rest[..length].split_ascii_whitespace().next()?;
    (name == ROOT).then(|| start..start + BEGIN.len() + length + 1)
}

/// Returns the offset of the first thing that is neither white space, a comment, nor a processing
/// instruction.
fn behind_prolog(text: &str) -> usize {
    let mut at = 0;
    loop {
        at = text.len() - text[at..].trim_start().len();
        match Markup::begins(&text[at..]) {
            Markup::Aside(Some(length)) => at += length,
            _ => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn a_document_type_without_declarations_is_harmless() {
        let is = |text: &str| harmless(text).map(|range| text[range].to_owned());
        let plain = "<!DOCTYPE behaviorTree SYSTEM 'a[>'>";
        assert_eq!(
            is(&format!("<?xml version='1.0'?>\n<!-- <!DOCTYPE a> -->{plain}<a/>")),
            Some(plain.into())
        );
        assert_eq!(is("<!DOCTYPE behaviorTree>"), Some("<!DOCTYPE behaviorTree>".into()));
        assert_eq!(is("<!DOCTYPE behaviorTree [ <!ENTITY a 'b'> ]>"), None);
        assert_eq!(is("<!DOCTYPE other>"), None);
        assert_eq!(is("<behaviorTree/>"), None);
    }
}
