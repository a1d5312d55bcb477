//! Host that answers by a hash of the agent and the number of its earlier questions.

use crate::conformance::engine::walker::{Guide, Turn};
use crate::conformance::engine::{Arg, Call};
use crate::random::draws::hash;
use pleach_compile::internals::ir::Outcome;

/// Host of some agents.
pub(super) struct Oracle {
    seed: u64,
    /// Hash and number of the questions of each agent.
    asked: Vec<(u64, u64)>,
    /// Ids of rules that calls may send agents to.
    ids: Vec<String>,
    /// Number of calls that have sent an agent to a rule.
    pub(super) jumps: u64,
}

impl Oracle {
    pub(super) fn new(seed: u64, agents: usize, ids: Vec<String>) -> Self {
        Self { seed, asked: vec![(0, 0); agents], ids, jumps: 0 }
    }

    /// Returns the hash of an agent's questions in order, and their number.
    pub(super) fn asked(&self, agent: usize) -> (u64, u64) {
        self.asked[agent]
    }

    /// Records a question, and returns a number for the answer.
    fn ask(&mut self, agent: usize, kind: u64, name: &[u8], call: Option<&Call<'_>>) -> u64 {
        let (before, count) = self.asked[agent];
        let name = name.iter().fold(kind, |sum, byte| hash([sum, (*byte).into()]));
        let args = call.map_or(0, |call| {
            call.args.iter().fold(u64::from(call.fresh), |sum, arg| hash([sum, number(arg)]))
        });
        self.asked[agent] = (hash([before, name, args]), count + 1);
        hash([self.seed, agent as u64, count])
    }

    /// Returns the rule to which a call sends its agent, once in `times` calls.
    fn jump(&mut self, roll: u64, times: u64) -> Option<String> {
        if !(roll >> 8).is_multiple_of(times) || self.ids.is_empty() {
            return None;
        }
        self.jumps += 1;
        Some(self.ids[(roll >> 32) as usize % self.ids.len()].clone())
    }
}

fn number(arg: &Arg<'_>) -> u64 {
    match arg {
        Arg::Int(int) => hash([1, *int as u64]),
        Arg::Float(float) => hash([2, float.to_bits().into()]),
        Arg::Int64(int) => hash([4, *int as u64]),
        Arg::Double(double) => hash([5, double.to_bits()]),
        Arg::Out => 6,
        Arg::Text(text) => text.iter().fold(3, |sum, byte| hash([sum, (*byte).into()])),
    }
}

impl Guide for Oracle {
    fn knows(&mut self, agent: usize, name: &[u8]) -> bool {
        name != b"nothing" && !self.ask(agent, 1, name, None).is_multiple_of(16)
    }

    fn act(&mut self, agent: usize, call: &Call<'_>) -> Turn<Outcome> {
        let roll = self.ask(agent, 2, call.name, Some(call));
        let answer =
            [Outcome::Success, Outcome::Failure, Outcome::Running, Outcome::Success][roll as usize % 4];
        Turn { answer, jump: self.jump(roll, 12) }
    }

    fn query(&mut self, agent: usize, call: &Call<'_>) -> Turn<bool> {
        let roll = self.ask(agent, 3, call.name, Some(call));
        Turn { answer: call.name != b"never" && !roll.is_multiple_of(4), jump: self.jump(roll, 60) }
    }
}
