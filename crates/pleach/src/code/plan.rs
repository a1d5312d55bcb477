//! Plans of steps that are run for lists of agents, as far as no host is needed.

use super::step::{Step, asking, classed, comparing};
use super::steps::Code;
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};

/// Most lists of a tree.
const MOST: usize = 256;

/// Steps of a tree, each with a list: step `n` has list `n`. Behind them stand the lists of `outs`.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) nodes: Box<[Node]>,
    /// The lists that ladders and cases lead to, in the order of their targets.
    pub(crate) ladders: Box<[u8]>,
    /// The steps where the scalar engine goes on.
    pub(crate) outs: Box<[u32]>,
}

/// A step, and the lists that it leads to. These come later than its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) step: Step,
    /// Its index.
    pub(crate) at: u32,
    /// For a step that tests, where agents go for which it holds; for a ladder or cases, where the
    /// lists begin among [`Plan::ladders`]; for all others, where all go.
    pub(crate) yes: usize,
    pub(crate) no: usize,
}

impl Plan {
    /// Returns a plan for agents that begin at these steps; `None` if they are too many.
    pub(crate) fn of(code: &Code, starts: &[u32]) -> Option<Self> {
        if starts.len() > MOST {
            return None;
        }
        // Fewer nodes mean fewer lists; without any, there is one for each start.
        let mut plans =
            [MOST / 2, MOST / 4, MOST / 8, 0].into_iter().map(|most| Self::with(code, starts, most));
        plans.find(|plan| plan.lists() <= MOST)
    }

    fn with(code: &Code, starts: &[u32], most: usize) -> Self {
        let order = order(code, starts, most);
        let (mut outs, mut ladders): (Vec<u32>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut list = |step: u32| {
            let inside = order.iter().position(|it| *it == step);
            inside.unwrap_or_else(|| {
                let known = outs.iter().position(|it| *it == step);
                let place = known.unwrap_or_else(|| {
                    outs.push(step);
                    outs.len() - 1
                });
                order.len() + place
            })
        };
        let node = |at: &u32| {
            let step = code.steps[*at as usize];
            let ways = ways(code, *at).unwrap_or_default();
            let mut lists = ways.into_iter().map(&mut list);
            if let Step::Ladder { .. } | Step::Cases { .. } = step {
                let first = ladders.len();
                ladders.extend(lists);
                return Node { step, at: *at, yes: first, no: 0 };
            }
            let yes = lists.next().unwrap_or(0);
            Node { step, at: *at, yes, no: lists.next().unwrap_or(0) }
        };
        let nodes = order.iter().map(node).collect();
        for start in starts {
            list(*start);
        }
        // If there are too many lists, the plan is not used.
        Self { nodes, ladders: ladders.into_iter().map(|list| list as u8).collect(), outs: outs.into() }
    }

    /// Returns the number of lists.
    pub(crate) fn lists(&self) -> usize {
        self.nodes.len() + self.outs.len()
    }

    /// Returns the list of agents that continue at a step.
    pub(crate) fn list(&self, start: u32) -> Option<u8> {
        let inside = self.nodes.iter().position(|node| node.at == start);
        let outside = || self.outs.iter().position(|out| *out == start).map(|out| self.nodes.len() + out);
        inside.or_else(outside).map(|list| list as u8)
    }

    /// Returns true if the plan runs any step.
    pub(crate) fn runs(&self) -> bool {
        !self.nodes.is_empty()
    }
}

/// Returns the steps that a step leads to; `None` if lists cannot run it.
fn ways(code: &Code, at: u32) -> Option<Vec<u32>> {
    let mut step = *code.steps.get(at as usize)?;
    let past = |at: u32| match code.steps.get(at as usize) {
        Some(Step::Jump { target }) => *target,
        _ => at,
    };
    match step {
        Step::Return { .. } | Step::Rest { .. } | Step::RestTicks { .. } | Step::RestTime { .. } => {
            Some(Vec::new())
        }
        Step::Ladder { ladder } => {
            Some(code.ladders[ladder as usize].targets.iter().map(|target| past(*target)).collect())
        }
        Step::Cases { exits, .. } => {
            Some(code.exits[exits as usize].iter().map(|target| past(*target)).collect())
        }
        Step::PutBit { .. }
        | Step::PutByte { .. }
        | Step::PutHalf { .. }
        | Step::PutWord { .. }
        | Step::Park { .. }
        | Step::Halt { .. }
        | Step::Tick { .. }
        | Step::Until { .. }
        | Step::Arm { .. } => Some(vec![past(*step.target_mut()?)]),
        Step::Bit { .. } | Step::Due { .. } | Step::Half { .. } | comparing!() => {
            let (yes, no) = (past(*step.target_mut()?), past(at + 1));
            (yes != no).then(|| vec![yes, no])
        }
        Step::Jump { .. } | Step::Switch { .. } | asking!() | classed!() => None,
    }
}

/// Returns the steps that can be reached from some steps through steps that are run by lists, each
/// before its targets. There are at most `most`.
fn order(code: &Code, starts: &[u32], most: usize) -> Vec<u32> {
    // Depth first; a step is finished when all behind it are. Finished last is first.
    let mut open: Vec<(u32, usize)> = starts.iter().map(|start| (*start, 0)).collect();
    let (mut seen, mut order) = (Vec::new(), Vec::new());
    while let Some((at, next)) = open.pop() {
        let Some(ways) = ways(code, at) else { continue };
        if next == 0 {
            if seen.contains(&at) || seen.len() >= most {
                continue;
            }
            seen.push(at);
        }
        match ways.get(next) {
            Some(way) => open.extend([(at, next + 1), (*way, 0)]),
            None => order.push(at),
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests;
