//! Restoring of running agents from bytes.
//!
//! A state of the same build is copied, column by column, into the chunks that exist. This is the
//! cost of a rollback. A state of another build is transferred slot by slot into new chunks. Both
//! change nothing before the whole state is known to be right.

use super::check::{ChunkState, CrowdState};
use super::map::{Map, Misplaced, ResetReason, held};
use super::report::ReloadReport;
use crate::crowd::Crowd;
use crate::engine::parts::Parts;
use crate::layout::{BIT_WORDS, LANES};
use crate::planted::{self, Bug};
use crate::program::Program;
use crate::saved::error::{StateError, StateFault};
use crate::saved::format::{AgentRow, SavedColumns, StateKind, StateReader, is_pace};
use crate::saved::layout::SavedLayout;
use crate::state::check::epoch;
use crate::store::chunk::clock::{Clock, counted_from};
use crate::store::{Chunk, Pace, Place};
use crate::values::{Agent, Group, Kind, NEVER, TextTable, loaded, stored};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
use bytemuck::Pod;

impl Crowd {
    /// Restores the state that [`Crowd::snapshot`] saved. Handles of that moment are valid again. A
    /// state of another build of the trees is restored if all active nodes still exist: nodes are
    /// found by their stable keys, and trees, variables and events by name. New variables have
    /// their declared values.
    ///
    /// The host is told nothing. A state of the same build is copied into
    /// memory that exists already.
    ///
    /// # Errors
    /// If the bytes are no such state, or something in it is not in the program; the error
    /// names the first. Or if the crowd may not have so many agents, or there is no memory for
    /// them. Nothing has changed then. Whatever the bytes are, either they are refused, or the
    /// crowd can be ticked afterwards.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), StateError> {
        let program = self.program.clone();
        let state = CrowdState::read(&program.parts, &self.world.texts, state)?;
        state.known()?;
        if let Some(lost) = state.map.lost.first() {
            return Err(lost.clone());
        }
        self.reserve(&state)?;
        if state.is_fit() {
            return self.copy(&state).map(drop);
        }
        if let Err((place, why)) = state.misplaced() {
            return Err(refused(why, state.agents().find(|(_, at)| *at == place)));
        }
        state.sets()?;
        let (chunks, _) = carried(&program, &state)?;
        self.take(chunks, &state);
        Ok(())
    }

    /// Restores a state of another build as [`Crowd::restore`] does, but does not refuse it if
    /// something no longer exists: agents that cannot continue begin their trees anew, as by
    /// [`Crowd::reset`], and missing variables and events are dropped. The report lists them.
    ///
    /// # Errors
    /// If the bytes are no such state, an agent runs a tree that the program does not have, or
    /// there is no room for all. Nothing has changed then.
    pub fn migrate(&mut self, state: &[u8]) -> Result<ReloadReport, StateError> {
        let program = self.program.clone();
        let state = CrowdState::read(&program.parts, &self.world.texts, state)?;
        state.trees()?;
        self.reserve(&state)?;
        if state.is_fit() {
            let mended = self.copy(&state)?;
            return Ok(ReloadReport { kept: self.count, mended, ..ReloadReport::default() });
        }
        let (chunks, reset) = carried(&program, &state)?;
        let mut report =
            ReloadReport { kept: state.agents().count() - reset.len(), reset, ..ReloadReport::default() };
        report.lost.extend(state.map.lost.iter().map(|lost| lost.about.clone()));
        report.mended = self.take(chunks, &state);
        Ok(report)
    }

    /// Spawns an agent with the state that [`Crowd::save_agent`] saved, in this crowd or another,
    /// as a member of a group of this crowd. In limited nodes, the agent keeps its place even if no
    /// other place is free. May allocate.
    ///
    /// # Errors
    /// If the bytes are no such state, something in it is not in the program, the group is not of
    /// this crowd, or the crowd is full. Nothing has changed then.
    pub fn load_agent(&mut self, state: &[u8], group: Group) -> Result<Agent, StateError> {
        StateFault::Group.unless(self.world.has(group), 0)?;
        let program = self.program.clone();
        let state = AgentState::read(&program.parts, &self.world.texts, state)?;
        let agent = self.spawn_entry(state.entry).map_err(|_| StateError::new(StateFault::Full, 0))?;
        // It has just been spawned.
        if let Ok(place) = self.agents.find(agent) {
            let Self { chunks, world, .. } = self;
            let chunk = &mut chunks[place.chunk as usize];
            chunk.set_group(place.lane, group.0);
            world.texts.clone_from(&state.map.texts.table);
            state.put(&program.parts, chunk, place.lane);
            world.count_in(&program.parts.gates, chunk, place.lane);
            self.begin_tuned_at(place, |tunable| state.map.lacks(tunable));
            self.mend_tuned_of(place);
        }
        Ok(agent)
    }

    /// Reserves memory for the agents of a state, so that taking them cannot fail. Agents
    /// that exist are not changed.
    fn reserve(&mut self, state: &CrowdState<'_, '_>) -> Result<(), StateError> {
        let (rows, free, chunks) = (state.generations.len(), state.free.len(), state.chunks.len());
        StateFault::Full.unless(state.agents().count() <= self.most, 0)?;
        let more = rows.saturating_sub(self.agents.rows().len());
        self.agents.reserve(more, free)?;
        Ok(self.reserve_open(chunks)?)
    }

    /// Becomes a state of the same build, with what memory there is and chunks that are missing.
    /// Returns the names of the tunables whose values were outside of their ranges.
    fn copy(&mut self, state: &CrowdState<'_, '_>) -> Result<Vec<String>, StateError> {
        let program = self.program.clone();
        let is_there = |chunk: Option<&Chunk>, entry| chunk.is_some_and(|chunk| chunk.entry == entry);
        let mut new: Vec<(usize, Chunk)> = Vec::new();
        for (index, from) in state.chunks.iter().enumerate() {
            if !is_there(self.chunks.get(index), from.row.entry) {
                new.try_reserve(1)?;
                new.push((index, new_chunk(&program.parts, from.row.entry)?));
            }
        }
        let more = state.chunks.len().saturating_sub(self.chunks.len());
        self.chunks.try_reserve(more)?;
        let mut chunks = core::mem::take(&mut self.chunks);
        chunks.truncate(state.chunks.len());
        for (index, chunk) in new {
            match chunks.get_mut(index) {
                Some(place) => *place = chunk,
                None => chunks.push(chunk),
            }
        }
        chunks.iter_mut().zip(&state.chunks).for_each(|(chunk, from)| copy_chunk(chunk, from));
        Ok(self.take(chunks, state))
    }

    /// Takes the chunks and everything else of a state. Returns the names of the tunables whose
    /// values were outside of their ranges.
    fn take(&mut self, chunks: Vec<Chunk>, state: &CrowdState<'_, '_>) -> Vec<String> {
        self.chunks = chunks;
        for (chunk, from) in self.chunks.iter_mut().zip(&state.chunks) {
            chunk.seat(from.occupied, from.row.awake);
        }
        for (agent, Place { chunk, lane }) in state.agents() {
            self.chunks[chunk as usize].set_agent(lane, agent);
        }
        let rows = state.generations.iter().zip(state.places.iter());
        self.agents.replace(rows, state.free.iter());
        let same = state.map.is_same();
        let value = |shared: usize, value: u64| state.map.shared_value(shared, value);
        self.world.texts.clone_from(&state.map.texts.table);
        self.world.load(&state.world, &state.map.shared, &state.map.events, same, value);
        if !same {
            for (_, Place { chunk, lane }) in state.agents() {
                self.world.count_in(&self.program.parts.gates, &self.chunks[chunk as usize], lane);
            }
        }
        self.next = state.world.row.next as usize;
        self.settle_in();
        if !same {
            self.begin_tuned(|tunable| state.map.lacks(tunable));
            for (_, place) in state.agents() {
                self.begin_tuned_at(place, |tunable| state.map.lacks(tunable));
            }
        }
        self.mend_tuned()
    }
}

