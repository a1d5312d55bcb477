//! Vectors of 32 bytes. Plain loops become comparisons that give all ones or zeros; masks are made of these, and spread to them.

use super::{
    Avx2, BIT_WORDS, Bytes, Chain, EndingTable, Gathered, Job, LANES, Lanes, Link, Ordering, Relation,
    WordComparison, gather, with_avx2,
};
use core::arch::x86_64::*;

/// Which of some links is the last that holds, for 128 lanes: its number from 1 on, 0 if none does. Comparisons are narrowed to
/// bytes, so that what is done with them is done for 32 lanes at once.
#[inline]
#[target_feature(enable = "avx2")]
fn last_of(words: &[u32], lane: usize, links: &[Link]) -> [__m256i; 4] {
    let mut last = [_mm256_setzero_si256(); 4];
    for (index, link) in links.iter().enumerate() {
        let words: &[u32] = &words[link.column as usize + lane..][..128];
        let number = _mm256_set1_epi8(index as i8 + 1);
        let with = _mm256_set1_epi32(link.with as i32);
        let (float, flip) = (_mm256_castsi256_ps(with), _mm256_set1_epi8(-i8::from(!link.is)));
        macro_rules! each {
            (|$eight:ident| $holds:expr) => {
                for (part, last) in last.iter_mut().enumerate() {
                    macro_rules! holds {
                        ($quarter:literal) => {{
                            // SAFETY: there are 4 times 4 times 8 words.
                            let $eight = unsafe {
                                _mm256_loadu_si256(words.as_ptr().add(32 * part + 8 * $quarter).cast())
                            };
                            $holds
                        }};
                    }
                    let (low, high) =
                        (_mm256_packs_epi32(holds!(0), holds!(1)), _mm256_packs_epi32(holds!(2), holds!(3)));
                    let holds = _mm256_xor_si256(_mm256_packs_epi16(low, high), flip);
                    *last = _mm256_max_epu8(*last, _mm256_and_si256(holds, number));
                }
            };
        }
        macro_rules! floats {
            ($how:ident) => {
                each!(|eight| {
                    _mm256_castps_si256(_mm256_cmp_ps::<$how>(_mm256_castsi256_ps(eight), float))
                })
            };
        }
        match link.comparison {
            WordComparison::Float(relation) => by_predicate!(relation, floats),
            WordComparison::Int(Ordering::Less) => each!(|eight| _mm256_cmpgt_epi32(with, eight)),
            WordComparison::Int(Ordering::Equal) => each!(|eight| _mm256_cmpeq_epi32(with, eight)),
            WordComparison::Int(Ordering::Greater) => each!(|eight| _mm256_cmpgt_epi32(eight, with)),
        }
    }
    // Narrowing has left each four lanes where the processor likes them.
    let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    for last in &mut last {
        *last = _mm256_permutevar8x32_epi32(*last, order);
    }
    last
}

/// See [`Lanes::links`].
#[inline]
#[target_feature(enable = "avx2")]
fn links_256(words: &[u32], lane: usize, chain: &Chain) -> [u32; 128] {
    let last: [u8; 128] = bytemuck::cast(last_of(words, lane, &chain.links));
    let mut values = [0; 128];
    for (value, last) in values.iter_mut().zip(last) {
        *value = chain.values[usize::from(last)];
    }
    values
}

/// What 16 entries of bytes say for 32 numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn plane(entries: &[u8; 16], numbers: __m256i) -> __m256i {
    // SAFETY: these are 16 bytes.
    let entries = unsafe { _mm_loadu_si128(entries.as_ptr().cast()) };
    _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(entries), numbers)
}

/// What a table of at most 15 endings says for 32 numbers, as halves.
#[inline]
#[target_feature(enable = "avx2")]
fn halves_256(planes: &[[u8; 16]; 4], numbers: __m256i) -> [__m256i; 2] {
    let (low, high) = (plane(&planes[0], numbers), plane(&planes[1], numbers));
    let (first, second) = (_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high));
    [_mm256_permute2x128_si256::<0x20>(first, second), _mm256_permute2x128_si256::<0x31>(first, second)]
}

/// The same, as words.
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
    #[inline]
    fn run<J: Job>(self, job: J) -> J::Out {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { with_avx2(job) }
    }

    #[inline(always)]
    fn pack(self, bytes: &Bytes) -> u64 {
        let mut bits = 0;
        for (index, half) in bytes.as_chunks::<32>().0.iter().enumerate() {
            // SAFETY: `half` has 32 bytes; the processor has been asked, or there were no `self`.
            let mask = unsafe { _mm256_movemask_epi8(_mm256_loadu_si256(half.as_ptr().cast())) };
            bits |= u64::from(mask as u32) << (32 * index);
        }
        bits
    }

    #[inline(always)]
    fn unpack(self, bits: u64) -> Bytes {
        let mut bytes = [0; 64];
        for (index, half) in bytes.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            // SAFETY: `half` has 32 bytes; the processor has been asked, or there were no `self`.
            unsafe {
                let which = _mm256_setr_epi64x(
                    0,
                    0x0101_0101_0101_0101,
                    0x0202_0202_0202_0202,
                    0x0303_0303_0303_0303,
                );
                let each = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
                let eighths = _mm256_shuffle_epi8(_mm256_set1_epi32((bits >> (32 * index)) as i32), which);
                let ones = _mm256_cmpeq_epi8(_mm256_and_si256(eighths, each), each);
                _mm256_storeu_si256(half.as_mut_ptr().cast(), ones);
            }
        }
        bytes
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

    #[inline(always)]
    fn links(self, words: &[u32], lane: usize, chain: &Chain) -> [u32; 128] {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { links_256(words, lane, chain) }
    }

    #[inline(always)]
    fn look_up_all_words(
        self,
        column: &mut [u32; LANES],
        numbers: &[u8; LANES],
        table: &EndingTable<u32>,
    ) -> bool {
        let few = table.endings < 16;
        if few {
            // SAFETY: the processor has been asked, or there were no `self`.
            unsafe { look_up_words_256(column, numbers, table) }
        }
        few
    }

    #[inline(always)]
    fn look_up_all_halves(
        self,
        column: &mut [u16; LANES],
        numbers: &[u8; LANES],
        table: &EndingTable<u16>,
    ) -> bool {
        let few = table.endings < 16;
        if few {
            // SAFETY: the processor has been asked, or there were no `self`.
            unsafe { look_up_halves_256(column, numbers, table) }
        }
        few
    }
}
