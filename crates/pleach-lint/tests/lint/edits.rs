//! Edits keep the behavior: a random program and the program with all edits of its findings ask the
//! host for the same in the same order, and end with the same statuses.
//!
//! Draws are fixed, because a node that is taken away may take its place among the draws with it.

use crate::game::Game;
use pleach_compile::diagnostic::Diagnostic;
use pleach_compile::internals::ir::{Kind, Module, Outcome};
use pleach_compile::{Request, manifest::Manifest};
use pleach_lint::rule::{self, Rule};
use pleach_lint::settings::Settings;
use pleach_lint::{agreed, lint, mended};
use pleach_tests::own;
use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::{Case, language};
use pleach_tests::reference::Crowd;
use std::collections::BTreeMap;

const NODES: usize = 120;
const TICKS: u64 = 40;
/// Rules whose edits keep the behavior.
const KEEPING: &[&Rule] = &[
    &rule::NEVER_ENDS,
    &rule::NO_EFFECT,
    &rule::UNDONE,
    &rule::INVERTED_TWICE,
    &rule::ONE_CHILD,
    &rule::ONCE_AROUND,
    &rule::ZERO_WAIT,
    &rule::ZERO_COOLDOWN,
    &rule::IDLE_TIMEOUT,
    &rule::SELF_ASSIGNED,
];

type Files = BTreeMap<String, String>;

/// Returns the findings of a program, each with the name of its file.
fn findings(files: &Files) -> Vec<(String, Diagnostic)> {
    let (library, manifest) = (own::library(files), Manifest::default());
    let entries = ["main".to_owned()];
    let request = Request { dialect: own::dialect(), manifest: &manifest, entries: &entries, debug: false };
    let linted = lint(&library, request, &Settings::default(), false);
    let programs = [linted];
    let file = |(_, finding): (usize, Diagnostic)| {
        let span = finding.span.expect("findings have places");
        (programs[0].done.sources.get(span.source).name.clone(), finding)
    };
    agreed(&programs, &|_, name| name.to_owned(), &|_| true).into_iter().map(file).collect()
}

/// Makes the edits of findings. Returns the number of findings whose edits were made.
fn edited(files: &Files, findings: &[(String, Diagnostic)]) -> (Files, u64) {
    let mut count = 0;
    let mut edit = |(name, text): (&String, &String)| {
        let kept = |finding: &Diagnostic| KEEPING.iter().any(|rule| rule.code == finding.code);
        let of_file = findings.iter().filter(|(file, finding)| file == name && kept(finding));
        let (text, made) = mended(text, of_file.map(|(_, finding)| finding));
        count += made as u64;
        (name.clone(), text)
    };
    let files = files.iter().map(&mut edit).collect();
    (files, count)
}

/// Statuses of the agents tick by tick, and all calls of the host.
type Run = (Vec<Vec<Outcome>>, Vec<(Vec<u8>, String)>);

fn run(module: &Module, seed: u64) -> Run {
    let name = module.blocks[module.entries[0] as usize].name;
    let mut crowd = Crowd::new(module, &[0, 1], &module.names.text(name), 1).expect("the entry");
    crowd.world.fixed = Some(0.25);
    let mut game = Game::new(module, seed);
    // Slots of a mended program have other numbers, so only calls change variables, by names.
    let mut outcomes = Vec::new();
    for tick in 0..TICKS {
        game.left = 20_000;
        outcomes.push(crowd.tick(tick as i64 * 300, &mut game));
    }
    (outcomes, game.heard)
}

fn fight(case: &Case, count: &mut u64) -> Result<(), String> {
    let case = case.clone().cut(NODES);
    let files: Files = language::program(&case).files.into_iter().collect();
    let (mended, edits) = edited(&files, &findings(&files));
    if edits == 0 {
        return Ok(());
    }
    let [old, new] = [&files, &mended].map(own::module);
    let new = new.map_err(|why| format!("the mended program does not compile: {why}\n{mended:?}"))?;
    let (was, is) = (run(&old?, case.seed), run(&new, case.seed));
    *count += edits;
    let differs = |(one, other): (String, String)| (one != other).then(|| format!("{one}\n{other}"));
    let statuses = was.0.iter().zip(&is.0).map(|(was, is)| (format!("{was:?}"), format!("{is:?}")));
    let calls = was.1.iter().zip(&is.1).map(|(was, is)| (format!("{was:?}"), format!("{is:?}")));
    let first = calls.chain(statuses).find_map(differs);
    if was == is { Ok(()) } else { Err(format!("{files:#?}\n{mended:#?}\n{first:?}")) }
}

#[test]
fn edits_keep_the_behavior() {
    let found = cases(programs(2_000), fight).unwrap_or_else(|found| panic!("{found}"));
    let edits = found.iter().sum::<u64>();
    assert!(edits > 200, "{edits}");
}

/// Number of timeouts that were reported, and of ticks in which their children ran.
#[derive(Default)]
struct Timeouts(u64, u64);

fn watch(case: &Case, census: &mut Timeouts) -> Result<(), String> {
    let draws = &mut case.draws();
    let [time, first, second] = [(); 3].map(|()| 1 + draws.below(5) * 300);
    let wait = |time: usize| format!("wait {time} ms");
    let inner = match draws.below(4) {
        0 => format!("sequence {{ {} {} action go }}", wait(first), wait(second)),
        1 => format!("selector {{ delay {first} ms {{ action go }} {} }}", wait(second)),
        2 => format!("force failure {{ delay {first} ms {{ invert {{ action go }} }} }}"),
        _ => format!("random {{ {} sequence {{ {} action go }} }}", wait(first), wait(second)),
    };
    let text = format!(
        "action go() tree main {{ repeat {{ force success {{ timeout {time} ms {{ {inner} }} }} }} }}"
    );
    let files = Files::from([(own::MAIN.to_owned(), text)]);
    if !findings(&files).iter().any(|(_, finding)| finding.code == rule::SHORT_TIMEOUT.code) {
        return Ok(());
    }
    let module = own::module(&files)?;
    let node = module.nodes.iter().position(|node| matches!(node.kind, Kind::Timeout { .. }));
    let child = node.expect("a timeout") as u32 + 1;
    let mut crowd = Crowd::new(&module, &[0], "main", case.seed).expect("the entry");
    let mut game = Game::new(&module, case.seed);
    census.0 += 1;
    let mut now = 0;
    for _ in 0..TICKS {
        game.left = 1_000;
        now += game.draws.pick(&[1, 50, 300, 900]);
        crowd.tick(now, &mut game);
        for (node, outcome) in game.ended.drain(..).filter(|(node, _)| *node == child) {
            census.1 += 1;
            if outcome != Outcome::Running {
                return Err(format!("node {node} ends with {outcome:?} in {files:?}"));
            }
        }
    }
    Ok(())
}

#[test]
fn children_of_short_timeouts_never_end() {
    let found = cases(programs(1_000), watch).unwrap_or_else(|found| panic!("{found}"));
    let (timeouts, ticks) = found.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    assert!(timeouts > 100 && ticks > 1_000, "{timeouts} {ticks}");
}
