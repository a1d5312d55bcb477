//! The yardstick of trees of BehaviorTree.CPP: the library's own way of ticking a tree.
//!
//! Each agent has a tree of its own. A node is a box with virtual functions for a tick and a halt,
//! and keeps its status; entries of blackboards are found when the tree is made, so that no name is
//! looked up in a tick. Nothing is allocated in a tick.
//!
//! `node` is the trait of nodes, `controls`, `decorators` and `nav2` have those of the library, and
//! `leaf` has those of the game. `build` makes them of the program's nodes, not of its routines.

mod build;
mod controls;
mod decorators;
mod leaf;
mod nav2;
mod node;
#[cfg(test)]
mod tests;

use super::leaves::{Leaves, Slot};
use super::{Tree, time_of};
use crate::system::{self, Counts, System};
use node::{CutShort, Node, Status, Walk};
use pleach_compile::internals::btcpp::Outline;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Agent with its tree.
#[derive(Debug)]
struct Robot<const TRACE: bool> {
    root: Node<TRACE>,
    board: Vec<Slot>,
}

/// Agents whose trees are walked.
#[derive(Debug)]
pub(super) struct Stateful<const TRACE: bool> {
    agents: Vec<Robot<TRACE>>,
    leaves: Leaves<TRACE>,
    arguments: Vec<Slot>,
    /// True if the tree has a timer that halts.
    has_timer: bool,
    now: i64,
}

impl<const TRACE: bool> Stateful<TRACE> {
    /// Returns agents at their beginning.
    ///
    /// # Errors
    /// If the walker lacks a node that the tree has, or something of the node.
    pub(super) fn new(tree: &Tree, outline: &Outline, agents: usize) -> Result<Self, String> {
        let leaves = Leaves::new(&tree.functions, agents);
        let board = build::board(outline)?;
        let robot = |_| Ok(Robot { root: build::root(outline, &leaves)?, board: board.clone() });
        let agents = (0..agents).map(robot).collect::<Result<_, String>>()?;
        let has_timer = outline.nodes.iter().any(|node| node.kind == "Timeout");
        Ok(Self { agents, leaves, arguments: Vec::new(), has_timer, now: 0 })
    }
}

impl<const TRACE: bool> System for Stateful<TRACE> {
    fn agents(&self) -> usize {
        self.agents.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now = time_of(frame);
        self.leaves.advance(frame);
    }

    fn tick(&mut self) -> Counts {
        let Self { agents, leaves, arguments, has_timer, now } = self;
        let mut counts = Counts::default();
        for (agent, Robot { root, board }) in agents.iter_mut().enumerate() {
            let mut walk = Walk { agent, leaves, board, arguments, now: *now };
            let ticked = catch_unwind(AssertUnwindSafe(|| {
                if *has_timer {
                    root.fire(&mut walk);
                }
                root.execute(&mut walk)
            }));
            let status = match ticked {
                Ok(status) => status,
                Err(reason) if reason.is::<CutShort>() => continue,
                Err(reason) => resume_unwind(reason),
            };
            if status.is_completed() {
                root.base.status = Status::Idle;
            }
            match status {
                Status::Failure => counts.add(system::Status::Failure),
                Status::Success => counts.add(system::Status::Success),
                Status::Running => counts.add(system::Status::Running),
                Status::Skipped | Status::Idle => {}
            }
        }
        counts
    }

    fn digest(&self) -> u64 {
        self.leaves.digest()
    }
}
