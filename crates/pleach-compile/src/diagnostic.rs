//! Findings of the compiler about a source, as data.
//!
//! A diagnostic has a permanent [`Code`], a severity, a place, help, and other places that matter:
//! the macro or include that the text came through, or the first definition of a duplicate. The
//! command turns diagnostics into text for people or data for machines. Every stage reports its
//! findings and continues, so one run reports all of them.

use crate::source::Span;
use crate::text::cited;

/// Severity of a finding: an error means that there is no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program does what the dialect says, but the author may have meant something else.
    Warning,
    /// No program comes out.
    Error,
}

/// A permanent name for a kind of finding, such as `E0301`. All of them stand in [`crate::codes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// `E` or `W` and four digits.
    pub id: &'static str,
    /// Meaning of the code, in one line.
    pub meaning: &'static str,
}

/// A place that explains a diagnostic.
#[derive(Clone, Debug)]
pub struct Related {
    /// The place.
    pub span: Span,
    /// Description of the place.
    pub message: String,
}

/// Change of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Text that is replaced.
    pub span: Span,
    /// New text.
    pub text: String,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Warning or error.
    pub severity: Severity,
    /// Kind of finding.
    pub code: Code,
    /// Description of the finding, in the words of the dialect.
    pub message: String,
    /// The place; `None` if the finding is about no single place.
    pub span: Option<Span>,
    /// Advice on what to change.
    pub help: Option<String>,
    /// Other places that matter.
    pub related: Vec<Related>,
    /// Changes of one file that mend the finding, to be made together. Empty if the finding has no
    /// such changes.
    pub edits: Vec<Edit>,
}

impl Diagnostic {
    /// Returns a finding at a place; the severity is the first letter of the code.
    #[must_use]
    pub fn new(code: Code, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        let severity = if code.id.starts_with('W') { Severity::Warning } else { Severity::Error };
        let (help, related, edits) = Default::default();
        Self { severity, code, message: message.into(), span: span.into(), help, related, edits }
    }

    /// With advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With advice, if there is any.
    #[must_use]
    pub(crate) fn advised(self, help: Option<String>) -> Self {
        Self { help, ..self }
    }

    /// With the name that may be meant as advice, if there is one.
    #[must_use]
    pub(crate) fn near(self, near: Option<&str>) -> Self {
        self.advised(near.map(|near| format!("did you mean `{near}`?")))
    }

    /// With the name that may be meant as advice, or with other advice if no name is near.
    #[must_use]
    pub(crate) fn meant(self, near: Option<&str>, otherwise: impl Into<String>) -> Self {
        if near.is_some() { self.near(near) } else { self.help(otherwise) }
    }

    /// Returns the first byte of the edits, and one past the last; `None` if there are no edits.
    /// Two findings whose edits stand in each other cannot be mended together.
    #[must_use]
    pub fn extent(&self) -> Option<(u32, u32)> {
        let start = self.edits.iter().map(|edit| edit.span.start).min()?;
        let end = self.edits.iter().map(|edit| edit.span.end).max()?;
        Some((start, end))
    }

    /// With another place, if there is one.
    #[must_use]
    pub fn related(mut self, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        self.related.extend(span.into().map(|span| Related { span, message: message.into() }));
        self
    }
}

/// Most findings that are kept. Later ones are only counted.
pub const MAX_DIAGNOSTICS: usize = 500;
/// Most bytes of the text of all findings that are kept. Findings beyond it are only counted.
pub const MAX_DIAGNOSTIC_BYTES: u32 = 1 << 18;
/// Most bytes of one message, help or explanation. Longer ones are cut.
const MAX_MESSAGE: usize = 1000;
/// Most other places that one finding names. The rest is left out.
const MAX_RELATED: usize = 16;

impl Diagnostic {
    /// Bytes of all its text.
    fn bytes(&self) -> u32 {
        let related = self.related.iter().map(|related| &related.message);
        let texts = [&self.message].into_iter().chain(&self.help).chain(related);
        // Each has been cut, see `shorten`.
        texts.map(|text| text.len() as u32).sum()
    }

    /// Cuts what no reader would read to its end.
    fn shorten(&mut self) {
        self.related.truncate(MAX_RELATED);
        let related = self.related.iter_mut().map(|related| &mut related.message);
        for text in [&mut self.message].into_iter().chain(&mut self.help).chain(related) {
            if text.len() > MAX_MESSAGE {
                *text = text.split('`').map(cited).collect::<Vec<_>>().join("`");
                text.truncate(text.floor_char_boundary(MAX_MESSAGE));
            }
        }
    }
}

