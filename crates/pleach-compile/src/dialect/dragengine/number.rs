//! The float value of a parameter's text: the number at the beginning of the text, or 0 if there is
//! none.

use crate::dialect::number::{self, space};

/// Returns the text as a float.
pub(super) fn float(text: &str) -> f32 {
    let text = text.trim_start_matches(space);
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let decimal = || unsigned[..number::unsigned_decimal(unsigned.as_bytes())].parse().unwrap_or(0.0);
    let magnitude = word(unsigned).or_else(|| hexadecimal(unsigned)).unwrap_or_else(decimal);
    if text.starts_with('-') { -magnitude } else { magnitude }
}

/// `inf`, `infinity` and `nan`.
fn word(text: &str) -> Option<f32> {
    let words = [("inf", f32::INFINITY), ("nan", f32::NAN)];
    let begins = |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    words.into_iter().find(|(word, _)| begins(word)).map(|(_, value)| value)
}

/// Returns a number in base 16, after `0x`, perhaps with an exponent of 2.
fn hexadecimal(text: &str) -> Option<f32> {
    let text = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let (mut value, mut scale, mut seen, mut point) = (0.0_f64, 0_i32, false, false);
    let mut end = text.len();
    for (index, byte) in text.bytes().enumerate() {
        match char::from(byte).to_digit(16) {
            Some(digit) => {
                (value, seen) = (value.mul_add(16.0, f64::from(digit)), true);
                scale -= if point { 4 } else { 0 };
            }
            None if byte == b'.' && !point => point = true,
            None => {
                end = index;
                break;
            }
        }
    }
    let power = text[end..].strip_prefix(['p', 'P']).filter(|power| !power.starts_with(space));
    let power = power.map_or(0, |power| number::int(power).value).saturating_add(scale);
    seen.then(|| (value * 2.0_f64.powi(power)) as f32)
}

#[cfg(test)]
mod tests {
    use super::float;

    #[test]
    fn floats_are_what_the_text_begins_with() {
        let texts = ["", ".", "0.25", "-.5x", "1.", "1e2", "1e", "2.5e-1z", "0x1.8p1", "0x", "inf", "  3 4"];
        let floats = [0.0, 0.0, 0.25, -0.5, 1.0, 100.0, 1.0, 0.25, 3.0, 0.0, f32::INFINITY, 3.0];
        assert_eq!(texts.map(float), floats);
        assert!(float("NaN").is_nan());
        assert_eq!(float("1e999"), f32::INFINITY);
    }
}
