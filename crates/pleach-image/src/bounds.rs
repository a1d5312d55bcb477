//! Upper bounds of the cost of a tick.
//!
//! Control only goes forward, so a block is a directed graph without cycles. One backward walk
//! finds the longest way through it. Blocks call only earlier blocks, so one pass over the blocks
//! is enough for the whole program.
//!
//! A loop is repeated at most as often as its register says, and then passed once more on the way
//! out. A pass that repeats ends with an `again`. A second walk over the region of the loop finds
//! the longest such pass.

use crate::Image;
use crate::format::{BlockRow, wrapper_kind};
use crate::isa::operand::Runs;
use crate::isa::stack::StackOperand;
use crate::isa::{Flow, Op, StackOp, Word};
use alloc::{vec, vec::Vec};

/// Maximum cost of running a block, with all blocks that it calls. Saturates at `u64::MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bounds {
    /// Number of instructions and operations of conditions.
    pub instructions: u64,
    /// Number of calls of host functions.
    pub host_calls: u64,
}

impl Bounds {
    fn then(self, other: Self) -> Self {
        Self {
            instructions: self.instructions.saturating_add(other.instructions),
            host_calls: self.host_calls.saturating_add(other.host_calls),
        }
    }

    fn times(self, count: u16) -> Self {
        Self {
            instructions: self.instructions.saturating_mul(count.into()),
            host_calls: self.host_calls.saturating_mul(count.into()),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            instructions: self.instructions.max(other.instructions),
            host_calls: self.host_calls.max(other.host_calls),
        }
    }
}

/// Returns the bounds of every block, with the step limit that the image declares.
#[must_use]
pub fn of<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Bounds> {
    with_limit(image, image.cursor().map_or(0, |cursor| cursor.limit))
}

/// Returns the bounds of every block, with another step limit.
#[must_use]
pub fn with_limit<D: AsRef<[u8]>>(image: &Image<D>, limit: u16) -> Vec<Bounds> {
    let conditions: Vec<_> = (0..image.conditions().len() as u32).map(|it| condition(image, it)).collect();
    let mut blocks = Vec::with_capacity(image.blocks().len());
    let halting = cleanups(image, &conditions);
    for row in image.blocks() {
        let bounds = block(image, row, (&conditions, halting), &blocks, limit);
        blocks.push(bounds);
    }
    blocks
}

/// Returns the cost of all blocks of writes that run when nodes are halted. An instruction that
/// halts runs each once at most.
fn cleanups<D: AsRef<[u8]>>(image: &Image<D>, conditions: &[Bounds]) -> Bounds {
    let mut counts = vec![0_u16; image.blocks().len()];
    for row in image.wrappers().iter().filter(|row| row.kind == wrapper_kind::BLOCK) {
        let count = &mut counts[usize::from(row.index)];
        *count = count.saturating_add(1);
    }
    let used = image.blocks().iter().zip(counts).filter(|(_, count)| *count > 0);
    // Rule V0240: such a block calls none and has no loops.
    let cost = |(row, count): (&BlockRow, u16)| {
        block(image, row, (conditions, Bounds::default()), &[], 0).times(count)
    };
    used.map(cost).fold(Bounds::default(), Bounds::then)
}

fn block<D: AsRef<[u8]>>(
    image: &Image<D>,
    row: &BlockRow,
    (conditions, halting): (&[Bounds], Bounds),
    blocks: &[Bounds],
    limit: u16,
) -> Bounds {
    let words = &image.code()[row.first as usize..][..row.count as usize];
    let mut walk =
        Walk { image, words, conditions, halting, blocks, rounds: vec![Bounds::default(); words.len()] };
    let ends = walk.ends();
    // Inner loops first.
    for at in (0..words.len()).rev().filter(|at| words[*at].op() == Some(Op::Loop)) {
        let round = if ends[at] == 0 { None } else { walk.longest(at + 1, ends[at] + 1, Some(at)) };
        walk.rounds[at] = round.unwrap_or_default().times(if words[at].b == 0 { limit } else { words[at].b });
    }
    walk.longest(0, words.len(), None).unwrap_or_default()
}

