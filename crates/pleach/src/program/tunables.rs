//! Tunables of a program.

use super::Program;
use crate::values::{Kind, Tunable, TunableScope, TuneError, Type};
use alloc::vec::Vec;
use pleach_image::Image;
use pleach_image::format::{TunableRow, typed};

/// Constants that games can tune.
impl Program {
    /// Returns the tunables of the program, those of agents first.
    #[must_use]
    pub fn tunables(&self) -> &[Tunable] {
        &self.parts.tunables
    }

    /// Returns the program with another value of a tunable: crowds that are made with it begin with
    /// the value, and so do agents that are spawned in them.
    ///
    /// # Errors
    /// If the program has no such tunable, or the value is not one of its type and range.
    pub fn with_tuned(mut self, name: &str, value: f64) -> Result<Self, TuneError> {
        let (index, tunable) = self.tunable(name)?;
        let bits = tunable.bits(value)?;
        let others = self.tuned.iter().filter(|(other, _)| *other != index).copied();
        self.tuned = others.chain([(index, bits)]).collect();
        Ok(self)
    }

    /// Returns a tunable with its index.
    pub(crate) fn tunable(&self, name: &str) -> Result<(usize, &Tunable), TuneError> {
        let tunables = self.tunables();
        let found = tunables.iter().position(|it| &*it.name == name);
        let index = found.ok_or_else(|| TuneError::unknown(name, tunables))?;
        Ok((index, &tunables[index]))
    }

    /// Returns the values with which crowds and agents begin that are not the declared ones, as
    /// bits of columns.
    pub(crate) fn tuned(&self, scope: TunableScope) -> impl Iterator<Item = (&Tunable, u64)> {
        let tuned = self.tuned.iter().map(|(index, bits)| (&self.parts.tunables[*index], *bits));
        tuned.filter(move |(tunable, _)| tunable.scope == scope)
    }

    /// Returns the value of a tunable with which crowds or agents begin, as bits of a column.
    pub(crate) fn initial(&self, tunable: &Tunable) -> u64 {
        let tuned = self.tuned(tunable.scope).find(|(other, _)| other.index == tunable.index);
        tuned.map_or_else(|| tunable.default_bits(), |(_, bits)| bits)
    }

    /// Returns true if the variable in a slot or a shared variable is a tunable.
    pub(crate) fn is_tunable(&self, scope: TunableScope, index: usize) -> bool {
        self.tunables().iter().any(|it| it.scope == scope && usize::from(it.index) == index)
    }
}

/// Returns the tunables of an image. Rule V0244: their variables are there, and have their kinds.
pub(super) fn tunables<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Tunable> {
    let tunable = |row: &TunableRow| {
        let index = row.index as usize;
        let (scope, name, kind, initial) = if row.kind == typed::SHARED {
            let shared = &image.shared()[index];
            (TunableScope::Crowd, shared.name, shared.kind, shared.init)
        } else {
            let slot = &image.slots()[index];
            (TunableScope::Agent, slot.name, slot.kind, slot.init)
        };
        let kind = Kind::of(kind);
        Tunable {
            name: image.name(name).into(),
            ty: Type(kind),
            scope,
            range: (Tunable::number(kind, row.low), Tunable::number(kind, row.high)),
            default: Tunable::number(kind, initial),
            is_duration: row.duration != 0,
            index: index as u16,
        }
    };
    image.tunables().iter().map(tunable).collect()
}
