//! Replay of a case on an engine, step by step.

use super::case::{Case, Expected, Step, of};
use super::script::Script;
use crate::conformance::engine::{Engine, Grove};
use pleach::forest::{TreeOperation, TreeSelector};
use pleach::life::LifeStatus;
use pleach_compile::internals::ir::Module;

/// Plays all steps. Fails with the first difference.
pub(super) fn play(case: &Case, module: &Module, engine: &dyn Engine) -> Result<(), String> {
    let mut play = Play { module, grove: engine.plant(module)?, script: Script::new(module), now: 0 };
    if case.auto_load {
        play.grove.order(TreeOperation::Load, TreeSelector::All);
        play.grove.update(0, &mut play.script);
    }
    for (index, step) in case.steps.iter().enumerate() {
        play.step(step).map_err(|why| format!("step {index}: {why}"))?;
    }
    Ok(())
}

struct Play<'m> {
    module: &'m Module,
    grove: Box<dyn Grove + 'm>,
    script: Script<'m>,
    now: i64,
}

impl Play<'_> {
    fn step(&mut self, step: &Step) -> Result<(), String> {
        self.now += 1;
        self.script.begin(step.leaves.as_ref(), &step.inject);
        for order in &step.orders {
            let what = order.what()?;
            if let Some(whom) = order.whom(self.module) {
                self.grove.order(what, whom);
            }
        }
        self.grove.update(self.now, &mut self.script);
        match self.script.wrong.take() {
            Some(wrong) => Err(wrong),
            None => self.compare(&step.expected),
        }
    }

    fn compare(&self, expected: &Expected) -> Result<(), String> {
        same("what was heard", &self.script.heard, &expected.calls())?;
        same("trees without end", &self.grove.endless(), &expected.endless)?;
        for (tree, (status, count)) in self.grove.lives().into_iter().enumerate() {
            let name = self.module.names.text(self.module.forests.trees[tree].name);
            let told = self.script.came_to.get(&tree).filter(|_| status != LifeStatus::Destructed);
            let came_to = told.map_or("none", String::as_str);
            let at = |what: &str| format!("{what} of {name}");
            if let Some(must) = of(&expected.status, &name) {
                same(&at("status"), &Some(came_to), &must.as_str())?;
            }
            if let Some(must) = of(&expected.tree_status, &name) {
                same(&at("tree status"), &Some(status.name()), &must.as_str())?;
            }
            if let Some(must) = of(&expected.accu_loop_count, &name) {
                same(&at("count"), &Some(count.into()), &must.as_u64())?;
            }
        }
        Ok(())
    }
}

fn same<T: PartialEq + core::fmt::Debug>(what: &str, is: &T, must: &T) -> Result<(), String> {
    if is == must { Ok(()) } else { Err(format!("{what} is {is:?}, not {must:?}")) }
}
