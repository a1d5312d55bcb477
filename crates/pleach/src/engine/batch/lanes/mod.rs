//! What is done to 64 lanes at once, by the widest vectors that the processor has.
//!
//! A sweep is written once, over a [`Lanes`]. The methods of the trait are its portable form, plain loops that a compiler
//! turns into vector code where it can; a processor's own lanes replace those for which that was measured to be slower.
//! [`Lanes::run`] runs a whole [`Job`] compiled for the processor, so that the plain loops in it profit as well.

#[cfg(target_arch = "x86_64")]
pub(super) mod x86;

use crate::code::batch::endings::EndingTable;
use crate::code::batch::ops::{Chain, Link, WordComparison};
use crate::code::{Relation, Span, by_relation};
use crate::layout::{BIT_WORDS, LANES};
use core::cmp::Ordering;

/// 64 lanes of a column.
pub(super) type Words = [u32; 64];
/// 64 lanes of a narrow column.
pub(super) type Halves = [u16; 64];
/// 64 lanes of a column of bytes.
pub(super) type Bytes = [u8; 64];

/// Room for all lanes of a chunk, written down, and some that are written by the way.
pub(super) type Gathered = [u8; LANES + 64];

/// Work that is compiled for each kind of lanes.
pub(super) trait Job {
    type Out;
    fn run(self) -> Self::Out;
}

/// A way to work on 64 lanes. A truth for each lane is a bit of a `u64`.
pub(super) trait Lanes: Copy {
    /// Runs a job in code for this processor.
    fn run<J: Job>(self, job: J) -> J::Out;

    /// Which words stand so to a number as floats.
    #[inline(always)]
    fn floats(self, words: &Words, relation: Relation, with: f32) -> u64 {
        by_relation!(relation, |holds| bits(|lane| holds(f32::from_bits(words[lane]), with)))
    }

    /// Which words are in this order with a number as integers.
    #[inline(always)]
    fn ints(self, words: &Words, order: Ordering, with: i32) -> u64 {
        match order {
            Ordering::Less => bits(|lane| (words[lane] as i32) < with),
            Ordering::Equal => bits(|lane| words[lane] as i32 == with),
            Ordering::Greater => bits(|lane| words[lane] as i32 > with),
        }
    }

    #[inline(always)]
    fn word_gt(self, words: &Words, with: u32) -> u64 {
        bits(|lane| words[lane] > with)
    }

    #[inline(always)]
    fn half_in(self, halves: &Halves, span: Span) -> u64 {
        bits(|lane| span.holds(halves[lane]))
    }

    #[inline(always)]
    fn half_eq(self, halves: &Halves, with: u16) -> u64 {
        bits(|lane| halves[lane] == with)
    }

    #[inline(always)]
    fn byte_in(self, bytes: &Bytes, low: u8, span: u8) -> u64 {
        bits(|lane| bytes[lane].wrapping_sub(low) <= span)
    }

    /// Writes down lanes in order. What is behind the last may be anything.
    #[inline(always)]
    fn gather(self, lanes: [u64; BIT_WORDS], into: &mut Gathered) {
        let mut at = 0;
        for (index, mut lanes) in lanes.into_iter().enumerate() {
            while lanes != 0 {
                into[at % LANES] = 64 * index as u8 + lanes.trailing_zeros() as u8;
                (at, lanes) = (at + 1, lanes & (lanes - 1));
            }
        }
    }

    /// Which numbers stand so to another.
    #[inline(always)]
    fn reals(self, numbers: &[f64; 64], relation: Relation, with: f64) -> u64 {
        by_relation!(relation, |holds| bits(|lane| holds(numbers[lane], with)))
    }

    /// Puts the lowest bits where some lanes are.
    #[inline(always)]
    fn deposit(self, mut bits: u64, mut lanes: u64) -> u64 {
        let mut into = 0;
        while lanes != 0 {
            into |= (lanes & lanes.wrapping_neg()) * (bits & 1);
            (bits, lanes) = (bits >> 1, lanes & (lanes - 1));
        }
        into
    }

