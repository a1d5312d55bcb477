//! Looking at sixty-four bytes at once.
//!
//! Spaces and names make up most of a text, and both are too short to be worth a loop that is predicted wrong at its end.
//! So sixty-four bytes are classified together, each in its own lane, without a branch, and the answers are gathered
//! to one bit a byte: where something begins is found by counting zeros. It is written so that a compiler makes vectors of
//! the lanes, whatever the processor has.

use wide::i8x16;

/// How many bytes are looked at together.
pub(in super::super) const LANES: usize = 64;

/// What sixty-four bytes are, one bit each, the first byte's the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// What words are made of.
    pub(super) words: u64,
    /// What is no white space.
    pub(super) solid: u64,
}

/// No white space, as the bytes from 33 to 127 are not.
fn solid(byte: u8) -> bool {
    byte as i8 > b' ' as i8
}

impl Block {
    /// Looks at sixty-four bytes. Which belong to words is best said without a branch, so that lanes can be vectors.
    #[inline(always)]
    pub(super) fn of(bytes: &[u8; LANES], part_of_word: impl Fn(u8) -> bool) -> Self {
        Self { words: lanes(bytes, part_of_word), solid: lanes(bytes, solid) }
    }
}

/// Whether something is so in any lane.
#[inline(always)]
pub(super) fn any(bytes: &[u8; LANES], is: impl Fn(u8) -> bool) -> bool {
    bytes.iter().fold(false, |any, byte| any | is(*byte))
}

/// The lanes in which something is so.
#[inline(always)]
pub(super) fn lanes(bytes: &[u8; LANES], is: impl Fn(u8) -> bool) -> u64 {
    let bytes = bytes.map(|byte| if is(byte) { -1_i8 } else { 0 });
    let (sixteens, _) = bytes.as_chunks();
    sixteens.iter().rev().fold(0, |lanes, sixteen| lanes << 16 | u64::from(i8x16::new(*sixteen).to_bitmask()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_apart_in_every_lane() {
        for byte in 0..=255_u8 {
            let part_of_word = |byte: u8| byte.is_ascii_digit() | (byte == b'_');
            let solid = (33..128).contains(&byte);
            for lane in 0..LANES {
                for (around, around_is) in [(b' ', 0), (b'x', !0)] {
                    let mut bytes = [around; LANES];
                    bytes[lane] = byte;
                    let lanes = |is: bool| around_is & !(1 << lane) | u64::from(is) << lane;
                    let block = Block::of(&bytes, |byte| part_of_word(byte) | (byte == b'x'));
                    let word = part_of_word(byte) | (byte == b'x');
                    assert_eq!(block, Block { words: lanes(word), solid: lanes(solid) }, "{byte}");
                }
            }
        }
    }
}
