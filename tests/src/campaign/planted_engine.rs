//! Bugs planted in the engines: each is found by random programs, and its counterexample is small.
//!
//! Only builds with `--cfg pleach_planted` have this, see `planted.rs` of the runtime. A bug is
//! looked for among programs of the language: the reference interpreter and the engines run each of
//! them, then crowds do that are saved, restored and reloaded before each tick.

use super::differential;
use crate::own;
use crate::random::check::{self, Counterexample};
use crate::random::{Case, language};
use pleach::planted::{Bug, with};
use pleach_compile::internals::ir::Kind;

/// Programs that are tried at most.
const PROGRAMS: u64 = 3_200;
/// Larger programs show no more.
const MOST_NODES: usize = 60;
const AGENTS: usize = 4;
const TICKS: u64 = 20;

/// Largest counterexample that is small: nodes, agents and ticks.
pub const SMALL: [usize; 3] = [10, 2, 5];

/// A bug that was found.
#[derive(Debug)]
pub struct Found {
    /// The smallest case, with the difference that it shows.
    pub counterexample: Box<Counterexample>,
    /// Nodes, agents and ticks of the case. The roots of trees are no nodes of the text.
    pub extent: [usize; 3],
}

impl Found {
    /// Returns true if nodes, agents and ticks are few enough to be looked at by a person.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.extent.iter().zip(SMALL).all(|(is, most)| *is <= most)
    }
}

/// Looks for a bug that is planted.
#[must_use]
pub fn found(bug: Bug) -> Option<Found> {
    let fight = move |case: &Case, (): &mut ()| {
        let case = case.clone().cut(MOST_NODES);
        with(bug, || differential::language_for(&case, AGENTS, TICKS))
    };
    let counterexample = check::cases(PROGRAMS, fight).err()?;
    let case = &counterexample.case;
    let module = own::module(&language::program(case).files.into_iter().collect()).ok()?;
    let nodes = module.nodes.iter().filter(|node| !matches!(node.kind, Kind::Tree)).count();
    let extent = [nodes, case.agents, case.ticks as usize];
    Some(Found { counterexample, extent })
}
