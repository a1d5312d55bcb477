//! The decoded form: what the engine runs.
//!
//! Linking turns each instruction into a [`Step`] that has at hand what the instruction only names:
//! where a column begins, where to go on, what a constant is. A step takes 16 bytes. Control goes
//! on at the next step or at `target`, an index in [`Code::steps`]. This form has no place on disk
//! and may change with every release.
//!
//! There are two programs of steps for an image. The *plain* one has a step for each word, at the
//! same index, so that a watcher can be told which word was left by which exit. The *fused* one
//! ([`super::fuse`]) does the same in fewer and faster steps; only it has the steps below the line.

use super::class::{Ask, Branch, Control, StepEffect, Write};
use super::relation::Relation;

/// A span of 16-bit numbers, from `low` on, wrapping around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) low: u16,
    /// One less than how many.
    pub(crate) span: u16,
}

/// One step of the engine.
///
/// Steps of the hot loop ([`crate::engine::walk`]) stand side by side, so that one jump finds them.
/// All others are in [classes](super::class).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Jump { target: u32 },
    Return { exit: u8 },
    Bit { column: u32, is: bool, target: u32 },
    Due { column: u32, reached: bool, target: u32 },
    Switch { column: u32, table: u32 },
    Arm { column: u32, duration: i32, target: u32 },
    Park { column: u32, node: u16, target: u32 },
    Halt { column: u32, low: u16, high: u16, target: u32 },
    // A constant into a column.
    PutHalf { column: u32, value: u16, target: u32 },
    Branch { branch: Branch, target: u32 },
    Effect { effect: StepEffect, target: u32 },
    Write { write: Write, target: u32 },
    Ask { ask: Ask, exits: u32 },
    Control(Control),

    // ---- where numbers stand for running sets, and in the fused program ----
    // Test of a 16-bit integer.
    Half { column: u32, span: Span, target: u32 },

    // ---- of the fused program only ----
    // If the answer of a query stands in this relation to the constant, go on at the target.
    Query { site: u16, relation: Relation, target: u32, with: f64 },
    // If the value of an expression is the wanted boolean, continue at the target.
    Value { is: bool, first: u32, end: u32, target: u32 },
    // Comparisons of two columns.
    Floats { left: u32, right: u32, relation: Relation, target: u32 },
    Ints { left: u32, right: u32, relation: Relation, target: u32 },
    // Comparisons of a column with a constant.
    Float { column: u32, relation: Relation, with: f32, target: u32 },
    Int { column: u32, relation: Relation, with: i32, target: u32 },
    // Tests of narrow integers, extended to 16 bits.
    I8 { column: u32, span: Span, target: u32 },
    U8 { column: u32, span: Span, target: u32 },
    // Several tests of a byte: goes on at the exit for 0, 1, 2 or any greater number.
    Cases { column: u32, exits: u32 },
    // A chain of tests: goes on where its [`Ladder`] says.
    Ladder { ladder: u32 },
    // Constants into columns of other widths.
    PutBit { column: u32, value: bool, target: u32 },
    PutByte { column: u32, value: u8, target: u32 },
    PutWord { column: u32, value: u32, target: u32 },
    // `park`, and the tick ends running.
    Rest { column: u32, node: u16 },
    // `ticks`, `park`, and the tick ends running.
    RestTicks { timer: u32, count: u16, column: u32, node: u16 },
    // `arm`, `park`, and the tick ends running.
    RestTime { timer: u32, duration: i32, column: u32, node: u16 },
    // `down`: the tick ends running, or the position is cleared.
    Tick { timer: u32, column: u32, target: u32 },
    // `due`, when the time is reached: the tick ends running, or the position is cleared.
    Until { timer: u32, column: u32, target: u32 },
}

/// Pattern of the steps that are apart from the hot loop, each in a class.
macro_rules! classed {
    () => {
        $crate::code::step::Step::Branch { .. }
            | $crate::code::step::Step::Effect { .. }
            | $crate::code::step::Step::Write { .. }
            | $crate::code::step::Step::Ask { .. }
            | $crate::code::step::Step::Control(_)
    };
}
pub(crate) use classed;

