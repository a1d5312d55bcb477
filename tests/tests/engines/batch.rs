//! Random programs behave equally on every engine of this processor, in crowds of all sizes, in
//! parts and as a whole.
//!
//! `PLEACH_RANDOM` is the number of programs of each kind. By default it is small enough for a run
//! of all tests. Before a release:
//!
//! ```console
//! $ PLEACH_RANDOM=100000 cargo test --release -p pleach-tests --test engines batch::
//! ```

use pleach::engine::{Engine, TickOrder, Vectors};
use pleach::host::Effect;
use pleach::{Agent, Call, Crowd, Fault, Function, Host, Image, Outcome, Program, Status};
use pleach_compile::internals::{emit, ir::Module};
use pleach_tests::own;
use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::{Case, bst, btcpp, crowds, language, mbt, program, rules};

const PROGRAMS: u64 = 150;

/// Numbers of programs: those that were run, those of them that the batch engine swept, those too
/// large for an image, and those left out because they are never swept.
#[derive(Clone, Copy, Debug, Default)]
struct Census {
    ran: u64,
    swept: u64,
    left_out: u64,
    unfit: u64,
}

/// Returns the number of ticks for a program of this size.
fn ticks(case: &Case) -> u64 {
    if case.size > 1000 { 12 } else { 100 }
}

fn agree(case: &Case, module: &Module, variables: &[String], census: &mut Census) -> Result<(), String> {
    let Ok(bytes) = emit::emit(module, "random", None) else {
        census.left_out += 1;
        return Ok(());
    };
    census.ran += 1;
    census.swept += u64::from(crowds::agree(&bytes, variables, case, ticks(case))?);
    Ok(())
}

fn of_the_ir(case: &Case, census: &mut Census) -> Result<(), String> {
    let gates: Vec<String> = (0..3).map(|gate| format!("gate{gate}")).collect();
    agree(case, &program::program(case), &gates, census)
}

fn of_the_language(case: &Case, census: &mut Census) -> Result<(), String> {
    let program = language::program(case);
    let (module, _) = own::with_sources(&program.files.into_iter().collect())?;
    let variables: Vec<String> = program.variables.into_iter().map(|variable| variable.name).collect();
    agree(case, &module, &variables, census)
}

fn of_selections(case: &Case, census: &mut Census) -> Result<(), String> {
    agree(case, &bst::module(&bst::text(case))?.0, &bst::SETS.map(str::to_owned), census)
}

fn of_modular_trees(case: &Case, census: &mut Census) -> Result<(), String> {
    // Programs whose agents compete for places are never swept, so few of these are run.
    let module = mbt::module(&mbt::text(case))?;
    if !module.gates.is_empty() && !case.seed.is_multiple_of(8) {
        census.unfit += 1;
        return Ok(());
    }
    agree(case, &module, &mbt::VARIABLES.map(str::to_owned), census)
}

fn of_the_library(case: &Case, census: &mut Census) -> Result<(), String> {
    agree(case, &btcpp::module(&btcpp::text(case))?, &btcpp::VARIABLES.map(str::to_owned), census)
}

fn of_rules(case: &Case, census: &mut Census) -> Result<(), String> {
    agree(case, &rules::module(case), &[], census)
}

/// Checks a minimum number of swept programs in a hundred. A program that runs agent by agent on
/// all engines proves nothing.
fn all(swept_of_100: u64, fight: fn(&Case, &mut Census) -> Result<(), String>) {
    let programs = programs(PROGRAMS);
    let parts = cases(programs, fight).unwrap_or_else(|difference| panic!("{difference}"));
    let sum = |count: fn(&Census) -> u64| parts.iter().map(count).sum::<u64>();
    let [ran, swept, left_out] = [sum(|it| it.ran), sum(|it| it.swept), sum(|it| it.left_out)];
    println!("{ran} programs, {swept} of them swept, {left_out} left out");
    assert_eq!(ran + left_out + sum(|it| it.unfit), programs);
    assert!(left_out <= programs / 20, "too many programs are left out: {left_out}");
    assert!(swept * 100 >= ran * swept_of_100, "too few programs are swept: {swept}");
}

