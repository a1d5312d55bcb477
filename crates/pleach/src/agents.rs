//! Handles: names for agents that stay valid while agents move, and are refused when they are gone.

use alloc::vec::Vec;

/// An agent of a crowd. A handle outlives its agent: used afterwards, it is refused as [`Stale`], even if the place
/// has been taken by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Agent {
    index: u32,
    generation: u32,
}

impl Agent {
    pub(crate) fn new(index: u32, generation: u32) -> Self {
        Self { index, generation }
    }

    /// What stands where there is no agent.
    pub(crate) const NOBODY: Self = Self { index: u32::MAX, generation: 0 };

    /// A number below the greatest number of agents the crowd has had at once: an index for the game's own tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// The agent is gone. (A handle of another crowd may name an agent of this one: keep them apart.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stale;

impl core::fmt::Display for Stale {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str("the agent is gone")
    }
}

impl core::error::Error for Stale {}

/// Where an agent's frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) chunk: u32,
    pub(crate) lane: u8,
}

/// A place and the generation that is there, in 8 bytes: 24 bits of chunk, 8 of lane.
#[derive(Debug)]
struct Row {
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
    rows: Vec<Row>,
    free: Vec<u32>,
}

impl Agents {
    /// A handle for a new agent; `None` when all rows or chunks are in use.
    pub(crate) fn add(&mut self, place: Place) -> Option<Agent> {
        let place = place.pack()?;
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                let index = u32::try_from(self.rows.len()).ok()?;
                self.rows.push(Row { generation: 0, place: GONE });
                index
            }
        };
        let row = &mut self.rows[index as usize];
        row.place = place;
        Some(Agent { index, generation: row.generation })
    }

    pub(crate) fn find(&self, agent: Agent) -> Result<Place, Stale> {
        let row = self.rows.get(agent.index()).filter(|row| row.generation == agent.generation);
        row.filter(|row| row.place != GONE).map(|row| Place::unpack(row.place)).ok_or(Stale)
    }

    /// For each index, the generation, and the packed place of its agent or [`GONE`].
    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.rows.iter().map(|row| (row.generation, row.place))
    }

    /// The indices that are taken again, the next one last.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free
    }

    /// Becomes these rows, which fit together.
    pub(crate) fn replace(
        &mut self,
        rows: impl Iterator<Item = (u32, u32)>,
        free: impl Iterator<Item = u32>,
    ) {
        self.rows.clear();
        self.rows.extend(rows.map(|(generation, place)| Row { generation, place }));
        self.free.clear();
        self.free.extend(free);
    }

    /// The places of all agents, by index.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.rows.iter().filter(|row| row.place != GONE).map(|row| Place::unpack(row.place))
    }

    /// Whether the agent could be moved: not if the place is in a chunk too many.
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
        if let Some(generation) = row.generation.checked_add(1) {
            row.generation = generation;
            self.free.push(agent.index);
        }
    }
}
