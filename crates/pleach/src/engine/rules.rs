//! Agents that are at a rule: which rule that is, and how many have run in a tick.

use super::scalar::Run;
use super::watch::Mode;
use crate::code::site::MISSING;
use crate::host::{Function, Host};
use crate::store::RunawayTick;
use crate::values::SPENT;
use pleach_image::isa::{FAILURE, OTHER};

impl<H: Host + ?Sized, W: Mode> Run<'_, H, W> {
    /// Notes that a rule has run and sent the agent to another rule. Returns
    /// true if the limit is reached.
    #[inline]
    pub(crate) fn send(&mut self, from: u16, to: u16) -> bool {
        if let Some(rules) = &self.parts.frame.rules {
            rules.put(self.chunk, self.lane, to);
        }
        self.scratch.runs.count(from)
    }

    /// Notes that a rule has run. Returns true if the limit is reached.
    #[inline]
    pub(crate) fn has_run(&mut self, rule: u16) -> bool {
        self.scratch.runs.count(rule)
    }

    /// Returns true if the agent is not at this rule any more.
    #[inline]
    pub(crate) fn has_left(&self, rule: u16) -> bool {
        self.parts.frame.rules.as_ref().is_some_and(|rules| !rules.is_at(self.chunk, self.lane, rule))
    }

    /// Too many rules have run: the tick is over.
    #[cold]
    pub(crate) fn run_away(&mut self) -> u8 {
        if let Some(rules) = &self.parts.frame.rules {
            let agent = self.chunk.agent(self.lane);
            self.host.ran_away(&RunawayTick { agent, runs: &self.scratch.runs.list, rules });
        }
        self.scratch.forget_calls();
        SPENT
    }

    /// Asks the host to act for the agent's rule.
    pub(crate) fn act_rule(&mut self, site: u16, rule: u16) -> u8 {
        let Some(rules) = &self.parts.frame.rules else { return FAILURE };
        let fresh = !self.chunk.bit(rules.ran, self.lane);
        let status = self.act_of(site, rule, fresh);
        rules.note_run(self.chunk, self.lane);
        match status.exit() {
            (OTHER, _) => FAILURE,
            (exit, _) => exit,
        }
    }

    /// Returns true if the host has the action of a site for this agent.
    pub(crate) fn is_known(&mut self, site: u16) -> bool {
        let function = self.parts.sites[usize::from(site)].function;
        function != MISSING && self.host.knows(Function::Action, function, self.chunk.agent(self.lane))
    }

    /// Returns true if the agent's rule has not run since the agent came to it. It counts as run
    /// then.
    pub(crate) fn first_time(&mut self) -> bool {
        self.parts.frame.rules.as_ref().is_some_and(|rules| !rules.note_run(self.chunk, self.lane))
    }
}
