//! Findings of the compiler, pushed after each change or pulled by the client.

use crate::other;
use crate::snapshot::Snapshot;
use crate::text::{path_of, uri_of};
use gen_lsp_types::{
    Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    DocumentDiagnosticParams, FullDocumentDiagnosticReport, Message, PublishDiagnosticsParams,
    RelatedFullDocumentDiagnosticReport,
};
use pleach_compile::codes;
use pleach_compile::diagnostic::{self, Diagnostics, Severity};
use pleach_compile::source::{Sources, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Findings by file.
type Found = BTreeMap<String, Vec<Diagnostic>>;

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

/// Adds findings. Sources have the names of files.
pub(crate) fn add(now: &Snapshot, found: &mut Found, diagnostics: &Diagnostics, sources: &Sources) {
    for finding in diagnostics.list().iter().filter(|it| it.code != codes::NOTHING_TO_START) {
        let first = sources.files().first().map(|file| file.name.clone());
        let Some(file) = finding.span.map(|span| sources.get(span.source).name.clone()).or(first) else {
            continue;
        };
        found.entry(file.clone()).or_default().push(diagnostic(now, &file, finding, sources));
    }
}

fn diagnostic(now: &Snapshot, file: &str, finding: &diagnostic::Diagnostic, sources: &Sources) -> Diagnostic {
    let bytes = |span: Span| (span.start, span.end);
    let is_error = finding.severity == Severity::Error;
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let related = finding.related.iter().map(|related| DiagnosticRelatedInformation {
        location: now.location(&sources.get(related.span.source).name, bytes(related.span)),
        message: related.message.clone(),
    });
    let is_dead = finding.code == codes::UNREACHABLE;
    Diagnostic {
        range: now.lines(file).range(finding.span.map_or((0, 0), bytes)),
        severity: Some(if is_error { DiagnosticSeverity::Error } else { DiagnosticSeverity::Warning }),
        code: Some(Code::String(finding.code.id.to_owned())),
        code_description: now.client.code_page.as_deref().map(|page| CodeDescription { href: page.into() }),
        source: Some("pleach".to_owned()),
        message: Message::String(format!("{}{help}", finding.message)),
        tags: is_dead.then(|| vec![DiagnosticTag::Unnecessary]),
        related_information: Some(related.collect()).filter(|list: &Vec<_>| !list.is_empty()),
        data: None,
    }
}
