//! Chains of tests: `if a { .. } else if b { .. } else if c { .. }`, with a few targets for all.
//!
//! A selector over pairs of a condition and a leaf is such a chain, and so are nested selectors and
//! sequences. Tested one by one, each test would read the remaining lanes, remove some of them and
//! note their target. Here no link reads or writes masks. There are two ways, of which each kind of
//! lanes takes the faster one ([`Lanes::COUNTS`]):
//!
//! * All links are evaluated from the last to the first, and each link that holds writes its target
//!   over those of later links. So the result for a lane is that of the first link that holds.
//! * All links are evaluated from the first to the last for 64 lanes, and each lane counts the
//!   links until one holds.
//!
//! This is legal because links only read columns: evaluating them for lanes
//! that have left has no effect.

use super::columns::{Columns, words};
use super::lanes::{Gathered, Lanes};
use super::mask::Mask;
use super::scratch::Aligned;
use super::sweep::Sweep;
use crate::code::batch::ops::{CHAIN_COLUMNS, Chain, Link};
use crate::code::by_relation;
use crate::layout::LANES;

impl<L: Lanes> Sweep<'_, L> {
    /// Takes out of some lanes those for which a link of the chain holds.
    #[inline(always)]
    pub(super) fn chain(&mut self, lanes: Mask, chain: &Chain) -> Mask {
        let Aligned(targets) = &mut Aligned([L::Target::from(0); LANES]);
        if L::COUNTS {
            self.count(lanes, chain, targets);
        } else {
            for (link, target) in chain.links.iter().zip(&chain.targets[1..]).rev() {
                let column = chain.columns[usize::from(link.column)];
                overrule(link, words(self.chunk, column), targets, L::Target::from(*target));
            }
            self.lanes.put_value(targets, !lanes, 0.into());
        }
        // Lanes that have ended have their numbers; for these there is no target.
        for (number, target) in self.scratch.numbers.0.iter_mut().zip(&*targets) {
            let target: u32 = (*target).into();
            *number |= target as u8;
        }
        let mut after = Mask::NONE;
        for (place, to) in chain.to.iter().enumerate().rev() {
            let from = L::Target::from((place as u16 + 1) << 8);
            let here = self.lanes.lanes_with(targets, |target| *target >= from);
            self.send(here.without(after), *to);
            after = here;
        }
        lanes.without(after)
    }

    /// Finds the target of each of some lanes by the number of the first link that holds.
    #[inline(always)]
    fn count(&mut self, lanes: Mask, chain: &Chain, targets: &mut [L::Target; LANES]) {
        if lanes.count() <= 64 {
            return self.count_few(lanes, chain, targets);
        }
        for (word, targets) in targets.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            if lanes.0[word] == 0 {
                continue;
            }
            let mut columns = NO_COLUMNS;
            for (part, column) in columns.iter_mut().zip(&chain.columns) {
                *part = &words(self.chunk, *column).as_chunks().0[word];
            }
            let links = first_links(&chain.links, &columns, &self.lanes.spread(lanes.0[word]));
            for (target, link) in targets.iter_mut().zip(links) {
                *target = chain.targets[usize::from(link)].into();
            }
        }
    }

    /// Finds the targets of at most 64 lanes, whose words are first moved side by side.
    #[inline(always)]
    fn count_few(&mut self, lanes: Mask, chain: &Chain, targets: &mut [L::Target; LANES]) {
        let mut list: Gathered = [0; LANES + 64];
        self.lanes.gather(lanes.0, &mut list);
        let count = lanes.count();
        let list = &list[..count as usize];
        let mut columns = NO_COLUMNS;
        for ((part, side), column) in columns.iter_mut().zip(&mut *self.scratch.side).zip(&chain.columns) {
            let words = words(self.chunk, *column);
            side.iter_mut().zip(list).for_each(|(word, lane)| *word = words[usize::from(*lane)]);
            *part = side;
        }
        let there = u64::MAX.checked_shr(64 - count).unwrap_or(0);
        let links = first_links(&chain.links, &columns, &self.lanes.spread(there));
        for (lane, link) in list.iter().zip(links) {
            targets[usize::from(*lane)] = chain.targets[usize::from(link)].into();
        }
    }
}

