//! World of a trace: answers as the case says, and records the calls.

use super::case::{Answer, Made, Op};
use super::program::{Program, characters};
use crate::conformance::engine::{Arg, Call, World};
use pleach_compile::internals::ir::Outcome;
use std::collections::HashMap;

/// State of an agent in the world, outside its frame.
#[derive(Clone)]
pub(super) struct Agent {
    /// Team: 0 none, 1 alien, 2 human.
    team: i64,
    /// True if the agent waits for a spawn.
    queued: bool,
    /// Class of the last alien spawn.
    pub(super) class: i32,
    /// Weapon of the last human spawn.
    pub(super) weapon: i32,
}

impl Default for Agent {
    fn default() -> Self {
        Self { team: 1, queued: false, class: 0, weapon: 0 }
    }
}

/// World of a trace. All agents share the answers.
pub(super) struct Script<'p> {
    program: &'p Program,
    leaves: HashMap<String, Answer>,
    pub(super) agents: Vec<Agent>,
    calls: Vec<Made>,
    missing: Option<String>,
}

impl<'p> Script<'p> {
    pub(super) fn new(program: &'p Program, agents: usize) -> Self {
        let agents = vec![Agent::default(); agents];
        Self { program, leaves: HashMap::new(), agents, calls: Vec::new(), missing: None }
    }

    /// Changes the answers.
    pub(super) fn learn<'a>(&mut self, leaves: impl IntoIterator<Item = (&'a String, &'a Answer)>) {
        self.leaves.extend(leaves.into_iter().map(|(key, answer)| (key.clone(), answer.clone())));
    }

    /// Applies the part of an operation that concerns the world.
    pub(super) fn apply(&mut self, op: &Op) {
        match *op {
            Op::Queued(agent, queued) => self.agents[agent].queued = queued,
            Op::Team(agent, team) => self.agents[agent].team = team,
            Op::Alive(..) | Op::Reset(_) | Op::Behavior(..) => {}
        }
    }

    /// Returns the calls since the last time. Fails with the key of a call without a matching
    /// answer.
    pub(super) fn take(&mut self) -> Result<Vec<Made>, String> {
        match self.missing.take() {
            Some(key) => Err(key),
            None => Ok(core::mem::take(&mut self.calls)),
        }
    }

    /// Answers a check before a spawn. If the case does not mention it, the answer is "no".
    fn spawn(&mut self, agent: usize, number: i32) -> Outcome {
        let Agent { team, queued, .. } = self.agents[agent];
        let name = match (queued, team) {
            (true, 1) => "alienSpawnClass",
            (true, 2) => "humanSpawnWeapon",
            _ => return Outcome::Failure,
        };
        let key = format!("{name}({number})");
        let may = self.leaves.get(&key) == Some(&Answer::May(true));
        self.calls.push(Made { key, answer: Answer::May(may), fresh: None, line: None });
        match (may, team) {
            (false, _) => return Outcome::Failure,
            (true, 1) => self.agents[agent].class = number,
            (true, _) => self.agents[agent].weapon = number,
        }
        Outcome::Success
    }

    fn miss(&mut self, key: String) {
        self.missing.get_or_insert(key);
    }
}

impl World for Script<'_> {
    fn act(&mut self, agent: usize, call: &Call<'_>) -> Outcome {
        if call.name == b"spawnAs" {
            return self.spawn(agent, call.args.first().map_or(0, int));
        }
        let key = key(call);
        let Some(Answer::Status(status)) = self.leaves.get(&key) else {
            self.miss(key);
            return Outcome::Failure;
        };
        let status = *status;
        let line = call.node.and_then(|node| self.program.line(node));
        self.calls.push(Made { key, answer: Answer::Status(status), fresh: Some(call.fresh), line });
        status
    }

    fn query(&mut self, _: usize, call: &Call<'_>) -> f64 {
        let key = key(call);
        let Some((answer, number)) = self.leaves.get(&key).and_then(|it| Some((it.clone(), it.number()?)))
        else {
            self.miss(key);
            return 0.0;
        };
        self.calls.push(Made { key, answer, fresh: None, line: None });
        number
    }
}

fn int(arg: &Arg<'_>) -> i32 {
    match *arg {
        Arg::Int(int) => int,
        Arg::Float(float) => float as i32,
        _ => 0,
    }
}

/// Returns the key of a call in cases: `name(args)`. Two names of one function have one key.
fn key(call: &Call<'_>) -> String {
    let name = match call.name {
        b"buy" if call.args.is_empty() => b"equip",
        b"buildingIsBurning" => b"buildingIsDamaged".as_slice(),
        other => other,
    };
    let args: Vec<_> = call.args.iter().map(|arg| arg.written(characters)).collect();
    format!("{}({})", characters(name), args.join(","))
}
