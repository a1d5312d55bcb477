//! The agents' own variables, from outside, one agent at a time.

use super::Crowd;
use crate::layout::Column;
use crate::store::columns::{column, column_of};
use crate::values::{AccessError, Agent, Variable, VariableValue, loaded, stored};

/// Variables of agents.
impl Crowd {
    /// Returns the value of an agent's variable.
    ///
    /// # Errors
    /// If the agent is gone, or the program has no such variable, or it has another type.
    pub fn get<T: VariableValue>(&self, agent: Agent, variable: Variable) -> Result<T, AccessError> {
        let (chunk, lane) = self.chunk_of(agent)?;
        Ok(T::of(chunk.read(column_of::<T>(&self.program.parts.frame, variable)?, lane)))
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
        let (chunk, frame, lane) = self.place_of(agent)?;
        // Its kind is that of the type, which the compiler knows.
        let column = Column { kind: T::KIND, ..column_of::<T>(frame, variable)? };
        chunk.assign(frame, column, lane, value.bits());
        Ok(())
    }

    /// Returns the value of an agent's variable of any type as a number. A boolean is 1 or 0.
    ///
    /// # Errors
    /// If the agent is gone, or the program has no such variable.
    pub fn number(&self, agent: Agent, variable: Variable) -> Result<f64, AccessError> {
        let (chunk, lane) = self.chunk_of(agent)?;
        let column = column(&self.program.parts.frame, variable)?;
        Ok(loaded(column.kind, chunk.read(column, lane)))
    }

    /// Sets a variable of an agent to the nearest value that it can hold.
    ///
    /// # Errors
    /// If the agent is gone, or the program has no such variable.
    pub fn set_number(&mut self, agent: Agent, variable: Variable, value: f64) -> Result<(), AccessError> {
        let (chunk, frame, lane) = self.place_of(agent)?;
        let column = column(frame, variable)?;
        chunk.assign(frame, column, lane, stored(column.kind, value));
        Ok(())
    }

    /// Returns the chunk and the lane of an agent: the place of its values in columns. The place
    /// changes only if the agent is switched to another tree.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn place(&self, agent: Agent) -> Result<(usize, usize), AccessError> {
        let place = self.agents.find(agent)?;
        Ok((place.chunk as usize, place.lane.into()))
    }
}