/// The words of 64 lanes, in each column of a chain.
type ColumnWords<'a> = [&'a [u32; 64]; CHAIN_COLUMNS];

const NO_COLUMNS: ColumnWords<'static> = [&[0; 64]; CHAIN_COLUMNS];

/// Returns the number of the first link that holds for each of the remaining lanes, from 1, or a
/// number behind that of the last link, modulo 256. Returns 0 for all other lanes.
#[inline(never)]
fn first_links(links: &[Link], columns: &ColumnWords<'_>, there: &[u8; 64]) -> [u8; 64] {
    // A copy stays in registers. All ones are -1, so lanes that come to the chain begin with 1.
    let mut remaining = *there;
    let mut counts = remaining.map(u8::wrapping_neg);
    for link in links {
        pass(link, columns[usize::from(link.column) % CHAIN_COLUMNS], &mut remaining, &mut counts);
    }
    counts
}

/// Does something with a comparison of words by a link, compiled anew for each relation.
macro_rules! by_link {
    ($link:expr, |$holds:ident| $work:expr) => {{
        let Link { with, is_float, relation, .. } = *$link;
        if is_float {
            let with = f32::from_bits(with);
            by_relation!(relation, |relates| {
                let $holds = |word: u32| relates(f32::from_bits(word), with);
                $work
            });
        } else {
            by_relation!(relation, |relates| {
                let $holds = |word: u32| relates(word as i32, with as i32);
                $work
            });
        }
    }};
}

/// Puts a link's target into the lanes in which the link holds.
#[inline(always)]
fn overrule<T: Copy>(link: &Link, words: &[u32; LANES], targets: &mut [T; LANES], here: T) {
    by_link!(link, |holds| {
        for (target, word) in targets.iter_mut().zip(words) {
            *target = if holds(*word) { here } else { *target };
        }
    });
}

/// Takes out of the remaining lanes those in which a link holds. All others count it. Each step
/// is about as many lanes as a vector of 16 bytes has.
#[inline(always)]
fn pass(link: &Link, words: &[u32; 64], remaining: &mut [u8; 64], counts: &mut [u8; 64]) {
    by_link!(link, |holds| {
        for part in 0..4 {
            for lane in 16 * part..16 * part + 16 {
                remaining[lane] &= if holds(words[lane]) { 0 } else { u8::MAX };
                counts[lane] = counts[lane].wrapping_sub(remaining[lane]);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::lanes::tests::random;
    use super::*;
    use crate::code::Relation;

    const FLOATS: [f32; 6] = [0.0, -0.0, 1.5, -1.5, f32::NAN, f32::INFINITY];

    #[test]
    fn a_link_puts_its_value_where_it_holds() {
        let mut random = random(3);
        let relations = [Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge, Relation::Eq];
        for relation in relations.into_iter().flat_map(|relation| [relation, relation.negated()]) {
            for is_float in [true, false] {
                let mut number = || match is_float {
                    true => FLOATS[random() as usize % 6].to_bits(),
                    false => (random() % 9) as u32,
                };
                let (with, words): (u32, [u32; LANES]) = (number(), core::array::from_fn(|_| number()));
                let link = Link { column: 0, with, is_float, relation };
                let mut targets = [7; LANES];
                overrule(&link, &words, &mut targets, 0x101);
                let holds = |word: u32| match is_float {
                    true => relation.holds(f32::from_bits(word), f32::from_bits(with)),
                    false => relation.holds(word as i32, with as i32),
                };
                assert_eq!(targets, words.map(|word| if holds(word) { 0x101 } else { 7 }), "{relation:?}");
                let (words, before) = (words.first_chunk().expect("64 lanes"), [0, u8::MAX].repeat(32));
                let before = *before.first_chunk().expect("64 lanes");
                let (mut remaining, mut counts) = (before, [9; 64]);
                pass(&link, words, &mut remaining, &mut counts);
                for lane in 0..64 {
                    let remains = before[lane] > 0 && !holds(words[lane]);
                    let expected = (if remains { u8::MAX } else { 0 }, 9 + u8::from(remains));
                    assert_eq!((remaining[lane], counts[lane]), expected, "{relation:?}");
                }
            }
        }
    }
}
