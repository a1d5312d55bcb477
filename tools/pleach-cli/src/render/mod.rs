//! Findings: diagnostics made ready to be shown.
//!
//! A compiler's diagnostic holds spans, and needs the sources to mean anything. A [`Finding`] is complete in itself, so
//! that those of many compilations can be put together, and what several of them say of a file that they share is told
//! once. [`human`] and [`json`] show the same findings.

pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod view;

use crate::library::Files;
use pleach_compile::Compilation;
use pleach_compile::diagnostic::{Code, Diagnostic, Severity};
use pleach_compile::manifest::Problem;
use pleach_compile::source::{OriginKind, Sources, Span};
use serde::Serialize;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Point {
    line: u32,
    column: u32,
}

/// A line of source for showing, as far as it is valid text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Excerpt {
    text: String,
    marked: Range<usize>,
}

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Place {
    file: String,
    #[serde(flatten)]
    start: Point,
    end: Point,
    #[serde(skip)]
    excerpt: Option<Excerpt>,
}

/// A place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Related {
    message: String,
    #[serde(flatten)]
    place: Place,
}

/// A macro or include that text came through.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Origin {
    kind: &'static str,
    name: String,
    #[serde(flatten)]
    place: Place,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Finding {
    is_error: bool,
    code: Option<&'static str>,
    message: String,
    help: Option<String>,
    place: Option<Place>,
    related: Vec<Related>,
    origins: Vec<Origin>,
}

impl Finding {
    /// A finding of the command's own, which has no code.
    fn new(is_error: bool, message: String, place: Option<Place>) -> Self {
        Self { is_error, code: None, message, help: None, place, related: Vec::new(), origins: Vec::new() }
    }
}

/// All that was found in one run of the command.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    list: Vec<Finding>,
    known: HashSet<Finding>,
    errors: usize,
    dropped: usize,
    failed: bool,
    files: usize,
}

impl Findings {
    /// Adds what a compilation found, but for what is known already.
    pub(crate) fn add(&mut self, done: &Compilation, library: &Files) {
        self.add_some(done, library, &|_| true);
    }

    /// Adds what a compilation found, but for findings of this kind.
    pub(crate) fn add_but(&mut self, code: Code, done: &Compilation, library: &Files) {
        self.add_some(done, library, &|diagnostic| diagnostic.code != code);
    }

    fn add_some(&mut self, done: &Compilation, library: &Files, counts: &dyn Fn(&Diagnostic) -> bool) {
        self.files += 1;
        self.dropped += done.diagnostics.dropped();
        let teller = Teller { sources: &done.sources, library };
        let (counted, others): (Vec<_>, Vec<_>) = done.diagnostics.list().iter().partition(|it| counts(it));
        self.failed |= done.diagnostics.errors() > others.len();
        for diagnostic in counted {
            self.push(teller.finding(diagnostic));
        }
        for trouble in library.troubles() {
            self.push(Finding::new(false, trouble, None));
        }
    }

    /// Something is wrong that has been told.
    pub(crate) fn fail(&mut self) {
        self.failed = true;
    }

    /// Adds the problems of lines: of a manifest, or of a file of tests. Only the first [`MOST_LINES`] of a file are kept.
    pub(crate) fn add_lines(&mut self, path: &Path, text: &str, problems: &[Problem]) {
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

    /// The findings, in the order in which they were made.
    pub(crate) fn list(&self) -> &[Finding] {
        &self.list
    }

    /// Whether there are errors, among those kept or not.
    pub(crate) fn failed(&self) -> bool {
        self.failed
    }
}

/// Makes findings of diagnostics.
struct Teller<'a> {
    sources: &'a Sources,
    library: &'a Files,
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
        let file = self.library.shown(&self.sources.get(span.source).name);
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
