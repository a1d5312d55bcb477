//! Nodes that events of a tree reach: leaves that wait for an event, state machines, nodes of the
//! host.

use super::{NodeIndex, Span, Sym};
use core::ops::Range;
use hashbrown::HashMap;

/// Indices of the rows of an event, in rows that are sorted by event.
pub(super) fn of_event<T>(rows: &[T], event: Sym, event_of: impl Fn(&T) -> Sym) -> Range<usize> {
    rows.partition_point(|row| event_of(row) < event)..rows.partition_point(|row| event_of(row) <= event)
}

/// All events of a tree, and the leaves that wait for them.
#[derive(Default)]
pub(super) struct Listeners {
    /// By name, its index.
    events: HashMap<Sym, u32>,
    /// In the order in which they are mentioned.
    pub(super) names: Vec<(Sym, Span)>,
    pub(super) awaits: Vec<Awaits>,
    /// Nodes of the host that are told of all events: the action that
    /// tells them, the node, its place.
    pub(super) hearers: Vec<(Sym, NodeIndex, Span)>,
}

/// A leaf that waits for an event.
pub(super) struct Awaits {
    pub(super) event: Sym,
    pub(super) node: NodeIndex,
    /// The variable that says that it has come.
    pub(super) flag: u32,
    pub(super) span: Span,
}

impl Listeners {
    /// Adds a node of the host that is told of all events.
    pub(super) fn hears(&mut self, name: Sym, node: NodeIndex, span: Span) {
        self.hearers.push((name, node, span));
    }

    /// Returns the index of an event.
    pub(super) fn event(&mut self, name: Sym, span: Span) -> u32 {
        *self.events.entry(name).or_insert_with(|| {
            self.names.push((name, span));
            self.names.len() as u32 - 1
        })
    }
}

/// A state machine.
pub(super) struct Machine {
    pub(super) node: NodeIndex,
    /// The variable that says which state is to begin: 0 for none, else two more than its index.
    pub(super) pending: u32,
    /// The node of each state, in order.
    pub(super) states: Vec<NodeIndex>,
    pub(super) transitions: Vec<Transition>,
    pub(super) span: Span,
}

/// A way from a state to another, by their indices.
#[derive(Clone, Copy)]
pub(super) struct Transition {
    pub(super) event: Sym,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) span: Span,
}
