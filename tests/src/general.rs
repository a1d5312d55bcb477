//! Numbers in the form of C's `%g`, which recorded cases use.

/// Returns `value` with `digits` significant digits (at least one), without trailing zeros. Very
/// large and very small numbers are in scientific notation.
///
/// ```
/// # use pleach_tests::general::general;
/// assert_eq!(general(0.5, 6), "0.5");
/// assert_eq!(general(4294967296.0, 6), "4.29497e+09");
/// ```
#[must_use]
pub fn general(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return format!("{value}").to_lowercase();
    }
    // Rounding comes first, because it may change the exponent.
    let rounded = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trim(mantissa), exponent.unsigned_abs())
    } else {
        let decimals = (digits as i32 - 1 - exponent) as usize;
        trim(&format!("{value:.decimals$}")).to_owned()
    }
}

/// Removes the zeros at the end of a fraction.
fn trim(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}
