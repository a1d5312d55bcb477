//! All fields of a word checked at once.
//!
//! For an instruction the [`Spans`] say between which values each field must lie; for a field without an operand that
//! is from 0 to 0. A word holds if each of its four 16-bit lanes, less the lowest value allowed there, is at most the
//! span of that lane:
//!
//! ```text
//!            t             b             a           x    op
//!    word    7             2             0           1    0x09
//!  - low     1             1             0           0    0x09
//!  <= span   0xfffe        nodes - 1     sets - 1    1    0
//! ```
//!
//! A lane that is below its lowest value wraps to more than any span. So a few vector instructions do for a word, and no
//! branch depends on the instruction; with many of them in no order, wrongly predicted branches would take most of the
//! time.
//!
//! The spans accept nothing that the operands refuse, but they may refuse what the operands accept: slots that do not
//! lie together are not a range. So the spans are asked first, and only if they refuse, [`super::Op::check`].
//!
//! The words of conditions have one operand, and for them a [`Span`] does.

use core::ops::Range;

/// A word as lanes, the lowest first.
pub(crate) type Lanes = [u16; 4];

/// What the fields of an instruction may hold: the lowest value of each and how much more is allowed.
#[derive(Clone, Copy)]
pub(crate) struct Spans {
    low: Lanes,
    span: Lanes,
}

impl Spans {
    /// No word with this number.
    pub(crate) const fn none(op: u8) -> Self {
        Self { low: [!op as u16, 0, 0, 0], span: [0; 4] }
    }

    /// Words with this number whose fields, given as masks, hold values of these ranges. Of a field of two lanes that
    /// is all values or only small ones.
    pub(crate) fn of(op: u8, fields: &[(u64, Range<u64>)]) -> Self {
        let (mut low, mut span) = (u64::from(op), 0);
        for (mask, sure) in fields {
            let shift = mask.trailing_zeros();
            let largest = mask >> shift;
            let all = sure.start == 0 && sure.end > largest;
            let end = sure.end.min(if all { largest } else { largest.min(0xffff) } + 1);
            if sure.start >= end {
                return Self::none(op);
            }
            low |= sure.start << shift;
            span |= (end - 1 - sure.start) << shift;
        }
        Self { low: bytemuck::cast(low), span: bytemuck::cast(span) }
    }
}

/// Whether all fields of all words surely hold. `spans` are found by the numbers of instructions.
pub(crate) fn hold(words: &[Lanes], spans: &[Spans; 256]) -> bool {
    let mut over = [0; 4];
    for word in words {
        let Spans { low, span } = &spans[usize::from(word[0] as u8)];
        for lane in 0..4 {
            over[lane] |= word[lane].wrapping_sub(low[lane]).saturating_sub(span[lane]);
        }
    }
    over == [0; 4]
}

/// What the operand of an operation of conditions may be.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    low: u32,
    span: u32,
}

impl Span {
    /// No word with this number.
    pub(crate) const fn none(op: u8) -> Self {
        Self { low: !op as u32, span: 0 }
    }

    /// Words with this number whose operand has one of these values.
    pub(crate) fn of(op: u8, sure: &Range<u64>) -> Self {
        let end = sure.end.min(1 << 16);
        if sure.start >= end {
            return Self::none(op);
        }
        Self { low: (sure.start as u32) << 16 | u32::from(op), span: (end - 1 - sure.start) as u32 }
    }

    /// Whether the operand of a word with the number of the operation surely holds.
    #[inline]
    const fn hold(self, word: u32) -> bool {
        // Turned, so that any other bit makes it larger than all operands.
        word.wrapping_sub(self.low).rotate_right(16) <= self.span
    }
}

/// Whether the operands of all words surely hold. `spans` are found by the numbers of operations.
pub(crate) fn each_holds(words: &[u32], spans: &[Span; 256]) -> bool {
    words.iter().fold(true, |all, word| all & spans[usize::from(*word as u8)].hold(*word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Op, Word};

    /// Tries the values around both ends of a range in a field.
    fn accepted(mask: u64, sure: Range<u64>, values: &[u64]) -> Vec<u64> {
        let op = Op::Mark;
        let mut spans = [Spans::none(op as u8); 256];
        spans[op as usize] = Spans::of(op as u8, &[(mask, sure)]);
        let word = |value: u64| bytemuck::cast(Word::new(op).bits() | value << mask.trailing_zeros());
        values.iter().copied().filter(|value| hold(&[word(*value)], &spans)).collect()
    }

    #[test]
    fn a_field_holds_its_range_and_nothing_else() {
        let (x, a, ab) = (0xff00, 0xffff_0000, 0xffff_ffff_0000);
        assert_eq!(accepted(x, 1..3, &[0, 1, 2, 3, 255]), [1, 2]);
        assert_eq!(accepted(x, 0..1000, &[0, 255]), [0, 255]);
        assert_eq!(accepted(a, 1..65_536, &[0, 1, 65_535]), [1, 65_535]);
        assert_eq!(accepted(a, 7..7, &[0, 6, 7, 8]), [0; 0]);
        assert_eq!(accepted(ab, 0..1 << 32, &[0, 1 << 16, u64::from(u32::MAX)]), [0, 1 << 16, 0xffff_ffff]);
        // Not sure of large values, but of small ones.
        assert_eq!(accepted(ab, 5..1 << 20, &[4, 5, 65_535, 65_536]), [5, 65_535]);
    }

    #[test]
    fn unused_fields_are_zero() {
        assert_eq!(accepted(0xffff_0000, 0..10, &[1 << 16, 1 << 32, 3]), [3]);
        let none = [Spans::none(0); 256];
        assert!(!hold(&[[0; 4]], &none) && !hold(&[[u16::MAX; 4]], &[Spans::none(255); 256]));
    }
}
