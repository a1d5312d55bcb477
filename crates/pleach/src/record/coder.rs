//! A binary arithmetic coder with adaptive contexts: what can be foreseen takes few bits.
//!
//! Everything that is written is a sequence of decisions. Each decision is made in a *context*,
//! such as the node that answers and its last answer. A context counts the results of its
//! decisions. A decision that is foreseen with probability `p` takes `-log2 p` bits. Contexts are
//! found by a hash in a table of fixed size. Two contexts with the same cell cost some bits and
//! have no other effect, because writer and reader use the same cell. One function writes and
//! reads, through a [`Coder`], so the two cannot differ.
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
use pleach_image::splitmix::GAMMA;

/// Number of cells for each instruction of the program, within limits.
const CELLS_OF_WORD: usize = 64;
const CELLS: [usize; 2] = [1 << 12, 1 << 18];
/// Bits of a cell that count; the others are the probability.
const COUNT_BITS: u32 = 10;
/// Maximum count of a context. From then on, old decisions are forgotten as new ones come.
const MOST_COUNT: u32 = (1 << COUNT_BITS) - 1;

/// Writer or reader of decisions. A reader ignores the values that it is given.
pub(super) trait Coder {
    /// Writes or reads a decision. `likely` is the probability, of 65,536, that it is true.
    fn decide(&mut self, likely: u32, bit: bool) -> bool;

    /// Returns true if more bits were read than exist. Decisions that were read after the last bit
    /// have no meaning, so reading must end.
    fn is_spent(&self) -> bool {
        false
    }

    /// Returns the models of contexts.
    fn models(&mut self) -> &mut Models;

    /// Writes or reads a decision in a context.
    fn bit(&mut self, context: u64, bit: bool) -> bool {
        let cell = self.models().cell(context);
        let likely = self.models().likely(cell);
        let bit = self.decide(likely, bit);
        self.models().learn(cell, bit);
        bit
    }

    /// Writes or reads a decision that always takes one bit.
    fn fair(&mut self, bit: bool) -> bool {
        self.decide(1 << 15, bit)
    }

    /// Writes or reads a byte, bit by bit from the highest. The bits above are part of the context.
    fn byte(&mut self, context: u64, byte: u8) -> u8 {
        let mut node = 1_u64;
        for at in (0..8).rev() {
            let bit = self.bit(mix(context, node), byte >> at & 1 != 0);
            node = node << 1 | u64::from(bit);
        }
        node as u8
    }

    /// Writes or reads a number of `bytes` bytes, from the highest byte on.
    fn number(&mut self, context: u64, bytes: u32, number: u64) -> u64 {
        let mut read = 0_u64;
        for at in (0..bytes).rev() {
            // The highest bytes foresee those below, as far as two of them do.
            let above = if at + 2 >= bytes { read } else { 0 };
            let byte = self.byte(mix(context, u64::from(at) << 32 | above << 8), (number >> (at * 8)) as u8);
            read = read << 8 | u64::from(byte);
        }
        read
    }

    /// Writes or reads a number that is usually small: its number of bits, then the bits.
    fn count(&mut self, context: u64, number: u64) -> u64 {
        let length = 64 - number.leading_zeros();
        let mut bits = 0;
        while bits < 64 && self.bit(mix(context, bits.into()), bits < length) {
            bits += 1;
        }
        let mut read = u64::from(bits > 0);
        for at in (0..bits.saturating_sub(1)).rev() {
            let context = mix(context, u64::from(bits) << 8 | u64::from(at) | 1 << 20);
            read = read << 1 | u64::from(self.bit(context, number >> at & 1 != 0));
        }
        read
    }
}

/// Takes a step of a hash: one round of the finalizer of SplitMix64,
/// which has two, on both numbers.
#[inline]
pub(super) fn mix(hash: u64, next: u64) -> u64 {
    let mut z = (hash.rotate_left(23) ^ next).wrapping_add(GAMMA);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ z >> 31
}

/// Models of contexts. A cell has the probability that the next decision is true, and the number of
/// decisions so far.
#[derive(Clone, Debug)]
pub(super) struct Models {
    cells: Box<[u32]>,
    /// By how much of the difference a probability moves, for each count.
    rates: Box<[u32]>,
}

impl Models {
    fn new(words: usize) -> Self {
        let cells = (words * CELLS_OF_WORD).next_power_of_two().clamp(CELLS[0], CELLS[1]);
        let rate = |count: u32| ((1_u64 << 17) / (2 * u64::from(count) + 3)) as u32;
        Self { cells: vec![1 << 31; cells].into(), rates: (0..=MOST_COUNT).map(rate).collect() }
    }

    #[inline]
    fn cell(&self, context: u64) -> usize {
        (mix(context, 0) >> 32) as usize & (self.cells.len() - 1)
    }

    /// Returns a probability, of 65,536: at least 1 and at most 65,535.
    #[inline]
    fn likely(&self, cell: usize) -> u32 {
        (self.cells[cell] >> 16).clamp(1, (1 << 16) - 1)
    }

