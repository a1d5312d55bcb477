//! Lists of agents: steps that need no host, run for many agents at a time.
//!
//! Which way an agent goes through the tests of its tree is hard to predict, and so is which step comes next in an
//! interpreter: agent by agent, each tick costs a few wrong guesses. Here a step has a list of the agents that come to it.
//! A test puts each of them into one of two other lists, without a branch that depends on the agent; a step that writes
//! does so for all of its list. Control only goes forward, so each step has its turn once.
//!
//! Only steps that look at nothing but the agent's own columns and the time run in this way, so the result is the same as
//! agent by agent. What remains are lists of agents that go on at the same step, for the scalar engine.

use crate::code::plan::{Node, Plan};
use crate::code::relation::Relation;
use crate::code::site::Held;
use crate::code::step::Step;
use crate::code::steps::Code;
use crate::engine::parts::Parts;
use crate::layout::{BIT_WORDS, LANES};
use crate::store::chunk::Chunk;
use alloc::boxed::Box;
use alloc::vec;
use core::ops::RangeInclusive;

/// Lists of lanes.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    lanes: Box<[[u8; LANES]]>,
    lens: Box<[u32]>,
}

impl Lists {
    pub(crate) fn new(count: usize) -> Self {
        Self { lanes: vec![[0; LANES]; count].into(), lens: vec![0; count].into() }
    }

    /// Puts a lane into a list. Each is in one list at a time.
    #[inline]
    pub(crate) fn add(&mut self, list: u8, lane: u8) {
        let len = &mut self.lens[usize::from(list)];
        self.lanes[usize::from(list)][*len as usize % LANES] = lane;
        *len += 1;
    }

    /// The lanes of a list, which is then empty.
    fn take(&mut self, list: usize) -> &[u8] {
        let len = core::mem::take(&mut self.lens[list]) as usize;
        &self.lanes[list][..len.min(LANES)]
    }

    /// Moves the lanes of a list to one of two others.
    #[inline]
    fn split(&mut self, list: usize, node: Node, holds: impl Fn(usize) -> bool) {
        let Node { yes, no, .. } = node;
        let len = core::mem::take(&mut self.lens[list]) as usize;
        let Ok([from, to_yes, to_no]) = self.lanes.get_disjoint_mut([list, yes, no]) else { return };
        let (mut yeses, mut noes) = (self.lens[yes] as usize, self.lens[no] as usize);
        for lane in &from[..len.min(LANES)] {
            let holds = holds(usize::from(*lane));
            // Of the two places, the one that is not its own is taken by the next lane.
            to_yes[yeses % LANES] = *lane;
            to_no[noes % LANES] = *lane;
            yeses += usize::from(holds);
            noes += usize::from(!holds);
        }
        (self.lens[yes], self.lens[no]) = (yeses as u32, noes as u32);
    }

    /// Moves the lanes of a list to another, and does something for each.
    #[inline]
    fn each(&mut self, list: usize, to: usize, mut act: impl FnMut(usize)) {
        let len = core::mem::take(&mut self.lens[list]) as usize;
        let Ok([from, into]) = self.lanes.get_disjoint_mut([list, to]) else { return };
        let first = self.lens[to] as usize;
        for (place, lane) in from[..len.min(LANES)].iter().enumerate() {
            act(usize::from(*lane));
            into[(first + place) % LANES] = *lane;
        }
        self.lens[to] += len as u32;
    }
}

/// Agents to run steps for: the step at which each begins, times 256, plus its lane.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub(super) agents: Box<[u64; LANES]>,
    pub(super) count: usize,
    pub(super) lists: Lists,
}

impl Work {
    pub(crate) fn of(parts: &Parts) -> Self {
        let sweeps = parts.sweeps.iter().flatten();
        let lists = sweeps.map(|sweep| sweep.plan.lists()).max().unwrap_or(0);
        Self { agents: Box::new([0; LANES]), count: 0, lists: Lists::new(lists) }
    }
}

