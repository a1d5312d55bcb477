//! Replay of a case on an engine, step by step.

use super::case::{Case, Expected, Op, Step};
use super::script::Script;
use crate::conformance::engine::Engine;
use crate::conformance::engine::walker::{Stopped, Walkers};
use pleach_compile::internals::ir::{Module, NodeIndex, Outcome};

/// Plays all steps. Fails with the first difference.
pub(super) fn play(case: &Case, module: &Module, engine: &dyn Engine) -> Result<(), String> {
    let walkers = engine.walk(module, 1)?;
    let mut play = Play { module, walkers, script: Script::default(), saved: Vec::new() };
    for (index, step) in case.steps.iter().enumerate() {
        play.step(step).map_err(|why| format!("step {index}: {why}"))?;
    }
    Ok(())
}

/// Effect of an operation on the step.
enum Then {
    /// The step is run.
    Step,
    /// The step is not run and has this status.
    Status(&'static str),
}

struct Play<'m> {
    module: &'m Module,
    walkers: Box<dyn Walkers + 'm>,
    script: Script,
    saved: Vec<u8>,
}

impl Play<'_> {
    fn step(&mut self, step: &Step) -> Result<(), String> {
        self.script.learn(step.leaves.as_ref(), step.conditions.as_ref());
        let mut status = None;
        for op in &step.op {
            if let Then::Status(word) = self.apply(op)? {
                status = Some((word, None));
            }
        }
        let (status, rules) = match status {
            Some(status) => status,
            None => self.run(),
        };
        self.script.jumps.clear();
        let calls = self.script.take()?;
        same("status", status, &step.expected.status)?;
        same("calls", &calls, &step.expected.calls)?;
        if let (Some(is), Some(must)) = (&rules, &step.expected.rules) {
            same("rules", is, must)?;
        }
        self.state(&step.expected)
    }

    fn run(&mut self) -> (&'static str, Option<Vec<String>>) {
        match self.walkers.step(0, &mut self.script) {
            Ok(Outcome::Running) => ("running", None),
            Ok(Outcome::Success) => ("success", None),
            Ok(_) => ("failure", None),
            Err(Stopped::Threw) => ("exception:InvalidParam", None),
            Err(Stopped::RanAway(rules)) => {
                let rules = rules.into_iter().map(|rule| self.name(rule)).collect();
                ("exception:RunAway", Some(rules))
            }
        }
    }

    fn state(&self, expected: &Expected) -> Result<(), String> {
        if let Some(must) = &expected.current_rule {
            let is = self.walkers.rule(0).map(|rule| self.name(rule));
            same("current rule", &is, must)?;
        }
        expected.first_run.map_or(Ok(()), |must| same("first run", &self.walkers.first_run(0), &must))
    }

    /// Returns the id of a rule.
    fn name(&self, rule: NodeIndex) -> String {
        let id = self.module.ids.iter().find(|id| id.node == rule);
        id.map_or_else(|| "(no id)".to_owned(), |id| self.module.names.text(id.name).into_owned())
    }

    fn apply(&mut self, op: &Op) -> Result<Then, String> {
        let wants = |field: &Option<String>| field.clone().ok_or(format!("{} lacks a field", op.what));
        match op.what.as_str() {
            "jump" if !self.walkers.jump(0, &wants(&op.id)?) => {
                return Ok(Then::Status("exception:InvalidParam"));
            }
            "jump" => {}
            "reset" => self.walkers.reset(0),
            "save" => match self.walkers.save(0) {
                Some(saved) => {
                    self.saved = saved;
                    return Ok(Then::Status("none"));
                }
                None => return Ok(Then::Status("exception:InvalidParam")),
            },
            "restore" => self.restore(op),
            "run_away_limit" => match op.value {
                Some(0) => return Ok(Then::Status("exception:InvalidParam")),
                value => self.walkers.set_limit(value.ok_or("a limit lacks its value")?),
            },
            "on_call" => {
                self.script.jumps.insert(wants(&op.call)?, wants(&op.jump)?);
            }
            "load" => return Ok(Then::Status("none")),
            other => return Err(format!("no such operation: {other}")),
        }
        Ok(Then::Step)
    }

    /// Restores a saved or forged state. If the original has no rule afterwards, the agent has none
    /// either.
    fn restore(&mut self, op: &Op) {
        let saved = match &op.state {
            Some(id) => {
                let flags = if op.first_run { 3 } else { 1 };
                [&[0, flags, id.len() as u8], id.as_bytes()].concat()
            }
            None => self.saved.clone(),
        };
        if !self.walkers.restore(0, &saved) {
            self.walkers.lose(0);
            let flags = saved.get(1).copied().unwrap_or(0);
            self.walkers.set_first_run(0, flags & 2 != 0);
        }
    }
}

fn same<T: PartialEq<U> + core::fmt::Debug + ?Sized, U: core::fmt::Debug + ?Sized>(
    what: &str,
    is: &T,
    must: &U,
) -> Result<(), String> {
    if is == must { Ok(()) } else { Err(format!("{what} is {is:?}, not {must:?}")) }
}
