//! What the stages of one compilation share: what they read from, and what they report to.

use crate::diagnostic::Diagnostics;
use crate::manifest::Manifest;
use crate::source::{Library, Sources};
use crate::text::Interner;

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
}

impl<'a> Session<'a> {
    /// A session with nothing read yet.
    #[must_use]
    pub fn new(library: &'a dyn Library, manifest: &'a Manifest) -> Self {
        Self {
            library,
            manifest,
            sources: Sources::default(),
            names: Interner::default(),
            diagnostics: Diagnostics::default(),
        }
    }
}
