//! From bytes to tokens, one at a time.
//!
//! There is no list of tokens: the parser asks for the next one when it has used the last. A token is its kind, its place
//! and one number, which is a word, a value or a symbol. What cannot be read is reported and passed over, so that the
//! parser never hears of it.

mod number;
mod scan;
mod string;

use super::words::Words;
use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{OriginId, SourceId, Span};
use crate::text::Interner;

pub(super) use scan::{Blank, blank, extent};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lexeme {
    /// The end of the file.
    End,
    /// A keyword or name: the number is the word.
    Word,
    /// An integer: the number is its magnitude, at most 2^31.
    Int,
    /// A float: the number has its bits.
    Float,
    /// A text: the number is its symbol.
    Text,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `=`
    Assign,
    /// `+=`
    AddAssign,
    /// `-=`
    SubtractAssign,
    /// `*=`
    MultiplyAssign,
    /// `/=`
    DivideAssign,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `!`
    Not,
    /// `&&`
    And,
    /// `||`
    Or,
    /// Something that begins no token.
    Stray,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// What it is.
    pub(super) lexeme: Lexeme,
    /// See [`Lexeme`]; 0 for all others.
    pub(super) value: u32,
    /// First byte.
    pub(super) start: u32,
    /// One past the last byte.
    pub(super) end: u32,
}

/// A position in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    /// The file.
    pub(super) source: SourceId,
    /// The next byte.
    at: usize,
    /// Whether a `;` has been reported: one is enough.
    semicolon: bool,
}

/// What the lexer writes to.
pub(super) struct Sinks<'s> {
    /// Keywords and names.
    pub(super) words: &'s mut Words,
    /// Names and texts.
    pub(super) names: &'s mut Interner,
    /// Findings.
    pub(super) diagnostics: &'s mut Diagnostics,
}

impl Cursor {
    /// The beginning of a file; reports bytes that are no text.
    pub(super) fn new(source: SourceId, text: &[u8], diagnostics: &mut Diagnostics) -> Self {
        let cursor = Self { source, at: scan::mark(text), semicolon: false };
        if core::str::from_utf8(text).is_err() {
            cursor.report_bytes(text, diagnostics);
        }
        cursor
    }

    /// A piece of the file.
    pub(super) fn span(self, start: usize, end: usize) -> Span {
        Span { source: self.source, start: start as u32, end: end as u32, origin: OriginId::NONE }
    }

    /// The next token.
    #[inline]
    pub(super) fn next(&mut self, text: &[u8], mut sinks: Sinks<'_>) -> Token {
        loop {
            let start = self.skip(text, &mut sinks);
            let (lexeme, end) = extent(text, start);
            self.at = end;
            let value = match lexeme {
                Lexeme::Word => word(text, start, end, &mut sinks),
                Lexeme::Int | Lexeme::Float => return self.number(text, start, lexeme, &mut sinks),
                Lexeme::Text => self.text(text, start, &mut sinks),
                Lexeme::Stray => match self.stray(text, start, &mut sinks) {
                    Some(meant) => {
                        return Token { lexeme: meant, value: 0, start: start as u32, end: end as u32 };
                    }
                    None => continue,
                },
                _ => 0,
            };
            return Token { lexeme, value, start: start as u32, end: end as u32 };
        }
    }

    /// The first byte of the next token.
    #[inline]
    fn skip(&self, text: &[u8], sinks: &mut Sinks<'_>) -> usize {
        let mut at = self.at;
        loop {
            match blank(text, at) {
                Blank::None => return at,
                Blank::Space(end) | Blank::Line(end) | Blank::Block(end) => at = end,
                Blank::Open => {
                    let message = "this comment has no end";
                    let finding = Diagnostic::new(codes::OPEN_COMMENT, Some(self.span(at, at + 2)), message);
                    sinks.diagnostics.push(finding.help("end it with `*/`; comments do not nest"));
                    return text.len();
                }
            }
        }
    }

