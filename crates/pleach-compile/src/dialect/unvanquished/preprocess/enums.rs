//! `enum { A, B = 5, C }`: names for integers.

use super::{Lexeme, Preprocessor, Punct, Token, codes};

impl Preprocessor<'_, '_, '_> {
    /// Defines the names after `enum`, each as a macro for its number. A
    /// semicolon after it will be dropped.
    pub(super) fn enumeration(&mut self, at: Token) -> Option<()> {
        let waiting = core::mem::take(&mut self.semicolons);
        if !self.enum_token(at)?.is(Punct::OpenBrace) {
            return self.stop(codes::BAD_ENUM, at.span, "`enum` needs `{` after it");
        }
        let mut value = 0_i32;
        loop {
            let token = self.enum_token(at)?;
            let name = match token.lexeme {
                Lexeme::Punct(Punct::CloseBrace) => break,
                Lexeme::Name(name) => name,
                _ => {
                    let message = format!("`enum` needs a name here, not `{}`", self.shown(&token));
                    return self.stop(codes::BAD_ENUM, token.span, message);
                }
            };
            let mut after = self.enum_token(at)?;
            if after.is(Punct::Assign) {
                value = self.enum_value(at)?;
                after = self.enum_token(at)?;
            }
            if !after.is(Punct::Comma) && !after.is(Punct::CloseBrace) {
                return self.stop(codes::BAD_ENUM, after.span, "`enum` needs `,` or `}` here");
            }
            if !self.unread.is_empty() {
                return self.stop(codes::BAD_ENUM, at.span, "an `enum` in a macro does not work");
            }
            self.define_integer(name, token.span, value);
            value = value.wrapping_add(1);
            if after.is(Punct::CloseBrace) {
                break;
            }
        }
        self.semicolons = waiting + 1;
        Some(())
    }

    /// Returns the next token; there must be one.
    fn enum_token(&mut self, at: Token) -> Option<Token> {
        let token = self.read();
        if token.is_none() && self.cut.is_none() {
            return self.stop(codes::BAD_ENUM, at.span, "the file ends in this `enum`");
        }
        token
    }

    /// Reads the number after `=`.
    fn enum_value(&mut self, at: Token) -> Option<i32> {
        let mut token = self.enum_token(at)?;
        let negative = token.is(Punct::Minus);
        if negative {
            token = self.enum_token(at)?;
        }
        match token.lexeme {
            Lexeme::Number(number) if number.integral && negative => Some(number.int.wrapping_neg()),
            Lexeme::Number(number) if number.integral => Some(number.int),
            _ => {
                let message = format!("`enum` needs an integer here, not `{}`", self.shown(&token));
                self.stop(codes::BAD_ENUM, token.span, message)
            }
        }
    }
}
