//! State that agents share: variables of groups and the world, raised events, random draws.
//!
//! Within a tick, all agents read the values that variables had when it began. Writes and raised
//! events are collected, and combined when the tick has ended. So neither the order of agents nor
//! the number of threads matters. Of all assignments, that of the agent with the highest index
//! counts. Other writes are sums, least values and greatest values. The price is that no agent sees
//! within a tick what another one wrote in it.

use crate::store::chunk::Chunk;
use crate::values::{Group, Kind, SharedVariable, TextTable, entry_of, held, loaded};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
use core::cmp::Ordering;
use hashbrown::HashSet;
use pleach_image::Image;
use pleach_image::float::bits64;
use pleach_image::format::{SharedRow, how, scope};
use pleach_image::splitmix::mix;

/// Writes to a variable that are not combined yet. Values are entries of the stack of expressions:
/// words, or the bits of doubles.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pending {
    /// Highest index of the agents that assigned, and the value that this agent assigned.
    pub(crate) assigned: Option<(u32, u64)>,
    /// Sum to be added. It wraps as the variable does.
    pub(crate) added: i64,
    pub(crate) least: Option<u64>,
    pub(crate) greatest: Option<u64>,
}

impl Pending {
    fn write(&mut self, kind: Kind, agent: u32, way: u8, value: u64) {
        match way {
            how::ASSIGN if self.assigned.is_none_or(|(index, _)| index <= agent) => {
                let value = if kind.is_word() { value } else { bits64(f64::from_bits(value)) };
                self.assigned = Some((agent, value));
            }
            how::ADD => self.added = sum(kind, self.added, addend(kind, value)),
            how::MIN if !is_nan(kind, value) => {
                self.least = Some(self.least.map_or(value, |it| lesser(kind, it, value)))
            }
            how::MAX if !is_nan(kind, value) => {
                self.greatest = Some(self.greatest.map_or(value, |it| greater(kind, it, value)));
            }
            _ => {}
        }
    }

    /// Adds writes that were made elsewhere.
    fn absorb(&mut self, kind: Kind, other: Self) {
        if let Some((agent, value)) = other.assigned {
            self.write(kind, agent, how::ASSIGN, value);
        }
        self.added = sum(kind, self.added, other.added);
        for (way, value) in [(how::MIN, other.least), (how::MAX, other.greatest)] {
            value.into_iter().for_each(|value| self.write(kind, 0, way, value));
        }
    }

    /// Returns the value of the variable after the writes.
    fn apply(self, before: u64, kind: Kind) -> u64 {
        let mut value = self.assigned.map_or(before, |(_, value)| value);
        if self.added != 0 {
            let sum = sum(kind, addend(kind, value), self.added);
            value = if kind.is_word() { sum as u64 } else { (sum as f64).to_bits() };
        }
        for (other, nearer) in [(self.least, lesser as Choice), (self.greatest, greater)] {
            if let Some(other) = other {
                value = if is_nan(kind, value) { other } else { nearer(kind, value, other) };
            }
        }
        entry_of(kind, held(kind, value))
    }
}

/// Choice between two values of a variable.
type Choice = fn(Kind, u64, u64) -> u64;

/// Returns a sum that wraps as a variable does: at 64 bits, or at 32 if it holds no words.
fn sum(kind: Kind, first: i64, second: i64) -> i64 {
    if kind.is_word() {
        first.wrapping_add(second)
    } else {
        (first as i32).wrapping_add(second as i32).into()
    }
}

/// Returns what is added for a value.
fn addend(kind: Kind, value: u64) -> i64 {
    if kind.is_word() { value as i64 } else { (f64::from_bits(value) as i32).into() }
}

pub(crate) fn is_nan(kind: Kind, value: u64) -> bool {
    !kind.is_word() && f64::from_bits(value).is_nan()
}

