//! Random trees on all sides: the reference interpreter, both engines, saved and restored before each tick, reloaded before
//! each tick.
//!
//! The number of a case chooses a generator and a tree of it. The tree is run twice over for as many ticks: by the reference
//! interpreter and the engines, one agent by one; and as a crowd, on the scalar engine, on the batch engine, with everything
//! saved and restored before each tick (in a new crowd or another build now and then), and with a reload before each tick.

use super::{Campaign, Finding, Run, guarded};
use crate::own;
use crate::random::rebuilt::rebuilt;
use crate::random::{Case, bst, crowds, duel, forest, language, mbt, program, rules, witness};
use pleach_compile::emit;
use pleach_compile::ir::Module;

pub(super) const DIFFERENTIAL: Campaign = Campaign {
    name: "differential",
    about: "random trees for 200 ticks: reference, scalar, batch, saved and restored each tick, reloaded each tick",
    unit: "trees",
    goal: 100_000,
    short: 60,
    run,
};

const TICKS: u64 = 200;
/// Larger trees are cut down to this: the reference takes its time for them, and the property tests have them.
const MOST_NODES: usize = 100;
/// Agents on the side of the reference interpreter.
const AGENTS: usize = 2;

type Kind = (&'static str, fn(&Case) -> Result<(), String>);

/// The generators.
const KINDS: [Kind; 6] = [
    ("IR", of_the_ir),
    ("language", of_the_language),
    ("modular", of_modular_trees),
    ("selection", of_selections),
    ("rules", of_rules),
    ("forest", of_forests),
];

fn run(run: &mut Run) -> Result<(), Finding> {
    while let Some(number) = run.case() {
        let (name, fight) = KINDS[(number % KINDS.len() as u64) as usize];
        let case = Case::new(number / KINDS.len() as u64);
        let case = case.cut(MOST_NODES);
        guarded(|| fight(&case)).map_err(|why| format!("{name} {case:?}: {why}"))?;
        run.executions += 1;
    }
    Ok(())
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

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn of_the_ir(case: &Case) -> Result<(), String> {
    duel::fight_for(case, AGENTS, TICKS, &mut witness::Census::default())?;
    crowd(case, program::program(case), &names(&["gate0", "gate1", "gate2"]))
}

fn of_the_language(case: &Case) -> Result<(), String> {
    language_for(case, AGENTS, TICKS)
}

/// Runs a program of the language for so many agents and ticks on all sides.
pub(super) fn language_for(case: &Case, agents: usize, ticks: u64) -> Result<(), String> {
    language::duel::fight_for(case, agents, ticks, &mut language::duel::Census::default())?;
    let program = language::program(case);
    let module = own::module(&program.files.into_iter().collect())?;
    let variables: Vec<String> = program.variables.into_iter().map(|variable| variable.name).collect();
    crowd_for(case, module, &variables, ticks)
}

fn of_modular_trees(case: &Case) -> Result<(), String> {
    mbt::fight_for(case, TICKS)?;
    crowd(case, mbt::module(&mbt::text(case))?, &names(&mbt::VARIABLES))
}

fn of_selections(case: &Case) -> Result<(), String> {
    bst::fight_for(case, TICKS)?;
    crowd(case, bst::module(&bst::text(case))?.0, &names(&bst::SETS))
}

fn of_rules(case: &Case) -> Result<(), String> {
    rules::fight_for(case, TICKS, &mut rules::Census::default())?;
    crowd(case, rules::module(case), &[])
}

fn of_forests(case: &Case) -> Result<(), String> {
    forest::fight_for(case, TICKS, &mut forest::Census::default())?;
    crowd(case, forest::module(&forest::texts(case)), &[])
}