    #[inline]
    fn learn(&mut self, cell: usize, bit: bool) {
        let cell = &mut self.cells[cell];
        let (count, likely) = (*cell & MOST_COUNT, *cell >> COUNT_BITS);
        let rate = self.rates[count as usize];
        let whole = (1 << (32 - COUNT_BITS)) - 1;
        let goal = if bit { whole } else { 0 };
        // The rate is a part of 65,536.
        let moves = (i64::from(goal) - i64::from(likely)) * i64::from(rate);
        let moved = i64::from(likely) + (moves >> 16);
        let moved = moved.clamp(0, i64::from(whole)) as u32;
        *cell = moved << COUNT_BITS | (count + 1).min(MOST_COUNT);
    }
}

/// Writes.
#[derive(Debug)]
pub(super) struct BitWriter {
    low: u32,
    high: u32,
    pub(super) bytes: Vec<u8>,
    models: Models,
}

impl BitWriter {
    /// Returns a writer for a program of this number of instructions.
    pub(super) fn new(words: usize) -> Self {
        Self { low: 0, high: u32::MAX, bytes: Vec::new(), models: Models::new(words) }
    }

    /// Ends a block: all decisions so far can be read from `bytes`. The probabilities stay.
    pub(super) fn end(&mut self) {
        self.bytes.extend(self.high.to_be_bytes());
        (self.low, self.high) = (0, u32::MAX);
    }
}

/// Returns the last number of the lower part of a decision's interval.
#[inline]
fn part(low: u32, high: u32, likely: u32) -> u32 {
    low + ((u64::from(high - low) * u64::from(likely)) >> 16) as u32
}

impl Coder for BitWriter {
    #[inline]
    fn decide(&mut self, likely: u32, bit: bool) -> bool {
        let middle = part(self.low, self.high, likely);
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
        }
        bit
    }

    fn models(&mut self) -> &mut Models {
        &mut self.models
    }
}

/// Reader of decisions. After the end of its bytes it reads zeros, and counts them.
#[derive(Clone, Debug)]
pub(super) struct BitReader {
    low: u32,
    high: u32,
    value: u32,
    /// The next byte, and where the block ends.
    pub(super) at: usize,
    end: usize,
    models: Models,
    bytes: Arc<[u8]>,
    /// Bytes that were read behind the end.
    missing: u32,
}

impl BitReader {
    pub(super) fn new(words: usize, bytes: Arc<[u8]>) -> Self {
        let models = Models::new(words);
        Self { low: 0, high: u32::MAX, value: 0, at: 0, end: 0, models, bytes, missing: 0 }
    }

    /// Begins with a block.
    pub(super) fn begin(&mut self, block: core::ops::Range<usize>) {
        (self.at, self.end, self.missing) = (block.start, block.end, 0);
        (self.low, self.high, self.value) = (0, u32::MAX, 0);
        for _ in 0..4 {
            self.shift();
        }
    }

    fn shift(&mut self) {
        let byte = if self.at < self.end { self.bytes.get(self.at).copied() } else { None };
        self.at += usize::from(byte.is_some());
        self.missing += u32::from(byte.is_none());
        self.value = self.value << 8 | u32::from(byte.unwrap_or(0));
    }
}

impl Coder for BitReader {
    fn is_spent(&self) -> bool {
        self.missing > 4
    }

    #[inline]
    fn decide(&mut self, likely: u32, _: bool) -> bool {
        let middle = part(self.low, self.high, likely);
        let bit = self.value <= middle;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            self.shift();
        }
        bit
    }

    fn models(&mut self) -> &mut Models {
        &mut self.models
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits with these odds of 256, by a hash.
    fn decisions(odds: u64) -> impl Iterator<Item = bool> {
        (0..100_000).map(move |number| mix(number, 7) % 256 < odds)
    }

    #[test]
    fn what_is_read_is_what_was_written_in_about_the_bits_that_it_is_worth() {
        for odds in [0, 1, 20, 128, 250, 256] {
            let mut writer = BitWriter::new(100);
            decisions(odds).for_each(|bit| _ = writer.bit(odds, bit));
            writer.end();
            let likely = odds as f64 / 256.0;
            let bits: f64 =
                [likely, 1.0 - likely].iter().filter(|it| **it > 0.0).map(|it| -it * it.log2()).sum();
            let worth = bits * 100_000.0 / 8.0;
            assert!(
                (writer.bytes.len() as f64) < worth * 1.02 + 40.0,
                "{odds}: {} {worth}",
                writer.bytes.len()
            );
            let bytes = writer.bytes.len();
            let mut reader = BitReader::new(100, writer.bytes.into());
            reader.begin(0..bytes);
            assert!(decisions(odds).all(|bit| reader.bit(odds, false) == bit), "{odds}");
            assert!(!reader.is_spent());
        }
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let numbers =
            || (0..64).flat_map(|bits| [u64::MAX >> bits, 1 << bits, (1_u64 << bits) + 5]).chain([0]);
        let mut writer = BitWriter::new(100);
        for number in numbers() {
            writer.count(1, number);
            writer.number(2, 8, number);
            writer.number(3, 2, number & 0xffff);
        }
        writer.end();
        let bytes = writer.bytes.len();
        let mut reader = BitReader::new(100, writer.bytes.into());
        reader.begin(0..bytes);
        for number in numbers() {
            assert_eq!(reader.count(1, 0), number);
            assert_eq!(reader.number(2, 8, 0), number);
            assert_eq!(reader.number(3, 2, 0), number & 0xffff);
        }
    }
}
