//! Findings: diagnostics made ready to be shown.
//!
//! A compiler's diagnostic holds spans, and needs the sources to mean anything. A [`Finding`] is complete in itself, so
//! that those of many compilations can be put together, and what several of them say of a file that they share is told
//! once. Text, JSON and the live page show the same findings.

mod render;

use crate::files::Files;
use pleach_compile::Compilation;
use pleach_compile::diagnostic::{Code, Diagnostic, Severity};
use pleach_compile::manifest::{Manifests, Problem};
use pleach_compile::source::{OriginKind, Sources, Span};
use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

/// Macros and includes that are told of one finding.
const MAX_ORIGINS: usize = 16;

/// Problems that are kept of a file of lines, as many as a compilation keeps.
const MOST_LINES: usize = 500;

/// Lines with more bytes are not shown.
const MAX_LINE: usize = 2048;

/// Line and column, both from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// A line of source for showing, as far as it is valid text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Excerpt {
    text: String,
    marked: Range<usize>,
}

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Path of the file for people.
    pub file: String,
    /// The first byte.
    pub start: Point,
    /// The byte after the last.
    pub end: Point,
    excerpt: Option<Excerpt>,
}

/// A place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Related {
    /// The explanation.
    pub message: String,
    /// The text that the explanation is about.
    pub place: Place,
}

/// A macro or include that text came through.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// `macro` or `include`.
    pub kind: &'static str,
    /// Name of the macro or of the included file.
    pub name: String,
    /// The text that uses the macro or includes the file.
    pub place: Place,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finding {
    /// True for an error, false for a warning.
    pub is_error: bool,
    /// Permanent code of the diagnostic. Problems of manifests and of files that cannot be read have none.
    pub code: Option<&'static str>,
    /// The problem.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
    /// The text that the finding is about.
    pub place: Option<Place>,
    /// Other places that explain the finding.
    pub related: Vec<Related>,
    /// Macros and includes that the text came through, innermost first; at most 16.
    pub origins: Vec<Origin>,
}

impl Finding {
    /// Makes a finding without a code.
    fn new(is_error: bool, message: String, place: Option<Place>) -> Self {
        Self { is_error, code: None, message, help: None, place, related: Vec::new(), origins: Vec::new() }
    }

    /// Returns the finding as one line, without the source: `guard.pleach:3:5: the message (E0401)`.
    #[must_use]
    pub fn brief(&self) -> String {
        render::brief(self)
    }
}

/// Findings of one run, each once.
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
    /// Adds what a compilation found, but for what is known already.
    pub fn add(&mut self, done: &Compilation, library: &Files) {
        self.add_some(done, library, &|_| true);
    }

    /// Adds what a compilation found, but for findings of this kind.
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

    /// Adds what was found in manifests, but for what is known already.
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

    /// Counts an error that has already been told.
    pub fn fail(&mut self) {
        self.failed = true;
    }

    /// Adds the problems of lines: of a manifest, or of a file of tests. Of a file, the first 500 are kept.
    pub fn add_lines(&mut self, path: &Path, text: &str, problems: &[Problem]) {
        self.files += usize::from(!problems.is_empty());
        self.failed |= !problems.is_empty();
        let lines: Vec<&str> = text.lines().collect();
        self.dropped += problems.len().saturating_sub(MOST_LINES);
        for problem in problems.iter().take(MOST_LINES) {
            let line = lines.get(problem.line as usize - 1).copied().unwrap_or_default();
            let start =
                Point { line: problem.line, column: (line.len() - line.trim_start().len()) as u32 + 1 };
            let end = Point { column: line.trim_end().len() as u32 + 1, ..start };
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

    /// Returns the findings as text, with the lines of source that they are about, and on the last line their numbers.
    /// With `styled`, the text has the colors of a terminal. Control characters of sources are replaced.
    #[must_use]
    pub fn render(&self, styled: bool) -> String {
        render::render(self, styled)
    }

    /// Returns true if there are errors, counting errors that were not kept.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.failed
    }
}

/// Makes findings of diagnostics.
struct Teller<'a> {
    sources: &'a Sources,
    /// The path for people of a file by the name that the compiler has for it.
    shown: &'a dyn Fn(&str) -> String,
}

impl Teller<'_> {
    fn finding(&self, diagnostic: &Diagnostic) -> Finding {
        let related = |related: &pleach_compile::diagnostic::Related| Related {
            message: related.message.clone(),
            place: self.place(related.span),
        };
        Finding {
            is_error: diagnostic.severity == Severity::Error,
            code: Some(diagnostic.code.id),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            place: diagnostic.span.map(|span| self.place(span)),
            related: diagnostic.related.iter().map(related).collect(),
            origins: diagnostic.span.map(|span| self.origins(span)).unwrap_or_default(),
        }
    }

    fn origins(&self, span: Span) -> Vec<Origin> {
        let first = self.sources.origin(span.origin);
        let chain = std::iter::successors(first, |origin| self.sources.origin(origin.at.origin));
        let origin = |origin: &pleach_compile::source::Origin| Origin {
            kind: match origin.kind {
                OriginKind::Macro => "macro",
                OriginKind::Include => "include",
            },
            name: origin.name.to_string(),
            place: self.place(origin.at),
        };
        chain.take(MAX_ORIGINS).map(origin).collect()
    }

    fn place(&self, span: Span) -> Place {
        let point = |span| {
            let place = self.sources.place(span);
            Point { line: place.line, column: place.column }
        };
        let file = (self.shown)(&self.sources.get(span.source).name);
        let end = Span { start: span.end, ..span };
        Place { file, start: point(span), end: point(end), excerpt: self.excerpt(span) }
    }

    /// The line a span begins in, with the part of the span that is in it. `None` if the line is very long.
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
    /// A line of any bytes. What is no text becomes a replacement character for each byte.
    fn new(line: &[u8], marked: Range<usize>) -> Self {
        let mut text = String::with_capacity(line.len());
        // For each byte of the line, where it begins in the text.
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
