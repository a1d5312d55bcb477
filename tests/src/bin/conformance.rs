//! `conformance FOLDER... [--random N]`: replays the cases of folders on every engine, and runs N
//! random programs on every engine.
//!
//! Prints a line for each folder and engine, then the cases that failed with the reasons. Skipped
//! cases are listed on standard error. Exits with 1 if a case failed, and with 2 if something could
//! not be run. Of the random programs, the first that fails is printed.

use pleach_compile::internals::emit;
use pleach_tests::conformance::engine::ENGINES;
use pleach_tests::conformance::{Folder, run};
use pleach_tests::random::check::cases;
use pleach_tests::random::{Case, crowds, duel, program, witness};
use std::process::ExitCode;

/// Number of ticks of a random program.
const TICKS: u64 = 30;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (mut paths, mut programs) = (Vec::new(), 0);
    while let Some(argument) = arguments.next() {
        if argument != "--random" {
            paths.push(std::path::PathBuf::from(argument));
            continue;
        }
        match arguments.next().and_then(|number| number.to_str()?.parse().ok()) {
            Some(number) => programs = number,
            None => return usage(),
        }
    }
    if paths.is_empty() && programs == 0 {
        return usage();
    }
    let (mut failed, mut broken) = (false, false);
    for path in paths {
        match Folder::read(&path) {
            Ok(folder) => failed |= replay(&folder),
            Err(error) => {
                eprintln!("{error}");
                broken = true;
            }
        }
    }
    failed |= programs > 0 && !agree(programs);
    ExitCode::from(if broken { 2 } else { u8::from(failed) })
}

fn usage() -> ExitCode {
    eprintln!("usage: conformance FOLDER... [--random N]");
    ExitCode::from(2)
}

/// Runs random programs. Returns true if all engines agree on all of them.
fn agree(programs: u64) -> bool {
    let ran = cases(programs, |case: &Case, census: &mut witness::Census| {
        duel::fight(case, census)?;
        let Ok(bytes) = emit::emit(&program::program(case), "random", None) else { return Ok(()) };
        crowds::digest(&bytes, &[], case, TICKS).map(drop)
    });
    match &ran {
        Ok(parts) => {
            let ran: u64 = parts.iter().map(|part| part.programs.0).sum();
            println!("random programs: {ran} passed, 0 failed, {} skipped", programs - ran);
        }
        Err(difference) => println!("random programs: {difference}"),
    }
    ran.is_ok()
}

/// Runs a folder on all engines. Returns true if a case failed.
fn replay(folder: &Folder) -> bool {
    let mut failed = false;
    for engine in ENGINES {
        let report = run(folder, *engine);
        print!("{report}");
        eprint!("{}", report.skips());
        failed |= !report.failed.is_empty();
    }
    failed
}
