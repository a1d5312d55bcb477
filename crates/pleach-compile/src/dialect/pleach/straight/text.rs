//! A position in a text: always where something begins, never in white space or a comment.

use super::super::lexer::scan::{self, Class};
use super::super::lexer::{Blank, Lexeme, blank, extent, number};
use super::super::parser::operator;
use super::super::syntax::Operator;
use super::super::words::{Keyword, Leading, leading};
use crate::dialect::marks::digits::{self, FEW};
use crate::dialect::marks::{Marks, Script};
use core::ops::Range;
use std::sync::Arc;

/// What a text consists of.
struct Pleach;

impl Script for Pleach {
    #[inline(always)]
    fn part_of_word(byte: u8) -> bool {
        scan::is_word(byte)
    }

    /// What may stand in comments and strings only.
    #[inline(always)]
    fn is_odd(byte: u8) -> bool {
        ((byte as i8) < b' ' as i8) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r')
    }

    #[inline(always)]
    fn may_hide(byte: u8) -> bool {
        (byte == b'/') | (byte == b'"')
    }

    fn hidden(text: &[u8], at: usize) -> Option<Option<Range<usize>>> {
        match blank(text, at) {
            Blank::Line(end) | Blank::Block(end) => Some(Some(at..end)),
            Blank::Open => None,
            _ => Some((text[at] == b'"').then(|| at + 1..extent(text, at).1)),
        }
    }
}

/// Operators, how tightly they bind, and their lengths, by their first byte and what comes after it: something else, `=`, the
/// same byte again, or both.
static OPERATORS: [[Option<(Operator, u8, u8)>; 4]; 256] = {
    let mut operators = [[None; 4]; 256];
    let mut byte = 0;
    while byte < operators.len() {
        let mut after = 0;
        while after < 4 {
            let (lexeme, length) = scan::sign_of(byte as u8, [b' ', b'=', byte as u8, byte as u8][after]);
            if let Some((operator, level)) = operator(lexeme) {
                operators[byte][after] = Some((operator, level, length as u8));
            }
            after += 1;
        }
        byte += 1;
    }
    operators
};

/// Whether a text is one, with odd bytes in comments and strings alone.
#[cold]
fn hides_odd(text: &[u8], mut from: usize) -> Option<bool> {
    let plain = |piece: &[u8]| !piece.iter().any(|byte| Pleach::is_odd(*byte));
    while let Some(found) = text[from..].iter().position(|byte| Pleach::may_hide(*byte)) {
        let at = from + found;
        let Range { start, end } = Pleach::hidden(text, at)?.unwrap_or(at..at + 1);
        if !plain(&text[from..start]) {
            return Some(false);
        }
        from = end;
    }
    Some(plain(&text[from..]) && core::str::from_utf8(text).is_ok())
}

/// A text that is read from its beginning to its end, but for trees, to which one goes when they are needed.
pub(super) struct Text {
    text: Arc<[u8]>,
    marks: Marks,
    /// Index of the next token.
    at: usize,
    /// Where it begins.
    start: usize,
    /// Its first byte, or 0 at the end.
    first: u8,
}

impl Text {
    /// The beginning of a text.
    pub(super) fn new(text: Arc<[u8]>, mut marks: Marks) -> Option<Self> {
        if text.len() > u32::MAX as usize {
            return None;
        }
        let odd = marks.mark::<Pleach>(&text)?;
        if odd && !hides_odd(&text, scan::mark(&text))? {
            return None;
        }
        let mut text = Self { text, marks, at: 0, start: 0, first: 0 };
        text.go(0);
        Some(text)
    }

    /// The marks, which are of use for another text.
    pub(super) fn into_marks(self) -> Marks {
        self.marks
    }

    /// The byte that is next.
    #[inline(always)]
    pub(super) fn position(&self) -> usize {
        self.start
    }

    /// The token that is next.
    #[inline(always)]
    pub(super) fn token(&self) -> usize {
        self.at
    }

    /// Goes to a token.
    #[inline(always)]
    pub(super) fn go(&mut self, token: usize) {
        self.at = token;
        self.start = self.marks.places().get(token).map_or(self.text.len(), |start| *start as usize);
        self.first = self.text.get(self.start).copied().unwrap_or_default();
    }

    /// Passes over so many tokens, with the white space and the comments after them.
    #[inline(always)]
    pub(super) fn pass(&mut self, tokens: usize) {
        self.go(self.at + tokens);
    }

