//! A position in a text: always where something begins, never in white space or a comment.

use super::{Keyword, Punct, lanes};
use crate::ast::Binary;
use crate::dialect::unvanquished::parser::binary;

/// Whether a byte begins something that is no white space and, for certain, no comment.
static BEGINS: [bool; 256] = {
    let mut begins = [false; 256];
    let mut byte = b'!';
    while byte < 128 {
        begins[byte as usize] = byte != b'/';
        byte += 1;
    }
    begins
};

/// A text that is read from its beginning to its end.
pub(super) struct Text<'t> {
    size: usize,
    rest: &'t [u8],
}

impl<'t> Text<'t> {
    /// The beginning of a text.
    pub(super) fn new(bytes: &'t [u8]) -> Option<Self> {
        if memchr::memchr(0, bytes).is_some() {
            return None;
        }
        let mut text = Self { size: bytes.len(), rest: bytes };
        text.pass(0)?;
        Some(text)
    }

    /// How many bytes are read.
    #[inline]
    pub(super) fn position(&self) -> usize {
        self.size - self.rest.len()
    }

    /// What is left.
    #[inline]
    pub(super) fn rest(&self) -> &'t [u8] {
        self.rest
    }

    /// The next byte; there is none at the end.
    #[inline]
    pub(super) fn first(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// The byte after the next.
    #[inline]
    pub(super) fn second(&self) -> Option<u8> {
        self.rest.get(1).copied()
    }

    /// Passes over some bytes, with the white space and the comments after them; mostly there is none, or one space.
    #[inline(always)]
    pub(super) fn pass(&mut self, length: usize) -> Option<()> {
        self.rest = self.rest.get(length..)?;
        match self.rest {
            [first, ..] if BEGINS[usize::from(*first)] => Some(()),
            [b' ', second, ..] if BEGINS[usize::from(*second)] => {
                self.rest = &self.rest[1..];
                Some(())
            }
            _ => self.pass_blank(),
        }
    }

    #[inline(never)]
    fn pass_blank(&mut self) -> Option<()> {
        self.rest = self.rest.get(lanes::spaces(self.rest)..)?;
        if self.first() == Some(b'/') { self.pass_comments() } else { Some(()) }
    }

    #[cold]
    fn pass_comments(&mut self) -> Option<()> {
        loop {
            let length = match self.rest {
                [b'/', b'/', comment @ ..] => 2 + memchr::memchr(b'\n', comment).unwrap_or(comment.len()),
                [b'/', b'*', comment @ ..] => 4 + comment.windows(2).position(|pair| pair == b"*/")?,
                _ => return Some(()),
            };
            self.jump(length)?;
            self.jump(lanes::spaces(self.rest))?;
        }
    }

    /// Passes over some bytes, to a place where something begins.
    pub(super) fn jump(&mut self, length: usize) -> Option<()> {
        self.rest = self.rest.get(length..)?;
        Some(())
    }

    /// Passes over a byte that must come next.
    #[inline]
    pub(super) fn expect(&mut self, byte: u8) -> Option<()> {
        if self.first()? == byte { self.pass(1) } else { None }
    }

    /// The keyword that comes next in canonical spelling, and its length. Where the first letters tell which it may be,
    /// no time is lost by looking for its end.
    #[inline]
    pub(super) fn keyword(&self) -> Option<(Keyword, usize)> {
        match self.rest {
            [b'a', ..] => self.is(Keyword::Action),
            [b'b', ..] => self.is(Keyword::Behavior),
            [b'c', b'o', b'n', b'd', ..] => self.is(Keyword::Condition),
            [b'c', ..] => self.is(Keyword::Concurrent),
            [b'd', ..] => self.is(Keyword::Decorator),
            [b'f', ..] => self.is(Keyword::Fallback),
            [b's', b'e', b'l', ..] => self.is(Keyword::Selector),
            [b's', ..] => self.is(Keyword::Sequence),
            _ => None,
        }
    }

    #[inline(always)]
    fn is(&self, keyword: Keyword) -> Option<(Keyword, usize)> {
        let spelling = keyword.spelling().as_bytes();
        let next = self.rest.strip_prefix(spelling)?.first()?;
        (!(next.is_ascii_alphanumeric() || *next == b'_')).then_some((keyword, spelling.len()))
    }

    /// The binary operator that comes next, and its length, if one does.
    #[inline]
    pub(super) fn operator(&self) -> Option<Option<(Binary, usize)>> {
        if !matches!(self.first()?, b'<' | b'>' | b'=' | b'!' | b'&' | b'|') {
            return Some(None);
        }
        let (punct, length) = Punct::read(self.rest())?;
        Some(Some((binary(punct)?, length)))
    }
}

/// How many blanks and tabs come first; there must be one.
pub(super) fn gap(text: &[u8]) -> Option<usize> {
    let length = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (length > 0).then_some(length)
}
