//! Words of scripts.

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Int(i64),
    Real(f64),
    Truth(bool),
    Text(String),
    Name(String),
    Sign(&'static str),
    End,
}

/// Signs, longer ones before those that they begin with.
const SIGNS: [&str; 29] = [
    ":=", "+=", "-=", "*=", "/=", "||", "&&", "==", "!=", "<=", ">=", "..", "=", "?", ":", "<", ">", "|",
    "^", "&", "+", "-", "*", "/", "~", "!", "(", ")", ";",
];

/// Words of a script.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// True if texts may stand in double quotes, and names may have letters beyond ASCII.
    lenient: bool,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, lenient: bool) -> Self {
        Self { text, at: 0, lenient }
    }

    /// Returns the next word, or what is wrong with it.
    pub(super) fn next(&mut self) -> Result<Token, String> {
        let rest = self.text[self.at..].trim_start_matches([' ', '\t', '\n', '\r']);
        self.at = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(Token::End) };
        match first {
            '0'..='9' => self.number(rest),
            '\'' => self.quoted(rest, '\''),
            '"' if self.lenient => self.quoted(rest, '"'),
            _ if self.begins_name(first) => Ok(self.name(rest)),
            _ => self.sign(rest, first),
        }
    }

    fn begins_name(&self, it: char) -> bool {
        it.is_ascii_alphabetic() || matches!(it, '_' | '@') || self.lenient && it.is_alphabetic()
    }

    fn name(&mut self, rest: &str) -> Token {
        let goes_on =
            |it: char| it.is_ascii_alphanumeric() || it == '_' || self.lenient && it.is_alphanumeric();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = rest[first..].find(|it| !goes_on(it)).map_or(rest.len(), |length| first + length);
        self.at += length;
        match &rest[..length] {
            "true" => Token::Truth(true),
            "false" => Token::Truth(false),
            name => Token::Name(name.to_owned()),
        }
    }

    fn quoted(&mut self, rest: &str, quote: char) -> Result<Token, String> {
        let Some(length) = rest[1..].find(quote) else { return Err("a text has no end".into()) };
        self.at += length + 2;
        Ok(Token::Text(rest[1..=length].to_owned()))
    }

    fn sign(&mut self, rest: &str, first: char) -> Result<Token, String> {
        match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => {
                self.at += sign.len();
                Ok(Token::Sign(sign))
            }
            None => Err(format!("the character {first:?} means nothing here")),
        }
    }

    fn number(&mut self, rest: &str) -> Result<Token, String> {
        let digits = |from: usize| rest[from..].bytes().take_while(u8::is_ascii_digit).count();
        if rest.starts_with("0x") || rest.starts_with("0X") {
            let count = rest[2..].bytes().take_while(u8::is_ascii_hexdigit).count();
            let number = i64::from_str_radix(&rest[2..2 + count], 16);
            return self.ended(rest, 2 + count, count > 0, Token::Int(number.unwrap_or(0)));
        }
        let mut end = digits(0);
        let mut real = false;
        let mut whole = true;
        // Two points are the operator that joins texts.
        if rest[end..].starts_with('.') && !rest[end..].starts_with("..") {
            let count = digits(end + 1);
            (real, whole, end) = (true, count > 0, end + 1 + count);
        }
        if whole && rest[end..].starts_with(['e', 'E']) {
            let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
            let count = digits(end + 1 + sign);
            (real, whole, end) = (true, count > 0, end + 1 + sign + count);
        }
        let token = match real {
            true => Token::Real(rest[..end].parse().unwrap_or(0.0)),
            false => Token::Int(rest[..end].parse().unwrap_or(0)),
        };
        self.ended(rest, end, whole, token)
    }

    /// Returns a number, if nothing follows that could belong to it.
    fn ended(&mut self, rest: &str, end: usize, whole: bool, token: Token) -> Result<Token, String> {
        let more = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let point = rest[end..].starts_with('.') && !rest[end..].starts_with("..");
        if !whole || point || rest[end..].starts_with(more) {
            return Err(format!("`{}` is no number", &rest[..end]));
        }
        self.at += end;
        Ok(token)
    }
}
