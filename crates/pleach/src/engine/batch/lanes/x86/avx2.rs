//! Vectors of 32 bytes: a comparison gives all ones or zeros, and masks have to be spread.

use super::{
    Avx2, BIT_WORDS, Bytes, Chain, EndingTable, Gathered, Halves, Job, LANES, Lanes, Link, Ordering,
    Relation, Span, WordComparison, Words, gather, with_avx2,
};
use core::arch::x86_64::*;

/// 64 lanes compared 8 by 8; each comparison gives all ones or zeros.
macro_rules! by_8 {
    ($words:ident, |$eight:ident| $all_ones:expr) => {{
        let mut bits = 0;
        for eighth in 0..8 {
            // SAFETY: the 8 words are in the array; the processor has been asked, or there were no `self`.
            let mask = unsafe {
                let $eight = _mm256_loadu_si256($words.as_ptr().add(8 * eighth).cast());
                _mm256_movemask_ps($all_ones)
            };
            bits |= u64::from(mask as u8) << (8 * eighth);
        }
        bits
    }};
}

/// All ones in those of 8 words whose bits are set.
#[inline(always)]
unsafe fn spread_8(bits: u8) -> __m256i {
    // SAFETY: the caller has asked the processor.
    unsafe {
        let each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits.into()), each), each)
    }
}

/// All ones in those of 16 halves whose bits are set.
#[inline(always)]
unsafe fn spread_16(bits: u16) -> __m256i {
    // SAFETY: the caller has asked the processor.
    unsafe {
        let each =
            _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, i16::MIN);
        _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16(bits as i16), each), each)
    }
}

/// All ones in those of 32 bytes whose bits are set.
#[inline(always)]
unsafe fn spread_32(bits: u32) -> __m256i {
    // SAFETY: the caller has asked the processor.
    unsafe {
        let which =
            _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
        let each = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), which);
        _mm256_cmpeq_epi8(_mm256_and_si256(bytes, each), each)
    }
}

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

/// The bits of 64 halves, made 16 by 16 as all ones or zeros.
macro_rules! by_16_halves {
    (|$quarter:ident| $all_ones:expr) => {{
        let mut bits = 0;
        for half in 0..2 {
            // SAFETY: the 16 halves are in the array; the processor has been asked, or there were no `self`.
            let mask = unsafe {
                let $quarter = 2 * half;
                let first = $all_ones;
                let $quarter = 2 * half + 1;
                let second = $all_ones;
                let packed = _mm256_packs_epi16(first, second);
                _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
            };
            bits |= u64::from(mask as u32) << (32 * half);
        }
        bits
    }};
}

impl Lanes for Avx2 {
    #[inline]
    fn run<J: Job>(self, job: J) -> J::Out {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { with_avx2(job) }
    }

    #[inline(always)]
    fn floats(self, words: &Words, relation: Relation, with: f32) -> u64 {
        macro_rules! each {
            ($how:ident) => {
                by_8!(words, |eight| _mm256_cmp_ps::<$how>(_mm256_castsi256_ps(eight), _mm256_set1_ps(with)))
            };
        }
        by_predicate!(relation, each)
    }

    #[inline(always)]
    fn ints(self, words: &Words, order: Ordering, with: i32) -> u64 {
        by_8!(words, |eight| {
            let with = _mm256_set1_epi32(with);
            _mm256_castsi256_ps(match order {
                Ordering::Less => _mm256_cmpgt_epi32(with, eight),
                Ordering::Equal => _mm256_cmpeq_epi32(with, eight),
                Ordering::Greater => _mm256_cmpgt_epi32(eight, with),
            })
        })
    }

    #[inline(always)]
    fn word_gt(self, words: &Words, with: u32) -> u64 {
        // There is no comparison without a sign. Those that are at most `with` are their own minimum.
        let with = with as i32;
        !by_8!(words, |eight| {
            let least = _mm256_min_epu32(eight, _mm256_set1_epi32(with));
            _mm256_castsi256_ps(_mm256_cmpeq_epi32(least, eight))
        })
    }

    #[inline(always)]
    fn half_in(self, halves: &Halves, span: Span) -> u64 {
        by_16_halves!(|quarter| {
            let lanes = _mm256_loadu_si256(halves.as_ptr().add(16 * quarter).cast());
            let above = _mm256_sub_epi16(lanes, _mm256_set1_epi16(span.low as i16));
            let most = _mm256_set1_epi16(span.span as i16);
            _mm256_cmpeq_epi16(_mm256_min_epu16(above, most), above)
        })
    }