    /// Passes over all up to a byte.
    #[cold]
    pub(super) fn skip(&mut self, end: usize) {
        self.go(self.marks.token_from(end));
        if end < self.start && scan::class(&self.text, end) == Class::Letter {
            // A unit right behind a number.
            (self.at, self.start, self.first) = (self.at - 1, end, self.text[end]);
        }
    }

    /// What is left.
    #[inline(always)]
    pub(super) fn rest(&self) -> &[u8] {
        self.text.get(self.start..).unwrap_or_default()
    }

    /// The next byte; there is none at the end.
    #[inline(always)]
    pub(super) fn first(&self) -> Option<u8> {
        (self.first != 0).then_some(self.first)
    }

    /// The byte after it.
    #[inline(always)]
    pub(super) fn second(&self) -> Option<u8> {
        self.text.get(self.start + 1).copied()
    }

    /// Passes over a byte that must come next.
    #[inline(always)]
    pub(super) fn expect(&mut self, byte: u8) -> Option<()> {
        self.take(byte).then_some(())
    }

    /// Passes over a byte if it comes next.
    #[inline(always)]
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let stands = self.first == byte;
        if stands {
            self.pass(1);
        }
        stands
    }

    /// The sign that comes next, and how many tokens it takes: one for each byte.
    #[inline]
    pub(super) fn sign(&self) -> (Lexeme, usize) {
        let (lexeme, end) = scan::sign(&self.text, self.start);
        (lexeme, end - self.start)
    }

    /// The operator that comes next, if one does, how tightly it binds, and how many tokens it takes.
    #[inline(always)]
    pub(super) fn operator(&self) -> Option<(Operator, u8, usize)> {
        let second = self.second().unwrap_or_default();
        let after = usize::from(second == b'=') + 2 * usize::from(second == self.first);
        let (operator, level, tokens) = OPERATORS[usize::from(self.first)][after]?;
        Some((operator, level, tokens.into()))
    }

    /// Passes over a number: what it is, what it is worth, and where it ends.
    #[inline(always)]
    pub(super) fn number(&mut self) -> Option<(Lexeme, u32, usize)> {
        let (lexeme, value, length, tokens) = match self.few_digits() {
            Some(number) => number,
            None => return self.odd_number(),
        };
        let end = self.start + length;
        self.pass(tokens);
        Some((lexeme, value, end))
    }

    /// The number that is next, if it has few digits, at most one dot, and no unit right behind it: what it is, what it is worth,
    /// and how many bytes and tokens it takes.
    #[inline(always)]
    fn few_digits(&self) -> Option<(Lexeme, u32, usize, usize)> {
        let (rest, length) = (self.rest(), self.marks.length(self.start));
        let whole = digits::few(rest, length)?;
        if rest.get(length) != Some(&b'.') {
            return Some((Lexeme::Int, whole, length, 1));
        }
        let places = self.marks.length(self.start + length + 1);
        let end = length + 1 + places;
        if length + places > FEW || rest.get(end) == Some(&b'.') {
            return None;
        }
        let fraction = digits::few(&rest[length + 1..], places)?;
        Some((Lexeme::Float, digits::with_places(whole, fraction, places).to_bits(), end, 3))
    }

    /// One that is long, or has a unit right behind it.
    #[cold]
    fn odd_number(&mut self) -> Option<(Lexeme, u32, usize)> {
        let (lexeme, end) = scan::number(&self.text, self.start);
        let (lexeme, value) = number::value(&self.text, self.start, end, lexeme).ok()?;
        self.skip(end);
        Some((lexeme, value, end))
    }

    /// The keyword of a node that comes next, and its length, if one does with white space after it.
    #[inline(always)]
    pub(super) fn leading(&self) -> Option<(Keyword, usize)> {
        let Leading { keyword, key, length } = leading(*self.rest().first_chunk()?)?;
        let stands = scan::key(&self.text, self.start, length)? == key && self.rest()[length] <= b' ';
        stands.then_some((keyword, length))
    }

    /// Whether a word begins here.
    #[inline(always)]
    pub(super) fn is_word(&self) -> bool {
        scan::class_of(self.first) == Class::Letter
    }

    /// The key and the length of the word here, if it is short, and its first bytes, whatever they belong to.
    #[inline(always)]
    pub(super) fn short_word(&self) -> Option<([u64; 2], usize, &[u8; 8])> {
        let length = self.marks.length(self.start);
        Some((scan::key(&self.text, self.start, length)?, length, self.rest().first_chunk()?))
    }

    /// The word here, however long.
    pub(super) fn long_word(&self) -> &[u8] {
        self.text.get(self.start..scan::word(&self.text, self.start)).unwrap_or_default()
    }
}