impl CrowdState<'_, '_> {
    /// Checks that the program has the trees that agents run.
    fn trees(&self) -> Result<(), StateError> {
        let mut chunks = self.chunks.iter();
        // A chunk without agents can be of any tree, if there is one.
        let none = self.map.parts.entries.is_empty();
        let gone = |chunk: &&ChunkState<'_>| {
            self.map.entries[chunk.row.entry as usize].is_none() && (none || chunk.occupied != [0; BIT_WORDS])
        };
        let gone = chunks.find(gone).map(|chunk| chunk.row.entry as usize);
        gone.map_or(Ok(()), |entry| Err(self.layout.no_entry(entry)))
    }

    /// Checks that the program has the trees and events of the state.
    fn known(&self) -> Result<(), StateError> {
        self.trees()?;
        if self.map.is_same() {
            return Ok(());
        }
        let events = self.layout.events;
        let mut unknown = vec![true; events.len()];
        self.map.events.iter().flatten().for_each(|event| unknown[*event] = false);
        let unknown = self.world.waiting(events.len()).find(|(event, _)| unknown[*event]);
        unknown.map_or(Ok(()), |(event, at)| {
            Err(StateError::about(StateFault::NoEvent, at, self.layout.text(events.get(event))))
        })
    }
}

/// The error for an agent that cannot go on where it is.
fn refused(why: Misplaced, agent: Option<(Agent, Place)>) -> StateError {
    match why {
        Misplaced::Wrong(error) => error,
        Misplaced::Why(why, at) => {
            let fault = if why == ResetReason::Gone { StateFault::Gone } else { StateFault::Moved };
            let about = agent.map_or_else(String::new, |(agent, _)| agent.index().to_string());
            StateError::about(fault, at, about)
        }
    }
}

