//! Nodes that react to events, timestamps and changes, and nodes that select a leaf.

use super::expression::{Expression, Site};
use super::mind::NOTHING;
use super::node::{Behavior, Children, Node, Place, Walk, only};
use pleach_compile::internals::ir::{Changes, NodeIndex, Outcome};
use std::rc::Rc;

/// First child whose condition is true. It is asked for again when variables have changed.
#[derive(Debug)]
pub(super) struct Priority<const TRACE: bool> {
    pub(super) tests: Vec<Expression>,
    pub(super) changes: Option<Changes>,
    pub(super) children: Children<TRACE>,
}

impl<const TRACE: bool> Behavior<TRACE> for Priority<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let current = self.children.iter().position(|child| child.place.is_active(walk));
        let has_changed = self.changes.is_some_and(|Changes { live, before }| {
            walk.mind.bits[usize::from(live)] || walk.mind.bits[usize::from(before)]
        });
        let chosen = match current {
            Some(_) if !has_changed => current,
            _ => self.tests.iter().position(|test| test.holds(walk)),
        };
        if chosen != current {
            place.halt(walk);
        }
        chosen.map_or(Outcome::Failure, |child| self.children[child].evaluate(walk))
    }
}

/// State machine that events send from child to child.
#[derive(Debug)]
pub(super) struct Machine<const TRACE: bool> {
    /// Slot of the next child's index plus two; 0 for none.
    pub(super) slot: usize,
    pub(super) children: Children<TRACE>,
}

impl<const TRACE: bool> Behavior<TRACE> for Machine<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let current = self.children.iter().position(|child| child.place.is_active(walk));
        let next = core::mem::take(&mut walk.mind.numbers[self.slot]) as usize;
        let child = match (next, current) {
            (0, Some(child)) => child,
            // In a machine that begins, nothing is left of earlier times.
            (_, None) => 0,
            (next, Some(_)) => {
                place.halt(walk);
                next - 2
            }
        };
        self.children[child].evaluate(walk)
    }
}

/// Writes that are done in the position of the node.
#[derive(Debug)]
pub(super) struct Emit<const TRACE: bool>(pub(super) Rc<Node<TRACE>>);

impl<const TRACE: bool> Behavior<TRACE> for Emit<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        walk.put(place.index);
        self.0.evaluate(walk);
        if walk.at() == place.index {
            walk.put(NOTHING);
        }
        Outcome::Success
    }
}

/// Child that is evaluated while something runs in a node of another tree.
#[derive(Debug)]
pub(super) struct Within<const TRACE: bool> {
    /// Slot of the other node's position.
    pub(super) position: usize,
    pub(super) node: NodeIndex,
    pub(super) end: NodeIndex,
    pub(super) children: Children<TRACE>,
}

impl<const TRACE: bool> Behavior<TRACE> for Within<TRACE> {
    fn evaluate(&self, _: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        if (self.node..self.end).contains(&walk.mind.positions[self.position]) {
            only(&self.children, Outcome::Success, walk)
        } else {
            Outcome::Failure
        }
    }
}

/// Moment that comes after some time.
#[derive(Debug)]
pub(super) struct Start(pub(super) usize, pub(super) Expression);

impl<const TRACE: bool> Behavior<TRACE> for Start {
    fn evaluate(&self, _: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let length = self.1.number(walk) as i64;
        walk.mind.moments[self.0] = walk.now.saturating_add(length);
        Outcome::Success
    }
}

/// Moment that is now, or no longer the one that it was.
#[derive(Debug)]
pub(super) struct Note(pub(super) usize, pub(super) bool);

impl<const TRACE: bool> Behavior<TRACE> for Note {
    fn evaluate(&self, _: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let moment = &mut walk.mind.moments[self.0];
        *moment = match (self.1, *moment) {
            (true, _) => walk.now + 2,
            (false, 0) => 0,
            (false, _) => 1,
        };
        Outcome::Success
    }
}

/// Function of the game that is told of an event.
#[derive(Debug)]
pub(super) struct Tell(pub(super) Site);

impl<const TRACE: bool> Behavior<TRACE> for Tell {
    fn evaluate(&self, _: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        walk.act(&self.0);
        Outcome::Success
    }
}

/// Child that begins if the game lets it.
#[derive(Debug)]
pub(super) struct Wrap<const TRACE: bool>(pub(super) Site, pub(super) Children<TRACE>);

impl<const TRACE: bool> Behavior<TRACE> for Wrap<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        if !place.is_active(walk) {
            let answer = walk.act(&self.0);
            if answer != Outcome::Running {
                return answer;
            }
        }
        only(&self.1, Outcome::Failure, walk)
    }
}

/// Child that selects a leaf, when variables have changed or nothing runs.
#[derive(Debug)]
pub(super) struct Selection<const TRACE: bool> {
    pub(super) condition: Expression,
    pub(super) changes: Option<Changes>,
    pub(super) children: Children<TRACE>,
}

impl<const TRACE: bool> Behavior<TRACE> for Selection<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let is_selected = place.is_active(walk);
        let has_changed = self.changes.is_some_and(|it| walk.mind.bits[usize::from(it.before)]);
        if is_selected && !has_changed {
            return Outcome::Running;
        }
        if !self.condition.holds(walk) {
            // A change waits for the tick in which it may be used.
            if let Some(Changes { live, before }) = self.changes {
                walk.mind.bits[usize::from(live)] = has_changed;
                walk.mind.bits[usize::from(before)] = false;
            }
            return if is_selected { Outcome::Running } else { Outcome::Failure };
        }
        walk.selects = true;
        let outcome = only(&self.children, Outcome::Success, walk);
        walk.selects = false;
        if outcome != Outcome::Running {
            place.halt(walk);
        }
        outcome
    }
}

/// Leaf that is selected.
#[derive(Debug)]
pub(super) struct Select(pub(super) Site);

impl<const TRACE: bool> Behavior<TRACE> for Select {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        if !place.runs(walk) {
            walk.put(place.index);
            walk.act(&self.0);
        }
        Outcome::Running
    }
}

/// State machine that goes from child to child by conditions.
#[derive(Debug)]
pub(super) struct Chain<const TRACE: bool> {
    /// Slot of the child that it is at.
    pub(super) slot: usize,
    /// By child, conditions and where they lead. At most 64.
    pub(super) states: Vec<Vec<(Expression, usize)>>,
    pub(super) children: Children<TRACE>,
}

impl<const TRACE: bool> Behavior<TRACE> for Chain<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let held = walk.mind.positions[self.slot];
        let held = self.children.iter().position(|child| child.place.index == held).unwrap_or(0);
        let mut been = 1_u64 << held;
        let mut state = held;
        if !place.is_active(walk) {
            walk.mind.positions[self.slot] = NOTHING;
            state = 0;
        }
        while let Some((_, to)) = self.states[state].iter().find(|(condition, _)| condition.holds(walk)) {
            state = *to;
            walk.mind.positions[self.slot] = self.children[state].place.index;
            if been >> state & 1 != 0 {
                break;
            }
            been |= 1 << state;
        }
        self.children[state].evaluate(walk)
    }
}
