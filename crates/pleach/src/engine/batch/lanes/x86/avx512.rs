//! Vectors of 64 bytes: a comparison gives a mask, and a store takes one.

use super::{
    Avx512, BIT_WORDS, ENDINGS, EndingTable, Gathered, Job, LANES, Lanes, bytes, gather, with_avx512,
};
use core::arch::{asm, x86_64::*};

/// Returns a mask of some lanes for which something holds. A compiler finds the mask of a
/// comparison again in bytes that are 1 or 0, if one comparison of vectors has made all of them.
macro_rules! mask {
    ($holds:ident, $first:literal, $count:literal by $load:ident, $test:ident) => {{
        let bytes: [u8; $count] = bytes(1, |lane| $holds($first + lane));
        let bytes = $load(bytes.as_ptr().cast());
        $test(bytes, bytes)
    }};
}

/// Replaces what some lanes hold. `$ones` is a vector of `$count` lanes from `$first` on, all ones
/// for each lane wanted.
macro_rules! replace {
    ($places:ident, $new:ident, $of:ty, $count:literal, |$first:ident| $ones:expr) => {{
        let mut wanted: [$of; 64] = [0; 64];
        for (part, ones) in wanted.as_chunks_mut::<$count>().0.iter_mut().enumerate() {
            let $first = $count * part;
            _mm512_storeu_si512(ones.as_mut_ptr().cast(), $ones);
        }
        for (place, wanted) in $places.iter_mut().zip(wanted) {
            *place = if wanted < 0 { $new(*place) } else { *place };
        }
    }};
}

/// Joins four masks. A compiler would join them by shifts, and shift several joined masks as a
/// vector, into which it moves each mask.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn join(first: u16, second: u16, third: u16, fourth: u16) -> u64 {
    let bits;
    // SAFETY: nothing but registers is touched.
    unsafe {
        asm!(
            "kunpckwd {first}, {second}, {first}",
            "kunpckwd {third}, {fourth}, {third}",
            "kunpckdq {first}, {third}, {first}",
            "kmovq {bits}, {first}",
            first = inout(kreg) first => _,
            second = in(kreg) second,
            third = inout(kreg) third => _,
            fourth = in(kreg) fourth,
            bits = out(reg) bits,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    bits
}

impl Lanes for Avx512 {
    const WRITTEN_OUT: bool = true;

    type Target = u16;

    #[inline]
    fn run<J: Job>(self, job: J) -> J::Out {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { with_avx512(job) }
    }

    #[inline(always)]
    fn bits<T>(self, holds: impl Fn(usize) -> bool) -> u64 {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe {
            match size_of::<T>() {
                1 => mask!(holds, 0, 64 by _mm512_loadu_si512, _mm512_test_epi8_mask),
                2 => {
                    let low = mask!(holds, 0, 32 by _mm256_loadu_si256, _mm256_test_epi8_mask);
                    let high = mask!(holds, 32, 32 by _mm256_loadu_si256, _mm256_test_epi8_mask);
                    _mm512_kunpackd(high.into(), low.into())
                }
                _ => join(
                    mask!(holds, 0, 16 by _mm_loadu_si128, _mm_test_epi8_mask),
                    mask!(holds, 16, 16 by _mm_loadu_si128, _mm_test_epi8_mask),
                    mask!(holds, 32, 16 by _mm_loadu_si128, _mm_test_epi8_mask),
                    mask!(holds, 48, 16 by _mm_loadu_si128, _mm_test_epi8_mask),
                ),
            }
        }
    }

    #[inline(always)]
    fn replace<T: Copy>(self, places: &mut [T; 64], lanes: u64, new: impl Fn(T) -> T) {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe {
            match size_of::<T>() {
                1 => replace!(places, new, i8, 64, |_first| _mm512_movm_epi8(lanes)),
                2 => replace!(places, new, i16, 32, |first| _mm512_movm_epi16((lanes >> first) as u32)),
                _ => replace!(places, new, i32, 16, |first| _mm512_movm_epi32((lanes >> first) as u16)),
            }
        }
    }

    #[inline(always)]
    fn gather(self, lanes: [u64; BIT_WORDS], into: &mut Gathered) {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { if self.compress { gather_512(lanes, into) } else { gather(lanes, into) } }
    }

    #[inline(always)]
    fn deposit(self, bits: u64, lanes: u64) -> u64 {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { _pdep_u64(bits, lanes) }
    }

    look_up! {
        look_up_all_words: u32 by look_up_words_512 below ENDINGS;
        look_up_all_halves: u16 by look_up_halves_512 below ENDINGS;
    }
}

/// See [`Lanes::gather`]: the lanes' numbers are bytes side by side, of which
/// those wanted are moved together.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn gather_512(lanes: [u64; BIT_WORDS], into: &mut Gathered) {
    let first: [u8; 64] = core::array::from_fn(|lane| lane as u8);
    // SAFETY: these are 64 bytes.
    let (mut numbers, mut at) = (unsafe { _mm512_loadu_si512(first.as_ptr().cast()) }, 0);
    for lanes in lanes {
        let wanted = _mm512_maskz_compress_epi8(lanes, numbers);
        // SAFETY: at most 64 places for each of the words before, and these 64.
        unsafe { _mm512_storeu_si512(into[at..][..64].as_mut_ptr().cast(), wanted) }
        at += lanes.count_ones() as usize;
        numbers = _mm512_add_epi8(numbers, _mm512_set1_epi8(64));
    }
}

