//! Constants of trees that games tune.

use super::Crowd;
use crate::layout::Column;
use crate::program::Program;
use crate::store::{Chunk, Place, World};
use crate::values::{Agent, Group, SharedVariable, Tunable, TunableScope, TuneError, held, loaded};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// Tunables.
impl Crowd {
    /// Changes a tunable of all agents, `tune const`. The next tick sees the value. A boolean is 1
    /// or 0, and a duration has the unit of the crowd's time. Recordings and saved states have the
    /// value.
    ///
    /// # Errors
    /// If the program has no such tunable, each agent has a value of its own, or the value is not
    /// one of the type and range of the tunable.
    pub fn tune(&mut self, name: &str, value: f64) -> Result<(), TuneError> {
        let tunable = self.program.tunable(name)?.1.expect(TunableScope::Crowd)?;
        let bits = tunable.bits(value)?;
        put_shared(&mut self.world, tunable, bits);
        Ok(())
    }

    /// Returns the value of a tunable of all agents.
    ///
    /// # Errors
    /// If the program has no such tunable, or each agent has a value of its own.
    pub fn tuned(&self, name: &str) -> Result<f64, TuneError> {
        let tunable = self.program.tunable(name)?.1.expect(TunableScope::Crowd)?;
        Ok(loaded(tunable.ty.0, self.tuned_bits(tunable)))
    }

    /// Changes a tunable of one agent, `tune agent const`, as [`Crowd::tune`] does for all.
    ///
    /// # Errors
    /// As [`Crowd::tune`], if all agents share the value, and if the agent is gone.
    pub fn tune_agent(&mut self, agent: Agent, name: &str, value: f64) -> Result<(), TuneError> {
        let place = self.agents.find(agent)?;
        let tunable = self.program.tunable(name)?.1.expect(TunableScope::Agent)?;
        let (column, bits) = (self.column_of(tunable), tunable.bits(value)?);
        let frame = &self.program.parts.frame;
        self.chunks[place.chunk as usize].assign(frame, column, place.lane, bits);
        Ok(())
    }

    /// Returns the value of a tunable of one agent.
    ///
    /// # Errors
    /// If the program has no such tunable, all agents share the value, or the agent is gone.
    pub fn tuned_agent(&self, agent: Agent, name: &str) -> Result<f64, TuneError> {
        let place = self.agents.find(agent)?;
        let tunable = self.program.tunable(name)?.1.expect(TunableScope::Agent)?;
        Ok(loaded(tunable.ty.0, self.tuned_at(tunable, place)))
    }

    /// Gives those tunables of the crowd that are new the values with which its program lets crowds
    /// begin.
    pub(crate) fn begin_tuned(&mut self, is_new: impl Fn(&Tunable) -> bool) {
        for (tunable, bits) in self.program.tuned(TunableScope::Crowd).filter(|(it, _)| is_new(it)) {
            put_shared(&mut self.world, tunable, bits);
        }
    }

    /// Gives those tunables of an agent that are new the values with which the program lets agents
    /// begin.
    pub(crate) fn begin_tuned_at(&mut self, place: Place, is_new: impl Fn(&Tunable) -> bool) {
        for (tunable, bits) in self.program.tuned(TunableScope::Agent).filter(|(it, _)| is_new(it)) {
            let column = column_of(&self.program, tunable);
            self.chunks[place.chunk as usize].write(column, place.lane, bits);
        }
    }

    /// Changes values of tunables that are outside of their ranges to the nearest ones, after a
    /// state was restored. Returns the names of these tunables.
    pub(crate) fn mend_tuned(&mut self) -> Vec<String> {
        let program = self.program.clone();
        let mut mended = Vec::new();
        for tunable in program.tunables() {
            let is_mended = match tunable.scope {
                TunableScope::Crowd => {
                    self.world.variables[usize::from(tunable.index)].pending.fill(Default::default());
                    let bits = tunable.mended(self.tuned_bits(tunable));
                    bits.into_iter().for_each(|bits| put_shared(&mut self.world, tunable, bits));
                    bits.is_some()
                }
                TunableScope::Agent => {
                    let (column, Self { agents, chunks, .. }) = (column_of(&program, tunable), &mut *self);
                    let mend = |place: &Place| {
                        mend(tunable, (column, place.lane), &mut chunks[place.chunk as usize])
                    };
                    agents.places().filter(mend).count() > 0
                }
            };
            if is_mended {
                mended.push((*tunable.name).to_owned());
            }
        }
        mended
    }

