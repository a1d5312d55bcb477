//! Where tokens begin and end. The compiler and the formatter both go by this.
//!
//! White space and words are measured eight bytes at a time: how long they are nobody can foresee, least of all the
//! processor, and a loop would be left at another byte each time.

use super::Lexeme;

/// How a byte begins a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
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
pub(super) fn class(text: &[u8], at: usize) -> Class {
    text.get(at).map_or(Class::Other, |byte| CLASSES[usize::from(*byte)])
}

/// Eight times this byte.
const fn all(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The high bits of eight bytes.
const HIGH: u64 = all(0x80);

/// Eight bytes of the text, the first lowest; `None` at its end.
#[inline]
fn eight(text: &[u8], at: usize) -> Option<u64> {
    text.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// How many of the lower bytes have no high bit.
#[inline]
fn run(high_bits: u64) -> usize {
    high_bits.trailing_zeros() as usize / 8
}

/// The high bits of those bytes that are above the space, as all are that are not white space in a plain text.
#[inline]
fn no_space(bytes: u64) -> u64 {
    // Adding to seven bits carries into the eighth and no further.
    (((bytes & !HIGH) + all(0x80 - b' ' - 1)) | bytes) & HIGH
}

/// Whether the text has no control characters but those that are white space.
pub(super) fn is_plain(text: &[u8]) -> bool {
    let odd = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    text.iter().fold(0, |any, byte| any | u8::from(odd(byte))) == 0
}

/// The high bits of those bytes that are no letters, digits or `_`.
#[inline]
fn no_word(bytes: u64) -> u64 {
    let low = bytes & !HIGH;
    let folded = low | all(0x20);
    let at_least = |bytes: u64, byte: u8| bytes + all(0x80 - byte);
    let letters = at_least(folded, b'a') & !at_least(folded, b'z' + 1);
    let digits = at_least(low, b'0') & !at_least(low, b'9' + 1);
    let underscores = !((low ^ all(b'_')) + !HIGH);
    (!(letters | digits | underscores) | bytes) & HIGH
}

/// The first byte from `at` on that is not white space, in a plain text.
#[inline]
pub(super) fn plain_space(text: &[u8], mut at: usize) -> usize {
    // None or one is so usual that the processor goes on before it knows.
    let is_space = |at: usize| text.get(at).is_some_and(|byte| *byte <= b' ');
    if !is_space(at) {
        return at;
    }
    at += 1;
    if !is_space(at) {
        return at;
    }
    while let Some(bytes) = eight(text, at) {
        let length = run(no_space(bytes));
        at += length;
        if length < 8 {
            return at;
        }
    }
    while class(text, at) == Class::Space {
        at += 1;
    }
    at
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
pub(in crate::dialect::pleach) fn blank(text: &[u8], at: usize) -> Blank {
    if class(text, at) == Class::Space {
        let rest = text[at..].iter().position(|byte| CLASSES[usize::from(*byte)] != Class::Space);
        return Blank::Space(rest.map_or(text.len(), |length| at + length));
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

fn word(text: &[u8], mut at: usize) -> usize {
    while let Some(bytes) = eight(text, at) {
        let length = run(no_word(bytes));
        at += length;
        if length < 8 {
            return at;
        }
    }
    while matches!(class(text, at), Class::Letter | Class::Digit) {
        at += 1;
    }
    at
}

/// The word at `at` as two numbers filled up with zeros, and its length, if that is at most fifteen and not too near the
/// end of the text.
#[inline]
pub(super) fn short_word(text: &[u8], at: usize) -> Option<([u64; 2], usize)> {
    let first = eight(text, at)?;
    let length = run(no_word(first));
    if length < 8 {
        return Some(([first & !(u64::MAX << (8 * length)), 0], length));
    }
    let second = eight(text, at + 8)?;
    let length = run(no_word(second));
    (length < 8).then(|| ([first, second & !(u64::MAX << (8 * length))], 8 + length))
}

/// A number, as far as it can be one; whether it is, is not decided here.
pub(super) fn number(text: &[u8], start: usize) -> (Lexeme, usize) {
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

/// A sign: what it is alone, and what with its partner behind it, if it has one.
#[derive(Clone, Copy)]
struct Sign {
    alone: Lexeme,
    partner: u8,
    paired: Option<Lexeme>,
}

/// The signs that have no partner.
const SINGLE: [(u8, Lexeme); 7] = [
    (b'{', Lexeme::OpenBrace),
    (b'}', Lexeme::CloseBrace),
    (b'(', Lexeme::Open),
    (b')', Lexeme::Close),
    (b',', Lexeme::Comma),
    (b':', Lexeme::Colon),
    (b'%', Lexeme::Remainder),
];

/// The signs that have one.
const PAIRED: [(u8, Lexeme, u8, Lexeme); 10] = [
    (b'=', Lexeme::Assign, b'=', Lexeme::Equal),
    (b'+', Lexeme::Add, b'=', Lexeme::AddAssign),
    (b'-', Lexeme::Subtract, b'=', Lexeme::SubtractAssign),
    (b'*', Lexeme::Multiply, b'=', Lexeme::MultiplyAssign),
    (b'/', Lexeme::Divide, b'=', Lexeme::DivideAssign),
    (b'!', Lexeme::Not, b'=', Lexeme::NotEqual),
    (b'<', Lexeme::Less, b'=', Lexeme::LessEqual),
    (b'>', Lexeme::Greater, b'=', Lexeme::GreaterEqual),
    (b'&', Lexeme::Stray, b'&', Lexeme::And),
    (b'|', Lexeme::Stray, b'|', Lexeme::Or),
];

static SIGNS: [Sign; 256] = signs();

const fn signs() -> [Sign; 256] {
    let mut signs = [Sign { alone: Lexeme::Stray, partner: 0, paired: None }; 256];
    let mut index = 0;
    while index < SINGLE.len() {
        let (byte, alone) = SINGLE[index];
        signs[byte as usize].alone = alone;
        index += 1;
    }
    index = 0;
    while index < PAIRED.len() {
        let (byte, alone, partner, paired) = PAIRED[index];
        signs[byte as usize] = Sign { alone, partner, paired: Some(paired) };
        index += 1;
    }
    signs
}

/// The sign at `at` and where it ends; a text begins with none of them.
#[inline]
pub(super) fn sign(text: &[u8], at: usize) -> (Lexeme, usize) {
    let Some(first) = text.get(at) else { return (Lexeme::End, at) };
    let sign = SIGNS[usize::from(*first)];
    match sign.paired {
        Some(paired) if text.get(at + 1) == Some(&sign.partner) => (paired, at + 2),
        _ => (sign.alone, at + 1),
    }
}

fn punctuation(text: &[u8], at: usize) -> (Lexeme, usize) {
    match sign(text, at) {
        (Lexeme::Stray, _) if text[at] == b'"' => (Lexeme::Text, string(text, at)),
        (Lexeme::Stray, _) => (Lexeme::Stray, stray(text, at)),
        sign => sign,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte in every place is told as the table tells it.
    #[test]
    fn eight_bytes_are_told_like_one() {
        for byte in 0..=255_u8 {
            for place in 0..8 {
                for around in [b' ', b'a', 0, 0xff, b'`', b'{', 0x7f, 0x80] {
                    let mut bytes = [around; 8];
                    bytes[place] = byte;
                    let told = |high: u64| high >> (8 * place + 7) & 1 == 1;
                    let bits = u64::from_le_bytes(bytes);
                    let class = CLASSES[usize::from(byte)];
                    let in_space = class == Class::Space || !is_plain(&[byte]);
                    assert_eq!(told(no_space(bits)), !in_space, "{bytes:?}");
                    let in_word = matches!(class, Class::Letter | Class::Digit);
                    assert_eq!(told(no_word(bits)), !in_word, "{bytes:?}");
                }
            }
        }
    }
}
