//! Comments that allow a finding: `// pleach: allow L007 the game sets it`.
//!
//! Such a comment stands on the line of the finding, or on the line before. It names one or several
//! rules and gives the reason.

use core::ops::Range;
use memchr::memmem;
use pleach_compile::internals::language::{Blank, blank, extent};
use pleach_compile::source::{OriginId, SourceId, Sources, Span};

/// Mark at the beginning of a text that tells its encoding.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Words that begin such a comment, behind the sign of a comment.
const WORDS: &[u8] = b"pleach: allow";

/// A comment that allows findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Allow {
    /// Line of the comment, from 1.
    pub(crate) line: u32,
    /// Place of the comment.
    pub(crate) span: Span,
    /// Codes of the rules.
    pub(crate) codes: Vec<String>,
    /// True if there is a reason.
    pub(crate) has_reason: bool,
}

impl Allow {
    /// Returns true if the comment allows findings of a rule.
    pub(crate) fn allows(&self, code: &str) -> bool {
        self.codes.iter().any(|known| known == code)
    }
}

/// Returns the comments of a file that allow findings.
pub(crate) fn allows(id: SourceId, sources: &Sources) -> Vec<Allow> {
    let text = &sources.get(id).text;
    let allow = |comment: Range<usize>| {
        let (words, rest) = words(text, comment)?;
        let (start, end) = (words.start as u32, words.end as u32);
        let span = Span { source: id, start, end, origin: OriginId::NONE };
        let (codes, reason) = codes(&rest);
        Some(Allow { line: sources.place(span).line, span, has_reason: !reason.is_empty(), codes })
    };
    comments(text).into_iter().filter_map(allow).collect()
}

/// Returns the place of the words in a comment that allows findings, and the text behind them in
/// the same line.
fn words(text: &[u8], comment: Range<usize>) -> Option<(Range<usize>, String)> {
    let inside = &text[comment.clone()];
    let is_sign = |byte: &u8| b"/*<!- \t".contains(byte);
    let first = inside.iter().position(|byte| !is_sign(byte))?;
    let rest = inside[first..].strip_prefix(WORDS)?;
    let rest = rest.split(|byte| b"\r\n".contains(byte)).next().unwrap_or_default();
    let rest = ["*/", "-->"].iter().find_map(|end| rest.strip_suffix(end.as_bytes())).unwrap_or(rest);
    let rest = rest.trim_ascii_end();
    let start = comment.start + first;
    let is_whole = rest.first().is_none_or(|byte| *byte == b' ');
    let place = start..start + WORDS.len() + rest.len();
    is_whole.then(|| (place, String::from_utf8_lossy(rest).into_owned()))
}

/// Returns the places of the comments in a text, of XML or of another dialect.
fn comments(text: &[u8]) -> Vec<Range<usize>> {
    let text = text.trim_ascii_end();
    let mark = if text.starts_with(MARK) { MARK.len() } else { 0 };
    let is_xml = text[mark..].trim_ascii_start().starts_with(b"<");
    let (mut at, mut found) = (mark, Vec::new());
    while at < text.len() {
        let (is_comment, end) = if is_xml { xml_piece(text, at) } else { piece(text, at) };
        if is_comment {
            found.push(at..end);
        }
        at = end;
    }
    found
}

/// Returns the end of the token, white space or comment at a byte, and true for a comment.
fn piece(text: &[u8], at: usize) -> (bool, usize) {
    match blank(text, at) {
        Blank::None => (false, extent(text, at).1),
        Blank::Space(end) => (false, end),
        Blank::Line(end) | Blank::Block(end) => (true, end),
        Blank::Open => (true, text.len()),
    }
}

/// Returns the end of the comment, CDATA section, tag or text of XML at a byte, and true for a
/// comment.
fn xml_piece(text: &[u8], at: usize) -> (bool, usize) {
    let behind = |sign: &[u8]| memmem::find(&text[at..], sign).map_or(text.len(), |to| at + to + sign.len());
    match &text[at..] {
        [b'<', b'!', b'-', b'-', ..] => (true, behind(b"-->")),
        [b'<', b'!', b'[', ..] => (false, behind(b"]]>")),
        [b'<', rest @ ..] => {
            let mut quote = None;
            let ends = |byte: &u8| {
                match (quote, byte) {
                    (None, b'"' | b'\'') => quote = Some(*byte),
                    (Some(open), byte) if open == *byte => quote = None,
                    _ => {}
                }
                quote.is_none() && *byte == b'>'
            };
            (false, rest.iter().position(ends).map_or(text.len(), |to| at + to + 2))
        }
        rest => (false, memchr::memchr(b'<', rest).map_or(text.len(), |to| at + to)),
    }
}

/// Returns the codes at the beginning of a text, and the rest.
fn codes(text: &str) -> (Vec<String>, &str) {
    let (mut codes, mut rest) = (Vec::new(), text.trim());
    loop {
        let word = rest.split([' ', ',']).next().unwrap_or_default();
        let digits = word.strip_prefix('L').unwrap_or_default();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return (codes, rest);
        }
        codes.push(word.to_owned());
        rest = rest[word.len()..].trim_start_matches([' ', ',']);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(&str, String, String)> {
        let read = |comment| {
            let (place, rest) = words(text.as_bytes(), comment)?;
            let (codes, reason) = codes(&rest);
            Some((&text[place], codes.join(" "), reason.to_owned()))
        };
        comments(text.as_bytes()).into_iter().filter_map(read).collect()
    }

    #[test]
    fn codes_and_reasons_are_told_apart() {
        let is = |place, codes: &str, reason: &str| vec![(place, codes.to_owned(), reason.to_owned())];
        let line = "// pleach: allow L007 the game\n";
        assert_eq!(read(line), is("pleach: allow L007 the game", "L007", "the game"));
        let xml = "\u{feff}<a b='<'/><!-- pleach: allow L001, L002 -->\n";
        assert_eq!(read(xml), is("pleach: allow L001, L002", "L001 L002", ""));
        assert_eq!(read("x /* pleach: allow L1 a */ y"), is("pleach: allow L1 a", "L1", "a"));
        assert_eq!(read("// pleach: allow L1 a\r\nx"), is("pleach: allow L1 a", "L1", "a"));
        assert_eq!(read("// pleach: allowed L001"), []);
    }

    #[test]
    fn texts_in_quotes_are_no_comments() {
        let text = "// pleach: allow L001 a";
        let xml = "<!-- pleach: allow L001 a -->";
        assert_eq!(read(&format!("action say(\"{text}\")")), []);
        assert_eq!(read(&format!("action say(\"\\\"{text}\")")), []);
        assert_eq!(read(&format!("<a say='{xml}' or=\"{text}\">{text}<![CDATA[{xml}]]></a>")), []);
    }
}
