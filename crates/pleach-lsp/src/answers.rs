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
use pleach_lint::rule;
use serde::{Deserialize, Serialize};
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

/// Returns a finding in a file for the client. Its edits are data, from which
/// [`Mend`] makes an action.
pub(crate) fn diagnostic(
    now: &Snapshot,
    file: &str,
    finding: &diagnostic::Diagnostic,
    sources: &Sources,
) -> Diagnostic {
    let bytes = |span: Span| (span.start, span.end);
    let is_error = finding.severity == Severity::Error;
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let related = finding.related.iter().map(|related| DiagnosticRelatedInformation {
        location: now.location(&sources.get(related.span.source).name, bytes(related.span)),
        message: related.message.clone(),
    });
    // The page has the codes of the compiler.
    let page = now.client.code_page.as_deref().filter(|_| rule::by_code(finding.code.id).is_none());
    let is_dead = finding.code == codes::UNREACHABLE || finding.code.id == rule::NEVER_BEGINS.code.id;
    Diagnostic {
        range: now.lines(file).range(finding.span.map_or((0, 0), bytes)),
        severity: Some(if is_error { DiagnosticSeverity::Error } else { DiagnosticSeverity::Warning }),
        code: Some(Code::String(finding.code.id.to_owned())),
        code_description: page.map(|page| CodeDescription { href: page.into() }),
        source: Some("pleach".to_owned()),
        message: Message::String(format!("{}{help}", finding.message)),
        tags: is_dead.then(|| vec![DiagnosticTag::Unnecessary]),
        related_information: Some(related.collect()).filter(|list: &Vec<_>| !list.is_empty()),
        data: Mend::of(now, file, finding).and_then(|mend| serde_json::to_value(mend).ok()),
    }
}

/// Edits that mend a finding, which clients send back with a request for actions.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Mend {
    /// Description of the edits.
    pub(crate) title: String,
    /// Revision of the text that the edits are about.
    pub(crate) revision: u64,
    /// Ranges of bytes with their new texts.
    pub(crate) edits: Vec<((u32, u32), String)>,
}

impl Mend {
    fn of(now: &Snapshot, file: &str, finding: &diagnostic::Diagnostic) -> Option<Self> {
        let first = finding.edits.first()?;
        let is_here = finding.span.is_some_and(|span| span.source == first.span.source);
        let revision = now.project.file(file).filter(|_| is_here)?.revision();
        let edit = |it: &diagnostic::Edit| ((it.span.start, it.span.end), it.text.clone());
        let title = format!("Mend: {}", finding.help.as_deref().unwrap_or(&finding.message));
        Some(Self { title, revision, edits: finding.edits.iter().map(edit).collect() })
    }
}
