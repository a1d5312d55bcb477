//! Compilation of the programs of a project.

use super::Project;
use pleach_compile::diagnostic::{Diagnostics, Severity};
use pleach_compile::internals::dialects::Pleach;
use pleach_compile::manifest::{Constant, Manifests};
use pleach_compile::source::{Found, Library};
use pleach_compile::{Compilation, Request, codes, compile, declarations};
use std::collections::HashMap;

/// Files of a project, as the program of one entry finds them.
struct Files<'p> {
    project: &'p Project,
    entry: &'p str,
}

impl Files<'_> {
    fn found(&self, name: &str) -> Option<Found> {
        let text = self.project.file(name)?.document.text();
        Some(Found { name: name.to_owned(), text: text.as_bytes().into() })
    }
}

impl Library for Files<'_> {
    fn tree(&self, _: &str) -> Option<Found> {
        self.found(self.entry)
    }

    fn include(&self, path: &str) -> Option<Found> {
        self.found(&self.project.find(self.entry, path)?)
    }
}

impl Project {
    /// Returns the vocabulary of an entry's program, with the findings about its manifests.
    #[must_use]
    pub fn vocabulary(&self, entry: &str) -> Manifests {
        let mut manifests = Manifests::new();
        for name in self.manifests_of(entry) {
            manifests.add(name, self.text(name));
        }
        manifests
    }

    /// Compiles the program of an entry with its vocabulary. The names of its files are those of
    /// the project.
    #[must_use]
    pub fn compile(&self, entry: &str, vocabulary: &Manifests) -> Compilation {
        self.request(entry, vocabulary, |files, request| compile(files, request))
    }

    /// Calls a function with the request for the program of an entry.
    fn request<T>(
        &self,
        entry: &str,
        vocabulary: &Manifests,
        call: impl FnOnce(&Files<'_>, Request<'_>) -> T,
    ) -> T {
        let entries = [entry.strip_suffix(".pleach").unwrap_or(entry).to_owned()];
        let manifest = vocabulary.manifest();
        let request = Request { dialect: &Pleach, manifest, entries: &entries, debug: false };
        call(&Files { project: self, entry }, request)
    }

    /// Returns the constants that a file can use, each with its value as a literal or a member.
    #[must_use]
    pub fn constants(&self, file: &str) -> HashMap<String, String> {
        let Some(entry) = self.roots_of(file).first().copied() else { return HashMap::new() };
        let vocabulary = self.vocabulary(entry);
        let declared = self.request(entry, &vocabulary, |files, request| declarations(files, request));
        let value = |value: &Constant| match value {
            Constant::Bool(value) => Some(value.to_string()),
            Constant::Int(value) => Some(value.to_string()),
            Constant::Float(value) => Some(format!("{value:?}")),
            // The literal alone may be of a narrower type.
            Constant::Int64(_) | Constant::Double(_) => None,
            Constant::Enum(of, value) => {
                let of = declared.enums.get(*of as usize)?;
                let member = of.members.iter().find(|(_, number)| number == value)?;
                Some(format!("{}.{}", of.name, member.0))
            }
        };
        let constants = declared.constants.iter();
        constants.filter_map(|(name, constant)| Some((name.clone(), value(constant)?))).collect()
    }

    /// Returns the first error of an entry's program, if it has one. That there is nothing to start
    /// is no error of a file that others include.
    pub(crate) fn first_error(&self, entry: &str) -> Option<String> {
        let error = |diagnostics: &Diagnostics| {
            let list = diagnostics.list().iter();
            let mut errors =
                list.filter(|it| it.severity == Severity::Error && it.code != codes::NOTHING_TO_START);
            errors.next().map(|error| format!("{} ({})", error.message, error.code.id))
        };
        let vocabulary = self.vocabulary(entry);
        error(vocabulary.diagnostics()).or_else(|| error(&self.compile(entry, &vocabulary).diagnostics))
    }
}
