//! Nodes that go straight on where they were.

use super::expression::{Expression, Site};
use super::mind::NOTHING;
use super::node::{Behavior, Children, Node, Place, Walk, only};
use pleach_compile::internals::ir::{Changes, Outcome, SlotKind};

impl Place {
    /// Ends what runs in the subtree.
    pub(super) fn halt<const TRACE: bool>(&self, walk: &mut Walk<'_, TRACE>) {
        if self.is_active(walk) {
            walk.put(NOTHING);
        }
    }

    /// Returns true if the node itself runs.
    pub(super) fn runs<const TRACE: bool>(&self, walk: &Walk<'_, TRACE>) -> bool {
        walk.at() == self.index
    }

    /// Makes the node the one that runs.
    fn rest<const TRACE: bool>(&self, walk: &mut Walk<'_, TRACE>) -> Outcome {
        walk.put(self.index);
        Outcome::Running
    }
}

/// Child that runs only while a condition is true.
#[derive(Debug)]
pub(super) struct While<const TRACE: bool>(pub(super) Expression, pub(super) Children<TRACE>);

impl<const TRACE: bool> Behavior<TRACE> for While<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        if self.0.holds(walk) {
            return only(&self.1, Outcome::Failure, walk);
        }
        place.halt(walk);
        Outcome::Failure
    }
}

/// Child that runs for a limited time.
#[derive(Debug)]
pub(super) struct Timeout<const TRACE: bool> {
    pub(super) slot: usize,
    pub(super) duration: i64,
    pub(super) children: Children<TRACE>,
}

impl<const TRACE: bool> Behavior<TRACE> for Timeout<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        if !place.is_active(walk) {
            walk.mind.times[self.slot] = (walk.now + self.duration).max(0);
        } else if walk.now >= walk.mind.times[self.slot] {
            place.halt(walk);
            return Outcome::Failure;
        }
        only(&self.children, Outcome::Failure, walk)
    }
}

/// Child that is begun again.
#[derive(Debug)]
pub(super) struct Again<const TRACE: bool> {
    /// Status of the child that begins it again.
    pub(super) again: Outcome,
    /// Slot of a counter, and the number of times.
    pub(super) times: Option<(usize, f64)>,
    /// Status after the last time.
    pub(super) spent: Outcome,
    /// Status when the child ends the other way.
    pub(super) broken: Outcome,
    /// True if a child that was running is begun again at once.
    pub(super) eager: bool,
    pub(super) children: Children<TRACE>,
}

impl<const TRACE: bool> Behavior<TRACE> for Again<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let was_running = place.is_active(walk) && !place.runs(walk);
        if place.runs(walk) {
            walk.put(NOTHING);
        } else if let Some((slot, times)) = self.times
            && !place.is_active(walk)
        {
            walk.mind.numbers[slot] = times;
        }
        let outcome = only(&self.children, Outcome::Failure, walk);
        if !matches!(outcome, Outcome::Success | Outcome::Failure) {
            return outcome;
        }
        if outcome != self.again {
            return self.broken;
        }
        if let Some((slot, _)) = self.times {
            let left = &mut walk.mind.numbers[slot];
            *left = (*left - 1.0).max(0.0);
            if *left == 0.0 {
                return self.spent;
            }
        }
        if self.eager && was_running {
            let outcome = only(&self.children, Outcome::Failure, walk);
            if outcome != self.again {
                return if outcome == Outcome::Running { outcome } else { self.broken };
            }
        }
        place.rest(walk)
    }
}

/// One of several children, picked by conditions or scores.
#[derive(Debug)]
pub(super) struct Choose<const TRACE: bool> {
    /// Conditions of all children but the last, or scores of all.
    pub(super) tests: Vec<Expression>,
    pub(super) by_score: bool,
    pub(super) reactive: bool,
    pub(super) children: Children<TRACE>,
}

impl<const TRACE: bool> Choose<TRACE> {
    fn pick(&self, walk: &mut Walk<'_, TRACE>) -> usize {
        if !self.by_score {
            let hit = self.tests.iter().position(|test| test.holds(walk));
            return hit.unwrap_or(self.children.len() - 1);
        }
        let mut best = (0, f64::NAN);
        for (child, test) in self.tests.iter().enumerate() {
            let score = test.number(walk);
            if score > best.1 || (best.1.is_nan() && !score.is_nan()) {
                best = (child, score);
            }
        }
        best.0
    }
}

impl<const TRACE: bool> Behavior<TRACE> for Choose<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        if self.children.is_empty() {
            return Outcome::Failure;
        }
        let active = self.children.iter().position(|child| child.place.is_active(walk));
        let chosen = match active {
            Some(child) if !self.reactive => child,
            _ => self.pick(walk),
        };
        let outcome = self.children[chosen].evaluate(walk);
        if self.reactive && outcome != Outcome::Running {
            place.halt(walk);
        }
        outcome
    }
}

/// Children side by side, each with a position of its own.
#[derive(Debug)]
pub(super) struct Parallel<const TRACE: bool> {
    /// Slot of the first child's position; the others follow.
    pub(super) columns: usize,
    /// Number of children that must succeed, and fail; 0 for none.
    pub(super) counts: [usize; 2],
    /// True if the node can end behind each child.
    pub(super) early: bool,
    pub(super) children: Children<TRACE>,
}

/// Stands in the position of a branch that has failed. The one of a branch that has succeeded is
/// one less.
const FAILED: u32 = NOTHING - 1;
const SUCCEEDED: u32 = FAILED - 1;

