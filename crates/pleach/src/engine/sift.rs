//! Sorting agents by the tests that stand at the beginning of a tree.
//!
//! An agent that begins its tree anew mostly passes a few tests of its variables before it does anything. Which way it
//! goes is hard to predict, so running the tests agent by agent costs a wrong guess or two for each. Here they are run test
//! by test: each has a list of the agents that come to it, and puts each into the list of one of two others, without a
//! branch that depends on the agent. What remains are lists of agents that go on at the same step.
//!
//! Only tests of variables, positions and the time are sorted by. They change nothing, and no other agent changes what they
//! look at; so the result is the same as agent by agent.

use super::step::{Code, Step};
use crate::chunk::Chunk;
use crate::frame::{BIT_WORDS, LANES};

/// Most tests of a tree that agents are sorted by.
const MOST: usize = 64;

/// The tests at the beginning of a tree. Test `n` has list `n`; the lists of steps where agents go on stand behind them.
#[derive(Clone, Debug)]
pub(crate) struct Sift {
    tests: Box<[Sieve]>,
    /// The steps where agents go on.
    outs: Box<[u32]>,
}

/// A test, and the lists that it leads to. These come later than its own.
#[derive(Clone, Copy, Debug)]
struct Sieve {
    step: Step,
    yes: usize,
    no: usize,
}

/// Lists of lanes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    lanes: Box<[[u8; LANES]]>,
    lens: Box<[usize]>,
}

impl Lists {
    pub(crate) fn new(count: usize) -> Self {
        Self { lanes: vec![[0; LANES]; count].into(), lens: vec![0; count].into() }
    }

    /// The first list, to be filled, and its length.
    #[inline]
    pub(crate) fn first(&mut self) -> Option<(&mut [u8; LANES], &mut usize)> {
        self.lanes.first_mut().zip(self.lens.first_mut())
    }

    /// The lanes of a list, which is then empty.
    fn take(&mut self, list: usize) -> &[u8] {
        let len = core::mem::take(&mut self.lens[list]);
        &self.lanes[list][..len.min(LANES)]
    }

    /// Moves the lanes of a list to one of two others.
    #[inline]
    fn split(&mut self, list: usize, sieve: Sieve, holds: impl Fn(usize) -> bool) {
        let Sieve { yes, no, .. } = sieve;
        let Ok([from, to_yes, to_no]) = self.lanes.get_disjoint_mut([list, yes, no]) else { return };
        let (mut yeses, mut noes) = (self.lens[yes], self.lens[no]);
        for lane in &from[..self.lens[list].min(LANES)] {
            let holds = holds(usize::from(*lane));
            // Of the two places, the one that is not its own is taken by the next lane.
            to_yes[yeses % LANES] = *lane;
            to_no[noes % LANES] = *lane;
            yeses += usize::from(holds);
            noes += usize::from(!holds);
        }
        (self.lens[yes], self.lens[no], self.lens[list]) = (yeses, noes, 0);
    }
}

impl Sift {
    /// The tests from a step on.
    pub(crate) fn of(code: &Code, start: u32) -> Self {
        let order = order(code, start);
        let mut outs = if order.is_empty() { vec![start] } else { Vec::new() };
        let list = |step: u32, outs: &mut Vec<u32>| {
            let test = order.iter().position(|it| *it == step);
            test.unwrap_or_else(|| {
                let known = outs.iter().position(|it| *it == step);
                order.len()
                    + known.unwrap_or_else(|| {
                        outs.push(step);
                        outs.len() - 1
                    })
            })
        };
        let mut tests = Vec::with_capacity(order.len());
        for step in &order {
            if let Some(ways) = ways(code, *step) {
                let [yes, no] = ways.map(|way| list(way, &mut outs));
                tests.push(Sieve { step: code.steps[*step as usize], yes, no });
            }
        }
        Self { tests: tests.into(), outs: outs.into() }
    }

    /// How many lists it needs.
    pub(crate) fn lists(&self) -> usize {
        self.tests.len() + self.outs.len()
    }

    /// Moves the agents of the first list on, and tells for each where it goes on.
    #[inline(never)]
    pub(crate) fn run(
        &self,
        code: &Code,
        lists: &mut Lists,
        chunk: &Chunk,
        now: i64,
        mut out: impl FnMut(u32, u8),
    ) {
        for (list, sieve) in self.tests.iter().enumerate() {
            if lists.lens[list] > 0 {
                sieve.run(list, lists, chunk, now);
            }
        }
        for (list, start) in self.outs.iter().enumerate() {
            let lanes = lists.take(self.tests.len() + list);
            match code.steps[*start as usize] {
                Step::Ladder { ladder } => {
                    code.ladders[ladder as usize].sort(&chunk.words, lanes, &mut out);
                }
                _ => lanes.iter().for_each(|lane| out(*start, *lane)),
            }
        }
    }
}

