//! One digest over random programs, which is the same for all engines and all builds.
//!
//! Each program is run by the scalar engine and by the batch engine of each width, whose crowds
//! must have the same digest after each tick. The file `tests/digests.txt` has the digests of the
//! first programs, so that builds can be compared with each other. The tests compare a debug build
//! with it; the command compares a release build.
//!
//! ```console
//! $ cargo run --release -p pleach-tests --bin campaign -- digests --hours 1
//! ```
//!
//! If generators or the compiler make other programs, `PLEACH_BLESS=1` writes the digests of as
//! many programs as are run, and removes the digests of further programs from the file.

use super::{Campaign, Finding, Run, differential};
use std::path::{Path, PathBuf};

pub(super) const DIGESTS: Campaign = Campaign {
    name: "digests",
    about: "one digest of the first 100,000 random programs: scalar, batch of each width, and every build",
    unit: "programs",
    goal: 100_000,
    short: COUNTS[0],
    resumes: None,
    run: digests,
};

/// Programs of which the file has the digest.
const COUNTS: [u64; 3] = [600, 10_000, 100_000];

const TICKS: u64 = 16;

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("digests.txt")
}

/// Returns the line of the file for the first `programs` programs.
fn line(programs: u64, digest: u64) -> String {
    format!("{programs} programs: {digest:016x}")
}

/// Runs as many programs as a short run has, or the last of [`COUNTS`]. Tells which
/// lines of the file they came to.
fn digests(run: &mut Run) -> Result<(), Finding> {
    run.end = run.end.min(COUNTS[COUNTS.len() - 1]);
    let bless = std::env::var_os("PLEACH_BLESS").is_some();
    let (mut digest, mut lines) = (0_u64, Vec::new());
    while let Some(number) = run.case() {
        let own = differential::digest(number, TICKS)?;
        digest = (digest.rotate_left(7) ^ own).wrapping_mul(0x0100_0000_01b3);
        run.executions += 1;
        if !COUNTS.contains(&run.executions) {
            continue;
        }
        let line = line(run.executions, digest);
        if !bless {
            compared(&line)?;
        }
        lines.push(line);
    }
    if bless {
        std::fs::write(file(), lines.join("\n") + "\n").map_err(|error| error.to_string())?;
    }
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let whose = if bless { "written to" } else { "those of" };
    run.told = format!("{build} build, digests {whose} tests/digests.txt: {}", lines.join(", "));
    Ok(())
}

/// Compares a line with those of the file.
fn compared(line: &str) -> Result<(), Finding> {
    let known = std::fs::read_to_string(file()).map_err(|error| error.to_string())?;
    if known.lines().any(|known| known == line) {
        return Ok(());
    }
    Err(format!("{line}, but the file has\n{known}").into())
}
