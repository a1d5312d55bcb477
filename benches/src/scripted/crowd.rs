//! A tree from a file on the engines of pleach.

use super::leaves::Leaves;
use super::{Tree, pick, time_of, told};
use crate::linking::link;
use crate::system::{Counts, System};
use pleach::engine::Engine;
use pleach::watch::Watchers;
use pleach::{Agent, Crowd, EntityId, Event, EventTarget, Tally, TextId, Variable};
use pleach_compile::internals::ast::SlotKind;
use pleach_compile::internals::btcpp::{Outline, OutlineEntry};

/// Agents of a tree with scripted leaves.
#[derive(Debug)]
pub(super) struct Scripted<const TRACE: bool> {
    crowd: Crowd,
    leaves: Leaves<TRACE>,
    agents: Vec<Agent>,
    events: Vec<Event>,
    truths: Vec<Variable>,
    now: i64,
}

impl<const TRACE: bool> Scripted<TRACE> {
    /// Returns agents at their beginning.
    ///
    /// # Panics
    /// If the tree does not link.
    pub(super) fn new(tree: &Tree, agents: usize, engine: Engine) -> Self {
        let leaves = Leaves::new(&tree.functions, agents);
        let Tree { image, module, .. } = tree;
        let program = link(image, &leaves);
        let events = image.events().iter().filter_map(|row| program.event(image.name(row.name))).collect();
        let name = |slot: usize| module.slots[slot].name.map(|name| module.names.bytes(name));
        let variable = |slot| program.variable(core::str::from_utf8(name(slot)?).ok()?);
        let truths = tree.truths().into_iter().filter_map(variable).collect();
        let mut crowd = Crowd::new(&program).with_engine(engine);
        let spawn = |_| crowd.spawn(&tree.name).unwrap_or_else(|error| panic!("{error}"));
        let agents: Vec<_> = (0..agents).map(spawn).collect();
        if let Some(outline) = &tree.outline {
            give_entries(&mut crowd, outline, &agents);
        }
        Self { crowd, leaves, agents, events, truths, now: 0 }
    }

    /// Returns the number of leaf calls so far; 0 without a trace.
    pub(super) fn calls(&self) -> u64 {
        self.leaves.calls()
    }

    /// Ticks every agent once, while others watch.
    pub(super) fn tick_watched(&mut self, watchers: &mut impl Watchers) {
        self.crowd.tick_watched(self.now, &mut self.leaves, watchers);
    }
}

/// Gives agents of a tree of BehaviorTree.CPP the values of entries that no node writes.
///
/// # Panics
/// If the program has an entry of another kind.
fn give_entries(crowd: &mut Crowd, outline: &Outline, agents: &[Agent]) {
    let given = |entry: &&OutlineEntry| !entry.is_written && entry.constant.is_none();
    for OutlineEntry { name, kind, .. } in outline.entries.iter().filter(given) {
        let program = crowd.program();
        let variables = [name.clone(), format!("{name}?")].map(|name| program.variable(&name));
        let [Some(value), Some(has)] = variables else { continue };
        for agent in agents.iter().copied() {
            let given = match kind {
                SlotKind::Bit => crowd.set(agent, value, true),
                SlotKind::Entity => crowd.set(agent, value, EntityId(1)),
                SlotKind::Text => crowd.set(agent, value, TextId(0)),
                _ => crowd.set_number(agent, value, 1.0),
            };
            given.and_then(|()| crowd.set(agent, has, true)).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

impl<const TRACE: bool> System for Scripted<TRACE> {
    fn agents(&self) -> usize {
        self.agents.len()
    }

    fn advance(&mut self, frame: u32) {
        let Self { crowd, leaves, agents, events, truths, now } = self;
        *now = time_of(frame);
        leaves.advance(frame);
        for (index, draw) in told(frame, agents.len()) {
            if !events.is_empty() {
                let event = events[pick(draw, events.len())];
                crowd
                    .raise(event, EventTarget::Agent(agents[index]), *now, leaves)
                    .unwrap_or_else(|error| panic!("{error}"));
            } else if !truths.is_empty() {
                let truth = truths[pick(draw, truths.len())];
                crowd.set(agents[index], truth, draw & 1 != 0).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }

    fn tick(&mut self) -> Counts {
        let Tally { failure, success, running, .. } = self.crowd.tick(self.now, &mut self.leaves);
        Counts { failure, success, running }
    }

    fn digest(&self) -> u64 {
        self.leaves.digest()
    }
}
