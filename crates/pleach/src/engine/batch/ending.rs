//! Endings: constants that go into columns when a lane's tick is over.
//!
//! Most leaves of a tree put some constants into columns and end the tick. To put them down at once would be work for whole
//! columns for the sake of a few lanes. So a lane is only given the *number* of its ending, and when the block has been
//! swept, each column that endings write is gone through once, with a table that says for each ending what it writes.
//!
//! That is allowed because nothing is done any more in this tick for a lane that has ended: nobody looks at its columns in
//! between. So it is not done in blocks that are called by others, whose lanes go on.

use super::code::{Code, EXITS, NOWHERE, Op, Put, Step};
use super::columns::{Columns, half_lanes, word_lanes};
use super::lanes::Lanes;
use super::mask::Mask;
use super::sweep::Sweep;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Endings of a block, numbered from 1.
pub(super) const ENDINGS: usize = 128;
/// What the endings of a block write to one column: `values` where `keeps` has no bits.
#[derive(Clone, Debug)]
pub(super) struct Table<T> {
    pub(super) column: u32,
    pub(super) values: Box<[T; ENDINGS]>,
    pub(super) keeps: Box<[T; ENDINGS]>,
    /// The same for the first 16, byte by byte.
    pub(super) planes: [[u8; 16]; 4],
    pub(super) kept_planes: [[u8; 16]; 4],
    /// The last ending's number.
    pub(super) endings: usize,
    /// Whether all endings write the column.
    pub(super) always: bool,
}

/// The endings of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Endings {
    puts: Vec<Vec<Put>>,
    pub(super) words: Vec<Table<u32>>,
    pub(super) halves: Vec<Table<u16>>,
}

impl Endings {
    pub(super) fn any(&self) -> bool {
        !self.puts.is_empty()
    }

    /// The number of an ending with these constants, if there is one left.
    fn number(&mut self, puts: Vec<Put>) -> Option<u8> {
        let known = self.puts.iter().position(|known| *known == puts);
        let index = known.unwrap_or(self.puts.len());
        if index + 1 >= ENDINGS {
            return None;
        }
        if known.is_none() {
            self.puts.push(puts);
        }
        Some(index as u8 + 1)
    }

    fn tables(&mut self) {
        for (index, puts) in self.puts.iter().enumerate() {
            for put in puts {
                match *put {
                    Put::Word { column, value } => enter(&mut self.words, column, index + 1, value, u32::MAX),
                    Put::Half { column, value } => {
                        enter(&mut self.halves, column, index + 1, value, u16::MAX)
                    }
                    Put::Bit { .. } | Put::Byte { .. } => {}
                }
            }
        }
        self.words.iter_mut().for_each(|table| table.finish(self.puts.len()));
        self.halves.iter_mut().for_each(|table| table.finish(self.puts.len()));
    }
}

fn enter<T: Copy + Default>(tables: &mut Vec<Table<T>>, column: u32, number: usize, value: T, all: T) {
    let known = tables.iter().position(|table| table.column == column);
    let index = known.unwrap_or_else(|| {
        let (values, keeps) = (Box::new([T::default(); ENDINGS]), Box::new([all; ENDINGS]));
        tables.push(Table {
            column,
            values,
            keeps,
            planes: Default::default(),
            kept_planes: Default::default(),
            endings: 0,
            always: false,
        });
        tables.len() - 1
    });
    (tables[index].values[number], tables[index].keeps[number]) = (value, T::default());
}

impl<T: Copy + Into<u32>> Table<T> {
    /// Puts down what follows from the entries.
    fn finish(&mut self, endings: usize) {
        let Self { values, keeps, planes, kept_planes, .. } = self;
        for (entries, planes) in [(&**values, planes), (&**keeps, kept_planes)] {
            for (number, entry) in entries.iter().take(16).enumerate() {
                let bytes = (*entry).into().to_le_bytes();
                planes.iter_mut().zip(bytes).for_each(|(plane, byte)| plane[number] = byte);
            }
        }
        self.endings = endings;
        self.always = self.keeps[1..=endings].iter().all(|keeps| (*keeps).into() == 0);
    }
}

impl Code {
    /// Makes endings of the steps of the last block, from `first` on, that put constants and end the tick.
    pub(super) fn endings(&mut self, first: usize) {
        let (mut endings, mut over) = (Endings::default(), Vec::new());
        for at in first..self.steps.len().saturating_sub(1) {
            let [
                Step { op: Op::Put { first, count }, label, .. },
                Step { op: Op::Jump { to }, label: NOWHERE, .. },
            ] = self.steps[at..at + 2]
            else {
                continue;
            };
            let puts = &self.puts[first as usize..][..count as usize];
            let late = |put: &&Put| matches!(put, Put::Half { .. } | Put::Word { .. });
            if to as usize >= EXITS || !puts.iter().any(|put| late(&put)) {
                continue;
            }
            let Some(number) = endings.number(puts.iter().filter(late).copied().collect()) else { break };
            // What is not put down late comes first.
            let now = puts.iter().filter(|put| !late(put)).count();
            self.puts[first as usize..][..count as usize].sort_by_key(|put| late(&put));
            self.steps[at] = Step { op: Op::Put { first, count: now as u32 }, label, skip: 0, then: NOWHERE };
            self.steps[at + 1].op = Op::Ending { number, to };
            if now == 0 {
                self.steps[at] = Step { op: Op::Ending { number, to }, label, skip: 0, then: NOWHERE };
                over.push(at + 1);
            }
        }
        let mut at = first;
        let mut over = over.into_iter().peekable();
        let steps = self.steps.split_off(first);
        self.steps.extend(steps.into_iter().filter(|_| {
            at += 1;
            over.next_if_eq(&(at - 1)).is_none()
        }));
        endings.tables();
        self.endings.pop();
        self.endings.push(endings);
    }
}

impl<L: Lanes> Sweep<'_, L> {
    /// Notes by which ending lanes end.
    #[inline(always)]
    pub(super) fn end_with(&mut self, lanes: Mask, number: u8) {
        let numbers = self.scratch.numbers.0.as_chunks_mut::<64>().0;
        for (numbers, lanes) in numbers.iter_mut().zip(lanes.0) {
            self.lanes.put_bytes(numbers, lanes, number);
        }
    }

    /// Puts down what the endings of a block write.
    #[inline(always)]
    pub(super) fn put_endings(&mut self, endings: &Endings) {
        if !endings.any() {
            return;
        }
        let ended = self.lanes.bytes_not_0(&self.scratch.numbers.0);
        if !ended.any() {
            return;
        }
        let numbers = &self.scratch.numbers.0;
        for table in &endings.words {
            self.lanes.look_up_words(word_lanes(self.chunk, table.column), numbers, ended, table);
        }
        for table in &endings.halves {
            self.lanes.look_up_halves(half_lanes(self.chunk, table.column), numbers, ended, table);
        }
        self.scratch.numbers.0.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::{Portable, tests::random};
    use super::*;
    use crate::layout::LANES;
    use alloc::vec;

    /// Endings of which each writes a word and every other one a half.
    fn endings(count: usize) -> Endings {
        let mut endings = Endings::default();
        for index in 0..count {
            let word = Put::Word { column: 0, value: 0x0101_0101 * index as u32 + 7 };
            let half = Put::Half { column: 0, value: 300 + index as u16 };
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
            lanes.look_up_words(&mut words, &numbers, ended, table);
            lanes.look_up_halves(&mut halves, &numbers, ended, half);
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
        assert_eq!(endings.number(vec![Put::Word { column: 0, value: 0x0101_0101 + 7 }]), Some(2));
    }
}
