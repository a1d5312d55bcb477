//! The decoded form: what the engine runs.
//!
//! Linking turns each instruction into a [`Step`] that has at hand what the instruction only names: where a column begins,
//! where to go on, what a constant is. A step takes 16 bytes. Control goes on at the next step or at `target`, an index in
//! [`Code::steps`]. This form has no place on disk and may change with every release.
//!
//! There are two programs of steps for an image. The *plain* one has a step for each word, at the same index, so that a
//! watcher can be told which word was left by which exit. The *fused* one ([`super::fuse`]) does the same in fewer and
//! faster steps; only it has the steps below the line.

use super::class::{Ask, Branch, Control, Effect, Write};
use super::relation::Relation;

/// A comparison of a column with a constant: if it holds, control goes on at the target, else at the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Test<T> {
    pub(crate) column: u32,
    pub(crate) with: T,
    pub(crate) target: u32,
}

/// A span of 16-bit numbers, from `low` on, wrapping around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) low: u16,
    /// One less than how many.
    pub(crate) span: u16,
}

/// What the engine does in one step.
///
/// Steps of the hot loop ([`crate::engine::walk`]) stand side by side, so that one jump finds them. All others are in
/// [classes](super::class).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Jump {
        target: u32,
    },
    Return {
        exit: u8,
    },
    Bit {
        column: u32,
        is: bool,
        target: u32,
    },
    Due {
        column: u32,
        reached: bool,
        target: u32,
    },
    Switch {
        column: u32,
        table: u32,
    },
    Arm {
        column: u32,
        duration: i32,
        target: u32,
    },
    Park {
        column: u32,
        node: u16,
        target: u32,
    },
    Clear {
        column: u32,
        target: u32,
    },
    Halt {
        column: u32,
        low: u16,
        high: u16,
        target: u32,
    },
    Ticks {
        column: u32,
        count: u16,
        target: u32,
    },
    Branch {
        branch: Branch,
        target: u32,
    },
    Effect {
        effect: Effect,
        target: u32,
    },
    Write {
        write: Write,
        target: u32,
    },
    Ask {
        ask: Ask,
        exits: u32,
    },
    Control(Control),

    // ---- of the fused program only ----
    /// If the answer of a query stands in this relation to the constant, go on at the target.
    Query {
        site: u16,
        relation: Relation,
        target: u32,
        with: f64,
    },
    /// If the value of an expression is the truth wanted, go on at the target.
    Value {
        is: bool,
        first: u32,
        end: u32,
        target: u32,
    },
    /// Comparisons of two columns.
    Floats {
        left: u32,
        right: u32,
        relation: Relation,
        target: u32,
    },
    Ints {
        left: u32,
        right: u32,
        relation: Relation,
        target: u32,
    },
    FloatLt(Test<f32>),
    FloatLe(Test<f32>),
    FloatGt(Test<f32>),
    FloatGe(Test<f32>),
    FloatEq(Test<f32>),
    FloatNe(Test<f32>),
    FloatNotLt(Test<f32>),
    FloatNotLe(Test<f32>),
    FloatNotGt(Test<f32>),
    FloatNotGe(Test<f32>),
    IntLt(Test<i32>),
    IntGe(Test<i32>),
    IntEq(Test<i32>),
    IntNe(Test<i32>),
    /// Narrow integers, extended to 16 bits.
    I8(Test<Span>),
    U8(Test<Span>),
    Half(Test<Span>),
    /// A chain of tests: goes on where its [`Ladder`] says.
    Ladder {
        ladder: u32,
    },
    /// A constant into a column.
    SetByte {
        column: u32,
        value: u8,
        target: u32,
    },
    SetHalf {
        column: u32,
        value: u16,
        target: u32,
    },
    SetWord {
        column: u32,
        value: u32,
        target: u32,
    },
    SetTruth {
        column: u32,
        value: bool,
        target: u32,
    },
    /// `park`, and the tick ends running.
    Rest {
        column: u32,
        node: u16,
    },
    /// `ticks`, `park`, and the tick ends running.
    RestTicks {
        timer: u32,
        count: u16,
        column: u32,
        node: u16,
    },
    /// `arm`, `park`, and the tick ends running.
    RestTime {
        timer: u32,
        duration: i32,
        column: u32,
        node: u16,
    },
    /// `down`: the tick ends running, or the position is cleared.
    Tick {
        timer: u32,
        column: u32,
        target: u32,
    },
    /// `due`, when the time is reached: the tick ends running, or the position is cleared.
    Until {
        timer: u32,
        column: u32,
        target: u32,
    },
}

