//! A text that is read on from token to token, which [`marks`](crate::dialect::marks) has found.
//!
//! A word is letters, digits, underscores and dots that stand together: a name or a number.

use super::Keyword;
use crate::ast::Binary;
use crate::dialect::marks::{Marks, Script};
use core::ops::Range;

/// What a text consists of.
pub(super) struct Bt;

impl Script for Bt {
    /// Part of a name or a number. So are, for the sake of speed, the other bytes between `@` and `z`, and `:` and `;`: no
    /// text without a mistake has them outside of comments and strings.
    #[inline(always)]
    fn part_of_word(byte: u8) -> bool {
        let byte = byte as i8;
        let letter = (byte >= b'@' as i8) & (byte <= b'z' as i8);
        let digit = (byte >= b'0' as i8) & (byte <= b';' as i8);
        letter | digit | (byte == b'.' as i8)
    }

    #[inline(always)]
    fn is_odd(byte: u8) -> bool {
        byte == 0
    }

    #[inline(always)]
    fn may_hide(byte: u8) -> bool {
        (byte == b'/') | (byte == b'"') | (byte == b'\'')
    }

    fn hidden(text: &[u8], at: usize) -> Option<Option<Range<usize>>> {
        let (skipped, length) = match &text[at..] {
            [b'/', b'/', comment @ ..] => (0, 2 + memchr::memchr(b'\n', comment).unwrap_or(comment.len())),
            [b'/', b'*', comment @ ..] => (0, 4 + comment.windows(2).position(|pair| pair == b"*/")?),
            [b'"', string @ ..] => (1, 1 + memchr::memchr(b'"', string)?),
            _ => return None,
        };
        let start = at + skipped;
        Some(Some(start..start + length))
    }
}

/// A text that is read from its beginning to its end.
pub(super) struct Text<'t> {
    bytes: &'t [u8],
    marks: &'t Marks,
    places: &'t [u32],
    /// Index of the next token.
    at: usize,
    /// Where the next token begins.
    start: usize,
    /// The first byte of the next token, or 0 at the end.
    first: u8,
}

impl<'t> Text<'t> {
    /// The beginning of a text.
    pub(super) fn new(bytes: &'t [u8], marks: &'t mut Marks) -> Option<Self> {
        if marks.mark::<Bt>(bytes)? {
            return None;
        }
        let mut text = Self { bytes, marks, places: marks.places(), at: 0, start: 0, first: 0 };
        text.go(0)?;
        Some(text)
    }

    /// Where the next token begins.
    #[inline]
    pub(super) fn position(&self) -> u32 {
        self.start as u32
    }

    /// What is left.
    #[inline]
    pub(super) fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }

    /// The next bytes, if there are so many.
    #[inline(always)]
    pub(super) fn ahead<const N: usize>(&self) -> Option<&'t [u8; N]> {
        self.bytes.get(self.start..)?.first_chunk()
    }

    /// The first byte of the next token; there is none at the end.
    #[inline]
    pub(super) fn first(&self) -> Option<u8> {
        (self.first != 0).then_some(self.first)
    }

    /// The byte after that.
    #[inline]
    pub(super) fn second(&self) -> Option<u8> {
        self.bytes.get(self.start + 1).copied()
    }

    /// How long the next token is, if it is a word of less than sixty-four bytes. Else 0 or 64.
    #[inline(always)]
    pub(super) fn length(&self) -> usize {
        self.marks.length(self.start)
    }

    /// Passes over the next token.
    #[inline(always)]
    pub(super) fn pass(&mut self) -> Option<()> {
        self.go(self.at + 1)
    }

    /// Passes over a word of this length; where it stands.
    #[inline(always)]
    pub(super) fn pass_word(&mut self, length: usize) -> Option<Range<u32>> {
        let start = self.position();
        self.pass()?;
        Some(start..start + length as u32)
    }

    #[inline(always)]
    fn go(&mut self, at: usize) -> Option<()> {
        self.at = at;
        self.start = *self.places.get(at)? as usize;
        self.first = self.bytes.get(self.start).copied().unwrap_or_default();
        Some(())
    }

    /// Passes over some tokens, which must take up so many bytes with all that is between them and after them.
    pub(super) fn step(&mut self, tokens: usize, length: usize) -> Option<()> {
        let end = self.start + length;
        self.go(self.at + tokens)?;
        (self.start == end).then_some(())
    }

    /// Passes over a byte that must come next.
    #[inline]
    pub(super) fn expect(&mut self, byte: u8) -> Option<()> {
        if self.first == byte { self.pass() } else { None }
    }

    /// The keyword that comes next, in canonical spelling and with white space after it. Where the first letters tell which
    /// it may be, no time is lost by looking for its end.
    #[inline]
    pub(super) fn keyword(&self) -> Option<Keyword> {
        let begin: &[u8; 16] = self.ahead()?;
        match *begin {
            [b'a', ..] => is(begin, Keyword::Action),
            [b'b', ..] => is(begin, Keyword::Behavior),
            [b'c', b'o', b'n', b'd', ..] => is(begin, Keyword::Condition),
            [b'c', ..] => is(begin, Keyword::Concurrent),
            [b'd', ..] => is(begin, Keyword::Decorator),
            [b'f', ..] => is(begin, Keyword::Fallback),
            [b's', b'e', b'l', ..] => is(begin, Keyword::Selector),
            [b's', ..] => is(begin, Keyword::Sequence),
            _ => None,
        }
    }

    /// Passes over the binary operator that comes next, if one does that is not odd.
    #[inline(always)]
    pub(super) fn operator(&mut self) -> Option<Option<Binary>> {
        let Some(signs) = OPERATORS.get(usize::from(self.first)) else { return Some(None) };
        let second = self.second().unwrap_or_default();
        let after = usize::from(second == b'=') + 2 * usize::from(second == self.first);
        let Some((op, length)) = signs[after] else { return Some(None) };
        self.go(self.at + usize::from(length))?;
        Some(Some(op))
    }
}

/// The keyword, if it stands here with white space after it.
#[inline(always)]
fn is(begin: &[u8; 16], keyword: Keyword) -> Option<Keyword> {
    let spelling = keyword.spelling().as_bytes();
    (begin.starts_with(spelling) && begin[spelling.len()] <= b' ').then_some(keyword)
}

/// Binary operators and their lengths by their first byte and by what comes after it: something else, `=`, the same byte
/// again, or both.
static OPERATORS: [[Option<(Binary, u8)>; 4]; 128] = {
    let mut operators = [[None; 4]; 128];
    operators[b'<' as usize] = [Some((Binary::Less, 1)), Some((Binary::LessEqual, 2)), None, None];
    operators[b'>' as usize] = [Some((Binary::Greater, 1)), Some((Binary::GreaterEqual, 2)), None, None];
    operators[b'!' as usize][1] = Some((Binary::NotEqual, 2));
    operators[b'=' as usize][3] = Some((Binary::Equal, 2));
    operators[b'&' as usize][2] = Some((Binary::And, 2));
    operators[b'|' as usize][2] = Some((Binary::Or, 2));
    operators
};

/// How many blanks and tabs come first; there must be one.
pub(super) fn gap(text: &[u8]) -> Option<usize> {
    let length = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (length > 0).then_some(length)
}