    #[inline(always)]
    fn half_eq(self, halves: &Halves, with: u16) -> u64 {
        by_16_halves!(|quarter| {
            let lanes = _mm256_loadu_si256(halves.as_ptr().add(16 * quarter).cast());
            _mm256_cmpeq_epi16(lanes, _mm256_set1_epi16(with as i16))
        })
    }

    #[inline(always)]
    fn byte_in(self, bytes: &Bytes, low: u8, span: u8) -> u64 {
        let mut bits = 0;
        for half in 0..2 {
            // SAFETY: the 32 bytes are in the array; the processor has been asked, or there were no `self`.
            let mask = unsafe {
                let lanes = _mm256_loadu_si256(bytes.as_ptr().add(32 * half).cast());
                let above = _mm256_sub_epi8(lanes, _mm256_set1_epi8(low as i8));
                let most = _mm256_set1_epi8(span as i8);
                _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(above, most), above))
            };
            bits |= u64::from(mask as u32) << (32 * half);
        }
        bits
    }

    #[inline(always)]
    fn gather(self, lanes: [u64; BIT_WORDS], into: &mut Gathered) {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { gather(lanes, into) }
    }

    #[inline(always)]
    fn reals(self, numbers: &[f64; 64], relation: Relation, with: f64) -> u64 {
        let mut bits = 0;
        macro_rules! each {
            ($how:ident) => {
                for (index, four) in numbers.as_chunks::<4>().0.iter().enumerate() {
                    // SAFETY: the processor has been asked, or there were no `self`.
                    let mask = unsafe {
                        _mm256_movemask_pd(_mm256_cmp_pd::<$how>(
                            _mm256_loadu_pd(four.as_ptr()),
                            _mm256_set1_pd(with),
                        ))
                    };
                    bits |= u64::from(mask as u8) << (4 * index);
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
        for eighth in 0..8 {
            // SAFETY: as in `by_8`.
            unsafe {
                let place = words.as_mut_ptr().add(8 * eighth).cast();
                let wanted = spread_8((lanes >> (8 * eighth)) as u8);
                let after =
                    _mm256_blendv_epi8(_mm256_loadu_si256(place), _mm256_set1_epi32(number as i32), wanted);
                _mm256_storeu_si256(place, after);
            }
        }
    }

    #[inline(always)]
    fn put_bytes(self, bytes: &mut Bytes, lanes: u64, number: u8) {
        for half in 0..2 {
            // SAFETY: the 32 bytes are in the array; the processor has been asked, or there were no `self`.
            unsafe {
                let place = bytes.as_mut_ptr().add(32 * half).cast();
                let wanted = spread_32((lanes >> (32 * half)) as u32);
                let after =
                    _mm256_blendv_epi8(_mm256_loadu_si256(place), _mm256_set1_epi8(number as i8), wanted);
                _mm256_storeu_si256(place, after);
            }
        }
    }

    #[inline(always)]
    fn links(self, words: &[u32], lane: usize, chain: &Chain) -> [u32; 128] {
        // SAFETY: the processor has been asked, or there were no `self`.
        unsafe { links_256(words, lane, chain) }
    }

    #[inline(always)]
    fn put_ends(self, bytes: &mut Bytes, lanes: u64, low: u64, high: u64) {
        self.put_bytes(bytes, lanes & !(low | high), 0);
        self.put_bytes(bytes, low & !high, 1);
        self.put_bytes(bytes, high & !low, 2);
        self.put_bytes(bytes, low & high, 3);
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

    #[inline(always)]
    fn put_halves(self, halves: &mut Halves, lanes: u64, number: u16) {
        for quarter in 0..4 {
            // SAFETY: the 16 halves are in the array; the processor has been asked, or there were no `self`.
            unsafe {
                let place = halves.as_mut_ptr().add(16 * quarter).cast();
                let wanted = spread_16((lanes >> (16 * quarter)) as u16);
                let after =
                    _mm256_blendv_epi8(_mm256_loadu_si256(place), _mm256_set1_epi16(number as i16), wanted);
                _mm256_storeu_si256(place, after);
            }
        }
    }

    #[inline(always)]
    fn count_down(self, halves: &mut Halves, lanes: u64) -> u64 {
        by_16_halves!(|quarter| {
            let place = halves.as_mut_ptr().add(16 * quarter).cast();
            let wanted = spread_16((lanes >> (16 * quarter)) as u16);
            let one = _mm256_and_si256(wanted, _mm256_set1_epi16(1));
            let after = _mm256_subs_epu16(_mm256_loadu_si256(place), one);
            _mm256_storeu_si256(place, after);
            _mm256_andnot_si256(_mm256_cmpeq_epi16(after, _mm256_setzero_si256()), wanted)
        })
    }
}
