//! Analyses of programs: what is known about every run of a tree, whatever the game answers.

pub mod facts;
pub mod least;
pub mod range;
pub mod statuses;
pub mod uses;
pub mod values;

pub use facts::Facts;
pub use least::Least;
pub use statuses::{Set, Statuses};
pub use uses::Uses;
pub use values::Values;

use pleach_compile::internals::ir::{By, Kind, Module, NodeIndex};

/// All that is known about a program.
#[derive(Debug)]
pub struct Analysis<'m> {
    /// The program.
    pub module: &'m Module,
    /// Place of each node among its relatives.
    pub family: Vec<Family>,
    /// Values of expressions.
    pub values: Values,
    /// Values of conditions where they are evaluated.
    pub facts: Facts,
    /// Statuses that each node can return, and the nodes that can be reached. No other status
    /// occurs, but one of these may never occur either.
    pub statuses: Statuses,
    /// Least times in which nodes end.
    pub least: Least,
    /// Reads and writes of variables.
    pub uses: Uses,
}

impl<'m> Analysis<'m> {
    /// Analyzes a program. Conditions of nodes for which `is_opaque` returns true count as
    /// unknown.
    #[must_use]
    pub fn new(module: &'m Module, is_opaque: &dyn Fn(NodeIndex) -> bool) -> Self {
        let family = family(module);
        let values = Values::new(module);
        let facts = Facts::new(module, &values, is_opaque);
        let statuses = Statuses::new(module, &values, &facts, is_opaque);
        let least = Least::new(module, &statuses);
        Self { module, family, values, facts, statuses, least, uses: Uses::new(module) }
    }

    /// Returns true if a node chooses by scores that are all constants.
    #[must_use]
    pub fn has_constant_scores(&self, node: NodeIndex) -> bool {
        let Kind::Choose { by: By::Highest(first) | By::Keeping { first, .. }, .. } =
            self.module.nodes[node as usize].kind
        else {
            return false;
        };
        let scores = &self.module.tests[first as usize..][..self.module.children(node).count()];
        scores.iter().all(|score| self.values.constant[*score as usize])
    }
}

/// Place of a node among its relatives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Family {
    /// Parent; none for the root of a block.
    pub parent: Option<NodeIndex>,
    /// Child of the parent before this one.
    pub before: Option<NodeIndex>,
    /// Number of children of the parent before this one.
    pub ordinal: usize,
}

/// Returns the place of each node among its relatives.
fn family(module: &Module) -> Vec<Family> {
    let mut family = vec![Family::default(); module.nodes.len()];
    for node in 0..module.nodes.len() as NodeIndex {
        let mut before = None;
        for (ordinal, child) in module.children(node).enumerate() {
            family[child as usize] = Family { parent: Some(node), before, ordinal };
            before = Some(child);
        }
    }
    family
}
