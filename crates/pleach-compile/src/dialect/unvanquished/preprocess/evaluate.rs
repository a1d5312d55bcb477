//! `$evalint(…)` and `$evalfloat(…)`: a number computed while reading.
//!
//! The sign of a negative result is kept twice: as a minus sign before the number, and in the
//! number itself. So an argument that should be negative becomes positive. Existing trees depend on
//! that, so it stays, with a warning.

use super::condition::{Gathering, Mode};
use super::{Lexeme, Number, Preprocessor, Punct, Token, codes};
use crate::dialect::unvanquished::number;

impl Preprocessor<'_, '_, '_> {
    /// Obeys the word after a `$`.
    pub(super) fn dollar(&mut self, dollar: Token) -> Option<()> {
        let token = self.on_line_of(dollar, codes::BAD_EVALUATION)?;
        let at = Token { span: dollar.span.to(token.span), ..dollar };
        match self.spelling(&token).as_slice() {
            b"evalint" => self.computed(at, Mode::Integer),
            b"evalfloat" => self.computed(at, Mode::Float),
            _ => {
                self.unread.push(token);
                let message = format!("`${}` is unknown", self.shown(&token));
                self.stop(codes::BAD_EVALUATION, at.span, message)
            }
        }
    }

    /// Puts back the value of the expression in parentheses.
    fn computed(&mut self, at: Token, mode: Mode) -> Option<()> {
        let expression = self.parenthesized(at)?;
        let value = self.evaluate(&expression, mode, at.span)?;
        let (number, negative) = match mode {
            Mode::Integer => (Number::computed(value.int, value.int as f64, true), value.int < 0),
            Mode::Float => {
                let int = number::integer_part(value.float);
                (Number::computed(int, value.float, false), value.float < 0.0)
            }
        };
        self.push_number(number, negative, at);
        if negative {
            let message = "the sign of this negative result counts twice: as an argument, it is positive";
            self.warn(codes::SIGN_LOST, at.span, message);
        }
        Some(())
    }

    /// Reads the tokens up to the closing parenthesis. The token in the place of the
    /// opening one is not checked.
    fn parenthesized(&mut self, at: Token) -> Option<Gathering> {
        let mut gathering = Gathering::default();
        let mut depth = 1_usize;
        let opening = self.raw();
        let mut next = opening.and_then(|_| self.raw());
        if next.is_none() {
            return self.stop(codes::BAD_EVALUATION, at.span, "there is nothing to evaluate");
        }
        while let Some(token) = next {
            match token.lexeme {
                Lexeme::Punct(Punct::Open) => depth += 1,
                Lexeme::Punct(Punct::Close) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            self.gather(&mut gathering, token)?;
            next = self.raw();
        }
        Some(gathering)
    }
}
