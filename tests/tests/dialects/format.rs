//! Formatting a source keeps its meaning, and formatting it again changes nothing.
//!
//! The listing of an image shows all code and no places. It serves to compare the meaning of
//! sources.

use pleach_compile::internals::dialects::Pleach;
use pleach_compile::manifest::Manifest;
use pleach_compile::{Request, compile};
use pleach_edit::format;
use pleach_image::{Image, listing};
use pleach_tests::own::library;
use pleach_tests::random::Case;
use pleach_tests::random::language::program;
use std::fs;
use std::path::{Path, PathBuf};

const PROGRAMS: u64 = 1_500;

/// Path and text of each file.
type Files = Vec<(String, String)>;

/// Returns the code of a file with its includes, or its number of errors.
fn meaning(files: &Files, entry: &str) -> Result<String, usize> {
    let manifest = &Manifest::default();
    let entries = [entry.to_owned()];
    let request = Request { dialect: &Pleach, manifest, entries: &entries, debug: false };
    let done = compile(&library(files.iter().map(|(path, text)| (path, text))), request);
    let image = done.image.ok_or(done.diagnostics.errors())?;
    let image = Image::copy(&image).expect("the compiler makes valid images");
    let mut text = String::new();
    listing::write(&image, &|_, _| None, &mut text).expect("text can be written");
    Ok(text)
}

/// Formats all files, and checks that formatting again changes nothing.
fn formatted(files: &Files) -> Files {
    let once = |(name, text): &(String, String)| {
        let form = format(name, text.as_bytes()).unwrap_or_else(|_| panic!("{name} has errors:\n{text}"));
        let again = format(name, form.as_bytes()).expect("no new errors");
        assert_eq!(form, again, "{name}");
        (name.clone(), form)
    };
    files.iter().map(once).collect()
}

/// Checks that formatting keeps the meaning of the files. Returns true if they have any code.
fn keeps(files: &Files, entry: &str) -> bool {
    let before = meaning(files, entry);
    assert_eq!(before, meaning(&formatted(files), entry), "{entry} {files:?}");
    before.is_ok_and(|listing| listing.contains("block 0"))
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn examples_have_the_form() {
    let mut files: Files = Vec::new();
    for entry in fs::read_dir(folder("../spec/examples/pleach")).expect("the examples") {
        let path = entry.expect("a file").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        files.push((name, fs::read_to_string(path).expect("text")));
    }
    assert_eq!(formatted(&files), files);
    for entry in ["guard", "medic", "builder", "tour"] {
        assert!(keeps(&files, entry));
        let squeezed = |(name, text): &(String, String)| (name.clone(), squeezed(text));
        let squeezed: Files = files.iter().map(squeezed).collect();
        assert!(keeps(&squeezed, entry));
    }
}

/// Returns the tokens of a text with comments between them, on as few lines as possible.
fn squeezed(text: &str) -> String {
    let line = |line: &str| match line.split_once("//") {
        Some((code, comment)) => format!("{} //{comment}\n", code.trim()),
        None => format!("{} /* */ ", line.trim()),
    };
    text.lines().map(line).collect()
}

#[test]
fn random_programs_keep_their_meaning() {
    let mut kept = 0;
    for seed in 0..PROGRAMS {
        let case = Case::new(seed);
        let program = program(&case.cut(300));
        let name = program.files[0].0.strip_suffix(".pleach").expect("a source").to_owned();
        kept += u64::from(keeps(&program.files, &name));
    }
    // Some programs are too large to compile.
    assert!(kept > PROGRAMS * 9 / 10, "{kept}");
}

#[test]
fn conformance_cases_keep_their_meaning() {
    let (mut kept, mut refused) = (0, 0);
    for entry in fs::read_dir(folder("conformance/pleach")).expect("the cases") {
        let text = fs::read_to_string(entry.expect("a file").path()).expect("text");
        let cases: Vec<serde_json::Value> = serde_json::from_str(&text).expect("cases");
        for case in cases {
            let text = |text: &serde_json::Value| text.as_str().unwrap_or_default().to_owned();
            let files = case["files"].as_object().expect("files");
            let files: Files = files.iter().map(|(name, it)| (name.clone(), text(it))).collect();
            if files.iter().all(|(name, text)| format(name, text.as_bytes()).is_ok()) {
                keeps(&files, "main");
                kept += 1;
            } else {
                assert!(meaning(&files, "main").is_err(), "{case}");
                refused += 1;
            }
        }
    }
    assert!(kept > 10 * refused && refused > 0, "{kept} {refused}");
}
