//! Saved states from arbitrary bytes: refused, or harmless.
//!
//! A few small programs of all generators are used, each with a crowd that has run for a while.
//! Bytes are tried as the state of one of them, in a crowd with agents. They are tried again with
//! length and identity corrected, so that the checks behind these are reached. Every failure is a
//! panic.

use super::draws::Draws;
use super::rebuilt::rebuilt;
use super::trial::Anybody;
use super::{Case, bst, btcpp, language, mbt, program, rules};
use crate::own;
use core::num::NonZeroU16;
use pleach::engine::{Engine, Vectors};
use pleach::state::StateError;
use pleach::{Crowd, EventTarget, Fault, Group, Image, Outcome, Program};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::Module;
use std::sync::LazyLock;

/// Ranges of the program's identity and of the length in a state.
const PROGRAM: core::ops::Range<usize> = 16..24;
const LENGTH: core::ops::Range<usize> = 24..32;
/// Limits on bounds and on the size of agents. Larger programs are left out.
const MOST_WORK: u64 = 20_000;
const MOST_BYTES: f64 = 256.0;
/// Maximum number of agents of a state that is run.
const MOST_AGENTS: usize = 4096;

/// Program with states of its own.
pub struct Golden {
    program: Program,
    /// State of a crowd, and of one of its agents.
    pub states: [Vec<u8>; 2],
}

/// Returns the programs.
#[must_use]
pub fn golden() -> &'static [Golden] {
    static GOLDEN: LazyLock<Vec<Golden>> = LazyLock::new(|| (0..).filter_map(of_seed).take(20).collect());
    &GOLDEN
}

fn of_seed(seed: u64) -> Option<Golden> {
    let case = &Case::sized(seed, 4 + seed as usize % 9);
    let valid = "the generators make valid trees";
    let mut module: Module = match seed % 6 {
        0 => program::program(case),
        1 => own::module(&language::program(case).files.into_iter().collect()).expect(valid),
        2 => mbt::module(&mbt::text(case)).expect(valid),
        3 => bst::module(&bst::text(case)).expect(valid).0,
        4 => rules::module(case),
        _ => btcpp::module(&btcpp::text(case)).expect(valid),
    };
    let linked = |module: &Module| {
        let bytes = emit::emit(module, "random", None).expect("a small program fits");
        let image = Image::copy(&bytes).expect("what the compiler makes, the verifier lets pass");
        Program::link(&image, &Anybody::default()).expect("this host has every function")
    };
    let own = linked(&module);
    rebuilt(&mut module);
    // Every other program is tried with states of another build.
    let program = if seed.is_multiple_of(2) { own.clone() } else { linked(&module) };
    let small = own.bounds().instructions <= MOST_WORK && own.bytes_per_agent() <= MOST_BYTES;
    small.then(|| Golden { program, states: states(&own, seed) })
}

/// Returns the states of a crowd that has run for a while, and of one of its agents.
fn states(program: &Program, seed: u64) -> [Vec<u8>; 2] {
    let (mut crowd, mut host, mut draws) = (Crowd::new(program), Anybody::default(), Draws::seeded(seed));
    let entries: Vec<String> = program.entries().map(str::to_owned).collect();
    let group = crowd.add_group().expect("there are few");
    let mut agents = Vec::new();
    for now in 0..12 {
        let agent = crowd.spawn(&entries[draws.below(entries.len())]).expect("there is room");
        agents.push(agent);
        if draws.one_in(3) {
            crowd.join(agent, group).expect("both are there");
        }
        if draws.one_in(6) {
            crowd
                .set_pace(EventTarget::Agent(agent), NonZeroU16::new(3).expect("it is 3"))
                .expect("it is there");
        }
        if draws.one_in(4) {
            let gone = agents.swap_remove(draws.below(agents.len()));
            crowd.despawn(gone, now, &mut host).expect("it is there");
        }
        crowd.tick(now * 400, &mut host);
    }
    let agent = *agents.first().expect("more come than go");
    // Something is pending after this tick.
    crowd.tick_agent(agent, 5000, &mut host, &mut ()).expect("it is there");
    let (mut all, mut one) = (Vec::new(), Vec::new());
    crowd.snapshot(&mut all);
    crowd.save_agent(agent, &mut one).expect("it is there");
    [all, one]
}

/// Numbers of states that were refused and accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Number of refused states.
    pub refused: u64,
    /// Number of states that were accepted and run.
    pub ran: u64,
}

/// Tries bytes as a state: the first byte selects the program, the others are the state, as they
/// are and corrected.
pub fn bytes(bytes: &[u8]) {
    if let [choice, state @ ..] = bytes {
        let golden = &golden()[usize::from(*choice) % golden().len()];
        for identity in [None, Some(&golden.states[0][PROGRAM])] {
            tried(golden, &mended(state, identity), &mut Verdicts::default());
        }
        tried(golden, state, &mut Verdicts::default());
    }
}

