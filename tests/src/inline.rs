//! Trees written in a test: text in, image out.

use pleach::Image;
use pleach_compile::manifest::Manifest;
use pleach_compile::source::{Found, Library};
use pleach_compile::{Compilation, Request, compile, dialect};

/// Trees by name, in memory.
pub struct Inline<'a>(pub &'a [(&'a str, &'a str)]);

impl Library for Inline<'_> {
    fn tree(&self, name: &str) -> Option<Found> {
        let found = self.0.iter().find(|(known, _)| *known == name)?;
        Some(Found { name: format!("{name}.bt"), text: found.1.as_bytes().into() })
    }

    fn include(&self, path: &str) -> Option<Found> {
        self.tree(path.strip_suffix(".bt")?)
    }
}

/// Compiles trees; `entries` can be started.
#[must_use]
pub fn compilation(files: &[(&str, &str)], manifest: &Manifest, entries: &[&str]) -> Compilation {
    let dialect = dialect::by_name("unvanquished").expect("the dialect exists");
    let entries: Vec<String> = entries.iter().map(|entry| (*entry).to_owned()).collect();
    compile(&Inline(files), Request { dialect, manifest, entries: &entries, debug: true })
}

/// Compiles trees with the dialect's own manifest to a verified image.
///
/// # Panics
/// If they have errors.
#[must_use]
pub fn image(files: &[(&str, &str)], entries: &[&str]) -> Image {
    let manifest = dialect::by_name("unvanquished").expect("the dialect exists").own_manifest();
    let done = compilation(files, &manifest, entries);
    let bytes = done.image.unwrap_or_else(|| panic!("{:#?}", done.diagnostics));
    Image::copy(&bytes).unwrap_or_else(|error| panic!("the verifier refuses what the compiler made: {error}"))
}
