//! The command that runs sweeps.

use clap::Args;
use pleach_sweep::ShardPart;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

/// Run a crowd with many settings and seeds, and collect the results as a table.
///
/// The plan, a TOML file, names the program, the settings, the seeds and the metrics; the chapter
/// "Sweeps" of the book describes it. Actions and queries answer at random as in `pleach run`, or
/// as the plan says. The rows are divided into shards, and the results of a shard become one
/// Parquet file. Shards whose file is there are not run again, so a sweep that was stopped
/// continues when the command is given again.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pleach sweep balance.toml && pleach sweep balance.toml --table > balance.csv\n\
                        Example, on the second of four machines: pleach sweep balance.toml --shards 2/4"
)]
pub(crate) struct Sweep {
    /// Plan
    #[arg(value_name = "PLAN")]
    pub(crate) plan: PathBuf,
    /// Folder of the results; by default the name of the plan with `.results`, beside the plan
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Number of shards that run side by side; by default the number of processors
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Only every N-th shard, beginning with the I-th, so that N machines share a sweep
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    pub(crate) shards: ShardPart,
    /// Run nothing, and print the rows that are there as CSV
    #[arg(long, conflicts_with = "check")]
    pub(crate) table: bool,
    /// Run this part of the finished shards again, at least one, and compare the bytes of their
    /// files
    #[arg(long, value_name = "PERCENT")]
    pub(crate) check: Option<Percent>,
    /// Run the plan with another build of its program, too, and print how the metrics differ, as
    /// CSV
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["table", "check", "shards"])]
    pub(crate) against: Option<PathBuf>,
}

/// Part of a whole: `1%` or `1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Percent(pub(crate) f64);

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let percent = text.strip_suffix('%').unwrap_or(text).trim().parse().ok();
        let percent = percent.filter(|percent| *percent > 0.0 && *percent <= 100.0);
        percent.map(Self).ok_or_else(|| "it is more than 0 and at most 100, such as 1%".to_owned())
    }
}
