//! The expressions of `#if`, `#elif`, `$evalint` and `$evalfloat`.
//!
//! They are evaluated the way the original does it, since some of its results are not those of C:
//! operators are looked at from left to right, and the first that binds at least as strongly as its
//! neighbour (or is deeper in parentheses) is carried out on the values beside it. Integers and
//! doubles are computed side by side. At most 64 values and 64 operators fit.

use super::{Code, Lexeme, Number, Preprocessor, Punct, Span, Token, codes};
use crate::dialect::unvanquished::number::{self, Wide};

/// Most values, and most operators, of an expression.
const MAX_OPERANDS: usize = 64;

/// Type of the result. Bit operators need integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Integers.
    Integer,
    /// Doubles.
    Float,
}

/// An operator between (or before) values.
struct Operator {
    punct: Punct,
    depth: usize,
}

impl Operator {
    fn is_unary(&self) -> bool {
        matches!(self.punct, Punct::Not | Punct::Complement)
    }
}

fn priority(punct: Punct) -> u8 {
    match punct {
        Punct::Not | Punct::Complement => 16,
        Punct::Times | Punct::Divide | Punct::Remainder => 15,
        Punct::Plus | Punct::Minus => 14,
        Punct::ShiftLeft | Punct::ShiftRight => 13,
        Punct::Less | Punct::LessEqual | Punct::Greater | Punct::GreaterEqual => 12,
        Punct::Equal | Punct::NotEqual => 11,
        Punct::And => 10,
        Punct::Xor => 9,
        Punct::Or => 8,
        Punct::LogicalAnd => 7,
        Punct::LogicalOr => 6,
        Punct::Colon | Punct::Question => 5,
        _ => 0,
    }
}

/// Reason why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fault {
    code: Code,
    message: &'static str,
}

impl From<&'static str> for Fault {
    fn from(message: &'static str) -> Self {
        Self { code: codes::BAD_CONDITION, message }
    }
}

/// Creates a fault that is an error, because the original crashes here.
const fn fatal(message: &'static str) -> Fault {
    Fault { code: codes::FATAL_CONDITION, message }
}

/// An expression in the making: values and operators, each in order.
#[derive(Default)]
struct Expression {
    values: Vec<Wide>,
    operators: Vec<Operator>,
    depth: usize,
    after_value: bool,
    negative: bool,
    /// The value before a `?` that waits for its `:`.
    question: Option<Wide>,
}

impl Expression {
    fn value(&mut self, value: Wide) -> Result<(), Fault> {
        if self.after_value {
            return Err("an operator is missing".into());
        }
        if self.values.len() == MAX_OPERANDS {
            return Err("this expression has more than 64 values".into());
        }
        self.values.push(value);
        self.after_value = true;
        Ok(())
    }

    fn number(&mut self, Wide { int, float }: Wide) -> Result<(), Fault> {
        let negative = core::mem::take(&mut self.negative);
        let negated = Wide { int: i64::from((int as i32).wrapping_neg()), float: -float };
        self.value(if negative { negated } else { Wide { int, float } })
    }

    fn punct(&mut self, punct: Punct, mode: Mode) -> Result<(), Fault> {
        if self.negative {
            return Err("a minus sign must stand before a number".into());
        }
        match punct {
            Punct::Open => self.depth += 1,
            Punct::Close => self.depth = self.depth.checked_sub(1).ok_or("a `)` has no `(`")?,
            Punct::Minus if !self.after_value => self.negative = true,
            _ => self.operator(punct, mode)?,
        }
        Ok(())
    }

    fn operator(&mut self, punct: Punct, mode: Mode) -> Result<(), Fault> {
        let bits =
            matches!(punct, Punct::Complement | Punct::Remainder | Punct::ShiftLeft | Punct::ShiftRight);
        let bits = bits || matches!(punct, Punct::And | Punct::Or | Punct::Xor);
        match punct {
            _ if bits && mode == Mode::Float => return Err("this operator needs integers".into()),
            Punct::Not | Punct::Complement if self.after_value => {
                return Err("`!` and `~` stand before a value".into());
            }
            Punct::Not | Punct::Complement | Punct::Increment | Punct::Decrement => {}
            _ if priority(punct) == 0 => return Err("this is no operator".into()),
            _ if !self.after_value => return Err("a value is missing before an operator".into()),
            _ => {}
        }
        if self.operators.len() == MAX_OPERANDS {
            return Err("this expression has more than 64 operators".into());
        }
        self.operators.push(Operator { punct, depth: self.depth });
        self.after_value = false;
        Ok(())
    }

    /// Carries out all operators.
    fn result(mut self, mode: Mode) -> Result<Wide, Fault> {
        if !self.after_value {
            return Err("a value is missing at the end".into());
        }
        if self.depth > 0 {
            return Err("a `(` is not closed".into());
        }
        while !self.operators.is_empty() {
            let (operator, value) = self.next()?;
            let operator = self.operators.remove(operator);
            self.apply(&operator, value, mode)?;
        }
        self.values.first().copied().ok_or("a value is missing".into())
    }

