//! Standard output and standard error.
//!
//! Names and texts of trees are shown in many places, and trees may come from strangers. So everything passes
//! [`visible`], which leaves nothing that a terminal would obey instead of show.

use crate::failure::Failure;
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

/// Writes what was asked for to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_styled(&visible(text))
}

/// Writes text with colors to standard output; its parts from elsewhere have been made [`visible`].
pub(crate) fn print_styled(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Whether standard output redraws.
pub(crate) fn is_terminal_out() -> bool {
    io::stdout().is_terminal()
}

/// Whether colors are wanted there.
pub(crate) fn wants_color_out() -> bool {
    is_terminal_out() && !refuses_color()
}

/// Writes to standard error. If that cannot be done, there is nobody left to tell.
pub(crate) fn say(text: &str) {
    say_styled(&visible(text));
}

/// Writes text with colors to standard error; its parts from elsewhere have been made [`visible`].
pub(crate) fn say_styled(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Whether standard error shows colors and redraws lines.
pub(crate) fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Whether colors are wanted: on a terminal, unless the variable `NO_COLOR` is set to anything.
pub(crate) fn wants_color() -> bool {
    is_terminal() && !refuses_color()
}

fn refuses_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Text without control characters other than tab and newline, and without those that change its direction.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
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

/// A number with its digits in groups: `12,345`.
pub(crate) fn grouped(number: u64) -> String {
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

/// A number and its noun: `1 file`, `3 files`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number as u64))
}

/// A number in as few digits as tell it: most are single floats, which have many digits only as doubles.
pub(crate) fn number(answer: f64) -> String {
    let single = answer as f32;
    if f64::from(single) == answer { single.to_string() } else { answer.to_string() }
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
