//! The trait of nodes, and the nodes without a position.

use super::expression::{Expression, Site};
use super::mind::{Mind, NOTHING};
use crate::scripted::leaves::Leaves;
use core::fmt::Debug;
use pleach::Status;
use pleach_compile::internals::ir::{
    Cooling, EXITS, FAILURE, Memory, NodeIndex, OTHER, Outcome, Policy, RUNNING, SUCCESS, Start, Step, To,
};
use std::rc::Rc;

/// Tick of an agent under way.
pub(super) struct Walk<'a, const TRACE: bool> {
    pub(super) agent: usize,
    pub(super) mind: &'a mut Mind,
    /// Slot of the position of the branch that is walked.
    pub(super) position: usize,
    pub(super) leaves: &'a mut Leaves<TRACE>,
    /// True while a leaf is selected: then nothing goes straight on.
    pub(super) selects: bool,
    pub(super) now: i64,
}

impl<'a, const TRACE: bool> Walk<'a, TRACE> {
    /// Begins a tick.
    pub(super) fn new(agent: usize, mind: &'a mut Mind, leaves: &'a mut Leaves<TRACE>, now: i64) -> Self {
        let position = mind.position;
        Self { agent, mind, position, leaves, selects: false, now }
    }

    /// Asks the game a question.
    pub(super) fn ask(&mut self, site: &Site) -> f64 {
        self.leaves.answer(site.function, self.agent, site.argument(self.mind))
    }

    /// Lets the agent act.
    pub(super) fn act(&mut self, site: &Site) -> Outcome {
        match self.leaves.status(site.function, self.agent, site.argument(self.mind)) {
            Status::Failure => Outcome::Failure,
            Status::Success => Outcome::Success,
            Status::Running => Outcome::Running,
            Status::Other(number) => Outcome::Other(number),
        }
    }

    /// Returns the node that runs.
    pub(super) fn at(&self) -> NodeIndex {
        self.mind.positions[self.position]
    }

    /// Makes a node the one that runs.
    pub(super) fn put(&mut self, node: NodeIndex) {
        self.mind.positions[self.position] = node;
    }
}

/// Place of a node: its index, and one past the last node of its subtree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) index: NodeIndex,
    pub(super) end: NodeIndex,
    /// True if nodes go straight on where they were.
    pub(super) resumes: bool,
}

impl Place {
    /// Returns true if something in the subtree runs and goes straight on.
    pub(super) fn is_active<const TRACE: bool>(&self, walk: &Walk<'_, TRACE>) -> bool {
        self.resumes && (self.index..self.end).contains(&walk.at())
    }
}

/// Behavior of a node: its evaluation, and its reaction to events.
pub(super) trait Behavior<const TRACE: bool>: Debug {
    /// Evaluates the node for an agent.
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome;
}

/// Node of a tree.
#[derive(Debug)]
pub(super) struct Node<const TRACE: bool> {
    pub(super) place: Place,
    /// Node that stands for this one in the running set.
    pub(super) identity: NodeIndex,
    pub(super) memory: Memory,
    pub(super) behavior: Box<dyn Behavior<TRACE>>,
}

impl<const TRACE: bool> Node<TRACE> {
    /// Evaluates the node for an agent.
    pub(super) fn evaluate(&self, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let outcome = self.behavior.evaluate(&self.place, walk);
        walk.mind.remember(self.identity, self.memory, outcome);
        outcome
    }
}

/// Children of a node.
pub(super) type Children<const TRACE: bool> = Vec<Node<TRACE>>;

/// Returns the status of the first child, or another one without a child.
pub(super) fn only<const TRACE: bool>(
    children: &Children<TRACE>,
    without: Outcome,
    walk: &mut Walk<'_, TRACE>,
) -> Outcome {
    children.first().map_or(without, |child| child.evaluate(walk))
}

/// Returns the place of a status in tables.
pub(super) fn exit(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Failure => FAILURE,
        Outcome::Success => SUCCESS,
        Outcome::Running => RUNNING,
        Outcome::Other(_) => OTHER,
    }
}

/// Returns the status at a place in tables: failure or success.
pub(super) fn ended(exit: u8) -> Outcome {
    if usize::from(exit) == SUCCESS { Outcome::Success } else { Outcome::Failure }
}

/// Tree, whose status is that of its child.
#[derive(Debug)]
pub(super) struct Whole<const TRACE: bool>(pub(super) Children<TRACE>);

