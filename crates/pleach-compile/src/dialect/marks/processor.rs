//! What the processor can do for lanes.
//!
//! What is written for lanes is compiled once for each kind of processor, and which of them this one is it says itself. So
//! sixty-four bytes are one vector where there are vectors of so many, and four elsewhere. A value of these types says that
//! the processor has what its code needs: all unsafe code of the crate is in this file.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Something to be done that is worth being compiled more than once. All of it must be inlined into [`Work::run`].
pub(super) trait Work {
    /// What comes of it.
    type Result;

    /// Does it.
    fn run<P: Processor>(self, processor: P) -> Self::Result;
}

/// A kind of processor.
pub(super) trait Processor: Copy {
    /// Writes down which bits are set, counted from `start`, a multiple of 64. Behind them may stand anything.
    fn write_bits(self, bits: u64, start: u32, room: &mut [u32; 64]);
}

/// Any processor.
#[derive(Clone, Copy)]
struct Any;

/// How many bits are written at a time, since how many there are nobody can foresee: most blocks of a text have no more.
const USUAL: usize = 16;

impl Processor for Any {
    #[inline(always)]
    fn write_bits(self, mut bits: u64, start: u32, room: &mut [u32; 64]) {
        for places in room.as_chunks_mut::<USUAL>().0 {
            for place in places {
                *place = start | bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
            }
            if bits == 0 {
                break;
            }
        }
    }
}

/// One with vectors of 64 bytes, with masks.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Processor for Avx512 {
    #[inline(always)]
    fn write_bits(self, bits: u64, start: u32, room: &mut [u32; 64]) {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { write_bits_avx512(bits, start, room) }
    }
}

/// Sixteen bits at a time: of the numbers of all of them, those stay that are set.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl")]
fn write_bits_avx512(bits: u64, start: u32, room: &mut [u32; 64]) {
    let first = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut written = 0;
    for sixteen in [0, 16, 32, 48] {
        let some = (bits >> sixteen) as u16;
        let all = _mm512_or_si512(first, _mm512_set1_epi32((start | sixteen) as i32));
        let places: &mut [u32] = &mut room[written..][..16];
        // SAFETY: there is room for sixteen.
        unsafe { _mm512_storeu_si512(places.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(some, all)) };
        written += some.count_ones() as usize;
    }
}

/// How far ahead bytes are fetched: so far that they have come from memory when it is their turn.
#[cfg(target_arch = "x86_64")]
const AHEAD: usize = 1024;

/// These bytes are looked at now, so those that stand farther on soon will be.
#[inline(always)]
pub(super) fn expect_more(bytes: &[u8; 64]) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor has it, and it is a hint, wherever it points to.
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(AHEAD).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

/// Does something with the best instructions that the processor has.
#[cfg(target_arch = "x86_64")]
pub(super) fn best<W: Work>(work: W) -> W::Result {
    match (has_avx2(), has_avx512()) {
        // SAFETY: the processor has been asked.
        (true, true) => unsafe { avx512(work) },
        // SAFETY: the processor has been asked.
        (true, false) => unsafe { avx2(work) },
        (false, _) => work.run(Any),
    }
}

/// Does something with the instructions that every processor has.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn best<W: Work>(work: W) -> W::Result {
    work.run(Any)
}

/// Whether this processor has vectors of 32 bytes, and what comes with them.
#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Whether this processor has vectors of 64 bytes, with masks.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<W: Work>(work: W) -> W::Result {
    work.run(Any)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl")]
fn avx512<W: Work>(work: W) -> W::Result {
    work.run(Avx512(()))
}

/// What comes of it with the instructions of each kind of processor that this one is.
#[cfg(test)]
pub(super) fn each<W: Work + Clone>(work: &W) -> Vec<W::Result> {
    let mut results = vec![work.clone().run(Any)];
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has been asked.
        results.push(unsafe { avx2(work.clone()) });
    }
    results.push(best(work.clone()));
    results
}
