//! Comparison of all engines on one random tree.
//!
//! All engines run the same agents, get the same answers, and get the same changes between ticks.
//! After each tick every agent must have the same status on all engines, and the same calls of its
//! host in the same order, and all variables must be equal.

use super::Case;
use super::draws::{Draws, hash};
use crate::conformance::engine::{Arg, Call, ENGINES, Halt, LogKind, Settlers, Society, Whom, World};
use pleach_compile::codes;
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::{Module, Outcome};

/// Names in the trees of a generator.
#[derive(Clone, Copy)]
pub(super) struct Names {
    /// Name of the entry.
    pub(super) tree: &'static str,
    /// Names of variables: booleans, and numbers that are 0 or 1.
    pub(super) variables: &'static [&'static str],
    /// Names of events, of which a tree may declare some.
    pub(super) events: &'static [&'static str],
}

/// Number of ticks of a tree in short runs.
pub(super) const TICKS: u64 = 40;

/// Runs the module of a case on all engines for a number of ticks. Call it in a thread with a large
/// stack.
///
/// # Errors
/// With the first difference between engines.
pub(super) fn fight(module: &Module, names: Names, case: &Case, ticks: u64) -> Result<(), String> {
    if let Err(refused) = emit::emit(module, "random", None) {
        // Only the size may be a reason to refuse the module.
        let too_large = refused.code.id == codes::TOO_LARGE.id;
        return if too_large { Ok(()) } else { Err(format!("emit: {}", refused.message)) };
    }
    let agents = if case.seed.is_multiple_of(8) { 30 } else { 1 + case.seed as usize % 3 }.min(case.agents);
    let groups: Vec<u32> = (0..agents).map(|agent| agent as u32 % 2).collect();
    let settlers = Settlers { groups: &groups, entry: names.tree, seed: case.seed, chance: None };
    let mut sides = Vec::new();
    for engine in ENGINES {
        sides.push(Side {
            society: engine.settle(module, &settlers)?,
            script: Script::new(case.seed, agents),
        });
    }
    let (draws, runs) = (Draws::seeded(!case.seed), vec![true; agents]);
    let mut duel = Duel { module, names, sides, draws, now: 0, runs };
    for tick in 0..ticks.min(case.ticks) {
        duel.round().map_err(|it| format!("tick {tick}: {it}"))?;
    }
    Ok(())
}

struct Side<'m> {
    society: Box<dyn Society + 'm>,
    script: Script,
}

struct Duel<'m> {
    module: &'m Module,
    names: Names,
    sides: Vec<Side<'m>>,
    draws: Draws,
    now: i64,
    /// True for each agent that still exists.
    runs: Vec<bool>,
}

impl Duel<'_> {
    /// Ticks all agents. A fault is an error: no valid tree of a generator has one.
    fn round(&mut self) -> Result<(), String> {
        self.now += self.draws.pick(&[0, 25_000, 50_000, 100_000, 250_000]);
        for agent in 0..self.runs.len() {
            if self.runs[agent] && self.draws.one_in(3) {
                self.disturb(agent);
            }
        }
        let mut outcomes = Vec::new();
        for Side { society, script } in &mut self.sides {
            outcomes.push(society.tick(self.now, script)?);
        }
        for (side, outcome) in self.sides.iter().zip(&outcomes).skip(1) {
            same("statuses", outcome, &outcomes[0])?;
            same("what was heard", &side.script.heard, &self.sides[0].script.heard)?;
            for agent in (0..self.runs.len()).filter(|agent| self.runs[*agent]) {
                for name in self.names.variables {
                    let [left, right] = [side, &self.sides[0]].map(|it| it.society.get(agent, name));
                    same(name, &left, &right)?;
                }
            }
        }
        self.sides.iter_mut().for_each(|side| side.script.heard.clear());
        Ok(())
    }

    /// Changes an agent between ticks.
    fn disturb(&mut self, agent: usize) {
        let (what, value) = (self.draws.below(24), self.draws.one_in(2));
        let Names { variables, events, .. } = self.names;
        let (variable, event) = (self.draws.pick(variables), self.draws.pick(events));
        let known = self.module.events.iter().any(|it| self.module.names.bytes(it.name) == event.as_bytes());
        for Side { society, script } in &mut self.sides {
            match what {
                0 => society.reset(agent, self.now, script),
                1 => society.despawn(agent, self.now, script),
                2 if known => society.raise(event, Whom::All, self.now, script),
                3..=10 if known => society.raise(event, Whom::Agent(agent), self.now, script),
                _ => society.set(agent, variable, f64::from(u8::from(value))),
            }
        }
        self.runs[agent] &= what != 1;
    }
}

fn same<T: PartialEq + core::fmt::Debug>(what: &str, is: &T, must: &T) -> Result<(), String> {
    if is == must { Ok(()) } else { Err(format!("{what}: {is:?}, not {must:?}")) }
}

/// Host that answers by a hash of the agent, the question and the number of earlier questions.
#[derive(Clone)]
struct Script {
    seed: u64,
    asked: Vec<u64>,
    /// Calls by agent, so that the order of agents that are ticked together does not matter.
    heard: Heard,
}

#[derive(Clone, Debug, PartialEq)]
struct Heard(Vec<Vec<String>>);

impl Heard {
    fn clear(&mut self) {
        self.0.iter_mut().for_each(Vec::clear);
    }
}

impl Script {
    fn new(seed: u64, agents: usize) -> Self {
        Self { seed, asked: vec![0; agents], heard: Heard(vec![Vec::new(); agents]) }
    }

    fn note(&mut self, agent: usize, text: String) {
        self.heard.0[agent].push(text);
    }
}

fn name(call: &Call<'_>) -> String {
    let args = call.args.iter().map(|arg| match arg {
        Arg::Text(text) => String::from_utf8_lossy(text).into_owned(),
        other => format!("{other:?}"),
    });
    format!("{} {}", String::from_utf8_lossy(call.name), args.collect::<Vec<_>>().join(" "))
}

impl World for Script {
    fn act(&mut self, agent: usize, call: &Call<'_>) -> Outcome {
        let name = name(call);
        self.asked[agent] += 1;
        let letters = name.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
        let answer = hash([self.seed, agent as u64, self.asked[agent], letters]);
        // Nodes around a child end their child only sometimes.
        let outcome = match answer % 8 {
            0 | 1 => Outcome::Success,
            2 => Outcome::Failure,
            3 if !name.starts_with("Around") => Outcome::Failure,
            _ => Outcome::Running,
        };
        self.note(agent, format!("{}{name} {outcome:?}", if call.fresh { "+" } else { "" }));
        outcome
    }

    fn query(&mut self, _: usize, _: &Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, agent: usize, call: &Call<'_>, why: Halt) {
        self.note(agent, format!("-{} {why:?}", name(call)));
    }

    fn log(&mut self, agent: usize, kind: LogKind, text: &[u8]) {
        self.note(agent, format!("{kind:?} {}", String::from_utf8_lossy(text)));
    }
}
