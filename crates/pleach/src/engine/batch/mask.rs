//! Sets of lanes.

use crate::layout::{BIT_WORDS, LANES};
use core::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// Some of the lanes of a chunk, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Mask(pub(super) [u64; BIT_WORDS]);

impl Mask {
    pub(super) const NONE: Self = Self([0; BIT_WORDS]);
    pub(super) const ALL: Self = Self([u64::MAX; BIT_WORDS]);

    /// Returns all lanes or none.
    #[inline(always)]
    pub(super) fn all(whether: bool) -> Self {
        if whether { Self::ALL } else { Self::NONE }
    }

    #[inline(always)]
    pub(super) fn any(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d != 0
    }

    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        let [a, b, c, d] = self.0;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    #[inline(always)]
    pub(super) fn has(self, lane: u8) -> bool {
        self.0[usize::from(lane) / 64] >> (lane % 64) & 1 != 0
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: u8) {
        self.0[usize::from(lane) / 64] |= 1 << (lane % 64);
    }

    #[inline(always)]
    pub(super) fn unset(&mut self, lane: u8) {
        self.0[usize::from(lane) / 64] &= !(1 << (lane % 64));
    }

    /// Returns the lowest lane.
    #[inline(always)]
    pub(super) fn first(self) -> Option<u8> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some((word * 64) as u8 + self.0[word].trailing_zeros() as u8)
    }

    /// Returns the lanes that are not in the other mask.
    #[inline(always)]
    pub(super) fn without(self, other: Self) -> Self {
        self & !other
    }

    #[inline(always)]
    pub(super) fn take(&mut self) -> Self {
        core::mem::take(self)
    }

    /// Returns the lanes for which a test holds, or those for which it does not.
    #[inline(always)]
    pub(super) fn is(self, wanted: bool) -> Self {
        if wanted { self } else { !self }
    }

    /// Calls `each` with each lane, in order.
    #[inline(always)]
    pub(super) fn for_each(self, mut each: impl FnMut(u8)) {
        for (index, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                each((index * 64) as u8 + word.trailing_zeros() as u8);
                word &= word - 1;
            }
        }
    }

    /// Returns the lanes for which `holds` returns true.
    #[inline(always)]
    pub(super) fn filter(self, holds: impl Fn(u8) -> bool) -> Self {
        let mut found = Self::NONE;
        self.for_each(|lane| {
            if holds(lane) {
                found.set(lane);
            }
        });
        found
    }
}

const _: () = assert!(LANES == 256, "a lane is a byte");

impl BitOr for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a | e, b | f, c | g, d | h])
    }
}

impl BitAnd for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a & e, b & f, c & g, d & h])
    }
}

impl Not for Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([!a, !b, !c, !d])
    }
}

impl BitOrAssign for Mask {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// Lanes that leave a step, for each of four exits.
pub(super) type Ways = [Mask; 4];

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn lanes(mask: Mask) -> Vec<u8> {
        let mut lanes = Vec::new();
        mask.for_each(|lane| lanes.push(lane));
        lanes
    }

    #[test]
    fn a_mask_is_a_set_of_lanes() {
        let of = |lanes: &[u8]| {
            let mut mask = Mask::NONE;
            lanes.iter().for_each(|lane| mask.set(*lane));
            mask
        };
        let (some, others) = ([0, 63, 64, 130, 255], [63, 65, 130, 200]);
        let (mut first, second) = (of(&some), of(&others));
        assert_eq!(
            (lanes(first), first.count(), first.first(), first.any()),
            (some.into(), 5, Some(0), true)
        );
        assert!(some.iter().all(|lane| first.has(*lane)) && !first.has(65) && !first.has(1));
        assert_eq!(lanes(first | second), [0, 63, 64, 65, 130, 200, 255]);
        assert_eq!(lanes(first & second), [63, 130]);
        assert_eq!(lanes(first.without(second)), [0, 64, 255]);
        assert_eq!((!first).count(), 251);
        assert_eq!((lanes(first.is(true)), first.is(false).count()), (some.into(), 251));
        assert_eq!(lanes(first.filter(|lane| lane > 63)), [64, 130, 255]);
        assert_eq!((Mask::all(true).count(), Mask::all(false).first()), (256, None));
        for (index, lane) in some.into_iter().enumerate() {
            first.unset(lane);
            assert_eq!((first.has(lane), first.first()), (false, some.get(index + 1).copied()));
        }
        first |= second;
        assert_eq!(first.first(), Some(63));
        first = first & of(&[200, 201]);
        assert_eq!((lanes(first.take()), first.any()), ([200].into(), false));
        assert!([[1, 65], [66, 130], [131, 195]].iter().all(|both| of(both).any()), "equal words");
    }
}
