//! Tables of cases, one `switch` after the other.

use crate::format::{CaseRow, TableRow};

/// The tables of cases that no `switch` has used: each takes the next.
#[derive(Clone, Copy)]
pub(super) struct Switches<'a> {
    pub(super) tables: &'a [TableRow],
    pub(super) cases: &'a [CaseRow],
}

impl<'a> Switches<'a> {
    /// The cases of a `switch` that names this table, if it is the next. `tables` is how many there are.
    pub(super) fn next(&mut self, table: u16, tables: u32) -> Option<&'a [CaseRow]> {
        let (row, rest) = self.tables.split_first()?;
        if u32::from(table) as usize + self.tables.len() != tables as usize {
            return None;
        }
        self.tables = rest;
        Some(&self.cases[row.first as usize..][..row.count as usize])
    }
}
