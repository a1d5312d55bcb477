//! Replay of a case on an engine, tick by tick.

use super::case::{Case, Must, Op, Tick, held};
use super::script::Script;
use crate::conformance::engine::{Engine, Settlers, Society};
use pleach_compile::internals::ir::{Module, Outcome};

/// Plays all ticks. Fails with the first difference.
pub(super) fn play(case: &Case, module: &Module, engine: &dyn Engine) -> Result<(), String> {
    let settlers = Settlers { groups: &case.groups, entry: &case.entry, seed: case.seed, chance: None };
    let society = engine.settle(module, &settlers)?;
    let mut play = Play { society, script: Script::new(case.groups.len()) };
    for (index, tick) in case.ticks.iter().enumerate() {
        play.tick(tick).map_err(|why| format!("tick {index}: {why}"))?;
    }
    Ok(())
}

/// Returns true if the module has an entry of this name.
pub(super) fn has_entry(module: &Module, name: &str) -> bool {
    let named = |entry: &u32| {
        let block = &module.blocks[*entry as usize];
        module.names.bytes(block.name) == name.as_bytes()
    };
    module.entries.iter().any(named)
}

struct Play<'m> {
    society: Box<dyn Society + 'm>,
    script: Script,
}

impl Play<'_> {
    fn tick(&mut self, tick: &Tick) -> Result<(), String> {
        self.script.learn(&tick.answers);
        tick.ops.iter().for_each(|op| self.apply(op, tick.time));
        let outcomes = self.society.tick(tick.time, &mut self.script)?;
        let heard = self.script.take()?;
        same("number of agents", &outcomes.len(), &tick.must().len())?;
        for (agent, must) in tick.must().iter().enumerate() {
            let is = (outcomes[agent], heard[agent].as_slice());
            self.agent(agent, is, must).map_err(|why| format!("agent {agent}: {why}"))?;
        }
        Ok(())
    }

    fn agent(&self, agent: usize, is: (Outcome, &[String]), must: &Must) -> Result<(), String> {
        same("what was heard", is.1, must.heard.as_slice())?;
        same("status", &is.0, &must.status()?)?;
        for (name, value) in &must.vars {
            let is = self.society.get(agent, name).ok_or_else(|| format!("there is no variable {name}"))?;
            let must = held(value).ok_or_else(|| format!("{value} is no value"))?;
            if is.to_bits() != must.to_bits() && !(is.is_nan() && must.is_nan()) {
                return Err(format!("{name} is {is}, not {must}"));
            }
        }
        Ok(())
    }

    fn apply(&mut self, op: &Op, now: i64) {
        let Self { society, script } = self;
        match op {
            Op::Set(name, value, agent) => society.set(*agent, name, *value),
            Op::Raise(event, whom) => society.raise(event, *whom, now, script),
            Op::Reset(agent) => society.reset(*agent, now, script),
            Op::Switch(entry, agent) => society.switch(*agent, entry, now, script),
        }
    }
}

fn same<T: PartialEq + core::fmt::Debug + ?Sized>(what: &str, is: &T, must: &T) -> Result<(), String> {
    if is == must { Ok(()) } else { Err(format!("{what} is {is:?}, not {must:?}")) }
}
