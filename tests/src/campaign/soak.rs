//! Soak: ten thousand agents for a long time, three times over.
//!
//! A tick allocates nothing, and no memory grows. The results are the same each time: every status,
//! and at the end every byte of the agents. Some programs of the language and some of the IR take
//! turns, each on both engines.

use super::{Campaign, Finding, Run};
use crate::counting::allocations;
use crate::own;
use crate::random::draws::hash;
use crate::random::steady::Steady;
use crate::random::{Case, language, program};
use pleach::engine::{Engine, Vectors};
use pleach::{Crowd, Image, Program, Tally};
use pleach_compile::internals::emit;
use pleach_image::splitmix::mix;

pub(super) const SOAK: Campaign = Campaign {
    name: "soak",
    about: "10,000 agents, three runs of each program: no allocation, no growth, the same hash",
    unit: "agent-ticks",
    goal: 100_000_000,
    short: 1,
    resumes: Some(String::new),
    run,
};

const AGENTS: u64 = 10_000;
/// Ticks of a run.
const TICKS: u64 = 1_000;
/// Ticks of a short run.
const SHORT: u64 = 4;
const RUNS: usize = 3;
/// Kilobytes by which the process may grow for its own needs.
const PAGE: u64 = 4;
/// Ticks before anything is counted.
const FIRST: i64 = 40;
/// Programs that cost more are left out: others show as much in the time.
const MOST_WORK: u64 = 400;

fn run(run: &mut Run) -> Result<(), Finding> {
    let (mut programs, ticks) = (0, if run.is_short() { SHORT } else { TICKS });
    while let Some(number) = run.case() {
        let Some(program) = of_number(number) else { continue };
        programs += 1;
        let engine = [Engine::Scalar, Engine::Batch(Vectors::Avx512)][number as usize % 2];
        let mut hashes = Vec::new();
        for _ in 0..RUNS {
            hashes.push(
                once(&program, engine, ticks, run.is_short())
                    .map_err(|why| format!("program {number}: {why}"))?,
            );
            run.executions += AGENTS * ticks;
        }
        if hashes.iter().any(|hash| *hash != hashes[0]) {
            return Err(format!("program {number}: the hashes of its runs are {hashes:x?}").into());
        }
    }
    run.told = format!("{programs} programs, {RUNS} runs each");
    Ok(())
}

/// Returns the program of a number, if it is small.
pub(super) fn of_number(number: u64) -> Option<Program> {
    let case = &Case::sized(number, 8 + number as usize % 24);
    let module = match number % 3 {
        0 => program::program(case),
        _ => own::module(&language::program(case).files.into_iter().collect()).ok()?,
    };
    let image = Image::copy(&emit::emit(&module, "soak", None).ok()?).ok()?;
    let program = Program::link(&image, &Steady).ok()?;
    (program.bounds().instructions <= MOST_WORK).then_some(program)
}

/// One run, as a hash of all that came of it.
fn once(program: &Program, engine: Engine, ticks: u64, is_short: bool) -> Result<u64, String> {
    let entries: Vec<String> = program.entries().map(str::to_owned).collect();
    let mut crowd = Crowd::new(program).with_engine(engine).with_seed(7);
    for index in 0..AGENTS as usize {
        crowd.spawn(&entries[index % entries.len()]).map_err(|error| error.to_string())?;
    }
    let mut state = Vec::new();
    // The first ticks allocate the memory that is kept from tick to tick, and a restored crowd
    // has written to all its memory. After some more ticks, rare paths through the tree have
    // used their part of the stack.
    (0..2).for_each(|now| _ = crowd.tick(now, &mut Steady));
    crowd.snapshot(&mut state);
    crowd.restore(&state).map_err(|error| error.to_string())?;
    (2..FIRST).for_each(|now| _ = crowd.tick(now, &mut Steady));
    crowd.snapshot(&mut state);
    let (length, resident, allocated) = (state.len(), written(), allocations());
    let mut sum = 0;
    for now in FIRST..FIRST + ticks as i64 {
        let Tally { failure, success, running, other, faults } = crowd.tick(now, &mut Steady);
        sum = hash([sum, failure.into(), success.into(), running.into(), other.into(), faults.into()]);
    }
    let (allocated, grown) = (allocations() - allocated, written().saturating_sub(resident));
    if allocated > 0 {
        return Err(format!("{allocated} allocations in {ticks} ticks"));
    }
    // In its short form, other tests run beside it.
    if grown > PAGE && !is_short {
        return Err(format!("{grown} kB more after {ticks} ticks"));
    }
    crowd.snapshot(&mut state);
    if state.len() != length {
        return Err(format!("what is running has {} bytes, once {length}", state.len()));
    }
    Ok(state.chunks(8).fold(sum, |sum, bytes| {
        mix(bytes.iter().fold(sum, |sum, byte| sum.rotate_left(5) ^ u64::from(*byte)))
    }))
}

/// Kilobytes of memory that this process has written to; 0 where the system does not tell. Code
/// counts as soon as it is run, so it is left out.
fn written() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok()).unwrap_or(0)
}