/// Pattern of the steps that only fused programs have.
macro_rules! fused {
    () => {
        $crate::code::step::Step::Query { .. }
            | $crate::code::step::Step::Value { .. }
            | $crate::code::step::Step::Floats { .. }
            | $crate::code::step::Step::Ints { .. }
            | $crate::code::step::Step::FloatLt(_)
            | $crate::code::step::Step::FloatLe(_)
            | $crate::code::step::Step::FloatGt(_)
            | $crate::code::step::Step::FloatGe(_)
            | $crate::code::step::Step::FloatEq(_)
            | $crate::code::step::Step::FloatNe(_)
            | $crate::code::step::Step::FloatNotLt(_)
            | $crate::code::step::Step::FloatNotLe(_)
            | $crate::code::step::Step::FloatNotGt(_)
            | $crate::code::step::Step::FloatNotGe(_)
            | $crate::code::step::Step::IntLt(_)
            | $crate::code::step::Step::IntGe(_)
            | $crate::code::step::Step::IntEq(_)
            | $crate::code::step::Step::IntNe(_)
            | $crate::code::step::Step::I8(_)
            | $crate::code::step::Step::U8(_)
            | $crate::code::step::Step::Half(_)
            | $crate::code::step::Step::Ladder { .. }
            | $crate::code::step::Step::SetByte { .. }
            | $crate::code::step::Step::SetHalf { .. }
            | $crate::code::step::Step::SetWord { .. }
            | $crate::code::step::Step::SetTruth { .. }
            | $crate::code::step::Step::Rest { .. }
            | $crate::code::step::Step::RestTicks { .. }
            | $crate::code::step::Step::RestTime { .. }
            | $crate::code::step::Step::Tick { .. }
            | $crate::code::step::Step::Until { .. }
    };
}
pub(crate) use fused;

impl Step {
    /// Where it leads when it does not go on at the next step.
    pub(crate) fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Self::Return { .. }
            | Self::Ask { .. }
            | Self::Switch { .. }
            | Self::Ladder { .. }
            | Self::Rest { .. }
            | Self::RestTicks { .. }
            | Self::RestTime { .. } => None,
            Self::Control(control) => control.target_mut(),
            Self::FloatLt(test)
            | Self::FloatLe(test)
            | Self::FloatGt(test)
            | Self::FloatGe(test)
            | Self::FloatEq(test)
            | Self::FloatNe(test)
            | Self::FloatNotLt(test)
            | Self::FloatNotLe(test)
            | Self::FloatNotGt(test)
            | Self::FloatNotGe(test) => Some(&mut test.target),
            Self::IntLt(test) | Self::IntGe(test) | Self::IntEq(test) | Self::IntNe(test) => {
                Some(&mut test.target)
            }
            Self::I8(test) | Self::U8(test) | Self::Half(test) => Some(&mut test.target),
            Self::Jump { target }
            | Self::Bit { target, .. }
            | Self::Due { target, .. }
            | Self::Arm { target, .. }
            | Self::Park { target, .. }
            | Self::Clear { target, .. }
            | Self::Halt { target, .. }
            | Self::Ticks { target, .. }
            | Self::Branch { target, .. }
            | Self::Effect { target, .. }
            | Self::Write { target, .. }
            | Self::Query { target, .. }
            | Self::Value { target, .. }
            | Self::Floats { target, .. }
            | Self::Ints { target, .. }
            | Self::SetByte { target, .. }
            | Self::SetHalf { target, .. }
            | Self::SetWord { target, .. }
            | Self::SetTruth { target, .. }
            | Self::Tick { target, .. }
            | Self::Until { target, .. } => Some(target),
        }
    }

    /// Returns the position or set that gets a node, and the node, if the step is one of the plain program.
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
            | Self::Clear { .. }
            | Self::Halt { .. }
            | Self::Ticks { .. }
            | Self::Branch { .. }
            | Self::Write { .. }
            | Self::Control(_)
            | fused!() => None,
        }
    }

    /// Returns true if control can go on at the next step of the plain program.
    pub(crate) fn falls(self) -> bool {
        match self {
            Self::Bit { .. } | Self::Due { .. } | Self::Switch { .. } | Self::Branch { .. } => true,
            Self::Control(control) => control.falls(),
            Self::Jump { .. }
            | Self::Return { .. }
            | Self::Arm { .. }
            | Self::Park { .. }
            | Self::Clear { .. }
            | Self::Halt { .. }
            | Self::Ticks { .. }
            | Self::Effect { .. }
            | Self::Write { .. }
            | Self::Ask { .. }
            | fused!() => false,
        }
    }

    /// The test that leads to the target when this one does not.
    pub(crate) fn negated(self) -> Option<Self> {
        Some(match self {
            Self::Bit { column, is, target } => Self::Bit { column, is: !is, target },
            Self::Query { site, relation, target, with } => {
                Self::Query { site, relation: relation.negated(), target, with }
            }
            Self::Value { is, first, end, target } => Self::Value { is: !is, first, end, target },
            Self::Floats { left, right, relation, target } => {
                Self::Floats { left, right, relation: relation.negated(), target }
            }
            Self::Ints { left, right, relation, target } => {
                Self::Ints { left, right, relation: relation.negated(), target }
            }
            Self::FloatLt(test) => Self::FloatNotLt(test),
            Self::FloatLe(test) => Self::FloatNotLe(test),
            Self::FloatGt(test) => Self::FloatNotGt(test),
            Self::FloatGe(test) => Self::FloatNotGe(test),
            Self::FloatEq(test) => Self::FloatNe(test),
            Self::FloatNe(test) => Self::FloatEq(test),
            Self::FloatNotLt(test) => Self::FloatLt(test),
            Self::FloatNotLe(test) => Self::FloatLe(test),
            Self::FloatNotGt(test) => Self::FloatGt(test),
            Self::FloatNotGe(test) => Self::FloatGe(test),
            Self::IntLt(test) => Self::IntGe(test),
            Self::IntGe(test) => Self::IntLt(test),
            Self::IntEq(test) => Self::IntNe(test),
            Self::IntNe(test) => Self::IntEq(test),
            Self::I8(test) => Self::I8(test.complement()),
            Self::U8(test) => Self::U8(test.complement()),
            Self::Half(test) => Self::Half(test.complement()),
            _ => return None,
        })
    }
}

