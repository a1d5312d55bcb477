//! The world of a trace: answers what the case says, and writes down what it was asked.

use super::case::{Answer, Made, Op};
use super::program::{Program, characters};
use crate::conformance::engine::{Arg, Call, World};
use pleach_compile::ir::Outcome;
use std::collections::HashMap;

/// What the world knows of an agent that its frame does not.
#[derive(Clone)]
pub(super) struct Agent {
    /// 0 none, 1 alien, 2 human.
    team: i64,
    /// Waits for a spawn.
    queued: bool,
    /// What it last chose to spawn as, by team.
    pub(super) class: i32,
    /// See `class`.
    pub(super) weapon: i32,
}

impl Default for Agent {
    fn default() -> Self {
        Self { team: 1, queued: false, class: 0, weapon: 0 }
    }
}

/// The world of a trace. All agents share the table of answers.
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

    /// Changes the table of answers.
    pub(super) fn learn<'a>(&mut self, leaves: impl IntoIterator<Item = (&'a String, &'a Answer)>) {
        self.leaves.extend(leaves.into_iter().map(|(key, answer)| (key.clone(), answer.clone())));
    }

    /// Does what of an operation concerns the world.
    pub(super) fn apply(&mut self, op: &Op) {
        match *op {
            Op::Queued(agent, queued) => self.agents[agent].queued = queued,
            Op::Team(agent, team) => self.agents[agent].team = team,
            Op::Alive(..) | Op::Reset(_) | Op::Behavior(..) => {}
        }
    }

    /// The calls since the last time; or the key of one that had no answer of its kind.
    pub(super) fn take(&mut self) -> Result<Vec<Made>, String> {
        match self.missing.take() {
            Some(key) => Err(key),
            None => Ok(core::mem::take(&mut self.calls)),
        }
    }

    /// A check before a spawn is answered "no" by a case that does not mention it.
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
        Arg::Text(_) => 0,
    }
}

/// How cases name a call: `name(args)`. Of two names of one function they use the same.
fn key(call: &Call<'_>) -> String {
    let name = match call.name {
        b"buy" if call.args.is_empty() => b"equip",
        b"buildingIsBurning" => b"buildingIsDamaged".as_slice(),
        other => other,
    };
    let args: Vec<_> = call.args.iter().map(|arg| arg.written(characters)).collect();
    format!("{}({})", characters(name), args.join(","))
}
