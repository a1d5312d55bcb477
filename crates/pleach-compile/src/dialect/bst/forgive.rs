//! Findings that the engine forgives.

use super::{Candidate, Diagnostic, Session, codes};
use crate::diagnostic::Severity;

/// Reports that two trees have the same name.
pub(super) fn twice(session: &mut Session<'_>, kept: Candidate<'_>, other: Candidate<'_>) {
    let message = format!("there are two trees `{}`", other.name);
    let span = Some(other.element.name_span());
    let finding = Diagnostic::new(codes::DECLARED_TWICE, span, message);
    let finding = finding.help("names of trees are the same in any case");
    forgive(session, finding.related(kept.element.name_span(), "the other"), "the other one counts");
}

/// Reports an error that the engine forgives. If the session is lenient, it is a warning that names
/// the consequence `then`.
pub(super) fn forgive(session: &mut Session<'_>, finding: Diagnostic, then: &str) {
    session.diagnostics.push(if session.lenient {
        let message = format!("{}; {then}", finding.message);
        Diagnostic { code: codes::FORGIVEN, severity: Severity::Warning, message, ..finding }
    } else {
        finding
    });
}
