//! Vectors of 64 bytes: a comparison gives a mask, and a store takes one.

use super::{
    Avx512, BIT_WORDS, Bytes, Chain, ENDINGS, EndingTable, Gathered, Halves, Job, LANES, Lanes, Link,
    Ordering, Relation, Span, WordComparison, Words, gather, with_avx512,
};
use core::arch::asm;
use core::arch::x86_64::*;

/// The numbers from 0 to 63.
const NUMBERS: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut number = 0;
    while number < 64 {
        numbers[number] = number as u8;
        number += 1;
    }
    numbers
};

/// Four masks as one. The compiler would move each to a register and on to a vector, to shift them there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn join_4(first: u16, second: u16, third: u16, fourth: u16) -> u64 {
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

/// Two masks as one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn join_2(first: u32, second: u32) -> u64 {
    let bits;
    // SAFETY: as in `join_4`.
    unsafe {
        asm!(
            "kunpckdq {first}, {second}, {first}",
            "kmovq {bits}, {first}",
            first = inout(kreg) first => _,
            second = in(kreg) second,
            bits = out(reg) bits,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    bits
}

/// 64 lanes compared 16 by 16.
macro_rules! by_16 {
    ($words:ident, |$four:ident| $mask:expr) => {{
        // SAFETY: the 64 words are in the array; the processor has been asked, or there were no `self`.
        unsafe {
            let at = $words.as_ptr();
            let $four = _mm512_loadu_si512(at.cast());
            let first = $mask;
            let $four = _mm512_loadu_si512(at.add(16).cast());
            let second = $mask;
            let $four = _mm512_loadu_si512(at.add(32).cast());
            let third = $mask;
            let $four = _mm512_loadu_si512(at.add(48).cast());
            let fourth = $mask;
            join_4(first, second, third, fourth)
        }
    }};
}

impl Lanes for Avx512 {
    #[inline]
    fn run<J: Job>(self, job: J) -> J::Out {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { with_avx512(job) }
    }

    #[inline(always)]
    fn floats(self, words: &Words, relation: Relation, with: f32) -> u64 {
        macro_rules! each {
            ($how:ident) => {
                by_16!(words, |four| {
                    _mm512_cmp_ps_mask::<$how>(_mm512_castsi512_ps(four), _mm512_set1_ps(with))
                })
            };
        }
        by_predicate!(relation, each)
    }

    #[inline(always)]
    fn ints(self, words: &Words, order: Ordering, with: i32) -> u64 {
        match order {
            Ordering::Less => by_16!(words, |four| _mm512_cmplt_epi32_mask(four, _mm512_set1_epi32(with))),
            Ordering::Equal => by_16!(words, |four| _mm512_cmpeq_epi32_mask(four, _mm512_set1_epi32(with))),
            Ordering::Greater => by_16!(words, |four| _mm512_cmpgt_epi32_mask(four, _mm512_set1_epi32(with))),
        }
    }

    #[inline(always)]
    fn word_gt(self, words: &Words, with: u32) -> u64 {
        by_16!(words, |four| _mm512_cmpgt_epu32_mask(four, _mm512_set1_epi32(with as i32)))
    }

    #[inline(always)]
    fn half_in(self, halves: &Halves, span: Span) -> u64 {
        // SAFETY: as in `by_16`.
        unsafe {
            let (low, most) = (_mm512_set1_epi16(span.low as i16), _mm512_set1_epi16(span.span as i16));
            let at = halves.as_ptr();
            let first = _mm512_sub_epi16(_mm512_loadu_si512(at.cast()), low);
            let second = _mm512_sub_epi16(_mm512_loadu_si512(at.add(32).cast()), low);
            let (first, second) =
                (_mm512_cmple_epu16_mask(first, most), _mm512_cmple_epu16_mask(second, most));
            join_2(first, second)
        }
    }

    #[inline(always)]
    fn half_eq(self, halves: &Halves, with: u16) -> u64 {
        // SAFETY: as in `by_16`.
        unsafe {
            let (with, at) = (_mm512_set1_epi16(with as i16), halves.as_ptr());
            let first = _mm512_cmpeq_epi16_mask(_mm512_loadu_si512(at.cast()), with);
            let second = _mm512_cmpeq_epi16_mask(_mm512_loadu_si512(at.add(32).cast()), with);
            join_2(first, second)
        }
    }

    #[inline(always)]
    fn byte_in(self, bytes: &Bytes, low: u8, span: u8) -> u64 {
        // SAFETY: as in `by_16`.
        unsafe {
            let above =
                _mm512_sub_epi8(_mm512_loadu_si512(bytes.as_ptr().cast()), _mm512_set1_epi8(low as i8));
            _mm512_cmple_epu8_mask(above, _mm512_set1_epi8(span as i8))
        }
    }

    #[inline(always)]
    fn gather(self, lanes: [u64; BIT_WORDS], into: &mut Gathered) {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { if self.compress { gather_512(lanes, into) } else { gather(lanes, into) } }
    }

    #[inline(always)]
    fn reals(self, numbers: &[f64; 64], relation: Relation, with: f64) -> u64 {
        let mut bits = 0;
        macro_rules! each {
            ($how:ident) => {
                for (index, eight) in numbers.as_chunks::<8>().0.iter().enumerate() {
                    // SAFETY: the processor has been asked, or there were no `self`.
                    let mask = unsafe {
                        _mm512_cmp_pd_mask::<$how>(_mm512_loadu_pd(eight.as_ptr()), _mm512_set1_pd(with))
                    };
                    bits |= u64::from(mask) << (8 * index);
                }
            };
        }
        by_predicate!(relation, each);
        bits
    }

    #[inline(always)]
    fn deposit(self, bits: u64, lanes: u64) -> u64 {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { _pdep_u64(bits, lanes) }
    }

    #[inline(always)]
    fn put_words(self, words: &mut Words, lanes: u64, number: u32) {
        for quarter in 0..4 {
            // SAFETY: as in `by_16`.
            unsafe {
                let place = words.as_mut_ptr().add(16 * quarter);
                let before = _mm512_loadu_si512(place.cast());
                let after = _mm512_mask_set1_epi32(before, (lanes >> (16 * quarter)) as u16, number as i32);
                _mm512_storeu_si512(place.cast(), after);
            }
        }
    }

    #[inline(always)]
    fn put_halves(self, halves: &mut Halves, lanes: u64, number: u16) {
        for half in 0..2 {
            // SAFETY: as in `by_16`.
            unsafe {
                let place = halves.as_mut_ptr().add(32 * half);
                let before = _mm512_loadu_si512(place.cast());
                let after = _mm512_mask_set1_epi16(before, (lanes >> (32 * half)) as u32, number as i16);
                _mm512_storeu_si512(place.cast(), after);
            }
        }
    }

    #[inline(always)]
    fn count_down(self, halves: &mut Halves, lanes: u64) -> u64 {
        let mut left = 0;
        for half in 0..2 {
            // SAFETY: as in `by_16`.
            left |= u64::from(unsafe {
                let (place, lanes) = (halves.as_mut_ptr().add(32 * half), (lanes >> (32 * half)) as u32);
                let before = _mm512_loadu_si512(place.cast());
                let after = _mm512_mask_subs_epu16(before, lanes, before, _mm512_set1_epi16(1));
                _mm512_storeu_si512(place.cast(), after);
                _mm512_mask_test_epi16_mask(lanes, after, after)
            }) << (32 * half);
        }
        left
    }

    #[inline(always)]
    fn put_bytes(self, bytes: &mut Bytes, lanes: u64, number: u8) {
        // SAFETY: as in `by_16`.
        unsafe {
            let before = _mm512_loadu_si512(bytes.as_ptr().cast());
            let after = _mm512_mask_set1_epi8(before, lanes, number as i8);
            _mm512_storeu_si512(bytes.as_mut_ptr().cast(), after);
        }
    }

    #[inline(always)]
    fn look_up_all_words(
        self,
        column: &mut [u32; LANES],
        numbers: &[u8; LANES],
        table: &EndingTable<u32>,
    ) -> bool {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { look_up_words_512(column, numbers, table) }
        true
    }

    #[inline(always)]
    fn look_up_all_halves(
        self,
        column: &mut [u16; LANES],
        numbers: &[u8; LANES],
        table: &EndingTable<u16>,
    ) -> bool {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { look_up_halves_512(column, numbers, table) }
        true
    }

    #[inline(always)]
    fn links(self, words: &[u32], lane: usize, chain: &Chain) -> [u32; 128] {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { links_512(words, lane, &chain.links) }
    }

    #[inline(always)]
    fn put_ends(self, bytes: &mut Bytes, lanes: u64, low: u64, high: u64) {
        // SAFETY: as in `by_16`.
        unsafe {
            let before = _mm512_loadu_si512(bytes.as_ptr().cast());
            let after = _mm512_mask_set1_epi8(before, lanes, 0);
            let after = _mm512_mask_set1_epi8(after, low, 1);
            let after = _mm512_mask_or_epi32(after, u16::MAX, after, _mm512_maskz_set1_epi8(high, 2));
            _mm512_storeu_si512(bytes.as_mut_ptr().cast(), after);
        }
    }
}

/// See [`Lanes::gather`]: the lanes' numbers are bytes side by side, of which those wanted are moved together.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn gather_512(lanes: [u64; BIT_WORDS], into: &mut Gathered) {
    // SAFETY: these are 64 bytes.
    let (mut numbers, mut at) = (unsafe { _mm512_loadu_si512(NUMBERS.as_ptr().cast()) }, 0);
    for lanes in lanes {
        let wanted = _mm512_maskz_compress_epi8(lanes, numbers);
        // SAFETY: at most 64 places for each of the words before, and these 64.
        unsafe { _mm512_storeu_si512(into[at..][..64].as_mut_ptr().cast(), wanted) }
        at += lanes.count_ones() as usize;
        numbers = _mm512_add_epi8(numbers, _mm512_set1_epi8(64));
    }
}

