//! The fuzzer's targets, one run of each.
//!
//! Fuzzing is done by separate programs
//! ([`.ci/fuzz`](https://rust-fuzz.github.io/book/cargo-fuzz.html) builds and starts them). This
//! module starts that script, and reads the number of executions from its output.

use super::{Finding, Run};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The targets, and how many executions of each are to be without a finding.
pub const TARGETS: &[(&str, u64)] = &[
    ("image", 10_000_000),
    ("state_bytes", 1_000_000),
    ("source_text", 1_000_000),
    ("own_text", 1_000_000),
    ("edits", 1_000_000),
    ("mbt_text", 1_000_000),
    ("btcpp_text", 1_000_000),
    ("forest_text", 1_000_000),
    ("bst_text", 1_000_000),
    ("debt_text", 1_000_000),
    ("recording_bytes", 1_000_000),
];

/// Fuzzes a target for this time.
///
/// # Errors
/// With the last output of the fuzzer, if it found something or could not run.
pub fn fuzz(target: &str, time: Duration, run: &mut Run) -> Result<(), Finding> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/fuzz");
    let output = Command::new(script).arg(time.as_secs().to_string()).arg(target).output();
    let output = output.map_err(|error| format!("the fuzzer cannot be started: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    run.executions = executions(&said).unwrap_or(0);
    if output.status.success() && run.executions > 0 {
        return Ok(());
    }
    let end: Vec<_> = said.lines().rev().take(6).collect();
    Err(end.into_iter().rev().collect::<Vec<_>>().join(" / ").into())
}

/// Returns the number of executions that the fuzzer's output states.
#[must_use]
pub fn executions(said: &str) -> Option<u64> {
    let mut counts = said.lines().filter_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    counts.next_back()?.trim().parse().ok()
}
