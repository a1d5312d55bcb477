//! Values of numbers.

use super::{Lexeme, scan};

/// Error in a number.
pub(super) struct Problem {
    /// End of the text that looks like the number.
    pub(super) end: usize,
    pub(super) message: String,
    pub(super) help: String,
}

/// The largest magnitude: that of the least int64, which needs a minus before
/// it. The parser sees to that.
const LARGEST: u64 = 1 << 63;

/// Returns the value of the number from `start` to `end`: the bits of a float, or the magnitude of
/// an int. If that has more than 32 bits, the largest number stands for it.
pub(super) fn value(text: &[u8], start: usize, end: usize, lexeme: Lexeme) -> Result<u32, Problem> {
    let unit = scan::word(text, end);
    let is_unit = matches!(&text[end..unit], b"" | b"s" | b"ms" | b"ticks");
    if !is_unit || unit == end && text.get(end) == Some(&b'.') && text.get(end + 1) != Some(&b'.') {
        return Err(malformed(text, start, end));
    }
    if lexeme == Lexeme::Float { float(&text[start..end], end) } else { int(&text[start..end], end) }
}

fn int(digits: &[u8], end: usize) -> Result<u32, Problem> {
    if matches!(digits, [b'0', b'x' | b'X']) {
        let help = "write digits after `0x`, such as `0x1f`".to_owned();
        return Err(Problem { end, message: "a hexadecimal number without digits".to_owned(), help });
    }
    if let Some(value) = magnitude(digits) {
        return Ok(u32::try_from(value).unwrap_or(u32::MAX));
    }
    let message = "this number does not fit 64 bits".to_owned();
    let help = "an int64 is at most 9223372036854775807; with `.0` at its end it would be a float".to_owned();
    Err(Problem { end, message, help })
}

/// Returns the magnitude of an int of at most 64 bits.
pub(in super::super) fn magnitude(digits: &[u8]) -> Option<u64> {
    let (digits, base) = match digits {
        [b'0', b'x' | b'X', rest @ ..] => (rest, 16),
        _ => (digits, 10),
    };
    let digit = |digit: &u8| u64::from(char::from(*digit).to_digit(base).unwrap_or_default());
    let mut digits = digits.iter().map(digit);
    let value = digits.try_fold(0_u64, |value, digit| value.checked_mul(base.into())?.checked_add(digit));
    value.filter(|value| *value <= LARGEST)
}

/// Returns the bits of the nearest float. That of a double that is too large for a float is
/// infinite.
fn float(digits: &[u8], end: usize) -> Result<u32, Problem> {
    let value: f64 = core::str::from_utf8(digits).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN);
    if value.is_finite() {
        let text = core::str::from_utf8(digits).unwrap_or_default();
        return Ok(text.parse::<f32>().unwrap_or(f32::INFINITY).to_bits());
    }
    let message = "this number is too large for a double".to_owned();
    Err(Problem { end, message, help: "a double is at most about 1.8e308".to_owned() })
}

/// A number that letters or dots follow.
#[cold]
fn malformed(text: &[u8], start: usize, end: usize) -> Problem {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let end = end + text[end..].iter().take_while(|byte| is_part(byte)).count();
    let shown = String::from_utf8_lossy(&text[start..end]);
    let digits = shown.replace('_', "");
    let help = if let Some(whole) = shown.strip_suffix('.') {
        format!("write `{whole}` for an int or `{whole}.0` for a float")
    } else if let Some(plain) = digits.strip_suffix(['f', 'F']).filter(|plain| plain.parse::<f32>().is_ok()) {
        let dot = if plain.contains('.') { "" } else { ".0" };
        format!("write `{plain}{dot}`")
    } else if digits.parse::<f32>().is_ok() && digits.len() < shown.len() {
        format!("write `{digits}`")
    } else if shown[1..].bytes().any(|byte| byte.is_ascii_alphabetic()) && !shown.contains('.') {
        "names do not begin with a digit; the units of time are `ms`, `s` and `ticks`".to_owned()
    } else {
        "a number has at most one dot, with digits on both sides".to_owned()
    };
    Problem { end, message: format!("`{shown}` is no number"), help }
}
