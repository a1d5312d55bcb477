//! Findings: diagnostics that are ready to be shown.
//!
//! A compiler's diagnostic holds spans, which need the sources. A [`Finding`] is complete in
//! itself. So the findings of several compilations can be combined, and findings about a shared
//! file appear once. Text, JSON and the live page show the same findings.

mod render;

use crate::files::Files;
use pleach_compile::Compilation;
use pleach_compile::diagnostic::{Code, Diagnostic, Edit, Severity};
use pleach_compile::manifest::{Manifests, Problem};
use pleach_compile::source::{OriginKind, Sources, Span};
use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

/// Maximum number of macros and includes that are shown for one finding.
const MAX_ORIGINS: usize = 16;

/// Maximum number of problems of a file of lines that are kept. A compilation keeps as many.
const MOST_LINES: usize = 500;

/// Maximum number of bytes of a line whose characters are counted.
const MAX_COUNTED: u32 = 1 << 16;

/// Maximum length in bytes of a line that is shown.
const MAX_LINE: usize = 2048;

/// Line and column, both from 1. Columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Column in characters, from 1. Behind 64 KiB of a line, characters count their bytes.
    pub letter: u32,
}

/// Line of source for showing. Bytes that are not text are replaced.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Excerpt {
    text: String,
    marked: Range<usize>,
}

/// Piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Path of the file for messages.
    pub file: String,
    /// First byte.
    pub start: Point,
    /// Byte after the last.
    pub end: Point,
    excerpt: Option<Excerpt>,
}

/// Place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Related {
    /// Explanation.
    pub message: String,
    /// Text that the explanation is about.
    pub place: Place,
}

/// Macro or include that text came through.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// `macro`, `include` or `use`.
    pub kind: &'static str,
    /// Name of the macro or of the included file.
    pub name: String,
    /// Text that uses the macro or includes the file.
    pub place: Place,
}

/// Change of the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// Text that is replaced.
    pub place: Place,
    /// New text.
    pub text: String,
}

/// Diagnostic that is complete in itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finding {
    /// True for an error, false for a warning.
    pub is_error: bool,
    /// Permanent code of the diagnostic. Problems of manifests and of unreadable files have none.
    pub code: Option<&'static str>,
    /// Message that states the problem.
    pub message: String,
    /// Advice, if there is any.
    pub help: Option<String>,
    /// Text that the finding is about.
    pub place: Option<Place>,
    /// Other places that explain the finding.
    pub related: Vec<Related>,
    /// Macros and includes that the text came through, innermost first; at most 16.
    pub origins: Vec<Origin>,
    /// Changes that mend the text, to be made together; none if there are no such changes.
    pub changes: Vec<Change>,
}

impl Finding {
    /// Creates a finding without a code.
    fn new(is_error: bool, message: String, place: Option<Place>) -> Self {
        let (related, origins, changes) = Default::default();
        Self { is_error, code: None, message, help: None, place, related, origins, changes }
    }

    /// Returns the finding as one line, without the source: `guard.pleach:3:5: the message
    /// (E0401)`.
    #[must_use]
    pub fn brief(&self) -> String {
        render::brief(self)
    }
}

/// Findings of one run of a command or build script. A finding that equals an earlier one in all its
/// parts is not added again.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    known: HashSet<Finding>,
    errors: usize,
    dropped: usize,
    failed: bool,
    files: usize,
}

impl Findings {
    /// Adds the findings of a compilation, except for known ones.
    pub fn add(&mut self, done: &Compilation, library: &Files) {
        self.add_some(done, library, &|_| true);
    }

    /// Adds the findings of a compilation, except for known ones and those with this code.
    pub fn add_but(&mut self, code: Code, done: &Compilation, library: &Files) {
        self.add_some(done, library, &|diagnostic| diagnostic.code != code);
    }

