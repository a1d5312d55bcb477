//! All lanes do what one lane does.

use super::*;
use alloc::{boxed::Box, vec::Vec};
use quickcheck::{Arbitrary, Gen};

/// Returns quickcheck's numbers for a seed, among which the least and the greatest are frequent.
pub(in super::super) fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut chance = Gen::from_size_and_seed(1, seed);
    move || u64::arbitrary(&mut chance)
}

/// Does something with each kind of lanes that this processor has.
macro_rules! on_all_lanes {
    ($check:expr) => {{
        $check(Portable);
        #[cfg(target_arch = "x86_64")]
        {
            x86::Avx2::of_this_processor().into_iter().for_each($check);
            x86::Avx512::of_this_processor().into_iter().for_each($check);
        }
    }};
}

/// The lanes for which it holds, one by one.
fn those(holds: impl Fn(usize) -> bool) -> u64 {
    (0..64).filter(|lane| holds(*lane)).map(|lane| 1 << lane).sum()
}

const FLOATS: [f32; 8] = [0.0, -0.0, 1.5, -1.5, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX];
const SOME: u64 = 0xf00f_1234_5678_9abd;

fn tests_are_right(lanes: impl Lanes) {
    let mut random = random(1);
    for with in FLOATS {
        let words: Words = core::array::from_fn(|_| FLOATS[random() as usize % 8].to_bits());
        let float = |lane: usize| f32::from_bits(words[lane]);
        let numbers: [f64; 64] = core::array::from_fn(|lane| float(lane).into());
        let relations = [Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge, Relation::Eq, Relation::Ne];
        for relation in relations.into_iter().flat_map(|relation| [relation, relation.negated()]) {
            let expected = those(|lane| relation.holds(numbers[lane], with.into()));
            assert_eq!(lanes.reals(&numbers, relation, with.into()), expected, "{relation:?}");
            assert_eq!(lanes.floats(&words, relation, with), expected, "{relation:?}");
        }
    }
    for with in [0_i32, 3, -3, i32::MIN, i32::MAX] {
        let words: Words = core::array::from_fn(|lane| with.wrapping_add(lane as i32 % 5 - 2) as u32);
        let int = |lane: usize| words[lane] as i32;
        for order in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
            assert_eq!(lanes.ints(&words, order, with), those(|lane| int(lane).cmp(&with) == order));
        }
        let with = with as u32;
        assert_eq!(lanes.word_gt(&words, with), those(|lane| words[lane] > with));
    }
    for (low, span) in [(0, 0), (7, 0), (7, 9), (250, 20), (0, 255), (1, 254)] {
        let halves: Halves = core::array::from_fn(|_| random() as u16 % 300);
        let wide = Span { low, span };
        let offset = |lane: usize| halves[lane].wrapping_sub(low);
        assert_eq!(lanes.half_in(&halves, wide), those(|lane| offset(lane) <= span));
        assert_eq!(lanes.half_eq(&halves, low), those(|lane| halves[lane] == low));
        let bytes: Bytes = core::array::from_fn(|_| random() as u8);
        let (low, span) = (low as u8, span as u8);
        assert_eq!(lanes.byte_in(&bytes, low, span), those(|lane| bytes[lane].wrapping_sub(low) <= span));
    }
}

