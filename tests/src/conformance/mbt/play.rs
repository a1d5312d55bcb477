//! Replay of a case on an engine, step by step.

use super::TREE;
use super::case::{Case, Must, Part, Step};
use super::script::Script;
use crate::conformance::engine::{Engine, Settlers, Society, Whom};
use pleach_compile::internals::ir::{Module, Outcome};
use pleach_compile::internals::text::Sym;

/// Plays all steps. Fails with the first difference.
pub(super) fn play(case: &Case, module: &Module, engine: &dyn Engine) -> Result<(), String> {
    let agents = case.agents();
    let groups: Vec<u32> = agents.iter().map(|agent| case.group(agent)).collect();
    let settlers = Settlers { groups: &groups, entry: TREE, seed: 0, chance: case.random_value };
    let society = engine.settle(module, &settlers)?;
    let mut play =
        Play { module, society, script: Script::new(agents.len()), runs: vec![true; agents.len()] };
    for (index, step) in case.steps.iter().enumerate() {
        play.step(&agents, step).map_err(|why| format!("step {index}: {why}"))?;
    }
    Ok(())
}

struct Play<'m> {
    module: &'m Module,
    society: Box<dyn Society + 'm>,
    script: Script,
    /// True for each agent whose tree is still running.
    runs: Vec<bool>,
}

impl Play<'_> {
    fn step(&mut self, agents: &[String], step: &Step) -> Result<(), String> {
        let now = step.time();
        for (agent, name) in agents.iter().enumerate() {
            if let Some(part) = step.part(name) {
                self.before(agent, part, now)?;
            }
        }
        let outcomes = self.society.tick(now, &mut self.script)?;
        for (agent, name) in agents.iter().enumerate() {
            let root = self.root(agent, outcomes[agent]);
            if let Some(part) = step.part(name) {
                self.check(agent, root, &part.expected).map_err(|why| format!("agent {name}: {why}"))?;
            }
            let ended = self.runs[agent] && root != "running";
            if ended {
                self.runs[agent] = false;
                self.society.despawn(agent, now, &mut self.script);
            }
            let actor = &mut self.script.actors[agent];
            actor.calls.clear();
            actor.log.clear();
        }
        Ok(())
    }

    /// Applies the inputs before the tick.
    fn before(&mut self, agent: usize, part: &Part, now: i64) -> Result<(), String> {
        if self.runs[agent] {
            for (name, value) in &part.set_variables {
                if let Some(name) = self.variable(name) {
                    self.society.set(agent, &name, f64::from(u8::from(*value)));
                }
            }
            for event in &part.events {
                if self.has(event) {
                    self.society.raise(event, Whom::Agent(agent), now, &mut self.script);
                }
            }
        }
        self.script.learn(agent, &part.leaves)?;
        if part.stop.0 && core::mem::take(&mut self.runs[agent]) {
            self.society.despawn(agent, now, &mut self.script);
        }
        Ok(())
    }

    fn root(&self, agent: usize, outcome: Outcome) -> &'static str {
        match outcome {
            _ if !self.runs[agent] => "stopped",
            Outcome::Running => "running",
            Outcome::Success => "success",
            _ => "failure",
        }
    }

    fn check(&self, agent: usize, root: &str, must: &Must) -> Result<(), String> {
        let actor = &self.script.actors[agent];
        same("what was called", &actor.calls, &must.calls)?;
        same("the root", root, &*must.root)?;
        if let Some(log) = &must.log {
            same("the log", &actor.log, log)?;
        }
        for (name, value) in must.variables.iter().filter(|_| root == "running") {
            let known = self.variable(name).ok_or_else(|| format!("there is no variable {name}"))?;
            same(name, &self.society.get(agent, &known), &Some(f64::from(u8::from(*value))))?;
        }
        Ok(())
    }

    /// Returns the declared name of a variable, given its name in any case.
    fn variable(&self, name: &str) -> Option<String> {
        let text = |name: Sym| self.module.names.text(name).into_owned();
        let mut names = self.module.slots.iter().filter_map(|slot| slot.name).map(text);
        names.find(|known| known.eq_ignore_ascii_case(name))
    }

    fn has(&self, event: &str) -> bool {
        self.module.events.iter().any(|it| self.module.names.bytes(it.name) == event.as_bytes())
    }
}

fn same<T: PartialEq + core::fmt::Debug + ?Sized>(what: &str, is: &T, must: &T) -> Result<(), String> {
    if is == must { Ok(()) } else { Err(format!("{what} is {is:?}, not {must:?}")) }
}