impl<const TRACE: bool> Parallel<TRACE> {
    /// Ticks a branch that has not ended. Returns true if the branch ends now.
    fn branch(&self, index: usize, child: &Node<TRACE>, walk: &mut Walk<'_, TRACE>) -> bool {
        let column = self.columns + index;
        if matches!(walk.mind.positions[column], FAILED | SUCCEEDED) {
            return false;
        }
        let outer = core::mem::replace(&mut walk.position, column);
        let outcome = child.evaluate(walk);
        walk.position = outer;
        if outcome != Outcome::Running {
            walk.mind.positions[column] = if outcome == Outcome::Success { SUCCEEDED } else { FAILED };
        }
        outcome != Outcome::Running
    }

    fn decided(&self, walk: &Walk<'_, TRACE>) -> Option<Outcome> {
        let positions = &walk.mind.positions[self.columns..][..self.children.len()];
        let ended = |how| positions.iter().filter(|position| **position == how).count();
        let (succeeded, failed) = (ended(SUCCEEDED), ended(FAILED));
        let [succeed, fail] = self.counts;
        if succeed > 0 && succeeded >= succeed {
            Some(Outcome::Success)
        } else if fail > 0 && failed >= fail || succeeded + failed == self.children.len() {
            Some(Outcome::Failure)
        } else {
            None
        }
    }
}

impl<const TRACE: bool> Behavior<TRACE> for Parallel<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        if !place.runs(walk) {
            place.rest(walk);
            walk.mind.positions[self.columns..][..self.children.len()].fill(NOTHING);
        }
        let last = self.children.len() - 1;
        for (index, child) in self.children.iter().enumerate() {
            let has_ended = self.branch(index, child, walk);
            if (index == last || self.early && has_ended)
                && let Some(outcome) = self.decided(walk)
            {
                walk.put(NOTHING);
                return outcome;
            }
        }
        Outcome::Running
    }
}

/// Function of the game whose answer does not count.
#[derive(Debug)]
pub(super) struct Perform(pub(super) Site, pub(super) Outcome);

impl<const TRACE: bool> Behavior<TRACE> for Perform {
    fn evaluate(&self, _: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        walk.act(&self.0);
        walk.put(NOTHING);
        self.1
    }
}

/// Time that passes, then perhaps a child.
#[derive(Debug)]
pub(super) struct Wait<const TRACE: bool> {
    pub(super) slot: usize,
    pub(super) length: i32,
    /// True if ticks are counted.
    pub(super) ticks: bool,
    pub(super) children: Children<TRACE>,
}

impl<const TRACE: bool> Behavior<TRACE> for Wait<TRACE> {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let Self { slot, length, ticks, .. } = *self;
        if place.runs(walk) {
            let waits = if ticks {
                walk.mind.numbers[slot] -= 1.0;
                walk.mind.numbers[slot] > 0.0
            } else {
                walk.now < walk.mind.times[slot]
            };
            if waits {
                return Outcome::Running;
            }
            walk.put(NOTHING);
        } else if length > 0 && !place.is_active(walk) {
            match ticks {
                true => walk.mind.numbers[slot] = length.into(),
                false => walk.mind.times[slot] = (walk.now + i64::from(length)).max(0),
            }
            return place.rest(walk);
        }
        only(&self.children, Outcome::Success, walk)
    }
}

/// Status that needs nothing.
#[derive(Debug)]
pub(super) struct Constant(pub(super) Outcome);

impl<const TRACE: bool> Behavior<TRACE> for Constant {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        if self.0 == Outcome::Running { place.rest(walk) } else { self.0 }
    }
}

/// Condition that is waited for.
#[derive(Debug)]
pub(super) struct Until(pub(super) Expression);

impl<const TRACE: bool> Behavior<TRACE> for Until {
    fn evaluate(&self, place: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        if !self.0.holds(walk) {
            return place.rest(walk);
        }
        if place.runs(walk) {
            walk.put(NOTHING);
        }
        Outcome::Success
    }
}

/// Assignment to a number variable.
#[derive(Debug)]
pub(super) struct SetNumber {
    pub(super) slot: usize,
    pub(super) kind: SlotKind,
    pub(super) value: Expression,
}

impl<const TRACE: bool> Behavior<TRACE> for SetNumber {
    fn evaluate(&self, _: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let number = self.value.number(walk);
        let within = |low: i32, high: i32| f64::from((number as i32).clamp(low, high));
        walk.mind.numbers[self.slot] = match self.kind {
            SlotKind::F32 => f64::from(number as f32),
            SlotKind::I8 => within(-128, 127),
            SlotKind::U8 => within(0, 255),
            SlotKind::I16 => within(-32_768, 32_767),
            SlotKind::U16 => within(0, 65_535),
            _ => within(i32::MIN, i32::MAX),
        };
        Outcome::Success
    }
}

/// Assignment to a boolean variable.
#[derive(Debug)]
pub(super) struct SetBit {
    pub(super) slot: usize,
    /// Changes that are noted.
    pub(super) changes: Option<Changes>,
    pub(super) value: Expression,
}

impl<const TRACE: bool> Behavior<TRACE> for SetBit {
    fn evaluate(&self, _: &Place, walk: &mut Walk<'_, TRACE>) -> Outcome {
        let value = self.value.holds(walk);
        walk.mind.tell(self.slot, value, self.changes);
        Outcome::Success
    }
}