    /// Returns the operator to carry out next, and its first value.
    fn next(&self) -> Result<(usize, usize), Fault> {
        let mut value = 0;
        for (index, pair) in self.operators.windows(2).enumerate() {
            let (this, next) = (&pair[0], &pair[1]);
            let stronger = priority(this.punct) >= priority(next.punct);
            if this.depth > next.depth || (this.depth == next.depth && stronger) {
                return Ok((index, value));
            }
            value += usize::from(!this.is_unary());
            if value >= self.values.len() {
                return Err("a value is missing".into());
            }
        }
        Ok((self.operators.len() - 1, value))
    }

    fn apply(&mut self, operator: &Operator, at: usize, mode: Mode) -> Result<(), Fault> {
        let left = *self.values.get(at).ok_or(fatal("a value is missing"))?;
        if operator.is_unary() {
            self.values[at] = match operator.punct {
                Punct::Not => Wide::both(left.int == 0, left.float == 0.0),
                _ => Wide { int: !left.int, ..left },
            };
            return Ok(());
        }
        if operator.punct == Punct::Question {
            if self.question.replace(left).is_some() {
                return Err("a second `?` comes before the `:` of the first".into());
            }
            self.values.remove(at);
            return Ok(());
        }
        let right = *self.values.get(at + 1).ok_or(fatal("a value is missing after an operator"))?;
        self.values[at] = if operator.punct == Punct::Colon {
            choose(self.question.take().ok_or("a `:` has no `?`")?, left, right, mode)
        } else {
            binary(operator.punct, left, right)?
        };
        self.values.remove(at + 1);
        Ok(())
    }
}

fn choose(question: Wide, left: Wide, right: Wide, mode: Mode) -> Wide {
    match mode {
        Mode::Integer if question.int == 0 => Wide { int: right.int, ..left },
        Mode::Float if question.float == 0.0 => Wide { float: right.float, ..left },
        _ => left,
    }
}

fn binary(punct: Punct, a: Wide, b: Wide) -> Result<Wide, Fault> {
    const DIVIDED_BY_ZERO: &str =
        "this divides by zero (a divisor whose integer part is zero counts as zero)";
    const OVERFLOW: Fault = fatal("this division overflows");
    let (x, y) = (a.int, b.int);
    Ok(match punct {
        Punct::Times => Wide { int: x.wrapping_mul(y), float: a.float * b.float },
        Punct::Divide if y == 0 || b.float == 0.0 => return Err(DIVIDED_BY_ZERO.into()),
        Punct::Divide => Wide { int: x.checked_div(y).ok_or(OVERFLOW)?, float: a.float / b.float },
        Punct::Remainder if y == 0 => return Err(DIVIDED_BY_ZERO.into()),
        Punct::Remainder => Wide { int: x.checked_rem(y).ok_or(OVERFLOW)?, ..a },
        Punct::Plus => Wide { int: x.wrapping_add(y), float: a.float + b.float },
        Punct::Minus => Wide { int: x.wrapping_sub(y), float: a.float - b.float },
        Punct::ShiftLeft => Wide { int: x.wrapping_shl(y as u32), ..a },
        Punct::ShiftRight => Wide { int: x.wrapping_shr(y as u32), ..a },
        Punct::And => Wide { int: x & y, ..a },
        Punct::Or => Wide { int: x | y, ..a },
        Punct::Xor => Wide { int: x ^ y, ..a },
        Punct::LogicalAnd => Wide::both(x != 0 && y != 0, a.float != 0.0 && b.float != 0.0),
        Punct::LogicalOr => Wide::both(x != 0 || y != 0, a.float != 0.0 || b.float != 0.0),
        Punct::Less => Wide::both(x < y, a.float < b.float),
        Punct::LessEqual => Wide::both(x <= y, a.float <= b.float),
        Punct::Greater => Wide::both(x > y, a.float > b.float),
        Punct::GreaterEqual => Wide::both(x >= y, a.float >= b.float),
        Punct::Equal => Wide::both(x == y, a.float == b.float),
        Punct::NotEqual => Wide::both(x != y, a.float != b.float),
        _ => a,
    })
}

/// Reads the tokens of an expression one by one.
#[derive(Default)]
pub(super) struct Gathering {
    tokens: Vec<Token>,
    after_defined: bool,
}

