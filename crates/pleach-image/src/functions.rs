//! Functions of numbers that have the same bits on every machine.
//!
//! The functions of a standard library differ between systems in their last bits. These consist of
//! additions, multiplications and divisions of IEEE 754 alone, each rounded by itself, in an order
//! that is part of the function.

/// Upper and lower part of the natural logarithm of 2. The upper part has so few digits that its
/// product with an exponent is exact.
const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// Greatest argument of [`exp`] whose result is finite, and the least whose result is not zero.
const EXP: [f64; 2] = [709.78, -745.13];

/// Returns the square root, rounded to the nearest double; NaN for a number below zero.
#[must_use]
#[inline]
pub fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    {
        // IEEE 754 demands the nearest double.
        x.sqrt()
    }
    #[cfg(not(feature = "std"))]
    portable_sqrt(x)
}

/// Returns the square root as [`sqrt`] does, by integers.
#[cfg(any(test, not(feature = "std")))]
fn portable_sqrt(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 || x.is_infinite() {
        return if x < 0.0 { f64::NAN } else { x };
    }
    let (mantissa, exponent) = parts(x);
    // The exponent must be even, and the root must have more bits than a double.
    let shift = 72 + (exponent & 1);
    let wide = u128::from(mantissa) << shift;
    let root = wide.isqrt();
    let sticky = u128::from(root * root != wide);
    scaled((root | sticky) as f64, (exponent - shift) / 2)
}

/// Returns the integer of 53 bits and the power of two whose product is a number above zero.
fn parts(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
    if exponent > 0 {
        return (fraction | 1 << 52, exponent - 1075);
    }
    let shift = fraction.leading_zeros() as i32 - 11;
    (fraction << shift, -1074 - shift)
}

/// Returns a number times a power of two. The number is 0 or near 1, or the result is normal.
fn scaled(x: f64, power: i32) -> f64 {
    let two = |power: i32| f64::from_bits(((power + 1023) as u64) << 52);
    let half = power / 2;
    x * two(half) * two(power - half)
}

/// Returns e to the power of a number. The relative error is below 2^-50.
fn exp(x: f64) -> f64 {
    let [most, least] = EXP;
    match x {
        _ if x.is_nan() => return x,
        _ if x > most => return f64::INFINITY,
        _ if x < least => return 0.0,
        _ => {}
    }
    let power = (x * core::f64::consts::LOG2_E + 0.5f64.copysign(x)) as i32;
    let rest = x - f64::from(power) * LN_2[0] - f64::from(power) * LN_2[1];
    let series = (1..=14).rev().fold(1.0, |sum, at| 1.0 + rest / f64::from(at) * sum);
    scaled(series, power)
}

/// Returns the natural logarithm of a finite number above zero. The error is below 2^-50 of the
/// result, or of 1 if that is more.
fn ln(x: f64) -> f64 {
    let (mantissa, exponent) = parts(x);
    let (mut number, mut power) = (mantissa as f64 / (1_u64 << 52) as f64, exponent + 52);
    if number > core::f64::consts::SQRT_2 {
        (number, power) = (number / 2.0, power + 1);
    }
    let ratio = (number - 1.0) / (number + 1.0);
    let square = ratio * ratio;
    let series = (0..=11).rev().fold(0.0, |sum, at| sum * square + 1.0 / f64::from(2 * at + 1));
    f64::from(power) * LN_2[0] + (f64::from(power) * LN_2[1] + 2.0 * ratio * series)
}

/// Returns a float to the power of another, as a float. The result is one of the two floats beside
/// the exact value, and in all but one of a million cases the nearer one. See the language page for
/// zero, infinities and numbers below zero.
#[must_use]
pub fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    // All floats from 2^24 on are even integers.
    let is_whole = y.abs() >= f64::from(1 << 24) || f64::from(y as i32) == y;
    let is_odd = y.abs() < f64::from(1 << 24) && is_whole && y as i32 % 2 != 0;
    let sign = if is_odd && x.is_sign_negative() { -1.0 } else { 1.0 };
    let size = x.abs();
    let size = match size {
        _ if x < 0.0 && !is_whole => f64::NAN,
        _ if y.is_infinite() && size == 1.0 => 1.0,
        _ if size == 0.0 || size.is_infinite() || y.is_infinite() => {
            if (size > 1.0) == (y > 0.0) {
                f64::INFINITY
            } else {
                0.0
            }
        }
        _ => exp(y * ln(size)),
    };
    f64::from((sign * size) as f32)
}

/// Returns 1 / (1 + e^-x) as a float, from 0 to 1. The result is one of the two floats beside the
/// exact value.
#[must_use]
pub fn logistic(x: f64) -> f64 {
    f64::from((1.0 / (1.0 + exp(-x))) as f32)
}

