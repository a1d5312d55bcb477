//! View of the state of agents: for debuggers, tests and comparisons.

use super::Crowd;
use crate::layout::Slot;
use crate::store::chunk::clock::due;
use crate::values::{Agent, Kind, StaleAgent, loaded};
use alloc::vec::Vec;

/// View of the state of a crowd's agents: their trees, active nodes and frames.
#[derive(Clone, Copy, Debug)]
pub struct Inspection<'a> {
    pub(crate) crowd: &'a Crowd,
}

/// Looking inside.
impl Crowd {
    /// Returns a view of the state of agents.
    #[must_use]
    pub fn inspect(&self) -> Inspection<'_> {
        Inspection { crowd: self }
    }
}

impl<'a> Inspection<'a> {
    /// Returns the name of the tree that an agent runs.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn tree(self, agent: Agent) -> Result<&'a str, StaleAgent> {
        let (chunk, _) = self.crowd.chunk_of(agent)?;
        Ok(self.crowd.program.entries().nth(chunk.entry as usize).unwrap_or_default())
    }

    /// Returns the running leaf of an agent, or the composite that waits. If branches run side
    /// by side, each branch has one.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn active_nodes(self, agent: Agent) -> Result<impl Iterator<Item = u32> + 'a, StaleAgent> {
        let (chunk, lane) = self.crowd.chunk_of(agent)?;
        let parts = &self.crowd.program.parts;
        let slots = parts.frame.slots.iter().filter(|slot| slot.column.kind == Kind::Node);
        let held = slots.map(move |slot| chunk.half(slot.column.first, lane));
        // Branches that have ended hold marks, which are above all ids.
        Ok(held.filter(|node| (1..parts.held.len()).contains(&usize::from(*node))).map(u32::from))
    }

    /// Returns the nodes that an agent remembers as running, in the order in which they were added.
    /// Only trees of Unvanquished have this set. For others it is empty.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn running_set(self, agent: Agent) -> Result<&'a [u16], StaleAgent> {
        let (chunk, lane) = self.crowd.chunk_of(agent)?;
        let slots = &self.crowd.program.parts.frame.slots;
        let Some(Slot { column, .. }) = slots.iter().find(|slot| slot.column.kind == Kind::Set) else {
            return Ok(&[]);
        };
        let set = chunk.set(column.first, column.stride, lane);
        Ok(&set[1..=usize::from(set[0])])
    }

    /// Returns the values of all slots of an agent: active nodes, timers and variables. Two agents
    /// of one tree with equal frames continue alike.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn frame(self, agent: Agent) -> Result<Vec<f64>, StaleAgent> {
        let (chunk, lane) = self.crowd.chunk_of(agent)?;
        let mut numbers = Vec::new();
        for Slot { column, .. } in &self.crowd.program.parts.frame.slots {
            match column.kind {
                Kind::Set => {
                    let set = chunk.set(column.first, column.stride, lane);
                    numbers.extend(set[..=usize::from(set[0])].iter().copied().map(f64::from));
                }
                Kind::Time => numbers.push(due(chunk.word(column.first, lane), chunk.clock.epoch()) as f64),
                _ => numbers.push(loaded(column.kind, chunk.read(*column, lane))),
            }
        }
        Ok(numbers)
    }
}
