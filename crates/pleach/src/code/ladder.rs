//! Long chains of tests, decided column by column.
//!
//! A selector with many children, each with a condition of its own, is a chain of tests. The first
//! test that holds decides. Usually there are many tests and few variables, so several tests read
//! the same column. The tests of one column cut the numbers into segments, and for each segment it
//! is known which of these tests is the first to hold. So for each column one search finds the
//! segment of the number and replaces all tests of the column. The least of the columns' results is
//! the first test of the chain that holds.
//!
//! ```text
//!   0: a > 90   1: b > 90   2: a > 80   3: b > 80        a:  ..80 none   80..90 2   90.. 0
//!                                                        b:  ..80 none   80..90 3   90.. 1
//! ```
//!
//! A number becomes a *key*, an integer that is ordered as the number is: an integer is its own
//! key, and of a float's bits all but the sign are flipped if it is negative. The two zeros have
//! keys side by side, and NaNs lie beyond the infinities.

use super::relation::Relation;
use super::step::Step;
use crate::layout::LANES;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Segments of a rung: a power of two, for a search without a branch.
const SEGMENTS: usize = 16;
const CUTS: usize = SEGMENTS - 1;
/// Fewest tests of a ladder, and fewest for each rung on average: below
/// that, test by test is as fast.
const FEWEST: usize = 16;
const FEWEST_A_RUNG: usize = 4;
/// Most tests of a ladder.
pub(crate) const MOST: usize = 64;

/// Bits that are flipped in the keys of negative floats.
const FLOAT: u32 = 0x7fff_ffff;

/// Some tests of one column.
#[derive(Clone, Debug)]
struct Rung {
    column: u32,
    /// [`FLOAT`] or 0.
    flip: u32,
    /// Greatest key of each segment but the last, in order. Unused entries
    /// are the greatest of all keys.
    cuts: [i32; SEGMENTS],
    /// For each segment, the first test that holds.
    firsts: [u16; SEGMENTS],
}

/// A chain of tests.
#[derive(Clone, Debug)]
pub(crate) struct Ladder {
    rungs: Box<[Rung]>,
    /// For each test, where it leads; the last is where control goes on if none holds.
    pub(crate) targets: Box<[u32]>,
}

impl Ladder {
    /// Returns a ladder of tests that lead to these targets; `None` if it is not worth it.
    pub(crate) fn of(tests: &[Step], targets: &[u32]) -> Option<Self> {
        let sets: Vec<Set> = tests.iter().map(|step| Set::of(*step)).collect::<Option<_>>()?;
        let mut columns: Vec<u32> = sets.iter().map(|set| set.column).collect();
        columns.sort_unstable();
        columns.dedup();
        let mut rungs = Vec::new();
        for column in columns {
            let of_column = sets.iter().enumerate().filter(|(_, set)| set.column == column);
            add_rungs(of_column, tests.len() as u16, &mut rungs);
        }
        let worth = tests.len() >= FEWEST && tests.len() >= rungs.len() * FEWEST_A_RUNG;
        worth.then(|| Self { rungs: rungs.into(), targets: targets.into() })
    }

    /// Tells for each of some lanes which of the targets it goes on at. Rung by rung, so that the
    /// lanes need not wait for each other.
    #[inline]
    pub(crate) fn sort(&self, words: &[u32], lanes: &[u8], mut out: impl FnMut(usize, u8)) {
        let mut firsts = [self.targets.len() as u16 - 1; LANES];
        for rung in &self.rungs {
            let Some(words) = words[rung.column as usize..].first_chunk::<LANES>() else { continue };
            // The constants make two loops without a loop inside.
            if rung.few() {
                rung.sort(words, lanes, &mut firsts, SEGMENTS / 4);
            } else {
                rung.sort(words, lanes, &mut firsts, SEGMENTS / 2);
            }
        }
        for (first, lane) in firsts.iter().zip(lanes) {
            out(usize::from(*first), *lane);
        }
    }

    /// Returns the step at which a lane goes on.
    #[inline]
    pub(crate) fn find(&self, words: &[u32], lane: u8) -> u32 {
        let mut first = self.targets.len() - 1;
        for rung in &self.rungs {
            let word = words[rung.column as usize + usize::from(lane)];
            let segment = rung.segment(key(word, rung.flip), SEGMENTS / 2);
            first = first.min(usize::from(rung.firsts[segment % SEGMENTS]));
        }
        self.targets[first]
    }
}