/// See [`Lanes::links`].
#[inline]
#[target_feature(enable = "avx512f")]
fn links_512(words: &[u32], lane: usize, links: &[Link]) -> [u32; 128] {
    let mut values = [_mm512_setzero_si512(); 8];
    for link in links {
        let words: &[u32] = &words[link.column as usize + lane..][..128];
        let (with, value) = (_mm512_set1_epi32(link.with as i32), _mm512_set1_epi32(link.value as i32));
        let float = _mm512_castsi512_ps(with);
        macro_rules! each {
            (|$sixteen:ident| $holds:expr) => {
                for (part, values) in values.iter_mut().enumerate() {
                    // SAFETY: there are 8 times 16 words.
                    let $sixteen = unsafe { _mm512_loadu_si512(words.as_ptr().add(16 * part).cast()) };
                    let (yes, no) = if link.is { (value, *values) } else { (*values, value) };
                    *values = _mm512_mask_blend_epi32($holds, no, yes);
                }
            };
        }
        macro_rules! floats {
            ($how:ident) => {
                each!(|sixteen| _mm512_cmp_ps_mask::<$how>(_mm512_castsi512_ps(sixteen), float))
            };
        }
        match link.comparison {
            WordComparison::Float(relation) => by_predicate!(relation, floats),
            WordComparison::Int(Ordering::Less) => each!(|sixteen| _mm512_cmplt_epi32_mask(sixteen, with)),
            WordComparison::Int(Ordering::Equal) => each!(|sixteen| _mm512_cmpeq_epi32_mask(sixteen, with)),
            WordComparison::Int(Ordering::Greater) => each!(|sixteen| _mm512_cmpgt_epi32_mask(sixteen, with)),
        }
    }
    let mut words = [0; 128];
    for (place, values) in words.as_chunks_mut::<16>().0.iter_mut().zip(values) {
        // SAFETY: the place is 16 words.
        unsafe { _mm512_storeu_si512(place.as_mut_ptr().cast(), values) }
    }
    words
}

/// What a table says for 16 numbers: all within the first 16 entries, or 32 entries a time.
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

/// What a table says for 32 numbers: all within the first 32 entries, or 64 entries a time.
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
