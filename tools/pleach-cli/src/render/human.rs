//! Findings for people.

use super::Findings;
use crate::{explanations, output};

/// Writes the findings to standard error, and at the end how many there are.
pub(crate) fn show(findings: &Findings) {
    let text = if output::wants_links() {
        findings.render_with_links(&explanations::address)
    } else {
        findings.render(output::wants_color())
    };
    output::say_styled(&text);
}