/// Where a tick's results go.
pub(crate) trait Ends {
    /// The tick of these agents is over, and how it ended is to be written into `ends`.
    fn end(&mut self, exit: u8, ends: &mut [u8], lanes: &[u8]);
    /// An agent goes on at a step.
    fn go(&mut self, start: u32, lane: u8);
}

impl Plan {
    /// Runs all lists.
    #[inline(never)]
    pub(crate) fn run(&self, parts: &Parts, lists: &mut Lists, chunk: &mut Chunk, ends: &mut impl Ends) {
        for (list, node) in self.nodes.iter().enumerate() {
            if lists.lens[list] == 0 || node.test(list, lists, chunk) || node.write(list, lists, chunk) {
                continue;
            }
            match node.step {
                Step::Return { exit } => ends.end(exit, &mut chunk.ends, lists.take(list)),
                Step::Ladder { ladder } => self.ladder(&parts.fused, ladder, (list, node.yes), lists, chunk),
                Step::Tick { .. } | Step::Until { .. } => node.wait(list, lists, chunk),
                _ => node.rest(parts, list, lists, chunk, ends),
            }
        }
        for (list, start) in self.outs.iter().enumerate() {
            lists.take(self.nodes.len() + list).iter().for_each(|lane| ends.go(*start, *lane));
        }
    }

    fn ladder(
        &self,
        code: &Code,
        ladder: u32,
        (list, first): (usize, usize),
        lists: &mut Lists,
        chunk: &Chunk,
    ) {
        let mut from = [0; LANES];
        let lanes = lists.take(list);
        let len = lanes.len();
        from[..len].copy_from_slice(lanes);
        let to = &self.ladders[first..];
        let out = |target: usize, lane| lists.add(to[target], lane);
        code.ladders[ladder as usize].sort(&chunk.words, &from[..len], out);
    }
}

