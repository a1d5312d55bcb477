//! Proof of the analyses: no run of a random program shows a status that is not in the node's set,
//! and no node ends that can never begin.
//!
//! The reference interpreter runs the program for some agents. The host answers at random, and
//! changes variables between ticks and in the middle of its calls. Each node that ends is compared
//! with its set. Sets depend on conditions that are always true or false, so these are proven, too.

use pleach_compile::internals::ir::{FAILURE, Module, NodeIndex, OTHER, Outcome, RUNNING, SUCCESS, SlotKind};
use pleach_lint::analysis::{Analysis, Set};
use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::draws::Draws;
use pleach_tests::random::{Case, bst, language, mbt, program};
use pleach_tests::reference::{Call, Crowd, Frame, Host, Whom};

const AGENTS: usize = 3;
const TICKS: u64 = 40;
/// Largest number of nodes, because shared blocks can make a tick long.
const NODES: usize = 300;
const NUMBERS: &[f64] = &[0.0, 1.0, -1.0, 2.0, 3.0, 5.0, 127.0, 0.5, f64::NAN, f64::INFINITY, 1e9];

struct Game<'m> {
    module: &'m Module,
    draws: Draws,
    /// Number of questions that are left in a tick. Later answers are failures.
    left: u32,
    ended: Vec<(NodeIndex, Outcome)>,
}

impl Game<'_> {
    /// Changes a random variable of an agent.
    fn meddle(&mut self, frame: &mut Frame) {
        let named = |slot: &usize| self.module.slots[*slot].name.is_some();
        let slots: Vec<_> = (0..self.module.slots.len()).filter(named).collect();
        if slots.is_empty() || !self.draws.one_in(4) {
            return;
        }
        let slot = self.draws.pick(&slots);
        let number = self.draws.pick(NUMBERS);
        match self.module.slots[slot].kind {
            SlotKind::Bit => frame.bits[slot] = number > 1.0,
            SlotKind::F32 => frame.numbers[slot] = number,
            SlotKind::I32 => frame.numbers[slot] = (number as i32).into(),
            SlotKind::I8 | SlotKind::U8 | SlotKind::I16 | SlotKind::U16 => {
                frame.numbers[slot] = (number as i32).clamp(0, 127).into();
            }
            _ => {}
        }
    }
}

impl Host for Game<'_> {
    fn act(&mut self, frame: &mut Frame, _: &Call<'_>, _: bool) -> Outcome {
        self.meddle(frame);
        self.left = self.left.saturating_sub(1);
        match self.draws.below(9) {
            _ if self.left == 0 => Outcome::Failure,
            0..=2 => Outcome::Running,
            3..=5 => Outcome::Success,
            6..=7 => Outcome::Failure,
            _ => Outcome::Other(7),
        }
    }

    fn query(&mut self, frame: &mut Frame, _: &Call<'_>) -> f64 {
        self.meddle(frame);
        self.draws.pick(NUMBERS)
    }

    fn ended(&mut self, _: u32, node: NodeIndex, outcome: Outcome) {
        self.ended.push((node, outcome));
    }
}

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

fn set(outcome: Outcome) -> Set {
    Set::of(match outcome {
        Outcome::Failure => FAILURE,
        Outcome::Success => SUCCESS,
        Outcome::Running => RUNNING,
        Outcome::Other(_) => OTHER,
    })
}

fn run(module: &Module, case: &Case, census: &mut Census) -> Result<(), String> {
    let analysis = Analysis::new(module, &|_| false);
    let entries: Vec<_> = module.entries.iter().map(|block| module.blocks[*block as usize].name).collect();
    let entries: Vec<_> = entries.iter().map(|name| module.names.text(*name).into_owned()).collect();
    let mut game = Game { module, draws: Draws::seeded(case.seed ^ 0x11f7), left: 0, ended: Vec::new() };
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
            if !allowed.has(set(outcome)) {
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
