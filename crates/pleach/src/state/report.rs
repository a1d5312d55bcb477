//! Report on agents that were taken over into another build of their trees.

use super::map::ResetReason;
use crate::values::Agent;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Report on agents that were taken over into another build of their trees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReloadReport {
    /// Number of agents that continue where they were.
    pub kept: usize,
    /// Agents that begin their trees anew, with the reason, in the order of their indices.
    pub reset: Vec<(Agent, ResetReason)>,
    /// Names of variables that no longer exist or have another type.
    pub lost: Vec<String>,
    /// Names of tunables that had values outside of their ranges, and have the nearest ones now.
    pub mended: Vec<String>,
}

impl fmt::Display for ResetReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Gone => "the node where they were is gone",
            Self::Moved => "their tree cannot go on at the node where they were",
            Self::Asked => "the host wanted it",
        })
    }
}

impl fmt::Display for ReloadReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} kept, {} reset", self.kept, self.reset.len())?;
        let count = |why| self.reset.iter().filter(|(_, other)| *other == why).count();
        let reasons = [ResetReason::Gone, ResetReason::Moved, ResetReason::Asked]
            .into_iter()
            .map(|why| (why, count(why)));
        let mut before = ", because ";
        for (why, count) in reasons.filter(|(_, count)| *count > 0) {
            write!(out, "{before}{why} ({count})")?;
            before = ", ";
        }
        let mut list = |before: &str, names: &[String]| {
            let Some((first, others)) = names.split_first() else { return Ok(()) };
            write!(out, "; {before} `{first}`")?;
            others.iter().try_for_each(|name| write!(out, ", `{name}`"))
        };
        list("without the variables", &self.lost)?;
        list("with the nearest allowed values of the tunables", &self.mended)
    }
}