/// Returns a state with a correct length and, if given, another identity.
#[must_use]
pub fn mended(state: &[u8], identity: Option<&[u8]>) -> Vec<u8> {
    let mut state = state.to_vec();
    let length = state.len() as u64;
    if let Some(place) = state.get_mut(LENGTH) {
        place.copy_from_slice(&length.to_le_bytes());
    }
    if let (Some(place), Some(identity)) = (state.get_mut(PROGRAM), identity) {
        place.copy_from_slice(identity);
    }
    state
}

/// Function by which a crowd takes a state.
type Way = fn(&mut Crowd, &[u8]) -> Result<(), StateError>;

/// Tries a state with each such function.
pub fn tried(golden: &Golden, state: &[u8], verdicts: &mut Verdicts) {
    let ways: [Way; 3] = [
        |crowd, state| crowd.restore(state),
        |crowd, state| crowd.migrate(state).map(|report| assert!(!report.to_string().is_empty())),
        |crowd, state| crowd.load_agent(state, Group::default()).map(|_| ()),
    ];
    for (index, way) in ways.into_iter().enumerate() {
        let engine =
            if state.len() % 2 == index % 2 { Engine::Scalar } else { Engine::Batch(Vectors::Portable) };
        let mut crowd = Crowd::new(&golden.program).with_engine(engine);
        let entry = golden.program.entries().next().expect("there is one").to_owned();
        crowd.spawn(&entry).expect("there is room");
        crowd.tick(0, &mut Anybody::default());
        let (mut before, mut after) = (Vec::new(), Vec::new());
        crowd.snapshot(&mut before);
        match way(&mut crowd, state) {
            Ok(()) => {
                verdicts.ran += 1;
                live(&mut crowd);
            }
            Err(error) => {
                verdicts.refused += 1;
                assert!(error.at <= state.len() && error.to_string().starts_with(error.code()));
                crowd.snapshot(&mut after);
                assert!(before == after, "a state that is refused has changed something");
            }
        }
    }
}

/// Uses a restored crowd.
fn live(crowd: &mut Crowd) {
    if crowd.len() > MOST_AGENTS {
        return;
    }
    let (mut host, agents) = (Anybody::default(), crowd.agents().collect::<Vec<_>>());
    crowd.end_tick(0, &mut host);
    crowd.set_pace(EventTarget::All, NonZeroU16::MIN).expect("all is a group");
    for agent in &agents {
        crowd.wake(*agent).expect("it is there");
        crowd.inspect().running_set(*agent).expect("it is there");
        crowd.inspect().frame(*agent).expect("it is there");
        let _ = crowd.rules().current(*agent);
    }
    for now in [1, 500, 100_000] {
        let tally = crowd.tick(now, &mut host);
        assert_eq!(tally.total() as usize, agents.len());
    }
    for agent in &agents {
        assert_ne!(crowd.outcome(*agent), Ok(Some(Outcome::Fault(Fault::Panic))), "the engine has panicked");
    }
    let mut state = Vec::new();
    crowd.snapshot(&mut state);
    if let Err(error) = crowd.restore(&state) {
        panic!(
            "what was saved is not restored: {error}: {:?}",
            &state[error.at..(error.at + 60).min(state.len())]
        );
    }
    for (index, agent) in agents.into_iter().enumerate() {
        let done = if index % 2 == 0 {
            crowd.despawn(agent, 0, &mut host)
        } else {
            crowd.reset(agent, 0, &mut host)
        };
        done.expect("it is there");
    }
}

/// Returns a mutated state.
#[must_use]
pub fn mutate(state: &[u8], draws: &mut Draws) -> Vec<u8> {
    let mut state = state.to_vec();
    // Most of the bytes are columns. Half of the changes concern the bytes before them.
    let places = if draws.one_in(2) { state.len() } else { state.len().min(2048) };
    for _ in 0..=draws.count(3) {
        if state.is_empty() {
            break;
        }
        draws.begin();
        let at = draws.below(places.max(1)).min(state.len() - 1);
        let byte = &mut state[at];
        match draws.below(6) {
            0 => *byte ^= 1 << draws.below(8),
            1 => *byte = draws.pick(&[0, 1, 0xff, 0x7f, 0xfe]),
            2 => *byte = byte.wrapping_add(draws.pick(&[1, 0xff])),
            3 => extreme(&mut state, at, draws),
            part => {
                let end = (at + 1 + draws.below(8)).min(state.len());
                if part == 4 {
                    state.drain(at..end);
                } else {
                    let copy: Vec<u8> = state[at..end].to_vec();
                    state.splice(at..at, copy);
                }
            }
        }
        draws.end();
    }
    state
}

/// Writes the minimum or maximum of a width, or -1.
fn extreme(state: &mut [u8], at: usize, draws: &mut Draws) {
    let width = draws.pick(&[2, 4, 8]);
    let [others, last] = draws.pick(&[[0, 0x80], [0xff, 0x7f], [0xff, 0xff]]);
    // Counted from the end, columns begin at multiples of their width.
    let first = at + (state.len() - at) % width;
    if let Some([rest @ .., end]) = state.get_mut(first..first + width) {
        rest.fill(others);
        *end = last;
    }
}
