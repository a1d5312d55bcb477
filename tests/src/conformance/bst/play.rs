//! Replay of a case on an engine, step by step.

use super::case::{Case, Must, Step};
use super::script::Script;
use crate::conformance::engine::{Engine, Settlers, Society, Whom};
use pleach_compile::internals::dialects::BLOCKED;
use pleach_compile::internals::ir::{Module, Outcome};
use pleach_compile::internals::text::Sym;

/// Plays all steps. Fails with the first difference.
pub(super) fn play(case: &Case, module: &Module, engine: &dyn Engine) -> Result<(), String> {
    let entry = module.names.text(module.blocks[module.entries[0] as usize].name);
    let settlers = Settlers { groups: &[0], entry: &entry, seed: 0, chance: None };
    let (society, script) = (engine.settle(module, &settlers)?, Script::new(module));
    let mut play = Play { module, society, script, tells: engine.name() == "reference" };
    for (index, step) in case.steps.iter().enumerate() {
        play.step(index as i64, step).map_err(|why| format!("step {index}: {why}"))?;
    }
    Ok(())
}

struct Play<'m> {
    module: &'m Module,
    society: Box<dyn Society + 'm>,
    script: Script<'m>,
    /// True if the engine reports which nodes end.
    tells: bool,
}

impl Play<'_> {
    fn step(&mut self, now: i64, step: &Step) -> Result<(), String> {
        if let Some(block) = step.block {
            self.society.set(0, BLOCKED, f64::from(u8::from(block.0)));
        }
        for (name, value) in &step.set_variables {
            if let Some(name) = self.variable(name) {
                self.society.set(0, &name, f64::from(u8::from(*value)));
            }
        }
        for event in &step.events {
            if self.module.events.iter().any(|it| self.module.names.bytes(it.name) == event.as_bytes()) {
                self.society.raise(event, Whom::Agent(0), now, &mut self.script);
            }
        }
        let outcome = self.society.tick(now, &mut self.script)?[0];
        self.check(outcome, &step.expected)?;
        self.script.calls.clear();
        self.script.evaluated = false;
        Ok(())
    }

    fn check(&self, outcome: Outcome, must: &Must) -> Result<(), String> {
        let Script { calls, behavior, evaluated, .. } = &self.script;
        same("what was called", calls, &must.calls)?;
        if let Some(leaf) = &must.selected_leaf {
            same("what is selected", behavior, leaf)?;
        }
        if let Some(selects) = must.selects() {
            same("the root", &outcome, &if selects { Outcome::Running } else { Outcome::Failure })?;
        }
        if let Some(must) = must.evaluated.filter(|_| self.tells) {
            same("whether it was evaluated", evaluated, &must)?;
        }
        for (name, value) in &must.variables {
            let known = self.variable(name).ok_or_else(|| format!("there is no variable {name}"))?;
            same(name, &self.society.get(0, &known), &Some(f64::from(u8::from(*value))))?;
        }
        Ok(())
    }

    /// Returns the declared name of a variable, given its name in any case.
    fn variable(&self, name: &str) -> Option<String> {
        let text = |name: Sym| self.module.names.text(name).into_owned();
        let mut names = self.module.slots.iter().filter_map(|slot| slot.name).map(text);
        names.find(|known| known.eq_ignore_ascii_case(name))
    }
}

fn same<T: PartialEq + core::fmt::Debug + ?Sized>(what: &str, is: &T, must: &T) -> Result<(), String> {
    if is == must { Ok(()) } else { Err(format!("{what} is {is:?}, not {must:?}")) }
}
