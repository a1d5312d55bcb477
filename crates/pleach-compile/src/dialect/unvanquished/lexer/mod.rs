//! From bytes to tokens.
//!
//! The lexer walks one file with a [`Cursor`], which owns nothing but its position, so that files
//! can be stacked by `#include` and the cursor of the outer one just waits. Text ends at its first
//! NUL. Every byte that is not between 33 and 127 is white space, so UTF-8 outside strings and
//! comments separates tokens and is otherwise ignored.
//!
//! What cannot be read ends the file there: the caller gets the finding and
//! decides what becomes of the rest.

mod strings;

use super::number::{self, Number, Oddity};
use super::token::{Lexeme, Punct, Token};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::source::{OriginId, SourceId, Span};
use bumpalo::Bump;

/// Bytes of a token's spelling, with the NUL that the original puts after it.
pub(super) const MAX_TOKEN: usize = 1024;

/// Class of a byte, which decides what kind of token it begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Digit,
    Letter,
    Space,
    LineEnd,
    Quote,
    Other,
}

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'\n' => Class::LineEnd,
            0..=b' ' | 128..=255 => Class::Space,
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
            b'"' | b'\'' => Class::Quote,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
}

fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

/// Returns the number of letters, digits and `_` that a text begins with.
#[inline]
pub(super) fn name_length(text: &[u8]) -> usize {
    let mut length = 0;
    while text.get(length).is_some_and(|byte| class(*byte) <= Class::Letter) {
        length += 1;
    }
    length
}

/// Finding that ends the reading of a file.
type Finding = Box<Diagnostic>;

/// A position in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    source: SourceId,
    origin: OriginId,
    at: usize,
    end: usize,
    size: usize,
    lines: u8,
}

impl Cursor {
    /// Returns the beginning of a file that takes effect through `origin`.
    pub(super) fn new(source: SourceId, text: &[u8], origin: OriginId) -> Self {
        let end = memchr::memchr(0, text).unwrap_or(text.len());
        Self { source, origin, at: 0, end, size: text.len(), lines: 0 }
    }

    /// Returns the place of the NUL byte that ends the text, if there is one.
    pub(super) fn cut(&self) -> Option<Span> {
        (self.end < self.size).then(|| self.span(self.end, self.end + 1))
    }

    /// Returns the number of line ends before the token that was read
    /// last; 2 stands for two or more.
    pub(super) fn lines(&self) -> u8 {
        self.lines
    }

    /// Returns true if all bytes are read. A NUL byte stops the lexer before that.
    pub(super) fn finished(&self) -> bool {
        self.at >= self.size
    }

    /// Returns the place that was reached.
    pub(super) fn here(&self) -> Span {
        self.span(self.at, self.at)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { source: self.source, start: start as u32, end: end as u32, origin: self.origin }
    }

    /// Returns the next token of the file, which has this text; `None` at its end. `lines` is the
    /// number of line ends before the present place, at most two.
    #[inline(always)]
    pub(super) fn next(
        &mut self,
        text: &[u8],
        lines: u8,
        session: &mut Session<'_>,
        arena: &Bump,
    ) -> Result<Option<Token>, Finding> {
        Reader { text: &text[..self.end], cursor: self, session, arena }.token(lines)
    }
}

/// The lexer at work.
struct Reader<'t, 'a> {
    text: &'t [u8],
    cursor: &'t mut Cursor,
    session: &'t mut Session<'a>,
    /// Memory for strings on their way to the names.
    arena: &'t Bump,
}

impl Reader<'_, '_> {
    #[inline(always)]
    fn token(&mut self, lines: u8) -> Result<Option<Token>, Finding> {
        let before = self.cursor.at;
        let lines = self.space(lines, true);
        self.cursor.lines = lines;
        let start = self.cursor.at;
        let Some(first) = self.text.get(start) else { return Ok(None) };
        let lexeme = match class(*first) {
            Class::Letter => self.name()?,
            Class::Digit => self.number()?,
            Class::Quote => self.string(*first)?,
            _ if *first == b'.' && self.text.get(start + 1).is_some_and(u8::is_ascii_digit) => {
                self.number()?
            }
            _ => self.punct()?,
        };
        let span = self.cursor.span(start, self.cursor.at);
        Ok(Some(Token { lexeme, span, lines, spaced: start > before }))
    }