/// Block whose longest ways are searched.
struct Walk<'a, D> {
    image: &'a Image<D>,
    words: &'a [Word],
    conditions: &'a [Bounds],
    /// Cost of what an instruction runs that halts nodes, beside the instruction itself.
    halting: Bounds,
    blocks: &'a [Bounds],
    /// Total cost of the repeated passes of each `loop`; zero for other words.
    rounds: Vec<Bounds>,
}

impl<D: AsRef<[u8]>> Walk<'_, D> {
    /// Returns the last `again` of each `loop`; 0 for other words and for a loop without `again`.
    fn ends(&self) -> Vec<usize> {
        let mut ends = vec![0; self.words.len()];
        for (at, word) in self.words.iter().enumerate().filter(|(_, word)| word.op() == Some(Op::Again)) {
            ends[at - usize::from(word.b)] = at;
        }
        ends
    }

    fn is_again(&self, at: usize, head: usize) -> bool {
        let word = self.words[at];
        word.op() == Some(Op::Again) && at - usize::from(word.b) == head
    }

    /// Returns the cost of the longest way from the first of a range of words to the end of the
    /// block. If `head` is given, the way ends at an `again` within the range that leads back to
    /// `head`. Returns `None` if there is no such way.
    fn longest(&self, first: usize, end: usize, head: Option<usize>) -> Option<Bounds> {
        let mut cost: Vec<Option<Bounds>> = vec![None; end - first];
        for at in (first..end).rev() {
            let word = self.words[at];
            let Some(op) = word.op() else { continue };
            let on = |distance: u16| cost.get(at - first + usize::from(distance)).copied().flatten();
            let rest = match op.flow() {
                Flow::Next => on(1),
                Flow::Branch => most([on(1), on(word.t)]),
                Flow::Jump => on(word.t),
                Flow::Switch => most(cases(self.image, word.a).map(on).chain([on(1)])),
                Flow::Exits => {
                    let exits = self.words[at + 1];
                    most([on(word.t), on(exits.a), on(exits.b), on(exits.t)])
                }
                Flow::Again if head.is_some_and(|head| self.is_again(at, head)) => Some(Bounds::default()),
                Flow::Again => on(word.t),
                Flow::End if head.is_none() => Some(Bounds::default()),
                Flow::End | Flow::Data => None,
            };
            cost[at - first] = rest.map(|rest| self.own(at, word, op).then(rest));
        }
        cost[0]
    }

    /// Returns the cost of an instruction with everything that it runs.
    fn own(&self, at: usize, word: Word, op: Op) -> Bounds {
        let own = Bounds { instructions: 1, host_calls: u64::from(op.runs(Runs::Host)) };
        let inner = |what, bounds: &[Bounds]| {
            op.operand(word, what).map_or(Bounds::default(), |it| bounds[it as usize])
        };
        let runs = inner(Runs::Condition, self.conditions).then(inner(Runs::Block, self.blocks));
        let halts = matches!(op, Op::Park | Op::ActExclusive | Op::Halt | Op::Select | Op::Join);
        let halted = if halts { self.halting } else { Bounds::default() };
        own.then(runs).then(halted).then(self.rounds[at])
    }
}

/// Returns the maximum of several costs, or `None` if there is none.
fn most(ways: impl IntoIterator<Item = Option<Bounds>>) -> Option<Bounds> {
    ways.into_iter().flatten().reduce(Bounds::or)
}

/// Returns the targets of the cases of a table.
fn cases<D: AsRef<[u8]>>(image: &Image<D>, table: u16) -> impl Iterator<Item = u16> + '_ {
    let table = image.tables()[usize::from(table)];
    image.cases()[table.first as usize..][..table.count as usize].iter().map(|case| case.target)
}

fn condition<D: AsRef<[u8]>>(image: &Image<D>, index: u32) -> Bounds {
    let words = image.condition(index);
    let mut cost = vec![Bounds::default(); words.len() + 1];
    for (at, word) in words.iter().enumerate().rev() {
        let operand = word.op().map(StackOp::operand);
        let host_calls = u64::from(operand == Some(StackOperand::Query));
        let jumps = operand == Some(StackOperand::Target);
        let taken = if jumps { cost[at + usize::from(word.a)] } else { Bounds::default() };
        cost[at] = Bounds { instructions: 1, host_calls }.then(cost[at + 1].or(taken));
    }
    cost[0]
}
