//! Columns of a chunk, 256 lanes at a time, and what lanes do to them 64 at a time.

use super::lanes::Lanes;
use super::mask::Mask;
use crate::code::batch::endings::{ENDINGS, EndingTable};
use crate::code::batch::ops::Test;
use crate::code::{Put, Relation, Span, Width, by_order, by_relation};
use crate::layout::{BIT_WORDS, LANES};
use crate::store::chunk::Chunk;
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

/// The words of a column that is only read.
#[inline(always)]
pub(super) fn words(chunk: &Chunk, first: u32) -> &[u32; LANES] {
    let column = chunk.words[first as usize..].first_chunk();
    column.unwrap_or_else(|| unreachable!("a column has all its lanes"))
}

/// The words of a bit column.
#[inline(always)]
pub(super) fn bit_lanes(chunk: &mut Chunk, first: u32) -> &mut [u64; BIT_WORDS] {
    let column = chunk.bits[first as usize..].first_chunk_mut();
    column.unwrap_or_else(|| unreachable!("a column has all its lanes"))
}

/// Makes a mask of its words, written out.
macro_rules! each_word {
    (|$word:ident| $bits:expr) => {
        each_word!($word, $bits, 0 1 2 3)
    };
    ($word:ident, $bits:expr, $($index:literal)*) => {
        Mask([$({ let $word = $index; $bits }),*])
    };
}

/// Operations on whole columns.
pub(super) trait Columns: Lanes {
    /// Returns the lanes for which something holds of what a column holds.
    #[inline(always)]
    fn lanes_with<T>(self, column: &[T; LANES], holds: impl Fn(&T) -> bool) -> Mask {
        if Self::WRITTEN_OUT {
            let lanes = column.as_chunks::<64>().0;
            return each_word!(|word| self.bits::<T>(|lane| holds(&lanes[word][lane])));
        }
        let mut mask = Mask::NONE;
        for (word, lanes) in mask.0.iter_mut().zip(column.as_chunks::<64>().0) {
            *word = self.bits::<T>(|lane| holds(&lanes[lane]));
        }
        mask
    }

    /// Returns the lanes in which a column holds a number.
    #[inline(always)]
    fn halves_in(self, column: &[u16; LANES], number: u16) -> Mask {
        self.lanes_with(column, |half| *half == number)
    }

    #[inline(always)]
    fn halves_span(self, column: &[u16; LANES], span: Span) -> Mask {
        self.lanes_with(column, |half| span.holds(*half))
    }

    /// Puts a value into some lanes.
    #[inline(always)]
    fn put_value<T: Copy>(self, column: &mut [T; LANES], lanes: Mask, value: T) {
        if Self::FEW > 0 && lanes.count() <= Self::FEW {
            return lanes.for_each(|lane| column[usize::from(lane)] = value);
        }
        for (places, lanes) in column.as_chunks_mut::<64>().0.iter_mut().zip(lanes.0) {
            self.replace(places, lanes, |_| value);
        }
    }