    fn add_some(&mut self, done: &Compilation, library: &Files, counts: &dyn Fn(&Diagnostic) -> bool) {
        self.files += 1;
        self.dropped += done.diagnostics.dropped();
        let teller = Teller { sources: &done.sources, shown: &|name| library.shown(name) };
        let (counted, others): (Vec<_>, Vec<_>) = done.diagnostics.list().iter().partition(|it| counts(it));
        self.failed |= done.diagnostics.errors() > others.len();
        for diagnostic in counted {
            self.push(teller.finding(diagnostic));
        }
        for trouble in library.troubles() {
            self.push(Finding::new(false, trouble, None));
        }
    }

    /// Adds findings about a program whose other findings are known already. Only those count for
    /// which the condition holds.
    pub fn add_more(&mut self, done: &Compilation, library: &Files, counts: &dyn Fn(&Diagnostic) -> bool) {
        let teller = Teller { sources: &done.sources, shown: &|name| library.shown(name) };
        self.dropped += done.diagnostics.dropped();
        for diagnostic in done.diagnostics.list().iter().filter(|it| counts(it)) {
            self.failed |= diagnostic.severity == Severity::Error;
            self.push(teller.finding(diagnostic));
        }
    }

    /// Adds the findings of manifests, except for known ones.
    pub fn add_manifests(&mut self, manifests: &Manifests) {
        let (found, known) = (manifests.diagnostics(), self.list.len());
        let teller = Teller { sources: manifests.sources(), shown: &str::to_owned };
        self.failed |= found.errors() > 0;
        self.dropped += found.dropped();
        for diagnostic in found.list() {
            self.push(teller.finding(diagnostic));
        }
        self.files += usize::from(self.list.len() > known);
    }

    /// Records that an error has been reported elsewhere.
    pub fn fail(&mut self) {
        self.failed = true;
    }

    /// Adds the problems of lines, of a manifest or of a file of tests. The first 500 of a file are
    /// kept.
    pub fn add_lines(&mut self, path: &Path, text: &str, problems: &[Problem]) {
        self.files += usize::from(!problems.is_empty());
        self.failed |= !problems.is_empty();
        let lines: Vec<&str> = text.lines().collect();
        self.dropped += problems.len().saturating_sub(MOST_LINES);
        for problem in problems.iter().take(MOST_LINES) {
            let line = lines.get(problem.line as usize - 1).copied().unwrap_or_default();
            let point = |byte: usize| Point {
                line: problem.line,
                column: byte as u32 + 1,
                letter: line[..byte].chars().count() as u32 + 1,
            };
            let [start, end] = [line.len() - line.trim_start().len(), line.trim_end().len()].map(point);
            let marked = start.column as usize - 1..end.column as usize - 1;
            let excerpt = (line.len() <= MAX_LINE).then(|| Excerpt::new(line.as_bytes(), marked));
            let place = Place { file: path.display().to_string(), start, end, excerpt };
            self.push(Finding::new(true, problem.message.clone(), Some(place)));
        }
    }

    fn push(&mut self, finding: Finding) {
        if self.known.insert(finding.clone()) {
            self.errors += usize::from(finding.is_error);
            self.list.push(finding);
        }
    }

    /// Returns the findings in the order in which they were made.
    #[must_use]
    pub fn list(&self) -> &[Finding] {
        &self.list
    }

    /// Returns the findings as text, with the source lines that they are about. The last line has
    /// their numbers. With `styled`, the text has the colors of a terminal. Control characters of
    /// sources are replaced.
    #[must_use]
    pub fn render(&self, styled: bool) -> String {
        render::render(self, styled, &|_| None)
    }

    /// Returns the findings as text with the colors of a terminal, in which codes are hyperlinks.
    /// `address` returns the address for a code, if there is one.
    #[must_use]
    pub fn render_with_links(&self, address: &dyn Fn(&str) -> Option<String>) -> String {
        render::render(self, true, address)
    }

    /// Returns true if there are errors, including errors that were not kept.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.failed
    }
}

/// Converter of diagnostics to findings.
struct Teller<'a> {
    sources: &'a Sources,
    /// Function from a file's name for the compiler to its path for messages.
    shown: &'a dyn Fn(&str) -> String,
}

