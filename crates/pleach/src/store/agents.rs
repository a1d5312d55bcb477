//! Handles: names for agents that stay valid while agents move, and are refused when they are gone.

use crate::values::{Agent, StaleAgent};
use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// Place of an agent's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) chunk: u32,
    pub(crate) lane: u8,
}

/// A place and its present generation, in 8 bytes: 24 bits of chunk, 8 of lane.
#[derive(Debug, PartialEq, Eq)]
struct AgentSlot {
    generation: u32,
    place: u32,
}

/// The place of an agent that is gone. No agent gets the chunk it would name.
pub(crate) const GONE: u32 = u32::MAX;
/// Chunks that rows can tell apart.
const CHUNKS: u32 = 1 << 24;

impl Place {
    /// `None` if the chunk is one too many.
    fn pack(self) -> Option<u32> {
        (self.chunk < CHUNKS - 1).then(|| self.chunk << 8 | u32::from(self.lane))
    }

    pub(crate) fn unpack(packed: u32) -> Self {
        Self { chunk: packed >> 8, lane: packed as u8 }
    }
}

/// All agents of a crowd.
#[derive(Debug, Default)]
pub(crate) struct Agents {
    rows: Vec<AgentSlot>,
    pub(crate) free: Vec<u32>,
}

impl Agents {
    /// Makes room for one more agent.
    pub(crate) fn reserve_one(&mut self) -> Result<(), TryReserveError> {
        if self.free.is_empty() { self.reserve(1, 0) } else { Ok(()) }
    }

    /// Returns a handle for a new agent, for which there is room; `None` when
    /// all rows or chunks are in use.
    pub(crate) fn add(&mut self, place: Place) -> Option<Agent> {
        let place = place.pack()?;
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                let index = u32::try_from(self.rows.len()).ok()?;
                self.rows.push(AgentSlot { generation: 0, place: GONE });
                index
            }
        };
        let row = &mut self.rows[index as usize];
        row.place = place;
        Some(Agent::new(index, row.generation))
    }

    #[inline]
    pub(crate) fn find(&self, agent: Agent) -> Result<Place, StaleAgent> {
        let generation = agent.generation.wrapping_sub(1);
        let row = self.rows.get(agent.index()).filter(|row| row.generation == generation);
        row.filter(|row| row.place != GONE).map(|row| Place::unpack(row.place)).ok_or(StaleAgent)
    }

    /// For each index, the generation, and the packed place of its agent or [`GONE`].
    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.rows.iter().map(|row| (row.generation, row.place))
    }

    /// Returns true if the same agents are in the same places, and the next agents get the same
    /// handles.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.rows == other.rows && self.free == other.free
    }

    /// Returns the agent that will be added next; `None` if there is no room for it.
    pub(crate) fn next(&self) -> Option<Agent> {
        match self.free.last() {
            Some(index) => Some(Agent::new(*index, self.rows[*index as usize].generation)),
            None => Some(Agent::new(u32::try_from(self.rows.len()).ok()?, 0)),
        }
    }

    /// Returns the agent that has this index.
    pub(crate) fn at(&self, index: u32) -> Option<Agent> {
        let row = self.rows.get(index as usize).filter(|row| row.place != GONE)?;
        Some(Agent::new(index, row.generation))
    }

    /// Reserves memory for this number of rows, all of which may be free one day, and for this
    /// number of free rows. So removing agents later needs no memory.
    pub(crate) fn reserve(&mut self, rows: usize, free: usize) -> Result<(), TryReserveError> {
        self.rows.try_reserve(rows)?;
        let most = self.rows.len() + rows;
        self.free.try_reserve(most.max(free).saturating_sub(self.free.len()))
    }

    /// Becomes these rows, which fit together.
    pub(crate) fn replace(
        &mut self,
        rows: impl Iterator<Item = (u32, u32)>,
        free: impl Iterator<Item = u32>,
    ) {
        self.rows.clear();
        self.rows.extend(rows.map(|(generation, place)| AgentSlot { generation, place }));
        self.free.clear();
        self.free.extend(free);
    }

    /// Returns the places of all agents, by index.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.rows.iter().filter(|row| row.place != GONE).map(|row| Place::unpack(row.place))
    }

    /// Moves an agent. Returns false if handles cannot name the chunk.
    pub(crate) fn move_to(&mut self, agent: Agent, place: Place) -> bool {
        let place = place.pack();
        if let Some(place) = place {
            self.rows[agent.index()].place = place;
        }
        place.is_some()
    }

    /// Forgets an agent. A row whose generations are used up is never taken again.
    pub(crate) fn remove(&mut self, agent: Agent) {
        let row = &mut self.rows[agent.index()];
        row.place = GONE;
        row.generation = row.generation.saturating_add(1);
        if row.generation != u32::MAX {
            self.free.push(agent.index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_handle_that_it_was() {
        let mut agents = Agents::default();
        let place = Place { chunk: 0, lane: 7 };
        let first = agents.add(place).expect("there is room");
        assert_ne!(first.to_bits(), 0);
        assert_eq!(agents.find(Agent::from_bits(first.to_bits())), Ok(place));
        assert_eq!(agents.find(Agent::from_bits(0)), Err(StaleAgent));
        agents.remove(first);
        let second = agents.add(place).expect("there is room");
        assert_eq!((second.index(), second.to_bits() == first.to_bits()), (first.index(), false));
        assert_eq!(agents.find(Agent::from_bits(first.to_bits())), Err(StaleAgent));
    }

    #[test]
    fn a_row_whose_generations_are_used_up_is_not_taken_again() {
        let mut agents = Agents::default();
        agents.replace([(u32::MAX - 1, GONE)].into_iter(), [0].into_iter());
        let last = agents.add(Place { chunk: 0, lane: 0 }).expect("there is room");
        assert_ne!(last.to_bits(), 0);
        agents.remove(last);
        assert_eq!(agents.add(Place { chunk: 0, lane: 0 }).map(Agent::index), Some(1));
    }

    #[test]
    fn who_comes_next_is_known_before() {
        let (mut agents, mut others) = (Agents::default(), Agents::default());
        let place = Place { chunk: 3, lane: 9 };
        for round in 0..3 {
            let next = agents.next();
            assert_eq!(agents.add(place), next);
            others.add(place);
            assert!(agents.is_like(&others), "{round}");
        }
        let second = agents.at(1).expect("it is there");
        assert_eq!((second.index(), agents.find(second)), (1, Ok(place)));
        agents.remove(second);
        assert!(agents.at(1).is_none() && agents.at(3).is_none() && !agents.is_like(&others));
        assert_eq!((&agents.free[..], agents.next().map(Agent::index)), (&[1][..], Some(1)));
        assert!(agents.next() != Some(second) && agents.places().eq([place, place]));
        others.remove(others.at(1).expect("it is there"));
        assert!(agents.is_like(&others));
        // The last chunk stands for no place at all.
        assert_eq!(agents.add(Place { chunk: CHUNKS - 1, lane: 0 }), None);
        assert!(agents.add(Place { chunk: CHUNKS - 2, lane: 0 }).is_some());
    }
}
