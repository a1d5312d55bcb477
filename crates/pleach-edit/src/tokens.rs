//! A text cut into tokens and comments.

use pleach_compile::internals::language::{Blank, Keyword, Lexeme, blank, extent};

/// Token or comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Kind of the token; none for a comment.
    pub lexeme: Option<Lexeme>,
    /// Keyword that the token is, if it is one.
    pub keyword: Option<Keyword>,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Token {
    /// Returns true if the token is of this kind.
    #[must_use]
    pub fn is(&self, lexeme: Lexeme) -> bool {
        self.lexeme == Some(lexeme)
    }

    /// Returns true for a comment.
    #[must_use]
    pub fn is_comment(&self) -> bool {
        self.lexeme.is_none()
    }

    /// Returns true for a word that can be a name.
    #[must_use]
    pub fn is_name(&self) -> bool {
        self.is(Lexeme::Word) && !self.keyword.is_some_and(Keyword::is_reserved)
    }
}

/// Returns true if text behind this text would belong to its last comment.
pub(crate) fn ends_with_line_comment(text: &str) -> bool {
    let last = tokens(text).last().map(|token| &text[token.start as usize..]);
    last.is_some_and(|last| last.starts_with("//") && !last.contains('\n'))
}

/// Returns the tokens and comments of a text in order. A comment without an end is the last one.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    loop {
        let (lexeme, end) = match blank(bytes, at) {
            Blank::Space(end) => {
                at = end;
                continue;
            }
            Blank::Line(end) | Blank::Block(end) => (None, end),
            Blank::Open => (None, bytes.len()),
            Blank::None => {
                let (lexeme, end) = extent(bytes, at);
                (Some(lexeme), end)
            }
        };
        if lexeme == Some(Lexeme::End) {
            return tokens;
        }
        let word = lexeme.filter(|it| *it == Lexeme::Word).and_then(|_| text.get(at..end));
        let keyword = word.and_then(Keyword::spelled);
        tokens.push(Token { lexeme, keyword, start: at as u32, end: end as u32 });
        at = end;
    }
}
