//! Ranges of numbers: the values that an expression can have.
//!
//! A range holds the least and the greatest number, and if NaN is possible. Every operation returns
//! a range that contains all results for operands in the given ranges; it may contain more.

use pleach_compile::internals::ir::{Arithmetic, Binary, Math};

/// Numbers from `low` to `high`, and perhaps NaN. There is no number if `low` is above `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Least number.
    pub low: f64,
    /// Greatest number.
    pub high: f64,
    /// True if NaN is possible.
    pub nan: bool,
}

impl Range {
    /// All numbers and NaN.
    pub const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
    /// All 32-bit integers.
    pub const INT: Self = Self { low: i32::MIN as f64, high: i32::MAX as f64, nan: false };
    /// Values of a condition.
    pub const TRUTH: Self = Self { low: 0.0, high: 1.0, nan: false };

    /// Returns a range without NaN.
    #[must_use]
    pub fn new(low: f64, high: f64) -> Self {
        Self { low, high, nan: false }
    }

    /// Returns the range of one number.
    #[must_use]
    pub fn point(number: f64) -> Self {
        if number.is_nan() {
            Self { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true }
        } else {
            Self::new(number, number)
        }
    }

    /// Returns the range of a condition with this value, if it is known.
    #[must_use]
    pub fn of_truth(value: Option<bool>) -> Self {
        value.map_or(Self::TRUTH, |value| Self::point(f64::from(u8::from(value))))
    }

    /// Returns the value as a condition, if all numbers of the range have the same. Every number
    /// but zero is true, and so is NaN.
    #[must_use]
    pub fn truth(self) -> Option<bool> {
        if self.low > 0.0 || self.high < 0.0 {
            Some(true)
        } else if self == Self::point(0.0) {
            Some(false)
        } else {
            None
        }
    }

    /// Returns true if the number is in the range.
    #[must_use]
    pub fn contains(self, number: f64) -> bool {
        self.low <= number && number <= self.high || number.is_nan() && self.nan
    }

