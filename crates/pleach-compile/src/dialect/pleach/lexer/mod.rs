//! From bytes to tokens, one at a time.
//!
//! There is no list of tokens: the parser asks for the next one when it has used the last, and a few are read ahead,
//! since that goes faster in a row. A token is its kind, its place and one number, which is a word, a value or a symbol. What cannot be read is reported and passed over, so that the
//! parser never hears of it.

pub(super) mod number;
pub(super) mod scan;
pub(super) mod string;

use super::words::Words;
use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{OriginId, SourceId, Span};
use crate::text::Interner;

use scan::Class;
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
    /// The next byte that has not been read.
    at: usize,
    /// Whether a `;` has been reported: one is enough.
    semicolon: bool,
    /// Tokens that have been read, from `next` to `filled`.
    ahead: [Token; AHEAD],
    next: usize,
    filled: usize,
}

/// How many tokens are read in a row.
const AHEAD: usize = 32;

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
        let none = Token { lexeme: Lexeme::End, value: 0, start: 0, end: 0 };
        let cursor =
            Self { source, at: scan::mark(text), semicolon: false, ahead: [none; AHEAD], next: 0, filled: 0 };
        if core::str::from_utf8(text).is_err() {
            cursor.report_bytes(text, diagnostics);
        }
        cursor
    }

    /// A piece of the file.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span { source: self.source, start: start as u32, end: end as u32, origin: OriginId::NONE }
    }

    /// The next token.
    #[inline]
    pub(super) fn next(&mut self, text: &[u8], sinks: Sinks<'_>) -> Token {
        if self.next == self.filled {
            return self.refill(text, sinks);
        }
        self.next += 1;
        self.ahead[(self.next - 1) % AHEAD]
    }

    /// What the token after the next is, and its number, if it has been read already.
    #[inline]
    pub(super) fn peek(&self) -> Option<(Lexeme, u32)> {
        let token = self.ahead[self.next % AHEAD];
        (self.next < self.filled).then_some((token.lexeme, token.value))
    }

    #[inline(never)]
    fn refill(&mut self, text: &[u8], mut sinks: Sinks<'_>) -> Token {
        self.filled = self.fill(text, &mut sinks);
        self.next = self.filled.min(1);
        if self.filled > 0 { self.ahead[0] } else { self.single(text, &mut sinks) }
    }

    /// Reads ahead, as far as there are plain tokens: how many. What may have to be reported waits for its turn.
    #[inline]
    fn fill(&mut self, text: &[u8], sinks: &mut Sinks<'_>) -> usize {
        let mut at = self.at;
        let mut count = 0;
        while count < AHEAD {
            let start = scan::space(text, at);
            let (lexeme, value, end) = match scan::class(text, start) {
                Class::Letter => {
                    let Some((key, length)) = scan::short_word(text, start) else { break };
                    (Lexeme::Word, sinks.words.short(key, sinks.names), start + length)
                }
                Class::Digit => {
                    let Some(number) = number::simple(text, start) else { break };
                    number
                }
                Class::Space | Class::Other => match scan::sign(text, start) {
                    (Lexeme::Divide, _) if matches!(text.get(start + 1), Some(b'/' | b'*')) => {
                        let (Blank::Line(end) | Blank::Block(end)) = blank(text, start) else { break };
                        at = end;
                        continue;
                    }
                    (Lexeme::End | Lexeme::Stray, _) => break,
                    (lexeme, end) => (lexeme, 0, end),
                },
            };
            self.ahead[count] = Token { lexeme, value, start: start as u32, end: end as u32 };
            count += 1;
            at = end;
        }
        self.at = at;
        count
    }

    /// Reads one token, whatever it is.
    fn single(&mut self, text: &[u8], sinks: &mut Sinks<'_>) -> Token {
        loop {
            let start = self.skip(text, sinks);
            let (lexeme, end) = extent(text, start);
            self.at = end;
            match lexeme {
                Lexeme::Word => {
                    let value = sinks.words.find(&text[start..end], sinks.names);
                    return Token { lexeme, value, start: start as u32, end: end as u32 };
                }
                Lexeme::Int | Lexeme::Float => return self.number(text, start, lexeme, sinks),
                _ => {
                    if let Some(token) = self.other(text, start, sinks) {
                        return token;
                    }
                }
            }
        }
    }

    /// A token that is neither word nor number; `None` if it has been reported and counts for nothing.
    fn other(&mut self, text: &[u8], start: usize, sinks: &mut Sinks<'_>) -> Option<Token> {
        let (mut lexeme, end) = extent(text, start);
        let mut value = 0;
        match lexeme {
            Lexeme::Text => value = self.text(text, start, sinks),
            Lexeme::Stray => lexeme = self.stray(text, start, sinks)?,
            _ => {}
        }
        Some(Token { lexeme, value, start: start as u32, end: end as u32 })
    }

    /// The first byte of the next token.
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
        if text[start] == b'#' {
            // A comment or a directive of another language: nothing on its line is of this one.
            self.at = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |length| start + length);
        }
        let shown = String::from_utf8_lossy(&text[span.start as usize..span.end as usize]).into_owned();
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

/// What to write instead of a character.
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

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::{Arbitrary, Gen};

    /// The tokens of a text, read ahead or one by one, and how many errors it has.
    fn tokens(text: &[u8], ahead: bool) -> (Vec<(Lexeme, u32, u32, u32)>, usize) {
        let (mut names, mut diagnostics) = (Interner::default(), Diagnostics::default());
        let mut words = Words::new(&mut names);
        let mut cursor = Cursor::new(SourceId(0), text, &mut diagnostics);
        let mut tokens = Vec::new();
        loop {
            let mut sinks = Sinks { words: &mut words, names: &mut names, diagnostics: &mut diagnostics };
            let token = if ahead { cursor.next(text, sinks) } else { cursor.single(text, &mut sinks) };
            let Token { lexeme, value, start, end } = token;
            tokens.push((lexeme, value, start, end));
            if lexeme == Lexeme::End {
                return (tokens, diagnostics.errors());
            }
        }
    }

    #[test]
    fn reading_ahead_changes_nothing() {
        const PARTS: [&str; 44] = [
            "a",
            "tree",
            "fifteen_letters",
            "sixteen__letters",
            "a_name_that_is_longer_than_all",
            "x1",
            "0",
            "12",
            "1234567",
            "12345678",
            "2147483648",
            "99999999999",
            "0x1f",
            "0x",
            "1.5",
            "0.1234567",
            "16777217.0",
            "1.",
            "1e3",
            "1.5e-3",
            "5s",
            "5ms",
            "5x",
            "\"text\"",
            "\"open",
            "// line",
            "/* block */",
            "/* open",
            "==",
            "=",
            "<=",
            "&&",
            "&",
            "||",
            "!",
            "!=",
            "-",
            "-=",
            "/",
            "/=",
            ";",
            "\u{e4}b",
            "\x01",
            "%",
        ];
        const BLANKS: [&str; 6] = ["", " ", "\n", "\n\t\t", "\r\n\t\t\t\t\t\t\t\t\t", "         "];
        let mut chance = Gen::from_size_and_seed(100, 1);
        let mut below = |limit: usize| usize::arbitrary(&mut chance) % limit;
        for _ in 0..5_000 {
            let count = below(60);
            let text: String = (0..count).map(|_| PARTS[below(44)].to_owned() + BLANKS[below(6)]).collect();
            assert_eq!(tokens(text.as_bytes(), true), tokens(text.as_bytes(), false), "{text:?}");
        }
    }
}
