//! Columns of a chunk, 256 lanes at a time, and what lanes do to them 64 at a time.

use super::lanes::{Lanes, bits};
use super::mask::Mask;
use crate::code::batch::endings::{ENDINGS, EndingTable};
use crate::code::batch::ops::Test;
use crate::code::{Put, Relation, Span, Width, by_constant, by_relation};
use crate::layout::{BIT_WORDS, LANES};
use crate::store::chunk::Chunk;
use core::cmp::Ordering;
use core::ops::{BitAnd, BitOr};

macro_rules! column {
    ($name:ident $array:ident $of:ty) => {
        #[inline(always)]
        pub(super) fn $name(chunk: &mut Chunk, first: u32) -> &mut [$of; LANES] {
            let column = chunk.$array[first as usize..].first_chunk_mut();
            column.unwrap_or_else(|| unreachable!("a column has all its lanes"))
        }
    };
}

column!(half_lanes halves u16);
column!(word_lanes words u32);
column!(byte_lanes bytes u8);
column!(moment_lanes moments i64);

/// The words of a bit column.
#[inline(always)]
pub(super) fn bit_lanes(chunk: &mut Chunk, first: u32) -> &mut [u64; BIT_WORDS] {
    let column = chunk.bits[first as usize..].first_chunk_mut();
    column.unwrap_or_else(|| unreachable!("a column has all its lanes"))
}

/// A mask by what is done with each 64 lanes. (A macro, as vector code must not hide in functions that were compiled for
/// any processor.)
macro_rules! each {
    ($column:expr, |$lanes:ident| $test:expr) => {{
        let (blocks, _) = $column.as_chunks::<64>();
        let mut mask = Mask::NONE;
        for (word, $lanes) in mask.0.iter_mut().zip(blocks) {
            *word = $test;
        }
        mask
    }};
}

pub(super) use each;

#[inline(always)]
fn pairs<T>(left: &[T; LANES], right: &[T; LANES], holds: impl Fn(&T, &T) -> bool) -> Mask {
    let (left, right) = (left.as_chunks::<64>().0, right.as_chunks::<64>().0);
    let mut mask = Mask::NONE;
    for (word, (left, right)) in mask.0.iter_mut().zip(left.iter().zip(right)) {
        *word = bits(|lane| holds(&left[lane], &right[lane]));
    }
    mask
}

/// What is done to whole columns, made of what is done to 64 lanes.
pub(super) trait Columns: Lanes {
    /// Where a column holds a number.
    #[inline(always)]
    fn halves_in(self, column: &[u16; LANES], number: u16) -> Mask {
        each!(column, |halves| self.half_eq(halves, number))
    }

    #[inline(always)]
    fn halves_span(self, column: &[u16; LANES], span: Span) -> Mask {
        each!(column, |halves| self.half_in(halves, span))
    }

    #[inline(always)]
    fn put_half(self, column: &mut [u16; LANES], lanes: Mask, number: u16) {
        for (halves, lanes) in column.as_chunks_mut::<64>().0.iter_mut().zip(lanes.0) {
            self.put_halves(halves, lanes, number);
        }
    }

    #[inline(always)]
    fn put_word(self, column: &mut [u32; LANES], lanes: Mask, number: u32) {
        for (words, lanes) in column.as_chunks_mut::<64>().0.iter_mut().zip(lanes.0) {
            self.put_words(words, lanes, number);
        }
    }

    /// Counts lanes down; those in which something is left.
    #[inline(always)]
    fn down(self, column: &mut [u16; LANES], lanes: Mask) -> Mask {
        let (blocks, _) = column.as_chunks_mut::<64>();
        let mut left = Mask::NONE;
        for ((left, block), lanes) in left.0.iter_mut().zip(blocks).zip(lanes.0) {
            *left = self.count_down(block, lanes);
        }
        left
    }

