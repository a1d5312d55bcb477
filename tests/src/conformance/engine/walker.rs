//! Agents that are at a rule: what cases do with them, whatever runs them.

use super::Call;
use pleach_compile::internals::ir::{NodeIndex, Outcome};

/// Some agents of one module, each at a rule.
pub trait Walkers {
    /// Ticks an agent once.
    fn step(&mut self, agent: usize, guide: &mut dyn Guide) -> Result<Outcome, Stopped>;
    /// Ticks all agents once.
    fn step_all(&mut self, guide: &mut dyn Guide) -> Vec<Result<Outcome, Stopped>>;
    /// Returns the rule that an agent is at, if it is at one.
    fn rule(&self, agent: usize) -> Option<NodeIndex>;
    /// Returns true if the agent's rule has not been run since the agent came there.
    fn first_run(&self, agent: usize) -> bool;
    /// Sends an agent to the rule of this id. Returns false if there is none.
    fn jump(&mut self, agent: usize, id: &str) -> bool;
    /// Takes an agent away from all rules.
    fn lose(&mut self, agent: usize);
    /// Notes for an agent at no rule whether a rule is to be run for the first time.
    fn set_first_run(&mut self, agent: usize, first_run: bool);
    /// Lets an agent begin anew.
    fn reset(&mut self, agent: usize);
    /// Returns the saved place of an agent, or `None` if its rule has no id.
    fn save(&self, agent: usize) -> Option<Vec<u8>>;
    /// Puts an agent where it was. Returns false if the bytes are not a saved place
    /// or the rule does not exist.
    fn restore(&mut self, agent: usize, saved: &[u8]) -> bool;
    /// Sets how many rules may run in a tick.
    fn set_limit(&mut self, limit: u16);
}

/// Reason why a tick could not be ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// More rules have run than may: these, in order.
    RanAway(Vec<NodeIndex>),
    /// A call panicked because it should send the agent to an unknown rule.
    Threw,
}

/// Panics for a call that sends its agent to an unknown rule. No panic hook is told of such a
/// panic.
pub(super) fn throw() -> ! {
    std::panic::resume_unwind(Box::new("there is no such rule"))
}

/// Host of agents that are at rules.
pub trait Guide {
    /// Returns true if the host has an action for an agent.
    fn knows(&mut self, agent: usize, name: &[u8]) -> bool;
    /// Lets an agent act.
    fn act(&mut self, agent: usize, call: &Call<'_>) -> Turn<Outcome>;
    /// Answers an agent's question.
    fn query(&mut self, agent: usize, call: &Call<'_>) -> Turn<bool>;
}

/// An answer, and where the agent is sent before it is given.
#[derive(Clone, Debug)]
pub struct Turn<T> {
    /// The answer.
    pub answer: T,
    /// Id of the rule to which the call sends its agent. If it is unknown, the call panics.
    pub jump: Option<String>,
}

impl<T> Turn<T> {
    /// Returns an answer alone.
    pub fn stay(answer: T) -> Self {
        Self { answer, jump: None }
    }
}
