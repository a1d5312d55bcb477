//! Tables of cases, in the order of their `switch`es.

use crate::format::{CaseRow, TableRow};

/// Tables of cases that no `switch` has used yet. Each `switch` takes the next table.
#[derive(Clone, Copy)]
pub(super) struct Switches<'a> {
    pub(super) tables: &'a [TableRow],
    pub(super) cases: &'a [CaseRow],
}

impl<'a> Switches<'a> {
    /// Returns the cases of a `switch` that names this table, if it is the next table. `tables` is
    /// the total number of tables.
    pub(super) fn next(&mut self, table: u16, tables: u32) -> Option<&'a [CaseRow]> {
        let (row, rest) = self.tables.split_first()?;
        if u32::from(table) as usize + self.tables.len() != tables as usize {
            return None;
        }
        self.tables = rest;
        Some(&self.cases[row.first as usize..][..row.count as usize])
    }
}