#[test]
fn engines_agree_on_crowds_of_random_programs() {
    all(20, of_the_ir);
}

#[test]
fn engines_agree_on_crowds_of_random_programs_in_the_language() {
    all(20, of_the_language);
}

/// All selection trees are swept, including those with state machines.
#[test]
fn engines_agree_on_crowds_of_random_selection_trees() {
    all(100, of_selections);
}

/// All trees of rules are swept.
#[test]
fn engines_agree_on_crowds_of_random_trees_of_rules() {
    all(100, of_rules);
}

/// All modular trees are swept, except those whose agents compete for places.
#[test]
fn engines_agree_on_crowds_of_random_modular_trees() {
    all(80, of_modular_trees);
}

/// All trees of BehaviorTree.CPP are swept.
#[test]
fn engines_agree_on_crowds_of_random_trees_of_the_library() {
    all(100, of_the_library);
}

/// Host whose action `burst` panics for the agent with this index, and which records the calls.
struct Touchy {
    at: usize,
    effect: Effect,
    asked: Vec<(u32, usize)>,
}

impl Host for Touchy {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        Some((name == "burst").into())
    }

    fn effect(&self, _: Function, _: u32) -> Effect {
        self.effect
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.asked.push((call.function, call.agent.index()));
        assert!(call.function == 0 || call.agent.index() != self.at, "a touchy host");
        Status::Success
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}

const TOUCHY: &str = "action burst() action rest() var calm: bool
    tree main { sequence { selector { condition calm action burst } action rest } }";

/// Creates 100 agents, every third of which is calm.
fn touchy(effect: Effect) -> (Crowd, Vec<Agent>, Touchy) {
    let files = [("main.pleach".to_owned(), TOUCHY.to_owned())].into();
    let (module, _) = own::with_sources(&files).expect("a program");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right");
    let host = Touchy { at: 40, effect, asked: Vec::new() };
    let program = Program::link(&image, &host).expect("all functions are there");
    let calm = program.variable("calm").expect("it is declared");
    let mut crowd = Crowd::new(&program).with_engine(Engine::Batch(Vectors::Avx512));
    let agents: Vec<Agent> = (0..100).map(|_| crowd.spawn("main").expect("there is room")).collect();
    for agent in &agents {
        crowd.set(*agent, calm, agent.index().is_multiple_of(3)).expect("it is a bool");
    }
    (crowd, agents, host)
}

#[test]
fn a_panic_is_the_fault_of_those_in_the_call_and_of_nobody_else() {
    let (mut crowd, agents, mut host) = touchy(Effect::Own);
    let tally = crowd.tick(0, &mut host);
    assert_eq!((tally.success, tally.faults), (34, 66));
    for agent in agents {
        let fault = crowd.outcome(agent) == Ok(Some(Outcome::Fault(Fault::Panic)));
        assert_eq!(fault, !agent.index().is_multiple_of(3), "{agent:?}");
    }
    host.at = usize::MAX;
    assert_eq!(crowd.tick(1, &mut host).success, 100);
}

#[test]
fn agents_run_by_index_if_answers_depend_on_others() {
    let (mut crowd, _, mut host) = touchy(Effect::World);
    assert_eq!(crowd.program().order(), TickOrder::ByIndex);
    let tally = crowd.tick(0, &mut host);
    assert_eq!((tally.success, tally.faults), (99, 1));
    let order = |asked: &[(u32, usize)]| asked.is_sorted_by_key(|(_, agent)| *agent);
    assert!(order(&host.asked));
    let (mut crowd, _, mut host) = touchy(Effect::Own);
    crowd.tick(0, &mut host);
    assert!(!order(&host.asked), "the batch engine asks leaf by leaf");
}
