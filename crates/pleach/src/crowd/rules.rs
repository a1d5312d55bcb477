//! Views of rules, for dialects in which each agent is at a rule of its tree (Drag[en]gine).

use super::Crowd;
use crate::engine::runs::Runs;
use crate::layout::Rules;
use crate::store::{Chunk, RuleError, Saved};
use crate::values::{Agent, Rule, StaleAgent};
use alloc::vec::Vec;
use core::num::NonZeroU16;
use pleach_image::bounds::Bounds;

/// View of the rules that the agents of a crowd are at.
#[derive(Clone, Copy, Debug)]
pub struct RuleView<'a> {
    crowd: &'a Crowd,
}

impl<'a> RuleView<'a> {
    fn find(self, agent: Agent) -> Result<(&'a Chunk, u8, Option<&'a Rules>), StaleAgent> {
        let (chunk, lane) = self.crowd.chunk_of(agent)?;
        Ok((chunk, lane, self.crowd.program.parts.frame.rules.as_deref()))
    }

    /// Returns the rule that an agent is at; `None` if it is at none.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn current(self, agent: Agent) -> Result<Option<Rule>, StaleAgent> {
        let (chunk, lane, rules) = self.find(agent)?;
        Ok(rules.and_then(|rules| rules.current(chunk, lane)))
    }

    /// Returns true if the agent's rule has not run since the agent came to it.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn is_first_run(self, agent: Agent) -> Result<bool, StaleAgent> {
        let (chunk, lane, rules) = self.find(agent)?;
        Ok(!rules.is_some_and(|rules| chunk.bit(rules.ran, lane)))
    }

    /// Appends the id of an agent's rule to `out`, in a form that other builds of the tree can
    /// read. Variables are not saved.
    ///
    /// # Errors
    /// If the agent is gone or at a rule without an id. `out` does not change then.
    pub fn save(self, agent: Agent, out: &mut Vec<u8>) -> Result<(), RuleError> {
        let (chunk, lane, rules) = self.find(agent)?;
        rules.ok_or(RuleError::NoRules)?.save(chunk, lane)?.write(out)
    }
}

/// View that sends the agents of a crowd to rules.
#[derive(Debug)]
pub struct RuleViewMut<'a> {
    crowd: &'a mut Crowd,
}

impl<'a> RuleViewMut<'a> {
    fn find(self, agent: Agent) -> Result<(&'a mut Chunk, u8, &'a Rules), RuleError> {
        let (chunk, frame, lane) = self.crowd.place_of(agent)?;
        Ok((chunk, lane, frame.rules.as_deref().ok_or(RuleError::NoRules)?))
    }

    /// Sends an agent to a rule. The agent's next tick begins there. The host is not told that the
    /// rule where the agent was does not continue.
    ///
    /// # Errors
    /// If the agent is gone, or its tree does not have the rule. Nothing changes then.
    pub fn jump(self, agent: Agent, rule: Rule) -> Result<(), RuleError> {
        let (chunk, lane, rules) = self.find(agent)?;
        rules.jump(chunk, lane, rule)
    }

    /// Sends an agent to the rule with this id. See [`RuleViewMut::jump`].
    ///
    /// # Errors
    /// If the agent is gone, or its tree does not have the rule. Nothing changes then.
    pub fn jump_to(self, agent: Agent, id: &str) -> Result<(), RuleError> {
        let (chunk, lane, rules) = self.find(agent)?;
        rules.jump_to(chunk, lane, id)
    }

    /// Takes an agent away from all rules. Its tree fails each tick until it is reset or sent to a
    /// rule.
    ///
    /// # Errors
    /// If the agent is gone, or the program has no rules.
    pub fn lose(self, agent: Agent) -> Result<(), RuleError> {
        let (chunk, lane, rules) = self.find(agent)?;
        rules.lose(chunk, lane);
        Ok(())
    }

    /// Sends an agent to the rule that [`RuleView::save`] saved.
    ///
    /// # Errors
    /// If the agent is gone, the bytes are not from [`RuleView::save`], or the rule does not exist
    /// any more. The agent stays where it is then.
    pub fn restore(self, agent: Agent, saved: &[u8]) -> Result<(), RuleError> {
        let (chunk, lane, rules) = self.find(agent)?;
        rules.restore(chunk, lane, Saved::read(saved)?)
    }
}

/// Rules that agents are at, and limits of ticks.
impl Crowd {
    /// Returns a view of the rules that agents are at.
    #[must_use]
    pub fn rules(&self) -> RuleView<'_> {
        RuleView { crowd: self }
    }

    /// Returns a view that sends agents to rules.
    pub fn rules_mut(&mut self) -> RuleViewMut<'_> {
        RuleViewMut { crowd: self }
    }

    /// Returns the largest number of rules that may run in an agent's tick.
    #[must_use]
    pub fn step_limit(&self) -> u16 {
        self.scratch.runs.limit
    }

    /// Sets the largest number of rules that may run in an agent's tick. If a tick needs more, it
    /// ends with a fault, and [`Host::ran_away`](crate::Host::ran_away) is called. May allocate.
    pub fn set_step_limit(&mut self, limit: NonZeroU16) {
        self.scratch.runs = Runs::new(limit.get());
        self.batch.allow(limit.get());
    }

    /// Returns an upper bound of the cost of an agent's tick with the crowd's step limit. See
    /// [`Program::bounds`](crate::Program::bounds).
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.program.bounds_with(self.step_limit())
    }
}
