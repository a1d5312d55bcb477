//! Tokens: the text without spaces and comments.
//!
//! A token is 32 bytes and `Copy`. Names and strings are symbols. A number has the value
//! that the language gives it. Its spelling is seldom needed (for a tree called `5`), and is
//! then looked up in the source.

use super::number::Number;
use crate::source::Span;
use crate::text::Sym;

/// Kind of a token, with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Lexeme {
    /// A word.
    Name(Sym),
    /// A string. Inside the preprocessor its quotes are part of the symbol, since joining and
    /// merging count them; the parser gets it without.
    Text(Sym),
    /// A string in single quotes, quotes included. No construct of the language takes one.
    Literal(Sym),
    /// A number.
    Number(Number),
    /// An operator or a bracket.
    Punct(Punct),
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// Kind and value of the token.
    pub(super) lexeme: Lexeme,
    /// Place of the token, with the macros and includes that it came through.
    pub(super) span: Span,
    /// Number of line ends between the token before and this token; 2 stands for two or more.
    pub(super) lines: u8,
    /// True if white space or a comment stands before the token.
    pub(super) spaced: bool,
}

impl Token {
    /// Returns true if the token is this punctuation.
    pub(super) fn is(&self, punct: Punct) -> bool {
        self.lexeme == Lexeme::Punct(punct)
    }

    /// Returns the token as part of a macro's body, in which line ends
    /// and white space do not count.
    pub(super) fn detached(self) -> Self {
        Self { lines: 0, spaced: false, ..self }
    }
}

macro_rules! punctuation {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// An operator or a bracket.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Punct { $(#[doc = $text] $name),* }

        /// All of them: those with the same first byte stand together, longer ones first.
        const ROWS: &[(&[u8], Punct)] = &[$(($text.as_bytes(), Punct::$name)),*];
    };
}

punctuation! {
    NotEqual = "!=", Not = "!", Merge = "##", Hash = "#", Dollar = "$", RemainderAssign = "%=", Remainder = "%",
    LogicalAnd = "&&", AndAssign = "&=", And = "&", Open = "(", Close = ")", TimesAssign = "*=", Times = "*",
    Increment = "++", PlusAssign = "+=", Plus = "+", Comma = ",", Decrement = "--", MinusAssign = "-=", Arrow = "->",
    Minus = "-", Ellipsis = "...", Member = ".*", Dot = ".", DivideAssign = "/=", Divide = "/", Scope = "::",
    Colon = ":", Semicolon = ";", ShiftLeftAssign = "<<=", ShiftLeft = "<<", LessEqual = "<=", Less = "<",
    Equal = "==", Assign = "=", ShiftRightAssign = ">>=", ShiftRight = ">>", GreaterEqual = ">=", Greater = ">",
    Question = "?", OpenSquare = "[", Backslash = "\\", CloseSquare = "]", XorAssign = "^=", Xor = "^",
    OpenBrace = "{", LogicalOr = "||", OrAssign = "|=", Or = "|", CloseBrace = "}", Complement = "~",
}

/// A spelling as a number of four bytes, the mask of the bytes that count, the punctuation, and the
/// length.
type Pattern = (u32, u32, Punct, u8);

/// For each first byte, the patterns that begin with it; there are never more than four.
static PATTERNS: [[Option<Pattern>; 4]; 128] = patterns();

const fn patterns() -> [[Option<Pattern>; 4]; 128] {
    let mut patterns = [[None; 4]; 128];
    let mut row = 0;
    while row < ROWS.len() {
        let (spelling, punct) = ROWS[row];
        let (mut number, mut mask, mut at) = (0, 0, 0);
        while at < spelling.len() {
            number |= (spelling[at] as u32) << (8 * at);
            mask |= 0xff << (8 * at);
            at += 1;
        }
        let group = &mut patterns[spelling[0] as usize];
        let mut place = 0;
        while group[place].is_some() {
            place += 1;
        }
        group[place] = Some((number, mask, punct, spelling.len() as u8));
        row += 1;
    }
    patterns
}

impl Punct {
    /// Returns the longest punctuation that the text begins with.
    #[inline]
    pub(super) fn read(text: &[u8]) -> Option<(Self, usize)> {
        let begin = match text {
            [a, b, c, ..] => u32::from_le_bytes([*a, *b, *c, 0]),
            [a, b] => u32::from_le_bytes([*a, *b, 0, 0]),
            [a] => u32::from(*a),
            [] => return None,
        };
        let group = PATTERNS.get(usize::from(text[0]))?;
        let found = group.iter().flatten().find(|(spelling, mask, ..)| begin & mask == *spelling);
        found.map(|(_, _, punct, length)| (*punct, usize::from(*length)))
    }

    /// Returns the punctuation as it is written.
    pub(super) fn spelling(self) -> &'static str {
        let row = ROWS.get(self as usize).map_or(&b""[..], |row| row.0);
        core::str::from_utf8(row).unwrap_or_default()
    }

    /// Returns true if the punctuation begins with a minus sign, which makes the next number
    /// of an argument list negative.
    pub(super) fn negates(self) -> bool {
        matches!(self, Self::Minus | Self::Decrement | Self::MinusAssign | Self::Arrow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_punctuation_reads_as_itself() {
        for (spelling, punct) in ROWS {
            assert_eq!(Punct::read(spelling), Some((*punct, spelling.len())));
            assert_eq!(punct.spelling().as_bytes(), *spelling);
        }
    }

    #[test]
    fn the_longest_punctuation_counts() {
        assert_eq!(Punct::read(b">>=1"), Some((Punct::ShiftRightAssign, 3)));
        assert_eq!(Punct::read(b"..."), Some((Punct::Ellipsis, 3)));
        assert_eq!(Punct::read(b".."), Some((Punct::Dot, 1)));
        assert_eq!(Punct::read(b"@"), None);
    }

    #[test]
    fn a_token_is_small() {
        assert_eq!(size_of::<Token>(), 32);
    }
}
