//! Nodes that the host decides, and interrupts of an agent within a tick.

use super::resume::ended;
use super::{Position, Spent, Tick};
use pleach_compile::internals::ir::{FAILURE, NodeIndex, Outcome, RUNNING, SUCCESS};

impl Tick<'_, '_> {
    /// Returns true if the agent is interrupted, so that the node is not executed. The agent will
    /// continue at this node.
    pub(super) fn stopped(&mut self, node: NodeIndex) -> bool {
        let stopped = self.module.interrupt.is_some_and(|it| self.frame.bits[usize::from(it.bit)]);
        if stopped {
            self.take_place(node);
            self.host.stopped(self.agent, node);
        }
        stopped
    }

    /// Asks the host to act for a node that replaces the running node.
    fn ask(&mut self, node: NodeIndex, site: u32) -> Outcome {
        let outcome = self.act(node, site, true);
        self.acted(node, outcome, true)
    }

    /// Asks the host to act, and ignores the answer.
    pub(super) fn perform(&mut self, node: NodeIndex, site: u32, outcome: u8) -> Outcome {
        if self.stopped(node) {
            return Outcome::Running;
        }
        self.ask(node, site);
        self.put(Position::Nothing);
        ended(outcome)
    }

    /// Lets the host decide if the child is executed, and how its status is mapped.
    pub(super) fn filter(&mut self, node: NodeIndex, enter: u32, leave: [u32; 3], times: u16) -> Outcome {
        let mut inside = self.active(node) && !self.runs(node);
        for _ in 0..=times {
            let child = if inside { Outcome::Success } else { self.action(node, enter, None, true) };
            let judged = match child {
                Outcome::Running => return Outcome::Running,
                Outcome::Success => match self.child(node).unwrap_or(Outcome::Failure) {
                    Outcome::Running => return Outcome::Running,
                    Outcome::Success => leave[SUCCESS],
                    Outcome::Failure | Outcome::Other(_) => leave[FAILURE],
                },
                Outcome::Failure | Outcome::Other(_) => leave[RUNNING],
            };
            inside = false;
            match self.ask(node, judged) {
                Outcome::Running => {}
                Outcome::Success => return Outcome::Success,
                Outcome::Failure | Outcome::Other(_) => return Outcome::Failure,
            }
        }
        // The child would begin once more.
        std::panic::resume_unwind(Box::new(Spent { node }))
    }
}