impl Span {
    /// Whether a number is in it.
    #[inline]
    pub(crate) fn holds(self, number: u16) -> bool {
        number.wrapping_sub(self.low) <= self.span
    }
}

impl Test<Span> {
    fn complement(self) -> Self {
        let Span { low, span } = self.with;
        // As many as 2^16 - 1 - span, less one.
        let with =
            Span { low: low.wrapping_add(span).wrapping_add(1), span: (u16::MAX - span).wrapping_sub(1) };
        Self { with, ..self }
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
        let span = |low, span| Test { column: 0, with: Span { low, span }, target: 0 };
        let holds = |test: Test<Span>, number: u16| test.with.holds(number);
        for test in [span(5, 0), span(65_530, 10), span(0, 65_534)] {
            for number in [0, 1, 4, 5, 6, 65_529, 65_530, 65_535] {
                assert_ne!(holds(test, number), holds(test.complement(), number), "{test:?} {number}");
            }
            assert_eq!(test.complement().complement(), test);
        }
    }

    #[test]
    fn every_test_can_be_turned_round() {
        let float = Test { column: 0, with: 1.5, target: 0 };
        let (int, span) = (
            Test { column: 0, with: 7, target: 0 },
            Test { column: 0, with: Span { low: 3, span: 9 }, target: 0 },
        );
        let (left, right, relation, target) = (0, 1, Relation::Lt, 0);
        let tests = [
            Step::Bit { column: 0, is: true, target },
            Step::Query { site: 0, relation, target, with: 2.0 },
            Step::Value { is: true, first: 0, end: 3, target },
            Step::Floats { left, right, relation, target },
            Step::Ints { left, right, relation, target },
            Step::FloatLt(float),
            Step::FloatLe(float),
            Step::FloatGt(float),
            Step::FloatGe(float),
            Step::FloatEq(float),
            Step::IntLt(int),
            Step::IntEq(int),
            Step::I8(span),
            Step::U8(span),
            Step::Half(span),
        ];
        for step in tests {
            let other = step.negated().expect("it is a test");
            assert_ne!(other, step);
            assert_eq!(other.negated(), Some(step));
        }
        assert_eq!(Step::Jump { target }.negated(), None);
    }
}
