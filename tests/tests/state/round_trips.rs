//! Random programs survive being saved, restored, moved and reloaded before every tick.
//!
//! `PLEACH_RANDOM` is the number of programs of each kind. By default it is small enough for a run
//! of all tests. Before a release:
//!
//! ```console
//! $ PLEACH_RANDOM=100000 cargo test --release -p pleach-tests --test state round_trips::
//! ```

use pleach_compile::internals::{emit, ir::Module};
use pleach_tests::own;
use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::rebuilt::rebuilt;
use pleach_tests::random::states::{self, Verdicts};
use pleach_tests::random::{Case, bst, btcpp, crowds, forest, language, mbt, program, rules};

const PROGRAMS: u64 = 100;

/// Number of programs that were run, and of programs that were too large for an image.
#[derive(Default)]
struct Census(u64, u64);

fn survive(case: &Case, mut module: Module, variables: &[String], census: &mut Census) -> Result<(), String> {
    let first = emit::emit(&module, "random", None);
    rebuilt(&mut module);
    let (Ok(first), Ok(second)) = (first, emit::emit(&module, "random", None)) else {
        census.1 += 1;
        return Ok(());
    };
    census.0 += 1;
    let ticks = if case.size > 1000 { 8 } else { 60 };
    crowds::survive([&first, &second], variables, case, ticks)
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn all(fight: fn(&Case, &mut Census) -> Result<(), String>) {
    let programs = programs(PROGRAMS);
    let parts = cases(programs, fight).unwrap_or_else(|difference| panic!("{difference}"));
    let ran: u64 = parts.iter().map(|Census(ran, _)| ran).sum();
    let left_out: u64 = parts.iter().map(|Census(_, left_out)| left_out).sum();
    println!("{ran} programs, {left_out} left out");
    assert_eq!(ran + left_out, programs);
    assert!(left_out <= programs / 20, "too many programs are left out: {left_out}");
}

#[test]
fn random_programs_survive() {
    all(|case, census| survive(case, program::program(case), &names(&["gate0", "gate1", "gate2"]), census));
}

#[test]
fn programs_of_the_language_survive() {
    all(|case, census| {
        let program = language::program(case);
        let module = own::module(&program.files.into_iter().collect())?;
        let variables: Vec<String> = program.variables.into_iter().map(|variable| variable.name).collect();
        survive(case, module, &variables, census)
    });
}

#[test]
fn modular_trees_survive() {
    all(|case, census| survive(case, mbt::module(&mbt::text(case))?, &names(&mbt::VARIABLES), census));
}

#[test]
fn selection_trees_survive() {
    all(|case, census| survive(case, bst::module(&bst::text(case))?.0, &names(&bst::SETS), census));
}

#[test]
fn trees_of_the_library_survive() {
    all(|case, census| survive(case, btcpp::module(&btcpp::text(case))?, &names(&btcpp::VARIABLES), census));
}

#[test]
fn trees_of_forests_survive() {
    all(|case, census| survive(case, forest::module(&forest::texts(case)), &[], census));
}

#[test]
fn agents_at_rules_survive() {
    all(|case, census| survive(case, rules::module(case), &[], census));
}

#[test]
fn every_truncation_of_a_state_is_refused() {
    for (index, golden) in states::golden().iter().enumerate() {
        for state in &golden.states {
            // Every length of small states, and some lengths of large ones.
            for length in (0..state.len()).step_by(1 + state.len() / 4096) {
                let mut verdicts = Verdicts::default();
                states::tried(golden, &state[..length], &mut verdicts);
                states::tried(golden, &states::mended(&state[..length], None), &mut verdicts);
                assert_eq!(verdicts.ran, 0, "{index}: {length} of {} bytes", state.len());
            }
        }
    }
}

#[test]
fn changed_states_are_refused_or_harmless() {
    let rounds = programs(PROGRAMS);
    let tried = |case: &Case, verdicts: &mut Verdicts| {
        let golden = states::golden();
        let (which, one) = (case.seed as usize % golden.len(), (case.seed / 64).is_multiple_of(4));
        let state = states::mutate(&golden[which].states[usize::from(one)], &mut case.draws());
        states::tried(&golden[which], &states::mended(&state, None), verdicts);
        Ok(())
    };
    let all = states::golden().len() as u64;
    let parts = cases(rounds * all, tried).unwrap_or_else(|found| panic!("{found}"));
    println!("{parts:?}");
    let sum = |count: fn(&Verdicts) -> u64| parts.iter().map(count).sum::<u64>();
    let [refused, ran] = [sum(|it| it.refused), sum(|it| it.ran)];
    assert!(refused > rounds && ran > rounds, "the changes miss what they are for");
}