/// Looks 16 numbers up in a table: in its first 16 entries, or 32 entries a time.
#[inline]
#[target_feature(enable = "avx512f")]
fn entries_32(table: &[u32; ENDINGS], numbers: __m512i, endings: usize) -> __m512i {
    let part = |index: usize| {
        // SAFETY: the 16 entries are in the table.
        unsafe { _mm512_loadu_si512(table[16 * index..][..16].as_ptr().cast()) }
    };
    if endings < 16 {
        return _mm512_permutexvar_epi32(numbers, part(0));
    }
    let mut found = _mm512_permutex2var_epi32(part(0), numbers, part(1));
    for quarter in 1..=endings / 32 {
        let here = _mm512_permutex2var_epi32(part(2 * quarter), numbers, part(2 * quarter + 1));
        let beyond = _mm512_cmpgt_epi32_mask(numbers, _mm512_set1_epi32(32 * quarter as i32 - 1));
        found = _mm512_mask_mov_epi32(found, beyond, here);
    }
    found
}

/// Looks 32 numbers up in a table: in its first 32 entries, or 64 entries a time.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn entries_16(table: &[u16; ENDINGS], numbers: __m512i, endings: usize) -> __m512i {
    let part = |index: usize| {
        // SAFETY: the 32 entries are in the table.
        unsafe { _mm512_loadu_si512(table[32 * index..][..32].as_ptr().cast()) }
    };
    if endings < 32 {
        return _mm512_permutexvar_epi16(numbers, part(0));
    }
    let found = _mm512_permutex2var_epi16(part(0), numbers, part(1));
    if endings < 64 {
        return found;
    }
    let beyond = _mm512_cmpgt_epi16_mask(numbers, _mm512_set1_epi16(63));
    _mm512_mask_mov_epi16(found, beyond, _mm512_permutex2var_epi16(part(2), numbers, part(3)))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn look_up_words_512(column: &mut [u32; LANES], numbers: &[u8; LANES], table: &EndingTable<u32>) {
    let numbers = numbers.as_chunks::<16>().0;
    for (place, numbers) in column.as_chunks_mut::<16>().0.iter_mut().zip(numbers) {
        // SAFETY: both are 16 lanes.
        unsafe {
            let numbers = _mm512_cvtepu8_epi32(_mm_loadu_si128(numbers.as_ptr().cast()));
            let before = _mm512_loadu_si512(place.as_ptr().cast());
            let value = entries_32(&table.values, numbers, table.endings);
            let after = if table.always {
                _mm512_mask_mov_epi32(before, _mm512_test_epi32_mask(numbers, numbers), value)
            } else {
                let keeps = entries_32(&table.keeps, numbers, table.endings);
                _mm512_or_si512(_mm512_and_si512(before, keeps), value)
            };
            _mm512_storeu_si512(place.as_mut_ptr().cast(), after);
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn look_up_halves_512(column: &mut [u16; LANES], numbers: &[u8; LANES], table: &EndingTable<u16>) {
    let numbers = numbers.as_chunks::<32>().0;
    for (place, numbers) in column.as_chunks_mut::<32>().0.iter_mut().zip(numbers) {
        // SAFETY: both are 32 lanes.
        unsafe {
            let numbers = _mm512_cvtepu8_epi16(_mm256_loadu_si256(numbers.as_ptr().cast()));
            let before = _mm512_loadu_si512(place.as_ptr().cast());
            let value = entries_16(&table.values, numbers, table.endings);
            let after = if table.always {
                _mm512_mask_mov_epi16(before, _mm512_test_epi16_mask(numbers, numbers), value)
            } else {
                let keeps = entries_16(&table.keeps, numbers, table.endings);
                _mm512_or_si512(_mm512_and_si512(before, keeps), value)
            };
            _mm512_storeu_si512(place.as_mut_ptr().cast(), after);
        }
    }
}
