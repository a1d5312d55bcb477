//! The yardstick of trees from files: a walk over nodes, as most games tick a tree.
//!
//! Nodes are boxes that hold their children and have a virtual function, conditions are boxes as
//! well, and an agent's memory is a struct that all nodes get. The nodes are those of the IR, so
//! that one walker serves all dialects. It is plain code on purpose: what a game's programmer
//! writes first. Nothing is allocated in a tick.
//!
//! Leaves have no use for hearing that they are halted, so the walker does not tell them.

mod build;
mod expression;
mod mind;
mod node;
mod reacting;
mod resuming;

use super::leaves::Leaves;
use super::{Tree, pick, time_of, told};
use crate::system::{Counts, Status, System};
use build::Builder;
use mind::Mind;
use node::{Node, Walk};
use pleach_compile::internals::ir::{Changes, Outcome};
use std::rc::Rc;

/// Agents of a tree that is walked.
#[derive(Debug)]
pub(super) struct Walker<const TRACE: bool> {
    root: Rc<Node<TRACE>>,
    /// Root node of each event's handler, by event.
    events: Vec<Rc<Node<TRACE>>>,
    changes: Option<Changes>,
    minds: Vec<Mind>,
    leaves: Leaves<TRACE>,
    /// Slots of the variables that agents are told.
    truths: Vec<usize>,
    now: i64,
}

impl<const TRACE: bool> Walker<TRACE> {
    /// Returns agents at their beginning.
    ///
    /// # Errors
    /// If the walker lacks a kind of node that the tree has.
    pub(super) fn new(tree: &Tree, agents: usize) -> Result<Self, String> {
        let module = &tree.module;
        if module.interrupt.is_some() {
            return Err("a forest is not walked".to_owned());
        }
        let leaves = Leaves::new(&tree.functions, agents);
        let trees = Builder::new(module, &leaves).trees()?;
        let of = |block: u32| Rc::clone(&trees[block as usize]);
        let entry = *module.entries.first().ok_or("no tree to start")?;
        let events = module.events.iter().map(|event| of(event.handler)).collect();
        let (minds, truths) = (vec![Mind::new(module); agents], tree.truths());
        Ok(Self { root: of(entry), events, changes: module.changes, minds, leaves, truths, now: 0 })
    }
}

impl<const TRACE: bool> System for Walker<TRACE> {
    fn agents(&self) -> usize {
        self.minds.len()
    }

    fn advance(&mut self, frame: u32) {
        let Self { events, changes, minds, leaves, truths, now, .. } = self;
        *now = time_of(frame);
        leaves.advance(frame);
        for (agent, draw) in told(frame, minds.len()) {
            let mind = &mut minds[agent];
            if !events.is_empty() {
                let event = &events[pick(draw, events.len())];
                event.evaluate(&mut Walk::new(agent, mind, leaves, *now));
            } else if !truths.is_empty() {
                mind.tell(truths[pick(draw, truths.len())], draw & 1 != 0, *changes);
            }
        }
    }

    fn tick(&mut self) -> Counts {
        let Self { root, changes, minds, leaves, now, .. } = self;
        let mut counts = Counts::default();
        for (agent, mind) in minds.iter_mut().enumerate() {
            if let Some(Changes { live, before }) = *changes {
                mind.bits[usize::from(before)] = core::mem::take(&mut mind.bits[usize::from(live)]);
            }
            match root.evaluate(&mut Walk::new(agent, mind, leaves, *now)) {
                Outcome::Failure => counts.add(Status::Failure),
                Outcome::Success => counts.add(Status::Success),
                Outcome::Running => counts.add(Status::Running),
                Outcome::Other(_) => {}
            }
        }
        counts
    }

    fn digest(&self) -> u64 {
        self.leaves.digest()
    }
}
