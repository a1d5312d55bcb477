//! The agents' own variables, from outside: one agent's, or a whole column of a chunk.
//!
//! Columns are where the engines read and write, so a game that keeps its data there copies nothing. A game that has
//! slices of its own can exchange one for a column during a tick.

use super::{Crowd, CrowdPart};
use crate::layout::{BIT_WORDS, Column, Frame, Slot};
use crate::store::chunk::Chunk;
use crate::store::chunk::clock::due;
use crate::store::columns::{bits, column, column_of, lanes, lanes_mut};
use crate::values::{
    AccessError, Agent, Kind, NumberValue, StaleAgent, Variable, VariableValue, loaded, stored,
};
use alloc::vec::Vec;

fn one(chunks: &mut [Chunk], chunk: usize) -> Result<&mut Chunk, AccessError> {
    chunks.get_mut(chunk).ok_or(AccessError::NoPlace)
}

/// The lanes of a `bool` variable, to be changed.
fn bits_mut<'a>(
    chunk: &'a mut Chunk,
    frame: &Frame,
    variable: Variable,
) -> Result<&'a mut [u64], AccessError> {
    let lanes = bits(frame, variable)?;
    if let Some(changes) = frame.changes {
        chunk.bits[changes as usize..][..BIT_WORDS].fill(u64::MAX);
    }
    Ok(&mut chunk.bits[lanes])
}

/// The agents of a chunk with their lanes.
fn agents_of(chunk: Option<&Chunk>) -> impl Iterator<Item = (usize, Agent)> + '_ {
    chunk.into_iter().flat_map(|chunk| chunk.lanes().map(|lane| (lane.into(), chunk.agent(lane))))
}

impl Crowd {
    /// A variable of an agent.
    ///
    /// # Errors
    /// If the agent is gone, or the program has no such variable, or it has another type.
    pub fn get<T: VariableValue>(&self, agent: Agent, variable: Variable) -> Result<T, AccessError> {
        let place = self.agents.find(agent)?;
        let column = column_of::<T>(&self.program.parts.frame, variable)?;
        Ok(T::of(self.chunks[place.chunk as usize].read(column, place.lane)))
    }

    /// Sets a variable of an agent.
    ///
    /// # Errors
    /// As [`Crowd::get`].
    pub fn set<T: VariableValue>(
        &mut self,
        agent: Agent,
        variable: Variable,
        value: T,
    ) -> Result<(), AccessError> {
        let place = self.agents.find(agent)?;
        // Its kind is that of the type, which the compiler knows.
        let column = Column { kind: T::KIND, ..column_of::<T>(&self.program.parts.frame, variable)? };
        let Self { program, chunks, .. } = self;
        chunks[place.chunk as usize].assign(&program.parts.frame, column, place.lane, value.bits());
        Ok(())
    }

    /// A variable of an agent as a number, whatever its type; a truth is 1 or 0.
    ///
    /// # Errors
    /// If the agent is gone, or the program has no such variable.
    pub fn number(&self, agent: Agent, variable: Variable) -> Result<f64, AccessError> {
        let place = self.agents.find(agent)?;
        let column = column(&self.program.parts.frame, variable)?;
        Ok(loaded(column.kind, self.chunks[place.chunk as usize].read(column, place.lane)))
    }

    /// Sets a variable of an agent to the nearest value that it can hold.
    ///
    /// # Errors
    /// If the agent is gone, or the program has no such variable.
    pub fn set_number(&mut self, agent: Agent, variable: Variable, value: f64) -> Result<(), AccessError> {
        let place = self.agents.find(agent)?;
        let column = column(&self.program.parts.frame, variable)?;
        let Self { program, chunks, .. } = self;
        let bits = stored(column.kind, value);
        chunks[place.chunk as usize].assign(&program.parts.frame, column, place.lane, bits);
        Ok(())
    }