    /// Puts down the exits by which lanes have ended.
    #[inline(always)]
    fn ends(self, column: &mut [u8; LANES], exits: [Mask; 4]) {
        let [failure, success, running, other] = exits;
        let (lanes, low, high) = (failure | success | running | other, success | other, running | other);
        for (word, bytes) in column.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            self.put_ends(bytes, lanes.0[word], low.0[word], high.0[word]);
        }
    }

    #[inline(always)]
    fn put(self, chunk: &mut Chunk, lanes: Mask, put: Put) {
        let Put { width, column, value } = put;
        match width {
            Width::Bit => {
                for (bits, lanes) in bit_lanes(chunk, column).iter_mut().zip(lanes.0) {
                    *bits = if value != 0 { *bits | lanes } else { *bits & !lanes };
                }
            }
            Width::Byte => {
                let column = byte_lanes(chunk, column);
                lanes.for_each(|lane| column[usize::from(lane)] = value as u8);
            }
            Width::Half => self.put_half(half_lanes(chunk, column), lanes, value as u16),
            Width::Word => self.put_word(word_lanes(chunk, column), lanes, value),
        }
    }

    /// Where a test of columns holds.
    #[inline(always)]
    fn test(self, chunk: &mut Chunk, test: Test) -> Mask {
        match test {
            Test::Bit { column } => Mask(*bit_lanes(chunk, column)),
            Test::Float { column, relation, with } => {
                let column = word_lanes(chunk, column);
                by_constant!(
                    relation: Relation of Lt Le Gt Ge Eq NotLt NotLe NotGt NotGe Ne,
                    each!(column, |words| self.floats(words, relation, with))
                )
            }
            Test::Int { column, order, with } => {
                let column = word_lanes(chunk, column);
                by_constant!(
                    order: Ordering of Less Equal Greater,
                    each!(column, |words| self.ints(words, order, with))
                )
            }
            Test::Half { column, span } => self.halves_span(half_lanes(chunk, column), span),
            Test::Byte { column, low, span } => {
                each!(byte_lanes(chunk, column), |bytes| self.byte_in(bytes, low, span))
            }
            Test::Floats { left, right, relation } => {
                let left = *word_lanes(chunk, left);
                let number = |word: &u32| f32::from_bits(*word);
                compare(&left, word_lanes(chunk, right), relation, number)
            }
            Test::Ints { left, right, relation } => {
                let left = *word_lanes(chunk, left);
                compare(&left, word_lanes(chunk, right), relation, |word: &u32| *word as i32)
            }
            Test::Due { column, reached } => {
                let time = chunk.clock.offset();
                self.due(word_lanes(chunk, column), time, reached)
            }
            // Those of a tick's registers have their place in the sweep.
            Test::Flag { .. } | Test::NotChosen { .. } => Mask::NONE,
        }
    }

    /// Puts truths that are known in the order of some lanes where these lanes are.
    #[inline(always)]
    fn spread(self, dense: Mask, lanes: Mask) -> Mask {
        let (mut spread, mut at) = (Mask::NONE, 0);
        for (into, lanes) in spread.0.iter_mut().zip(lanes.0) {
            let (word, bit) = (at / 64, at % 64);
            let low = dense.0.get(word).map_or(0, |bits| bits >> bit);
            let high = dense.0.get(word + 1).map_or(0, |bits| bits << 1 << (63 - bit));
            *into = self.deposit(low | high, lanes);
            at += lanes.count_ones() as usize;
        }
        spread
    }

    /// Where bytes are not 0.
    #[inline(always)]
    fn bytes_not_0(self, bytes: &[u8; LANES]) -> Mask {
        each!(bytes, |bytes| self.byte_in(bytes, 1, u8::MAX - 1))
    }

    /// Where the time is before that of a column, or at it unless that counts as reached.
    #[inline(always)]
    fn due(self, column: &[u32; LANES], time: u32, reached: bool) -> Mask {
        // The column is greater than the last time that counts as past.
        match if reached { Some(time) } else { time.checked_sub(1) } {
            Some(past) => each!(column, |words| self.word_gt(words, past)),
            None => Mask::all(true),
        }
    }
}

impl<L: Lanes> Columns for L {}

/// Puts into some lanes what a table says for their numbers, lane by lane.
#[inline(always)]
pub(super) fn look_up<T>(column: &mut [T; LANES], numbers: &[u8; LANES], lanes: Mask, table: &EndingTable<T>)
where
    T: Copy + BitAnd<Output = T> + BitOr<Output = T>,
{
    lanes.for_each(|lane| {
        let number = usize::from(numbers[usize::from(lane)]) % ENDINGS;
        let place = &mut column[usize::from(lane)];
        *place = *place & table.keeps[number] | table.values[number];
    });
}

/// Where two columns stand so to each other.
#[inline(always)]
pub(super) fn compare<T, N: PartialOrd>(
    left: &[T; LANES],
    right: &[T; LANES],
    relation: Relation,
    number: impl Fn(&T) -> N,
) -> Mask {
    by_relation!(relation, |holds| pairs(left, right, |first, second| holds(number(first), number(second))))
}

#[cfg(test)]
mod tests {
    use super::super::lanes::Portable;
    use super::*;

    #[test]
    fn columns_are_compared_by_any_relation() {
        let of = |numbers: [f64; 3]| core::array::from_fn(|lane: usize| numbers[lane % 3]);
        let (left, right): ([f64; LANES], [f64; LANES]) = (of([1.0, 2.0, f64::NAN]), of([2.0, 1.0, 1.0]));
        let equal: [f64; LANES] = of([1.0; 3]);
        let first = [Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge, Relation::Eq, Relation::Ne];
        for relation in first.into_iter().flat_map(|relation| [relation, relation.negated()]) {
            for right in [right, equal] {
                let found = compare(&left, &right, relation, |number| *number);
                let mut expected = Mask::NONE;
                for lane in (0..=u8::MAX).filter(|lane| {
                    let lane = usize::from(*lane);
                    relation.holds(left[lane], right[lane])
                }) {
                    expected.set(lane);
                }
                assert_eq!(found.0, expected.0, "{relation:?}");
            }
        }
    }

    #[test]
    fn timers_are_compared_without_a_sign() {
        let column = core::array::from_fn(|lane| [0, 7, 1 << 31, u32::MAX][lane / 64]);
        let before = |time, reached| Portable.due(&column, time, reached).0;
        let all = u64::MAX;
        assert_eq!((before(0, false), before(0, true)), ([all; 4], [0, all, all, all]));
        assert_eq!((before(7, false), before(7, true)), ([0, all, all, all], [0, 0, all, all]));
        let late = (1 << 31) + 1;
        assert_eq!((before(late - 1, false), before(late, false)), ([0, 0, all, all], [0, 0, 0, all]));
    }
}
