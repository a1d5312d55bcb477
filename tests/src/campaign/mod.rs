//! Campaigns: trials that run for hours, to find failures.
//!
//! A campaign tries cases by number, so a run continues where the last one ended, and runs add up.
//! A campaign whose cases have an end begins with the first one. Each run of the command ends with
//! a line in the [`ledger`], which nothing else writes. The tests run all campaigns in a short form
//! that leaves no line. A campaign uses one processor, so that it can run beside other work.
//!
//! ```console
//! $ nice -n 19 cargo run --release -p pleach-tests --bin campaign -- mutants --hours 2
//! ```
//!
//! Ctrl-C ends a run after its case, and the line has the work done so far. A finding ends the run.
//! If bytes show the finding, they are written beside the fuzzer's artifacts. Before the fault is
//! mended, they become a file in `tests/fuzz/crashes/`.

mod bombs;
mod churn;
pub mod differential;
mod digests;
pub mod fuzz;
mod images;
pub mod ledger;
pub mod mutation;
#[cfg(pleach_planted)]
pub mod planted;
#[cfg(pleach_planted)]
pub mod planted_engine;
mod reload;
mod soak;

use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Something that is tried for hours.
pub struct Campaign {
    /// The name on the command line and in the ledger.
    pub name: &'static str,
    /// Subject of the campaign.
    pub about: &'static str,
    /// Unit of its executions.
    pub unit: &'static str,
    /// Minimum number of executions before a release.
    pub goal: u64,
    /// Number of executions beside all other tests.
    pub short: u64,
    /// Returns the names of the generators that cases are numbered by, or an empty text. A run goes
    /// on where earlier runs with the same generators ended. If there is no such function, each run
    /// begins with the first case, and ends with the last.
    pub resumes: Option<fn() -> String>,
    /// Tries.
    pub run: fn(&mut Run) -> Result<(), Finding>,
}

/// All campaigns but those of the fuzzer, which has its own programs.
pub const CAMPAIGNS: &[Campaign] = &[
    differential::DIFFERENTIAL,
    digests::DIGESTS,
    images::FLIPS,
    images::TRUNCATIONS,
    images::MUTANTS,
    soak::SOAK,
    reload::RELOAD,
    churn::CHURN,
    bombs::BOMBS,
];

pub use fuzz::{TARGETS, fuzz};

/// A failure that a campaign found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// In words.
    pub what: String,
    /// The bytes that show it, if it is bytes.
    pub input: Option<Vec<u8>>,
}

impl From<String> for Finding {
    fn from(what: String) -> Self {
        Self { what, input: None }
    }
}

/// A run of a campaign: which case is next, and when it is enough.
#[derive(Debug)]
pub struct Run {
    next: u64,
    end: u64,
    deadline: Option<Instant>,
    /// Number of executions so far.
    pub executions: u64,
    /// Remarks for the report.
    pub told: String,
    /// The command `campaign`, for processes of its own.
    pub program: PathBuf,
}

impl Run {
    /// Returns a run of this number of cases, beginning with the first case.
    #[must_use]
    pub fn short(most: u64) -> Self {
        let program = std::env::current_exe().unwrap_or_default();
        Self { next: 0, end: most, deadline: None, executions: 0, told: String::new(), program }
    }

    /// Returns a run that begins with case `next` and takes this time.
    #[must_use]
    pub fn long(next: u64, time: Duration) -> Self {
        Self { end: u64::MAX, next, deadline: Some(Instant::now() + time), ..Self::short(0) }
    }

    /// Returns the number of the next case; `None` if the run is over.
    pub fn case(&mut self) -> Option<u64> {
        if self.next >= self.end || self.is_late() {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }

    /// Returns true if a long run is to end: its time is over, or it was
    /// [interrupted](heed_interrupts).
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| is_interrupted() || Instant::now() >= deadline)
    }

    /// Returns true if this run is a short one.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.deadline.is_none()
    }
}

/// Set by Ctrl-C.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Makes Ctrl-C end a long run after the case in progress, so that the work done so far counts. A
/// second Ctrl-C ends the process at once, with this exit code.
///
/// # Errors
/// If the system allows no handler of signals.
pub fn heed_interrupts(code: i32) -> io::Result<()> {
    flag::register_conditional_shutdown(SIGINT, code, INTERRUPTED.clone())?;
    flag::register(SIGINT, INTERRUPTED.clone()).map(drop)
}

/// Returns true after Ctrl-C.
#[must_use]
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
