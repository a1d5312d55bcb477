//! Blocks that do nothing for agents of whom nothing has changed, and how these agents are found.

use super::step::{Code, Span, Step};
use super::table::Table;
use pleach_image::isa::RUNNING;

/// How such agents are found: something is selected, and nothing has changed since.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quiet {
    /// Columns of the bits of changes, and where a tick notes them.
    pub(crate) live: u32,
    pub(crate) before: u32,
    /// The position, and what it holds when something is selected.
    pub(crate) position: u32,
    pub(crate) selected: Span,
}

impl Quiet {
    /// How they are found for a block that begins as selections do:
    ///
    /// ```text
    ///           capture  before := live, live := false
    ///           switch   {nodes -> head}
    ///   head:   jbit     before -> choose
    ///           jump     running
    /// ```
    pub(crate) fn of(plain: &Code, block: u32) -> Option<Self> {
        let first = plain.blocks[block as usize] as usize;
        let Step::Capture { before, live, target } = plain.steps[first] else { return None };
        let Step::Switch { column: position, table } = plain.steps[first + 1] else { return None };
        let Table::Sparse(cases) = &plain.tables[table as usize] else { return None };
        let [case] = **cases else { return None };
        let Step::Bit { column, is: true, .. } = plain.steps[case.target as usize] else { return None };
        let Step::Jump { target: end } = plain.steps[case.target as usize + 1] else { return None };
        let runs = plain.steps[end as usize] == Step::Return { exit: RUNNING };
        let selected = Span { low: case.low, span: case.high - case.low };
        (target as usize == first + 1 && column == before && runs).then_some(Self {
            live,
            before,
            position,
            selected,
        })
    }
}
