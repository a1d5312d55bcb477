//! Random trees with rules, on the reference interpreter and on the engines.
//!
//! A seed gives a tree as text and the answers of a host, which sometimes send agents to other
//! rules. Each engine has two crowds of the same agents. One is only sent, reset and ticked. In the
//! other, agents are also saved at random, sent elsewhere and restored, or all moved to a new
//! crowd. If agents are ticked together, a panicking call is a fault of all agents in the batch
//! engine's call, so no call panics there. After each step all crowds must agree on the status, or
//! on the rules that ran if too many did; on the rule of each agent; on whether it has been run;
//! and on all questions.

mod oracle;
mod tree;

use super::Case;
use super::draws::Draws;
use super::duel::same;
use crate::conformance::engine::walker::{Stopped, Walkers};
use crate::conformance::engine::{ENGINES, Engine};
use crate::debt;
use oracle::Oracle;
use pleach_compile::internals::ir::{Module, NodeIndex, Outcome};
use std::collections::BTreeMap;
use tree::Text;

/// Number of steps of a tree.
const STEPS: u64 = 50;
/// Number of agents of a crowd.
const AGENTS: usize = 3;
/// Step limits.
const LIMITS: &[u16] = &[1, 2, 3, 5, 8, 20, 100, 100, 100];
/// Id that no rule has.
const GONE: &str = "gone";

/// Counts of features over some duels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Census {
    /// Number of duels.
    pub trees: u64,
    /// Number of steps with failure, success and running.
    pub statuses: [u64; 3],
    /// Number of steps in which too many rules ran.
    pub ran_away: u64,
    /// Number of steps that were ended by a call that would have sent its agent to a missing rule.
    pub threw: u64,
    /// Number of agents that were sent to a rule, between steps and by calls.
    pub sent: [u64; 2],
    /// Number of agents that were saved and restored in their crowd, and moved to another.
    pub restored: [u64; 2],
    /// Number of agents that could not be saved.
    pub refused: u64,
}

impl Census {
    /// Adds the counts of another census.
    pub fn add(&mut self, other: &Self) {
        let sum = |to: &mut [u64], from: &[u64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        sum(&mut self.statuses, &other.statuses);
        sum(&mut self.sent, &other.sent);
        sum(&mut self.restored, &other.restored);
        self.trees += other.trees;
        self.ran_away += other.ran_away;
        self.threw += other.threw;
        self.refused += other.refused;
    }
}

/// Returns the tree of a case: the text of its file, and the other files by path.
#[must_use]
pub fn text(case: &Case) -> (String, BTreeMap<String, String>) {
    // Large trees take long, and show little more than small ones.
    let Text { main, files } = tree::tree(&mut case.draws(), case.size.min(400));
    (main, files)
}

/// Returns the module of a case's tree.
///
/// # Panics
/// If the tree does not compile.
#[must_use]
pub fn module(case: &Case) -> Module {
    let (main, files) = text(case);
    debt::module(&main, &files).unwrap_or_else(|error| panic!("{error}\n{main}"))
}

/// Runs the tree of a case on all engines. Fails with the first difference.
pub fn fight(case: &Case, census: &mut Census) -> Result<(), String> {
    fight_for(case, STEPS, census)
}

/// Runs the tree of a case on all engines for a number of steps.
///
/// # Errors
/// With the first difference.
pub fn fight_for(case: &Case, steps: u64, census: &mut Census) -> Result<(), String> {
    let (main, _) = text(case);
    let module = module(case);
    let mut draws = Draws::seeded(case.seed);
    let seed = draws.roll();
    let together = draws.one_in(2);
    let limit = draws.pick(LIMITS);
    // A panicking call stops all agents of the call.
    let throws = !together || draws.one_in(4);
    let in_batches = |engine: &dyn Engine| ["batch", "capi"].contains(&engine.name());
    let is_exact = |engine: &&&dyn Engine| !(together && throws && in_batches(**engine));
    let mut crowds = Vec::new();
    for engine in ENGINES.iter().filter(is_exact) {
        for restores in [false, true] {
            let meeting = Meeting { restores, together, throws, limit };
            crowds.push(Contender::new(*engine, &module, seed, meeting)?);
        }
    }
    let mut first: Vec<Step> = Vec::new();
    for (index, crowd) in crowds.iter_mut().enumerate() {
        let what = crowd.name();
        let steps = (0..steps.min(case.ticks)).map(|_| crowd.step()).collect::<Vec<_>>();
        if index == 0 {
            first = steps;
            continue;
        }
        for (number, (is, must)) in steps.iter().zip(&first).enumerate() {
            same(&format!("{what}, step {number}"), is, must).map_err(|why| format!("{why}\n{main}"))?;
        }
    }
    census.trees += 1;
    crowds.iter().for_each(|crowd| crowd.count(census));
    first.iter().flatten().for_each(|seen| census.note(seen));
    Ok(())
}

impl Census {
    fn note(&mut self, seen: &Seen) {
        match seen.outcome {
            Ok(Outcome::Success) => self.statuses[1] += 1,
            Ok(Outcome::Running) => self.statuses[2] += 1,
            Ok(_) => self.statuses[0] += 1,
            Err(Stopped::RanAway(_)) => self.ran_away += 1,
            Err(Stopped::Threw) => self.threw += 1,
        }
    }
}

/// Observable state of an agent after a step.
#[derive(Debug, PartialEq)]
struct Seen {
    outcome: Result<Outcome, Stopped>,
    rule: Option<NodeIndex>,
    first_run: bool,
    asked: (u64, u64),
}

/// Observable state of all agents.
type Step = Vec<Seen>;

/// Settings of a crowd's run.
#[derive(Clone, Copy)]
struct Meeting {
    /// True if agents are saved and restored.
    restores: bool,
    /// True if agents are ticked together.
    together: bool,
    /// True if calls send agents to a missing rule, and panic.
    throws: bool,
    limit: u16,
}

/// Crowd on an engine.
struct Contender<'m> {
    engine: &'m dyn Engine,
    module: &'m Module,
    crowd: Box<dyn Walkers + 'm>,
    oracle: Oracle,
    /// Draws of the changes between steps, equal in all crowds.
    draws: Draws,
    /// Draws of saving and restoring; `None` if nothing is saved.
    whims: Option<Draws>,
    ids: Vec<String>,
    meeting: Meeting,
    sent: u64,
    restored: [u64; 2],
    refused: u64,
}