    /// Changes the values of an agent that are outside of their ranges to the nearest ones.
    pub(crate) fn mend_tuned_of(&mut self, place: Place) {
        let program = self.program.clone();
        for tunable in program.tunables().iter().filter(|it| it.scope == TunableScope::Agent) {
            let column = column_of(&program, tunable);
            mend(tunable, (column, place.lane), &mut self.chunks[place.chunk as usize]);
        }
    }

    /// Gives tunables that were not tuned in another crowd the values of this crowd's program. The
    /// other crowd has the same agents and runs another build. Returns the names of tunables that
    /// were tuned to values outside of their new ranges.
    pub(crate) fn take_defaults(&mut self, other: &Self) -> Vec<String> {
        let program = self.program.clone();
        let known = other.program.tunables().iter().map(|it| (&*it.name, it));
        let known: BTreeMap<_, _> = known.collect();
        let mended = program.tunables().iter().filter(|tunable| {
            let is_counterpart = |it: &&Tunable| it.ty == tunable.ty && it.scope == tunable.scope;
            let before = known.get(&*tunable.name).copied().filter(is_counterpart);
            let before = before.map(|it| (it, other.program.initial(it)));
            self.take_default(tunable, (other, before), program.initial(tunable))
        });
        mended.map(|tunable| (*tunable.name).to_owned()).collect()
    }

    /// Gives a tunable its initial value where its counterpart in another crowd was not tuned, that
    /// is, where the counterpart has the value with which the other program begins. Returns true if
    /// the counterpart was tuned to a value outside of the range.
    fn take_default(
        &mut self,
        tunable: &Tunable,
        (other, before): (&Self, Option<(&Tunable, u64)>),
        initial: u64,
    ) -> bool {
        let is_outside = |bits: u64| tunable.mended(bits).is_some();
        if tunable.scope == TunableScope::Crowd {
            let tuned = before.map(|(it, began)| (other.tuned_bits(it), began));
            let tuned = tuned.filter(|(bits, began)| bits != began);
            if tuned.is_none() {
                put_shared(&mut self.world, tunable, initial);
            }
            return tuned.is_some_and(|(bits, _)| is_outside(bits));
        }
        let (column, mut is_mended) = (self.column_of(tunable), false);
        for place in self.agents.places().collect::<Vec<_>>() {
            let chunk = &mut self.chunks[place.chunk as usize];
            let at = other.agents.find(chunk.agent(place.lane)).ok();
            let tuned = before.zip(at).map(|((it, began), at)| (other.tuned_at(it, at), began));
            match tuned.filter(|(bits, began)| bits != began) {
                Some((bits, _)) => is_mended |= is_outside(bits),
                None => chunk.write(column, place.lane, initial),
            }
        }
        is_mended
    }

    fn column_of(&self, tunable: &Tunable) -> Column {
        column_of(&self.program, tunable)
    }

    /// Returns the value of a tunable of all agents, as bits of a column.
    fn tuned_bits(&self, tunable: &Tunable) -> u64 {
        held(tunable.ty.0, self.world.entry(tunable.index, 0))
    }

    /// Returns the value of a tunable of an agent, as bits of a column.
    fn tuned_at(&self, tunable: &Tunable, place: Place) -> u64 {
        self.chunks[place.chunk as usize].read(self.column_of(tunable), place.lane)
    }
}

/// Returns the column of a tunable of agents.
fn column_of(program: &Program, tunable: &Tunable) -> Column {
    program.parts.frame.slots[usize::from(tunable.index)].column
}

/// Changes the value of an agent that is outside of the range to the nearest one. Returns true if
/// the value was outside.
fn mend(tunable: &Tunable, (column, lane): (Column, u8), chunk: &mut Chunk) -> bool {
    let bits = tunable.mended(chunk.read(column, lane));
    bits.into_iter().for_each(|bits| chunk.write(column, lane, bits));
    bits.is_some()
}

/// Writes a tunable of all agents, whose variable exists.
fn put_shared(world: &mut World, tunable: &Tunable, bits: u64) {
    let variable = SharedVariable(tunable.index);
    let _: Option<()> = world.set(variable, Group::default(), tunable.entry(bits));
}
