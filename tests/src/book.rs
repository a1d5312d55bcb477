//! Trees of the book, for the Rust in the book.

use pleach::Image;
use pleach_compile::{Request, compile, dialect, texts::Texts};
use std::fs;
use std::path::Path;

/// Compiles the tree that a page of the book shows as a file. The entries are all trees of the file
/// that agents can run.
///
/// # Panics
/// If the page has no such file, or the tree has an error.
#[must_use]
pub fn image(page: &str, file: &str) -> Image {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src").join(page);
    let page = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let (_, block) = page.split_once(&format!("```pleach {file}\n")).expect("the page has the file");
    let (text, _) = block.split_once("\n```").expect("the block has an end");
    let (name, extension) = file.split_once('.').expect("the file has an extension");
    let dialect = dialect::by_extension(extension).expect("the extension of a dialect");
    let request =
        Request { dialect, manifest: &dialect.own_manifest(), entries: &[name.to_owned()], debug: true };
    let done = compile(&Texts::of(name, extension, text), request);
    Image::copy(&done.image.unwrap_or_else(|| panic!("{:?}", done.diagnostics))).expect("an image")
}
