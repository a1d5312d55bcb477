//! Commands that show forests.

use super::Compile;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum};
use pleach::forest::PropertyDepth;
use pleach::life::PlayMode;
use std::path::PathBuf;

/// Show forests: named trees that an operator plays, pauses and stops.
#[derive(Debug, Subcommand)]
pub(crate) enum Forest {
    Status(ForestStatus),
}

/// Print the properties of forests, trees and nodes as JSON.
///
/// Without --updates, no tree is loaded. With --updates, all trees are loaded and played, and
/// actions answer at random as in `pleach run`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pleach forest status camp.xml --depth node --updates 100 --mode StopByReportLoopCount --target 10"
)]
pub(crate) struct ForestStatus {
    /// Forest file or image, `-` for a forest file from standard input
    #[arg(value_name = "FILE|IMAGE")]
    pub(crate) file: PathBuf,
    /// Deepest level that is printed
    #[arg(long, value_name = "LEVEL", default_value = "tree")]
    pub(crate) depth: Level,
    /// Load and play all trees, and run this number of updates
    #[arg(long, value_name = "N")]
    pub(crate) updates: Option<u32>,
    /// Play mode: the events that are counted
    #[arg(long, value_name = "MODE", value_parser = PossibleValuesParser::new(PlayMode::ALL.iter().map(|mode| mode.name())))]
    pub(crate) mode: Option<String>,
    /// Count at which trees stop; 0 means never
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) target: u32,
    /// Seed of the random answers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) compile: Compile,
}

/// Deepest level of properties that is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// The number of forests
    All,
    /// The forests
    Forest,
    /// The trees of the forests
    Tree,
    /// The nodes of the trees
    Node,
}

impl From<Level> for PropertyDepth {
    fn from(level: Level) -> Self {
        match level {
            Level::All => Self::Forests,
            Level::Forest => Self::Forest,
            Level::Tree => Self::Tree,
            Level::Node => Self::Node,
        }
    }
}
