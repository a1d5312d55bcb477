//! State that agents share, as bytes.

use crate::saved::error::{StateError, StateFault};
use crate::saved::format::{List, PendingRow, StateReader, WorldRow, put};
use crate::store::world::{Pending, SharedState, World};
use crate::values::{Kind, loaded, stored};
use alloc::vec::Vec;
use pleach_image::float::bits64;

/// Flags of a [`PendingRow`].
const ASSIGNED: u32 = 1;
const LEAST: u32 = 2;
const GREATEST: u32 = 4;

impl Pending {
    fn row(self) -> PendingRow {
        let flag = |number: Option<f64>, flag| if number.is_some() { flag } else { 0 };
        let bits = |number: Option<f64>| bits64(number.unwrap_or_default());
        let assigned = self.assigned.map(|(_, value)| value);
        PendingRow {
            flags: flag(assigned, ASSIGNED) | flag(self.least, LEAST) | flag(self.greatest, GREATEST),
            agent: self.assigned.map_or(0, |(agent, _)| agent),
            assigned: bits(assigned),
            least: bits(self.least),
            greatest: bits(self.greatest),
            added: self.added,
            reserved: 0,
        }
    }

    fn of(row: &PendingRow) -> Self {
        let number = |flag, bits| (row.flags & flag != 0).then(|| f64::from_bits(bits));
        Self {
            assigned: number(ASSIGNED, row.assigned).map(|value| (row.agent, value)),
            added: row.added,
            least: number(LEAST, row.least),
            greatest: number(GREATEST, row.greatest),
        }
    }

    /// Returns true if [`Pending::write`] can have made what a row holds.
    fn is_sound(row: &PendingRow) -> bool {
        let Self { least, greatest, .. } = Self::of(row);
        let is_number = !least.is_some_and(f64::is_nan) && !greatest.is_some_and(f64::is_nan);
        row.flags <= ASSIGNED | LEAST | GREATEST && row.reserved == 0 && is_number
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
    /// For each variable, its type, its values, and what waits to be written.
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
            let values = reader.list(cells)?;
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
            values.check(StateFault::Value, |bits| is_value(*kind, bits))?;
            pending.check(StateFault::Pending, |row| Pending::is_sound(&row))?;
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
fn is_value(kind: Kind, bits: u32) -> bool {
    kind == Kind::F32 || stored(kind, loaded(kind, bits)) == bits
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
            values.iter().for_each(|value| put(out, &[stored(*kind, *value)]));
            if self.written {
                pending.iter().for_each(|pending| put(out, &[pending.row()]));
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
        value: impl Fn(usize, f64) -> Option<f64>,
    ) {
        let WorldRow { seed, tick, groups, written, .. } = part.row;
        (self.seed, self.tick, self.groups, self.written) = (seed, tick, groups, written != 0);
        for (index, (variable, from)) in self.variables.iter_mut().zip(shared).enumerate() {
            let cells = cells(variable.grouped, groups);
            variable.values.clear();
            variable.pending.clear();
            if let Some((kind, values, pending)) = from.map(|from| &part.variables[from]) {
                let initial = variable.initial;
                let number = |number: f64| value(index, number).unwrap_or(initial);
                variable.values.extend(values.iter().map(|bits| number(loaded(*kind, bits))));
                let assigned = |pending: Pending| pending.assigned.map(|(agent, it)| (agent, number(it)));
                let pending = pending.iter().map(|row| Pending::of(&row));
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