impl<const TRACE: bool> Behavior<TRACE> for Whole<TRACE> {
    fn evaluate(&self, _: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        only(&self.0, Outcome::Failure, walk)
    }
}

/// Tree that several places include.
#[derive(Debug)]
pub(super) struct Included<const TRACE: bool>(pub(super) Rc<Node<TRACE>>);

impl<const TRACE: bool> Behavior<TRACE> for Included<TRACE> {
    fn evaluate(&self, _: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        self.0.evaluate(walk)
    }
}

/// Children one after the other.
#[derive(Debug)]
pub(super) struct Composite<const TRACE: bool> {
    pub(super) policy: Policy,
    pub(super) start: Start,
    pub(super) children: Children<TRACE>,
}

impl<const TRACE: bool> Composite<TRACE> {
    /// Returns the child to begin with.
    fn first(&self, walk: &Walk<'_, TRACE>) -> usize {
        let found = match self.start {
            Start::First | Start::Reactive => None,
            Start::HighestMember => (1..self.children.len())
                .rev()
                .find(|child| walk.mind.is_member(self.children[*child].identity)),
            Start::Resume => self.children.iter().position(|child| child.place.is_active(walk)),
        };
        found.unwrap_or(0)
    }

    fn one_after_the_other(&self, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let mut status = ended(self.policy.last);
        let first = self.first(walk);
        for child in &self.children[first..] {
            let outcome = child.evaluate(walk);
            match self.policy.on[exit(outcome)] {
                Step::Next => {}
                Step::NextRunning => status = Outcome::Running,
                Step::End => return outcome,
            }
        }
        status
    }
}

impl<const TRACE: bool> Behavior<TRACE> for Composite<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let outcome = self.one_after_the_other(walk);
        if self.start == Start::Reactive && outcome != Outcome::Running && place.is_active(walk) {
            walk.put(NOTHING);
        }
        outcome
    }
}

/// Child whose status is replaced.
#[derive(Debug)]
pub(super) struct Map<const TRACE: bool>(pub(super) [To; EXITS], pub(super) Children<TRACE>);

impl<const TRACE: bool> Behavior<TRACE> for Map<TRACE> {
    fn evaluate(&self, _: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let outcome = only(&self.1, Outcome::Failure, walk);
        match self.0[exit(outcome)] {
            To::Same => outcome,
            To::Status(other) => other,
        }
    }
}

/// Condition, perhaps with a child.
#[derive(Debug)]
pub(super) struct Guard<const TRACE: bool>(pub(super) Expression, pub(super) Children<TRACE>);

impl<const TRACE: bool> Behavior<TRACE> for Guard<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        if !walk.selects && place.is_active(walk) || self.0.holds(walk) {
            only(&self.1, Outcome::Success, walk)
        } else {
            Outcome::Failure
        }
    }
}

/// Child that is evaluated only from a time on.
#[derive(Debug)]
pub(super) struct Cooldown<const TRACE: bool> {
    pub(super) slot: usize,
    pub(super) duration: i64,
    pub(super) rule: Cooling,
    pub(super) children: Children<TRACE>,
}

impl<const TRACE: bool> Behavior<TRACE> for Cooldown<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let Self { slot, rule, .. } = *self;
        let since = walk.mind.times[slot];
        let is_over = if rule.reached { walk.now >= since } else { walk.now > since };
        if !is_over && !place.is_active(walk) {
            return Outcome::Failure;
        }
        let outcome = only(&self.children, Outcome::Failure, walk);
        if rule.arms[exit(outcome)] {
            walk.mind.times[slot] = (walk.now + self.duration).max(0);
        }
        outcome
    }
}

/// Function of the game that acts.
#[derive(Debug)]
pub(super) struct Action {
    pub(super) site: Site,
    /// Bit that keeps it from acting.
    pub(super) gate: Option<usize>,
    /// True if it takes the place of what runs.
    pub(super) exclusive: bool,
}

impl<const TRACE: bool> Behavior<TRACE> for Action {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let outcome = if self.gate.is_some_and(|gate| walk.mind.bits[gate]) {
            Outcome::Failure
        } else {
            if self.exclusive {
                walk.put(place.index);
            }
            walk.act(&self.site)
        };
        match outcome {
            Outcome::Running => walk.put(place.index),
            Outcome::Other(_) if !self.exclusive => {}
            _ if walk.at() == place.index => walk.put(NOTHING),
            _ => {}
        }
        outcome
    }
}
