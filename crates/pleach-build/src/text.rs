//! Text for terminals and logs: numbers in groups, and foreign text without control characters.

use std::borrow::Cow;

/// Replaces control characters other than tab and newline, and characters that change the direction
/// of text, by a replacement character.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_obeyed) {
        text.chars().map(|it| if is_obeyed(it) { char::REPLACEMENT_CHARACTER } else { it }).collect()
    } else {
        text.into()
    }
}

fn is_obeyed(it: char) -> bool {
    let turns = matches!(it, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || it.is_control() && it != '\n' && it != '\t'
}

/// Returns a number with its digits in groups of three: `12,345`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number and its noun: `1 file`, `3 files`.
#[must_use]
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(["0", "999", "1,000", "1,234,567"], [0, 999, 1000, 1_234_567].map(grouped));
        assert_eq!(counted(1, "file") + &counted(2_000, "file"), "1 file2,000 files");
    }

    #[test]
    fn terminals_are_not_commanded() {
        assert_eq!(visible("a\x1b[31m\u{202e}\tb\n"), "a\u{fffd}[31m\u{fffd}\tb\n");
    }
}
