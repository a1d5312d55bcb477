//! The book and the README tell the truth.
//!
//! Every tree in a page compiles, every `pleach` command in a page is run and prints what the page
//! says, every picture of a tree is what `pleach graph` draws, and every link leads somewhere.
//! `PLEACH_BLESS=1 cargo test -p pleach-cli --test book` writes the outputs and the pictures.
//!
//! A fenced block whose info string has a second word is a file of that name:
//!
//! * `pleach NAME`, `bt NAME`, `xml NAME`, `debt NAME`: a tree. `pleach check` must report nothing,
//!   or an error if a third word is `wrong`. A tree without a name is checked by itself.
//! * `text NAME`: another file, such as a manifest, a test or an included tree.
//! * A further word with a slash is a file of the repository that has the same text.
//! * `cpp NAME`: C++, which must compile without warnings against the headers of the C API.
//! * `console`: commands after `$ `, each followed by its output. A word
//!   `fails` says that they exit with 1.
//! * `sh`: commands that only a checkout or a game can run. [`shell`] lists what runs each of them.
//! * `rust`: a documentation test of the crate that [`doctests`] finds.
//! * `python`: run by `python/tests/test_docs.py`, all blocks of a page in order.

mod doctests;
mod links;
mod page;
mod shell;
mod trees;

use page::Page;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Returns true if expected outputs and pictures are to be written.
fn blessing() -> bool {
    std::env::var_os("PLEACH_BLESS").is_some()
}

/// Returns the pages of the book in the order of their paths, and the README.
fn pages() -> Vec<Page> {
    let mut paths = vec![root().join("README.md")];
    let mut folders = vec![root().join("book/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the book") {
            let entry = entry.expect("an entry");
            let kind = entry.file_type().expect("its type");
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() && entry.path().extension().is_some_and(|end| end == "md") {
                paths.push(entry.path());
            }
        }
    }
    paths.sort();
    let pages: Vec<_> = paths.iter().map(|path| Page::read(path, &root())).collect();
    assert!(pages.len() > 10, "the book has pages: {paths:?}");
    pages
}

/// Fails with all findings, if there are any.
fn none(findings: &[String]) {
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

#[test]
fn trees_commands_and_pictures_are_true() {
    none(&pages().iter().flat_map(trees::findings).collect::<Vec<_>>());
}

#[test]
fn commands_for_a_checkout_are_run_elsewhere() {
    none(&shell::findings(&pages()));
}

#[test]
fn rust_is_compiled() {
    none(&pages().iter().flat_map(doctests::findings).collect::<Vec<_>>());
}

#[test]
fn links_lead_somewhere() {
    none(&links::findings(&root()));
}

#[test]
fn the_summary_lists_every_page() {
    let summary = Page::read(&root().join("book/src/SUMMARY.md"), &root());
    let listed: Vec<_> = summary.links().into_iter().map(|link| format!("book/src/{link}")).collect();
    let chapters = pages().into_iter().map(|page| page.name).filter(|name| name.starts_with("book/"));
    let missing = chapters.filter(|name| !name.ends_with("SUMMARY.md") && !listed.contains(name));
    none(&missing.map(|name| format!("SUMMARY.md does not list {name}")).collect::<Vec<_>>());
}
