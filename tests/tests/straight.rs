//! Pleach's own language is read in two ways: straight, where nothing is odd, and carefully. Both make the same images.
//!
//! An action that is declared twice is nothing wrong, and nothing that the straight way knows. So a program with such an
//! action is read carefully, and what comes of it must be what comes of the program as it is, however that is read. How
//! much goes straight is seen by the compiler's own tests.

use pleach_compile::dialect::pleach::Pleach;
use pleach_compile::manifest::Manifest;
use pleach_compile::{Request, compile};
use pleach_tests::own::library;
use pleach_tests::random::Case;
use pleach_tests::random::hunt::{hunt, programs};
use pleach_tests::random::language::program;
use std::fs;
use std::path::{Path, PathBuf};

const PROGRAMS: u64 = 1_500;
const ODD: &str = "\naction not_used_by_anything action not_used_by_anything\n";

/// Path and text of each file; the first is the one to compile.
type Files = Vec<(String, String)>;

/// The image with all that is known of where it comes from.
fn image(files: &Files) -> Option<Vec<u8>> {
    let entry = files[0].0.strip_suffix(".pleach").expect("a source").to_owned();
    let (manifest, entries) = (&Manifest::default(), [entry]);
    compile(
        &library(files.iter().map(|(path, text)| (path, text))),
        Request { dialect: &Pleach, manifest, entries: &entries, debug: true },
    )
    .image
}

/// Whether the files make an image; it is the same on both ways.
fn agrees(files: &Files) -> Result<bool, String> {
    let Some(found) = image(files) else { return Ok(false) };
    let mut careful = files.clone();
    careful[0].1.push_str(ODD);
    if image(&careful) == Some(found) { Ok(true) } else { Err(format!("two ways, two images: {files:?}")) }
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The files of a folder as text.
fn texts(path: &str) -> Files {
    let text = |path: PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        (name, fs::read_to_string(path).expect("text"))
    };
    fs::read_dir(folder(path)).expect("a folder").map(|entry| text(entry.expect("a file").path())).collect()
}

#[test]
fn examples_are_the_same_on_both_ways() {
    let mut files = texts("../spec/examples/pleach");
    let mut same = 0;
    for first in 0..files.len() {
        files.swap(0, first);
        same += usize::from(agrees(&files).unwrap_or_else(|difference| panic!("{difference}")));
    }
    // One has nothing to start; it is there to be included.
    assert!(same + 1 >= files.len() && same > 0, "{same}");
}

#[test]
fn conformance_cases_are_the_same_on_both_ways() {
    let mut same = 0;
    for (name, text) in texts("conformance/pleach") {
        let cases: serde_json::Value = serde_json::from_str(&text).expect("cases");
        for case in cases.as_array().unwrap_or_else(|| panic!("{name} has no cases")) {
            let files = case["files"].as_object().expect("the files of a case");
            let text = |(name, text): (&String, &serde_json::Value)| {
                (name.clone(), text.as_str().expect("a text").to_owned())
            };
            let mut files: Files = files.iter().map(text).collect();
            files.sort_by_key(|(name, _)| name != "main.pleach");
            same += usize::from(agrees(&files).unwrap_or_else(|difference| panic!("{difference}")));
        }
    }
    assert!(same > 200, "{same}");
}

#[test]
fn random_programs_are_the_same_on_both_ways() {
    let programs = programs(PROGRAMS);
    let fight = |case: Case, same: &mut u64| {
        let program = program(Case { size: case.size.min(300), ..case });
        *same += u64::from(agrees(&program.files)?);
        Ok(())
    };
    let same: u64 = hunt(programs, fight).unwrap_or_else(|difference| panic!("{difference}")).iter().sum();
    // Some are too large to compile.
    assert!(same > programs * 9 / 10, "{same}");
}
