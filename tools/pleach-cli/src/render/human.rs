//! Findings for people.

use super::Findings;
use crate::output;

/// Writes the findings to standard error, and at the end how many there are.
pub(crate) fn show(findings: &Findings) {
    output::say_styled(&findings.render(output::wants_color()));
}
