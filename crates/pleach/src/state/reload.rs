//! New builds of trees whose agents are running.

use super::map::ResetReason;
use super::report::ReloadReport;
use crate::crowd::{Crowd, ObservedHost};
use crate::program::Program;
use crate::saved::error::StateError;
use alloc::vec::Vec;

/// State that agents keep when their trees are reloaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReloadPolicy {
    /// Agents keep variables, timers and active nodes. An agent whose active node is gone begins
    /// anew.
    #[default]
    Places,
    /// Agents keep variables and timers. All agents begin their trees anew.
    Variables,
}

impl Crowd {
    /// Continues with another program, usually a new build of the same trees, linked to the same
    /// host. Handles, groups and shared variables stay. Agents continue with the tree of the same
    /// name, at the nodes where they are, which are found by their stable keys. Agents that cannot
    /// continue are first [reset](Crowd::reset) in the old program, so the host is told which
    /// actions do not continue.
    ///
    /// A tunable that has been tuned keeps its value, or has the nearest one in its new range. A
    /// tunable that has its old default has its new one afterwards.
    ///
    /// Variables, rules, events and entries of the old program are to be looked up
    /// again. The step limit stays if it is not that of the old program. It must happen
    /// between ticks, and allocates.
    ///
    /// # Errors
    /// If an agent runs a tree that the new program does not have: [switch](Crowd::switch) or
    /// [despawn](Crowd::despawn) it first. Or if there is no memory for all agents twice
    /// over. Nothing has changed then.
    pub fn reload<H: ObservedHost + ?Sized>(
        &mut self,
        program: &Program,
        keep: ReloadPolicy,
        now: i64,
        host: &mut H,
    ) -> Result<ReloadReport, StateError> {
        let mut state = Vec::new();
        state.try_reserve(self.state_bytes())?;
        self.snapshot(&mut state);
        let mut next = self.like(program);
        let mut report = next.migrate(&state)?;
        if keep == ReloadPolicy::Variables {
            report.kept = 0;
            report.reset = self.agents_by_index().map(|agent| (agent, ResetReason::Asked)).collect();
        }
        for (agent, _) in &report.reset {
            // All of these agents exist.
            let _ = self.reset(*agent, now, host);
        }
        if !report.reset.is_empty() {
            self.snapshot(&mut state);
            next.migrate(&state)?;
        }
        report.mended = next.take_defaults(self);
        *self = next;
        Ok(report)
    }
}