impl Node {
    /// Runs a test; `false` if the step is none.
    fn test(self, list: usize, lists: &mut Lists, chunk: &Chunk) -> bool {
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
            ($test:expr, $relation:ident) => {
                words!($test.column, |word| Relation::$relation.holds(f32::from_bits(word), $test.with))
            };
        }
        match self.step {
            Step::Bit { column, is, .. } => {
                let bits: &[u64; BIT_WORDS] = lanes(&chunk.bits, column);
                lists.split(list, self, |lane| (bits[lane / 64 % BIT_WORDS] >> (lane % 64) & 1 != 0) == is);
            }
            Step::FloatLt(test) => floats!(test, Lt),
            Step::FloatLe(test) => floats!(test, Le),
            Step::FloatGt(test) => floats!(test, Gt),
            Step::FloatGe(test) => floats!(test, Ge),
            Step::FloatEq(test) => floats!(test, Eq),
            Step::FloatNe(test) => floats!(test, Ne),
            Step::FloatNotLt(test) => floats!(test, NotLt),
            Step::FloatNotLe(test) => floats!(test, NotLe),
            Step::FloatNotGt(test) => floats!(test, NotGt),
            Step::FloatNotGe(test) => floats!(test, NotGe),
            Step::IntLt(test) => words!(test.column, |word| (word as i32) < test.with),
            Step::IntGe(test) => words!(test.column, |word| word as i32 >= test.with),
            Step::IntEq(test) => words!(test.column, |word| word as i32 == test.with),
            Step::IntNe(test) => words!(test.column, |word| word as i32 != test.with),
            Step::Due { column, reached, .. } => {
                words!(column, |word| chunk.clock.is_before(word, reached));
            }
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
            _ => return false,
        }
        true
    }

    /// Runs a step that writes and goes on; `false` if the step is none.
    fn write(self, list: usize, lists: &mut Lists, chunk: &mut Chunk) -> bool {
        match self.step {
            Step::SetWord { column, value, .. } => {
                let words: &mut [u32; LANES] = lanes_mut(&mut chunk.words, column);
                lists.each(list, self.yes, |lane| words[lane] = value);
            }
            Step::SetHalf { column, value, .. } | Step::Ticks { column, count: value, .. } => {
                let halves: &mut [u16; LANES] = lanes_mut(&mut chunk.halves, column);
                lists.each(list, self.yes, |lane| halves[lane] = value);
            }
            Step::Clear { column, .. } => {
                let halves: &mut [u16; LANES] = lanes_mut(&mut chunk.halves, column);
                lists.each(list, self.yes, |lane| halves[lane] = 0);
            }
            Step::SetByte { column, value, .. } => {
                let bytes: &mut [u8; LANES] = lanes_mut(&mut chunk.bytes, column);
                lists.each(list, self.yes, |lane| bytes[lane] = value);
            }
            Step::SetTruth { column, value, .. } => {
                lists.each(list, self.yes, |lane| chunk.set_bit(column, lane as u8, value));
            }
            Step::Arm { column, duration, .. } => {
                let timer = chunk.clock.after(duration);
                let words: &mut [u32; LANES] = lanes_mut(&mut chunk.words, column);
                lists.each(list, self.yes, |lane| words[lane] = timer);
            }
            _ => return false,
        }
        true
    }

    /// Runs a step that waits: agents that go on waiting are in no list any more.
    fn wait(self, list: usize, lists: &mut Lists, chunk: &mut Chunk) {
        let mut lanes = [0; LANES];
        let from = lists.take(list);
        let len = from.len();
        lanes[..len].copy_from_slice(from);
        for lane in &lanes[..len] {
            let (waits, column) = match self.step {
                Step::Tick { timer, column, .. } => {
                    let timer = chunk.half_mut(timer, *lane);
                    *timer = timer.saturating_sub(1);
                    (*timer != 0, column)
                }
                Step::Until { timer, column, .. } => (chunk.is_before(timer, *lane, true), column),
                _ => return,
            };
            if !waits {
                *chunk.half_mut(column, *lane) = 0;
                lists.add(self.yes as u8, *lane);
            }
        }
    }

    /// Runs a step by which a leaf begins to run, or by which one is halted. Agents in which an action is halted are left to
    /// the scalar engine: the host must hear of it. So are all agents if the step is another one.
    fn rest(self, parts: &Parts, list: usize, lists: &mut Lists, chunk: &mut Chunk, ends: &mut impl Ends) {
        let mut lanes = [0; LANES];
        let from = lists.take(list);
        let len = from.len();
        lanes[..len].copy_from_slice(from);
        for lane in &lanes[..len] {
            // Lists do not know the step.
            let Some((column, halted, node)) = position(self.step) else {
                ends.go(self.at, *lane);
                continue;
            };
            let before = chunk.half(column, *lane);
            let after = if halted.contains(&before) { node } else { before };
            if before != after && parts.held.get(usize::from(before)) != Some(&Held::Nothing) {
                ends.go(self.at, *lane);
                continue;
            }
            *chunk.half_mut(column, *lane) = after;
            if let Step::RestTicks { timer, count, .. } = self.step {
                *chunk.half_mut(timer, *lane) = count;
            } else if let Step::RestTime { timer, duration, .. } = self.step {
                chunk.arm(timer, *lane, duration);
            } else if let Step::Halt { .. } | Step::Park { .. } = self.step {
                lists.add(self.yes as u8, *lane);
            }
        }
    }
}

/// Returns the position that a step is about, the nodes that it takes from there, and the node that it puts there.
fn position(step: Step) -> Option<(u32, RangeInclusive<u16>, u16)> {
    match step {
        Step::Rest { column, node }
        | Step::RestTicks { column, node, .. }
        | Step::RestTime { column, node, .. }
        | Step::Park { column, node, .. } => Some((column, 0..=u16::MAX, node)),
        Step::Halt { column, low, high, .. } => Some((column, low..=high, 0)),
        _ => None,
    }
}

/// The lanes of a column.
fn lanes<T, const N: usize>(array: &[T], column: u32) -> &[T; N] {
    array[column as usize..].first_chunk().unwrap_or_else(|| unreachable!("a column has all its lanes"))
}

fn lanes_mut<T, const N: usize>(array: &mut [T], column: u32) -> &mut [T; N] {
    array[column as usize..].first_chunk_mut().unwrap_or_else(|| unreachable!("a column has all its lanes"))
}
