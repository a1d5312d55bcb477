//! Endings of blocks: constants that go into columns when a lane's tick is over,
//! and tables of what each writes.

use super::BatchCode;
use super::ops::{BatchStep, EXITS, NOWHERE, Op};
use crate::code::put::{Put, Width};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Endings of a block, numbered from 1.
pub(crate) const ENDINGS: usize = 128;
/// Writes of the endings of a block to one column: `values`, and bits of before where `keeps` has
/// bits.
#[derive(Clone, Debug)]
pub(crate) struct EndingTable<T> {
    pub(crate) column: u32,
    pub(crate) values: Box<[T; ENDINGS]>,
    pub(crate) keeps: Box<[T; ENDINGS]>,
    /// The first 16 values and masks, byte by byte.
    pub(crate) planes: [[u8; 16]; 4],
    pub(crate) kept_planes: [[u8; 16]; 4],
    /// The last ending's number.
    pub(crate) endings: usize,
    /// True if all endings write the column.
    pub(crate) always: bool,
}

/// The endings of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Endings {
    puts: Vec<Vec<Put>>,
    pub(crate) words: Vec<EndingTable<u32>>,
    pub(crate) halves: Vec<EndingTable<u16>>,
}

impl Endings {
    pub(crate) fn any(&self) -> bool {
        !self.puts.is_empty()
    }

    /// Returns the number of an ending with these constants, if there is one left.
    pub(crate) fn number(&mut self, puts: Vec<Put>) -> Option<u8> {
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

    pub(crate) fn tables(&mut self) {
        for (index, puts) in self.puts.iter().enumerate() {
            for put in puts {
                let Put { width, column, value } = *put;
                match width {
                    Width::Word => enter(&mut self.words, column, index + 1, value, u32::MAX),
                    Width::Half => enter(&mut self.halves, column, index + 1, value as u16, u16::MAX),
                    Width::Bit | Width::Byte => {}
                }
            }
        }
        self.words.iter_mut().for_each(|table| table.finish(self.puts.len()));
        self.halves.iter_mut().for_each(|table| table.finish(self.puts.len()));
    }
}

fn enter<T: Copy + Default>(tables: &mut Vec<EndingTable<T>>, column: u32, number: usize, value: T, all: T) {
    let known = tables.iter().position(|table| table.column == column);
    let index = known.unwrap_or_else(|| {
        let (values, keeps) = (Box::new([T::default(); ENDINGS]), Box::new([all; ENDINGS]));
        let (planes, kept_planes) = Default::default();
        tables.push(EndingTable { column, values, keeps, planes, kept_planes, endings: 0, always: false });
        tables.len() - 1
    });
    (tables[index].values[number], tables[index].keeps[number]) = (value, T::default());
}

impl<T: Copy + Into<u32>> EndingTable<T> {
    /// Fills the tables that are derived from the entries.
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

impl BatchCode {
    /// Makes endings of the steps of the last block, from `first` on, that
    /// put constants and end the tick.
    pub(crate) fn endings(&mut self, first: usize) {
        let (mut endings, late) =
            (Endings::default(), |put: &&Put| matches!(put.width, Width::Half | Width::Word));
        let mut steps = self.steps.split_off(first).into_iter().peekable();
        while let Some(mut step) = steps.next() {
            if let Op::Put { first, count } = step.op
                && let Some(&BatchStep { op: Op::Jump { to }, label: NOWHERE, .. }) = steps.peek()
                && let puts = &mut self.puts[first as usize..][..count as usize]
                && to < EXITS as u32
                && puts.iter().any(|put| late(&put))
                && let Some(number) = endings.number(puts.iter().filter(late).copied().collect())
            {
                // Constants that the ending does not write itself are written before it.
                puts.sort_by_key(|put| late(&put));
                let now = puts.partition_point(|put| !late(&put)) as u32;
                if now > 0 {
                    self.steps.push(BatchStep { op: Op::Put { first, count: now }, ..step });
                    step.label = NOWHERE;
                }
                step.op = Op::Ending { number, to };
                steps.next();
            }
            self.steps.push(step);
        }
        endings.tables();
        self.endings.pop();
        self.endings.push(endings);
    }
}
