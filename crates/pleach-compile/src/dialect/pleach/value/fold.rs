//! Arithmetic on constants, with the results that the runtime would compute.

use super::super::lexer::Operator;
use super::super::syntax::Type;
use super::Value;
use crate::ast::{Binary, Math};
use core::cmp::Ordering;

/// Applies an operator to two constants of one type.
pub(in super::super) fn constant(operator: Operator, ty: Type, left: Value, right: Value) -> Value {
    match (operator, left, right) {
        (Operator::Math(math), Value::Int(a), Value::Int(b)) => Value::Int(int(math, a, b)),
        (Operator::Math(math), Value::Float(a), Value::Float(b)) => Value::Float(float(math, a, b)),
        (Operator::Math(math), Value::Int64(a), Value::Int64(b)) => Value::Int64(long(math, a, b)),
        (Operator::Math(math), Value::Double(a), Value::Double(b)) => Value::Double(double(math, a, b)),
        (Operator::Math(_), ..) => Value::Open(ty),
        (Operator::Truth(binary), ..) => {
            let order = match (left, right) {
                (Value::Int(a), Value::Int(b)) => a.partial_cmp(&b),
                (Value::Float(a), Value::Float(b)) => a.partial_cmp(&b),
                (Value::Int64(a), Value::Int64(b)) => a.partial_cmp(&b),
                (Value::Double(a), Value::Double(b)) => a.partial_cmp(&b),
                (Value::Nobody, Value::Nobody) => Some(Ordering::Equal),
                (Value::Truth(a), Value::Truth(b)) => a.partial_cmp(&b),
                (Value::Member(_, a), Value::Member(_, b)) => a.partial_cmp(&b),
                _ => return Value::Open(Type::Bool),
            };
            Value::Truth(compare(binary, order))
        }
    }
}

macro_rules! integers {
    ($(#[$doc:meta])* $name:ident $ty:ty) => {
        $(#[$doc])*
        fn $name(math: Math, a: $ty, b: $ty) -> $ty {
            match math {
                Math::Add => a.wrapping_add(b),
                Math::Subtract => a.wrapping_sub(b),
                Math::Multiply => a.wrapping_mul(b),
                Math::Divide | Math::Remainder if b == 0 => 0,
                Math::Divide => a.wrapping_div(b),
                Math::Remainder => a.wrapping_rem(b),
                Math::Min => a.min(b),
                Math::Max => a.max(b),
            }
        }
    };
}

macro_rules! floats {
    ($(#[$doc:meta])* $name:ident $ty:ident) => {
        $(#[$doc])*
        fn $name(math: Math, a: $ty, b: $ty) -> $ty {
            match math {
                Math::Add => a + b,
                Math::Subtract => a - b,
                Math::Multiply => a * b,
                Math::Divide => a / b,
                Math::Remainder => $ty::NAN,
                Math::Min if a.is_nan() || b < a => b,
                Math::Max if a.is_nan() || b > a => b,
                Math::Min | Math::Max => a,
            }
        }
    };
}

integers! {
    /// An operator on ints; wraps, truncates, and gives 0 for division by zero.
    int i32
}
integers! {
    /// An operator on ints of 64 bits, as [`int`].
    long i64
}
floats! {
    /// An operator on floats.
    float f32
}
floats! {
    /// An operator on doubles.
    double f64
}

/// A comparison, by how the left value stands to the right; NaN stands to nothing.
pub(in super::super) fn compare(binary: Binary, order: Option<Ordering>) -> bool {
    match binary {
        Binary::Less => order == Some(Ordering::Less),
        Binary::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Binary::Greater => order == Some(Ordering::Greater),
        Binary::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        Binary::Equal => order == Some(Ordering::Equal),
        _ => order != Some(Ordering::Equal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints_have_no_trap() {
        assert_eq!(int(Math::Add, i32::MAX, 1), i32::MIN);
        assert_eq!(int(Math::Divide, -7, 2), -3);
        assert_eq!(int(Math::Remainder, -7, 2), -1);
        assert_eq!((int(Math::Divide, 1, 0), int(Math::Remainder, 1, 0)), (0, 0));
        assert_eq!(int(Math::Divide, i32::MIN, -1), i32::MIN);
        assert_eq!(int(Math::Remainder, i32::MIN, -1), 0);
    }

    #[test]
    fn nan_is_less_than_nothing() {
        let order = f32::NAN.partial_cmp(&1.0);
        let operators = [Binary::Less, Binary::GreaterEqual, Binary::Equal, Binary::NotEqual];
        assert_eq!(operators.map(|operator| compare(operator, order)), [false, false, false, true]);
        assert_eq!(float(Math::Min, f32::NAN, 1.0), 1.0);
        assert!(float(Math::Min, 1.0, f32::NAN) == 1.0 && float(Math::Max, 1.0, f32::NAN) == 1.0);
    }
}