    /// Returns the numbers that are in both ranges.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high), nan: self.nan && other.nan }
    }

    fn is_number(self) -> Option<f64> {
        (self.low == self.high && !self.nan).then_some(self.low)
    }

    /// Returns the range as 32-bit integers: truncated, saturated, NaN as 0.
    #[must_use]
    pub fn to_int(self) -> Self {
        let int = |number: f64| f64::from(number as i32);
        let (mut low, mut high) = (int(self.low), int(self.high));
        if self.nan {
            (low, high) = if self.low > self.high { (0.0, 0.0) } else { (low.min(0.0), high.max(0.0)) };
        }
        Self::new(low, high)
    }

    /// Returns the range with each number changed by a function that keeps their order.
    fn map(self, change: impl Fn(f64) -> f64) -> Self {
        if self.low > self.high {
            return self;
        }
        Self { low: change(self.low), high: change(self.high), nan: self.nan }
    }

    /// Returns the range as 32-bit floats.
    #[must_use]
    pub fn to_float(self) -> Self {
        self.map(|number| f64::from(number as f32))
    }

    /// Returns a thousand times the numbers, as integers.
    #[must_use]
    pub fn thousandths(self) -> Self {
        self.map(|number| (number * 1000.0).round()).to_int()
    }

    /// Returns the range with the sign changed.
    #[must_use]
    pub fn negate(self, arithmetic: Arithmetic) -> Self {
        match arithmetic {
            Arithmetic::Int => Self::int_or_wrapped(-self.high, -self.low),
            Arithmetic::Float => Self { low: -self.high, high: -self.low, nan: self.nan },
            Arithmetic::Long | Arithmetic::Double => Self::ALL,
        }
    }

    /// Returns the range without signs.
    #[must_use]
    pub fn magnitude(self, arithmetic: Arithmetic) -> Self {
        match arithmetic {
            Arithmetic::Int if self.low <= Self::INT.low => return Self::INT,
            Arithmetic::Long | Arithmetic::Double => return Self::ALL,
            Arithmetic::Int | Arithmetic::Float => {}
        }
        let spans_zero = self.low <= 0.0 && self.high >= 0.0;
        let [low, high] = [self.low.abs(), self.high.abs()];
        let least = if spans_zero { 0.0 } else { low.min(high) };
        if self.low > self.high { self } else { Self { low: least, high: low.max(high), nan: self.nan } }
    }

    /// Returns the integers from `low` to `high`, or all integers if some of these do not fit and
    /// wrap around.
    fn int_or_wrapped(low: f64, high: f64) -> Self {
        let fits = low >= Self::INT.low && high <= Self::INT.high;
        if fits { Self::new(low, high) } else { Self::INT }
    }

    /// Returns the results of an operator.
    #[must_use]
    pub fn math(self, operator: Math, arithmetic: Arithmetic, other: Self) -> Self {
        match (operator, arithmetic) {
            (_, Arithmetic::Long | Arithmetic::Double) => Self::ALL,
            (Math::Min, _) => self.least(other),
            (Math::Max, _) => self.negated().least(other.negated()).negated(),
            (_, Arithmetic::Int) => self.to_int().integers(operator, other.to_int()),
            (_, Arithmetic::Float) => self.to_float().floats(operator, other.to_float()),
        }
    }

    fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low, nan: self.nan }
    }

    /// The left operand, or the right one if that is smaller or the left one is NaN.
    fn least(self, other: Self) -> Self {
        let mut high = self.high.min(other.high);
        if self.nan {
            high = high.max(other.high);
        }
        if other.nan {
            high = high.max(self.high);
        }
        Self { low: self.low.min(other.low), high, nan: self.nan && other.nan }
    }

    fn integers(self, operator: Math, other: Self) -> Self {
        match operator {
            Math::Add => Self::int_or_wrapped(self.low + other.low, self.high + other.high),
            Math::Subtract => Self::int_or_wrapped(self.low - other.high, self.high - other.low),
            Math::Multiply => {
                let [low, high] = self.corners(other, |left, right| left * right);
                Self::int_or_wrapped(low, high)
            }
            Math::Divide => {
                // The magnitude never grows.
                let most = self.low.abs().max(self.high.abs());
                Self::new(-most, most).and(Self::INT)
            }
            _ => {
                // The sign is that of the left side, and the magnitude is below that of the right.
                let most = (other.low.abs().max(other.high.abs()) - 1.0).max(0.0);
                Self::new((-most).max(self.low.min(0.0)), most.min(self.high.max(0.0)))
            }
        }
    }

    fn floats(self, operator: Math, other: Self) -> Self {
        if self.low > self.high || other.low > other.high {
            return Self::ALL;
        }
        let [low, high] = match operator {
            Math::Add => self.corners(other, |left, right| single(left, right, |a, b| a + b)),
            Math::Subtract => self.corners(other, |left, right| single(left, right, |a, b| a - b)),
            Math::Multiply => self.corners(other, |left, right| single(left, right, |a, b| a * b)),
            Math::Divide if other.low > 0.0 || other.high < 0.0 => {
                self.corners(other, |left, right| single(left, right, |a, b| a / b))
            }
            _ => return Self::ALL,
        };
        let is_finite =
            [self.low, self.high, other.low, other.high, low, high].iter().all(|it| it.is_finite());
        if is_finite { Self { low, high, nan: self.nan || other.nan } } else { Self::ALL }
    }

    /// Returns the least and the greatest result of an operator for the ends of two ranges.
    fn corners(self, other: Self, operator: impl Fn(f64, f64) -> f64) -> [f64; 2] {
        let lefts = [self.low, self.low, self.high, self.high];
        let rights = [other.low, other.high, other.low, other.high];
        let results = [0, 1, 2, 3].map(|corner| operator(lefts[corner], rights[corner]));
        let fold = |pick: fn(f64, f64) -> f64| results.iter().copied().reduce(pick).unwrap_or(f64::NAN);
        if results.iter().any(|result| result.is_nan()) {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        [fold(f64::min), fold(f64::max)]
    }

    /// Returns the integers from those of `self` to those of `last`.
    #[must_use]
    pub fn between(self, last: Self) -> Self {
        let [first, last] = [self.to_int(), last.to_int()];
        Self::new(first.low, first.high.max(last.high))
    }

    /// Returns the result of a comparison or logical operator, if it is always the same.
    #[must_use]
    pub fn compare(self, operator: Binary, other: Self) -> Option<bool> {
        match operator {
            Binary::Less => self.below(other),
            Binary::GreaterEqual => other.below_or_equal(self),
            Binary::Greater => other.below(self),
            Binary::LessEqual => self.below_or_equal(other),
            Binary::Equal => self.equals(other),
            Binary::NotEqual => self.equals(other).map(|equal| !equal),
            Binary::And => match (self.truth(), other.truth()) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Binary::Or => match (self.truth(), other.truth()) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }

    fn below(self, other: Self) -> Option<bool> {
        // A comparison with NaN is false.
        if self.low >= other.high {
            return Some(false);
        }
        (self.high < other.low && !self.nan && !other.nan).then_some(true)
    }

    fn below_or_equal(self, other: Self) -> Option<bool> {
        if self.low > other.high {
            return Some(false);
        }
        (self.high <= other.low && !self.nan && !other.nan).then_some(true)
    }

    fn equals(self, other: Self) -> Option<bool> {
        if self.high < other.low || other.high < self.low {
            return Some(false);
        }
        (self.is_number().is_some() && self.is_number() == other.is_number()).then_some(true)
    }
}

/// Returns the result of an operation on 32-bit floats.
fn single(left: f64, right: f64, operator: fn(f32, f32) -> f32) -> f64 {
    operator(left as f32, right as f32).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(low: i32, high: i32) -> Range {
        Range::new(low.into(), high.into())
    }

    #[test]
    fn integers_that_may_wrap_can_be_anything() {
        let [small, large] = [int(0, 255), int(0, i32::MAX)];
        assert_eq!(small.math(Math::Add, Arithmetic::Int, small), int(0, 510));
        assert_eq!(large.math(Math::Add, Arithmetic::Int, small), Range::INT);
        assert_eq!(int(-7, 5).math(Math::Remainder, Arithmetic::Int, int(3, 3)), int(-2, 2));
        assert_eq!(int(i32::MIN, 0).magnitude(Arithmetic::Int), Range::INT);
        assert_eq!(int(-3, 2).magnitude(Arithmetic::Int), int(0, 3));
    }

    #[test]
    fn a_comparison_with_nan_is_not_known_to_be_true() {
        let number = Range { low: 0.0, high: 1.0, nan: true };
        assert_eq!(number.compare(Binary::Less, Range::point(2.0)), None);
        assert_eq!(number.compare(Binary::Greater, Range::point(2.0)), Some(false));
        assert_eq!(number.compare(Binary::NotEqual, Range::point(2.0)), Some(true));
        assert_eq!(Range::point(f64::NAN).compare(Binary::Equal, number), Some(false));
    }

    #[test]
    fn the_lesser_of_nan_and_a_number_is_the_number() {
        let (nan, one) = (Range::point(f64::NAN), Range::point(1.0));
        assert_eq!(nan.math(Math::Min, Arithmetic::Float, one), one);
        assert_eq!(one.math(Math::Max, Arithmetic::Float, nan), one);
        assert_eq!(Range::ALL.math(Math::Max, Arithmetic::Float, one).low, 1.0);
    }
}
