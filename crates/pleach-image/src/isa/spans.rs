//! Checks of all fields of a word at once.
//!
//! For each instruction, [`Spans`] hold the range of values of each field; a field without an
//! operand has the range from 0 to 0. A word holds if each of its four 16-bit lanes, less the
//! lowest value allowed in that lane, is at most the span of the lane:
//!
//! ```text
//!            t             b             a           x    op
//!    word    7             2             0           1    0x09
//!  - low     1             1             0           0    0x09
//!  <= span   0xfffe        nodes - 1     sets - 1    1    0
//! ```
//!
//! A lane below its lowest value wraps to more than any span. So a few vector instructions check a
//! word, and no branch depends on the instruction. Instructions come in no predictable order, so
//! with branches the mispredictions would take most of the time.
//!
//! The spans accept nothing that the operands refuse. But they may refuse a value that the operands
//! accept: slots of a kind that do not lie together are not a range. So the spans are asked first,
//! and [`super::Op::check`] only if they refuse.
//!
//! For a word of the code the vector has eight lanes. Four of them stay zero, so that a check is a
//! load and two operations. For a condition the vector has two lanes for each word.

use core::ops::Range;

/// Range of each lane: its lowest value and the difference to its highest.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
#[derive(Debug)]
pub(crate) struct Spans<const LANES: usize> {
    low: [u16; LANES],
    span: [u16; LANES],
}

impl Spans<8> {
    /// Returns spans that refuse every word with this number.
    pub(crate) const fn none(op: u8) -> Self {
        Self { low: [!op as u16, 0, 0, 0, 0, 0, 0, 0], span: [0; 8] }
    }

    /// Returns spans that accept words with this number whose fields, given as masks, hold values
    /// of the given ranges. If a range of a field of two lanes is neither the whole field nor
    /// within 16 bits, only its values below 65,536 are accepted.
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
        Self { low: bytemuck::cast([low, 0]), span: bytemuck::cast([span, 0]) }
    }
}

impl<const LANES: usize> Spans<LANES> {
    /// Spans that accept everything.
    pub(crate) const ANY: Self = Self { low: [0; LANES], span: [u16::MAX; LANES] };

    /// Restricts a lane to the given values. Returns `None` if no value is left.
    pub(crate) fn set(&mut self, lane: usize, sure: Range<u64>) -> Option<()> {
        let last = sure.end.min(1 << 16).checked_sub(1).filter(|last| *last >= sure.start)?;
        *self.low.get_mut(lane)? = sure.start as u16;
        *self.span.get_mut(lane)? = (last - sure.start) as u16;
        Some(())
    }

    /// Returns true if every lane is in its range.
    #[inline(always)]
    pub(crate) fn hold(&self, lanes: &[u16; LANES]) -> bool {
        (0..LANES).fold(0, |excess, lane| excess | self.excess(lanes, lane)) == 0
    }

    /// Adds to each lane its excess over its range. If all sums are zero after many words, all
    /// these words hold.
    #[inline(always)]
    pub(crate) fn add_excess(&self, lanes: &[u16; LANES], sum: &mut [u16; LANES]) {
        for (lane, sum) in sum.iter_mut().enumerate() {
            *sum |= self.excess(lanes, lane);
        }
    }

    #[inline(always)]
    fn excess(&self, lanes: &[u16; LANES], lane: usize) -> u16 {
        lanes[lane].wrapping_sub(self.low[lane]).saturating_sub(self.span[lane])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Op, Word};
    use alloc::vec::Vec;

    fn holds(word: u64, spans: &Spans<8>) -> bool {
        spans.hold(&bytemuck::cast([word, 0]))
    }

    /// Returns those of `values` that the spans accept in a field with the range `sure`.
    fn accepted(mask: u64, sure: Range<u64>, values: &[u64]) -> Vec<u64> {
        let op = Op::Mark;
        let spans = Spans::of(op as u8, &[(mask, sure)]);
        let word = |value: u64| Word::new(op).bits() | value << mask.trailing_zeros();
        values.iter().copied().filter(|value| holds(word(*value), &spans)).collect()
    }

    #[test]
    fn a_field_holds_its_range_and_nothing_else() {
        let (x, a, ab) = (0xff00, 0xffff_0000, 0xffff_ffff_0000);
        assert_eq!(accepted(x, 1..3, &[0, 1, 2, 3, 255]), [1, 2]);
        assert_eq!(accepted(x, 0..1000, &[0, 255]), [0, 255]);
        assert_eq!(accepted(a, 1..65_536, &[0, 1, 65_535]), [1, 65_535]);
        assert_eq!(accepted(a, 7..7, &[0, 6, 7, 8]), [0; 0]);
        assert_eq!(accepted(ab, 0..1 << 32, &[0, 1 << 16, u64::from(u32::MAX)]), [0, 1 << 16, 0xffff_ffff]);
        // The spans accept the small values of the range, but not the large ones.
        assert_eq!(accepted(ab, 5..1 << 20, &[4, 5, 65_535, 65_536]), [5, 65_535]);
    }

    #[test]
    fn unused_fields_are_zero() {
        assert_eq!(accepted(0xffff_0000, 0..10, &[1 << 16, 1 << 32, 3]), [3]);
        assert!(!holds(0, &Spans::none(0)) && !holds(u64::MAX, &Spans::none(255)));
    }

    #[test]
    fn each_lane_has_its_own_values() {
        let holds = |lane, sure, word| {
            let mut spans = Spans::ANY;
            spans.set(lane, sure).map(|()| holds(word, &spans))
        };
        assert_eq!(
            [6, 7, 8, 9].map(|value| holds(3, 7..9, value << 48 | 0xffff)),
            [false, true, true, false].map(Some)
        );
        assert_eq!([2, 3, 0xffff].map(|value| holds(0, 3..1 << 32, value)), [false, true, true].map(Some));
        assert_eq!([holds(0, 7..7, 7), holds(0, 0..0, 0), holds(8, 0..1, 0)], [None; 3]);
    }
}