fn writes_are_right(lanes: impl Lanes) {
    let mut random = random(2);
    for some in [0, 1, SOME, !SOME, 1 << 63, u64::MAX] {
        let is = |lane: usize| some >> lane & 1 != 0;
        let (words, halves): (Words, Halves) =
            (core::array::from_fn(|_| random() as u32), core::array::from_fn(|lane| lane as u16 / 20));
        let bytes: Bytes = core::array::from_fn(|_| random() as u8);
        let (mut after, number) = (words, 0x1234_5678);
        lanes.put_words(&mut after, some, number);
        assert_eq!(after, core::array::from_fn(|lane| if is(lane) { number } else { words[lane] }));
        let mut after = halves;
        lanes.put_halves(&mut after, some, 0xabcd);
        assert_eq!(after, core::array::from_fn(|lane| if is(lane) { 0xabcd } else { halves[lane] }));
        let mut after = halves;
        let left = lanes.count_down(&mut after, some);
        assert_eq!(left, those(|lane| is(lane) && halves[lane] > 1));
        let down: Halves =
            core::array::from_fn(|lane| halves[lane] - u16::from(is(lane) && halves[lane] > 0));
        assert_eq!(after, down);
        let mut after = bytes;
        lanes.put_bytes(&mut after, some, 0x77);
        assert_eq!(after, core::array::from_fn(|lane| if is(lane) { 0x77 } else { bytes[lane] }));
        let (mut after, low, high) = (bytes, random() & some, random() & some);
        lanes.put_ends(&mut after, some, low, high);
        let end = |lane: usize| (low >> lane & 1) as u8 + 2 * (high >> lane & 1) as u8;
        assert_eq!(after, core::array::from_fn(|lane| if is(lane) { end(lane) } else { bytes[lane] }));
        let (bits, mut place) = (random(), 0);
        let mut expected = 0;
        for lane in (0..64).filter(|lane| is(*lane)) {
            expected |= (bits >> place & 1) << lane;
            place += 1;
        }
        assert_eq!(lanes.deposit(bits, some), expected);
        let mut list: Gathered = [0; LANES + 64];
        lanes.gather([some, 0, !some, 5], &mut list);
        let words = [(0, some), (128, !some), (192, 5)];
        let expected: Vec<u8> = words
            .into_iter()
            .flat_map(|(first, word)| {
                (0..64).filter(move |lane| word >> lane & 1 != 0).map(move |lane| first + lane)
            })
            .collect();
        assert_eq!(list[..expected.len()], expected);
    }
}

fn chains_are_right(lanes: impl Lanes) {
    let mut random = random(3);
    let words: Vec<u32> = (0..2 * LANES)
        .map(|place| match place / LANES {
            0 => FLOATS[random() as usize % 8].to_bits(),
            _ => (random() % 9) as u32,
        })
        .collect();
    let floats = [Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge, Relation::Eq];
    let floats = floats.into_iter().flat_map(|relation| [relation, relation.negated()]);
    let ints = [Ordering::Less, Ordering::Equal, Ordering::Greater].map(WordComparison::Int);
    let comparisons: Vec<_> = floats.map(WordComparison::Float).chain(ints).collect();
    for round in 0..40 {
        let link = |index: usize| {
            let comparison = comparisons[random() as usize % comparisons.len()];
            let of_ints = matches!(comparison, WordComparison::Int(_));
            let with = if of_ints { (random() % 9) as u32 } else { FLOATS[random() as usize % 8].to_bits() };
            let column = if of_ints { LANES as u32 } else { 0 };
            let (is, value) = (!random().is_multiple_of(8), 0x101 * (index as u32 + 1));
            Link { column, with, comparison, is, value }
        };
        let links: Box<[Link]> = (0..1 + round % 4).map(link).collect();
        let mut values = Box::new([0; 256]);
        values[1..].iter_mut().zip(&links).for_each(|(value, link)| *value = link.value);
        let chain = Chain { links, values, to: [].into() };
        let holds = |link: &&Link, lane: usize| {
            let word = words[link.column as usize + lane];
            let (float, with) = (f32::from_bits(word), f32::from_bits(link.with));
            let holds = match link.comparison {
                WordComparison::Float(relation) => relation.holds(float, with),
                WordComparison::Int(order) => (word as i32).cmp(&(link.with as i32)) == order,
            };
            holds == link.is
        };
        for first in [0, 128] {
            let found = lanes.links(&words, first, &chain);
            let of = |lane: usize| chain.links.iter().rev().find(|link| holds(link, first + lane));
            assert_eq!(found, core::array::from_fn(|lane| of(lane).map_or(0, |link| link.value)));
        }
    }
}

#[test]
fn all_lanes_do_what_one_lane_does() {
    on_all_lanes!(tests_are_right);
    on_all_lanes!(writes_are_right);
    on_all_lanes!(chains_are_right);
}
