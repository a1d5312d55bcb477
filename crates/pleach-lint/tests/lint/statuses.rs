//! Proof of the analyses: no run of a random program shows a status that is not in the node's set,
//! and no node ends that can never begin.
//!
//! The reference interpreter runs the program for some agents. The host answers at random, and
//! changes variables between ticks and in the middle of its calls. Each node that ends is compared
//! with its set. Sets depend on conditions that are always true or false, so these are proven, too.

use crate::game::Game;
use pleach_compile::internals::ir::{Module, NodeIndex};
use pleach_lint::analysis::{Analysis, Set};
use pleach_lint::describe;
use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::{Case, bst, forest, language, mbt, program, rules};
use pleach_tests::reference::{Crowd, Whom};

const AGENTS: usize = 3;
const TICKS: u64 = 40;
/// Largest number of nodes, because shared blocks can make a tick long.
const NODES: usize = 300;

/// Counts of a run, which show that the sets say something.
#[derive(Default)]
struct Census {
    ended: u64,
    /// Number of nodes whose set lacks a status.
    known: u64,
    /// Number of conditions that follow from a node above.
    implied: u64,
    /// Number of nodes that never begin.
    unreached: u64,
}

fn run(module: &Module, case: &Case, census: &mut Census) -> Result<(), String> {
    let analysis = Analysis::new(module, &|_| false);
    let entries: Vec<_> = module.entries.iter().map(|block| module.blocks[*block as usize].name).collect();
    let entries: Vec<_> = entries.iter().map(|name| module.names.text(*name).into_owned()).collect();
    let mut game = Game::new(module, case.seed ^ 0x11f7);
    let groups: Vec<u32> = (0..AGENTS as u32).map(|agent| agent % 2).collect();
    let mut crowd = Crowd::new(module, &groups, &entries[0], case.seed).ok_or("no such entry")?;
    let mut now = 0;
    for _ in 0..TICKS.min(case.ticks) {
        game.left = 20_000;
        for agent in 0..AGENTS {
            game.meddle(&mut crowd.frames[agent]);
            match game.draws.below(30) {
                0 => crowd.reset(agent, now, &mut game),
                1 => {
                    let entry = game.draws.pick(&entries.iter().collect::<Vec<_>>()).clone();
                    crowd.switch(agent, &entry, now, &mut game);
                }
                2 if !module.events.is_empty() => {
                    let event = module.events[game.draws.below(module.events.len())].name;
                    crowd.raise(&module.names.text(event), Whom::All, now, &mut game);
                }
                _ => {}
            }
        }
        now += game.draws.pick(&[0, 1, 7, 50, 400, 5_000]);
        crowd.tick(now, &mut game);
        for (node, outcome) in game.ended.drain(..) {
            census.ended += 1;
            let allowed = analysis.statuses.of(node);
            if !allowed.has(Set::of(outcome.exit())) {
                return Err(format!("node {node} returns {outcome:?}, which is not in {allowed:?}"));
            }
            if !analysis.statuses.begins(node) {
                return Err(format!("node {node} ends with {outcome:?}, but should never begin"));
            }
        }
    }
    for node in 0..module.nodes.len() as NodeIndex {
        census.known += u64::from(analysis.statuses.of(node) != Set::ALL);
        census.implied += u64::from(analysis.facts.reason(node).is_some());
        census.unreached += u64::from(!analysis.statuses.begins(node));
    }
    Ok(())
}

/// Runs many cases. `module` makes the program of a case.
fn prove(count: u64, module: fn(&Case) -> Result<Module, String>) -> Census {
    let fight = move |case: &Case, census: &mut Census| {
        let case = case.clone().cut(NODES);
        let shown = |why| format!("{why}\n{}", language::program(&case).source());
        run(&module(&case)?, &case, census).map_err(shown)
    };
    let found = cases(programs(count), fight).unwrap_or_else(|found| panic!("{found}"));
    found.into_iter().fold(Census::default(), |sum, census| Census {
        ended: sum.ended + census.ended,
        known: sum.known + census.known,
        implied: sum.implied + census.implied,
        unreached: sum.unreached + census.unreached,
    })
}

#[test]
fn programs_of_the_language_return_statuses_of_their_sets() {
    let module = |case: &Case| {
        let files = language::program(case).files.into_iter().collect();
        pleach_tests::own::module(&files)
    };
    let census = prove(3_000, module);
    assert!(census.ended > 100_000 && census.known > 10_000, "{} {}", census.ended, census.known);
    assert!(census.implied > 20 && census.unreached > 200, "{} {}", census.implied, census.unreached);
}

#[test]
fn programs_with_any_policies_return_statuses_of_their_sets() {
    let census = prove(3_000, |case| Ok(program::program(case)));
    assert!(census.ended > 100_000 && census.known > 1_000, "{} {}", census.ended, census.known);
}

#[test]
fn modular_and_selection_trees_return_statuses_of_their_sets() {
    let modular = prove(1_000, |case| mbt::module(&mbt::text(case)));
    let selecting = prove(1_000, |case| Ok(bst::module(&bst::text(case))?.0));
    assert!(modular.ended > 10_000 && selecting.ended > 10_000, "{} {}", modular.ended, selecting.ended);
}

/// Agents of these dialects are run by drivers of their own, so only the trees themselves are
/// looked at: every node has statuses and words, and a node of a tree that can be started begins.
#[test]
fn rules_and_forests_are_analyzed() {
    let look = |case: &Case, nodes: &mut u64| {
        let case = case.clone().cut(NODES);
        for module in [rules::module(&case), forest::module(&forest::texts(&case))] {
            let analysis = Analysis::new(&module, &|_| false);
            for node in 0..module.nodes.len() as NodeIndex {
                if analysis.statuses.of(node) == Set::NONE || describe::node(&module, node).is_empty() {
                    return Err(format!("node {node} has no statuses or no words"));
                }
            }
            let roots = module.entries.iter().map(|block| module.blocks[*block as usize].root);
            if roots.into_iter().any(|root| !analysis.statuses.begins(root)) {
                return Err("a tree never begins".to_owned());
            }
            *nodes += module.nodes.len() as u64;
        }
        Ok(())
    };
    let found = cases(programs(500), look).unwrap_or_else(|found| panic!("{found}"));
    assert!(found.iter().sum::<u64>() > 10_000);
}
