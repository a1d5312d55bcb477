//! `conformance FOLDER...`: replays the cases of folders on every engine.
//!
//! Prints a line for each folder and engine, then the cases that failed with the reasons. Skipped
//! cases are listed on standard error. Exits with 1 if a case failed, and with 2 if something could
//! not be run.

use pleach_tests::conformance::engine::ENGINES;
use pleach_tests::conformance::{Folder, run};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        eprintln!("usage: conformance FOLDER...");
        return ExitCode::from(2);
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
    ExitCode::from(if broken { 2 } else { u8::from(failed) })
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
