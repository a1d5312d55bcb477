//! Results of comparing the saved texts with the edited ones: numbers of a trial, and a picture.

use serde::Serialize;

/// Numbers of a trial.
#[derive(Debug, Serialize)]
pub(crate) struct Trial {
    /// Number of agents that were copied.
    pub(crate) agents: usize,
    pub(crate) ticks: u32,
    /// Time of the ticks in milliseconds.
    pub(crate) time: i64,
    pub(crate) saved: TrialSide,
    pub(crate) edited: TrialSide,
    /// Nodes whose counts differ most, those with the largest difference first.
    pub(crate) nodes: Vec<TrialNode>,
    /// Number of nodes whose counts differ.
    pub(crate) differing: usize,
}

/// Counts of one side of a trial.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct TrialSide {
    /// Ticks of agents by status: failure, success, running, other, fault.
    pub(crate) statuses: [u64; 5],
    /// Number of agents that began their trees anew, because they could not continue.
    pub(crate) reset: usize,
}

/// Counts of a node on both sides: entries, successes, failures, and ticks in which the node ran.
#[derive(Debug, Serialize)]
pub(crate) struct TrialNode {
    pub(crate) label: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    /// None if the saved trees do not have the node.
    pub(crate) saved: Option<[u64; 4]>,
    /// None if the edited trees do not have the node.
    pub(crate) edited: Option<[u64; 4]>,
}

/// Differences in meaning between two programs.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    pub(crate) count: usize,
    /// The program with its changes as SVG.
    pub(crate) picture: String,
}