/// Returns the order of two values that are not NaN; -0 is below 0.
fn order(kind: Kind, first: u64, second: u64) -> Ordering {
    if kind.is_word() {
        (first as i64).cmp(&(second as i64))
    } else {
        f64::from_bits(first).total_cmp(&f64::from_bits(second))
    }
}

fn lesser(kind: Kind, first: u64, second: u64) -> u64 {
    if order(kind, second, first).is_lt() { second } else { first }
}

fn greater(kind: Kind, first: u64, second: u64) -> u64 {
    if order(kind, second, first).is_gt() { second } else { first }
}

/// Declaration of a shared variable.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: Box<str>,
    pub(crate) kind: Kind,
    /// True if each group has its own value, false if the world has one.
    pub(crate) grouped: bool,
    /// Initial value, as an entry of the stack of expressions.
    initial: u64,
}

impl Declared {
    pub(crate) fn all<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Self> {
        let declared = |row: &SharedRow| {
            let kind = Kind::of(row.kind);
            let grouped = row.scope == scope::GROUP;
            Self { name: image.name(row.name).into(), kind, grouped, initial: entry_of(kind, row.initial()) }
        };
        image.shared().iter().map(declared).collect()
    }
}

/// A variable, with a cell for the world or for each group.
#[derive(Clone, Debug)]
pub(crate) struct SharedState {
    pub(crate) kind: Kind,
    pub(crate) grouped: bool,
    pub(crate) initial: u64,
    /// Values as entries of the stack of expressions: words, or the bits of doubles.
    pub(crate) values: Vec<u64>,
    pub(crate) pending: Vec<Pending>,
}

impl SharedState {
    fn new(declared: &Declared) -> Self {
        let &Declared { kind, grouped, initial, .. } = declared;
        Self { kind, grouped, initial, values: vec![initial], pending: vec![Pending::default()] }
    }

    #[inline]
    fn cell(&self, group: u32) -> usize {
        if self.grouped { group as usize } else { 0 }
    }
}

/// Limit of the number of agents that are inside some nodes. If a place is free, an agent that asks
/// for it gets it at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    pub(crate) places: u32,
    /// True if each group has places of its own.
    pub(crate) grouped: bool,
    /// Column of bits of the agents that are inside. Gates with the same
    /// column also share their places.
    pub(crate) inside: u32,
    /// Index of the count of the gate.
    pub(crate) number: usize,
}

impl Gate {
    /// Returns the index of a group's count.
    #[inline]
    pub(crate) fn cell(&self, group: u32) -> usize {
        if self.grouped { group as usize } else { 0 }
    }

    /// An agent gives its place back, if it has one.
    pub(crate) fn leave(&self, world: &mut World, chunk: &mut Chunk, lane: u8) {
        if chunk.bit(self.inside, lane) {
            chunk.set_bit(self.inside, lane, false);
            world.exit(self, chunk.group(lane));
        }
    }
}

/// State that the agents of a crowd share.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) variables: Vec<SharedState>,
    pub(crate) groups: u32,
    /// True if there are writes that are not combined yet.
    pub(crate) written: bool,
    /// For each event, whether it was raised for all, and after them for each event and group.
    pub(crate) raised: Vec<bool>,
    pub(crate) any_raised: bool,
    pub(crate) events: usize,
    /// For each gate, how many agents are behind it: of the world, or of each group.
    pub(crate) inside: Vec<Vec<u32>>,
    /// The hash of the seed.
    pub(crate) seed: u64,
    pub(crate) tick: u64,
    /// Number that replaces all random draws.
    pub(crate) fixed: Option<f64>,
    /// The texts of the program, and those that the host has interned.
    pub(crate) texts: Arc<TextTable>,
}

impl World {
    pub(crate) fn new(shared: &[Declared], events: usize, gates: usize, texts: &Arc<TextTable>) -> Self {
        Self {
            variables: shared.iter().map(SharedState::new).collect(),
            groups: 1,
            written: false,
            raised: vec![false; events * 2],
            any_raised: false,
            events,
            inside: vec![vec![0]; gates],
            seed: mix(0),
            tick: 0,
            fixed: None,
            texts: texts.clone(),
        }
    }

