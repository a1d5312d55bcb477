//! Comments that allow a finding: `// pleach: allow L007 the game sets it`.
//!
//! Such a comment stands on the line of the finding, or on the line before. It names one or several
//! rules and gives the reason.

use pleach_compile::source::{OriginId, Source, SourceId, Span};

/// Words that begin such a comment, behind the sign of a comment.
const WORDS: &str = "pleach: allow";

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
pub(crate) fn comments(id: SourceId, source: &Source) -> Vec<Allow> {
    let text = String::from_utf8_lossy(&source.text);
    let is_lossless = text.len() == source.text.len();
    let mut start = 0;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if let Some((comment, rest)) = comment(line).filter(|_| is_lossless) {
            let words = WORDS.len() + rest.trim_end().len();
            let first = start + comment as u32;
            let span = Span { source: id, start: first, end: first + words as u32, origin: OriginId::NONE };
            let (codes, reason) = codes(rest);
            found.push(Allow { line: number, span, codes, has_reason: !reason.is_empty() });
        }
        start += line.len() as u32;
    }
    found
}

/// Returns the place of the words in a line, and the text behind them.
fn comment(line: &str) -> Option<(usize, &str)> {
    let at = line.find(WORDS)?;
    let before = line[..at].trim_end();
    let is_comment = ["//", "/*", "<!--"].iter().any(|sign| before.ends_with(sign));
    let rest = &line[at + WORDS.len()..];
    let end = ["*/", "-->", "\n", "\r"].iter().filter_map(|end| rest.find(end)).min();
    let rest = &rest[..end.unwrap_or(rest.len())];
    (is_comment && (rest.is_empty() || rest.starts_with(' '))).then_some((at, rest))
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

    #[test]
    fn codes_and_reasons_are_told_apart() {
        let read = |line| {
            let (at, rest) = comment(line)?;
            let (codes, reason) = codes(rest);
            Some((at, codes.join(" "), reason.to_owned()))
        };
        let is = |at, codes: &str, reason: &str| Some((at, codes.to_owned(), reason.to_owned()));
        assert_eq!(read("// pleach: allow L007 the game\n"), is(3, "L007", "the game"));
        assert_eq!(read("<!-- pleach: allow L001, L002 -->\n"), is(5, "L001 L002", ""));
        assert_eq!(read("x /* pleach: allow L1 a */ y"), is(5, "L1", "a"));
        assert_eq!(read("// pleach: allowed L001"), None);
        assert_eq!(read("\"pleach: allow L001\""), None);
    }
}
