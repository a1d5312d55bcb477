//! Endings: constants that are written to columns when a lane's tick is over.
//!
//! Most leaves of a tree write some constants to columns and end the tick. Writing them at once
//! would be work on whole columns for the sake of a few lanes. So a lane only gets the *number* of
//! its ending. When the block has been swept, each column that endings write is passed once, with a
//! table of the value for each ending.
//!
//! This is legal because nothing else is done in this tick for a lane that has ended,
//! so its columns are not read before. It is not done in blocks that are called,
//! because their lanes continue.

use super::columns::{Columns, half_lanes, look_up, word_lanes};
use super::lanes::Lanes;
use super::mask::Mask;
use super::sweep::Sweep;
use crate::code::batch::endings::Endings;

impl<L: Lanes> Sweep<'_, L> {
    /// Notes by which ending lanes end.
    #[inline(always)]
    pub(super) fn end_with(&mut self, lanes: Mask, number: u8) {
        self.lanes.put_value(&mut self.scratch.numbers.0, lanes, number);
    }

    /// Writes the constants of the endings of a block.
    #[inline(always)]
    pub(super) fn put_endings(&mut self, endings: &Endings) {
        if !endings.any() {
            return;
        }
        let ended = self.lanes.lanes_with(&self.scratch.numbers.0, |number| *number != 0);
        if !ended.any() {
            return;
        }
        let numbers = &self.scratch.numbers.0;
        for table in &endings.words {
            let column = word_lanes(self.chunk, table.column);
            if !self.lanes.look_up_all_words(column, numbers, table) {
                look_up(column, numbers, ended, table);
            }
        }
        for table in &endings.halves {
            let column = half_lanes(self.chunk, table.column);
            if !self.lanes.look_up_all_halves(column, numbers, table) {
                look_up(column, numbers, ended, table);
            }
        }
        self.scratch.numbers.0.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::{Portable, tests::random};
    use super::*;
    use crate::code::batch::endings::ENDINGS;
    use crate::code::put::{Put, Width};
    use crate::layout::LANES;
    use alloc::vec;

    fn word(value: u32) -> Put {
        Put { width: Width::Word, column: 0, value }
    }

    /// Endings of which each writes a word and every other one a half.
    fn endings(count: usize) -> Endings {
        let mut endings = Endings::default();
        for index in 0..count {
            let word = word(0x0101_0101 * index as u32 + 7);
            let half = Put::half(0, 300 + index as u16);
            let number = endings.number(if index.is_multiple_of(2) { vec![word, half] } else { vec![word] });
            assert_eq!(number, Some(index as u8 + 1));
        }
        endings.tables();
        endings
    }

    fn look_ups_are_right(lanes: impl Lanes) {
        let mut random = random(4);
        for count in [1, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, ENDINGS - 1] {
            let endings = endings(count);
            let numbers: [u8; LANES] = core::array::from_fn(|_| (random() % (count as u64 + 1)) as u8);
            let mut ended = Mask::NONE;
            (0..=u8::MAX).filter(|lane| numbers[usize::from(*lane)] > 0).for_each(|lane| ended.set(lane));
            let (before, narrow) =
                (core::array::from_fn(|_| random() as u32), core::array::from_fn(|_| random() as u16));
            let (mut words, mut halves): ([u32; LANES], [u16; LANES]) = (before, narrow);
            let ([table], [half]) = (&endings.words[..], &endings.halves[..]) else {
                panic!("one column of each kind is written");
            };
            assert_eq!((table.always, half.always), (true, count == 1));
            if !lanes.look_up_all_words(&mut words, &numbers, table) {
                look_up(&mut words, &numbers, ended, table);
            }
            if !lanes.look_up_all_halves(&mut halves, &numbers, half) {
                look_up(&mut halves, &numbers, ended, half);
            }
            for (lane, number) in numbers.into_iter().enumerate() {
                let index = u32::from(number).wrapping_sub(1);
                let [word, half] =
                    [0x0101_0101_u32.wrapping_mul(index).wrapping_add(7), 300_u32.wrapping_add(index)];
                let is_half = number > 0 && index.is_multiple_of(2);
                assert_eq!(words[lane], if number > 0 { word } else { before[lane] }, "{number} of {count}");
                assert_eq!(
                    halves[lane],
                    if is_half { half as u16 } else { narrow[lane] },
                    "{number} of {count}"
                );
            }
        }
    }

    #[test]
    fn endings_are_put_down_by_their_numbers() {
        look_ups_are_right(Portable);
        #[cfg(target_arch = "x86_64")]
        {
            use super::super::lanes::x86::{Avx2, Avx512};
            Avx2::of_this_processor().into_iter().for_each(look_ups_are_right);
            Avx512::of_this_processor().into_iter().for_each(look_ups_are_right);
        }
    }

    #[test]
    fn there_are_not_more_endings_than_have_numbers() {
        let mut endings = endings(ENDINGS - 1);
        assert_eq!(endings.number(vec![]), None);
        assert_eq!(endings.number(vec![word(0x0101_0101 + 7)]), Some(2));
    }
}
