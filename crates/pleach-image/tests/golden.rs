//! Golden images, each with the expected result of the verifier.
//!
//! `golden/` has a folder for each valid image, with its listing and its source files. There is an
//! image for every instruction and operation, and some with rows in many sections. Images made of
//! the latter that break one rule each are in the folder `broken`. `broken.txt` has a line for each
//! of them: its name and the expected message. These files need no compiler, so this crate can be
//! tested on its own. `PLEACH_BLESS=1 cargo test -p pleach-tests --test hostile verifier::` writes
//! them.

use pleach_image::buffer::AlignedBytes;
use pleach_image::format::{SectionKind, StrRef, seal, write};
use pleach_image::verify::Rule;
use pleach_image::{Image, bounds, listing};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folders of the valid images.
fn folders() -> Vec<PathBuf> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let entries = fs::read_dir(golden).expect("the folder is there");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

/// Returns the valid images, the smallest first.
fn sound() -> Vec<Vec<u8>> {
    let read = |folder: PathBuf| fs::read(folder.join("image.plc")).expect("an image");
    let mut images: Vec<_> = folders().into_iter().map(read).collect();
    images.sort_by_key(|bytes| (bytes.len(), bytes.clone()));
    images
}

/// Returns the images that break a rule, each with the expected message.
fn broken() -> Vec<(String, Vec<u8>)> {
    let mut images = Vec::new();
    for folder in folders() {
        let lines = fs::read_to_string(folder.join("broken.txt")).unwrap_or_default();
        for line in lines.lines() {
            let (name, said) = line.split_once(": ").expect("a name and what is said");
            let (rule, _) = name.split_once('-').expect("a rule and a number");
            let bytes = fs::read(folder.join(format!("broken/{name}.plc"))).expect("an image");
            images.push((format!("{rule}: {said}"), bytes));
        }
    }
    images
}

/// Returns the listing of an image.
fn listed(image: &Image) -> String {
    let mut text = String::new();
    listing::write(image, &|_, _| None, &mut text).expect("a string takes all");
    text
}

#[test]
fn every_image_is_judged_as_ever() {
    let mut rules = BTreeSet::new();
    for (said, bytes) in broken() {
        let error = Image::copy(&bytes).expect_err(&said);
        assert_eq!(error.to_string(), said);
        rules.insert(error.rule.code());
    }
    // Misaligned bytes and missing memory cannot be stored in a file.
    let missing: Vec<_> = Rule::ALL.iter().filter(|rule| !rules.contains(rule.code())).collect();
    assert_eq!(missing, [&Rule::Aligned, &Rule::Memory]);
}

#[test]
fn every_image_is_listed_as_ever() {
    for folder in folders() {
        let bytes = fs::read(folder.join("image.plc")).expect("an image");
        let image = Image::copy(&bytes).expect("it is sound");
        let known = fs::read_to_string(folder.join("listing.txt")).expect("a listing");
        assert_eq!(listed(&image), known, "{}", folder.display());
    }
}

#[test]
fn bytes_must_be_aligned() {
    let shifted = AlignedBytes::copy(&[&[0], &sound()[0][..]].concat());
    let error = Image::new(&shifted.as_ref()[1..]).expect_err("it begins at an odd address");
    assert_eq!(error.rule, Rule::Aligned);
}

#[test]
fn tables_have_no_more_rows_than_operands_can_tell_apart() {
    let mut parts = Image::copy(&sound()[0]).expect("it is sound").parts();
    parts.constants.resize(1 << 16, 0);
    assert_eq!(Image::copy(&write(&parts)).map(drop), Ok(()));
    parts.constants.push(0);
    let error = Image::copy(&write(&parts)).expect_err("there is one too many");
    assert_eq!((error.rule, error.found), (Rule::TableSize, (1 << 16) + 1));
}

#[test]
fn what_the_host_does_need_not_have_a_name() {
    let parts = |bytes: Vec<u8>| Image::copy(&bytes).expect("it is sound").parts();
    let mut all = sound().into_iter().map(parts);
    let mut parts = all.find(|parts| !parts.imports.is_empty()).expect("there are some");
    parts.imports[0].name = StrRef::default();
    assert_eq!(Image::copy(&write(&parts)).map(drop), Ok(()));
}

/// Every changed bit of a valid image is found by the checksum. If the checksum is corrected, an
/// image that is accepted can be listed and measured.
#[test]
fn changed_images_are_refused_or_can_be_read() {
    let (mut refused, mut passed) = (0, 0);
    for bytes in sound().into_iter().take(12) {
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.to_vec();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Image::copy(&damaged).is_err(), "bit {bit} makes no difference");
            seal(&mut damaged);
            let Ok(image) = Image::copy(&damaged) else {
                refused += 1;
                continue;
            };
            passed += 1;
            assert!(!listed(&image).is_empty());
            assert_eq!(bounds::of(&image).len(), image.blocks().len());
        }
    }
    assert!(refused > 10 * passed / 2 && passed > 1_000, "{refused} refused, {passed} passed");
}

#[test]
fn what_is_read_is_written_again() {
    for bytes in sound() {
        let image = Image::copy(&bytes).expect("it is sound");
        assert_eq!(write(&image.parts()), bytes);
        let sections: usize = SectionKind::ALL.iter().map(|kind| image.section_bytes(*kind)).sum();
        assert!(sections < bytes.len());
    }
}
