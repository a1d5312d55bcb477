//! Damaged images: every bit, every length, and millions of changes that get past the first checks.
//!
//! An image that the verifier lets pass is run as [`trial::run`] does: within its bounds, and without a write to what
//! belongs to agents that sleep.

use super::{Campaign, Finding, Run, guarded};
use crate::random::dice::{Dice, hash};
use crate::random::golden;
use crate::random::mutate::{Cut, changed, mutate};
use crate::random::trial::{self, Verdict};
use pleach_image::Image;
use pleach_image::format::seal;

pub(super) const FLIPS: Campaign = Campaign {
    name: "flips",
    about: "every bit of a golden image for each operation, with the checksum left as it is and put right",
    unit: "flips",
    goal: 1_000_000,
    short: u64::MAX,
    run: flips,
};

pub(super) const TRUNCATIONS: Campaign = Campaign {
    name: "truncations",
    about: "every other length of these images, with length and checksum left as they are and put right",
    unit: "lengths",
    goal: 100_000,
    short: u64::MAX,
    run: truncations,
};

pub(super) const MUTANTS: Campaign = Campaign {
    name: "mutants",
    about: "bytes and words of these images changed and exchanged, sections doubled and spliced, rows moved, sealed",
    unit: "mutants",
    goal: 10_000_000,
    short: 2_000,
    run: mutants,
};

/// Runs bytes as an image; whatever goes wrong is a finding with these bytes.
pub(super) fn tried(bytes: &[u8], what: &str) -> Result<Verdict, Finding> {
    let found = |why| Finding { what: format!("{what}: {why}"), input: Some(bytes.to_vec()) };
    guarded(|| Ok(trial::run(bytes))).map_err(found)
}

/// Every bit of each image, of as many as there is time for.
fn flips(run: &mut Run) -> Result<(), Finding> {
    let (images, mut whole, mut verdicts) = (golden::images(), 0, [0_u64; 2]);
    for (name, bytes) in images {
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let what = format!("{name}: bit {} of byte {}", bit % 8, bit / 8);
            if Image::copy(&damaged).is_ok() {
                return Err(Finding { what: format!("{what} made no difference"), input: Some(damaged) });
            }
            seal(&mut damaged);
            verdicts[usize::from(tried(&damaged, &what)? == Verdict::Ran)] += 1;
            run.executions += 2;
        }
        whole += 1;
        if run.is_late() {
            break;
        }
    }
    let [refused, ran] = verdicts;
    run.told = format!("{whole} of {} images; sealed again, {refused} refused and {ran} ran", images.len());
    Ok(())
}

fn truncations(run: &mut Run) -> Result<(), Finding> {
    for (name, bytes) in golden::images() {
        for length in (0..bytes.len()).chain(bytes.len() + 1..bytes.len() + 65) {
            let mut other = bytes.clone();
            other.resize(length, 0);
            for how in ["as it is", "sealed"] {
                if Image::copy(&other).is_ok() {
                    let what = format!("{name}: {length} of {} bytes, {how}", bytes.len());
                    return Err(Finding { what, input: Some(other) });
                }
                seal(&mut other);
                run.executions += 1;
            }
        }
    }
    run.told = format!("{} images", golden::images().len());
    Ok(())
}

fn mutants(run: &mut Run) -> Result<(), Finding> {
    let mut ran = 0;
    while let Some(number) = run.case() {
        let bytes = mutant(number);
        ran += u64::from(tried(&bytes, &format!("mutant {number}"))? == Verdict::Ran);
        run.executions += 1;
    }
    run.told = format!("{ran} of them ran");
    Ok(())
}

/// The mutant of a number.
fn mutant(number: u64) -> Vec<u8> {
    let (mut dice, images) = (Dice::new(hash([number, 0x6d75])), golden::images());
    let one = &images[dice.below(images.len())].1;
    let mut bytes = match dice.below(8) {
        0..=2 => changed(one, &mut dice),
        3 => {
            let mut cut = Cut::of(one);
            cut.double(&mut dice);
            cut.join()
        }
        4 => {
            let mut cut = Cut::of(one);
            cut.splice(&Cut::of(&images[dice.below(images.len())].1), &mut dice);
            cut.join()
        }
        _ => mutate(one, dice.roll()),
    };
    seal(&mut bytes);
    bytes
}
