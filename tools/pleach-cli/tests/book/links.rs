//! Links of all pages of the repository.

use crate::page::Page;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the links that lead nowhere.
pub(crate) fn findings(root: &Path) -> Vec<String> {
    let pages = markdown(root);
    assert!(pages.iter().any(|page| page.ends_with("README.md")), "the README is a page");
    let mut findings = Vec::new();
    for path in pages {
        let page = Page::read(&path, root);
        let folder = path.parent().expect("the folder of a page");
        let dead = page.links().into_iter().filter(|link| !is_alive(folder, &path, link, root));
        findings.extend(dead.map(|link| format!("{}: the link {link} leads nowhere", page.name)));
    }
    findings
}

/// Returns the pages of the repository, without pages behind symbolic links.
fn markdown(root: &Path) -> Vec<PathBuf> {
    let ignored = ["target", ".git", "corpus", "artifacts"];
    let (mut pages, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository") {
            let entry = entry.expect("an entry");
            let (path, kind) = (entry.path(), entry.file_type().expect("its type"));
            if kind.is_dir()
                && !ignored.iter().any(|name| path.ends_with(name))
                && path != root.join("book/book")
            {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|end| end == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// Returns true if a link leads to a file of the repository, and to a heading of that file if it
/// names one. Links to other hosts are not followed.
fn is_alive(folder: &Path, page: &Path, link: &str, root: &Path) -> bool {
    if link.contains("://") || link.starts_with("mailto:") {
        return true;
    }
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { page.to_owned() } else { folder.join(file) };
    if !target.exists() {
        return false;
    }
    let is_page = target.extension().is_some_and(|end| end == "md");
    let target = target.canonicalize().expect("it exists");
    heading.is_empty() || is_page && Page::read(&target, root).anchors().iter().any(|it| it == heading)
}

/// Returns the links of a rendered book, as attributes of HTML, that lead nowhere.
fn rendered(book: &Path) -> Vec<String> {
    let (mut findings, mut folders) = (Vec::new(), vec![book.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the rendered book") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "html") && !path.ends_with("404.html") {
                let text = fs::read_to_string(&path).expect("a rendered page");
                let links = ["href=\"", "src=\""].into_iter().flat_map(|name| text.split(name).skip(1));
                let files =
                    links.filter_map(|rest| rest.split(['"', '#']).next()).filter(|link| !link.contains(':'));
                let dead = files.filter(|file| !folder.join(file).exists());
                findings
                    .extend(dead.map(|file| format!("{}: the link {file} leads nowhere", path.display())));
            }
        }
    }
    findings
}

/// The book has been rendered into the folder that `PLEACH_BOOK` names.
#[test]
fn links_of_the_rendered_book_lead_somewhere() {
    match std::env::var_os("PLEACH_BOOK") {
        Some(book) => crate::none(&rendered(Path::new(&book))),
        None => eprintln!("skipped: PLEACH_BOOK names no rendered book"),
    }
}

#[test]
fn dead_links_are_found() {
    let root = crate::root();
    let page = root.join("README.md");
    let alive = |link: &str| is_alive(&root, &page, link, &root);
    assert!(alive("spec/batch.md#the-sweep") && alive("spec") && alive("https://example.org"));
    assert!(!alive("spec/nothing.md") && !alive("spec/batch.md#the-swept") && !alive("Cargo.toml#top"));
}