    /// Returns a copy for some of the agents, which write to it while others write elsewhere.
    pub(crate) fn apart(&self) -> Self {
        let mut apart = self.clone();
        apart.forget();
        apart.inside = Vec::new();
        apart
    }

    /// Takes the values that are read in the next tick.
    pub(crate) fn follow(&mut self, world: &Self) {
        for (variable, other) in self.variables.iter_mut().zip(&world.variables) {
            variable.values.clone_from(&other.values);
            variable.pending.resize(other.values.len(), Pending::default());
        }
        self.raised.resize(world.raised.len(), false);
        (self.groups, self.seed, self.tick, self.fixed) = (world.groups, world.seed, world.tick, world.fixed);
        self.texts.clone_from(&world.texts);
    }

    /// Takes the writes and the raised events of another world, and removes them there.
    pub(crate) fn absorb(&mut self, other: &mut Self) {
        if core::mem::take(&mut other.written) {
            self.written = true;
            for (variable, others) in self.variables.iter_mut().zip(&mut other.variables) {
                for (pending, other) in variable.pending.iter_mut().zip(&mut others.pending) {
                    pending.absorb(variable.kind, core::mem::take(other));
                }
            }
        }
        if other.any_raised {
            self.any_raised = true;
            self.raised.iter_mut().zip(&other.raised).for_each(|(raised, other)| *raised |= other);
            other.settle();
        }
    }

    /// Takes a place behind a gate. Returns false if there is none. An agent that is inside already
    /// takes no second place, but the result is the same as for other agents.
    pub(crate) fn enter(&mut self, gate: &Gate, group: u32, is_inside: bool) -> bool {
        let inside = &mut self.inside[gate.number][gate.cell(group)];
        let free = *inside < gate.places;
        *inside += u32::from(free && !is_inside);
        free
    }

    /// Gives a place behind a gate back.
    pub(crate) fn exit(&mut self, gate: &Gate, group: u32) {
        let inside = &mut self.inside[gate.number][gate.cell(group)];
        *inside = inside.saturating_sub(1);
    }

    /// Returns a new group, with variables as they are at first; `None` if there are 2^32 already.
    pub(crate) fn add_group(&mut self) -> Option<Group> {
        let group = Group(self.groups);
        self.groups = self.groups.checked_add(1)?;
        for variable in self.variables.iter_mut().filter(|variable| variable.grouped) {
            variable.values.push(variable.initial);
            variable.pending.push(Pending::default());
        }
        self.raised.resize(self.raised.len() + self.events, false);
        self.inside.iter_mut().for_each(|groups| groups.push(0));
        Some(group)
    }

    /// Returns true if the group is one of this crowd.
    pub(crate) fn has(&self, group: Group) -> bool {
        group.0 < self.groups
    }

    /// Returns the value that a variable had when the tick began: a word, or the bits of a double.
    /// A boolean is 1 or 0.
    #[inline]
    pub(crate) fn entry(&self, shared: u16, group: u32) -> u64 {
        let variable = &self.variables[usize::from(shared)];
        variable.values[variable.cell(group)]
    }

    /// Returns the value that a variable had when the tick began, as [`World::entry`] does, if all
    /// groups share it.
    #[inline]
    pub(crate) fn entry_of_all(&self, shared: u16) -> Option<u64> {
        let variable = &self.variables[usize::from(shared)];
        (!variable.grouped).then(|| variable.values[0])
    }

    /// Returns the value that a boolean variable had when the tick began.
    #[inline]
    pub(crate) fn bit(&self, shared: u16, group: u32) -> bool {
        f64::from_bits(self.entry(shared, group)) != 0.0
    }

