//! Texts with the edits of findings.

use pleach_compile::diagnostic::{Diagnostic, Edit};
use pleach_edit::{Replacement, replaced};
use std::collections::BTreeMap;

/// Returns a text with the edits of findings about this text, and the number of findings whose
/// edits are made. If the edits of two findings overlap, only those of the first are made: the
/// second finding may hold only without the first edits.
#[must_use]
pub fn mended<'f>(text: &str, findings: impl IntoIterator<Item = &'f Diagnostic>) -> (String, usize) {
    let mut taken: BTreeMap<u32, u32> = BTreeMap::new();
    let mut replacements = Vec::new();
    for finding in findings {
        let Some((start, end)) = finding.extent() else { continue };
        // Those that are taken do not overlap, so the last one before the end decides.
        if taken.range(..end).next_back().is_none_or(|(_, last)| *last <= start) {
            taken.insert(start, end);
            let replacement =
                |edit: &Edit| Replacement::new((edit.span.start, edit.span.end), edit.text.clone());
            replacements.extend(finding.edits.iter().map(replacement));
        }
    }
    replacements.sort_by_key(|it| it.range);
    (replaced(text, &replacements), taken.len())
}
