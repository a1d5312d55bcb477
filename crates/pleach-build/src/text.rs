//! Text for terminals and logs: numbers in groups, and foreign text without control characters.

pub use pleach_image::figures::{counted, grouped};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_not_commanded() {
        assert_eq!(visible("a\x1b[31m\u{202e}\tb\n"), "a\u{fffd}[31m\u{fffd}\tb\n");
    }
}
