//! Values of columns that are known at a step, and the steps that they make needless.
//!
//! A test leads to each of its ways out only with some values of its column, and behind a store the
//! column holds what was stored. So further tests of this column may be decided when a program is
//! linked. Two tests in a row are often of the same column: each node of a tree that keeps a status
//! looks at it, and so do the nodes around it.

use super::class::{StepEffect, Write};
use super::put::{Put, Width};
use super::step::{Span, Step};
use alloc::vec::Vec;

/// Values that a column can hold.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Values {
    One(u32),
    /// Numbers of a column of bytes or halves, as tests extend them.
    Within(Span),
}

/// Fact about a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fact {
    width: Width,
    column: u32,
    values: Values,
}

impl Fact {
    /// Returns what is known of a column on a way out of a test: that to its target if it `holds`,
    /// else that to the next step.
    pub(crate) fn of_test(step: Step, holds: bool) -> Option<Self> {
        let within = |width, column, span: Span| {
            let span = if holds { span } else { span.complement() };
            let values = if span.span == 0 { Values::One(span.low.into()) } else { Values::Within(span) };
            Some(Self { width, column, values })
        };
        match step {
            Step::Bit { column, is, .. } => {
                Some(Self { width: Width::Bit, column, values: Values::One((is == holds).into()) })
            }
            Step::U8 { column, span, .. } => within(Width::Byte, column, span),
            Step::Half { column, span, .. } => within(Width::Half, column, span),
            _ => None,
        }
    }

    /// Returns the fact that a column of bytes holds a number below 3, or 3 or more.
    pub(crate) fn of_case(column: u32, number: u16) -> Self {
        let values = match number {
            3.. => Values::Within(Span { low: 3, span: u16::from(u8::MAX) - 3 }),
            _ => Values::One(number.into()),
        };
        Self { width: Width::Byte, column, values }
    }

    fn of_store(Put { width, column, value }: Put) -> Self {
        Self { width, column, values: Values::One(value) }
    }

    /// Returns the result of a test, if the fact decides it.
    pub(crate) fn decides(self, step: Step) -> Option<bool> {
        let holds = |column: u32, span: Span, extended: fn(u32) -> u16| match self.values {
            _ if column != self.column => None,
            Values::One(value) => Some(span.holds(extended(value))),
            Values::Within(values) if values.is_within(span) => Some(true),
            Values::Within(values) => values.is_within(span.complement()).then_some(false),
        };
        match (step, self.width, self.values) {
            (Step::U8 { column, span, .. }, Width::Byte, _) => holds(column, span, |value| value as u16),
            (Step::Half { column, span, .. }, Width::Half, _) => holds(column, span, |value| value as u16),
            (Step::I8 { column, span, .. }, Width::Byte, Values::One(_)) => {
                holds(column, span, |value| i16::from(value as i8) as u16)
            }
            (Step::Bit { column, is, .. }, Width::Bit, Values::One(value)) if column == self.column => {
                Some((value != 0) == is)
            }
            (Step::Int { column, relation, with, .. }, Width::Word, Values::One(value))
                if column == self.column =>
            {
                Some(relation.holds(value as i32, with))
            }
            _ => None,
        }
    }
}

/// Stores and other steps that always go on at their target, one after the other.
#[derive(Debug)]
pub(crate) struct Stores {
    pub(crate) steps: Vec<Step>,
    known: Vec<Fact>,
}

impl Stores {
    /// Returns no steps, behind which this is known.
    pub(crate) fn new(known: Option<Fact>) -> Self {
        Self { steps: Vec::new(), known: known.into_iter().collect() }
    }

    /// Returns the result of a test behind the steps, if it is known.
    pub(crate) fn decide(&self, step: Step) -> Option<bool> {
        self.known.iter().find_map(|fact| fact.decides(step))
    }

    /// Returns true if a step can stand among them: it always goes on at its target, and reads no
    /// column.
    pub(crate) fn takes(step: Step) -> bool {
        use StepEffect::{Flag, Loop, Other};
        Put::of_step(step).is_some()
            || matches!(step, Step::Write { write: Write::Note { .. }, .. })
            || matches!(step, Step::Effect { effect: Other { .. } | Flag { .. } | Loop { .. }, .. })
    }

    /// Appends a step. Returns true if the store, or one before it, is not needed.
    pub(crate) fn push(&mut self, step: Step) -> bool {
        let Some(put) = Put::of_step(step) else {
            self.steps.push(step);
            return false;
        };
        let fact = Fact::of_store(put);
        if self.known.contains(&fact) {
            return true;
        }
        let is_of = |width, column| (width, column) == (put.width, put.column);
        self.known.retain(|fact| !is_of(fact.width, fact.column));
        self.known.push(fact);
        let before = self.steps.len();
        self.steps.retain(|step| !Put::of_step(*step).is_some_and(|other| is_of(other.width, other.column)));
        let needless = self.steps.len() < before;
        self.steps.push(step);
        needless
    }
}