impl Rung {
    /// Returns the number of cuts below a key. There are fewer than `2 * half` cuts.
    #[inline]
    fn segment(&self, key: i32, mut half: usize) -> usize {
        let mut segment = 0;
        while half > 0 {
            segment += half * usize::from(key > self.cuts[(segment + half - 1) % SEGMENTS]);
            half /= 2;
        }
        segment
    }

    /// Returns true if there are so few cuts that the search takes a step less.
    fn few(&self) -> bool {
        self.cuts[SEGMENTS / 2 - 1] == i32::MAX
    }

    /// Finds the first test that holds among these and those found before.
    #[inline]
    fn sort(&self, words: &[u32; LANES], lanes: &[u8], firsts: &mut [u16; LANES], half: usize) {
        for (first, lane) in firsts.iter_mut().zip(lanes) {
            let segment = self.segment(key(words[usize::from(*lane)], self.flip), half);
            *first = self.firsts[segment % SEGMENTS].min(*first);
        }
    }
}

#[inline]
fn key(word: u32, flip: u32) -> i32 {
    let word = word as i32;
    word ^ ((word >> 31) as u32 & flip) as i32
}

/// The keys for which a test holds.
#[derive(Clone, Copy, Debug)]
struct Set {
    column: u32,
    flip: u32,
    /// From the first to the last key, empty if that is less.
    low: i64,
    high: i64,
    /// True if the test holds for all other keys instead.
    outside: bool,
}

impl Set {
    /// Returns the set of a test; `None` if the step is not a comparison
    /// of a column with a constant.
    fn of(step: Step) -> Option<Self> {
        let (column, flip, relation, (below, above), (least, most)) = match step {
            // Nothing is less than NaN, equal to it, or greater.
            Step::Float { column, relation, with, .. } if with.is_nan() => {
                (column, FLOAT, relation, (0, -1), (0, -1))
            }
            Step::Float { column, relation, with, .. } => {
                let key = |float: f32| i64::from(key(float.to_bits(), FLOAT));
                let zeros = (-1, 0);
                let with = if with == 0.0 { zeros } else { (key(with), key(with)) };
                (column, FLOAT, relation, with, (key(f32::NEG_INFINITY), key(f32::INFINITY)))
            }
            Step::Int { column, relation, with, .. } => {
                (column, 0, relation, (with.into(), with.into()), (i32::MIN.into(), i32::MAX.into()))
            }
            _ => return None,
        };
        let (low, high) = match relation {
            Relation::Lt | Relation::NotLt => (least, below - 1),
            Relation::Le | Relation::NotLe => (least, above),
            Relation::Gt | Relation::NotGt => (above + 1, most),
            Relation::Ge | Relation::NotGe => (below, most),
            Relation::Eq | Relation::Ne => (below, above),
        };
        Some(Self { column, flip, low, high, outside: relation.is_negative() })
    }

    fn holds(&self, key: i64) -> bool {
        (self.low..=self.high).contains(&key) != self.outside
    }

    /// Returns the last keys before the test begins to hold and before it ceases to hold.
    fn cuts(&self) -> impl Iterator<Item = i32> {
        let ends = if self.low > self.high { [None, None] } else { [Some(self.low - 1), Some(self.high)] };
        ends.into_iter().flatten().filter_map(|cut| i32::try_from(cut).ok()).filter(|cut| *cut < i32::MAX)
    }
}

/// Returns true if a step can be part of a chain.
pub(crate) fn fits(step: Step) -> bool {
    Set::of(step).is_some()
}

/// Adds the rungs of a column's tests, each of as many tests as have room.
fn add_rungs<'a>(tests: impl Iterator<Item = (usize, &'a Set)>, none: u16, rungs: &mut Vec<Rung>) {
    let (mut members, mut cuts) = (Vec::new(), Vec::new());
    for (index, set) in tests {
        let mut more = cuts.clone();
        more.extend(set.cuts());
        more.sort_unstable();
        more.dedup();
        if more.len() > CUTS {
            rungs.push(rung(&members, &cuts, none));
            members.clear();
            more = set.cuts().collect();
            more.sort_unstable();
        }
        cuts = more;
        members.push((index, *set));
    }
    rungs.push(rung(&members, &cuts, none));
}