impl Preprocessor<'_, '_, '_> {
    /// Returns true if the condition on the rest of the line holds.
    pub(super) fn condition(&mut self, at: Token) -> Option<bool> {
        let mut gathering = Gathering::default();
        let mut next = self.line();
        if next.is_none() {
            return self.stop(codes::BAD_CONDITION, at.span, "a condition is missing after this directive");
        }
        while let Some(token) = next {
            self.gather(&mut gathering, token)?;
            next = self.line();
        }
        Some(self.evaluate(&gathering, Mode::Integer, at.span)?.int != 0)
    }

    /// Adds a token to an expression. The tokens of a macro are put back to be read.
    pub(super) fn gather(&mut self, gathering: &mut Gathering, token: Token) -> Option<()> {
        match token.lexeme {
            Lexeme::Name(name) => {
                let defined = !gathering.after_defined && self.session.names.bytes(name) == b"defined";
                if core::mem::replace(&mut gathering.after_defined, defined) || defined {
                    gathering.tokens.push(token);
                    return Some(());
                }
                match self.shared.macros.find(name) {
                    Some(found) => self.expand(found, token),
                    None => {
                        let message = format!("`{}` is not defined", self.shown(&token));
                        self.stop(codes::BAD_CONDITION, token.span, message)
                    }
                }
            }
            Lexeme::Number(_) | Lexeme::Punct(_) => {
                gathering.tokens.push(token);
                Some(())
            }
            Lexeme::Text(_) | Lexeme::Literal(_) => {
                self.stop(codes::BAD_CONDITION, token.span, "a string has no value here")
            }
        }
    }

    /// Returns the value of an expression.
    pub(super) fn evaluate(&mut self, gathering: &Gathering, mode: Mode, at: Span) -> Option<Wide> {
        match self.try_evaluate(&gathering.tokens, mode) {
            Ok(value) => Some(value),
            Err((fault, span)) => self.stop(fault.code, span.unwrap_or(at), fault.message),
        }
    }

    fn try_evaluate(&self, tokens: &[Token], mode: Mode) -> Result<Wide, (Fault, Option<Span>)> {
        let mut expression = Expression::default();
        let mut tokens = tokens.iter();
        while let Some(token) = tokens.next() {
            let taken = match token.lexeme {
                Lexeme::Punct(punct) => expression.punct(punct, mode),
                Lexeme::Number(number) => expression.number(self.wide(token, number)),
                _ if expression.negative => Err("a minus sign must stand before a number".into()),
                _ => self.defined(&mut tokens).and_then(|truth| expression.value(Wide::both(truth, truth))),
            };
            taken.map_err(|fault| (fault, Some(token.span)))?;
        }
        expression.result(mode).map_err(|fault| (fault, None))
    }

    /// Reads the name after `defined`, perhaps in parentheses. Returns true if it is a macro.
    fn defined<'t>(&self, tokens: &mut impl Iterator<Item = &'t Token>) -> Result<bool, Fault> {
        let mut name = tokens.next();
        let enclosed = name.is_some_and(|token| token.is(Punct::Open));
        if enclosed {
            name = tokens.next();
        }
        let name = match name.map(|token| token.lexeme) {
            Some(Lexeme::Name(name)) => name,
            None if !enclosed => return Err(fatal("`defined` needs a name")),
            _ => return Err("`defined` needs a name".into()),
        };
        if enclosed && !tokens.next().is_some_and(|token| token.is(Punct::Close)) {
            return Err("`defined(` is not closed".into());
        }
        Ok(self.shared.macros.find(name).is_some())
    }

    /// Returns all bits of a number. A number without a spelling in the source has
    /// only the bits of its token.
    fn wide(&self, token: &Token, number: Number) -> Wide {
        if !number.written {
            return Wide { int: i64::from(number.int), float: f64::from(number.float) };
        }
        let text = self.session.sources.text(token.span);
        let extent = number::measure(text);
        number::value(&text[..extent.digits], extent.notation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::unvanquished::number::{measure, value};

    fn evaluate(text: &str, mode: Mode) -> Result<Wide, Fault> {
        let mut expression = Expression::default();
        for word in text.split(' ') {
            match Punct::read(word.as_bytes()) {
                Some((punct, _)) => expression.punct(punct, mode)?,
                None => {
                    let extent = measure(word.as_bytes());
                    expression.number(value(word.as_bytes(), extent.notation))?;
                }
            }
        }
        expression.result(mode)
    }

    #[track_caller]
    fn check(text: &str, expected: i64) {
        assert_eq!(evaluate(text, Mode::Integer).map(|pair| pair.int), Ok(expected), "{text}");
    }

    #[test]
    fn operators_bind_as_in_c() {
        check("1 + 2 * 3", 7);
        check("( 1 + 2 ) * 3", 9);
        check("7 - 2 - 1", 4);
        check("1 << 2 + 1", 8);
        check("1 | 2 ^ 3 & 1", 3);
        check("! 0 && 2 > 1", 1);
        check("- 3 + 1", -2);
    }

    #[test]
    fn the_conditional_operator_chooses() {
        check("1 ? 2 : 3", 2);
        check("0 ? 2 : 3", 3);
    }

    #[test]
    fn what_cannot_be_computed_is_a_fault() {
        for text in ["1 +", "1 2", "( 1", "1 )", "1 / 0", "1 % 0", "- ( 1 )", "1 : 2", "++ 5", "1 = 1"] {
            assert!(evaluate(text, Mode::Integer).is_err(), "{text}");
        }
        assert!(evaluate("1 & 1", Mode::Float).is_err());
        assert!(evaluate("1 / 0.5", Mode::Float).is_err());
    }
}
