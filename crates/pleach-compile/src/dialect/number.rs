//! Conversion of text to numbers, as the C library does it.
//!
//! The conversions of engines never fail: they read as far as they can, and a text that does not
//! begin with a number is 0. The functions here also return the flaw of the text.

use crate::manifest::Type;

/// Problem of a text that is read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The text does not begin with a number, so its value is 0.
    None,
    /// The number is followed by other text, which is ignored.
    Rest,
    /// The number does not fit its type, and [`Number::value`] holds another one.
    Range,
}

/// A number, and the flaw of its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number<T> {
    pub(crate) value: T,
    pub(crate) flaw: Option<Flaw>,
}

/// Returns the type that a text seems to have: an integer or a float if it is all of one, else a
/// text.
pub(crate) fn seen(text: &str) -> Type {
    match (int(text).flaw, float(text).flaw) {
        (None, _) => Type::Int,
        (_, None) => Type::Float,
        _ => Type::Text,
    }
}

/// Returns a signed integer, as `atoi` reads it; what does not fit is the nearest that does.
pub(crate) fn int(text: &str) -> Number<i32> {
    let whole = Whole::read(text);
    let signed = if whole.negative { -i128::from(whole.magnitude) } else { i128::from(whole.magnitude) };
    let value = signed.clamp(i32::MIN.into(), i32::MAX.into());
    let flaw = if value == signed { whole.flaw } else { whole.flaw.or(Some(Flaw::Range)) };
    Number { value: value as i32, flaw }
}

/// Returns an unsigned integer, as `strtoul` reads it: a negative number counts from the upper end.
pub(crate) fn unsigned(text: &str) -> Number<u32> {
    let whole = Whole::read(text);
    let value = whole.magnitude as u32;
    let value = if whole.negative { value.wrapping_neg() } else { value };
    let wraps = u64::from(value) != whole.magnitude;
    Number { value, flaw: if wraps { whole.flaw.or(Some(Flaw::Range)) } else { whole.flaw } }
}

/// Returns an unsigned integer of which only the lowest 8 bits count.
pub(crate) fn byte(text: &str) -> Number<u8> {
    let Number { value, flaw } = unsigned(text);
    let narrow = value as u8;
    Number { value: narrow, flaw: if u32::from(narrow) == value { flaw } else { flaw.or(Some(Flaw::Range)) } }
}

/// Returns a float, as `atof` reads decimal numbers. Words for infinity and for no number count 0,
/// as in the older of the C libraries that these engines were built with.
pub(crate) fn float(text: &str) -> Number<f32> {
    let trimmed = text.trim_start_matches(space);
    let length = decimal(trimmed.as_bytes());
    let value: f64 = trimmed[..length].parse().unwrap_or(0.0);
    let flaw = if length == 0 {
        Some(Flaw::None)
    } else if (value as f32).is_infinite() {
        Some(Flaw::Range)
    } else {
        rest(&trimmed[length..])
    };
    Number { value: (value as f32).clamp(f32::MIN, f32::MAX), flaw }
}

/// Reads a boolean, which is an integer: every number but 0 is true.
pub(crate) fn truth(text: &str) -> Number<bool> {
    let Number { value, flaw } = int(text);
    // The word `false` is read as 0, which is what the author means.
    let fine = flaw == Some(Flaw::None) && text.trim().eq_ignore_ascii_case("false");
    Number { value: value != 0, flaw: flaw.filter(|_| !fine) }
}

/// An integer as written.
struct Whole {
    negative: bool,
    magnitude: u64,
    flaw: Option<Flaw>,
}

impl Whole {
    fn read(text: &str) -> Self {
        let text = text.trim_start_matches(space);
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let end = digits.bytes().take_while(u8::is_ascii_digit).count();
        let flaw = if end == 0 { Some(Flaw::None) } else { rest(&digits[end..]) };
        let magnitude = digits[..end]
            .bytes()
            .fold(0u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        Self { negative: end > 0 && text.starts_with('-'), magnitude, flaw }
    }
}

/// Returns the length of the decimal number at the beginning.
fn decimal(text: &[u8]) -> usize {
    let sign = usize::from(matches!(text, [b'-' | b'+', ..]));
    match unsigned_decimal(&text[sign..]) {
        0 => 0,
        length => sign + length,
    }
}

/// Returns the length of the decimal number without a sign at the beginning.
pub(crate) fn unsigned_decimal(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut end = whole;
    let mut fraction = 0;
    if text.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return 0;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'-' | b'+')));
        let power = digits((end + 1 + sign).min(text.len()));
        end += if power > 0 { 1 + sign + power } else { 0 };
    }
    end
}

fn rest(text: &str) -> Option<Flaw> {
    (!text.trim_matches(space).is_empty()).then_some(Flaw::Rest)
}

/// Returns true for the characters that are white space in C.
pub(crate) fn space(it: char) -> bool {
    it.is_ascii_whitespace() || it == '\u{b}'
}

#[cfg(test)]
mod tests {
    use super::int;

    #[test]
    fn integers_are_what_the_text_begins_with() {
        let texts = ["", "x", " 42 ", "-7.9", "+3", "0x10", "99999999999", "-99999999999999999999", "\t5a"];
        assert_eq!(texts.map(|text| int(text).value), [0, 0, 42, -7, 3, 0, i32::MAX, i32::MIN, 5]);
    }
}
