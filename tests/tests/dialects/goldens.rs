//! Small programs of all dialects have the expected AST, IR, listing and fused code, and images of
//! format 1.0 load with the expected listing and stable keys.
//!
//! `PLEACH_BLESS=1 cargo test -p pleach-tests --test dialects goldens::` writes the expected texts.

use pleach::Image;
use pleach_compile::dialect::DIALECTS;
use pleach_tests::golden::{Sources, check, entries, folder, listed};
use std::path::{Path, PathBuf};

/// Fails with all findings, if there are any.
fn none(findings: &[String]) {
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

/// Returns the name of a folder.
fn name(folder: &Path) -> &str {
    folder.file_name().and_then(|name| name.to_str()).expect("a folder has a name")
}

#[test]
fn every_stage_is_as_expected() {
    let mut findings = Vec::new();
    for dialect in DIALECTS {
        let programs = entries(&folder().join(dialect.name()));
        assert!(!programs.is_empty(), "{} has no golden program", dialect.name());
        for program in programs {
            let stages = Sources::read(&program, name(&program)).stages();
            findings.extend(stages.iter().filter_map(|(file, text)| check(&program.join(file), text).err()));
        }
    }
    none(&findings);
}

/// Returns the images of format 1.0 with their folders.
fn images() -> Vec<(PathBuf, Image)> {
    let folders = entries(&folder().join("format-1.0")).into_iter().filter(|path| path.is_dir());
    let load = |path: &PathBuf| Image::load(path.join("image.plc")).expect("an image of format 1.0");
    let images: Vec<_> = folders.map(|path| (path.clone(), load(&path))).collect();
    assert!(images.len() > 100, "{}", images.len());
    images
}

#[test]
fn images_of_format_1_0_are_listed_as_expected() {
    let listings = images().into_iter();
    let findings =
        listings.filter_map(|(path, image)| check(&path.join("listing.txt"), &listed(&image)).err());
    none(&findings.collect::<Vec<_>>());
}

/// Saved states name nodes by their stable keys. So every release gives the nodes of a source the
/// keys that format 1.0 gave them, unless the source has words of an earlier version of its
/// language: a word is part of a key.
#[test]
fn sources_of_format_1_0_have_the_same_keys() {
    let mut findings = Vec::new();
    for (path, image) in images() {
        // Images of a random IR have no source.
        if path.join("ir.txt").exists() {
            continue;
        }
        let entry = ["main", "tree", "bot"].into_iter().find(|entry| {
            let files = entries(&path);
            files.iter().any(|file| file.file_stem().is_some_and(|stem| stem == *entry))
        });
        let sources = Sources::read(&path, entry.expect("a file with the entry"));
        let (_, now) = sources.compiled();
        let same = if sources.upgraded {
            now.keys().len() == image.keys().len()
        } else {
            now.keys() == image.keys()
        };
        if !same {
            findings.push(format!("{}: other keys", path.display()));
        }
    }
    none(&findings);
}