    /// Counts lanes down; those in which something is left.
    #[inline(always)]
    fn down(self, column: &mut [u16; LANES], lanes: Mask) -> Mask {
        let (blocks, _) = column.as_chunks_mut::<64>();
        if Self::WRITTEN_OUT {
            return each_word!(|word| {
                self.replace(&mut blocks[word], lanes.0[word], |half| half.saturating_sub(1));
                lanes.0[word] & self.bits::<u16>(|lane| blocks[word][lane] != 0)
            });
        }
        let mut left = Mask::NONE;
        for ((left, halves), lanes) in left.0.iter_mut().zip(blocks).zip(lanes.0) {
            for (half, wanted) in halves.iter_mut().zip(self.spread(lanes)) {
                *half = half.saturating_sub((wanted & 1).into());
            }
            *left = lanes & self.bits::<u16>(|lane| halves[lane] != 0);
        }
        left
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
            Width::Byte => self.put_value(byte_lanes(chunk, column), lanes, value as u8),
            Width::Half => self.put_value(half_lanes(chunk, column), lanes, value as u16),
            Width::Word => self.put_value(word_lanes(chunk, column), lanes, value),
        }
    }

    /// Returns the lanes in which a test of columns holds.
    #[inline(always)]
    fn test(self, chunk: &mut Chunk, test: Test) -> Mask {
        match test {
            Test::Bit { column } => Mask(*bit_lanes(chunk, column)),
            Test::Float { column, relation, with } => {
                let column = word_lanes(chunk, column);
                by_relation!(relation, |holds| {
                    self.lanes_with(column, |word| holds(f32::from_bits(*word), with))
                })
            }
            Test::Int { column, order, with } => {
                let column = word_lanes(chunk, column);
                by_order!(order, |holds| self.lanes_with(column, |word| holds(*word as i32, with)))
            }
            Test::Half { column, span } => self.halves_span(half_lanes(chunk, column), span),
            Test::Byte { column, low, span } => {
                self.lanes_with(byte_lanes(chunk, column), |byte| byte.wrapping_sub(low) <= span)
            }
            Test::Floats { left, right, relation } => {
                let left = *word_lanes(chunk, left);
                let number = |word: &u32| f32::from_bits(*word);
                compare(self, &left, word_lanes(chunk, right), relation, number)
            }
            Test::Ints { left, right, relation } => {
                let left = *word_lanes(chunk, left);
                compare(self, &left, word_lanes(chunk, right), relation, |word: &u32| *word as i32)
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
    fn scatter(self, dense: Mask, lanes: Mask) -> Mask {
        let (mut scattered, mut at) = (Mask::NONE, 0);
        for (into, lanes) in scattered.0.iter_mut().zip(lanes.0) {
            let (word, bit) = (at / 64, at % 64);
            let low = dense.0.get(word).map_or(0, |bits| bits >> bit);
            let high = dense.0.get(word + 1).map_or(0, |bits| bits << 1 << (63 - bit));
            *into = self.deposit(low | high, lanes);
            at += lanes.count_ones() as usize;
        }
        scattered
    }

    /// Returns the lanes in which the time is before that of a column, or at it unless that counts
    /// as reached.
    #[inline(always)]
    fn due(self, column: &[u32; LANES], time: u32, reached: bool) -> Mask {
        // The column is greater than the last time that counts as past.
        match if reached { Some(time) } else { time.checked_sub(1) } {
            Some(past) => self.lanes_with(column, |timer| *timer > past),
            None => Mask::all(true),
        }
    }
}

impl<L: Lanes> Columns for L {}

/// Puts into some lanes what a table says for their numbers, lane by lane. All other lanes have the
/// number 0, for which a table keeps what was there: passing all lanes is faster than finding half
/// of them.
#[inline(always)]
pub(super) fn look_up<T>(column: &mut [T; LANES], numbers: &[u8; LANES], lanes: Mask, table: &EndingTable<T>)
where
    T: Copy + BitAnd<Output = T> + BitOr<Output = T>,
{
    let after = |place: T, number: u8| {
        let number = usize::from(number) % ENDINGS;
        place & table.keeps[number] | table.values[number]
    };
    if lanes.count() > LANES as u32 / 2 {
        column.iter_mut().zip(numbers).for_each(|(place, number)| *place = after(*place, *number));
        return;
    }
    lanes.for_each(|lane| {
        let place = &mut column[usize::from(lane)];
        *place = after(*place, numbers[usize::from(lane)]);
    });
}

/// Returns the lanes in which two columns stand in a relation.
#[inline(always)]
pub(super) fn compare<T, N: PartialOrd>(
    lanes: impl Lanes,
    left: &[T; LANES],
    right: &[T; LANES],
    relation: Relation,
    number: impl Fn(&T) -> N,
) -> Mask {
    let (left, right) = (left.as_chunks::<64>().0, right.as_chunks::<64>().0);
    let mut mask = Mask::NONE;
    by_relation!(relation, |holds| {
        for (word, (left, right)) in mask.0.iter_mut().zip(left.iter().zip(right)) {
            *word = lanes.bits::<T>(|lane| holds(number(&left[lane]), number(&right[lane])));
        }
    });
    mask
}

#[cfg(test)]
mod tests {
    use super::super::lanes::Portable;
    use super::super::lanes::tests::{on_all_lanes, random};
    use super::*;
    use crate::layout::Frame;
    use crate::values::Kind;
    use core::cmp::Ordering;

    const FLOATS: [f32; 8] = [0.0, -0.0, 1.5, -1.5, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX];

    /// The lanes for which something holds, one by one.
    fn those(holds: impl Fn(usize) -> bool) -> Mask {
        Mask::ALL.filter(|lane| holds(usize::from(lane)))
    }

    fn tests_are_right(lanes: impl Lanes) {
        let mut random = random(1);
        let mut frame = Frame::default();
        let [byte, half, word] =
            [Kind::U8, Kind::U16, Kind::I32].map(|kind| frame.sizes.column(kind, 0, LANES).first);
        let mut chunk = Chunk::new(&frame, 0, None).expect("there is memory");
        let chunk = &mut chunk;
        for with in FLOATS {
            let floats: [f32; LANES] = core::array::from_fn(|_| FLOATS[random() as usize % 8]);
            *word_lanes(chunk, word) = floats.map(f32::to_bits);
            let relations =
                [Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge, Relation::Eq, Relation::Ne];
            for relation in relations.into_iter().flat_map(|relation| [relation, relation.negated()]) {
                let expected = those(|lane| relation.holds(floats[lane], with));
                let found = lanes.test(chunk, Test::Float { column: word, relation, with });
                assert_eq!(found, expected, "{relation:?} {with}");
            }
        }
        for with in [0_i32, 3, -3, i32::MIN, i32::MAX] {
            let ints: [i32; LANES] = core::array::from_fn(|lane| with.wrapping_add(lane as i32 % 5 - 2));
            *word_lanes(chunk, word) = ints.map(|int| int as u32);
            for order in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
                let found = lanes.test(chunk, Test::Int { column: word, order, with });
                assert_eq!(found, those(|lane| ints[lane].cmp(&with) == order), "{order:?} {with}");
            }
        }
        for (low, span) in [(0, 0), (7, 0), (7, 9), (250, 20), (0, 255), (1, 254)] {
            let halves: [u16; LANES] = core::array::from_fn(|_| random() as u16 % 300);
            let bytes: [u8; LANES] = core::array::from_fn(|_| random() as u8);
            (*half_lanes(chunk, half), *byte_lanes(chunk, byte)) = (halves, bytes);
            let found = lanes.test(chunk, Test::Half { column: half, span: Span { low, span } });
            assert_eq!(found, those(|lane| halves[lane].wrapping_sub(low) <= span));
            let (low, span) = (low as u8, span as u8);
            let found = lanes.test(chunk, Test::Byte { column: byte, low, span });
            assert_eq!(found, those(|lane| bytes[lane].wrapping_sub(low) <= span));
        }
    }

    fn writes_are_right(lanes: impl Lanes) {
        let mut random = random(2);
        for _ in 0..50 {
            let some = Mask(core::array::from_fn(|_| random()));
            let is = |lane: usize| some.has(lane as u8);
            let words: [u32; LANES] = core::array::from_fn(|_| random() as u32);
            let (mut after, number) = (words, 0x1234_5678);
            lanes.put_value(&mut after, some, number);
            assert_eq!(after, core::array::from_fn(|lane| if is(lane) { number } else { words[lane] }));
            let bytes = words.map(|word| word as u8);
            let mut after = bytes;
            lanes.put_value(&mut after, some, 0x77);
            assert_eq!(after, core::array::from_fn(|lane| if is(lane) { 0x77 } else { bytes[lane] }));
            let halves = words.map(|word| word as u16 % 5);
            let mut after = halves;
            let left = lanes.down(&mut after, some);
            assert_eq!(left, those(|lane| is(lane) && halves[lane] > 1));
            let down = |lane: usize| halves[lane] - u16::from(is(lane) && halves[lane] > 0);
            assert_eq!(after, core::array::from_fn(down));
        }
    }

    #[test]
    fn columns_are_tested_and_written_lane_by_lane() {
        on_all_lanes!(tests_are_right);
        on_all_lanes!(writes_are_right);
    }

    #[test]
    fn columns_are_compared_by_any_relation() {
        let of = |numbers: [f64; 3]| core::array::from_fn(|lane: usize| numbers[lane % 3]);
        let (left, right): ([f64; LANES], [f64; LANES]) = (of([1.0, 2.0, f64::NAN]), of([2.0, 1.0, 1.0]));
        let equal: [f64; LANES] = of([1.0; 3]);
        let first = [Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge, Relation::Eq, Relation::Ne];
        for relation in first.into_iter().flat_map(|relation| [relation, relation.negated()]) {
            for right in [right, equal] {
                let found = compare(Portable, &left, &right, relation, |number| *number);
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
