//! What a number is worth.

use super::Lexeme;

/// What is wrong with a number.
pub(in super::super) struct Problem {
    /// Where what looks like the number ends.
    pub(in super::super) end: usize,
    pub(in super::super) message: String,
    pub(in super::super) help: String,
}

/// The largest magnitude: that of the least int, which needs a minus before it. The parser sees to that.
const LARGEST: u64 = 1 << 31;

/// The largest number of digits that [`simple`] reads. A float holds every integer of so many digits.
const FEW: usize = 7;

/// The powers of ten up to 10^[`FEW`]. A float holds each of them.
const TENS: [f32; FEW + 1] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7];

/// The float nearest to a number of at most [`FEW`] digits, `places` of them behind its dot.
#[inline]
fn with_places(whole: u32, fraction: u32, places: usize) -> f32 {
    // A float holds all digits together as they are, so only the quotient is rounded.
    let digits = whole as f32 * TENS[places] + fraction as f32;
    digits / TENS[places]
}

/// The number at `start` with its end, if it has few decimal digits, at most one dot, and no unit right behind it.
#[inline]
pub(in super::super) fn simple(text: &[u8], start: usize) -> Option<(Lexeme, u32, usize)> {
    let (whole, mut at) = digits(text, start);
    let mut number = (Lexeme::Int, whole);
    let mut count = at - start;
    if text.get(at) == Some(&b'.') {
        let (fraction, end) = digits(text, at + 1);
        let places = end - at - 1;
        count += places;
        if places == 0 || count > FEW {
            return None;
        }
        (number, at) = ((Lexeme::Float, with_places(whole, fraction, places).to_bits()), end);
    }
    let goes_on = text.get(at).is_none_or(|next| next.is_ascii_alphanumeric() || matches!(next, b'_' | b'.'));
    (count <= FEW && !goes_on).then_some((number.0, number.1, at))
}

/// The number that digits are, as long as they are few, and where they end.
#[inline]
fn digits(text: &[u8], mut at: usize) -> (u32, usize) {
    let (mut number, last) = (0_u32, at + FEW + 1);
    while let Some(digit) = text.get(at).filter(|byte| byte.is_ascii_digit() && at < last) {
        number = number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
        at += 1;
    }
    (number, at)
}

/// The value of the number from `start` to `end`.
#[inline]
pub(in super::super) fn value(
    text: &[u8],
    start: usize,
    end: usize,
    lexeme: Lexeme,
) -> Result<(Lexeme, u32), Problem> {
    if text.get(end).is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, b'_' | b'.')) {
        let unit =
            text[end..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        if !matches!(&text[end..end + unit], b"s" | b"ms" | b"ticks") {
            return Err(malformed(text, start, end));
        }
    }
    let digits = &text[start..end];
    match lexeme {
        Lexeme::Float => float(digits, end).map(|value| (Lexeme::Float, value)),
        _ => int(digits, end).map(|value| (Lexeme::Int, value)),
    }
}

#[inline]
fn int(digits: &[u8], end: usize) -> Result<u32, Problem> {
    let (digits, base) = match digits {
        [b'0', b'x' | b'X', rest @ ..] => (rest, 16),
        _ => (digits, 10),
    };
    let mut value = 0_u64;
    for digit in digits {
        let digit = char::from(*digit).to_digit(base).unwrap_or_default();
        value = (value * u64::from(base) + u64::from(digit)).min(LARGEST + 1);
    }
    if digits.is_empty() {
        let help = "write digits after `0x`, such as `0x1f`".to_owned();
        return Err(Problem { end, message: "a hexadecimal number without digits".to_owned(), help });
    }
    if value > LARGEST {
        let message = "this number does not fit 32 bits".to_owned();
        let help = "an int is at most 2147483647; with `.0` at its end it would be a float".to_owned();
        return Err(Problem { end, message, help });
    }
    Ok(value as u32)
}

fn float(digits: &[u8], end: usize) -> Result<u32, Problem> {
    let value: f32 = core::str::from_utf8(digits).ok().and_then(|text| text.parse().ok()).unwrap_or(f32::NAN);
    if value.is_finite() {
        return Ok(value.to_bits());
    }
    let message = "this number is too large for a float".to_owned();
    Err(Problem { end, message, help: "a float is at most about 3.4e38".to_owned() })
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
