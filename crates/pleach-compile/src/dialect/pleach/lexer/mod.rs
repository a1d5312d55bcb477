//! From bytes to tokens, one at a time.
//!
//! There is no list of tokens: the parser asks for the next token when it has used the last one. A
//! token is its kind, its place and one number: a word, a value or a symbol. Text that cannot be
//! read is reported and skipped, so the parser never gets it.

pub(super) mod number;
mod scan;
mod string;

use crate::ast::{Binary, Math};
use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::session::Session;
use crate::source::{OriginId, SourceId, Span};
pub(super) use scan::token;
pub use scan::{Blank, blank, extent};

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexeme {
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
    /// `.` before a name
    Dot,
    /// `..`
    Range,
    /// `=`
    Assign,
    /// `+=`, `-=`, `*=` or `/=`
    Write(Math),
    /// `!`
    Not,
    /// An operator that stands between two values; `-` stands before one, too.
    Operator(Operator),
    /// Something that begins no token.
    Stray,
}

impl Lexeme {
    pub(super) const ADD: Self = Self::Operator(Operator::Math(Math::Add));
    /// `-`
    pub const SUBTRACT: Self = Self::Operator(Operator::Math(Math::Subtract));
    /// `%`
    pub(super) const REMAINDER: Self = Self::Operator(Operator::Math(Math::Remainder));
    pub(super) const AND: Self = Self::Operator(Operator::Truth(Binary::And));
    pub(super) const OR: Self = Self::Operator(Operator::Truth(Binary::Or));
    pub(super) const EQUAL: Self = Self::Operator(Operator::Truth(Binary::Equal));
    /// `<`
    pub const LESS: Self = Self::Operator(Operator::Truth(Binary::Less));
    /// `>`
    pub const GREATER: Self = Self::Operator(Operator::Truth(Binary::Greater));
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// An operator with a boolean result.
    Truth(Binary),
    /// Gives a number.
    Math(Math),
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// Kind of the token.
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
    /// The next byte that has not been read.
    at: usize,
    /// True if a `;` has been reported: one is enough.
    semicolon: bool,
}

impl Cursor {
    /// Returns the beginning of a file, and reports bytes that are no text.
    pub(super) fn new(source: SourceId, text: &[u8], session: &mut Session<'_>) -> Self {
        let cursor = Self { source, at: scan::mark(text), semicolon: false };
        if core::str::from_utf8(text).is_err() {
            cursor.report_bytes(text, &mut session.diagnostics);
        }
        cursor
    }

    /// A piece of the file.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span { source: self.source, start: start as u32, end: end as u32, origin: OriginId::NONE }
    }

    /// Reads the next token.
    #[inline]
    pub(super) fn next(&mut self, text: &[u8], session: &mut Session<'_>) -> Token {
        loop {
            let (mut lexeme, start, end) = token(text, self.at);
            self.at = end;
            let value = match lexeme {
                Lexeme::End if start < end => {
                    self.report_comment(start, session);
                    continue;
                }
                Lexeme::Word => session.names.intern(&text[start..end]).0,
                Lexeme::Int | Lexeme::Float => self.number(text, start, lexeme, &mut session.diagnostics),
                Lexeme::Text => self.text(text, start, session),
                Lexeme::Stray => match self.stray(text, start, &mut session.diagnostics) {
                    Some(meant) => {
                        lexeme = meant;
                        0
                    }
                    None => continue,
                },
                _ => 0,
            };
            return Token { lexeme, value, start: start as u32, end: self.at as u32 };
        }
    }

    #[cold]
    fn report_comment(&self, start: usize, session: &mut Session<'_>) {
        let (at, help) = (self.span(start, start + 2), "end it with `*/`; comments do not nest");
        session.report(codes::OPEN_COMMENT, at, "this comment has no end", help);
    }

    #[inline(never)]
    fn number(&mut self, text: &[u8], start: usize, lexeme: Lexeme, diagnostics: &mut Diagnostics) -> u32 {
        number::value(text, start, self.at, lexeme).unwrap_or_else(|problem| {
            let number::Problem { end, message, help } = problem;
            self.at = end;
            let finding = Diagnostic::new(codes::BAD_NUMBER, Some(self.span(start, end)), message);
            diagnostics.push(finding.help(help));
            0
        })
    }

    #[inline(never)]
    fn text(&mut self, text: &[u8], start: usize, session: &mut Session<'_>) -> u32 {
        let (value, problems) = string::value(self, &text[start..self.at], start);
        problems.into_iter().for_each(|finding| session.diagnostics.push(finding));
        session.names.intern(&value).0
    }

    /// Reports what begins no token; the token that was meant, if that is clear.
    #[cold]
    fn stray(&mut self, text: &[u8], start: usize, diagnostics: &mut Diagnostics) -> Option<Lexeme> {
        let span = self.span(start, self.at);
        if text[start] == b'#' {
            // A comment or a directive of another language: nothing on its line is of this one.
            self.at = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |length| start + length);
        }
        let foreign = |message: &str, help, meant| (codes::FOREIGN_OPERATOR, message.to_owned(), help, meant);
        let (code, message, help, meant) = match text[start] {
            b';' if core::mem::replace(&mut self.semicolon, true) => return None,
            b';' => foreign(
                "`;` ends nothing in this language",
                "leave it out; line ends mean nothing either",
                None,
            ),
            b'&' => foreign("there is no `&`", "both must be true: `&&`", Some(Lexeme::AND)),
            b'|' => foreign("there is no `|`", "one must be true: `||`", Some(Lexeme::OR)),
            // Already reported as no text.
            128.. if core::str::from_utf8(&text[start..span.end as usize]).is_err() => return None,
            byte => {
                let shown = String::from_utf8_lossy(&text[start..span.end as usize]);
                (codes::BAD_CHARACTER, format!("`{shown}` has no meaning here"), advice(byte), None)
            }
        };
        diagnostics.push(Diagnostic::new(code, Some(span), message).help(help));
        meant
    }

    #[cold]
    fn report_bytes(&self, text: &[u8], diagnostics: &mut Diagnostics) {
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

/// Returns the advice for a character that begins no token.
fn advice(byte: u8) -> &'static str {
    match byte {
        b'#' => {
            "comments begin with `//`; `include \"FILE\"` and `const NAME = VALUE` are written without `#`"
        }
        b'\'' => "texts stand between double quotes",
        b'.' => "a number has digits on both sides of the dot",
        b'[' | b']' => "the language has no lists",
        b'?' => "the language has no `? :`; use a `selector` with a `condition`",
        128.. => "names have the letters a to z and A to Z, digits and `_`",
        _ => "leave it out",
    }
}
