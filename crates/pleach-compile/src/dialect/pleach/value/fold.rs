//! Arithmetic on constants: what the machine would compute, computed now.

use super::super::syntax::Operator;
use core::cmp::Ordering;

/// An operator on ints that gives an int; wraps, truncates, and gives 0 for division by zero.
pub(super) fn int(operator: Operator, a: i32, b: i32) -> i32 {
    match operator {
        Operator::Add => a.wrapping_add(b),
        Operator::Subtract => a.wrapping_sub(b),
        Operator::Multiply => a.wrapping_mul(b),
        Operator::Divide if b != 0 => a.wrapping_div(b),
        Operator::Remainder if b != 0 => a.wrapping_rem(b),
        _ => 0,
    }
}

/// An operator on floats that gives a float.
pub(super) fn float(operator: Operator, a: f32, b: f32) -> f32 {
    match operator {
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Divide => a / b,
        _ => f32::NAN,
    }
}

/// A comparison, by how the left value stands to the right; NaN stands to nothing.
pub(super) fn compare(operator: Operator, order: Option<Ordering>) -> bool {
    match operator {
        Operator::Less => order == Some(Ordering::Less),
        Operator::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Operator::Greater => order == Some(Ordering::Greater),
        Operator::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        Operator::Equal => order == Some(Ordering::Equal),
        _ => order != Some(Ordering::Equal),
    }
}

/// `min`, or `max` if `largest`.
pub(super) fn extreme<T: PartialOrd>(largest: bool, a: T, b: T) -> T {
    let wanted = if largest { Ordering::Greater } else { Ordering::Less };
    let a_is_nan = a.partial_cmp(&a).is_none();
    if a_is_nan || b.partial_cmp(&a) == Some(wanted) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints_have_no_trap() {
        assert_eq!(int(Operator::Add, i32::MAX, 1), i32::MIN);
        assert_eq!(int(Operator::Divide, -7, 2), -3);
        assert_eq!(int(Operator::Remainder, -7, 2), -1);
        assert_eq!((int(Operator::Divide, 1, 0), int(Operator::Remainder, 1, 0)), (0, 0));
        assert_eq!(int(Operator::Divide, i32::MIN, -1), i32::MIN);
        assert_eq!(int(Operator::Remainder, i32::MIN, -1), 0);
    }

    #[test]
    fn nan_is_less_than_nothing() {
        let order = f32::NAN.partial_cmp(&1.0);
        let operators = [Operator::Less, Operator::GreaterEqual, Operator::Equal, Operator::NotEqual];
        assert_eq!(operators.map(|operator| compare(operator, order)), [false, false, false, true]);
        assert_eq!(extreme(false, f32::NAN, 1.0), 1.0);
        assert!(extreme(false, 1.0, f32::NAN) == 1.0 && extreme(true, 1.0, f32::NAN) == 1.0);
    }
}
