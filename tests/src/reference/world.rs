//! State that agents share: variables of groups and the world, raised events, random draws.

use super::frame::{initial, number, stored, word};
use pleach_compile::internals::ir::{How, Module, Scope, SlotKind};
use pleach_image::splitmix::mix;
use std::collections::{BTreeMap, BTreeSet};

/// World of a crowd.
#[derive(Clone, Debug)]
pub struct World<'m> {
    module: &'m Module,
    /// Seed of all draws.
    pub seed: u64,
    /// Number of ticks that have ended.
    pub tick: u64,
    /// Values by variable and group (0 for the world): words, or the bits of numbers. A missing
    /// entry has its initial value.
    values: BTreeMap<(usize, u32), u64>,
    /// Writes that are not combined yet.
    writes: Vec<Write>,
    /// Raised events, each with the group, or `None` for all agents.
    raised: BTreeSet<(usize, Option<u32>)>,
    /// Agents behind gates, by the gates' bit slot and the group (0 for all).
    pub(super) inside: BTreeMap<(u16, u32), BTreeSet<u32>>,
    /// Result of all draws, instead of random numbers.
    pub fixed: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Write {
    agent: u32,
    cell: (usize, u32),
    how: How,
    /// A word, or the bits of a number.
    value: u64,
}

impl<'m> World<'m> {
    /// Creates a world in its initial state.
    #[must_use]
    pub fn new(module: &'m Module, seed: u64) -> Self {
        let (values, writes, raised, inside) = Default::default();
        Self { module, seed, tick: 0, values, writes, raised, inside, fixed: None }
    }

    fn cell(&self, shared: usize, group: u32) -> (usize, u32) {
        (shared, if self.module.shared[shared].scope == Scope::Group { group } else { 0 })
    }

    fn at(&self, cell: (usize, u32)) -> u64 {
        let shared = self.module.shared[cell.0];
        let initial =
            || if shared.kind.is_word() { shared.init } else { initial(shared.kind, shared.init).to_bits() };
        self.values.get(&cell).copied().unwrap_or_else(initial)
    }

    /// Returns the value of a variable at the start of the tick, as a number.
    #[must_use]
    pub fn read(&self, shared: usize, group: u32) -> f64 {
        let kind = self.module.shared[shared].kind;
        let word = self.word(shared, group);
        if kind.is_word() { number(kind, word) } else { f64::from_bits(word) }
    }

    /// Returns the word that a variable was at the start of the tick.
    pub(super) fn word(&self, shared: usize, group: u32) -> u64 {
        self.at(self.cell(shared, group))
    }

    /// Writes a variable at once, on behalf of the host.
    pub fn set(&mut self, shared: usize, group: u32, value: f64) {
        let kind = self.module.shared[shared].kind;
        let value = if kind.is_word() { word(kind, value) } else { stored(kind, value).to_bits() };
        self.values.insert(self.cell(shared, group), value);
    }

    /// Records a write of an agent.
    pub(super) fn write(&mut self, agent: u32, group: u32, shared: usize, how: How, value: u64) {
        let cell = self.cell(shared, group);
        self.writes.push(Write { agent, cell, how, value });
    }

    /// Combines the writes of agents.
    pub(super) fn put_together(&mut self) {
        let writes = core::mem::take(&mut self.writes);
        let cells: BTreeSet<_> = writes.iter().map(|write| write.cell).collect();
        for cell in cells {
            let of = |how| writes.iter().filter(move |write| write.cell == cell && write.how == how);
            let kind: SlotKind = self.module.shared[cell.0].kind;
            let mut value = self.at(cell);
            // Of one agent's assignments, the last.
            if let Some(last) = of(How::Assign).max_by_key(|write| write.agent) {
                value = last.value;
            }
            if kind.is_word() {
                let value = value as i64;
                let value = of(How::Add).fold(value, |sum, add| sum.wrapping_add(add.value as i64));
                let value = of(How::Min).fold(value, |least, write| least.min(write.value as i64));
                let value = of(How::Max).fold(value, |most, write| most.max(write.value as i64));
                self.values.insert(cell, value as u64);
                continue;
            }
            let number = |write: &Write| f64::from_bits(write.value);
            let mut value = f64::from_bits(value);
            for add in of(How::Add) {
                value = (value as i32).wrapping_add(number(add) as i32).into();
            }
            for least in of(How::Min).map(number).filter(|least| !least.is_nan()) {
                let lower = value.is_nan() || least.total_cmp(&value).is_lt();
                value = if lower { least } else { value };
            }
            for greatest in of(How::Max).map(number).filter(|greatest| !greatest.is_nan()) {
                let higher = value.is_nan() || greatest.total_cmp(&value).is_gt();
                value = if higher { greatest } else { value };
            }
            self.values.insert(cell, stored(kind, value).to_bits());
        }
    }

    /// Records an event that an agent raises.
    pub(super) fn raise(&mut self, event: usize, scope: Scope, group: u32) {
        self.raised.insert((event, (scope == Scope::Group).then_some(group)));
    }

    /// Returns the raised events and clears them.
    pub(super) fn take_raised(&mut self) -> BTreeSet<(usize, Option<u32>)> {
        core::mem::take(&mut self.raised)
    }

    /// Returns a number of at least 0 and less than 1, as `spec/dialects/pleach.md` defines it.
    pub(super) fn draw(&self, agent: u32, place: u32, rounds: u32) -> f64 {
        let salt = mix(mix(self.seed) ^ self.tick);
        let mut bits = mix(salt ^ (u64::from(agent) << 32 | u64::from(place)));
        if rounds > 0 {
            bits = mix(bits ^ u64::from(rounds));
        }
        self.fixed.unwrap_or((bits >> 40) as f64 / 16_777_216.0)
    }
}
