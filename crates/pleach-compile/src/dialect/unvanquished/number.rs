//! Numbers, with the values that the language gives them. These are not always the obvious values.
//!
//! A number is a 64-bit integer that wraps, and a double. The language keeps 32 bits of each, and
//! uses the integer when both are equal. Three habits of the original are part of the language,
//! because trees depend on them. A leading zero means octal. A second dot ends the number's
//! value. The character after a dot is always used as a digit, so the end of the text after a
//! trailing dot subtracts 4.8.

use crate::ast::Value;

/// A number as the parser sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    /// The integer part, wrapped to 32 bits.
    pub(super) int: i32,
    /// The value.
    pub(super) float: f32,
    /// Written without a dot.
    pub(super) integral: bool,
    /// The source holds its spelling; otherwise it was computed, or stands for a symbol.
    pub(super) written: bool,
}

impl Number {
    /// Returns a number that no text spells.
    pub(super) fn computed(int: i64, float: f64, integral: bool) -> Self {
        Self { int: int as i32, float: float as f32, integral, written: false }
    }

    /// Returns the argument or operand that it stands for: an integer if the integer
    /// part, as a float, is the value.
    pub(super) fn boxed(self, negative: bool) -> Value {
        let value =
            if self.int as f32 == self.float { Value::Int(self.int) } else { Value::Float(self.float) };
        if negative { negated(value) } else { value }
    }
}

/// Returns a boxed number with a sign before it.
pub(super) fn negated(value: Value) -> Value {
    match value {
        Value::Int(int) => Value::Int(int.wrapping_neg()),
        Value::Float(float) => Value::Float(-float),
        other => other,
    }
}

/// A number with all bits, as the expressions of directives see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wide {
    /// The integer, modulo 2^64.
    pub(super) int: i64,
    /// The value.
    pub(super) float: f64,
}

impl Wide {
    /// Returns two booleans as numbers: the result for integers, and the result for floats.
    pub(super) fn both(int: bool, float: bool) -> Self {
        Self { int: int.into(), float: float.into() }
    }
}

/// Notation of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// `0x` and hexadecimal digits, perhaps none.
    Hexadecimal,
    /// Begins with zero, and has digits below eight only.
    Octal,
    /// Any other digits.
    Decimal,
    /// Digits and dots.
    Float,
}

/// A number found at the beginning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// Notation of the digits.
    pub(super) notation: Notation,
    /// Bytes without the suffix.
    pub(super) digits: usize,
    /// Bytes with the suffix.
    pub(super) whole: usize,
}

/// Surprise in the value of a number with a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Oddity {
    /// It ends with its only dot.
    TrailingDot,
    /// It has more than one dot.
    SecondDot,
    /// Its fraction has more digits than count.
    LongFraction,
}

/// Returns the reason why a number with a dot does not have the value that it seems to have.
pub(super) fn oddity(digits: &[u8]) -> Option<Oddity> {
    let dots = digits.iter().filter(|byte| **byte == b'.').count();
    let fraction = digits.iter().rev().take_while(|byte| **byte != b'.').count();
    if digits.ends_with(b".") && dots == 1 {
        Some(Oddity::TrailingDot)
    } else if dots > 1 {
        Some(Oddity::SecondDot)
    } else {
        (fraction > 19).then_some(Oddity::LongFraction)
    }
}

/// Measures the number that the text begins with; the first byte is a
/// digit, or a dot before a digit.
pub(super) fn measure(text: &[u8]) -> Extent {
    let count =
        |from: usize, part: fn(&u8) -> bool| text[from..].iter().take_while(|byte| part(byte)).count();
    let (notation, digits) = if text[0] == b'0' && matches!(text.get(1), Some(b'x' | b'X')) {
        (Notation::Hexadecimal, 2 + count(2, u8::is_ascii_hexdigit))
    } else {
        let digits = count(0, |byte| byte.is_ascii_digit() || *byte == b'.');
        (notation(&text[..digits]), digits)
    };
    Extent { notation, digits, whole: digits + suffix(&text[digits..], notation) }
}

