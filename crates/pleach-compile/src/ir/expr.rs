//! Expressions.

use crate::ast::{Arithmetic, Binary, Bits, Function, Math, Spelling};

/// An expression; operands have smaller indices than the operator.
///
/// Numbers are doubles, which hold the 32-bit integers and floats of dialects exactly. A 64-bit
/// integer or an entity is a word, which is no number. A boolean used as a number is 1 or 0. A
/// number used as a boolean is true unless it equals zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Number(f64),
    /// A 64-bit integer or an entity.
    Word(u64),
    /// A boolean.
    Truth(bool),
    /// Answer of the host to a query: index in [`Module::sites`](super::Module::sites).
    Query(u32),
    /// Value of a slot after the host was asked a query that writes it: index in
    /// [`Module::sites`](super::Module::sites), and in [`Module::slots`](super::Module::slots).
    Asked(u32, u16),
    /// A variable of the agent: index in
    /// [`Module::slots`](super::Module::slots). A boolean if it is a bit.
    Slot(u16),
    /// A variable of a group or the world: index in
    /// [`Module::shared`](super::Module::shared). A boolean if it is a bit.
    Shared(u16),
    /// The time of the tick, as a 32-bit integer: saturates.
    Now,
    /// A number from 0 up to 1, drawn anew each tick, by its number below
    /// [`Module::draws`](super::Module::draws).
    Draw(u16),
    /// Time since the moment that a slot of kind [`Moment`](super::SlotKind::Moment) notes; NaN if
    /// the slot notes none.
    Since(u16),
    /// True if a slot of kind [`Moment`](super::SlotKind::Moment) has ever noted a time.
    Noted(u16),
    /// True if the time has reached that of a slot of kind
    /// [`Moment`](super::SlotKind::Moment), which is not negative.
    Reached(u16),
    /// Logical negation.
    Not(u32),
    /// An operator with a boolean result. The operands are evaluated from left to right.
    Binary(Binary, u32, u32),
    /// A comparison of two words.
    CompareWords(Binary, u32, u32),
    /// A text, as its number: index in [`Module::texts`](super::Module::texts).
    Text(u32),
    /// Order of the bytes of two texts, by their numbers: -1, 0 or 1.
    Order(u32, u32),
    /// The number that a text spells, by the number of the text; NaN if it spells none.
    Spelled(Spelling, u32),
    /// Two words, bit by bit.
    Bits(Bits, u32, u32),
    /// An operator with a number; the operands are evaluated from left to right. There is no
    /// remainder of floats.
    Math(Math, Arithmetic, u32, u32),
    /// A function of a number.
    Apply(Function, u32),
    /// A float to the power of another.
    Power(u32, u32),
    /// The smooth step of a float from 0 at the second one to 1 at the third one.
    Smooth(u32, u32, u32),
    /// The value at a float of a curve: index in [`Module::curves`](super::Module::curves).
    Curve(u32, u32),
    /// The number with its sign changed. Integers wrap.
    Negate(Arithmetic, u32),
    /// The number without its sign. Integers wrap.
    Magnitude(Arithmetic, u32),
    /// The number as a 32-bit integer: truncated toward zero, saturated; NaN counts 0.
    ToInt(u32),
    /// The number as the nearest 32-bit float.
    ToFloat(u32),
    /// The number as a 64-bit integer: truncated toward zero, saturated; NaN counts 0.
    ToLong(u32),
    /// A 64-bit integer as the nearest number.
    FromLong(u32),
    /// A thousand times the number, as the nearest 32-bit integer: a half away from zero,
    /// saturated; NaN counts 0.
    Thousandths(u32),
    /// A 32-bit integer from the first number to the second, both included, by a third from 0 up to
    /// 1. The first number if the second is less.
    Between(u32, u32, u32),
    /// The second expression, in which the value of the first has a name: the index of the first,
    /// which is evaluated once.
    Let(u32, u32),
    /// The number that a [`Self::Let`] around the expression has named.
    Bound(u32),
    /// 1 for true, 0 for false.
    FromTruth(u32),
    /// True unless the number equals zero; true for NaN.
    ToTruth(u32),
}

impl Expr {
    /// Returns the operands, from left to right.
    pub fn operands(self) -> impl Iterator<Item = u32> {
        let operands = match self {
            Self::Number(_)
            | Self::Word(_)
            | Self::Truth(_)
            | Self::Text(_)
            | Self::Query(_)
            | Self::Asked(..)
            | Self::Slot(_)
            | Self::Shared(_)
            | Self::Now
            | Self::Draw(_)
            | Self::Since(_)
            | Self::Noted(_)
            | Self::Reached(_)
            | Self::Bound(_) => [None; 3],
            Self::Not(one)
            | Self::Spelled(_, one)
            | Self::Apply(_, one)
            | Self::Curve(one, _)
            | Self::Negate(_, one)
            | Self::Magnitude(_, one)
            | Self::ToInt(one)
            | Self::ToFloat(one)
            | Self::ToLong(one)
            | Self::FromLong(one)
            | Self::Thousandths(one)
            | Self::FromTruth(one)
            | Self::ToTruth(one) => [Some(one), None, None],
            Self::Binary(_, one, two)
            | Self::CompareWords(_, one, two)
            | Self::Order(one, two)
            | Self::Bits(_, one, two)
            | Self::Math(_, _, one, two)
            | Self::Power(one, two)
            | Self::Let(one, two) => [Some(one), Some(two), None],
            Self::Smooth(one, two, three) | Self::Between(one, two, three) => [one, two, three].map(Some),
        };
        operands.into_iter().flatten()
    }
}

/// Returns for each expression if the host is asked in it.
#[must_use]
pub fn asking(exprs: &[Expr]) -> Vec<bool> {
    let mut asking: Vec<bool> = Vec::with_capacity(exprs.len());
    for expr in exprs {
        let asks = matches!(expr, Expr::Query(_) | Expr::Asked(..));
        asking.push(asks || expr.operands().any(|operand| asking[operand as usize]));
    }
    asking
}
