//! Active nodes of agents, and agents that sleep.

use super::Crowd;
use crate::code::site::Held;
use crate::layout::Column;
use crate::values::{Agent, StaleAgent};
use alloc::vec::Vec;
use pleach_image::format::branch;

/// Agents that sleep.
impl Crowd {
    /// Puts an agent to sleep: [`Crowd::tick`] skips it until it is woken. The agent keeps its
    /// place in the tree, its timers and its variables. The host is not told that actions do not
    /// continue.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn sleep(&mut self, agent: Agent) -> Result<(), StaleAgent> {
        self.set_asleep(agent, true)
    }

    /// Wakes an agent.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn wake(&mut self, agent: Agent) -> Result<(), StaleAgent> {
        self.set_asleep(agent, false)
    }

    /// Returns true if an agent sleeps.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn sleeps(&self, agent: Agent) -> Result<bool, StaleAgent> {
        self.chunk_of(agent).map(|(chunk, lane)| chunk.is_asleep(lane))
    }

    fn set_asleep(&mut self, agent: Agent, asleep: bool) -> Result<(), StaleAgent> {
        self.place_of(agent).map(|(chunk, _, lane)| chunk.set_asleep(lane, asleep))
    }

    /// Returns the leftmost node at which an agent's tree continues, by id. Uses `columns` as a
    /// stack of positions to visit.
    pub(crate) fn suspended(&self, agent: Agent, columns: &mut Vec<u32>) -> Option<u16> {
        let ((chunk, lane), parts) = (self.chunk_of(agent).ok()?, &self.program.parts);
        columns.clear();
        columns.extend(parts.position);
        while let Some(column) = columns.pop() {
            let node = chunk.half(column, lane);
            if let Some(Held::Parallel(parallel)) = parts.held.get(usize::from(node)) {
                let branches = &parts.parallels[usize::from(*parallel)].branches;
                if branches.iter().any(|column| chunk.half(*column, lane) != 0) {
                    columns.extend(branches.iter().rev());
                    continue;
                }
            }
            if node != 0 && node < branch::FAILED {
                return Some(node);
            }
        }
        None
    }

    /// Returns the first node of a set of the agent, by id.
    pub(crate) fn first(&self, agent: Agent, set: Option<Column>) -> Option<u16> {
        let (place, column) = (self.agents.find(agent).ok()?, set?);
        let set = self.chunks[place.chunk as usize].set(column.first, column.stride, place.lane);
        set[1..=usize::from(set[0])].first().copied()
    }

    /// Empties a set of the agent.
    pub(crate) fn empty(&mut self, agent: Agent, set: Option<Column>) {
        if let (Ok(place), Some(column)) = (self.agents.find(agent), set) {
            self.chunks[place.chunk as usize].set_mut(column.first, column.stride, place.lane)[0] = 0;
        }
    }
}
