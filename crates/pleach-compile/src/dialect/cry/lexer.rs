//! The words of conditions.

/// A word of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    Equal,
    NotEqual,
    Not,
    And,
    Or,
    Xor,
    True,
    False,
    Name(&'a str),
    /// Any other character, `=` among them. No condition has it.
    Stray,
    End,
}

/// Reads one word after the other.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// Offset of the next word, or of white space before it.
    at: usize,
}

/// The words that are no names, in any case.
const WORDS: [(&str, Token<'_>); 5] = [
    ("or", Token::Or),
    ("and", Token::And),
    ("xor", Token::Xor),
    ("true", Token::True),
    ("false", Token::False),
];

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the next word, and where it stands.
    pub(super) fn next(&mut self) -> (Token<'a>, core::ops::Range<usize>) {
        let rest = &self.text[self.at..];
        let word = rest.trim_start_matches(|it: char| it.is_ascii_whitespace() || it == '\u{b}');
        let start = self.text.len() - word.len();
        let (token, length) = read(word);
        self.at = start + length;
        (token, start..self.at)
    }
}

fn read(text: &str) -> (Token<'_>, usize) {
    match text.as_bytes() {
        [] => (Token::End, 0),
        [b'(', ..] => (Token::Open, 1),
        [b')', ..] => (Token::Close, 1),
        [b'=', b'=', ..] => (Token::Equal, 2),
        [b'!', b'=', ..] => (Token::NotEqual, 2),
        [b'!', ..] => (Token::Not, 1),
        [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => name(text),
        _ => (Token::Stray, text.chars().next().map_or(0, char::len_utf8)),
    }
}

fn name(text: &str) -> (Token<'_>, usize) {
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let name = &text[..text.bytes().take_while(|byte| part(byte)).count()];
    let word = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(name));
    (word.map_or(Token::Name(name), |(_, token)| *token), name.len())
}
