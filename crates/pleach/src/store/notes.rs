//! Notes of the values that calls overwrite.
//!
//! Hosts write variables of agents through their calls. The calls note the old values here. A chunk
//! has notes only while a recorder asks its host.

use crate::layout::Column;
use alloc::vec::Vec;

/// Cells of a chunk as they were before a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) cells: Vec<(Column, u8, u64)>,
    /// Columns that are noted for all lanes of the call.
    columns: Vec<Column>,
    /// Lanes that were sent to a rule, and to which.
    pub(crate) jumps: Vec<(u8, u16)>,
}

impl Notes {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.columns.clear();
        self.jumps.clear();
    }

    /// Notes the value of a cell, if it is not noted yet.
    pub(super) fn note(&mut self, column: Column, lane: u8, bits: u64) {
        let is_known = |(known, at, _): &(Column, u8, u64)| (*known, *at) == (column, lane);
        if !self.columns.contains(&column) && !self.cells.iter().any(is_known) {
            self.cells.push((column, lane, bits));
        }
    }

    /// Notes the cells of many lanes.
    pub(super) fn note_all(&mut self, column: Column, lanes: &[u8], read: impl Fn(u8) -> u64) {
        if self.columns.contains(&column) {
            return;
        }
        lanes.iter().for_each(|lane| self.note(column, *lane, read(*lane)));
        self.columns.push(column);
    }
}
