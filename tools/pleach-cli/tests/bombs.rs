//! Files of tests that are small and cost much: the axes of `pleach_tests::bombs` that need the
//! command.
//!
//! Each axis is a test. Its inputs are tried in a process of its own, with limits of memory and of
//! processor time, which is this program again.

use libtest_mimic::{Arguments, Failed, Trial};
use pleach_tests::bombs::probe::{self, Prober};
use pleach_tests::bombs::{Case, alone, climb, judged};
use std::process::ExitCode;

/// Largest size of an input in bytes.
const MOST: usize = 100_000;

fn main() -> ExitCode {
    if let Some(ended) = probe::main() {
        return ended;
    }
    let cases = alone().into_iter().filter(Case::needs_command);
    let trials: Vec<_> = cases.map(|case| Trial::test(case.name(), move || in_proportion(&case))).collect();
    assert!(!trials.is_empty(), "no axis needs the command");
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Grows an axis. Fails if the command takes more than the limits.
fn in_proportion(case: &Case) -> Result<(), Failed> {
    let mut prober = Prober::new(&std::env::current_exe()?);
    let ladder = climb(&mut prober, case, MOST)?;
    assert!(!ladder.rungs.is_empty() || ladder.ended.is_some(), "the axis does not grow");
    judged(&ladder).map_or(Ok(()), |why| Err(why.into()))
}
