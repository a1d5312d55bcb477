//! Conditions as boxes.

use super::mind::Mind;
use super::node::Walk;
use crate::scripted::leaves::argument;
use pleach::Value;
use pleach_compile::internals::ast::Binary;

/// Function of the game with its first argument, which is all that the game looks at.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) function: u32,
    pub(super) argument: Argument,
}

/// Argument of a function.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    /// Number that stands for a constant.
    Constant(u32),
    /// Slot of a boolean variable.
    Truth(usize),
    /// Slot of a variable that holds an integer.
    Number(usize),
    /// Slot of a variable that holds a float.
    Fraction(usize),
}

impl Site {
    /// Returns the number that stands for the argument.
    #[inline]
    pub(super) fn argument(&self, mind: &Mind) -> u32 {
        let value = match self.argument {
            Argument::Constant(number) => return number,
            Argument::Truth(slot) => Value::Int(mind.bits[slot].into()),
            Argument::Number(slot) => Value::Int(mind.numbers[slot] as i32),
            Argument::Fraction(slot) => Value::Float(mind.numbers[slot] as f32),
        };
        argument(Some(value))
    }
}

/// Expression. Its value is a number; a boolean is 1 or 0.
#[derive(Debug)]
pub(super) enum Expression {
    Number(f64),
    /// Answer of the game.
    Query(Site),
    /// Boolean variable.
    Bit(usize),
    /// Variable that holds a number.
    Variable(usize),
    Now,
    /// Time since the moment of a slot.
    Since(usize),
    /// 1 if a slot has ever noted a moment.
    Noted(usize),
    /// 1 if the moment of a slot has come.
    Reached(usize),
    /// 1 if the operand is anything but zero.
    Truth(Box<Expression>),
    Not(Box<Expression>),
    Binary(Binary, Box<[Expression; 2]>),
}

impl Expression {
    /// Returns true if the value is anything but zero.
    pub(super) fn holds<const TRACE: bool>(&self, walk: &mut Walk<'_, TRACE>) -> bool {
        match self {
            Self::Bit(slot) => walk.mind.bits[*slot],
            Self::Noted(slot) => walk.mind.moments[*slot] != 0,
            Self::Reached(slot) => {
                let moment = walk.mind.moments[*slot];
                moment >= 0 && walk.now >= moment
            }
            Self::Truth(operand) => operand.holds(walk),
            Self::Not(operand) => !operand.holds(walk),
            Self::Binary(Binary::And, sides) => sides[0].holds(walk) && sides[1].holds(walk),
            Self::Binary(Binary::Or, sides) => sides[0].holds(walk) || sides[1].holds(walk),
            Self::Binary(comparison, sides) => {
                let left = sides[0].number(walk);
                let right = sides[1].number(walk);
                compare(*comparison, left, right)
            }
            Self::Number(_) | Self::Query(_) | Self::Variable(_) | Self::Now | Self::Since(_) => {
                self.number(walk) != 0.0
            }
        }
    }

    /// Returns the value as a number.
    #[inline]
    pub(super) fn number<const TRACE: bool>(&self, walk: &mut Walk<'_, TRACE>) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Query(site) => walk.ask(site),
            Self::Variable(slot) => walk.mind.numbers[*slot],
            Self::Now => walk.now.clamp(i32::MIN.into(), i32::MAX.into()) as f64,
            Self::Since(slot) => match walk.mind.moments[*slot] {
                0 | 1 => f64::NAN,
                moment => (walk.now - (moment - 2)) as f64,
            },
            Self::Bit(_)
            | Self::Noted(_)
            | Self::Reached(_)
            | Self::Truth(_)
            | Self::Not(_)
            | Self::Binary(..) => f64::from(u8::from(self.holds(walk))),
        }
    }
}

/// Compares two numbers. The logical operators are decided before.
fn compare(comparison: Binary, left: f64, right: f64) -> bool {
    match comparison {
        Binary::Less => left < right,
        Binary::LessEqual => left <= right,
        Binary::Greater => left > right,
        Binary::GreaterEqual => left >= right,
        Binary::Equal => left == right,
        Binary::NotEqual => left != right,
        Binary::And | Binary::Or => unreachable!("the right side may not be asked"),
    }
}