    fn number(&mut self, text: &[u8], start: usize, lexeme: Lexeme, sinks: &mut Sinks<'_>) -> Token {
        let token = |lexeme, value, end| Token { lexeme, value, start: start as u32, end: end as u32 };
        match number::value(text, start, self.at, lexeme) {
            Ok((lexeme, value)) => token(lexeme, value, self.at),
            Err(number::Problem { end, message, help }) => {
                self.at = end;
                let finding = Diagnostic::new(codes::BAD_NUMBER, Some(self.span(start, end)), message);
                sinks.diagnostics.push(finding.help(help));
                token(lexeme, 0, end)
            }
        }
    }

    fn text(&mut self, text: &[u8], start: usize, sinks: &mut Sinks<'_>) -> u32 {
        let (value, problems) = string::value(&text[start..self.at]);
        for string::Problem { code, at, length, message, help } in problems {
            let span = self.span(start + at, start + at + length);
            sinks.diagnostics.push(Diagnostic::new(code, Some(span), message).help(help));
        }
        sinks.names.intern(&value).0
    }

    /// Reports what begins no token; the token that was meant, if that is clear.
    #[cold]
    fn stray(&mut self, text: &[u8], start: usize, sinks: &mut Sinks<'_>) -> Option<Lexeme> {
        let span = self.span(start, self.at);
        let shown = String::from_utf8_lossy(&text[start..self.at]).into_owned();
        let (code, message, help, meant) = match text[start] {
            b';' if core::mem::replace(&mut self.semicolon, true) => return None,
            b';' => (
                codes::FOREIGN_OPERATOR,
                "`;` ends nothing in this language".to_owned(),
                "leave it out; line ends mean nothing either",
                None,
            ),
            b'&' => (
                codes::FOREIGN_OPERATOR,
                "there is no `&`".to_owned(),
                "both must be true: `&&`",
                Some(Lexeme::And),
            ),
            b'|' => (
                codes::FOREIGN_OPERATOR,
                "there is no `|`".to_owned(),
                "one must be true: `||`",
                Some(Lexeme::Or),
            ),
            // Already reported as no text.
            128.. if core::str::from_utf8(&text[start..self.at]).is_err() => return None,
            byte => (codes::BAD_CHARACTER, format!("`{shown}` has no meaning here"), advice(byte), None),
        };
        sinks.diagnostics.push(Diagnostic::new(code, Some(span), message).help(help));
        meant
    }

    #[cold]
    fn report_bytes(self, text: &[u8], diagnostics: &mut Diagnostics) {
        let mut at = 0;
        for chunk in text.utf8_chunks() {
            at += chunk.valid().len();
            let length = chunk.invalid().len();
            if length > 0 {
                let message = format!("the bytes `{}` are no text in UTF-8", chunk.invalid().escape_ascii());
                let finding = Diagnostic::new(codes::INVALID_TEXT, Some(self.span(at, at + length)), message);
                diagnostics.push(finding.help("save the file as UTF-8"));
            }
            at += length;
        }
    }
}

/// What to write instead of a character.
fn advice(byte: u8) -> &'static str {
    match byte {
        b'#' => {
            "`include \"FILE\"` and `const NAME = VALUE` are written without it; comments begin with `//`"
        }
        b'\'' => "texts stand between double quotes",
        b'.' => "a number has digits on both sides of the dot",
        b'[' | b']' => "the language has no lists",
        b'?' => "the language has no `? :`; use a `selector` with a `condition`",
        128.. => "names have the letters a to z and A to Z, digits and `_`",
        _ => "leave it out",
    }
}

/// The word from `start` to `end`.
#[inline]
fn word(text: &[u8], start: usize, end: usize, sinks: &mut Sinks<'_>) -> u32 {
    let length = end - start;
    if length <= 16
        && let Some(bytes) = text.get(start..start + 16)
        && let Ok(bytes) = <[u8; 16]>::try_from(bytes)
    {
        let key = u128::from_le_bytes(bytes) & (u128::MAX >> (128 - 8 * length));
        return sinks.words.short(key, &text[start..end], sinks.names);
    }
    sinks.words.find(&text[start..end], sinks.names)
}
