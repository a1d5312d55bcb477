//! Nodes around a child that do something when they end.
//!
//! A node of the host, or one that limits agents, is left in one of two ways. Either its child
//! ends, and an instruction ends the node. Or the running node inside is halted, and the halt goes
//! from the leaf outward through the nodes around it.

use super::scalar::Run;
use super::watch::Mode;
use crate::code::wrap::What;
use crate::host::{Halt, Host};

impl<H: Host + ?Sized, W: Mode> Run<'_, H, W> {
    /// Ends the nodes around a node that a position held, from the inside outward. It stops at a
    /// node that begins before the node `low`, or that contains the node `next` as well.
    pub(crate) fn unwrap_from(&mut self, column: u32, node: u16, low: u16, next: u16, reason: Halt) {
        let parts = self.parts;
        let mut row = parts.wrappers.around.get(usize::from(node)).copied().unwrap_or(0);
        while let Some(wrapper) = parts.wrappers.find(row) {
            let goes_on = (wrapper.node..=wrapper.last).contains(&next);
            if wrapper.column != column || wrapper.node < low || goes_on {
                return;
            }
            match wrapper.what {
                What::Host(site) => self.tell(site, wrapper.node, reason),
                What::Gate(gate) => self.give_back(gate),
                What::Block(block) => self.clean_up(block),
            }
            row = wrapper.outer;
        }
    }

    /// Takes a place behind a gate for the agent. Returns false if there is none.
    pub(crate) fn enter(&mut self, gate: u16) -> bool {
        let gate = self.parts.gates[usize::from(gate)];
        let is_inside = self.chunk.bit(gate.inside, self.lane);
        let entered = self.world.enter(&gate, self.chunk.group(self.lane), is_inside);
        if entered {
            self.chunk.set_bit(gate.inside, self.lane, true);
        }
        entered
    }

    /// Gives the agent's place behind a gate back.
    pub(crate) fn give_back(&mut self, gate: u16) {
        let parts = self.parts;
        parts.gates[usize::from(gate)].leave(self.world, self.chunk, self.lane);
    }
}
