//! Manifests that add up, and manifests that are made from trees and images.

mod folders;
mod images;
mod starters;
mod sums;

use pleach_compile::diagnostic::Diagnostics;

/// Returns code, message and help of each finding.
fn told(diagnostics: &Diagnostics) -> Vec<(&'static str, &str, &str)> {
    let told = diagnostics.list().iter();
    told.map(|it| (it.code.id, &*it.message, it.help.as_deref().unwrap_or_default())).collect()
}
