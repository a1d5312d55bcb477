//! How much a tick can cost at most.
//!
//! Control only goes forward, so a block is a directed graph without cycles and the longest way through it is found by
//! walking it backward once. Blocks call only earlier ones, so one pass over the blocks does for the whole program.

use crate::Image;
use crate::format::BlockRow;
use crate::isa::operand::Runs;
use crate::isa::stack::StackOperand;
use crate::isa::{Flow, StackOp};

/// The most that running a block can take, with all that it calls. Saturates at `u64::MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bounds {
    /// Instructions and operations of conditions.
    pub instructions: u64,
    /// Calls of host functions.
    pub host_calls: u64,
}

impl Bounds {
    fn then(self, other: Self) -> Self {
        Self {
            instructions: self.instructions.saturating_add(other.instructions),
            host_calls: self.host_calls.saturating_add(other.host_calls),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            instructions: self.instructions.max(other.instructions),
            host_calls: self.host_calls.max(other.host_calls),
        }
    }
}

/// The bounds of every block.
#[must_use]
pub fn of<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Bounds> {
    let conditions: Vec<_> = (0..image.conditions().len() as u32).map(|it| condition(image, it)).collect();
    let mut blocks = Vec::with_capacity(image.blocks().len());
    for row in image.blocks() {
        let bounds = block(image, row, &conditions, &blocks);
        blocks.push(bounds);
    }
    blocks
}

fn block<D: AsRef<[u8]>>(
    image: &Image<D>,
    row: &BlockRow,
    conditions: &[Bounds],
    blocks: &[Bounds],
) -> Bounds {
    let words = &image.code()[row.first as usize..][..row.count as usize];
    let mut cost = vec![Bounds::default(); words.len()];
    for (at, word) in words.iter().enumerate().rev() {
        let Some(op) = word.op() else { continue };
        let on = |distance: u16| cost[at + usize::from(distance)];
        let rest = match op.flow() {
            Flow::Next => on(1),
            Flow::Branch => on(1).or(on(word.t)),
            Flow::Jump => on(word.t),
            Flow::Switch => cases(image, word.a).fold(on(1), |most, target| most.or(on(target))),
            Flow::Exits => {
                let exits = words[at + 1];
                on(word.t).or(on(exits.a)).or(on(exits.b)).or(on(exits.t))
            }
            Flow::End | Flow::Data => Bounds::default(),
        };
        let own = Bounds { instructions: 1, host_calls: u64::from(op.runs(Runs::Host)) };
        let inner = |what, bounds: &[Bounds]| {
            op.operand(*word, what).map_or(Bounds::default(), |it| bounds[it as usize])
        };
        cost[at] = own.then(inner(Runs::Condition, conditions)).then(inner(Runs::Block, blocks)).then(rest);
    }
    cost[0]
}

/// Where the cases of a table lead.
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
