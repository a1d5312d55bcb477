//! What a host writes while it is asked.
//!
//! Hosts write variables of agents through their calls, which note here what was there before. What is another afterwards was
//! written. Nobody notes anything but while a recorder asks.

use super::Chunk;
use crate::frame::{Column, Frame, Kind};
use alloc::vec::Vec;

/// Stands for the rule that an agent was sent to, where else a slot is named.
pub(crate) const RULE: u32 = 1 << 16;

/// A variable that a host has written, or a rule to which it has sent the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Write {
    pub(crate) slot: u32,
    pub(crate) value: u32,
}

/// Cells of a chunk as they were before a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    cells: Vec<(Column, u8, u32)>,
    /// Columns that are noted for all lanes of the call.
    columns: Vec<Column>,
    /// Lanes that were sent to a rule, and to which.
    jumps: Vec<(u8, u16)>,
}

impl Notes {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.columns.clear();
        self.jumps.clear();
    }

    /// Notes what a cell holds, if that is not noted yet.
    fn note(&mut self, column: Column, lane: u8, bits: u32) {
        let is_known = |(known, at, _): &(Column, u8, u32)| (*known, *at) == (column, lane);
        if !self.columns.contains(&column) && !self.cells.iter().any(is_known) {
            self.cells.push((column, lane, bits));
        }
    }

    /// The same for many lanes.
    fn note_all(&mut self, column: Column, lanes: &[u8], read: impl Fn(u8) -> u32) {
        if self.columns.contains(&column) {
            return;
        }
        lanes.iter().for_each(|lane| self.note(column, *lane, read(*lane)));
        self.columns.push(column);
    }

    /// What is another now in a lane, in the order in which it was noted, and where it was sent last.
    pub(crate) fn written(&self, frame: &Frame, chunk: &Chunk, lane: u8, out: &mut Vec<Write>) {
        for (column, _, before) in self.cells.iter().filter(|(_, at, _)| *at == lane) {
            let value = chunk.read(*column, lane);
            if value == *before {
                continue;
            }
            if let Some(slot) = frame.slots.iter().position(|slot| slot.column == *column) {
                out.push(Write { slot: slot as u32, value });
            }
        }
        let jump = self.jumps.iter().rfind(|(at, _)| *at == lane);
        out.extend(jump.map(|(_, rule)| Write { slot: RULE, value: (*rule).into() }));
    }
}

impl Chunk {
    /// A call is about to write a variable of these lanes.
    #[inline]
    pub(crate) fn note_variable(&mut self, frame: &Frame, column: Column, lanes: &[u8]) {
        if self.notes.is_some() {
            self.note_column(column, lanes);
            let changes = frame.changes.filter(|_| column.kind == Kind::Bit);
            let changes = changes.map(|first| Column { kind: Kind::Bit, first, stride: 1 });
            changes.into_iter().for_each(|column| self.note_column(column, lanes));
        }
    }

    #[cold]
    fn note_column(&mut self, column: Column, lanes: &[u8]) {
        let Some(mut notes) = self.notes.take() else { return };
        match lanes {
            [lane] => notes.note(column, *lane, self.read(column, *lane)),
            lanes => notes.note_all(column, lanes, |lane| self.read(column, lane)),
        }
        self.notes = Some(notes);
    }

    /// A call has sent a lane to a rule. Where it was makes no difference: it comes there anew.
    #[inline]
    pub(crate) fn note_jump(&mut self, lane: u8, rule: u16) {
        if let Some(notes) = &mut self.notes {
            notes.jumps.push((lane, rule));
        }
    }
}
