//! Random trees on all sides: the reference interpreter, both engines, saved and restored before
//! each tick, reloaded before each tick.
//!
//! The number of a case chooses a generator and a tree of it. The tree is run twice over for as
//! many ticks: by the reference interpreter and the engines, one agent by one; and as a crowd, on
//! the scalar engine, on the batch engine, with everything saved and restored before each tick (in
//! a new crowd or another build now and then), and with a reload before each tick. A finding is the
//! smallest case that goes wrong.

use super::{Campaign, Finding, Run};
use crate::golden::ir;
use crate::own;
use crate::random::check::{self, Counterexample};
use crate::random::rebuilt::rebuilt;
use crate::random::{Case, bst, btcpp, crowds, duel, forest, language, mbt, program, rules, witness};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::Module;
use std::cell::Cell;

pub(super) const DIFFERENTIAL: Campaign = Campaign {
    name: "differential",
    about: "random trees for 200 ticks: reference, scalar, batch, saved and restored each tick, reloaded each tick",
    unit: "trees",
    goal: 100_000,
    short: 60,
    resumes: Some(generators),
    run,
};

const TICKS: u64 = 200;
/// Larger trees are cut down to this: the reference takes its time for them, and
/// the property tests have them.
const MOST_NODES: usize = 100;
/// Agents on the side of the reference interpreter.
const AGENTS: usize = 2;

/// The module of a program and the names of its variables.
type Generated = (Module, Vec<String>);

/// A generator of programs.
pub struct Kind {
    name: &'static str,
    /// Runs a program on the reference interpreter and on the engines, agent by agent.
    fight: fn(&Case) -> Result<(), String>,
    /// Makes a program.
    module: fn(&Case) -> Result<Generated, String>,
    /// Returns the program as text.
    text: fn(&Case) -> String,
}

/// The generators.
pub const KINDS: [Kind; 7] = [
    Kind {
        name: "IR",
        fight: |case| duel::fight_for(case, AGENTS, TICKS, &mut witness::Census::default()),
        module: |case| Ok((program::program(case), names(&["gate0", "gate1", "gate2"]))),
        text: |case| ir::text(&program::program(case)),
    },
    Kind {
        name: "language",
        fight: |case| language::duel::fight_for(case, AGENTS, TICKS, &mut language::duel::Census::default()),
        module: |case| {
            let program = language::program(case);
            let module = own::module(&program.files.into_iter().collect())?;
            Ok((module, program.variables.into_iter().map(|variable| variable.name).collect()))
        },
        text: |case| language::program(case).source(),
    },
    Kind {
        name: "modular",
        fight: |case| mbt::fight_for(case, TICKS),
        module: |case| Ok((mbt::module(&mbt::text(case))?, names(&mbt::VARIABLES))),
        text: mbt::text,
    },
    Kind {
        name: "selection",
        fight: |case| bst::fight_for(case, TICKS),
        module: |case| Ok((bst::module(&bst::text(case))?.0, names(&bst::SETS))),
        text: bst::text,
    },
    Kind {
        name: "rules",
        fight: |case| rules::fight_for(case, TICKS, &mut rules::Census::default()),
        module: |case| Ok((rules::module(case), Vec::new())),
        text: |case| format!("{:#?}", rules::text(case)),
    },
    Kind {
        name: "forest",
        fight: |case| forest::fight_for(case, TICKS, &mut forest::Census::default()),
        module: |case| Ok((forest::module(&forest::texts(case)), Vec::new())),
        text: |case| format!("{:#?}", forest::texts(case)),
    },
    Kind {
        name: "library",
        fight: |case| btcpp::fight_for(case, TICKS),
        module: |case| Ok((btcpp::module(&btcpp::text(case))?, names(&btcpp::VARIABLES))),
        text: btcpp::text,
    },
];

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Returns the names of all generators, which decide the case of a number.
fn generators() -> String {
    format!("generators {}; ", KINDS.map(|kind| kind.name).join(" "))
}

/// Returns the generator and the case of a number.
fn generated(number: u64) -> (&'static Kind, Case) {
    let kind = &KINDS[(number % KINDS.len() as u64) as usize];
    let case = Case::new(number / KINDS.len() as u64);
    (kind, case.cut(MOST_NODES))
}

fn run(run: &mut Run) -> Result<(), Finding> {
    while let Some(number) = run.case() {
        let (kind, case) = generated(number);
        kind.judged(&case, |case| {
            (kind.fight)(case)?;
            let (module, variables) = (kind.module)(case)?;
            crowd(case, module, &variables)
        })?;
        run.executions += 1;
    }
    Ok(())
}

impl Kind {
    /// Runs a case.
    ///
    /// # Errors
    /// With the smallest case and its text, if this one goes wrong.
    pub fn judged(&self, case: &Case, fight: impl Fn(&Case) -> Result<(), String>) -> Result<(), String> {
        check::tried(case, fight).map_err(|found| {
            let Counterexample { seed, case, why, attempts } = *found;
            let text = (self.text)(&case);
            format!("{} seed {seed}: {why}\n{case:?}, after {attempts} smaller cases\n{text}", self.name)
        })
    }
}

/// The module on the engines, saved and reloaded. One too large for an image is no difference.
fn crowd(case: &Case, module: Module, variables: &[String]) -> Result<(), String> {
    crowd_for(case, module, variables, TICKS)
}

fn crowd_for(case: &Case, mut module: Module, variables: &[String], ticks: u64) -> Result<(), String> {
    let first = emit::emit(&module, "random", None);
    rebuilt(&mut module);
    match (first, emit::emit(&module, "random", None)) {
        (Ok(first), Ok(second)) => crowds::both([&first, &second], variables, case, ticks),
        _ => Ok(()),
    }
}

/// Runs a program of the language for this number of agents and ticks on all sides.
#[cfg(pleach_planted)]
pub(super) fn language_for(case: &Case, agents: usize, ticks: u64) -> Result<(), String> {
    let fought = language::duel::fight_for(case, agents, ticks, &mut language::duel::Census::default());
    let fought = fought.and_then(|()| {
        let (module, variables) = (KINDS[1].module)(case)?;
        crowd_for(case, module, &variables, ticks)
    });
    fought.map_err(|why| format!("{why}\n{}", language::program(case).source()))
}

/// Returns the digest of a random program, which all engines must come to; 0 if
/// it is too large for an image.
pub(super) fn digest(number: u64, ticks: u64) -> Result<u64, String> {
    let (kind, case) = generated(number);
    let digest = Cell::new(0);
    kind.judged(&case, |case| {
        let (module, variables) = (kind.module)(case)?;
        if let Ok(image) = emit::emit(&module, "random", None) {
            digest.set(crowds::digest(&image, &variables, case, ticks)?);
        }
        Ok(())
    })?;
    Ok(digest.get())
}
