//! What the places want that values stand in, and what they make of them.

use super::super::syntax::{Operator, Type, Unit, Write};
use super::operate::Exprs;
use super::{Value, type_of};
use crate::ast::{self, How, Scope, VariableKind};

/// The most that a count or a weight can be.
pub(in super::super) const MOST: i32 = 65_535;
/// Units of time in a second.
const SECOND: i64 = 1000;
/// The longest wait in ticks.
const MOST_TICKS: i64 = 65_535;

/// Why a value does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Misfit {
    /// It should be of this type.
    Type(Type),
    /// It is too small or too large; for a duration, what it can be at most.
    Range(&'static str),
    /// The variable cannot be written so: what is wrong, and what to do.
    Write(&'static str, &'static str),
}

/// A number of a unit as units of time, or as ticks.
pub(in super::super) fn duration(value: Value, unit: Unit) -> Result<i32, Misfit> {
    let length = match (value, unit) {
        (Value::Int(value), Unit::Seconds) => i64::from(value) * SECOND,
        (Value::Int(value), _) => i64::from(value),
        (Value::Float(value), Unit::Seconds) if value.is_nan() => return Err(Misfit::Range("2147483 s")),
        // What is too large becomes the nearest integer.
        (Value::Float(value), Unit::Seconds) => (f64::from(value) * SECOND as f64).round() as i64,
        (Value::Open(Type::Int), _) | (Value::Open(Type::Float), Unit::Seconds) | (Value::Wrong, _) => 0,
        (_, Unit::Seconds) => return Err(Misfit::Type(Type::Number)),
        _ => return Err(Misfit::Type(Type::Int)),
    };
    let (most, what) = match unit {
        Unit::Ticks => (MOST_TICKS, "65535 ticks"),
        Unit::Time => (i64::from(i32::MAX), "2147483647 ms"),
        Unit::Seconds => (i64::from(i32::MAX), "2147483 s"),
    };
    if (0..=most).contains(&length) { Ok(length as i32) } else { Err(Misfit::Range(what)) }
}

/// A constant that must be an int within bounds. Where it is not known yet, the least one stands for it.
pub(in super::super) fn number(value: Value, least: i32, most: i32) -> Result<i32, Misfit> {
    match value {
        Value::Int(value) if (least..=most).contains(&value) => Ok(value),
        Value::Int(_) => Err(Misfit::Range("")),
        Value::Open(Type::Int) | Value::Wrong => Ok(least),
        _ => Err(Misfit::Type(Type::Int)),
    }
}

/// What a narrow variable can hold, if it is one: its type, the least and the most.
pub(in super::super) fn bounds(kind: VariableKind) -> Option<(&'static str, i32, i32)> {
    match kind {
        VariableKind::Int8 => Some(("int8", -128, 127)),
        VariableKind::Uint8 => Some(("uint8", 0, 255)),
        VariableKind::Int16 => Some(("int16", -32_768, 32_767)),
        VariableKind::Uint16 => Some(("uint16", 0, 65_535)),
        VariableKind::Bool | VariableKind::Int | VariableKind::Float | VariableKind::Moment => None,
    }
}

/// The value of an argument as its parameter wants it; `None` if it is of another type, or wrong.
#[inline]
pub(in super::super) fn argument(value: Value, wanted: Type) -> Option<Value> {
    if value.ty()? == wanted { Some(value) } else { converted(value, wanted) }
}

/// The same of a value of another type.
#[inline(never)]
fn converted(value: Value, wanted: Type) -> Option<Value> {
    Some(match (value, value.ty()?, wanted) {
        (_, Type::Int | Type::Float, Type::Number) => value,
        (Value::Int(value), _, Type::Float) => Value::Float(value as f32),
        (Value::Open(_), Type::Int, Type::Float) => Value::Open(Type::Float),
        (Value::Variable(variable, _), Type::Int, Type::Float) => Value::Widened(variable),
        // It cannot be passed, whatever its type.
        (Value::Computed(..), Type::Int, Type::Float) => value,
        _ => return None,
    })
}

/// The value of an argument as the host gets it; `None` if it is not known before the tree runs.
#[inline]
pub(in super::super) fn passed(value: Value) -> Option<ast::Value> {
    Some(match value {
        Value::Int(value) => ast::Value::Int(value),
        Value::Float(value) => ast::Value::Float(value),
        Value::Variable(variable, _) => ast::Value::Variable(variable),
        value => return rarely_passed(value),
    })
}

/// The same of less usual values, apart so that no jump depends on which of the usual ones it is.
#[cold]
fn rarely_passed(value: Value) -> Option<ast::Value> {
    Some(match value {
        Value::Truth(value) => ast::Value::Int(value.into()),
        Value::Text(value) => ast::Value::Text(value),
        Value::Widened(variable) => ast::Value::Variable(variable),
        Value::Computed(..) => return None,
        _ => ast::Value::Int(0),
    })
}

impl Exprs<'_> {
    /// What a `set` writes to a variable, and how.
    #[inline]
    pub(in super::super) fn write(
        &mut self,
        target: Target,
        write: Write,
        value: Value,
    ) -> Result<(Value, How), Misfit> {
        let ty = type_of(target.kind);
        if write != Write::Assign && ty == Type::Bool {
            return Err(Misfit::Write("a bool has no arithmetic", "`set NAME = VALUE` writes it"));
        }
        if target.scope != Scope::Agent {
            return self.tell(target, write, value);
        }
        let value = self.as_type(value, ty).ok_or(Misfit::Type(ty))?;
        let old = Value::Variable(target.variable, ty);
        let operator = match write {
            _ if value.ty().is_none() => return Ok((Value::Wrong, How::Assign)),
            Write::Assign => return Ok((value, How::Assign)),
            Write::Min => return Ok((self.extreme(false, old, value), How::Assign)),
            Write::Max => return Ok((self.extreme(true, old, value), How::Assign)),
            Write::Add => Operator::Add,
            Write::Subtract => Operator::Subtract,
            Write::Multiply => Operator::Multiply,
            Write::Divide => Operator::Divide,
        };
        Ok((self.arithmetic(operator, ty, old, value), How::Assign))
    }

    /// What is told to a variable that agents share.
    fn tell(&mut self, target: Target, write: Write, value: Value) -> Result<(Value, How), Misfit> {
        let how = match write {
            Write::Assign => How::Assign,
            Write::Min => How::Min,
            Write::Max => How::Max,
            Write::Add | Write::Subtract => How::Add,
            Write::Multiply | Write::Divide => {
                let help = "what agents share knows `=`, `+=`, `-=`, `min=` and `max=`, as their order must not matter";
                return Err(Misfit::Write("only an agent's own variable can be multiplied", help));
            }
        };
        if how == How::Add && target.kind == VariableKind::Float {
            let help = "a sum of floats depends on the order of agents; use an int, or `min=` and `max=`";
            return Err(Misfit::Write("nothing can be added to a float that agents share", help));
        }
        let ty = type_of(target.kind);
        let value = self.as_type(value, ty).ok_or(Misfit::Type(ty))?;
        if write != Write::Subtract {
            return Ok((value, how));
        }
        // Of a number, which it is: so nothing can be wrong.
        Ok((self.negate(value).unwrap_or(Value::Wrong), how))
    }
}

/// A variable that a `set` writes to.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Target {
    /// Its index.
    pub(in super::super) variable: u32,
    /// What it holds.
    pub(in super::super) kind: VariableKind,
    /// Whose it is.
    pub(in super::super) scope: Scope,
}
