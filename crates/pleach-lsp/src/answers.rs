//! Parts of answers that several features share: failures, symbols and findings.

use crate::snapshot::Snapshot;
use gen_lsp_types::{
    Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    Message, Range, SymbolKind,
};
use lsp_server::ErrorCode;
use pleach_compile::codes;
use pleach_compile::diagnostic::{self, Diagnostics, Severity};
use pleach_compile::source::{Sources, Span};
use serde::Serialize;
use std::collections::BTreeMap;

/// Error of a request: its code, and a message for people.
pub(crate) type Failure = (ErrorCode, String);

/// Returns the failure of a request that is as it should be, but cannot be done.
pub(crate) fn failed(reason: String) -> Failure {
    (ErrorCode::RequestFailed, reason)
}

/// Symbol of a file, with the symbols in it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Symbol {
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) detail: String,
    kind: SymbolKind,
    pub(crate) range: Range,
    selection_range: Range,
    pub(crate) children: Vec<Self>,
}

impl Symbol {
    /// Returns a symbol without children. A client refuses one without a name.
    pub(crate) fn new(name: &str, kind: SymbolKind, range: Range, selection_range: Range) -> Self {
        let name = if name.is_empty() { "?".to_owned() } else { name.to_owned() };
        Self { name, detail: String::new(), kind, range, selection_range, children: Vec::new() }
    }
}

/// Findings by file.
pub(crate) type Found = BTreeMap<String, Vec<Diagnostic>>;

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
