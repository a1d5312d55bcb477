//! Where agents are, for dialects in which they are at a rule.

use super::Crowd;
use crate::engine::runs::Runs;
use crate::store::{JumpError, RuleRestoreError, RuleSaveError, Saved};
use crate::values::{Agent, Rule, StaleAgent};
use alloc::vec::Vec;
use core::num::NonZeroU16;
use pleach_image::bounds::Bounds;

impl Crowd {
    /// The rule that an agent is at; `None` if it is at none.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn rule(&self, agent: Agent) -> Result<Option<Rule>, StaleAgent> {
        let place = self.agents.find(agent)?;
        let rules = self.program.parts.frame.rules.as_ref();
        Ok(rules.and_then(|rules| rules.current(&self.chunks[place.chunk as usize], place.lane)))
    }

    /// Whether an agent's rule will be run for the first time since the agent came there.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn first_run(&self, agent: Agent) -> Result<bool, StaleAgent> {
        let place = self.agents.find(agent)?;
        let rules = self.program.parts.frame.rules.as_ref();
        Ok(!rules.is_some_and(|rules| rules.has_run(&self.chunks[place.chunk as usize], place.lane)))
    }

    /// Sends an agent to a rule. It is run there in its next tick, and what comes after it then. Nobody is told that the rule
    /// where it was does not go on.
    ///
    /// # Errors
    /// If the agent is gone, or its tree does not have the rule. Nothing changes then.
    pub fn jump(&mut self, agent: Agent, rule: Rule) -> Result<(), JumpError> {
        let place = self.agents.find(agent).map_err(|StaleAgent| JumpError::Stale)?;
        let rules = self.program.parts.frame.rules.as_ref().ok_or(JumpError::NoRules)?;
        rules.jump(&mut self.chunks[place.chunk as usize], place.lane, rule)
    }

    /// The same, by the rule's id.
    ///
    /// # Errors
    /// As [`Crowd::jump`].
    pub fn jump_to(&mut self, agent: Agent, id: &str) -> Result<(), JumpError> {
        let place = self.agents.find(agent).map_err(|StaleAgent| JumpError::Stale)?;
        let rules = self.program.parts.frame.rules.as_ref().ok_or(JumpError::NoRules)?;
        rules.jump_to(&mut self.chunks[place.chunk as usize], place.lane, id)
    }

    /// Takes an agent away from all rules: its tree fails each tick until it is reset or sent somewhere.
    ///
    /// # Errors
    /// If the agent is gone, or agents of this program are at no rules.
    pub fn lose(&mut self, agent: Agent) -> Result<(), JumpError> {
        let place = self.agents.find(agent).map_err(|StaleAgent| JumpError::Stale)?;
        let rules = self.program.parts.frame.rules.as_ref().ok_or(JumpError::NoRules)?;
        rules.lose(&mut self.chunks[place.chunk as usize], place.lane);
        Ok(())
    }

    /// Appends at which rule an agent is to `out`, in a form that other builds of its tree can read. Variables are not part of it.
    ///
    /// # Errors
    /// If the agent is gone or at a rule without an id. `out` is as it was then.
    pub fn save_rule(&self, agent: Agent, out: &mut Vec<u8>) -> Result<(), RuleSaveError> {
        let place = self.agents.find(agent).map_err(|StaleAgent| RuleSaveError::Stale)?;
        let rules = self.program.parts.frame.rules.as_ref().ok_or(RuleSaveError::NoRules)?;
        rules.save(&self.chunks[place.chunk as usize], place.lane)?.write(out)
    }

    /// Puts an agent at the rule where it was when that was saved.
    ///
    /// # Errors
    /// If the agent is gone, the bytes are not what [`Crowd::save_rule`] writes, or there is no such rule any more. The agent stays
    /// where it is then.
    pub fn restore_rule(&mut self, agent: Agent, saved: &[u8]) -> Result<(), RuleRestoreError> {
        let place = self.agents.find(agent).map_err(|StaleAgent| RuleRestoreError::Stale)?;
        let rules = self.program.parts.frame.rules.as_ref().ok_or(RuleRestoreError::NoRules)?;
        rules.restore(&mut self.chunks[place.chunk as usize], place.lane, Saved::read(saved)?)
    }

    /// How many rules may run in an agent's tick.
    #[must_use]
    pub fn step_limit(&self) -> u16 {
        self.scratch.runs.limit()
    }

    /// Lets so many rules run in an agent's tick, from now on. Where one more would, the tick is a fault, and
    /// [`crate::Host::ran_away`] is told. May allocate.
    pub fn set_step_limit(&mut self, limit: NonZeroU16) {
        self.scratch.runs = Runs::new(limit.get());
        self.batch.allow(limit.get());
    }

    /// The most that one tick of one agent can cost with the crowd's step limit. See [`crate::Program::bounds`].
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.program.bounds_with(self.step_limit())
    }
}