fn new_chunk(parts: &Parts, entry: u32) -> Result<Chunk, StateError> {
    Ok(Chunk::new(&parts.frame, entry, parts.sweeps[parts.block(entry)].clone())?)
}

/// Gives a chunk what one of the same build had.
fn copy_chunk(chunk: &mut Chunk, from: &ChunkState<'_>) {
    let columns = &from.columns;
    if !planted::is(Bug::DroppedSlot) {
        copy(&mut chunk.bits, columns.bits.bytes);
    }
    copy(&mut chunk.bytes, columns.bytes.bytes);
    copy(&mut chunk.halves, columns.halves.bytes);
    chunk.list_all();
    copy(&mut chunk.words, columns.words.bytes);
    copy(&mut chunk.moments, columns.moments.bytes);
    copy_beside(chunk, from);
}

/// Copies the state of a chunk beside the frames of its agents.
fn copy_beside(chunk: &mut Chunk, from: &ChunkState<'_>) {
    copy(&mut chunk.ends, from.ends.bytes);
    chunk.others.fill(0);
    if from.others.len() == chunk.others.len() {
        copy(&mut chunk.others, from.others.bytes);
    }
    chunk.groups.fill(0);
    if from.groups.len() > chunk.groups.len() {
        chunk.groups = [0; LANES].into();
    }
    copy(&mut chunk.groups, from.groups.bytes);
    if from.paces.len() != chunk.paces.len() {
        chunk.paces = vec![Pace::EACH; from.paces.len()].into();
    }
    copy(&mut chunk.paces, from.paces.bytes);
    chunk.clock = Clock::from(from.epoch);
}

/// Copies to the first elements.
fn copy<T: Pod>(to: &mut [T], bytes: &[u8]) {
    bytemuck::cast_slice_mut::<T, u8>(to)[..bytes.len()].copy_from_slice(bytes);
}

/// Agents that begin their trees anew.
type Resets = Vec<(Agent, ResetReason)>;

/// Carries all agents over into chunks of another build.
fn carried(program: &Program, state: &CrowdState<'_, '_>) -> Result<(Vec<Chunk>, Resets), StateError> {
    let parts = &program.parts;
    let mut chunks = Vec::new();
    for from in &state.chunks {
        // All trees that agents run are known.
        let entry = state.map.entries[from.row.entry as usize].unwrap_or_default();
        let mut chunk = new_chunk(parts, entry)?;
        copy_beside(&mut chunk, from);
        chunks.try_reserve(1)?;
        chunks.push(chunk);
    }
    let mut reset = Vec::new();
    for (agent, Place { chunk, lane }) in state.agents() {
        let ChunkState { columns, epoch, .. } = &state.chunks[chunk as usize];
        let chunk = &mut chunks[chunk as usize];
        let why = match state.map.place(columns, lane, chunk.entry) {
            Ok(()) => None,
            Err(Misplaced::Why(why, _)) => Some(why),
            Err(Misplaced::Wrong(error)) => return Err(error),
        };
        carry(parts, &state.map, (columns, *epoch), lane, chunk, lane);
        if let Some(why) = why {
            begin_anew(parts, chunk, lane);
            reset.try_reserve(1)?;
            reset.push((agent, why));
        }
    }
    Ok((chunks, reset))
}

