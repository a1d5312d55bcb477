//! Programs of steps, with the tables that steps refer to.

use super::class::StepEffect;
use super::ladder::Ladder;
use super::step::Step;
use super::table::Table;
use alloc::vec::Vec;

/// A program of steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) steps: Vec<Step>,
    /// Targets of steps with four exits: on failure, success, running and any other status.
    pub(crate) exits: Vec<[u32; 4]>,
    pub(crate) tables: Vec<Table>,
    pub(crate) ladders: Vec<Ladder>,
    /// The first step of each block.
    pub(crate) blocks: Vec<u32>,
    /// For each loop, the step behind the one that begins it.
    pub(crate) heads: Vec<u32>,
}

impl Code {
    /// Returns the number of registers that the loops need.
    pub(crate) fn registers(&self) -> usize {
        let register = |step: &Step| match step {
            Step::Effect { effect: StepEffect::Loop { register, .. }, .. } => usize::from(*register) + 1,
            _ => 0,
        };
        self.steps.iter().map(register).max().unwrap_or(0)
    }
}