impl Teller<'_> {
    fn finding(&self, diagnostic: &Diagnostic) -> Finding {
        let related = |related: &pleach_compile::diagnostic::Related| Related {
            message: related.message.clone(),
            place: self.place(related.span),
        };
        let change = |edit: &Edit| Change { place: self.place(edit.span), text: edit.text.clone() };
        Finding {
            is_error: diagnostic.severity == Severity::Error,
            code: Some(diagnostic.code.id),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            place: diagnostic.span.map(|span| self.place(span)),
            related: diagnostic.related.iter().map(related).collect(),
            origins: diagnostic.span.map(|span| self.origins(span)).unwrap_or_default(),
            changes: diagnostic.edits.iter().map(change).collect(),
        }
    }

    fn origins(&self, span: Span) -> Vec<Origin> {
        let first = self.sources.origin(span.origin);
        let chain = std::iter::successors(first, |origin| self.sources.origin(origin.at.origin));
        let origin = |origin: &pleach_compile::source::Origin| Origin {
            kind: match origin.kind {
                OriginKind::Macro => "macro",
                OriginKind::Include => "include",
                OriginKind::Use => "use",
            },
            name: origin.name.to_string(),
            place: self.place(origin.at),
        };
        chain.take(MAX_ORIGINS).map(origin).collect()
    }

    fn place(&self, span: Span) -> Place {
        let point = |span: Span| {
            let place = self.sources.place(span);
            let first = span.start - (place.column - 1);
            let counted = (place.column - 1).min(MAX_COUNTED);
            let text = self.sources.text(Span { start: first, end: first + counted, ..span });
            let letters = String::from_utf8_lossy(text).chars().count() as u32;
            let letter = place.column - counted + letters;
            Point { line: place.line, column: place.column, letter }
        };
        let file = (self.shown)(&self.sources.get(span.source).name);
        let end = Span { start: span.end, ..span };
        Place { file, start: point(span), end: point(end), excerpt: self.excerpt(span) }
    }

    /// Returns the line in which a span begins, with the part of the span in that line. Returns
    /// `None` if the line is too long.
    fn excerpt(&self, span: Span) -> Option<Excerpt> {
        let text = &self.sources.get(span.source).text;
        let column = self.sources.place(span).column as usize - 1;
        let first = span.start as usize - column;
        let line = text.get(first..)?;
        let line = &line[..line.len().min(MAX_LINE + 1)];
        let length = line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len());
        if length > MAX_LINE {
            return None;
        }
        let line = line[..length].strip_suffix(b"\r").unwrap_or(&line[..length]);
        let start = column.min(line.len());
        let end = (span.end as usize).saturating_sub(first).clamp(start, line.len());
        Some(Excerpt::new(line, start..end))
    }
}

impl Excerpt {
    /// Creates an excerpt from a line of any bytes. Each byte that is not text becomes a
    /// replacement character.
    fn new(line: &[u8], marked: Range<usize>) -> Self {
        let mut text = String::with_capacity(line.len());
        // For each byte of the line, its position in the text.
        let mut moved = Vec::with_capacity(line.len() + 1);
        for chunk in line.utf8_chunks() {
            moved.extend(text.len()..text.len() + chunk.valid().len());
            text.push_str(chunk.valid());
            for _ in chunk.invalid() {
                moved.push(text.len());
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        moved.push(text.len());
        let start = text.floor_char_boundary(moved[marked.start]);
        let end = text.ceil_char_boundary(moved[marked.end]);
        Self { text, marked: start..end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stay_on_their_text() {
        let excerpt = Excerpt::new(b"a \xff\xfe b \xc3\xa4cd", 7..10);
        assert_eq!(excerpt.text, "a \u{fffd}\u{fffd} b äcd");
        assert_eq!(&excerpt.text[excerpt.marked], "äc");
    }

    #[test]
    fn marks_do_not_cut_letters() {
        let excerpt = Excerpt::new("ä".as_bytes(), 1..1);
        assert_eq!(excerpt.marked, 0..2);
    }
}
