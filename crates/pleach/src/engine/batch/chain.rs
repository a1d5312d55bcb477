//! Chains of tests: `if a { .. } else if b { .. } else if c { .. }`, with a few targets for all.
//!
//! A selector over pairs of a condition and a leaf is such a chain, and so are nested selectors and
//! sequences. Tested one by one, each test would read the remaining lanes, remove some of them and
//! note their target. Here all links are evaluated from the last to the first, for all lanes: each
//! link that holds writes its target over those of later links. So the result for a lane is the
//! first link that holds, and no link needs the result of another.
//!
//! This is legal because links only read columns: evaluating them for lanes
//! that have left has no effect.

use super::columns::{Columns, word_lanes};
use super::lanes::Lanes;
use super::mask::Mask;
use super::scratch::Aligned;
use super::sweep::Sweep;
use crate::code::batch::ops::{Chain, Link};
use crate::code::by_relation;
use crate::layout::LANES;

impl<L: Lanes> Sweep<'_, L> {
    /// Takes out of some lanes those for which a link of the chain holds.
    #[inline(always)]
    pub(super) fn chain(&mut self, lanes: Mask, chain: &Chain) -> Mask {
        let Aligned(values) = &mut Aligned([L::Target::from(0); LANES]);
        chain.links.iter().for_each(|link| overrule(link, word_lanes(self.chunk, link.column), values));
        self.lanes.put_value(values, !lanes, 0.into());
        // Lanes that have ended have their numbers; for these there is no value.
        for (number, value) in self.scratch.numbers.0.iter_mut().zip(&*values) {
            let value: u32 = (*value).into();
            *number |= value as u8;
        }
        let mut after = Mask::NONE;
        for (place, to) in chain.to.iter().enumerate().rev() {
            let from = L::Target::from((place as u16 + 1) << 8);
            let here = self.lanes.lanes_with(values, |value| *value >= from);
            self.send(here.without(after), *to);
            after = here;
        }
        lanes.without(after)
    }
}

/// Puts a link's value into the lanes in which the link holds.
#[inline(always)]
fn overrule<T: Copy + From<u16>>(link: &Link, words: &[u32; LANES], values: &mut [T; LANES]) {
    let Link { with, value, is_float, relation, .. } = *link;
    let here = T::from(value);
    macro_rules! each {
        (|$word:ident| $holds:expr) => {
            for (value, $word) in values.iter_mut().zip(words) {
                *value = if $holds { here } else { *value };
            }
        };
    }
    if is_float {
        let with = f32::from_bits(with);
        by_relation!(relation, |holds| each!(|word| holds(f32::from_bits(*word), with)));
    } else {
        by_relation!(relation, |holds| each!(|word| holds(*word as i32, with as i32)));
    }
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
                let mut values = [7; LANES];
                overrule(&Link { column: 0, with, is_float, relation, value: 0x101 }, &words, &mut values);
                let holds = |word: u32| match is_float {
                    true => relation.holds(f32::from_bits(word), f32::from_bits(with)),
                    false => relation.holds(word as i32, with as i32),
                };
                assert_eq!(values, words.map(|word| if holds(word) { 0x101 } else { 7 }), "{relation:?}");
            }
        }
    }
}