/// Pattern of the tests that may ask the host, or that look at two columns.
macro_rules! asking {
    () => {
        $crate::code::step::Step::Query { .. }
            | $crate::code::step::Step::Value { .. }
            | $crate::code::step::Step::Floats { .. }
            | $crate::code::step::Step::Ints { .. }
    };
}
pub(crate) use asking;

/// Pattern of the tests of a column and a constant that only fused programs have.
macro_rules! comparing {
    () => {
        $crate::code::step::Step::Float { .. }
            | $crate::code::step::Step::Int { .. }
            | $crate::code::step::Step::I8 { .. }
            | $crate::code::step::Step::U8 { .. }
    };
}
pub(crate) use comparing;

/// Pattern of the steps that only fused programs have.
macro_rules! fused {
    () => {
        $crate::code::step::asking!()
            | $crate::code::step::comparing!()
            | $crate::code::step::Step::Rest { .. }
            | $crate::code::step::Step::RestTicks { .. }
            | $crate::code::step::Step::RestTime { .. }
            | $crate::code::step::Step::Tick { .. }
            | $crate::code::step::Step::Until { .. }
            | $crate::code::step::Step::Ladder { .. }
            | $crate::code::step::Step::Cases { .. }
            | $crate::code::step::Step::PutBit { .. }
            | $crate::code::step::Step::PutByte { .. }
            | $crate::code::step::Step::PutWord { .. }
    };
}
pub(crate) use fused;

impl Step {
    /// Returns the target of a step that has one besides the next step.
    pub(crate) fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Self::Return { .. }
            | Self::Ask { .. }
            | Self::Switch { .. }
            | Self::Ladder { .. }
            | Self::Cases { .. }
            | Self::Rest { .. }
            | Self::RestTicks { .. }
            | Self::RestTime { .. } => None,
            Self::Control(control) => control.target_mut(),
            Self::Jump { target }
            | Self::Bit { target, .. }
            | Self::Due { target, .. }
            | Self::Arm { target, .. }
            | Self::Park { target, .. }
            | Self::Halt { target, .. }
            | Self::PutHalf { target, .. }
            | Self::Branch { target, .. }
            | Self::Effect { target, .. }
            | Self::Write { target, .. }
            | Self::Query { target, .. }
            | Self::Value { target, .. }
            | Self::Float { target, .. }
            | Self::Int { target, .. }
            | Self::I8 { target, .. }
            | Self::U8 { target, .. }
            | Self::Half { target, .. }
            | Self::Floats { target, .. }
            | Self::Ints { target, .. }
            | Self::PutBit { target, .. }
            | Self::PutByte { target, .. }
            | Self::PutWord { target, .. }
            | Self::Tick { target, .. }
            | Self::Until { target, .. } => Some(target),
        }
    }

    /// Returns the position or set that gets a node, and the node, if the step
    /// is one of the plain program.
    pub(crate) fn entered(self) -> Option<(u32, u16)> {
        match self {
            Self::Park { column, node, .. } => Some((column, node)),
            Self::Effect { effect, .. } => effect.entered(),
            Self::Ask { ask, .. } => ask.entered(),
            Self::Jump { .. }
            | Self::Return { .. }
            | Self::Bit { .. }
            | Self::Due { .. }
            | Self::Switch { .. }
            | Self::Arm { .. }
            | Self::Halt { .. }
            | Self::PutHalf { .. }
            | Self::Half { .. }
            | Self::Branch { .. }
            | Self::Write { .. }
            | Self::Control(_)
            | fused!() => None,
        }
    }

    /// Returns true if control can go on at the next step of the plain program, or of that
    /// with numbers in place of sets.
    pub(crate) fn falls(self) -> bool {
        match self {
            Self::Bit { .. }
            | Self::Due { .. }
            | Self::Half { .. }
            | Self::Switch { .. }
            | Self::Branch { .. } => true,
            Self::Control(control) => control.falls(),
            Self::Jump { .. }
            | Self::Return { .. }
            | Self::Arm { .. }
            | Self::Park { .. }
            | Self::Halt { .. }
            | Self::PutHalf { .. }
            | Self::Effect { .. }
            | Self::Write { .. }
            | Self::Ask { .. }
            | fused!() => false,
        }
    }

    /// Returns the test that leads to the target when this one does not; `None` if the step is
    /// no test that can be negated.
    pub(crate) fn negated(mut self) -> Option<Self> {
        match &mut self {
            Self::Bit { is, .. } | Self::Value { is, .. } => *is = !*is,
            Self::Query { relation, .. }
            | Self::Float { relation, .. }
            | Self::Int { relation, .. }
            | Self::Floats { relation, .. }
            | Self::Ints { relation, .. } => *relation = relation.negated(),
            Self::I8 { span, .. } | Self::U8 { span, .. } | Self::Half { span, .. } => {
                *span = span.complement();
            }
            _ => return None,
        }
        Some(self)
    }
}