    /// All that an agent carries, slot by slot, as numbers: its place in the tree, its timers, its variables. Two agents of
    /// one tree that carry the same go on alike.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn frame(&self, agent: Agent) -> Result<Vec<f64>, StaleAgent> {
        let place = self.agents.find(agent)?;
        let chunk = &self.chunks[place.chunk as usize];
        let mut numbers = Vec::new();
        for Slot { column, .. } in &self.program.parts.frame.slots {
            if column.kind == Kind::Set {
                let set = chunk.set(column.first, column.stride, place.lane);
                numbers.extend(set[..=usize::from(set[0])].iter().copied().map(f64::from));
            } else if column.kind == Kind::Moment {
                numbers.push(chunk.moment(column.first, place.lane) as f64);
            } else if column.kind == Kind::Time {
                numbers.push(due(chunk.word(column.first, place.lane), chunk.clock.epoch()) as f64);
            } else {
                numbers.push(loaded(column.kind, chunk.read(*column, place.lane)));
            }
        }
        Ok(numbers)
    }

    /// How many chunks there are. Each has room for 256 agents of one tree.
    #[must_use]
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Chunk and lane of an agent: where its values stand in columns. It stays there until it is switched to another tree.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn place(&self, agent: Agent) -> Result<(usize, usize), AccessError> {
        let place = self.agents.find(agent)?;
        Ok((place.chunk as usize, place.lane.into()))
    }

    /// The agents of a chunk with their lanes, in order; none of a chunk that is not there.
    pub fn agents_of(&self, chunk: usize) -> impl Iterator<Item = (usize, Agent)> + '_ {
        agents_of(self.chunks.get(chunk))
    }

    /// The values of a number variable for all 256 lanes of a chunk.
    ///
    /// # Errors
    /// If there is no such chunk or variable, or it has another type.
    pub fn column<T: NumberValue>(&self, chunk: usize, variable: Variable) -> Result<&[T], AccessError> {
        lanes(self.chunks.get(chunk).ok_or(AccessError::NoPlace)?, &self.program.parts.frame, variable)
    }

    /// The values of a number variable for all 256 lanes of a chunk, to be changed. What is written to lanes without agent
    /// has no effect.
    ///
    /// # Errors
    /// As [`Crowd::column`].
    pub fn column_mut<T: NumberValue>(
        &mut self,
        chunk: usize,
        variable: Variable,
    ) -> Result<&mut [T], AccessError> {
        lanes_mut(one(&mut self.chunks, chunk)?, &self.program.parts.frame, variable)
    }

    /// Exchanges the values of a number variable for those of a slice of the game's own: before a tick and again after it,
    /// the tick works on the slice's values. Lane `n` is element `n`; a shorter slice is exchanged as far as it goes.
    ///
    /// # Errors
    /// As [`Crowd::column`].
    pub fn exchange<T: NumberValue>(
        &mut self,
        chunk: usize,
        variable: Variable,
        slice: &mut [T],
    ) -> Result<(), AccessError> {
        let column = self.column_mut::<T>(chunk, variable)?;
        let count = slice.len().min(column.len());
        column[..count].swap_with_slice(&mut slice[..count]);
        Ok(())
    }

    /// The values of a `bool` variable for all 256 lanes of a chunk: lane `n` is bit `n % 64` of word `n / 64`.
    ///
    /// # Errors
    /// As [`Crowd::column`].
    pub fn bits(&self, chunk: usize, variable: Variable) -> Result<&[u64], AccessError> {
        let lanes = bits(&self.program.parts.frame, variable)?;
        Ok(&self.chunks.get(chunk).ok_or(AccessError::NoPlace)?.bits[lanes])
    }

    /// The values of a `bool` variable for all 256 lanes of a chunk, to be changed. See [`Crowd::bits`]. Where trees ask whether
    /// variables have changed, they have for all these agents.
    ///
    /// # Errors
    /// As [`Crowd::column`].
    pub fn bits_mut(&mut self, chunk: usize, variable: Variable) -> Result<&mut [u64], AccessError> {
        bits_mut(one(&mut self.chunks, chunk)?, &self.program.parts.frame, variable)
    }
}

/// What threads that tick parts can do before: what an agent senses is best written by the thread that ticks it, for then it is
/// in that processor's cache.
impl CrowdPart<'_> {
    /// How many chunks the part has. They are counted from its first one.
    #[must_use]
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// See [`Crowd::agents_of`].
    pub fn agents_of(&self, chunk: usize) -> impl Iterator<Item = (usize, Agent)> + '_ {
        agents_of(self.chunks.get(chunk))
    }

    /// See [`Crowd::column_mut`].
    ///
    /// # Errors
    /// As [`Crowd::column`].
    pub fn column_mut<T: NumberValue>(
        &mut self,
        chunk: usize,
        variable: Variable,
    ) -> Result<&mut [T], AccessError> {
        lanes_mut(one(self.chunks, chunk)?, &self.program.parts.frame, variable)
    }

    /// See [`Crowd::bits_mut`].
    ///
    /// # Errors
    /// As [`Crowd::column`].
    pub fn bits_mut(&mut self, chunk: usize, variable: Variable) -> Result<&mut [u64], AccessError> {
        bits_mut(one(self.chunks, chunk)?, &self.program.parts.frame, variable)
    }
}