impl Sieve {
    fn run(self, list: usize, lists: &mut Lists, chunk: &Chunk, now: i64) {
        macro_rules! words {
            ($column:expr, |$word:ident| $holds:expr) => {{
                let words: &[u32; LANES] = lanes(&chunk.words, $column);
                lists.split(list, self, |lane| {
                    let $word = words[lane];
                    $holds
                })
            }};
        }
        macro_rules! floats {
            ($test:expr, |$x:ident, $c:ident| $holds:expr) => {{
                let $c = $test.with;
                words!($test.column, |word| {
                    let $x = f32::from_bits(word);
                    $holds
                })
            }};
        }
        match self.step {
            Step::Bit { column, is, .. } => {
                let bits: &[u64; BIT_WORDS] = lanes(&chunk.bits, column);
                lists.split(list, self, |lane| (bits[lane / 64 % BIT_WORDS] >> (lane % 64) & 1 != 0) == is);
            }
            Step::FloatLt(test) => floats!(test, |x, c| x < c),
            Step::FloatLe(test) => floats!(test, |x, c| x <= c),
            Step::FloatGt(test) => floats!(test, |x, c| x > c),
            Step::FloatGe(test) => floats!(test, |x, c| x >= c),
            Step::FloatEq(test) => floats!(test, |x, c| x == c),
            Step::FloatNe(test) => floats!(test, |x, c| x != c),
            Step::FloatNotLt(test) => floats!(test, |x, c| !(x < c)),
            Step::FloatNotLe(test) => floats!(test, |x, c| !(x <= c)),
            Step::FloatNotGt(test) => floats!(test, |x, c| !(x > c)),
            Step::FloatNotGe(test) => floats!(test, |x, c| !(x >= c)),
            Step::IntLt(test) => words!(test.column, |word| (word as i32) < test.with),
            Step::IntGe(test) => words!(test.column, |word| word as i32 >= test.with),
            Step::IntEq(test) => words!(test.column, |word| word as i32 == test.with),
            Step::IntNe(test) => words!(test.column, |word| word as i32 != test.with),
            Step::Due { column, reached, .. } => words!(column, |word| {
                let slot = i64::from(word as i32);
                now < slot || now == slot && !reached
            }),
            Step::Half(test) => {
                let halves: &[u16; LANES] = lanes(&chunk.halves, test.column);
                lists.split(list, self, |lane| test.with.holds(halves[lane]));
            }
            Step::I8(test) => {
                let bytes: &[u8; LANES] = lanes(&chunk.bytes, test.column);
                lists.split(list, self, |lane| test.with.holds(i16::from(bytes[lane] as i8) as u16));
            }
            Step::U8(test) => {
                let bytes: &[u8; LANES] = lanes(&chunk.bytes, test.column);
                lists.split(list, self, |lane| test.with.holds(bytes[lane].into()));
            }
            _ => {}
        }
    }
}

/// The lanes of a column.
fn lanes<T, const N: usize>(array: &[T], column: u32) -> &[T; N] {
    array[column as usize..].first_chunk().unwrap_or_else(|| unreachable!("a column has all its lanes"))
}

/// Where a test leads when it holds and when not; `None` for any other step.
fn ways(code: &Code, at: u32) -> Option<[u32; 2]> {
    let mut step = *code.steps.get(at as usize)?;
    let sorts = matches!(
        step,
        Step::Bit { .. }
            | Step::FloatLt(_)
            | Step::FloatLe(_)
            | Step::FloatGt(_)
            | Step::FloatGe(_)
            | Step::FloatEq(_)
            | Step::FloatNe(_)
            | Step::FloatNotLt(_)
            | Step::FloatNotLe(_)
            | Step::FloatNotGt(_)
            | Step::FloatNotGe(_)
            | Step::IntLt(_)
            | Step::IntGe(_)
            | Step::IntEq(_)
            | Step::IntNe(_)
            | Step::Due { .. }
            | Step::Half(_)
            | Step::I8(_)
            | Step::U8(_)
    );
    let yes = *step.target_mut()?;
    let past = |at: u32| match code.steps.get(at as usize) {
        Some(Step::Jump { target }) => *target,
        _ => at,
    };
    let (yes, no) = (past(yes), past(at + 1));
    (sorts && yes != no).then_some([yes, no])
}

/// The tests that can be reached from a step by tests alone, each before those it leads to; not more than [`MOST`].
fn order(code: &Code, start: u32) -> Vec<u32> {
    // Depth first; a test is finished when all behind it are. Finished last is first.
    let mut open = vec![(start, 0)];
    let (mut seen, mut order) = (Vec::new(), Vec::new());
    while let Some((at, next)) = open.pop() {
        if next == 0 && (seen.contains(&at) || seen.len() == MOST || ways(code, at).is_none()) {
            continue;
        }
        if next == 0 {
            seen.push(at);
        }
        match ways(code, at).and_then(|ways| ways.get(next).copied()) {
            Some(way) => open.extend([(at, next + 1), (way, 0)]),
            None => order.push(at),
        }
    }
    order.reverse();
    order
}