impl Span {
    /// Returns true if the span contains a number.
    #[inline]
    pub(crate) fn holds(self, number: u16) -> bool {
        number.wrapping_sub(self.low) <= self.span
    }

    /// Returns true if another span contains all numbers of this one.
    pub(crate) fn is_within(self, other: Self) -> bool {
        let offset = self.low.wrapping_sub(other.low);
        offset <= other.span && self.span <= other.span - offset
    }

    /// Returns the span of all other numbers.
    pub(crate) fn complement(self) -> Self {
        let Self { low, span } = self;
        // As many as 2^16 - 1 - span, less one.
        Self { low: low.wrapping_add(span).wrapping_add(1), span: (u16::MAX - span).wrapping_sub(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_takes_sixteen_bytes() {
        assert_eq!(size_of::<Step>(), 16);
    }

    #[test]
    fn the_complement_of_a_span_is_the_rest() {
        for (low, span) in [(5, 0), (65_530, 10), (0, 65_534)] {
            let span = Span { low, span };
            for number in [0, 1, 4, 5, 6, 65_529, 65_530, 65_535] {
                assert_ne!(span.holds(number), span.complement().holds(number), "{span:?} {number}");
            }
            assert_eq!(span.complement().complement(), span);
        }
    }

    #[test]
    fn a_span_is_within_another_if_its_numbers_are() {
        let spans = [(5, 0), (5, 3), (6, 1), (65_530, 10), (65_535, 1), (0, 65_534)];
        let spans = spans.map(|(low, span)| Span { low, span });
        for (inner, outer) in spans.into_iter().flat_map(|inner| spans.map(|outer| (inner, outer))) {
            let all = (0..=u16::MAX).filter(|number| inner.holds(*number)).all(|number| outer.holds(number));
            assert_eq!(inner.is_within(outer), all, "{inner:?} {outer:?}");
        }
    }

    #[test]
    fn every_test_can_be_turned_round() {
        let span = Span { low: 3, span: 9 };
        let (column, left, right, relation, target) = (0, 0, 1, Relation::Lt, 0);
        let tests = [
            Step::Bit { column, is: true, target },
            Step::Query { site: 0, relation, target, with: 2.0 },
            Step::Value { is: true, first: 0, end: 3, target },
            Step::Floats { left, right, relation, target },
            Step::Ints { left, right, relation, target },
            Step::Float { column, relation, with: 1.5, target },
            Step::Int { column, relation, with: 7, target },
            Step::I8 { column, span, target },
            Step::U8 { column, span, target },
            Step::Half { column, span, target },
        ];
        for step in tests {
            let other = step.negated().expect("it is a test");
            assert_ne!(other, step);
            assert_eq!(other.negated(), Some(step));
        }
        assert_eq!(Step::Jump { target }.negated(), None);
    }
}