    /// Puts a number into some lanes.
    #[inline(always)]
    fn put_words(self, words: &mut Words, lanes: u64, number: u32) {
        for (lane, word) in words.iter_mut().enumerate() {
            *word = if lanes >> lane & 1 != 0 { number } else { *word };
        }
    }

    #[inline(always)]
    fn put_halves(self, halves: &mut Halves, lanes: u64, number: u16) {
        for (lane, half) in halves.iter_mut().enumerate() {
            *half = if lanes >> lane & 1 != 0 { number } else { *half };
        }
    }

    /// Counts some lanes down, at most to 0; those in which something is left.
    #[inline(always)]
    fn count_down(self, halves: &mut Halves, lanes: u64) -> u64 {
        for (lane, half) in halves.iter_mut().enumerate() {
            *half = half.saturating_sub((lanes >> lane & 1) as u16);
        }
        lanes & bits(|lane| halves[lane] != 0)
    }

    #[inline(always)]
    fn put_bytes(self, bytes: &mut Bytes, lanes: u64, number: u8) {
        for (lane, byte) in bytes.iter_mut().enumerate() {
            *byte = if lanes >> lane & 1 != 0 { number } else { *byte };
        }
    }

    /// Puts into all lanes what a table says for their numbers, if there is a faster way than lane by lane.
    #[inline(always)]
    fn look_up_all_words(self, _: &mut [u32; LANES], _: &[u8; LANES], _: &EndingTable<u32>) -> bool {
        false
    }

    #[inline(always)]
    fn look_up_all_halves(self, _: &mut [u16; LANES], _: &[u8; LANES], _: &EndingTable<u16>) -> bool {
        false
    }

    /// What the first of a chain's links that holds says for 128 lanes from this one on, 0 where none does. The links come
    /// with the last first.
    #[inline(always)]
    fn links(self, words: &[u32], lane: usize, chain: &Chain) -> [u32; 128] {
        let mut values = [0; 128];
        for link in &chain.links {
            let Some(words) = words[link.column as usize + lane..].first_chunk() else { continue };
            overrule(link, words, &mut values);
        }
        values
    }

    /// Puts the numbers that two bits make into some lanes.
    #[inline(always)]
    fn put_ends(self, bytes: &mut Bytes, lanes: u64, low: u64, high: u64) {
        for (lane, byte) in bytes.iter_mut().enumerate() {
            let end = (low >> lane & 1) as u8 | ((high >> lane & 1) as u8 * 2);
            *byte = if lanes >> lane & 1 != 0 { end } else { *byte };
        }
    }
}

/// Puts a link's value where it holds.
#[inline(always)]
fn overrule(link: &Link, words: &[u32; 128], values: &mut [u32; 128]) {
    let Link { with, value: here, comparison, is, .. } = *link;
    let (float, int) = (f32::from_bits(with), with as i32);
    macro_rules! each {
        (|$word:ident| $holds:expr) => {
            for (value, $word) in values.iter_mut().zip(words) {
                let (yes, no) = if is { (here, *value) } else { (*value, here) };
                *value = if $holds { yes } else { no };
            }
        };
    }
    match comparison {
        WordComparison::Float(relation) => {
            by_relation!(relation, |holds| each!(|word| holds(f32::from_bits(*word), float)));
        }
        WordComparison::Int(Ordering::Less) => each!(|word| (*word as i32) < int),
        WordComparison::Int(Ordering::Equal) => each!(|word| *word as i32 == int),
        WordComparison::Int(Ordering::Greater) => each!(|word| *word as i32 > int),
    }
}

/// Lanes of any processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Lanes for Portable {
    fn run<J: Job>(self, job: J) -> J::Out {
        job.run()
    }
}

/// A bit for each lane that a test holds for.
#[inline(always)]
pub(in super::super) fn bits(holds: impl Fn(usize) -> bool) -> u64 {
    let mut bytes = [0_u8; 64];
    for (lane, byte) in bytes.iter_mut().enumerate() {
        *byte = holds(lane).into();
    }
    let mut bits = 0;
    for (index, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        // The product has the lowest bits of the eight bytes side by side in its highest byte.
        bits |= (u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * index);
    }
    bits
}

#[cfg(test)]
pub(super) mod tests;
