//! Operations on 64 lanes that compilers do not find in plain loops.
//!
//! A sweep is written once, as plain loops over columns, which a compiler turns into vector code:
//! [`Lanes::run`] runs a whole [`Job`] compiled for a processor. What compilers do not find in
//! plain loops are ways from lanes to bits and back, and look-ups in short tables. [`Lanes`] has
//! these, in a portable form that a processor's own lanes replace.

#[cfg(target_arch = "x86_64")]
pub(super) mod x86;

use crate::code::batch::endings::EndingTable;
use crate::layout::{BIT_WORDS, LANES};
use wide::u8x16;

/// Room for all lanes of a chunk, written down, and some that are written by the way.
pub(super) type Gathered = [u8; LANES + 64];

/// Work that is compiled for each kind of lanes.
pub(super) trait Job {
    type Out;
    fn run(self) -> Self::Out;
}

/// A way to work on 64 lanes. A truth for each lane is a bit of a `u64`.
pub(super) trait Lanes: Copy {
    /// True if loops over the words of a mask are to be written out. Compilers do not unroll loops
    /// with long vectors, and a processor waits where a mask is read as a vector after it was
    /// written word by word.
    const WRITTEN_OUT: bool = false;

    /// Number that says where a chain of tests leads. Short numbers take fewer stores, where
    /// comparisons give masks, and long ones fewer conversions of comparisons.
    type Target: Copy + PartialOrd + From<u16> + Into<u32>;

    /// Number of lanes up to which a value is written lane by lane: a column has more vectors than
    /// that, and each is read, mixed and written.
    const FEW: u32 = 0;

    /// True if a chain of tests counts the tests that fail, with a byte for each lane; false if
    /// each test writes its target over those of later tests. A vector has more bytes than targets,
    /// but the way from the count to the target is a look-up for each lane.
    const COUNTS: bool = false;

    /// Runs a job in code for this processor.
    fn run<J: Job>(self, job: J) -> J::Out;

    /// Returns a bit for each of 64 lanes of a column of `T`: set if something holds for the lane.
    #[inline(always)]
    fn bits<T>(self, holds: impl Fn(usize) -> bool) -> u64 {
        let mut bits = 0;
        for part in 0..4 {
            let bytes: [u8; 16] = bytes(u8::MAX, |lane| holds(16 * part + lane));
            bits |= u64::from(u8x16::new(bytes).to_bitmask()) << (16 * part);
        }
        bits
    }

    /// Returns a byte for each of 64 lanes: all ones if the lane's bit is set, else zeros.
    #[inline(always)]
    fn spread(self, lanes: u64) -> [u8; 64] {
        const BITS: [[u8; 8]; 8] = [[1, 2, 4, 8, 16, 32, 64, 128]; 8];
        let copies = lanes.to_le_bytes().map(|eight| [eight; 8]);
        let (copies, bits) = (copies.as_flattened(), BITS.as_flattened());
        bytes(u8::MAX, |lane| copies[lane] & bits[lane] != 0)
    }

    /// Replaces what some of 64 lanes hold.
    #[inline(always)]
    fn replace<T: Copy>(self, places: &mut [T; 64], lanes: u64, new: impl Fn(T) -> T) {
        for (place, wanted) in places.iter_mut().zip(self.spread(lanes)) {
            *place = if wanted != 0 { new(*place) } else { *place };
        }
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

    /// Puts into all lanes what a table says for their numbers, if there is a
    /// faster way than lane by lane.
    #[inline(always)]
    fn look_up_all_words(self, _: &mut [u32; LANES], _: &[u8; LANES], _: &EndingTable<u32>) -> bool {
        false
    }

    #[inline(always)]
    fn look_up_all_halves(self, _: &mut [u16; LANES], _: &[u8; LANES], _: &EndingTable<u16>) -> bool {
        false
    }
}

/// Lanes of any processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Lanes for Portable {
    const FEW: u32 = 16;

    const COUNTS: bool = true;

    type Target = u16;

    fn run<J: Job>(self, job: J) -> J::Out {
        job.run()
    }
}

/// Returns a byte for each of some lanes: `truth` if something holds for the lane, else 0.
#[inline(always)]
fn bytes<const LANES: usize>(truth: u8, holds: impl Fn(usize) -> bool) -> [u8; LANES] {
    let mut bytes = [0; LANES];
    for (lane, byte) in bytes.iter_mut().enumerate() {
        *byte = if holds(lane) { truth } else { 0 };
    }
    bytes
}

#[cfg(test)]
pub(super) mod tests;