fn rung(members: &[(usize, Set)], sorted: &[i32], none: u16) -> Rung {
    let mut cuts = [i32::MAX; SEGMENTS];
    cuts[..sorted.len()].copy_from_slice(sorted);
    let mut firsts = [none; SEGMENTS];
    for (segment, first) in firsts.iter_mut().enumerate().take(sorted.len() + 1) {
        // A segment's last key; the last segment has the greatest.
        let last = sorted.get(segment).map_or(i64::from(i32::MAX), |cut| i64::from(*cut));
        let holds = members.iter().find(|(_, set)| set.holds(last));
        *first = holds.map_or(none, |(index, _)| *index as u16);
    }
    let (column, flip) = members.first().map_or((0, 0), |(_, set)| (set.column, set.flip));
    Rung { column, flip, cuts, firsts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    const FLOATS: [f32; 13] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        1e-45,
        -1e-45,
        90.5,
        -90.5,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    const INTS: [i32; 7] = [0, 1, -1, 90, -90, i32::MAX, i32::MIN];

    const RELATIONS: [Relation; 6] =
        [Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge, Relation::Eq, Relation::Ne];

    /// Tests of each kind and their negations, against one constant each.
    fn chain() -> Vec<Step> {
        let floats = FLOATS.into_iter().enumerate().map(|(index, with)| {
            let column = (index as u32 % 2) * LANES as u32;
            Step::Float { column, relation: RELATIONS[index % 6], with, target: 0 }
        });
        let ints = INTS.into_iter().enumerate().map(|(index, with)| {
            let column = 2 * LANES as u32;
            Step::Int { column, relation: RELATIONS[index % 6], with, target: 0 }
        });
        floats.chain(ints).flat_map(|step| [step, step.negated().unwrap_or(step)]).collect()
    }

    fn holds(step: Step, words: &[u32]) -> bool {
        match step {
            Step::Float { column, relation, with, .. } => {
                relation.holds(f32::from_bits(words[column as usize]), with)
            }
            Step::Int { column, relation, with, .. } => relation.holds(words[column as usize] as i32, with),
            _ => false,
        }
    }

    #[test]
    fn a_ladder_finds_the_first_test_that_holds() {
        let chain = chain();
        // From each test on, so that every one is first at some time.
        for from in 0..chain.len() {
            let mut tests = chain[from..].to_vec();
            while tests.len() < FEWEST {
                tests.extend_from_within(..);
            }
            let targets: Vec<u32> = (0..=tests.len() as u32).collect();
            let sets: Vec<_> = tests.iter().filter_map(|step| Set::of(*step)).collect();
            let mut rungs = Vec::new();
            for column in 0..3 {
                let of_column =
                    || sets.iter().enumerate().filter(|(_, set)| set.column == column * LANES as u32);
                if of_column().next().is_some() {
                    add_rungs(of_column(), tests.len() as u16, &mut rungs);
                }
            }
            let ladder = Ladder { rungs: rungs.into(), targets: targets.into() };
            for first in FLOATS {
                for (second, int) in FLOATS.iter().flat_map(|second| INTS.map(|int| (*second, int))) {
                    let mut words = vec![0; 3 * LANES];
                    (words[0], words[LANES], words[2 * LANES]) =
                        (first.to_bits(), second.to_bits(), int as u32);
                    let expected = tests.iter().position(|step| holds(*step, &words)).unwrap_or(tests.len());
                    assert_eq!(ladder.find(&words, 0), expected as u32, "{first} {second} {int}");
                    ladder
                        .sort(&words, &[0], |found, _| assert_eq!(found, expected, "{first} {second} {int}"));
                }
            }
        }
    }

    #[test]
    fn few_tests_make_no_ladder() {
        let test = |column: u32| Step::Int { column, relation: Relation::Lt, with: 5, target: 0 };
        let few = [test(0); FEWEST - 1];
        assert!(Ladder::of(&few, &[0; FEWEST]).is_none());
        let scattered: Vec<_> = (0..FEWEST as u32).map(|column| test(column * LANES as u32)).collect();
        assert!(Ladder::of(&scattered, &[0; FEWEST + 1]).is_none());
        assert!(Ladder::of(&[test(0); FEWEST], &[0; FEWEST + 1]).is_some());
        assert!(Ladder::of(&[Step::Return { exit: 0 }; FEWEST], &[0; FEWEST + 1]).is_none());
    }
    #[test]
    fn a_search_among_few_cuts_takes_a_step_less() {
        for count in 0..=CUTS {
            let cuts: Vec<i32> = (0..count as i32).collect();
            let test = Set::of(Step::Int { column: 0, relation: Relation::Lt, with: 99, target: 0 })
                .expect("it compares");
            let rung = rung(&[(0, test)], &cuts, 1);
            assert_eq!(rung.few(), count < SEGMENTS / 2, "{count}");
            for key in -1..=count as i32 {
                let half = if rung.few() { SEGMENTS / 4 } else { SEGMENTS / 2 };
                assert_eq!(rung.segment(key, half), cuts.iter().filter(|cut| key > **cut).count());
            }
        }
    }
}
