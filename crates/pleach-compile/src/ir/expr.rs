//! Expressions.

use crate::ast::Binary;

/// An operation on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// The negative, of a 32-bit integer: wraps.
    NegInt,
    /// The negative, of a 32-bit float.
    NegFloat,
    /// The magnitude, of a 32-bit integer: wraps.
    AbsInt,
    /// The magnitude, of a 32-bit float.
    AbsFloat,
    /// To a 32-bit integer: truncates toward zero and saturates; NaN counts 0.
    Int,
    /// To the nearest 32-bit float.
    Float,
}

/// An operation on two numbers. Those on integers take them as 32 bits and wrap; division by zero gives 0. Those on
/// floats round to 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Sum of integers.
    AddInt,
    /// Difference of integers.
    SubInt,
    /// Product of integers.
    MulInt,
    /// Quotient of integers, toward zero.
    DivInt,
    /// Remainder of integers, with the sign of the first.
    RemInt,
    /// Sum of floats.
    AddFloat,
    /// Difference of floats.
    SubFloat,
    /// Product of floats.
    MulFloat,
    /// Quotient of floats.
    DivFloat,
    /// The second if it is less than the first or the first is NaN, else the first.
    Min,
    /// The second if it is greater than the first or the first is NaN, else the first.
    Max,
}

/// An expression; operands have smaller indices than the operator.
///
/// Numbers are doubles; where a dialect has 32-bit integers and floats, doubles hold them exactly. A truth used as a number
/// counts 1 or 0; a number used as a truth is true unless it equals zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Number(f64),
    /// A truth.
    Truth(bool),
    /// What the host answers: index in [`Module::sites`](super::Module::sites).
    Query(u32),
    /// A variable of the agent: index in [`Module::slots`](super::Module::slots). A truth if it is a bit.
    Slot(u16),
    /// A variable of a group or the world: index in [`Module::shared`](super::Module::shared). A truth if it is a bit.
    Shared(u16),
    /// The time of the tick, as a 32-bit integer: saturates.
    Now,
    /// A number from 0 up to 1, drawn anew each tick, by its number below
    /// [`Module::draws`](super::Module::draws).
    Draw(u16),
    /// Time since the moment that a slot of kind [`Moment`](super::SlotKind::Moment) notes; NaN if the
    /// slot notes none.
    Since(u16),
    /// Truth that a slot of kind [`Moment`](super::SlotKind::Moment) has ever noted a moment.
    Noted(u16),
    /// Truth that the time has come to the moment in a slot of kind
    /// [`Moment`](super::SlotKind::Moment), which is not negative.
    Reached(u16),
    /// Whether a number is anything but zero; NaN is.
    NotZero(u32),
    /// 1 for true, 0 for false.
    OneIf(u32),
    /// Logical negation.
    Not(u32),
    /// An operation on a number.
    Unary(Unary, u32),
    /// An operator with a truth; the operands are evaluated from left to right.
    Binary(Binary, u32, u32),
    /// An operator with a number; the operands are evaluated from left to right.
    Arithmetic(Arithmetic, u32, u32),
}
