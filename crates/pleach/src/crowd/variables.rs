//! The agents' own variables, from outside, one agent at a time.

use super::Crowd;
use crate::layout::{Column, Frame};
use crate::store::Chunk;
use crate::store::columns::{column, column_of};
use crate::values::{AccessError, Agent, EntityId, Kind, Variable, VariableValue, loaded, stored};

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

    /// Replaces the entities that all agents and shared variables hold, for example after a state
    /// was restored: `map` returns the number that stands for the same thing now. It is not asked
    /// for [`EntityId::NONE`], which stays.
    pub fn map_entities(&mut self, mut map: impl FnMut(EntityId) -> EntityId) {
        let Self { program, chunks, world, .. } = self;
        for chunk in chunks {
            for lane in chunk.lanes() {
                map_lane(&program.parts.frame, chunk, lane, &mut map);
            }
        }
        for variable in world.variables.iter_mut().filter(|it| it.kind == Kind::Entity) {
            let assigned = variable.pending.iter_mut().filter_map(|pending| pending.assigned.as_mut());
            let pending = assigned.map(|(_, entity)| entity);
            variable.values.iter_mut().chain(pending).for_each(|entity| *entity = mapped(*entity, &mut map));
        }
    }

    /// Replaces the entities that an agent holds, as [`Crowd::map_entities`] does for all.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn map_entities_of(
        &mut self,
        agent: Agent,
        mut map: impl FnMut(EntityId) -> EntityId,
    ) -> Result<(), AccessError> {
        let place = self.agents.find(agent)?;
        let chunk = &mut self.chunks[place.chunk as usize];
        map_lane(&self.program.parts.frame, chunk, place.lane, &mut map);
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

fn map_lane(frame: &Frame, chunk: &mut Chunk, lane: u8, map: &mut impl FnMut(EntityId) -> EntityId) {
    for slot in frame.slots.iter().filter(|slot| slot.column.kind == Kind::Entity) {
        let entity = chunk.read(slot.column, lane);
        chunk.write(slot.column, lane, mapped(entity, map));
    }
}

fn mapped(entity: u64, map: &mut impl FnMut(EntityId) -> EntityId) -> u64 {
    if entity == 0 { 0 } else { map(EntityId(entity)).0 }
}
