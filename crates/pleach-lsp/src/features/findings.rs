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

/// Findings of one program.
#[derive(Default)]
struct Row {
    /// Number of changes after which the row was last asked for.
    asked: Option<u64>,
    /// Revisions of the texts that the findings are about.
    texts: Vec<u64>,
    found: Found,
}

/// Findings of each program that was asked for.
#[derive(Default)]
pub(crate) struct FindingsCache {
    /// By entry. The program of a dialect that reads folders has the name of its folder, and that
    /// of the dialect.
    rows: HashMap<(String, &'static str), Row>,
}

impl FindingsCache {
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
            files.extend(other::around(now, name).into_iter().map(str::to_owned));
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
        let is_own = now.project.file(entry).is_some();
        let key = if is_own { (entry.to_owned(), "pleach") } else { other::program(now, entry) };
        let row = self.rows.entry(key).or_default();
        if row.asked != Some(now.revision) {
            row.asked = Some(now.revision);
            let texts = if is_own { revisions(now, entry) } else { other::revisions(now, entry) };
            if row.texts != texts {
                row.found = if is_own { compiled(now, entry) } else { other::findings(now, entry) };
                row.texts = texts;
            }
        }
        &row.found
    }
}

/// Returns the revisions of the texts of an entry's program.
fn revisions(now: &Snapshot, entry: &str) -> Vec<u64> {
    let files = now.project.program(entry).iter().filter_map(|name| now.project.file(name));
    files.map(|file| file.revision()).collect()
}

/// Compiles a program. If a manifest has errors, only these are told, because each name that it
/// fails to declare would be an error again.
fn compiled(now: &Snapshot, entry: &str) -> Found {
    let mut found = Found::new();
    let vocabulary = now.project.vocabulary(entry);
    add(now, &mut found, vocabulary.diagnostics(), vocabulary.sources());
    if vocabulary.diagnostics().errors() == 0 {
        let done = now.project.compile(entry, &vocabulary);
        add(now, &mut found, &done.diagnostics, &done.sources);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn a_folder_of_one_program_is_compiled_once() {
        let mut workspace = Workspace::default();
        let text = |name| format!("<SelectionTree name='{name}' type='x'>\n\t<Leef/>\n</SelectionTree>\n");
        let names = ["/nowhere/a.xml", "/nowhere/b.xml", "/nowhere/c.xml"];
        for name in names {
            workspace.open(&uri_of(name).0, 1, text(&name[9..10]));
        }
        let mut cache = FindingsCache::default();
        let changed = BTreeSet::from([names[0].to_owned()]);
        let found = cache.publish(&workspace.snapshot(), &changed);
        let counts: Vec<usize> = found.iter().map(|it| it.diagnostics.len()).collect();
        assert_eq!((counts, cache.rows.len()), (vec![1; 3], 1));
        // A text of trees in a folder does not concern the files of other dialects beside it.
        workspace.open("file:///nowhere/d.pleach", 1, "tree d { success }".to_owned());
        let changed = BTreeSet::from(["/nowhere/d.pleach".to_owned()]);
        assert_eq!(cache.publish(&workspace.snapshot(), &changed).len(), 1);
    }
}
