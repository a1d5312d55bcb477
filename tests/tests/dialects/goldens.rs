//! Small programs of all dialects have the expected AST, IR, listing and fused code, and images of
//! format 1.0 load with the expected listing.
//!
//! `PLEACH_BLESS=1 cargo test -p pleach-tests --test dialects goldens::` writes the expected texts.

use pleach::Image;
use pleach_compile::dialect::DIALECTS;
use pleach_tests::golden::{Stages, check, entries, folder, listed};

/// Fails with all findings, if there are any.
fn none(findings: &[String]) {
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

#[test]
fn every_stage_is_as_expected() {
    let mut findings = Vec::new();
    for dialect in DIALECTS {
        let programs = entries(&folder().join(dialect.name()));
        assert!(!programs.is_empty(), "{} has no golden program", dialect.name());
        for program in programs {
            let stages = Stages::of(*dialect, &program);
            findings.extend(
                stages.texts.iter().filter_map(|(file, text)| check(&program.join(file), text).err()),
            );
        }
    }
    none(&findings);
}

/// Every release loads images of format 1.0: the bytes never change.
#[test]
fn images_of_format_1_0_are_listed_as_expected() {
    let mut findings = Vec::new();
    let mut programs = 0;
    for program in entries(&folder().join("format-1.0")).into_iter().filter(|path| path.is_dir()) {
        let image = Image::load(program.join("image.plc")).expect("an image of format 1.0");
        findings.extend(check(&program.join("listing.txt"), &listed(&image)).err());
        assert!(entries(&program).len() > 2, "{} has no source", program.display());
        programs += 1;
    }
    none(&findings);
    assert!(programs > 100, "{programs}");
}
