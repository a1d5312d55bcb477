//! What the compiler has to say about a source, as data.
//!
//! A diagnostic is never text alone: it has a permanent [`Code`], a severity, a place, help, and the other places
//! that matter (the macro or include it came through, the first definition of a duplicate). Rendering for people or
//! machines happens at the edge, in the command. Every stage reports and goes on, so one run tells all.

use crate::source::Span;

/// Whether a program comes out in spite of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the program does what the dialect says, which may not be what was meant.
    Warning,
    /// No program comes out.
    Error,
}

/// A permanent name for a kind of finding, such as `E0301`. All of them stand in [`crate::codes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// `E` or `W` and four digits.
    pub id: &'static str,
    /// What it means, in one line.
    pub meaning: &'static str,
}

/// A place that explains a diagnostic.
#[derive(Clone, Debug)]
pub struct Related {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Warning or error.
    pub severity: Severity,
    /// Which kind of finding.
    pub code: Code,
    /// What is wrong, in the words of the one who wrote the tree.
    pub message: String,
    /// Where; `None` for what concerns no single place.
    pub span: Option<Span>,
    /// What to do about it.
    pub help: Option<String>,
    /// Other places that matter.
    pub related: Vec<Related>,
}

impl Diagnostic {
    /// A finding at a place; the severity is the first letter of the code.
    #[must_use]
    pub fn new(code: Code, span: Option<Span>, message: impl Into<String>) -> Self {
        let severity = if code.id.starts_with('W') { Severity::Warning } else { Severity::Error };
        Self { severity, code, message: message.into(), span, help: None, related: Vec::new() }
    }

    /// With advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With another place.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { span, message: message.into() });
        self
    }
}

/// How many diagnostics are kept; what comes after is only counted.
pub const MAX_DIAGNOSTICS: usize = 500;

/// The findings of one compilation, in the order they were made.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    dropped: usize,
}

impl Diagnostics {
    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        if self.list.len() < MAX_DIAGNOSTICS {
            self.list.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// How many errors there were, kept or not.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// How many findings came after [`MAX_DIAGNOSTICS`].
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// The findings kept.
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }
}