/// Carries a frame over, whose sets have been looked at and whose times count from an epoch.
fn carry(
    parts: &Parts,
    map: &Map<'_>,
    (columns, epoch): (&SavedColumns<'_>, i64),
    from: u8,
    chunk: &mut Chunk,
    lane: u8,
) {
    chunk.clear(&parts.frame, lane, |_| true);
    for (index, slot) in parts.frame.slots.iter().enumerate() {
        let (Some(source), target) = (map.slot(index), slot.column) else { continue };
        match target.kind {
            Kind::Data => chunk.data_mut(target, lane).copy_from_slice(columns.data(source, from)),
            Kind::Node | Kind::Set => {
                let Ok((held, _)) = held(columns, source, from) else { continue };
                let places = match (target.kind, chunk.set_mut(target.first, target.stride, lane)) {
                    (Kind::Set, [count, places @ ..]) => {
                        *count = held.len().min(places.len()) as u16;
                        places
                    }
                    (_, places) => places,
                };
                places.iter_mut().zip(map.nodes(held)).for_each(|(place, node)| *place = node);
            }
            Kind::Time => {
                let timer = columns.read_bits(source, from) as u32;
                *chunk.word_mut(target.first, lane) = counted_from(timer, epoch, chunk.clock.epoch());
            }
            Kind::Text => {
                let number = map.texts.of(columns.read_bits(source, from) as u32);
                chunk.write(target, lane, number.into());
            }
            _ if map.is_renumbered(index) => {
                let value = loaded(source.kind, sign_extended(source.kind, columns.read_bits(source, from)));
                let bits = map.value(index, value).map_or(slot.init, |value| stored(target.kind, value));
                chunk.write(target, lane, bits);
            }
            _ => chunk.write(target, lane, columns.read_bits(source, from)),
        }
    }
}

/// Returns bits of a column as they stand for a number, with the sign of a narrow integer.
fn sign_extended(kind: Kind, bits: u64) -> u64 {
    match kind {
        Kind::I8 => (i32::from(bits as i8) as u32).into(),
        Kind::I16 => (i32::from(bits as i16) as u32).into(),
        _ => bits,
    }
}

/// Lets an agent begin its tree anew, without places behind gates.
fn begin_anew(parts: &Parts, chunk: &mut Chunk, lane: u8) {
    let is_place = |kind| matches!(kind, Kind::Node | Kind::Set);
    chunk.clear(&parts.frame, lane, |slot| slot.reset || is_place(slot.column.kind));
    parts.gates.iter().for_each(|gate| chunk.set_bit(gate.inside, lane, false));
}

/// An agent's state, which a program can go on with.
struct AgentState<'p, 'a> {
    map: Map<'p>,
    entry: u32,
    row: AgentRow,
    columns: SavedColumns<'a>,
    epoch: i64,
}

impl<'p, 'a> AgentState<'p, 'a> {
    fn read(parts: &'p Parts, texts: &Arc<TextTable>, bytes: &'a [u8]) -> Result<Self, StateError> {
        let mut reader = StateReader::new(bytes);
        let layout = SavedLayout::read(&mut reader, bytes.len(), StateKind::Agent)?;
        let map = Map::new((parts, texts), &layout, 1)?;
        let at = reader.at;
        let row: AgentRow = reader.row()?;
        let pace = Pace { every: row.every, rest: row.rest };
        StateFault::End.unless(row.end <= NEVER, at)?;
        StateFault::Flag.unless(row.asleep <= 1, at)?;
        StateFault::Pace.unless(is_pace(pace), at)?;
        StateFault::Flag.unless(row.epoch <= 1, at)?;
        let columns = SavedColumns::read(&mut reader, map.sizes)?;
        let epoch = epoch(&mut reader, row.epoch != 0)?;
        reader.end()?;
        let entry = match *map.entries {
            [Some(entry)] => entry,
            [None] => return Err(layout.no_entry(0)),
            _ => return Err(StateError::new(StateFault::Entry, layout.entries.at)),
        };
        if let Some(lost) = map.lost.first() {
            return Err(lost.clone());
        }
        map.place(&columns, 0, entry).map_err(|why| refused(why, None))?;
        Ok(Self { map, entry, row, columns, epoch })
    }

    /// Makes an agent that has just been spawned this one.
    fn put(&self, parts: &Parts, chunk: &mut Chunk, lane: u8) {
        chunk.meet(&parts.frame, self.epoch);
        carry(parts, &self.map, (&self.columns, self.epoch), 0, chunk, lane);
        chunk.set_asleep(lane, self.row.asleep != 0);
        chunk.ends[usize::from(lane)] = self.row.end;
        if let Some(other) = chunk.others.get_mut(usize::from(lane)) {
            *other = self.row.other;
        }
        chunk.put_pace(lane, Pace { every: self.row.every, rest: self.row.rest });
    }
}
