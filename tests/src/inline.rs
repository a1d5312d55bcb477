//! Trees in the text of a test, compiled to an image.

use pleach::Image;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Compilation, Request, compile, dialect};

/// Compiles trees. The trees in `entries` can be started.
#[must_use]
pub fn compilation(files: &[(&str, &str)], manifest: &Manifest, entries: &[&str]) -> Compilation {
    let dialect = dialect::by_name("unvanquished").expect("the dialect exists");
    let entries: Vec<String> = entries.iter().map(|entry| (*entry).to_owned()).collect();
    let mut library = Texts::new("bt");
    files.iter().for_each(|(name, text)| library.add(format!("{name}.bt"), text));
    compile(&library, Request { dialect, manifest, entries: &entries, debug: true })
}

/// Compiles trees with the dialect's own manifest to a verified image.
///
/// # Panics
/// If the trees have errors.
#[must_use]
pub fn image(files: &[(&str, &str)], entries: &[&str]) -> Image {
    let manifest = dialect::by_name("unvanquished").expect("the dialect exists").own_manifest();
    let done = compilation(files, &manifest, entries);
    let bytes = done.image.unwrap_or_else(|| panic!("{:#?}", done.diagnostics));
    Image::copy(&bytes).unwrap_or_else(|error| panic!("the verifier refuses what the compiler made: {error}"))
}
