//! Vectors of 32 bytes: a comparison gives all ones or zeros, and masks have to be spread.

use super::{Avx2, BIT_WORDS, EndingTable, Gathered, Job, LANES, Lanes, bytes, gather, with_avx2};
use core::arch::x86_64::*;

/// Looks 32 numbers up in 16 entries of bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn plane(entries: &[u8; 16], numbers: __m256i) -> __m256i {
    // SAFETY: these are 16 bytes.
    let entries = unsafe { _mm_loadu_si128(entries.as_ptr().cast()) };
    _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(entries), numbers)
}

/// Looks 32 numbers up in a table of at most 15 endings. Returns halves.
#[inline]
#[target_feature(enable = "avx2")]
fn halves_256(planes: &[[u8; 16]; 4], numbers: __m256i) -> [__m256i; 2] {
    let (low, high) = (plane(&planes[0], numbers), plane(&planes[1], numbers));
    let (first, second) = (_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high));
    [_mm256_permute2x128_si256::<0x20>(first, second), _mm256_permute2x128_si256::<0x31>(first, second)]
}

/// Looks 32 numbers up in a table of at most 15 endings. Returns words.
#[inline]
#[target_feature(enable = "avx2")]
fn words_256(planes: &[[u8; 16]; 4], numbers: __m256i) -> [__m256i; 4] {
    let [a, b, c, d] =
        [&planes[0], &planes[1], &planes[2], &planes[3]].map(|entries| plane(entries, numbers));
    let (low, high) = (_mm256_unpacklo_epi8(a, b), _mm256_unpacklo_epi8(c, d));
    let (first, second) = (_mm256_unpacklo_epi16(low, high), _mm256_unpackhi_epi16(low, high));
    let (low, high) = (_mm256_unpackhi_epi8(a, b), _mm256_unpackhi_epi8(c, d));
    let (third, fourth) = (_mm256_unpacklo_epi16(low, high), _mm256_unpackhi_epi16(low, high));
    [
        _mm256_permute2x128_si256::<0x20>(first, second),
        _mm256_permute2x128_si256::<0x20>(third, fourth),
        _mm256_permute2x128_si256::<0x31>(first, second),
        _mm256_permute2x128_si256::<0x31>(third, fourth),
    ]
}

/// Keeps what a table keeps, and puts there what it says.
macro_rules! look_up_256 {
    ($name:ident $of:ty, $entries:ident) => {
        #[inline]
        #[target_feature(enable = "avx2")]
        fn $name(column: &mut [$of; LANES], numbers: &[u8; LANES], table: &EndingTable<$of>) {
            let numbers = numbers.as_chunks::<32>().0;
            for (places, numbers) in column.as_chunks_mut::<32>().0.iter_mut().zip(numbers) {
                // SAFETY: both are 32 lanes, and the entries make as many vectors as these are.
                unsafe {
                    let numbers = _mm256_loadu_si256(numbers.as_ptr().cast());
                    let values = $entries(&table.planes, numbers);
                    let keeps = $entries(&table.kept_planes, numbers);
                    for (index, (value, keeps)) in values.into_iter().zip(keeps).enumerate() {
                        let place = places.as_mut_ptr().cast::<__m256i>().add(index);
                        let kept = _mm256_and_si256(_mm256_loadu_si256(place), keeps);
                        _mm256_storeu_si256(place, _mm256_or_si256(kept, value));
                    }
                }
            }
        }
    };
}

look_up_256!(look_up_words_256 u32, words_256);
look_up_256!(look_up_halves_256 u16, halves_256);

impl Lanes for Avx2 {
    type Target = u32;

    #[inline]
    fn run<J: Job>(self, job: J) -> J::Out {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { with_avx2(job) }
    }

    #[inline(always)]
    fn bits<T>(self, holds: impl Fn(usize) -> bool) -> u64 {
        // A comparison of vectors gives all ones.
        let (bytes, mut bits): ([u8; 64], _) = (bytes(u8::MAX, holds), 0);
        for (index, half) in bytes.as_chunks::<32>().0.iter().enumerate() {
            // SAFETY: these are 32 bytes; the processor has been asked, or there were no `self`.
            let mask = unsafe { _mm256_movemask_epi8(_mm256_loadu_si256(half.as_ptr().cast())) };
            bits |= u64::from(mask as u32) << (32 * index);
        }
        bits
    }

    #[inline(always)]
    fn spread(self, lanes: u64) -> [u8; 64] {
        let mut spread = [0; 64];
        for (half, lanes) in spread.as_chunks_mut::<32>().0.iter_mut().zip([lanes, lanes >> 32]) {
            // SAFETY: these are 32 bytes; the processor has been asked, or there were no `self`.
            unsafe {
                let which = _mm256_setr_epi64x(
                    0,
                    0x0101_0101_0101_0101,
                    0x0202_0202_0202_0202,
                    0x0303_0303_0303_0303,
                );
                let each = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
                let bits = _mm256_shuffle_epi8(_mm256_set1_epi32(lanes as i32), which);
                let ones = _mm256_cmpeq_epi8(_mm256_and_si256(bits, each), each);
                _mm256_storeu_si256(half.as_mut_ptr().cast(), ones);
            }
        }
        spread
    }

    #[inline(always)]
    fn gather(self, lanes: [u64; BIT_WORDS], into: &mut Gathered) {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { gather(lanes, into) }
    }

    #[inline(always)]
    fn deposit(self, bits: u64, lanes: u64) -> u64 {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { _pdep_u64(bits, lanes) }
    }

    look_up! {
        look_up_all_words: u32 by look_up_words_256 below 16;
        look_up_all_halves: u16 by look_up_halves_256 below 16;
    }
}
