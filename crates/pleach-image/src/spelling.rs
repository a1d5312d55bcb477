//! Numbers that texts spell, as BehaviorTree.CPP reads them.

/// Way of reading a number in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// The real number with which the text begins.
    Real,
    /// The real number that is the whole text.
    Whole,
    /// The integer with which the text begins.
    Integer,
}

impl Spelling {
    /// Returns the number that a text spells; NaN if it spells none.
    #[must_use]
    pub fn number(self, text: &[u8]) -> f64 {
        let text = match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(error) => core::str::from_utf8(&text[..error.valid_up_to()]).unwrap_or_default(),
        };
        let number = match self {
            Self::Real => real(text).map(|(number, _)| number),
            Self::Whole => real(text).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number),
            Self::Integer => integer(text).map(|(number, _)| number as f64),
        };
        number.unwrap_or(f64::NAN)
    }
}

/// Returns the integer with which a text begins, and the rest. A sign can only be `-`.
#[must_use]
pub fn integer(text: &str) -> Option<(i64, &str)> {
    let sign = usize::from(text.starts_with('-'));
    let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(sign + digits);
    if digits == 0 { None } else { Some((number.parse().ok()?, rest)) }
}

/// Returns the real number with which a text begins, and the rest.
#[must_use]
pub fn real(text: &str) -> Option<(f64, &str)> {
    let sign = usize::from(text.starts_with('-'));
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    for (name, number) in [("infinity", f64::INFINITY), ("inf", f64::INFINITY), ("nan", f64::NAN)] {
        let word = text[sign..].get(..name.len());
        if word.is_some_and(|word| word.eq_ignore_ascii_case(name)) {
            let number = if sign == 1 { -number } else { number };
            return Some((number, &text[sign + name.len()..]));
        }
    }
    let whole = digits(sign);
    let mut end = sign + whole;
    let mut some = whole > 0;
    if text[end..].starts_with('.') {
        let count = digits(end + 1);
        if some || count > 0 {
            some |= count > 0;
            end += 1 + count;
        }
    }
    if !some {
        return None;
    }
    if text[end..].starts_with(['e', 'E']) {
        let signed = usize::from(text[end + 1..].starts_with(['+', '-']));
        let count = digits(end + 1 + signed);
        if count > 0 {
            end += 1 + signed + count;
        }
    }
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_up_to_what_is_none() {
        assert_eq!(Spelling::Real.number(b"-1.5e2x"), -150.0);
        assert_eq!(Spelling::Integer.number(b"12.5"), 12.0);
        assert_eq!(Spelling::Real.number(b".5"), 0.5);
        assert_eq!(Spelling::Real.number(b"-inf"), f64::NEG_INFINITY);
        assert!(Spelling::Whole.number(b"12 ").is_nan() && Spelling::Integer.number(b"+1").is_nan());
        assert!(Spelling::Integer.number(b"99999999999999999999").is_nan());
        assert!(Spelling::Real.number(b"\xff1").is_nan());
    }
}
