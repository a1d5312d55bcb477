//! Golden images, each with the expected result of the verifier.
//!
//! `golden.plcs` holds a valid image for every instruction and operation, and images that break one
//! rule each. The file is a sequence of pairs of an expected message and an image. Each part is
//! preceded by its length as four bytes. The file needs no compiler, so this crate can be tested on
//! its own. `PLEACH_BLESS=1 cargo test -p pleach-tests --test hostile verifier::` writes the file.

use pleach_image::buffer::AlignedBytes;
use pleach_image::format::{SectionKind, StrRef, seal, write};
use pleach_image::verify::Rule;
use pleach_image::{Image, bounds, listing};
use std::collections::BTreeSet;

static GOLDEN: &[u8] = include_bytes!("golden.plcs");

/// Returns the expected message for each image, and the image.
fn golden() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let mut rest = GOLDEN;
    let mut next = move || {
        let (length, behind) = rest.split_first_chunk::<4>()?;
        let (bytes, behind) = behind.split_at(u32::from_le_bytes(*length) as usize);
        rest = behind;
        Some(bytes)
    };
    core::iter::from_fn(move || Some((str::from_utf8(next()?).expect("a text"), next()?)))
}

#[test]
fn every_image_is_judged_as_ever() {
    let mut rules = BTreeSet::new();
    for (said, bytes) in golden() {
        let found = Image::copy(bytes).map_or_else(|error| error.to_string(), |_| "sound".to_owned());
        assert_eq!(found, said);
        rules.extend(said.split(':').next());
    }
    // Misaligned bytes and missing memory cannot be stored in a file.
    let missing: Vec<_> = Rule::ALL.iter().filter(|rule| !rules.contains(rule.code())).collect();
    assert_eq!(missing, [&Rule::Aligned, &Rule::Memory]);
}

#[test]
fn bytes_must_be_aligned() {
    let (_, bytes) = golden().next().expect("there are some");
    let shifted = AlignedBytes::copy(&[&[0], bytes].concat());
    let error = Image::new(&shifted.as_ref()[1..]).expect_err("it begins at an odd address");
    assert_eq!(error.rule, Rule::Aligned);
}

#[test]
fn tables_have_no_more_rows_than_operands_can_tell_apart() {
    let (_, bytes) = golden().find(|(said, _)| *said == "sound").expect("there are some");
    let mut parts = Image::copy(bytes).expect("it is sound").parts();
    parts.constants.resize(1 << 16, 0);
    assert_eq!(Image::copy(&write(&parts)).map(drop), Ok(()));
    parts.constants.push(0);
    let error = Image::copy(&write(&parts)).expect_err("there is one too many");
    assert_eq!((error.rule, error.found), (Rule::TableSize, (1 << 16) + 1));
}

#[test]
fn what_the_host_does_need_not_have_a_name() {
    let parts = |(_, bytes)| Image::copy(bytes).ok().map(|image| image.parts());
    let mut parts =
        golden().filter_map(parts).find(|parts| !parts.imports.is_empty()).expect("there are some");
    parts.imports[0].name = StrRef::default();
    assert_eq!(Image::copy(&write(&parts)).map(drop), Ok(()));
}

/// Every changed bit of a valid image is found by the checksum. If the checksum is corrected, an
/// image that is accepted can be listed and measured.
#[test]
fn changed_images_are_refused_or_can_be_read() {
    let sound = golden().filter(|(said, _)| *said == "sound");
    let (mut refused, mut passed) = (0, 0);
    for (_, bytes) in sound.take(12) {
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
            let mut text = String::new();
            listing::write(&image, &|_, _| None, &mut text).expect("a string takes all");
            assert_eq!(bounds::of(&image).len(), image.blocks().len());
        }
    }
    assert!(refused > 10 * passed / 2 && passed > 1_000, "{refused} refused, {passed} passed");
}

#[test]
fn what_is_read_is_written_again() {
    for (said, bytes) in golden().filter(|(said, _)| *said == "sound") {
        let image = Image::copy(bytes).expect(said);
        assert_eq!(write(&image.parts()), bytes);
        let sections: usize = SectionKind::ALL.iter().map(|kind| image.section_bytes(*kind)).sum();
        assert!(sections < bytes.len());
    }
}
