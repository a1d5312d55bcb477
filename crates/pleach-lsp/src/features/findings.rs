//! Findings of the compiler, pushed after each change or pulled by the client.

use crate::answers::{Found, add};
use crate::other;
use crate::snapshot::Snapshot;
use crate::text::{path_of, uri_of};
use gen_lsp_types::{
    Diagnostic, DocumentDiagnosticParams, FullDocumentDiagnosticReport, PublishDiagnosticsParams,
    RelatedFullDocumentDiagnosticReport,
};
use std::collections::{BTreeSet, HashMap};

/// Findings of each program, with the texts that they were found in.
#[derive(Default)]
pub(crate) struct Memory {
    programs: HashMap<String, (Vec<u64>, Found)>,
}

impl Memory {
    /// Returns the findings to be pushed after some files have changed: those of these files, and
    /// of all files that share a program with them.
    pub(crate) fn publish(
        &mut self,
        now: &Snapshot,
        changed: &BTreeSet<String>,
    ) -> Vec<PublishDiagnosticsParams> {
        let mut files: BTreeSet<String> = changed.clone();
        for name in changed {
            files.extend(now.project.scope(name).map(str::to_owned));
            files.extend(other::together(now, name));
        }
        let params = |name: String| PublishDiagnosticsParams {
            uri: uri_of(&name),
            version: now.versions.get(&name).copied(),
            diagnostics: self.of(now, &name),
        };
        files.into_iter().map(params).collect()
    }

    /// Returns the findings of a file that the client asks for.
    pub(crate) fn pull(
        &mut self,
        now: &Snapshot,
        params: &DocumentDiagnosticParams,
    ) -> RelatedFullDocumentDiagnosticReport {
        let items = path_of(&params.text_document.uri.0).map(|name| self.of(now, &name)).unwrap_or_default();
        let full_document_diagnostic_report = FullDocumentDiagnosticReport { items, ..Default::default() };
        RelatedFullDocumentDiagnosticReport { full_document_diagnostic_report, related_documents: None }
    }

    /// Returns the findings of a file in all programs that it is in, each once.
    fn of(&mut self, now: &Snapshot, name: &str) -> Vec<Diagnostic> {
        let mut list: Vec<Diagnostic> = Vec::new();
        let entries = if now.project.file(name).is_some() {
            now.project.roots_of(name).into_iter().map(str::to_owned).collect()
        } else {
            vec![name.to_owned()]
        };
        for entry in entries {
            let found = self.program(now, &entry).get(name).cloned().unwrap_or_default();
            for finding in found {
                if !list.contains(&finding) {
                    list.push(finding);
                }
            }
        }
        list
    }

    /// Returns the findings of an entry's program, which is compiled if a text of it has changed.
    fn program(&mut self, now: &Snapshot, entry: &str) -> &Found {
        let files = now.project.program(entry).iter();
        let texts = files.filter_map(|name| now.project.file(name)).map(|file| file.revision());
        let is_own = now.project.file(entry).is_some();
        let texts: Vec<u64> = if is_own { texts.collect() } else { vec![other::fingerprint(now, entry)] };
        let known = self.programs.get(entry).filter(|(known, _)| *known == texts).is_some();
        if !known {
            let found = if is_own { compiled(now, entry) } else { other::findings(now, entry) };
            self.programs.insert(entry.to_owned(), (texts, found));
        }
        &self.programs[entry].1
    }
}

/// Compiles a program. If a manifest has errors, only these are told, because each name that it
/// fails to declare would be an error again.
fn compiled(now: &Snapshot, entry: &str) -> Found {
    let mut found = Found::new();
    let vocabulary = now.project.vocabulary(entry);
    add(now, &mut found, vocabulary.diagnostics(), vocabulary.sources());
    if vocabulary.diagnostics().errors() == 0 {
        let done = now.project.compile(entry);
        add(now, &mut found, &done.diagnostics, &done.sources);
    }
    found
}