    /// Returns the type and the value of a variable, as [`World::entry`] does; `None` if there is
    /// no such variable.
    pub(crate) fn entry_at(&self, variable: SharedVariable, group: Group) -> Option<(Kind, u64)> {
        let variable = self.variables.get(usize::from(variable.0))?;
        Some((variable.kind, *variable.values.get(variable.cell(group.0))?))
    }

    /// Returns the value of a variable as a number; `None` if there is no such variable.
    pub(crate) fn number(&self, variable: SharedVariable, group: Group) -> Option<f64> {
        let (kind, entry) = self.entry_at(variable, group)?;
        Some(loaded(kind, held(kind, entry)))
    }

    /// Writes an entry at once, as the host may between ticks; `None` if there is no such variable.
    pub(crate) fn set(&mut self, variable: SharedVariable, group: Group, value: u64) -> Option<()> {
        let variable = self.variables.get_mut(usize::from(variable.0))?;
        let cell = variable.cell(group.0);
        *variable.values.get_mut(cell)? = entry_of(variable.kind, held(variable.kind, value));
        Some(())
    }

    /// Notes a write of an agent: a word, or the bits of a double. A boolean is 1 or 0.
    pub(crate) fn write(&mut self, shared: u16, group: u32, agent: u32, way: u8, value: u64) {
        let variable = &mut self.variables[usize::from(shared)];
        let cell = variable.cell(group);
        variable.pending[cell].write(variable.kind, agent, way, value);
        self.written = true;
    }

    /// Combines the writes of a tick.
    pub(crate) fn commit(&mut self) {
        if !core::mem::take(&mut self.written) {
            return;
        }
        for variable in &mut self.variables {
            for (value, pending) in variable.values.iter_mut().zip(&mut variable.pending) {
                *value = core::mem::take(pending).apply(*value, variable.kind);
            }
        }
    }

    /// Notes an event for a group or all.
    pub(crate) fn raise(&mut self, event: u16, whom: u8, group: u32) {
        let row = if u32::from(whom) == scope::WORLD { 0 } else { 1 + group as usize };
        self.raised[row * self.events + usize::from(event)] = true;
        self.any_raised = true;
    }

    /// Returns true if an event waits for the agents of a group.
    pub(crate) fn is_raised(&self, event: u16, group: u32) -> bool {
        let at = |row: usize| self.raised[row * self.events + usize::from(event)];
        at(0) || at(1 + group as usize)
    }

    /// No event waits any more.
    pub(crate) fn settle(&mut self) {
        self.raised.fill(false);
        self.any_raised = false;
    }

    /// Returns a number drawn by an agent in this tick, from 0 up to 1. `rounds` is how often
    /// loops have begun again in it.
    #[inline]
    pub(crate) fn draw(&self, agent: u32, place: u16, rounds: u32) -> f64 {
        if let Some(fixed) = self.fixed {
            return fixed;
        }
        let salt = mix(self.seed ^ self.tick);
        let mut hash = mix(salt ^ (u64::from(agent) << 32 | u64::from(place)));
        if rounds > 0 {
            hash = mix(hash ^ u64::from(rounds));
        }
        (hash >> 40) as f64 / f64::from(1 << 24)
    }

    /// Counts an agent where it is behind gates, even if there is no place free.
    pub(crate) fn count_in(&mut self, gates: &[Gate], chunk: &Chunk, lane: u8) {
        let mut counted = HashSet::new();
        for gate in gates.iter().filter(|gate| chunk.bit(gate.inside, lane)) {
            if counted.insert(gate.number) {
                let inside = &mut self.inside[gate.number][gate.cell(chunk.group(lane))];
                *inside = inside.saturating_add(1);
            }
        }
    }

    /// Drops writes that are not combined yet, and raised events.
    pub(crate) fn forget(&mut self) {
        self.variables.iter_mut().for_each(|variable| variable.pending.fill(Pending::default()));
        self.written = false;
        self.settle();
    }
}
