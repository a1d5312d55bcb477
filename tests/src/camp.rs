//! The example forest, compiled.

use pleach::Image;
use pleach_compile::manifest::Manifest;
use pleach_compile::source::{Found, Library};
use pleach_compile::{Request, compile, dialect};
use std::path::{Path, PathBuf};

/// Files of a folder.
struct Folder(PathBuf);

impl Library for Folder {
    fn tree(&self, name: &str) -> Option<Found> {
        self.include(&format!("{name}.xml"))
    }

    fn include(&self, path: &str) -> Option<Found> {
        let text = std::fs::read(self.0.join(path)).ok()?;
        Some(Found { name: path.to_owned(), text: text.into() })
    }
}

/// Returns the image of `spec/examples/btengine/camp.xml`.
///
/// # Panics
/// If the file has errors.
#[must_use]
pub fn image() -> Image {
    let folder = Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/examples/btengine"));
    let dialect = dialect::by_name("btengine").expect("the dialect");
    let request =
        Request { dialect, manifest: &Manifest::default(), entries: &["camp".to_owned()], debug: true };
    let done = compile(&folder, request);
    let bytes = done.image.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    Image::copy(&bytes).expect("the verifier lets pass what the compiler makes")
}
