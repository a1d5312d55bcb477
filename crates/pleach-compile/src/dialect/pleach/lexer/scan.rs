//! Where tokens begin and end. The compiler and the formatter both go by this.
//!
//! White space and words are measured sixteen bytes at a time: how long they are nobody can foresee, least of all the
//! processor, and a loop would be left at another byte each time. What is asked of each of sixteen bytes without a branch,
//! compilers ask of all of them at once.

use super::Lexeme;

/// How a byte begins a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Class {
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
pub(in super::super) fn class(text: &[u8], at: usize) -> Class {
    text.get(at).map_or(Class::Other, |byte| class_of(*byte))
}

#[inline]
pub(in super::super) fn class_of(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

/// How many bytes are looked at together.
const LANES: usize = 16;

/// The bytes that the text has at `at`; `None` near its end.
#[inline]
fn lanes(text: &[u8], at: usize) -> Option<&[u8; LANES]> {
    text.get(at..)?.first_chunk()
}

/// How many of the first bytes are so.
#[inline(always)]
fn run(bytes: &[u8; LANES], is: impl Fn(u8) -> bool) -> usize {
    let mut lanes = [0; LANES];
    for (lane, byte) in lanes.iter_mut().zip(bytes) {
        *lane = if is(*byte) { u8::MAX } else { 0 };
    }
    u128::from_le_bytes(lanes).trailing_ones() as usize / 8
}

/// Whether a byte is white space.
#[inline(always)]
pub(in super::super) fn is_space(byte: u8) -> bool {
    (byte == b' ') | (byte == b'\t') | (byte == b'\n') | (byte == b'\r')
}

/// Whether a byte is a letter, a digit or `_`.
#[inline(always)]
pub(in super::super) fn is_word(byte: u8) -> bool {
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let digit = byte.wrapping_sub(b'0') < 10;
    letter | digit | (byte == b'_')
}

/// How many of the first bytes belong to a word. It is a function of its own because compilers see sixteen bytes at once only
/// where there is nothing else to see.
#[inline(never)]
fn word_run(bytes: &[u8; LANES]) -> usize {
    run(bytes, is_word)
}

/// The first byte from `at` on that is not white space.
#[inline]
pub(in super::super) fn space(text: &[u8], at: usize) -> usize {
    // None or one is so usual that the processor goes on before it knows.
    let is_blank = |at: usize| text.get(at).is_some_and(|byte| is_space(*byte));
    if !is_blank(at) {
        return at;
    }
    if is_blank(at + 1) { spaces(text, at + 1) } else { at + 1 }
}

/// The same where there is more.
#[inline]
pub(in super::super) fn spaces(text: &[u8], mut at: usize) -> usize {
    while let Some(bytes) = lanes(text, at) {
        let length = run(bytes, is_space);
        at += length;
        if length < LANES {
            return at;
        }
    }
    while class(text, at) == Class::Space {
        at += 1;
    }
    at
}

/// How many bytes the byte order mark has that a file may begin with.
pub(in super::super) fn mark(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// What separates tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Blank {
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
pub(in super::super) fn blank(text: &[u8], at: usize) -> Blank {
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
pub(in super::super) fn extent(text: &[u8], at: usize) -> (Lexeme, usize) {
    match class(text, at) {
        Class::Letter => (Lexeme::Word, word(text, at)),
        Class::Digit => number(text, at),
        Class::Space | Class::Other => punctuation(text, at),
    }
}

pub(in super::super) fn word(text: &[u8], mut at: usize) -> usize {
    while let Some(bytes) = lanes(text, at) {
        let length = word_run(bytes);
        at += length;
        if length < LANES {
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
pub(in super::super) fn short_word(text: &[u8], at: usize) -> Option<([u64; 2], usize)> {
    let length = word_run(lanes(text, at)?);
    Some((key(text, at, length)?, length))
}

/// The same of a word whose length is known.
#[inline]
pub(in super::super) fn key(text: &[u8], at: usize, length: usize) -> Option<[u64; 2]> {
    let bytes = u128::from_le_bytes(*lanes(text, at)?);
    let kept = KEPT.get(length)?;
    Some([bytes as u64 & kept[0], (bytes >> 64) as u64 & kept[1]])
}

/// For each number of bytes, those at the beginning of sixteen.
static KEPT: [[u64; 2]; LANES] = {
    let mut kept = [[0; 2]; LANES];
    let mut length = 0;
    while length < LANES {
        let mask = (1_u128 << (8 * length)) - 1;
        kept[length] = [mask as u64, (mask >> 64) as u64];
        length += 1;
    }
    kept
};

/// A number, as far as it can be one; whether it is, is not decided here.
pub(in super::super) fn number(text: &[u8], start: usize) -> (Lexeme, usize) {
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
pub(in super::super) fn sign(text: &[u8], at: usize) -> (Lexeme, usize) {
    let Some(first) = text.get(at) else { return (Lexeme::End, at) };
    let (lexeme, length) = sign_of(*first, text.get(at + 1).copied().unwrap_or_default());
    (lexeme, at + length)
}

/// The sign that a byte is with the one behind it, and its length.
#[inline]
pub(in super::super) const fn sign_of(first: u8, second: u8) -> (Lexeme, usize) {
    let sign = &SIGNS[first as usize];
    match sign.paired {
        Some(paired) if second == sign.partner => (paired, 2),
        _ => (sign.alone, 1),
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
    fn sixteen_bytes_are_told_like_one() {
        for byte in 0..=255_u8 {
            let class = CLASSES[usize::from(byte)];
            for place in 0..LANES {
                let (mut space, mut word) = ([b' '; LANES], [b'a'; LANES]);
                (space[place], word[place]) = (byte, byte);
                let goes_on = |is: bool| if is { LANES } else { place };
                assert_eq!(run(&space, is_space), goes_on(class == Class::Space), "{space:?}");
                let in_word = matches!(class, Class::Letter | Class::Digit);
                assert_eq!(run(&word, is_word), goes_on(in_word), "{word:?}");
            }
        }
    }
}
