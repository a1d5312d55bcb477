//! World of a case: records when behaviors begin and end.

use crate::conformance::engine::{Call, Halt, World};
use pleach_compile::internals::ir::{Kind, Module, NodeIndex, Outcome};

/// Events since the last tick.
pub(super) struct Script<'m> {
    module: &'m Module,
    pub(super) calls: Vec<String>,
    /// Current behavior of the agent; empty if it has none.
    pub(super) behavior: String,
    /// True if the tree was evaluated.
    pub(super) evaluated: bool,
}

impl<'m> Script<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        Self { module, calls: Vec::new(), behavior: String::new(), evaluated: false }
    }

    fn label(call: &Call<'_>) -> String {
        String::from_utf8_lossy(call.name).into_owned()
    }
}

impl World for Script<'_> {
    fn act(&mut self, _: usize, call: &Call<'_>) -> Outcome {
        assert!(call.fresh, "a behavior is asked when it begins, and never again");
        self.behavior = Self::label(call);
        self.calls.push(format!("init {}", self.behavior));
        // The answer makes no difference: the leaf stays selected.
        [Outcome::Success, Outcome::Failure, Outcome::Running][self.calls.len() % 3]
    }

    fn query(&mut self, _: usize, _: &Call<'_>) -> f64 {
        unreachable!("these trees ask nothing")
    }

    fn ended(&mut self, _: usize, node: NodeIndex, _: Outcome) {
        let around = matches!(self.module.nodes[node as usize].kind, Kind::Tree | Kind::Selection(_));
        let handler = self.module.events.iter().any(|event| {
            let root = self.module.blocks[event.handler as usize].root;
            (root..self.module.nodes[root as usize].end).contains(&node)
        });
        self.evaluated |= !around && !handler;
    }

    fn halt(&mut self, _: usize, call: &Call<'_>, _: Halt) {
        self.behavior.clear();
        self.calls.push(format!("terminate {}", Self::label(call)));
    }
}
