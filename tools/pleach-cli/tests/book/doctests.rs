//! Rust in the book, which is compiled and run as documentation tests.

use crate::page::Page;
use std::fs;

/// Sources that include pages as documentation.
const INCLUDING: &[&str] = &["crates/pleach/src/lib.rs", "crates/pleach-bevy/src/lib.rs", "tests/src/lib.rs"];

/// Returns a finding if a page has Rust and no crate includes the page as documentation.
pub(crate) fn findings(page: &Page) -> Vec<String> {
    if !page.blocks().iter().any(|block| block.language() == "rust") {
        return Vec::new();
    }
    let included = format!("/{}\")]", page.name);
    let includes = |source: &&str| {
        let text = fs::read_to_string(crate::root().join(source)).expect("a source of the repository");
        text.contains(&included)
    };
    if INCLUDING.iter().any(includes) {
        return Vec::new();
    }
    vec![format!("{}: no crate includes the page as documentation, so its Rust is not compiled", page.name)]
}
