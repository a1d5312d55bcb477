//! Mutation testing: a test must fail when the code is changed.
//!
//! It tests the tests, not the code, so it is not a campaign for hours. The script
//! `.ci/mutants` starts cargo-mutants with the tests that matter for a part of the code. This
//! module reads the results from its output.

use std::path::Path;
use std::process::Command;

/// The parts of the code, and how many of a hundred changes are to be killed at least.
pub const PARTS: &[(&str, u64)] = &[("verifier", 100), ("engines", 95)];

/// Results of the mutations of one part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// A test failed, or came to no end.
    pub killed: u64,
    /// No test did.
    pub missed: u64,
    /// It was no program any more.
    pub unviable: u64,
}

/// Changes a part of the code, with the script's further arguments.
///
/// # Errors
/// With the last output of the script, if it could not do its work.
pub fn mutation(part: &str, arguments: &[&str]) -> Result<Judged, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/mutants");
    let output = Command::new(script).arg(part).args(arguments).output();
    let output = output.map_err(|error| format!("the script cannot be started: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    let end =
        || said.lines().chain(String::from_utf8_lossy(&output.stderr).lines()).last().map(str::to_owned);
    judged(&said).ok_or_else(|| end().unwrap_or_default())
}

/// Returns the last line, such as `mutants: 471 killed, 0 missed, 21 unviable`.
#[must_use]
pub fn judged(said: &str) -> Option<Judged> {
    let counts = said.lines().last()?.strip_prefix("mutants: ")?;
    let mut counts = counts.split(", ").map(|count| count.split_once(' '));
    let mut next = |name| {
        let (count, found) = counts.next()??;
        (found == name).then(|| count.parse().ok())?
    };
    Some(Judged { killed: next("killed")?, missed: next("missed")?, unviable: next("unviable")? })
}