fn notation(digits: &[u8]) -> Notation {
    if digits.contains(&b'.') {
        Notation::Float
    } else if digits[0] == b'0' && !digits.iter().any(|digit| matches!(digit, b'8' | b'9')) {
        Notation::Octal
    } else {
        Notation::Decimal
    }
}

/// At most two suffix letters, each kind once; they mean nothing.
fn suffix(text: &[u8], notation: Notation) -> usize {
    let (mut long, mut unsigned) = (false, notation == Notation::Float);
    let letter = |byte: &&u8| match byte {
        b'l' | b'L' => !core::mem::replace(&mut long, true),
        b'u' | b'U' => !core::mem::replace(&mut unsigned, true),
        _ => false,
    };
    text.iter().take(2).take_while(letter).count()
}

/// Returns the value of a number's digits.
pub(super) fn value(digits: &[u8], notation: Notation) -> Wide {
    let int = match notation {
        Notation::Float => return float_value(digits),
        Notation::Hexadecimal => positional(digits.get(2..).unwrap_or_default(), 16),
        Notation::Octal => positional(digits, 8),
        Notation::Decimal => positional(digits, 10),
    };
    Wide { int: int as i64, float: int as f64 }
}

fn positional(digits: &[u8], base: u64) -> u64 {
    let digit = |byte: &u8| u64::from(char::from(*byte).to_digit(16).unwrap_or_default());
    digits.iter().fold(0, |sum: u64, byte| sum.wrapping_mul(base).wrapping_add(digit(byte)))
}

/// Digits with at least one dot. The divisor of a fraction's digits is an integer,
/// which wraps after 19 of them.
fn float_value(text: &[u8]) -> Wide {
    let mut float = 0.0;
    let mut divisor = 0_u64;
    let mut bytes = text.iter();
    while let Some(mut byte) = bytes.next() {
        if *byte == b'.' {
            if divisor != 0 {
                return Wide { int: 0, float };
            }
            divisor = 10;
            byte = bytes.next().unwrap_or(&0);
        }
        let digit = f64::from(i16::from(*byte) - i16::from(b'0'));
        if divisor == 0 {
            float = float * 10.0 + digit;
        } else {
            float += digit / divisor as f64;
            divisor = divisor.wrapping_mul(10);
        }
    }
    Wide { int: integer_part(float), float }
}

/// Toward zero, modulo 2^64; values that no 64 bits hold count zero.
pub(super) fn integer_part(float: f64) -> i64 {
    const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
    match float {
        float if float < TWO_TO_63 => float as i64,
        float if float < 2.0 * TWO_TO_63 => float as u64 as i64,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, rest: &str, expected: Value) {
        let extent = measure(text.as_bytes());
        assert_eq!(&text[extent.whole..], rest);
        let wide = value(&text.as_bytes()[..extent.digits], extent.notation);
        let number = Number::computed(wide.int, wide.float, true);
        assert_eq!(number.boxed(false), expected);
    }

    #[test]
    fn integers() {
        check("42", "", Value::Int(42));
        check("017", "", Value::Int(15));
        check("018", "", Value::Int(18));
        check("0xfF", "", Value::Int(255));
        check("0x", "", Value::Int(0));
        check("16777217", "", Value::Int(16_777_217));
        check("4294967295", "", Value::Float(4_294_967_295.0));
        check("18446744073709551616", "", Value::Int(0));
    }

    #[test]
    fn floats() {
        check("1.5", "", Value::Float(1.5));
        check("1.0", "", Value::Int(1));
        check(".25", "", Value::Float(0.25));
        check("1.2.3", "", Value::Float(1.2));
        check("1.", "", Value::Float(-3.8));
        check("123456789.123", "", Value::Int(123_456_789));
        check("3000000000.0", "", Value::Float(3e9));
    }

    #[test]
    fn suffixes() {
        check("7Lu", "", Value::Int(7));
        check("7uu", "u", Value::Int(7));
        check("1.5u", "u", Value::Float(1.5));
        check("1.5f", "f", Value::Float(1.5));
        check("1e3", "e3", Value::Int(1));
    }
}
