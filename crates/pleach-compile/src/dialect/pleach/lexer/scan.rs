//! Where tokens begin and end. The compiler and the formatter both go by this.

use super::Lexeme;

/// How a byte begins a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Digit,
    Letter,
    Other,
}

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' => Class::Space,
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
}

#[inline]
fn class(text: &[u8], at: usize) -> Class {
    text.get(at).map_or(Class::Other, |byte| CLASSES[usize::from(*byte)])
}

/// How many bytes the byte order mark has that a file may begin with.
pub(super) fn mark(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// What separates tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect::pleach) enum Blank {
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

/// What stands at `at` between tokens.
#[inline]
pub(in crate::dialect::pleach) fn blank(text: &[u8], mut at: usize) -> Blank {
    if class(text, at) == Class::Space {
        while class(text, at) == Class::Space {
            at += 1;
        }
        return Blank::Space(at);
    }
    match text.get(at..) {
        Some([b'/', b'/', rest @ ..]) => {
            Blank::Line(memchr::memchr(b'\n', rest).map_or(text.len(), |end| at + 2 + end))
        }
        Some([b'/', b'*', rest @ ..]) => {
            memchr::memmem::find(rest, b"*/").map_or(Blank::Open, |end| Blank::Block(at + 4 + end))
        }
        _ => Blank::None,
    }
}

/// What the token at `at` is, and where it ends.
#[inline]
pub(in crate::dialect::pleach) fn extent(text: &[u8], at: usize) -> (Lexeme, usize) {
    match class(text, at) {
        Class::Letter => (Lexeme::Word, word(text, at)),
        Class::Digit => number(text, at),
        Class::Space | Class::Other => punctuation(text, at),
    }
}

#[inline]
fn word(text: &[u8], mut at: usize) -> usize {
    while matches!(class(text, at), Class::Letter | Class::Digit) {
        at += 1;
    }
    at
}

/// A number, as far as it can be one; whether it is, is not decided here.
fn number(text: &[u8], start: usize) -> (Lexeme, usize) {
    if matches!(text.get(start..start + 2), Some([b'0', b'x' | b'X'])) {
        let hexadecimal = |byte: &u8| byte.is_ascii_hexdigit();
        let digits = text[start + 2..].iter().take_while(|byte| hexadecimal(byte)).count();
        return (Lexeme::Int, start + 2 + digits);
    }
    let mut lexeme = Lexeme::Int;
    let mut at = digits(text, start);
    if text.get(at) == Some(&b'.') && class(text, at + 1) == Class::Digit {
        (lexeme, at) = (Lexeme::Float, digits(text, at + 1));
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        if class(text, at + 1 + sign) == Class::Digit {
            (lexeme, at) = (Lexeme::Float, digits(text, at + 1 + sign));
        }
    }
    (lexeme, at)
}

fn digits(text: &[u8], mut at: usize) -> usize {
    while class(text, at) == Class::Digit {
        at += 1;
    }
    at
}

#[inline]
fn punctuation(text: &[u8], at: usize) -> (Lexeme, usize) {
    let Some(first) = text.get(at) else { return (Lexeme::End, at) };
    let next = text.get(at + 1).copied().unwrap_or_default();
    let (lexeme, length) = match (first, next) {
        (b'{', _) => (Lexeme::OpenBrace, 1),
        (b'}', _) => (Lexeme::CloseBrace, 1),
        (b'(', _) => (Lexeme::Open, 1),
        (b')', _) => (Lexeme::Close, 1),
        (b',', _) => (Lexeme::Comma, 1),
        (b':', _) => (Lexeme::Colon, 1),
        (b'=', b'=') => (Lexeme::Equal, 2),
        (b'=', _) => (Lexeme::Assign, 1),
        (b'+', b'=') => (Lexeme::AddAssign, 2),
        (b'+', _) => (Lexeme::Add, 1),
        (b'-', b'=') => (Lexeme::SubtractAssign, 2),
        (b'-', _) => (Lexeme::Subtract, 1),
        (b'*', b'=') => (Lexeme::MultiplyAssign, 2),
        (b'*', _) => (Lexeme::Multiply, 1),
        (b'/', b'=') => (Lexeme::DivideAssign, 2),
        (b'/', _) => (Lexeme::Divide, 1),
        (b'%', _) => (Lexeme::Remainder, 1),
        (b'!', b'=') => (Lexeme::NotEqual, 2),
        (b'!', _) => (Lexeme::Not, 1),
        (b'<', b'=') => (Lexeme::LessEqual, 2),
        (b'<', _) => (Lexeme::Less, 1),
        (b'>', b'=') => (Lexeme::GreaterEqual, 2),
        (b'>', _) => (Lexeme::Greater, 1),
        (b'&', b'&') => (Lexeme::And, 2),
        (b'|', b'|') => (Lexeme::Or, 2),
        (b'"', _) => return (Lexeme::Text, string(text, at)),
        _ => return (Lexeme::Stray, stray(text, at)),
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

/// The end of what begins no token: the whole word if it has letters of other alphabets.
fn stray(text: &[u8], start: usize) -> usize {
    if text[start] < 128 {
        return start + 1;
    }
    let is_part = |byte: &u8| *byte >= 128 || byte.is_ascii_alphanumeric() || *byte == b'_';
    start + text[start..].iter().take_while(|byte| is_part(byte)).count()
}