/// The findings of one compilation, in the order they were made.
///
/// If there is no room for an error, the error takes the place of the latest warning. So the list
/// of a compilation that failed has an error.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// Bytes of the text of all findings in the list.
    bytes: u32,
    errors: usize,
    /// Number of warnings in the list.
    warnings: u32,
    dropped: usize,
}

impl Diagnostics {
    /// Adds a finding.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.shorten();
        let is_error = diagnostic.severity == Severity::Error;
        self.errors += usize::from(is_error);
        while is_error && self.warnings > 0 && !self.has_room(&diagnostic) {
            self.drop_warning();
        }
        if self.has_room(&diagnostic) {
            self.bytes += diagnostic.bytes();
            self.warnings += u32::from(!is_error);
            self.list.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    fn has_room(&self, diagnostic: &Diagnostic) -> bool {
        self.list.len() < MAX_DIAGNOSTICS && self.bytes + diagnostic.bytes() <= MAX_DIAGNOSTIC_BYTES
    }

    /// Drops the latest warning.
    fn drop_warning(&mut self) {
        let is_warning = |kept: &Diagnostic| kept.severity == Severity::Warning;
        if let Some(latest) = self.list.iter().rposition(is_warning) {
            self.bytes -= self.list.remove(latest).bytes();
            self.dropped += 1;
        }
        self.warnings -= 1;
    }

    /// Number of errors, kept or not.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Number of findings that are not kept, see [`MAX_DIAGNOSTICS`] and [`MAX_DIAGNOSTIC_BYTES`].
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Returns the findings kept.
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    fn many(code: Code, count: usize, text: &str) -> Diagnostics {
        let mut diagnostics = Diagnostics::default();
        (0..count).for_each(|_| diagnostics.push(Diagnostic::new(code, None, text)));
        diagnostics
    }

    #[test]
    fn errors_take_the_places_of_warnings() {
        let mut diagnostics = many(codes::UNREACHABLE, 2 * MAX_DIAGNOSTICS, "warning");
        diagnostics.push(Diagnostic::new(codes::TOO_LARGE, None, "error"));
        diagnostics.push(Diagnostic::new(codes::UNREACHABLE, None, "warning"));
        let (list, last) = (diagnostics.list(), MAX_DIAGNOSTICS - 1);
        assert_eq!((list.len(), diagnostics.errors(), list[last].message.as_str()), (last + 1, 1, "error"));
        assert_eq!(diagnostics.dropped(), MAX_DIAGNOSTICS + 2);
    }

    #[test]
    fn errors_are_kept_before_warnings_if_all_are_long() {
        let text = "a long word ".repeat(80);
        let mut diagnostics = many(codes::UNREACHABLE, MAX_DIAGNOSTICS, &text);
        let kept = diagnostics.list().len();
        assert!(kept < MAX_DIAGNOSTICS && kept * text.len() > MAX_DIAGNOSTIC_BYTES as usize / 2, "{kept}");
        (0..kept + 1).for_each(|_| diagnostics.push(Diagnostic::new(codes::TOO_LARGE, None, &text)));
        assert!(diagnostics.list().iter().all(|kept| kept.code == codes::TOO_LARGE));
        assert_eq!((diagnostics.list().len(), diagnostics.warnings), (kept, 0));
        let bytes = diagnostics.list().iter().map(Diagnostic::bytes).sum::<u32>();
        assert_eq!(bytes, diagnostics.bytes);
    }

    #[test]
    fn long_citations_are_cut() {
        let name = "\u{e4}".repeat(1 << 19);
        let message = format!("`{name}` is not declared");
        let finding = Diagnostic::new(codes::UNKNOWN_NAME, None, &message).help(format!("declare `{name}`"));
        let finding = (0..100).fold(finding, |finding, _| finding.related(nowhere(), &message));
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(finding);
        let kept = &diagnostics.list()[0];
        assert_eq!(kept.message, format!("`{}…` is not declared", "\u{e4}".repeat(50)));
        assert_eq!(kept.help.as_deref(), Some(&*format!("declare `{}…`", "\u{e4}".repeat(50))));
        assert_eq!((kept.related.len(), &kept.related[0].message), (MAX_RELATED, &kept.message));
        let pieces = many(codes::UNKNOWN_NAME, 1, &"`a` ".repeat(1 << 19));
        assert_eq!(pieces.list()[0].message.len(), MAX_MESSAGE);
    }

    fn nowhere() -> Span {
        use crate::source::{OriginId, SourceId};
        Span { source: SourceId(0), start: 0, end: 0, origin: OriginId::NONE }
    }
}
