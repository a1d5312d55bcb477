//! What a parameter's text is as a number: whatever number it begins with, and 0 if it begins with none.

/// White space that may stand before a number.
fn trimmed(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}'])
}

/// How many bytes at the beginning are digits.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn sign(text: &str) -> usize {
    usize::from(text.starts_with(['+', '-']))
}

/// The text as an integer; what is too large is the nearest.
pub(super) fn int(text: &str) -> i32 {
    let text = trimmed(text);
    let sign = sign(text);
    let length = digits(&text[sign..]);
    let magnitude = text[sign..sign + length].bytes().fold(0_i64, |sum, digit| {
        sum.saturating_mul(10).saturating_add(i64::from(digit - b'0')).min(1 << 40)
    });
    let number = if text.starts_with('-') { -magnitude } else { magnitude };
    number.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// The text as a float.
pub(super) fn float(text: &str) -> f32 {
    let text = trimmed(text);
    let sign = sign(text);
    let unsigned = &text[sign..];
    let negative = text.starts_with('-');
    let magnitude = word(unsigned).or_else(|| hexadecimal(unsigned)).unwrap_or_else(|| decimal(unsigned));
    if negative { -magnitude } else { magnitude }
}

/// `inf`, `infinity` and `nan`.
fn word(text: &str) -> Option<f32> {
    let begins = |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    match () {
        () if begins("inf") => Some(f32::INFINITY),
        () if begins("nan") => Some(f32::NAN),
        () => None,
    }
}

fn decimal(text: &str) -> f32 {
    let whole = digits(text);
    let mut end = whole;
    let mut fraction = 0;
    if text[end..].starts_with('.') {
        fraction = digits(&text[end + 1..]);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return 0.0;
    }
    end += exponent(&text[end..], ['e', 'E']).0;
    text[..end].parse().unwrap_or(0.0)
}

/// The bytes of an exponent that begins with one of these letters, and its value.
fn exponent(text: &str, letters: [char; 2]) -> (usize, i32) {
    if !text.starts_with(letters) {
        return (0, 0);
    }
    let sign = sign(&text[1..]);
    match digits(&text[1 + sign..]) {
        0 => (0, 0),
        length => (1 + sign + length, int(&text[1..])),
    }
}

/// A number in base 16, after `0x`, perhaps with an exponent of 2.
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
    let power = exponent(&text[end..], ['p', 'P']).1.saturating_add(scale);
    seen.then(|| (value * 2.0_f64.powi(power)) as f32)
}

#[cfg(test)]
mod tests {
    use super::{float, int};

    #[test]
    fn integers_are_what_the_text_begins_with() {
        let texts = ["", "x", " 42 ", "-7.9", "+3", "0x10", "99999999999", "-99999999999999999999", "\t5a"];
        assert_eq!(texts.map(int), [0, 0, 42, -7, 3, 0, i32::MAX, i32::MIN, 5]);
    }

    #[test]
    fn floats_are_what_the_text_begins_with() {
        let texts = ["", ".", "0.25", "-.5x", "1.", "1e2", "1e", "2.5e-1z", "0x1.8p1", "0x", "inf", "  3 4"];
        let floats = [0.0, 0.0, 0.25, -0.5, 1.0, 100.0, 1.0, 0.25, 3.0, 0.0, f32::INFINITY, 3.0];
        assert_eq!(texts.map(float), floats);
        assert!(float("NaN").is_nan());
        assert_eq!(float("1e999"), f32::INFINITY);
    }
}
