//! A position in a text: always where something begins, never in white space or a comment.

use super::super::lexer::scan::{self, Class};
use super::super::lexer::{Blank, Lexeme, blank, number};
use std::sync::Arc;

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

/// A text that is read from its beginning to its end, but for trees, to which one goes when they are needed.
pub(super) struct Text {
    text: Arc<[u8]>,
    at: usize,
}

impl Text {
    /// The beginning of a text.
    pub(super) fn new(text: Arc<[u8]>) -> Option<Self> {
        if core::str::from_utf8(&text).is_err() || text.len() > u32::MAX as usize {
            return None;
        }
        let mut text = Self { text, at: 0 };
        text.pass(scan::mark(&text.text));
        Some(text)
    }

    /// A place in a text that something was read of.
    pub(super) fn again(text: Arc<[u8]>, at: usize) -> Self {
        Self { text, at }
    }

    /// How many bytes are read.
    #[inline(always)]
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Goes to where something begins.
    #[inline]
    pub(super) fn go(&mut self, position: usize) {
        self.at = position;
    }

    /// What is left.
    #[inline(always)]
    pub(super) fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next byte; there is none at the end.
    #[inline(always)]
    pub(super) fn first(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The byte after it.
    #[inline(always)]
    pub(super) fn second(&self) -> Option<u8> {
        self.text.get(self.at + 1).copied()
    }

    /// Passes over some bytes, with the white space and the comments after them; mostly there is none, or one space. A comment
    /// without end stays, as nothing begins with it.
    #[inline(always)]
    pub(super) fn pass(&mut self, length: usize) {
        self.at += length;
        let begins = |at: usize| self.text.get(at).is_some_and(|byte| BEGINS[usize::from(*byte)]);
        if begins(self.at) {
            return;
        }
        if self.first() == Some(b' ') && begins(self.at + 1) {
            self.at += 1;
        } else {
            self.pass_blank();
        }
    }

    #[inline(never)]
    fn pass_blank(&mut self) {
        self.at = scan::spaces(&self.text, self.at);
        if self.first() == Some(b'/') {
            self.pass_comments();
        }
    }

    #[cold]
    fn pass_comments(&mut self) {
        while let Blank::Space(end) | Blank::Line(end) | Blank::Block(end) = blank(&self.text, self.at) {
            self.at = end;
        }
    }

    /// Passes over a byte that must come next.
    #[inline(always)]
    pub(super) fn expect(&mut self, byte: u8) -> Option<()> {
        self.take(byte).then_some(())
    }

    /// Passes over a byte if it comes next.
    #[inline(always)]
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let stands = self.first() == Some(byte);
        if stands {
            self.pass(1);
        }
        stands
    }

    /// The sign that comes next, and its length.
    #[inline]
    pub(super) fn sign(&self) -> (Lexeme, usize) {
        let (lexeme, end) = scan::sign(&self.text, self.at);
        (lexeme, end - self.at)
    }

    /// A number: what it is, what it is worth, and where it ends.
    #[inline]
    pub(super) fn number(&self) -> Option<(Lexeme, u32, usize)> {
        number::simple(&self.text, self.at).or_else(|| self.odd_number())
    }

    /// One that is long, or has a unit right behind it.
    #[cold]
    fn odd_number(&self) -> Option<(Lexeme, u32, usize)> {
        let (lexeme, end) = scan::number(&self.text, self.at);
        let (lexeme, value) = number::value(&self.text, self.at, end, lexeme).ok()?;
        Some((lexeme, value, end))
    }

    /// Whether a word begins here.
    #[inline(always)]
    pub(super) fn is_word(&self) -> bool {
        scan::class(&self.text, self.at) == Class::Letter
    }

    /// The word here and its length, if it is short.
    #[inline(always)]
    pub(super) fn short_word(&self) -> Option<([u64; 2], usize)> {
        scan::short_word(&self.text, self.at)
    }

    /// The word here, however long.
    pub(super) fn long_word(&self) -> &[u8] {
        self.text.get(self.at..scan::word(&self.text, self.at)).unwrap_or_default()
    }
}
