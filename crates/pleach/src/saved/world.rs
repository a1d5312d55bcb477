//! State that agents share, as bytes.

use crate::saved::error::{StateError, StateFault};
use crate::saved::format::{List, PendingRow, StateReader, WorldRow, put};
use crate::store::world::{Pending, SharedState, World, is_nan};
use crate::values::{Kind, entry_of, held, loaded, stored};
use alloc::vec::Vec;
use pleach_image::float::NAN64;

/// Flags of a [`PendingRow`].
const ASSIGNED: u32 = 1;
const LEAST: u32 = 2;
const GREATEST: u32 = 4;

impl Pending {
    fn row(self, kind: Kind) -> PendingRow {
        let flag = |value: Option<u64>, flag| if value.is_some() { flag } else { 0 };
        let bits = |kind: Kind, value: Option<u64>| match value {
            Some(value) if is_nan(kind, value) => NAN64,
            value => value.unwrap_or_default(),
        };
        let assigned = self.assigned.map(|(_, value)| value);
        PendingRow {
            flags: flag(assigned, ASSIGNED) | flag(self.least, LEAST) | flag(self.greatest, GREATEST),
            agent: self.assigned.map_or(0, |(agent, _)| agent),
            assigned: bits(kind, assigned),
            least: bits(kind, self.least),
            greatest: bits(kind, self.greatest),
            added: self.added as u32,
            high: if kind.is_word() { (self.added >> 32) as u32 } else { 0 },
        }
    }

    fn of(row: &PendingRow, kind: Kind) -> Self {
        let value = |flag, bits| (row.flags & flag != 0).then_some(bits);
        let added = u64::from(row.added) | u64::from(row.high) << 32;
        Self {
            assigned: value(ASSIGNED, row.assigned).map(|value| (row.agent, value)),
            added: if kind.is_word() { added as i64 } else { (row.added as i32).into() },
            least: value(LEAST, row.least),
            greatest: value(GREATEST, row.greatest),
        }
    }

    /// Returns true if [`Pending::write`] can have made what a row of a variable of this kind
    /// holds.
    fn is_sound(row: &PendingRow, kind: Kind) -> bool {
        let Self { least, greatest, .. } = Self::of(row, kind);
        let is_nan = |value: Option<u64>| value.is_some_and(|value| is_nan(kind, value));
        let is_known = row.flags <= ASSIGNED | LEAST | GREATEST && (row.high == 0 || kind.is_word());
        is_known && !is_nan(least) && !is_nan(greatest)
    }
}

/// Returns the number of cells of a variable: one, or one for each group.
fn cells(grouped: bool, groups: u32) -> usize {
    if grouped { groups as usize } else { 1 }
}

/// State that agents share, in a saved state. All of it has been checked.
#[derive(Debug)]
pub(crate) struct WorldPart<'a> {
    pub(crate) row: WorldRow,
    /// For each variable, its type, its values, and what waits to be written. A value of 64 bits
    /// takes two elements.
    variables: Vec<(Kind, List<'a, u32>, List<'a, PendingRow>)>,
    /// For all and for each group, whether any event waits.
    waits: List<'a, u8>,
    /// For all and for each group, for each event, whether it waits.
    raised: List<'a, u8>,
    /// For each limit, how many agents of each group are inside.
    counts: List<'a, u32>,
}

impl<'a> WorldPart<'a> {
    /// Reads the state. `shapes` has the type of each variable, and true if each
    /// group has its own value.
    pub(crate) fn read(
        reader: &mut StateReader<'a>,
        shapes: impl Iterator<Item = (Kind, bool)>,
        events: usize,
    ) -> Result<Self, StateError> {
        let at = reader.at;
        let row: WorldRow = reader.row()?;
        StateFault::Reserved.unless(row.reserved == 0, at)?;
        StateFault::Group.unless(row.groups > 0, at)?;
        StateFault::Flag.unless(row.written <= 1, at)?;
        let rows = row.groups as usize + 1;
        let waits = reader.list(rows)?;
        let raised = reader.list(rows.saturating_mul(events))?;
        let counts = reader.list((row.counts as usize).saturating_mul(row.groups as usize))?;
        let mut variables = Vec::new();
        for (kind, grouped) in shapes {
            let cells = cells(grouped, row.groups);
            let values = reader.list(cells.saturating_mul(elements(kind)))?;
            let pending = reader.list(if row.written == 0 { 0 } else { cells })?;
            variables.push((kind, values, pending));
        }
        let part = Self { row, variables, waits, raised, counts };
        part.check(events)?;
        Ok(part)
    }

