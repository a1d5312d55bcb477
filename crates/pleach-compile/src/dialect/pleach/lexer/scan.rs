//! Beginnings and ends of tokens, for the compiler and for tools that read its tokens.

use super::{Lexeme, Operator};
use crate::ast::{Binary, Math};

/// Returns true for white space.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Returns true for a letter, a digit or `_`. Most bytes of a text are asked for, so
/// the answers stand in a table.
#[inline]
fn is_word(byte: u8) -> bool {
    static WORD: [bool; 256] = {
        let mut word = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            word[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
            byte += 1;
        }
        word
    };
    WORD[usize::from(byte)]
}

/// Returns the first byte from `at` on that does not belong, or the end of the text.
#[inline]
fn run(text: &[u8], mut at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    while text.get(at).is_some_and(|byte| belongs(*byte)) {
        at += 1;
    }
    at
}

/// Returns the end of the word at `at`, which may be empty.
#[inline]
pub(super) fn word(text: &[u8], at: usize) -> usize {
    run(text, at, is_word)
}

/// Returns the length of the byte order mark at the beginning of a file,
/// in bytes; 0 if there is none.
pub(super) fn mark(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// Separator of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blank {
    /// Nothing: a token begins, or the file ends.
    None,
    /// White space, up to here.
    Space(usize),
    /// A comment up to the end of its line.
    Line(usize),
    /// A comment up to its end.
    Block(usize),
    /// A comment without end.
    Open,
}

/// Returns the separator at `at`.
#[inline]
#[must_use]
pub fn blank(text: &[u8], at: usize) -> Blank {
    match text.get(at) {
        Some(first) if is_space(*first) => Blank::Space(run(text, at + 1, is_space)),
        Some(b'/') => comment(text, at),
        _ => Blank::None,
    }
}

/// Returns the next token from `at` on: its kind, its beginning and its end. A comment without an
/// end is the end of the file, which then has bytes.
#[inline]
pub(in super::super) fn token(text: &[u8], mut at: usize) -> (Lexeme, usize, usize) {
    loop {
        match blank(text, at) {
            Blank::None => {
                let (lexeme, end) = extent(text, at);
                return (lexeme, at, end);
            }
            Blank::Space(end) | Blank::Line(end) | Blank::Block(end) => at = end,
            Blank::Open => return (Lexeme::End, at, text.len()),
        }
    }
}

/// The comment that the `/` at `at` begins, if it begins one.
fn comment(text: &[u8], at: usize) -> Blank {
    match &text[at + 1..] {
        [b'/', rest @ ..] => Blank::Line(memchr::memchr(b'\n', rest).map_or(text.len(), |end| at + 2 + end)),
        [b'*', rest @ ..] => {
            memchr::memmem::find(rest, b"*/").map_or(Blank::Open, |end| Blank::Block(at + 4 + end))
        }
        _ => Blank::None,
    }
}

/// Returns the kind of the token at `at`, and its end.
#[inline]
#[must_use]
pub fn extent(text: &[u8], at: usize) -> (Lexeme, usize) {
    match text.get(at) {
        None => (Lexeme::End, at),
        Some(b'0'..=b'9') => number(text, at),
        Some(b'"') => (Lexeme::Text, string(text, at)),
        Some(byte) if is_word(*byte) => (Lexeme::Word, word(text, at + 1)),
        Some(_) => sign(text, at),
    }
}

/// Returns the text that looks like a number. It is checked later.
fn number(text: &[u8], start: usize) -> (Lexeme, usize) {
    let digits = |at| run(text, at, |byte| byte.is_ascii_digit());
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    if matches!(text.get(start..start + 2), Some([b'0', b'x' | b'X'])) {
        return (Lexeme::Int, run(text, start + 2, |byte| byte.is_ascii_hexdigit()));
    }
    let mut lexeme = Lexeme::Int;
    let mut at = digits(start);
    if text.get(at) == Some(&b'.') && is_digit(at + 1) {
        (lexeme, at) = (Lexeme::Float, digits(at + 1));
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        if is_digit(at + 1 + sign) {
            (lexeme, at) = (Lexeme::Float, digits(at + 1 + sign));
        }
    }
    (lexeme, at)
}

/// The sign at `at` and where it ends.
fn sign(text: &[u8], at: usize) -> (Lexeme, usize) {
    let truth = |binary| Lexeme::Operator(Operator::Truth(binary));
    let math = |math| Lexeme::Operator(Operator::Math(math));
    let (lexeme, length) = match &text[at..] {
        [b'=', b'=', ..] => (truth(Binary::Equal), 2),
        [b'+', b'=', ..] => (Lexeme::Write(Math::Add), 2),
        [b'-', b'=', ..] => (Lexeme::Write(Math::Subtract), 2),
        [b'*', b'=', ..] => (Lexeme::Write(Math::Multiply), 2),
        [b'/', b'=', ..] => (Lexeme::Write(Math::Divide), 2),
        [b'!', b'=', ..] => (truth(Binary::NotEqual), 2),
        [b'<', b'=', ..] => (truth(Binary::LessEqual), 2),
        [b'>', b'=', ..] => (truth(Binary::GreaterEqual), 2),
        [b'&', b'&', ..] => (truth(Binary::And), 2),
        [b'|', b'|', ..] => (truth(Binary::Or), 2),
        [b'{', ..] => (Lexeme::OpenBrace, 1),
        [b'}', ..] => (Lexeme::CloseBrace, 1),
        [b'(', ..] => (Lexeme::Open, 1),
        [b')', ..] => (Lexeme::Close, 1),
        [b',', ..] => (Lexeme::Comma, 1),
        [b':', ..] => (Lexeme::Colon, 1),
        [b'.', b'.', ..] => (Lexeme::Range, 2),
        [b'.', next, ..] if next.is_ascii_alphabetic() || *next == b'_' => (Lexeme::Dot, 1),
        [b'=', ..] => (Lexeme::Assign, 1),
        [b'+', ..] => (math(Math::Add), 1),
        [b'-', ..] => (math(Math::Subtract), 1),
        [b'*', ..] => (math(Math::Multiply), 1),
        [b'/', ..] => (math(Math::Divide), 1),
        [b'%', ..] => (math(Math::Remainder), 1),
        [b'!', ..] => (Lexeme::Not, 1),
        [b'<', ..] => (truth(Binary::Less), 1),
        [b'>', ..] => (truth(Binary::Greater), 1),
        // The whole word if it has letters of other alphabets.
        [128..=255, ..] => return (Lexeme::Stray, run(text, at, |byte| byte >= 128 || is_word(byte))),
        _ => (Lexeme::Stray, 1),
    };
    (lexeme, at + length)
}

/// The end of a text: behind its closing quote, or where its line ends.
fn string(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(next) = memchr::memchr3(b'"', b'\\', b'\n', &text[at..]) {
        at += next;
        match text[at] {
            b'"' => return at + 1,
            b'\\' if !matches!(text.get(at + 1), None | Some(b'\n')) => at += 2,
            b'\\' => at += 1,
            _ => return at,
        }
    }
    text.len()
}
