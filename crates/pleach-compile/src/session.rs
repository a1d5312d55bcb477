//! What the stages of one compilation share: what they read from, and what they report to.

use crate::ast;
use crate::copies::Copies;
use crate::diagnostic::Diagnostics;
use crate::emit;
use crate::ir::Module;
use crate::lower::calls;
use crate::manifest::{Manifest, Starter};
use crate::source::{Library, Sources};
use crate::text::Interner;
use core::any::Any;
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
    /// What earlier compilations left.
    pub(crate) memory: Memory,
}

/// Memory that one compilation leaves to the next: its values, emptied.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// The names.
    pub(crate) names: Interner,
    /// The AST.
    pub(crate) file: ast::File,
    /// The IR.
    pub(crate) module: Module,
    /// The calls of the host.
    pub(crate) calls: calls::Known,
    /// What is needed to emit.
    pub(crate) emit: emit::Memory,
    /// What a dialect's front end needs; whose it is, its type says.
    pub(crate) front: Option<Box<dyn Any + Send>>,
}

impl Memory {
    /// Takes back what was read.
    pub(crate) fn keep_file(&mut self, mut file: ast::File) {
        file.clear();
        self.file = file;
    }

    /// Takes back what was meant.
    pub(crate) fn keep_module(&mut self, mut module: Module) {
        module.clear();
        self.names = core::mem::take(&mut module.names);
        self.module = module;
    }
}

impl<'a> Session<'a> {
    /// A session with nothing read yet.
    #[must_use]
    pub fn new(library: &'a dyn Library, manifest: &'a Manifest) -> Self {
        Self::within(Memory::default(), library, manifest)
    }

    /// A session that uses memory of earlier ones.
    pub(crate) fn within(mut memory: Memory, library: &'a dyn Library, manifest: &'a Manifest) -> Self {
        Self {
            library,
            manifest,
            sources: Sources::default(),
            names: core::mem::take(&mut memory.names),
            diagnostics: Diagnostics::default(),
            suggestions: Suggestions::default(),
            copies: Copies::default(),
            lenient: false,
            starter: None,
            memory,
        }
    }
}
