//! Nodes that select a leaf.

use super::frame::Position;
use super::{Tick, call};
use pleach_compile::internals::ir::{Chain, NodeIndex, Outcome};
use std::collections::BTreeSet;

impl Tick<'_, '_> {
    pub(super) fn selection(&mut self, node: NodeIndex, condition: u32) -> Outcome {
        let selected = self.active(node);
        let changed = self.module.changes.is_some_and(|it| self.frame.bits[usize::from(it.before)]);
        if selected && !changed {
            return Outcome::Running;
        }
        if !self.holds(node, condition) {
            // Changes are kept until the tick in which the tree may be evaluated.
            if let Some(changes) = self.module.changes {
                self.frame.bits[usize::from(changes.live)] = changed;
                self.frame.bits[usize::from(changes.before)] = false;
            }
            return if selected { Outcome::Running } else { Outcome::Failure };
        }
        self.selects = true;
        let outcome = self.child(node).unwrap_or(Outcome::Success);
        self.selects = false;
        if outcome != Outcome::Running {
            self.halt_inside(node);
        }
        outcome
    }

    pub(super) fn select(&mut self, node: NodeIndex, site: u32) -> Outcome {
        if self.at() != Position::At(node) {
            self.take_place(node);
            let call = call(self.module, self.frame, self.agent, node, site);
            self.host.act(self.frame, &call, true);
        }
        Outcome::Running
    }

    pub(super) fn chain(&mut self, node: NodeIndex, chain: &Chain) -> Outcome {
        let states: Vec<_> = self.module.children(node).collect();
        let slot = usize::from(chain.slot);
        let held = |position| states.iter().position(|state| position == Position::At(*state)).unwrap_or(0);
        let mut been = BTreeSet::from([held(self.frame.positions[slot])]);
        if !self.active(node) {
            self.frame.positions[slot] = Position::Nothing;
        }
        let mut state = held(self.frame.positions[slot]);
        loop {
            let taken = chain.states[state].iter().find(|it| self.holds(node, it.condition));
            let Some(transition) = taken else { break };
            state = transition.to.into();
            self.frame.positions[slot] = Position::At(states[state]);
            if !been.insert(state) {
                break;
            }
        }
        self.run(states[state])
    }
}
