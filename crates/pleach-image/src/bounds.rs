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
use alloc::collections::BTreeMap;
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

    fn least(self, other: Self) -> Self {
        Self {
            instructions: self.instructions.min(other.instructions),
            host_calls: self.host_calls.min(other.host_calls),
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

/// Largest number of instructions that [`of_nodes`] looks at. Nodes beyond it have the bounds of
/// their parents.
const MAX_LOOKS: usize = 1 << 23;

/// Returns the bounds of every node with everything below it, by its id minus one. Needs debug
/// information: without it, all bounds are zero.
///
/// A tree that others call has the bounds of one call. The instructions of a subtree stand
/// together in the code. Control can enter them anywhere, so the bound is the longest way from any
/// of them to the last. It is not more than the bound of the parent, or of the tree for its root.
#[must_use]
pub fn of_nodes<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Bounds> {
    let limit = image.cursor().map_or(0, |cursor| cursor.limit);
    let conditions: Vec<_> = (0..image.conditions().len() as u32).map(|it| condition(image, it)).collect();
    let (blocks, halting) = (of(image), cleanups(image, &conditions));
    let count = image.meta().nodes as usize;
    let parents: Vec<_> = (1..=count as u32).map(|id| parent(image, id)).collect();
    // Bounds of the whole trees, for their roots.
    let mut around = vec![Bounds::default(); count];
    for (block, cost) in (0..).zip(&blocks) {
        if let Some(whole) = image.debug_root(block).and_then(|root| around.get_mut(root as usize - 1)) {
            *whole = whole.or(*cost);
        }
    }
    let mut bounds: Vec<Option<Bounds>> = vec![None; count];
    let mut left = MAX_LOOKS;
    for row in image.blocks() {
        let walk = Walk::new(image, row, (&conditions, halting), &blocks, limit);
        let ranges = ranges(image, row, &parents);
        for (node, (first, last)) in ranges {
            left = left.saturating_sub(last - first + 1);
            // A part of the node in another block is called from here, or calls this one.
            let within = || bounds[node].unwrap_or_default().or(walk.within(first, last + 1));
            bounds[node] = (left > 0).then(within);
        }
    }
    for node in 0..count {
        if let Some(parent) = parents[node] {
            let most = around[parent];
            let is_known = bounds[node].is_some() || left > 0;
            around[node] = if is_known { bounds[node].unwrap_or_default().least(most) } else { most };
        }
    }
    around
}

/// Returns the index of a node's parent.
fn parent<D: AsRef<[u8]>>(image: &Image<D>, id: u32) -> Option<usize> {
    let parent = image.debug_node(id)?.parent;
    (1..id).contains(&parent).then(|| parent as usize - 1)
}

/// Returns the first and the last instruction in a block of each subtree that has some.
fn ranges<D: AsRef<[u8]>>(
    image: &Image<D>,
    row: &BlockRow,
    parents: &[Option<usize>],
) -> BTreeMap<usize, (usize, usize)> {
    let mut ranges: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for at in 0..row.count as usize {
        let node = image.debug_word(row.first + at as u32).map(|node| node as usize - 1);
        if let Some(node) = node.filter(|node| *node < parents.len()) {
            let range = ranges.entry(node).or_insert((at, at));
            range.1 = at;
        }
    }
    // Children stand behind their parents, so the last come first.
    let mut next = ranges.keys().next_back().copied();
    while let Some(node) = next {
        let (first, last) = ranges[&node];
        if let Some(parent) = parents[node] {
            let range = ranges.entry(parent).or_insert((first, last));
            *range = (range.0.min(first), range.1.max(last));
        }
        next = ranges.range(..node).next_back().map(|(node, _)| *node);
    }
    ranges
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
    let walk = Walk::new(image, row, (conditions, halting), blocks, limit);
    walk.longest(0, walk.words.len(), None).unwrap_or_default()
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
    /// Number of times that each `loop` can be repeated; zero for other words.
    times: Vec<u16>,
    /// The last `again` of each `loop`; 0 for other words and for a loop without `again`.
    ends: Vec<usize>,
    /// All words that are a `loop`.
    loops: Vec<usize>,
}

impl<'a, D: AsRef<[u8]>> Walk<'a, D> {
    fn new(
        image: &'a Image<D>,
        row: &BlockRow,
        (conditions, halting): (&'a [Bounds], Bounds),
        blocks: &'a [Bounds],
        limit: u16,
    ) -> Self {
        let words = &image.code()[row.first as usize..][..row.count as usize];
        let (rounds, times) = (vec![Bounds::default(); words.len()], vec![0; words.len()]);
        let loops: Vec<_> = (0..words.len()).filter(|at| words[*at].op() == Some(Op::Loop)).collect();
        let ends = Vec::new();
        let mut walk = Self { image, words, conditions, halting, blocks, rounds, times, ends, loops };
        walk.ends = walk.ends();
        // Inner loops first.
        for at in walk.loops.clone().into_iter().rev() {
            let end = walk.ends[at];
            let round = if end == 0 { None } else { walk.longest(at + 1, end + 1, Some(at)) };
            walk.times[at] = if words[at].b == 0 { limit } else { words[at].b };
            walk.rounds[at] = round.unwrap_or_default().times(walk.times[at]);
        }
        walk
    }

    /// Returns the cost of the longest way from any of some words to the last of them. Words inside
    /// of a loop are passed as often as the loop can be repeated, and once more.
    fn within(&self, first: usize, end: usize) -> Bounds {
        let mut cost = vec![Bounds::default(); end - first];
        let mut most = Bounds::default();
        for at in (first..end).rev() {
            let word = self.words[at];
            let Some(op) = word.op() else { continue };
            let on =
                |distance: u16| cost.get(at - first + usize::from(distance)).copied().unwrap_or_default();
            let rest = match op.flow() {
                Flow::Next => on(1),
                Flow::Branch => on(1).or(on(word.t)),
                Flow::Jump | Flow::Again => on(word.t),
                Flow::Switch => cases(self.image, word.a).map(on).fold(on(1), Bounds::or),
                Flow::Exits => {
                    // The row of the exits may lie outside.
                    let exits = self.words.get(at + 1).copied().unwrap_or_default();
                    [exits.a, exits.b, exits.t].map(on).into_iter().fold(on(word.t), Bounds::or)
                }
                Flow::End | Flow::Data => Bounds::default(),
            };
            cost[at - first] = self.own(at, word, op).then(rest);
            most = most.or(cost[at - first]);
        }
        let around = self.loops.iter().filter(|at| **at < first && self.ends[**at] >= first);
        around.fold(most, |most, at| most.then(most.times(self.times[*at])))
    }

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
