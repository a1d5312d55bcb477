//! Lists of agents: steps that need no host, run for many agents at a time.
//!
//! Which way an agent goes through the tests of its tree is hard to predict, and so is which step
//! comes next in an interpreter: agent by agent, each tick costs a few wrong guesses. Here a step
//! has a list of the agents that come to it. A test puts each of them into one of two other lists,
//! without a branch that depends on the agent; a step that writes does so for all of its list.
//! Control only goes forward, so each step has its turn once.
//!
//! Only steps that look at nothing but the agent's own columns and the time run in this way, so the
//! result is the same as agent by agent. What remains are lists of agents that go on at the same
//! step, for the scalar engine.

use crate::code::{Held, Ladder, Node, Plan, Step, asking, by_relation, classed};
use crate::engine::parts::Parts;
use crate::layout::{BIT_WORDS, LANES};
use crate::store::chunk::Chunk;
use crate::store::chunk::clock::down;
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

    /// Returns the lanes of a list, which is then empty.
    fn take(&mut self, list: usize) -> &[u8] {
        let len = core::mem::take(&mut self.lens[list]) as usize;
        &self.lanes[list][..len.min(LANES)]
    }

    /// Returns a copy of the lanes of a list, which is then empty, and their number.
    fn take_copy(&mut self, list: usize) -> ([u8; LANES], usize) {
        let (mut copy, lanes) = ([0; LANES], self.take(list));
        copy[..lanes.len()].copy_from_slice(lanes);
        (copy, lanes.len())
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

/// Receiver of the results of a tick.
pub(crate) trait Ends {
    /// Ends the tick of these agents, and writes the exit to `ends`.
    fn end(&mut self, exit: u8, ends: &mut [u8], lanes: &[u8]);
    /// Lets an agent continue at a step.
    fn go(&mut self, start: u32, lane: u8);
}

impl Plan {
    /// Runs all lists.
    #[inline(never)]
    pub(crate) fn run(&self, parts: &Parts, lists: &mut Lists, chunk: &mut Chunk, ends: &mut impl Ends) {
        for (list, node) in self.nodes.iter().enumerate() {
            if lists.lens[list] > 0 {
                self.step(parts, (list, *node), (lists, chunk, ends));
            }
        }
        for (list, start) in self.outs.iter().enumerate() {
            leave(lists, self.nodes.len() + list, *start, ends);
        }
    }

    /// Runs a step for all agents of its list.
    #[inline(always)]
    fn step<E: Ends>(&self, parts: &Parts, from: (usize, Node), to: (&mut Lists, &mut Chunk, &mut E)) {
        let ((list, node), (lists, chunk, ends)) = (from, to);
        let go_on = |lists: &mut Lists, _: &mut Chunk, lane| lists.add(node.yes as u8, lane);
        match node.step {
            Step::Return { exit } => ends.end(exit, &mut chunk.ends, lists.take(list)),
            Step::Ladder { ladder } => self.ladder(&parts.fused.ladders[ladder as usize], from, lists, chunk),
            Step::Cases { column, .. } => self.cases(column, from, lists, chunk),
            Step::Bit { column, is, .. } => part_bits(lists, from, &chunk.bits, column, is),
            Step::Float { column, relation, with, .. } => by_relation!(relation, |holds| {
                part(lists, from, &chunk.words, column, |word| holds(f32::from_bits(word), with));
            }),
            Step::Int { column, relation, with, .. } => by_relation!(relation, |holds| {
                part(lists, from, &chunk.words, column, |word| holds(word as i32, with));
            }),
            Step::Due { column, reached, .. } => {
                part(lists, from, &chunk.words, column, |word| chunk.clock.is_before(word, reached));
            }
            Step::I8 { column, span, .. } => {
                part(lists, from, &chunk.bytes, column, |byte| span.holds(i16::from(byte as i8) as u16));
            }
            Step::U8 { column, span, .. } => {
                part(lists, from, &chunk.bytes, column, |it| span.holds(it.into()))
            }
            Step::Half { column, span, .. } => part(lists, from, &chunk.halves, column, |it| span.holds(it)),
            Step::PutBit { column, value, .. } => put_bits(lists, from, chunk, column, value),
            Step::PutByte { column, value, .. } => put(lists, from, &mut chunk.bytes, column, value),
            Step::PutHalf { column, value, .. } => put(lists, from, &mut chunk.halves, column, value),
            Step::PutWord { column, value, .. } => put(lists, from, &mut chunk.words, column, value),
            Step::Arm { column, duration, .. } => {
                put(lists, from, &mut chunk.words, column, chunk.clock.after(duration));
            }
            Step::Tick { timer, column, .. } => {
                wait(lists, from, chunk, column, |chunk, lane| down(chunk.half_mut(timer, lane)));
            }
            Step::Until { timer, column, .. } => {
                wait(lists, from, chunk, column, |chunk, lane| chunk.is_before(timer, lane, true));
            }
            Step::Park { column, node: id, .. } => {
                hold(parts, from, (lists, chunk, ends), (column, ALL, id), go_on)
            }
            Step::Halt { column, low, high, .. } => {
                hold(parts, from, (lists, chunk, ends), (column, low..=high, 0), go_on);
            }
            Step::Rest { column, node: id } => {
                hold(parts, from, (lists, chunk, ends), (column, ALL, id), |_, _, _| ());
            }
            Step::RestTicks { timer, count, column, node: id } => {
                let count = |_: &mut Lists, chunk: &mut Chunk, lane| *chunk.half_mut(timer, lane) = count;
                hold(parts, from, (lists, chunk, ends), (column, ALL, id), count);
            }
            Step::RestTime { timer, duration, column, node: id } => {
                let arm = |_: &mut Lists, chunk: &mut Chunk, lane| chunk.arm(timer, lane, duration);
                hold(parts, from, (lists, chunk, ends), (column, ALL, id), arm);
            }
            // No plan has these.
            Step::Jump { .. } | Step::Switch { .. } | asking!() | classed!() => {
                leave(lists, list, node.at, ends)
            }
        }
    }

    fn cases(&self, column: u32, (list, node): (usize, Node), lists: &mut Lists, chunk: &Chunk) {
        let ((from, len), bytes) = (lists.take_copy(list), &chunk.bytes[column as usize..]);
        for lane in &from[..len] {
            let case = usize::from(bytes[usize::from(*lane)].min(3));
            lists.add(self.ladders[node.yes + case], *lane);
        }
    }

    fn ladder(&self, ladder: &Ladder, (list, node): (usize, Node), lists: &mut Lists, chunk: &Chunk) {
        let (from, len) = lists.take_copy(list);
        let to = &self.ladders[node.yes..];
        ladder.sort(&chunk.words, &from[..len], |target, lane| lists.add(to[target], lane));
    }
}

/// Leaves the agents of a list to the scalar engine, which goes on at a step.
fn leave(lists: &mut Lists, list: usize, start: u32, ends: &mut impl Ends) {
    lists.take(list).iter().for_each(|lane| ends.go(start, *lane));
}

/// Moves the agents of a list to one of two other lists, by the values of a column.
#[inline(always)]
fn part<T: Copy>(
    lists: &mut Lists,
    (list, node): (usize, Node),
    array: &[T],
    column: u32,
    holds: impl Fn(T) -> bool,
) {
    let lanes: &[T; LANES] = lanes(array, column);
    lists.split(list, node, |lane| holds(lanes[lane]));
}

/// Moves the agents of a list to one of two others, by their bits in a column.
#[inline(always)]
fn part_bits(lists: &mut Lists, (list, node): (usize, Node), array: &[u64], column: u32, is: bool) {
    let bits: &[u64; BIT_WORDS] = lanes(array, column);
    lists.split(list, node, |lane| (bits[lane / 64 % BIT_WORDS] >> (lane % 64) & 1 != 0) == is);
}

fn put_bits(lists: &mut Lists, (list, node): (usize, Node), chunk: &mut Chunk, column: u32, value: bool) {
    lists.each(list, node.yes, |lane| chunk.set_bit(column, lane as u8, value));
}

/// Puts a constant into a column for the agents of a list, which go on.
#[inline(always)]
fn put<T: Copy>(lists: &mut Lists, (list, node): (usize, Node), array: &mut [T], column: u32, value: T) {
    let lanes: &mut [T; LANES] = lanes_mut(array, column);
    lists.each(list, node.yes, |lane| lanes[lane] = value);
}

/// Runs a step that waits. Agents that go on waiting are in no list any more.
fn wait(
    lists: &mut Lists,
    (list, node): (usize, Node),
    chunk: &mut Chunk,
    column: u32,
    waits: impl Fn(&mut Chunk, u8) -> bool,
) {
    let (lanes, len) = lists.take_copy(list);
    for lane in &lanes[..len] {
        if !waits(chunk, *lane) {
            *chunk.half_mut(column, *lane) = 0;
            lists.add(node.yes as u8, *lane);
        }
    }
}

/// All that a position can hold.
const ALL: RangeInclusive<u16> = 0..=u16::MAX;

/// Puts a node into a position if the position holds a node of an interval, and calls `then`
/// for each agent. Agents in which an action is halted are left to the scalar engine,
/// because the host must be told.
#[inline(always)]
fn hold<E: Ends>(
    parts: &Parts,
    (list, node): (usize, Node),
    (lists, chunk, ends): (&mut Lists, &mut Chunk, &mut E),
    (column, halted, id): (u32, RangeInclusive<u16>, u16),
    then: impl Fn(&mut Lists, &mut Chunk, u8),
) {
    let (lanes, len) = lists.take_copy(list);
    for lane in lanes[..len].iter().copied() {
        let before = chunk.half(column, lane);
        let after = if halted.contains(&before) { id } else { before };
        let is_heard = || {
            let held = parts.held.get(usize::from(before));
            held != Some(&Held::Nothing) || parts.wrappers.surround(before)
        };
        if before != after && is_heard() {
            ends.go(node.at, lane);
            continue;
        }
        *chunk.half_mut(column, lane) = after;
        then(lists, chunk, lane);
    }
}

/// Returns the lanes of a column.
fn lanes<T, const N: usize>(array: &[T], column: u32) -> &[T; N] {
    array[column as usize..].first_chunk().unwrap_or_else(|| unreachable!("a column has all its lanes"))
}

fn lanes_mut<T, const N: usize>(array: &mut [T], column: u32) -> &mut [T; N] {
    array[column as usize..].first_chunk_mut().unwrap_or_else(|| unreachable!("a column has all its lanes"))
}
