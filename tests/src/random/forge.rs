//! Handmade blocks of recordings that no recorder writes, by a coder after `spec/recording.md`.

use super::recordings::{mix, with_block};

/// Numbers of steps.
const END: u8 = 0;
const SNAPSHOT: u8 = 1;
const ENDED: u8 = 4;

/// Offset of the version in the header of a recording.
const VERSION: usize = 8;

/// Block under construction.
pub struct Forge {
    low: u32,
    high: u32,
    bytes: Vec<u8>,
    /// Probability (of 2^22) and number of decisions of each context.
    cells: Vec<(i64, i64)>,
    before: u8,
}

impl Forge {
    /// Creates an empty block for a recording of a program of `words` words.
    #[must_use]
    pub fn new(words: usize) -> Self {
        let cells = (words * 64).next_power_of_two().clamp(1 << 12, 1 << 18);
        Self { low: 0, high: u32::MAX, bytes: Vec::new(), cells: vec![(1 << 21, 0); cells], before: END }
    }

    fn decide(&mut self, likely: u32, bit: bool) {
        let middle = self.low + ((u64::from(self.high - self.low) * u64::from(likely)) >> 16) as u32;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while self.low >> 24 == self.high >> 24 {
            self.bytes.push((self.high >> 24) as u8);
            (self.low, self.high) = (self.low << 8, self.high << 8 | 0xff);
        }
    }

    fn bit(&mut self, context: u64, bit: bool) {
        let at = (mix(context, 0) >> 32) as usize & (self.cells.len() - 1);
        let (likely, count) = self.cells[at];
        self.decide(((likely >> 6) as u32).clamp(1, 0xffff), bit);
        let goal = if bit { (1 << 22) - 1 } else { 0 };
        let moved = likely + (((goal - likely) * ((1 << 17) / (2 * count + 3))) >> 16);
        self.cells[at] = (moved.clamp(0, (1 << 22) - 1), (count + 1).min(1023));
    }

    fn byte(&mut self, context: u64, byte: u8) {
        let mut node = 1;
        for at in (0..8).rev() {
            let bit = byte >> at & 1;
            self.bit(mix(context, node), bit != 0);
            node = node << 1 | u64::from(bit);
        }
    }

    fn number(&mut self, context: u64, bytes: u32, number: u64) {
        let mut read = 0;
        for at in (0..bytes).rev() {
            let above = if at + 2 >= bytes { read } else { 0 };
            let byte = (number >> (at * 8)) as u8;
            self.byte(mix(context, u64::from(at) << 32 | above << 8), byte);
            read = read << 8 | u64::from(byte);
        }
    }

    fn count(&mut self, context: u64, number: u64) {
        let length = 64 - number.leading_zeros();
        (0..length).for_each(|bits| self.bit(mix(context, bits.into()), true));
        if length < 64 {
            self.bit(mix(context, length.into()), false);
        }
        for at in (0..length.saturating_sub(1)).rev() {
            let context = mix(context, u64::from(length) << 8 | u64::from(at) | 1 << 20);
            self.bit(context, number >> at & 1 != 0);
        }
    }

    fn step(&mut self, kind: u8) {
        self.decide(1 << 15, true);
        self.byte(context(self.before, 0), kind);
        self.before = kind;
    }

    /// Adds a snapshot in the old version that claims to have `length` bytes, and has those of
    /// `state`.
    #[must_use]
    pub fn snapshot(mut self, length: u64, state: &[u8], limit: u16) -> Self {
        self.step(SNAPSHOT);
        self.count(context(SNAPSHOT, 1), length);
        for (at, byte) in (0..).zip(state) {
            self.byte(context(SNAPSHOT, 2 + at % 4), *byte);
        }
        self.number(context(SNAPSHOT, 1), 2, limit.into());
        self
    }

    /// Adds the end of a tick at time 0, for no agent.
    #[must_use]
    pub fn ended(mut self) -> Self {
        self.step(ENDED);
        self.bit(mix(0x714e, 0), false);
        self.count(mix(0x714e, 1), 0);
        self
    }

    /// Returns a recording with this block as its only one.
    #[must_use]
    pub fn of(mut self, recording: &[u8]) -> Vec<u8> {
        self.step(END);
        self.bytes.extend(self.high.to_be_bytes());
        with_block(recording, &self.bytes)
    }

    /// Returns a recording of the old version with this block as its only one.
    #[must_use]
    pub fn of_old(self, recording: &[u8]) -> Vec<u8> {
        let mut forged = self.of(recording);
        forged[VERSION] = 1;
        forged
    }
}

/// Returns the context of a step's data.
fn context(kind: u8, which: u64) -> u64 {
    mix(mix(0x57e9, kind.into()), which)
}
