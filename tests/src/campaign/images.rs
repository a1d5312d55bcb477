//! Damaged images: every bit, every length, and millions of changes that get past the first checks.
//!
//! An image that the verifier lets pass is run as [`trial::run`] does: within its bounds, and
//! without a write to what belongs to agents that sleep.

use super::{Campaign, Finding, Run};
use crate::random::Case;
use crate::random::check::{self, guarded};
use crate::random::golden::{self, Golden};
use crate::random::mutate::mutant;
use crate::random::trial::{self, Verdict};
use pleach_image::Image;
use pleach_image::format::seal;
use std::cell::Cell;

pub(super) const FLIPS: Campaign = Campaign {
    name: "flips",
    about: "every bit of a golden image for each operation, with the checksum left as it is and put right",
    unit: "flips",
    goal: 1_000_000,
    short: u64::MAX,
    resumes: Some(String::new),
    run: flips,
};

pub(super) const TRUNCATIONS: Campaign = Campaign {
    name: "truncations",
    about: "every other length of these images, with length and checksum left as they are and put right",
    unit: "lengths",
    goal: 100_000,
    short: u64::MAX,
    resumes: Some(String::new),
    run: truncations,
};

pub(super) const MUTANTS: Campaign = Campaign {
    name: "mutants",
    about: "bytes and words of these images changed and exchanged, sections doubled and spliced, rows moved, sealed",
    unit: "mutants",
    goal: 10_000_000,
    short: 200,
    resumes: Some(String::new),
    run: mutants,
};

/// An image with something wrong.
pub(super) struct Damaged {
    pub(super) what: String,
    pub(super) bytes: Vec<u8>,
    /// True if the image must be refused. Otherwise it may also load and run.
    refused: bool,
}

impl Damaged {
    /// Returns an image that breaks a rule and no other.
    #[cfg(pleach_planted)]
    pub(super) fn by_rows(bytes: Vec<u8>) -> Self {
        Self { what: "an image that breaks it".to_owned(), bytes, refused: false }
    }

    /// Tries it; whatever goes wrong is a finding with its bytes.
    pub(super) fn tried(&self) -> Result<Verdict, Finding> {
        let found = |why| Finding { what: format!("{}: {why}", self.what), input: Some(self.bytes.clone()) };
        if !self.refused {
            return guarded(|| Ok(trial::run(&self.bytes))).map_err(found);
        }
        match Image::copy(&self.bytes) {
            Ok(_) => Err(found("it is let pass".to_owned())),
            Err(_) => Ok(Verdict::Refused),
        }
    }
}

/// Every bit changed, with the checksum left as it is and put right.
pub(super) fn flipped<'a>(name: &'a str, bytes: &'a [u8]) -> impl Iterator<Item = Damaged> + 'a {
    (0..2 * 8 * bytes.len()).map(move |number| {
        let (bit, sealed) = (number / 2, number % 2 == 1);
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if sealed {
            seal(&mut bytes);
        }
        let what = format!("{name}: bit {} of byte {}", bit % 8, bit / 8);
        Damaged { what, bytes, refused: !sealed }
    })
}

/// Every other length, up to some more, with the header left as it is and put right.
pub(super) fn resized<'a>(name: &'a str, bytes: &'a [u8]) -> impl Iterator<Item = Damaged> + 'a {
    let lengths = (0..bytes.len()).chain(bytes.len() + 1..bytes.len() + 65);
    lengths.flat_map(|length| [(length, false), (length, true)]).map(move |(length, sealed)| {
        let mut other = bytes.to_vec();
        other.resize(length, 0);
        if sealed {
            seal(&mut other);
        }
        let how = if sealed { "sealed" } else { "as it is" };
        let what = format!("{name}: {length} of {} bytes, {how}", bytes.len());
        Damaged { what, bytes: other, refused: true }
    })
}

/// Every bit of each image, of as many as there is time for.
fn flips(run: &mut Run) -> Result<(), Finding> {
    let (images, mut whole, mut ran) = (golden::images(), 0, 0);
    for Golden { name, image, .. } in images {
        for flip in flipped(name, image) {
            ran += u64::from(flip.tried()? == Verdict::Ran);
            run.executions += 1;
        }
        whole += 1;
        if run.is_late() {
            break;
        }
    }
    let refused = run.executions / 2 - ran;
    run.told = format!("{whole} of {} images; sealed again, {refused} refused and {ran} ran", images.len());
    Ok(())
}

fn truncations(run: &mut Run) -> Result<(), Finding> {
    let images = golden::images();
    for other in images.iter().flat_map(|it| resized(it.name, &it.image)) {
        other.tried()?;
        run.executions += 1;
    }
    run.told = format!("{} images", images.len());
    Ok(())
}

fn mutants(run: &mut Run) -> Result<(), Finding> {
    let ran = Cell::new(0);
    while let Some(number) = run.case() {
        let tried = check::tried(&numbered(number), |case| {
            ran.set(ran.get() + u64::from(trial::run(&mutant(case)) == Verdict::Ran));
            Ok(())
        });
        tried.map_err(|found| Finding {
            what: format!("mutant {number}, after {} smaller ones: {}", found.attempts, found.why),
            input: Some(mutant(&found.case)),
        })?;
        run.executions += 1;
    }
    run.told = format!("{} of them ran", ran.get());
    Ok(())
}

/// Returns the case of a number.
fn numbered(number: u64) -> Case {
    Case::sized(number, 1)
}

/// Returns the mutant of a number.
#[cfg(pleach_planted)]
pub(super) fn numbered_mutant(number: u64) -> Damaged {
    Damaged { what: format!("mutant {number}"), bytes: mutant(&numbered(number)), refused: false }
}
