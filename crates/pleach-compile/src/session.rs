//! State of one compilation that all stages share: sources to read from, findings to report to.

use crate::ast;
use crate::copies::Copies;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::manifest::{Manifest, Starter, Unknown};
use crate::source::{Library, Sources, Span};
use crate::text::{Folded, Interner};
use bumpalo::Bump;
use core::mem::take;
use pleach_image::suggest::Suggestions;

/// Everything a stage of the compiler may read from or report to.
pub struct Session<'a> {
    /// Source of the texts of trees and includes.
    pub library: &'a dyn Library,
    /// The host's vocabulary.
    pub manifest: &'a Manifest,
    /// The files read so far.
    pub sources: Sources,
    /// Names and strings.
    pub names: Interner,
    /// Findings so far.
    pub diagnostics: Diagnostics,
    /// Suggestions for unknown names.
    pub suggestions: Suggestions,
    /// Budget for copies of text.
    pub copies: Copies,
    /// True if mistakes that an engine forgives are warnings, in dialects that
    /// are stricter than their engine.
    pub lenient: bool,
    /// Unknown names, if a starter is made: then they are noted there and are no errors.
    pub(crate) starter: Option<Starter>,
    /// Emptied AST of an earlier tree: a front end takes it and fills it.
    pub(crate) file: ast::File,
    /// Empty set of names for front ends to which case makes no difference.
    pub(crate) folded: Folded,
    arena: Bump,
}

/// Memory that a session leaves to the next: its values, emptied.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    names: Interner,
    file: ast::File,
    folded: Folded,
    arena: Bump,
}

impl<'a> Session<'a> {
    /// Returns a session with nothing read yet.
    #[must_use]
    pub fn new(library: &'a dyn Library, manifest: &'a Manifest) -> Self {
        Self::within(Memory::default(), library, manifest)
    }

    /// Returns a session that uses memory of earlier ones.
    pub(crate) fn within(memory: Memory, library: &'a dyn Library, manifest: &'a Manifest) -> Self {
        let Memory { names, file, folded, arena } = memory;
        Self {
            library,
            manifest,
            sources: Sources::default(),
            names,
            diagnostics: Diagnostics::default(),
            suggestions: Suggestions::default(),
            copies: Copies::default(),
            lenient: false,
            starter: None,
            file,
            folded,
            arena,
        }
    }

    /// Ends the session. Returns its memory, the files that were read, and the findings.
    pub(crate) fn end(self) -> (Memory, Sources, Diagnostics) {
        let Self { mut names, file, mut folded, arena, sources, diagnostics, .. } = self;
        names.clear();
        folded.clear();
        (Memory { names, file, folded, arena }, sources, diagnostics)
    }

    /// Calls a front end with memory for data that it needs only while it reads. The
    /// memory is freed afterwards.
    pub(crate) fn in_arena<T>(&mut self, read: impl FnOnce(&mut Self, &Bump) -> T) -> T {
        let mut arena = take(&mut self.arena);
        let result = read(self, &arena);
        arena.reset();
        self.arena = arena;
        result
    }

    /// Takes back an AST that is no longer needed.
    pub(crate) fn keep_file(&mut self, mut file: ast::File) {
        file.clear();
        self.file = file;
    }

    /// Returns advice to write the known name that is nearest to a name, if one is near.
    pub(crate) fn near<'n>(
        &self,
        name: &str,
        known: impl IntoIterator<Item = impl Into<Option<&'n str>>>,
    ) -> Option<String> {
        self.suggestions.closest(name, known).map(|known| format!("did you mean `{known}`?"))
    }

    /// Reports a finding with advice.
    pub(crate) fn report(&mut self, code: Code, at: Span, text: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, at, text).help(help));
    }

    /// Returns the result of reading, or reports the error.
    pub(crate) fn accept<T>(&mut self, read: Result<T, Box<Diagnostic>>) -> Option<T> {
        read.map_err(|finding| self.diagnostics.push(*finding)).ok()
    }

    /// Notes an unknown name, if a starter is made.
    pub(crate) fn note(&mut self, unknown: Unknown, at: Span) {
        if let Some(starter) = &mut self.starter {
            starter.note(&self.sources, unknown, at);
        }
    }
}
