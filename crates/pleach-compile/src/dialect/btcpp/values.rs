//! Numbers in texts.

/// Returns the integer with which a text begins, and the rest. A sign can only be `-`.
pub(super) fn integer(text: &str) -> Option<(i64, &str)> {
    let sign = usize::from(text.starts_with('-'));
    let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(sign + digits);
    if digits == 0 { None } else { Some((number.parse().ok()?, rest)) }
}

/// Returns the real number with which a text begins, and the rest.
pub(super) fn real(text: &str) -> Option<(f64, &str)> {
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