    /// Skips white space and comments. Adds the line ends in it to those before, up to two.
    #[inline(always)]
    fn space(&mut self, mut lines: u8, report: bool) -> u8 {
        loop {
            let mut at = self.cursor.at;
            while let Some(byte) = self.text.get(at) {
                match class(*byte) {
                    Class::Space => {}
                    Class::LineEnd => lines = (lines + 1).min(2),
                    _ => break,
                }
                at += 1;
            }
            self.cursor.at = at;
            if !matches!(self.text.get(at..at + 2), Some([b'/', b'/' | b'*'])) {
                return lines;
            }
            lines = (lines + self.comment(report)).min(2);
        }
    }

    /// Skips a comment; of `//` the line's end is left to [`Self::space`].
    #[inline(never)]
    fn comment(&mut self, report: bool) -> u8 {
        let rest = &self.text[self.cursor.at + 2..];
        if self.text[self.cursor.at + 1] == b'/' {
            self.cursor.at += 2 + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            return 0;
        }
        let close = rest.windows(2).position(|pair| pair == b"*/");
        let inside = &rest[..close.unwrap_or(rest.len())];
        if close.is_none() && report {
            let span = self.cursor.span(self.cursor.at, self.cursor.at + 2);
            let message = "this comment is never closed, so it hides the rest of the file";
            self.session.report(codes::UNCLOSED_COMMENT, span, message, "end it with `*/`");
        }
        self.cursor.at = close.map_or(self.text.len(), |close| self.cursor.at + close + 4);
        inside.iter().filter(|byte| **byte == b'\n').take(2).count() as u8
    }

    fn name(&mut self) -> Result<Lexeme, Finding> {
        let rest = &self.text[self.cursor.at..];
        let length = name_length(rest);
        if length >= MAX_TOKEN {
            return Err(self.too_long(MAX_TOKEN, "name"));
        }
        self.cursor.at += length;
        Ok(Lexeme::Name(self.session.names.intern(&rest[..length])))
    }

    #[inline(never)]
    fn number(&mut self) -> Result<Lexeme, Finding> {
        let rest = &self.text[self.cursor.at..];
        let extent = number::measure(rest);
        let limit = MAX_TOKEN - usize::from(extent.notation != number::Notation::Hexadecimal);
        if extent.digits >= limit {
            return Err(self.too_long(limit, "number"));
        }
        let digits = &rest[..extent.digits];
        let wide = number::value(digits, extent.notation);
        let integral = extent.notation != number::Notation::Float;
        if !integral {
            self.note_odd_fraction(digits);
        }
        self.cursor.at += extent.whole;
        let number = Number::computed(wide.int, wide.float, integral);
        Ok(Lexeme::Number(Number { written: true, ..number }))
    }

    fn note_odd_fraction(&mut self, digits: &[u8]) {
        let span = Some(self.cursor.span(self.cursor.at, self.cursor.at + digits.len()));
        let finding = match number::oddity(digits) {
            Some(Oddity::TrailingDot) => {
                let message = "this number counts 4.8 less than it says, because it ends with a dot";
                Diagnostic::new(codes::TRAILING_DOT, span, message).help("write a digit after the dot")
            }
            Some(Oddity::SecondDot) => {
                let message = "a number has one dot; what follows the second is ignored";
                Diagnostic::new(codes::SECOND_DOT, span, message)
            }
            Some(Oddity::LongFraction) => {
                let message = "the digits after the nineteenth of the fraction do not count as they should";
                Diagnostic::new(codes::LONG_FRACTION, span, message).help("leave them out")
            }
            None => return,
        };
        self.session.diagnostics.push(finding);
    }

    fn punct(&mut self) -> Result<Lexeme, Finding> {
        if let Some((punct, length)) = Punct::read(&self.text[self.cursor.at..]) {
            self.cursor.at += length;
            return Ok(Lexeme::Punct(punct));
        }
        let span = self.cursor.span(self.cursor.at, self.cursor.at + 1);
        let byte = self.text[self.cursor.at].escape_ascii();
        Err(Box::new(Diagnostic::new(codes::UNREADABLE, span, format!("`{byte}` begins no word or sign"))))
    }

    /// Skips the beginning of a token that is too long, as the original does before it notices.
    fn too_long(&mut self, length: usize, what: &str) -> Finding {
        let start = if what == "string" { self.cursor.at - length } else { self.cursor.at };
        self.cursor.at = start + length;
        let span = self.cursor.span(start, self.cursor.at);
        let most = if what == "string" { MAX_TOKEN - 4 } else { MAX_TOKEN - 1 };
        let message = format!("this {what} is longer than {most} bytes");
        Box::new(Diagnostic::new(codes::TOO_LONG, span, message))
    }
}
