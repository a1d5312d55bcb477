//! What the stages of one compilation share: what they read from, and what they report to.

use crate::ast;
use crate::copies::Copies;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::manifest::{Manifest, Starter, Unknown};
use crate::source::{Library, Sources, Span};
use crate::text::Interner;
use bumpalo::Bump;
use pleach_image::suggest::Suggestions;

/// Everything a stage of the compiler may read from or report to.
pub struct Session<'a> {
    /// Where trees and includes come from.
    pub library: &'a dyn Library,
    /// The host's vocabulary.
    pub manifest: &'a Manifest,
    /// The files read so far.
    pub sources: Sources,
    /// Names and strings.
    pub names: Interner,
    /// Findings so far.
    pub diagnostics: Diagnostics,
    /// Names for those that are not known.
    pub suggestions: Suggestions,
    /// Budget for copies of text.
    pub copies: Copies,
    /// Whether what an engine forgives is forgiven, with a warning, in dialects that are stricter than their engine.
    pub lenient: bool,
    /// Unknown names, if a starter is made: then they are noted there and are no errors.
    pub(crate) starter: Option<Starter>,
    /// Emptied AST of an earlier tree: a front end takes it and fills it.
    pub(crate) file: ast::File,
    /// Memory for what lives as long as a front end reads. A front end takes it, and gives it back with [`Self::keep_arena`].
    pub(crate) arena: Bump,
}

/// Memory that a session leaves to the next: its values, emptied.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    names: Interner,
    file: ast::File,
    arena: Bump,
}

impl<'a> Session<'a> {
    /// A session with nothing read yet.
    #[must_use]
    pub fn new(library: &'a dyn Library, manifest: &'a Manifest) -> Self {
        Self::within(Memory::default(), library, manifest)
    }

    /// A session that uses memory of earlier ones.
    pub(crate) fn within(memory: Memory, library: &'a dyn Library, manifest: &'a Manifest) -> Self {
        let Memory { names, file, arena } = memory;
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
            arena,
        }
    }

    /// Ends the session. Returns its memory, the files that were read, and the findings.
    pub(crate) fn end(self) -> (Memory, Sources, Diagnostics) {
        let Self { mut names, file, arena, sources, diagnostics, .. } = self;
        names.clear();
        (Memory { names, file, arena }, sources, diagnostics)
    }

    /// Takes back the arena, and frees all that is in it.
    pub(crate) fn keep_arena(&mut self, mut arena: Bump) {
        arena.reset();
        self.arena = arena;
    }

    /// Takes back an AST that is no longer needed.
    pub(crate) fn keep_file(&mut self, mut file: ast::File) {
        file.clear();
        self.file = file;
    }

    /// Reports a finding with advice.
    pub(crate) fn report(&mut self, code: Code, at: Span, text: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, at, text).help(help));
    }

    /// Takes what was read, or reports why it was not.
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