    fn check(&self, events: usize) -> Result<(), StateError> {
        for (group, waits) in self.waits.iter().enumerate() {
            let raised = self.raised.part(group * events..(group + 1) * events);
            raised.check(StateFault::Flag, |raised| raised <= 1)?;
            let any = raised.iter().any(|raised| raised == 1);
            StateFault::Flag.unless(u8::from(any) == waits, self.waits.place(group))?;
        }
        for (kind, values, pending) in &self.variables {
            if let Some(cell) = self::values(*kind, *values).position(|bits| !is_value(*kind, bits)) {
                return Err(StateError::new(StateFault::Value, values.place(cell * elements(*kind))));
            }
            pending.check(StateFault::Pending, |row| Pending::is_sound(&row, *kind))?;
        }
        Ok(())
    }

    /// Returns the pending events, each with the byte that says so.
    pub(crate) fn waiting(&self, events: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let raised = self.raised.iter().enumerate().filter(|(_, raised)| *raised != 0);
        raised.map(move |(index, _)| (index % events, self.raised.place(index)))
    }
}

/// Returns true if a variable of this kind can hold these bits.
fn is_value(kind: Kind, bits: u64) -> bool {
    kind == Kind::F32 || kind.is_wide() || stored(kind, loaded(kind, bits)) == bits
}

/// Returns the number of 32-bit elements of a value.
fn elements(kind: Kind) -> usize {
    if kind.is_wide() { 2 } else { 1 }
}

/// Returns the values of a variable, whose elements follow one another, the lower half first.
fn values(kind: Kind, list: List<'_, u32>) -> impl Iterator<Item = u64> + '_ {
    let count = elements(kind);
    let high = move |index: usize| if count == 2 { u64::from(list.get(index + 1)) << 32 } else { 0 };
    (0..list.len()).step_by(count).map(move |index| u64::from(list.get(index)) | high(index))
}

impl World {
    /// Appends all of it, after the row, of which the caller knows the rest.
    pub(crate) fn save(&self, row: WorldRow, out: &mut Vec<u8>) {
        let counts = self.inside.len() as u32;
        let Self { seed, tick, groups, .. } = *self;
        put(out, &[WorldRow { seed, tick, groups, written: self.written.into(), counts, ..row }]);
        let rows = || (0..=groups as usize).map(|row| &self.raised[row * self.events..][..self.events]);
        out.extend(rows().map(|row| u8::from(row.contains(&true))));
        out.extend(rows().flatten().map(|raised| u8::from(*raised)));
        for counts in &self.inside {
            put(out, counts);
        }
        for SharedState { kind, values, pending, .. } in &self.variables {
            for bits in values.iter().map(|value| held(*kind, *value)) {
                put(out, &[bits as u32, (bits >> 32) as u32][..elements(*kind)]);
            }
            if self.written {
                pending.iter().for_each(|pending| put(out, &[pending.row(*kind)]));
            }
        }
    }

    /// Takes the saved state. `shared` and `events` name the saved variable and event for
    /// each one of this program. Counts of limits are taken if the program is the `same`, and
    /// are counted again otherwise. `value` returns the value of a variable for a
    /// saved one; none is the initial value.
    pub(crate) fn load(
        &mut self,
        part: &WorldPart<'_>,
        shared: &[Option<usize>],
        events: &[Option<usize>],
        same: bool,
        value: impl Fn(usize, u64) -> Option<u64>,
    ) {
        let WorldRow { seed, tick, groups, written, .. } = part.row;
        (self.seed, self.tick, self.groups, self.written) = (seed, tick, groups, written != 0);
        for (index, (variable, from)) in self.variables.iter_mut().zip(shared).enumerate() {
            let cells = cells(variable.grouped, groups);
            variable.values.clear();
            variable.pending.clear();
            if let Some((kind, values, pending)) = from.map(|from| &part.variables[from]) {
                let initial = variable.initial;
                let mapped = |entry: u64| value(index, entry).unwrap_or(initial);
                let values = self::values(*kind, *values);
                variable.values.extend(values.map(|bits| mapped(entry_of(*kind, bits))));
                let assigned = |pending: Pending| pending.assigned.map(|(agent, it)| (agent, mapped(it)));
                let pending = pending.iter().map(|row| Pending::of(&row, *kind));
                variable.pending.extend(pending.map(|it| Pending { assigned: assigned(it), ..it }));
            }
            variable.values.resize(cells, variable.initial);
            variable.pending.resize(cells, Pending::default());
        }
        let all = part.raised.len() / part.waits.len();
        self.raised.clear();
        for group in 0..part.waits.len() {
            let raised = |from: &Option<usize>| from.is_some_and(|at| part.raised.get(group * all + at) != 0);
            self.raised.extend(events.iter().map(raised));
        }
        self.any_raised = self.raised.contains(&true);
        for (number, counts) in self.inside.iter_mut().enumerate() {
            counts.clear();
            if same {
                let first = number * groups as usize;
                counts.extend(part.counts.part(first..first + groups as usize).iter());
            }
            counts.resize(groups as usize, 0);
        }
    }
}