impl<'m> Contender<'m> {
    fn new(engine: &'m dyn Engine, module: &'m Module, seed: u64, meeting: Meeting) -> Result<Self, String> {
        let name = |id: &pleach_compile::internals::ir::Id| module.names.text(id.name).into_owned();
        let mut ids: Vec<_> = module.ids.iter().map(name).collect();
        ids.push(GONE.to_owned());
        let mut crowd = engine.walk(module, AGENTS)?;
        crowd.set_limit(meeting.limit);
        let leads = ids.iter().filter(|id| meeting.throws || *id != GONE).cloned().collect();
        Ok(Self {
            engine,
            module,
            crowd,
            oracle: Oracle::new(seed, AGENTS, leads),
            draws: Draws::seeded(seed ^ 1),
            whims: meeting.restores.then(|| Draws::seeded(seed ^ 2)),
            ids,
            meeting,
            sent: 0,
            restored: [0; 2],
            refused: 0,
        })
    }

    fn name(&self) -> String {
        let restores = if self.whims.is_some() { ", with agents restored" } else { "" };
        self.engine.name().to_owned() + restores
    }

    fn step(&mut self) -> Step {
        (0..AGENTS).for_each(|agent| self.between(agent));
        self.restore();
        let outcomes = if self.meeting.together {
            self.crowd.step_all(&mut self.oracle)
        } else {
            (0..AGENTS).map(|agent| self.crowd.step(agent, &mut self.oracle)).collect()
        };
        let seen = |(agent, outcome)| Seen {
            outcome,
            rule: self.crowd.rule(agent),
            first_run: self.crowd.first_run(agent),
            asked: self.oracle.asked(agent),
        };
        outcomes.into_iter().enumerate().map(seen).collect()
    }

    /// Changes an agent between steps, like a game.
    fn between(&mut self, agent: usize) {
        match self.draws.below(24) {
            0 => self.crowd.reset(agent),
            1 => self.crowd.lose(agent),
            2 | 3 => {
                let id = &self.ids[self.draws.below(self.ids.len())];
                self.sent += u64::from(self.crowd.jump(agent, id));
            }
            _ => {}
        }
    }

    /// Saves agents and restores them, which must make no difference.
    fn restore(&mut self) {
        let Some(mut whims) = self.whims.take() else { return };
        if whims.one_in(8) {
            self.move_all();
        }
        for agent in 0..AGENTS {
            if whims.one_in(6) {
                self.astray(agent, &mut whims);
            }
        }
        self.whims = Some(whims);
    }

    /// Moves all agents to a new crowd, if they can be saved.
    fn move_all(&mut self) {
        let saved: Option<Vec<_>> = (0..AGENTS).map(|agent| self.crowd.save(agent)).collect();
        let Some(saved) = saved else { return };
        if (0..AGENTS).any(|agent| !self.is_found_again(agent)) {
            return;
        }
        self.crowd = self.engine.walk(self.module, AGENTS).expect("it could be made before");
        self.crowd.set_limit(self.meeting.limit);
        for (agent, saved) in saved.iter().enumerate() {
            assert!(self.crowd.restore(agent, saved), "{saved:?} was saved");
        }
        self.restored[1] += 1;
    }

    /// Saves an agent, sends it to another rule, and restores it.
    fn astray(&mut self, agent: usize, whims: &mut Draws) {
        let Some(saved) = self.crowd.save(agent) else {
            self.refused += 1;
            return;
        };
        if !self.is_found_again(agent) {
            return;
        }
        let before = (self.crowd.rule(agent), self.crowd.first_run(agent));
        match whims.below(3) {
            0 => self.crowd.reset(agent),
            1 => {
                self.crowd.jump(agent, &self.ids[whims.below(self.ids.len())]);
            }
            _ => self.crowd.lose(agent),
        }
        let forged = [&saved[..], b"x"].concat();
        let lost = (self.crowd.rule(agent), self.crowd.first_run(agent));
        assert!(!self.crowd.restore(agent, &forged), "{forged:?} is forged");
        assert_eq!((self.crowd.rule(agent), self.crowd.first_run(agent)), lost, "what fails changes nothing");
        assert!(self.crowd.restore(agent, &saved), "{saved:?} was saved");
        assert_eq!((self.crowd.rule(agent), self.crowd.first_run(agent)), before);
        self.restored[0] += 1;
    }

    /// Returns true if restoring leads back to the agent's place. An agent at no rule has none.
    fn is_found_again(&self, agent: usize) -> bool {
        self.crowd.rule(agent).is_some()
    }

    fn count(&self, census: &mut Census) {
        census.sent[0] += self.sent;
        census.sent[1] += self.oracle.jumps;
        census.restored[0] += self.restored[0];
        census.restored[1] += self.restored[1];
        census.refused += self.refused;
    }
}