/// Returns the smooth step of a float from 0 at `from` to 1 at `to`: t * (t * (3 - 2 * t)) of
/// t = (x - from) / (to - from), computed with floats, where t is cut to 0 to 1, and NaN is 0.
#[must_use]
pub fn smooth(x: f64, from: f64, to: f64) -> f64 {
    let [x, from, to] = [x, from, to].map(|number| number as f32);
    let part = (x - from) / (to - from);
    let t = if part > 0.0 { part.min(1.0) } else { 0.0 };
    (t * (t * (3.0 - 2.0 * t))).into()
}

/// Returns the next value of a curve: `before` up to `low`, `to` from `high` on, and floats on the
/// line from one to the other between. NaN gives `before`.
#[must_use]
pub fn ramp(x: f64, before: f64, low: f64, high: f64, to: f64) -> f64 {
    if x >= high {
        return to;
    }
    if x > low {
        let [x, before, low, high, to] = [x, before, low, high, to].map(|number| number as f32);
        return (before + (to - before) * ((x - low) / (high - low))).into();
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splitmix::mix;
    use std::vec::Vec;

    /// Numbers of all sizes.
    fn numbers() -> impl Iterator<Item = f64> {
        let edges = [0.0, -0.0, 1.0, -1.0, 2.0, 4.0, 0.25, f64::MIN_POSITIVE, 5e-324, f64::MAX];
        let others = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -3.5, 1e-310, 9_007_199_254_740_993.0];
        edges.into_iter().chain(others).chain((0..200_000).map(|seed| f64::from_bits(mix(seed))))
    }

    #[test]
    fn roots_are_those_of_the_processor() {
        for x in numbers() {
            let (found, must) = (portable_sqrt(x), x.sqrt());
            assert!(found.to_bits() == must.to_bits() || found.is_nan() && must.is_nan(), "{x:e}: {found:e}");
        }
    }

    /// Returns how many floats lie between a number and the nearest float of an exact value.
    fn distance(found: f64, exact: f64) -> u32 {
        let order = |x: f64| {
            let bits = (x as f32).to_bits() as i32;
            if bits < 0 { i32::MIN - bits } else { bits }
        };
        if found.is_nan() && exact.is_nan() { 0 } else { order(found).abs_diff(order(exact)) }
    }

    #[test]
    fn powers_are_those_of_the_standard_library_but_for_the_last_bit() {
        let floats: Vec<f64> =
            numbers().map(|x| f64::from(f32::from_bits((x.to_bits() >> 32) as u32))).collect();
        let small = (0..50_000).map(|seed| (mix(seed) >> 40) as f64 / 65_536.0 - 128.0);
        let floats: Vec<f64> = floats.into_iter().chain(small).collect();
        for pair in floats.windows(2) {
            let (x, y) = (pair[0], pair[1]);
            for x in [x, x.abs()] {
                let must = f64::from(x.powf(y) as f32);
                assert!(distance(pow(x, y), must) <= 1, "{x:e} to {y:e}: {:e}, not {must:e}", pow(x, y));
            }
            let must = f64::from((1.0 / (1.0 + (-x).exp())) as f32);
            assert!(distance(logistic(x), must) <= 1, "{x:e}: {:e}, not {must:e}", logistic(x));
        }
    }

    #[test]
    fn steps_and_curves_pass_through_their_points() {
        let step = |x| smooth(x, 0.0, 1.0);
        assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0, f64::NAN].map(step), [0.0, 0.0, 0.5, 1.0, 1.0, 0.0]);
        let down = |x| smooth(x, 6.0, 2.0);
        assert_eq!([1.0, 2.0, 4.0, 6.0, 7.0].map(down), [1.0, 1.0, 0.5, 0.0, 0.0]);
        let ends = [(3.0, 3.0), (f64::NAN, 1.0), (f64::NEG_INFINITY, f64::INFINITY)];
        assert_eq!(ends.map(|(from, to)| smooth(3.0, from, to)), [0.0; 3]);
        assert_eq!([2.0, 4.0].map(|x| smooth(x, 3.0, 3.0)), [0.0, 1.0]);
        let curve = |x| ramp(x, ramp(x, 1.0, 0.0, 2.0, 3.0), 2.0, 4.0, 0.0);
        assert_eq!([-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 9.0].map(curve), [1.0, 1.0, 2.0, 3.0, 1.5, 0.0, 0.0]);
        assert_eq!([f64::NAN, f64::NEG_INFINITY, f64::INFINITY].map(curve), [1.0, 1.0, 0.0]);
    }
}
