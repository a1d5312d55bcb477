//! Expressions.
//!
//! Operators wait on a stack until one comes that binds no tighter. Brackets wait there too, so
//! parentheses, calls and signs may nest without limit.

use super::super::lexer::number;
use super::super::syntax::{ExprRange, Operator};
use super::{Code, Keyword, Lexeme, Op, Parser, Type, Word, codes};
use crate::ast::{self, Binary};

/// Number of commas of a call without arguments, to which one is added for the number of arguments.
const NO_ARGUMENTS: u32 = u32::MAX;

/// Something that waits for its operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pending {
    /// `!` or `-`
    Sign(Op),
    Binary(Op, u8),
    /// `(`
    Group(u32),
    /// A function and its `(`; the op counts the commas.
    Call(Op),
    /// A type and its `(`
    Convert(Op),
}

impl Pending {
    fn is_bracket(self) -> bool {
        matches!(self, Self::Group(_) | Self::Call(_) | Self::Convert(_))
    }
}

/// Returns how tightly an operator binds.
fn level(operator: Operator) -> u8 {
    use Operator::{Math, Truth};
    match operator {
        Truth(Binary::Or) => 1,
        Truth(Binary::And) => 2,
        Truth(Binary::Equal | Binary::NotEqual) => 3,
        Truth(_) => 4,
        Math(ast::Math::Add | ast::Math::Subtract) => 5,
        Math(_) => 6,
    }
}

impl Parser<'_, '_> {
    /// Reads an expression. There always is one: if the text is wrong, that is reported.
    pub(super) fn expression(&mut self) -> ExprRange {
        let first = self.program.ops.len() as u32;
        self.pending.clear();
        self.brackets = 0;
        loop {
            if self.operand() && !self.operators() {
                return (first, self.program.ops.len() as u32);
            }
        }
    }

    /// Returns the code of a name: that of the parameter with this name, if there is one.
    #[inline]
    fn name_code(&self, word: Word) -> Code {
        match self.params.get(word as usize) {
            Some(param) if *param > 0 => Code::Param(param - 1),
            _ => Code::Name(word),
        }
    }

    /// Reads an expression as an operand of a node.
    pub(super) fn push_expression(&mut self) {
        let range = self.expression();
        self.program.operands.push(range);
    }

    /// Returns true if an expression can begin with the token.
    pub(super) fn begins_expression(&self) -> bool {
        use Lexeme::{Float, Int, Not, Open, Text};
        match self.token.lexeme {
            Int | Float | Text | Open | Not | Lexeme::SUBTRACT => true,
            Lexeme::Word => match self.keyword() {
                Some(Keyword::Random) => self.peek() == Open,
                Some(keyword) if keyword.is_reserved() => keyword as u32 >= Keyword::True as u32,
                _ => true,
            },
            _ => false,
        }
    }

    fn op(&self, code: Code) -> Op {
        Op { code, start: self.token.start, end: self.token.end, count: 0 }
    }

    /// Emits the token as an operand.
    #[inline]
    fn emit(&mut self, code: Code) -> bool {
        self.program.ops.push(self.op(code));
        self.advance();
        true
    }

    /// Lets the token wait, as a sign or a bracket.
    fn wait(&mut self, pending: Pending) -> bool {
        self.brackets += usize::from(pending.is_bracket());
        self.pending.push(pending);
        self.advance();
        false
    }

    /// Reads an operand, or an operator before one. Returns true if the operand is complete.
    fn operand(&mut self) -> bool {
        match self.token.lexeme {
            Lexeme::Int => self.int(),
            Lexeme::Float => self.emit(Code::Float(f32::from_bits(self.token.value))),
            Lexeme::Text => self.emit(Code::Text(crate::text::Sym(self.token.value))),
            Lexeme::Open => self.wait(Pending::Group(self.token.start)),
            Lexeme::Not => self.wait(Pending::Sign(self.op(Code::Not))),
            Lexeme::SUBTRACT => self.wait(Pending::Sign(self.op(Code::Negate))),
            Lexeme::ADD => {
                let help = "leave it out; a number without a sign is positive";
                self.error(codes::FOREIGN_OPERATOR, self.here(), "there is no `+` before a value", help);
                self.advance();
                false
            }
            Lexeme::Word => self.word(self.token.value),
            _ => self.no_operand(),
        }
    }

    fn int(&mut self) -> bool {
        let magnitude = self.token.value;
        let negative = matches!(self.pending.last(), Some(Pending::Sign(Op { code: Code::Negate, .. })));
        // The least int is its own negative.
        if magnitude <= i32::MAX as u32 + u32::from(negative) {
            return self.emit(Code::Int(magnitude as i32));
        }
        let text = &self.reading.text[self.token.start as usize..self.token.end as usize];
        let wide = number::magnitude(text).unwrap_or_default();
        if wide > i64::MAX as u64 && !negative {
            let help = "an int64 is at most 9223372036854775807; with `.0` at its end it would be a float";
            self.error(codes::BAD_NUMBER, self.here(), "this number does not fit 64 bits", help);
        }
        self.program.ops.push(Op { count: (wide >> 32) as u32, ..self.op(Code::Int64(wide as u32)) });
        self.advance();
        true
    }

    fn word(&mut self, word: Word) -> bool {
        match Keyword::of(word) {
            Some(Keyword::True) => self.emit(Code::Truth(true)),
            Some(Keyword::False) => self.emit(Code::Truth(false)),
            Some(Keyword::Now) => self.emit(Code::Now),
            Some(Keyword::Bool) => self.convert(Type::Bool),
            Some(Keyword::Int) => self.convert(Type::Int),
            Some(Keyword::Float) => self.convert(Type::Float),
            Some(Keyword::Int64) => self.convert(Type::Int64),
            Some(Keyword::Double) => self.convert(Type::Double),
            Some(Keyword::None) => self.emit(Code::Nobody),
            Some(Keyword::Random) if self.peek() == Lexeme::Open => self.draw(),
            Some(keyword) if keyword.is_reserved() => self.no_operand(),
            _ => self.named(word),
        }
    }

    fn named(&mut self, word: Word) -> bool {
        let code = self.name_code(word);
        if let Code::Param(param) = code {
            return self.param(param);
        }
        if self.text_is(b"not") && self.peek() != Lexeme::Open {
            self.error(
                codes::FOREIGN_OPERATOR,
                self.here(),
                "`not` is written `!`",
                "write `!` before the value",
            );
            return self.wait(Pending::Sign(self.op(Code::Not)));
        }
        let start = self.token.start;
        self.advance();
        if self.stands(Lexeme::Dot) {
            return self.member_of(Code::Member(word), start);
        }
        self.program.ops.push(Op { code, start, end: self.last, count: 0 });
        if self.stands(Lexeme::Open) {
            self.begin_call(word);
            return self.stands(Lexeme::Close) && self.close();
        }
        true
    }

    /// Reads a parameter, or a part of one.
    fn param(&mut self, param: u32) -> bool {
        let start = self.token.start;
        self.emit(Code::Param(param));
        if self.stands(Lexeme::Dot) {
            self.program.ops.pop();
            return self.member_of(Code::PartOf(param), start);
        }
        true
    }

    /// Turns the name that was emitted last into a call.
    fn begin_call(&mut self, word: Word) {
        let Some(name) = self.program.ops.pop() else { return };
        self.wait(Pending::Call(Op { code: Code::Call(word), ..name }));
        if self.stands(Lexeme::Close)
            && let Some(Pending::Call(op)) = self.pending.last_mut()
        {
            op.count = NO_ARGUMENTS;
        }
    }

    fn convert(&mut self, to: Type) -> bool {
        let op = self.op(Code::Convert(to));
        self.advance();
        if self.stands(Lexeme::Open) {
            return self.wait(Pending::Convert(op));
        }
        self.missing("`(`", &format!("`{to}(VALUE)` makes a value of type {to}"));
        self.pending.push(Pending::Sign(op));
        false
    }

    /// `random()`
    fn draw(&mut self) -> bool {
        self.emit(Code::Draw);
        self.advance();
        if !self.take(Lexeme::Close) {
            self.missing("`)`", "`random()` takes no arguments; `int(random() * 6)` is 0 to 5");
        }
        true
    }

    /// Says that a value is missing, and goes on as if there were one.
    #[cold]
    fn no_operand(&mut self) -> bool {
        let help = match self.keyword() {
            Some(keyword) if keyword.is_reserved() && self.is_value_place() => {
                let message = format!("`{}` is a word of the language and no value", keyword.text());
                self.error(codes::RESERVED_WORD, self.here(), message, "names of values are other words");
                return self.emit(Code::Wrong);
            }
            _ => "a number, a name, `true`, `false` or `(` can stand here",
        };
        self.missing("a value", help);
        self.program.ops.push(Op { code: Code::Wrong, start: self.last, end: self.last, count: 0 });
        true
    }

    /// Returns true if the keyword here seems to be meant as a value: an
    /// operator or a bracket follows it.
    fn is_value_place(&self) -> bool {
        let next = self.peek();
        matches!(next, Lexeme::Operator(_) | Lexeme::Close | Lexeme::Comma)
    }

    /// Reads the operators after an operand. Returns true if another operand must follow.
    fn operators(&mut self) -> bool {
        loop {
            if let Lexeme::Operator(operator) = self.token.lexeme {
                return self.binary(operator);
            }
            let lexeme = self.token.lexeme;
            if lexeme == Lexeme::Close && self.brackets > 0 {
                self.close();
                continue;
            }
            let goes_on = match lexeme {
                Lexeme::Comma => self.comma(),
                Lexeme::Colon => self.colon(),
                Lexeme::Assign => self.foreign_operator(),
                Lexeme::Word if self.token.value >= Keyword::COUNT => self.foreign_operator(),
                _ => false,
            };
            if !goes_on {
                self.finish();
            }
            return goes_on;
        }
    }

    fn binary(&mut self, operator: Operator) -> bool {
        let level = level(operator);
        self.reduce(level);
        let op = self.op(Code::Binary(operator));
        self.pending.push(Pending::Binary(op, level));
        self.advance();
        true
    }

    /// Emits what binds at least so tightly, back to the last bracket.
    #[inline]
    fn reduce(&mut self, level: u8) {
        while let Some(pending) = self.pending.last() {
            match *pending {
                Pending::Sign(op) => self.program.ops.push(op),
                Pending::Binary(op, other) if other >= level => self.program.ops.push(op),
                _ => return,
            }
            self.pending.pop();
        }
    }

    /// `)`: ends the last bracket.
    fn close(&mut self) -> bool {
        self.end_point();
        self.end_bracket();
        self.advance();
        true
    }

    fn end_bracket(&mut self) {
        self.reduce(0);
        self.brackets -= 1;
        match self.pending.pop() {
            Some(Pending::Call(op)) => {
                self.program.ops.push(Op { count: op.count.wrapping_add(1), ..op });
            }
            Some(Pending::Convert(op)) => self.program.ops.push(op),
            _ => {}
        }
    }

    /// A comma between the arguments of a call, if it is one.
    fn comma(&mut self) -> bool {
        if self.brackets == 0 {
            return false;
        }
        self.end_point();
        if let Some(Pending::Call(op)) = self.pending.last_mut() {
            op.count += 1;
            self.advance();
            return true;
        }
        false
    }

    /// Ends an argument. Reports a point of a `curve` that has only its first number.
    fn end_point(&mut self) {
        self.reduce(0);
        if self.is_in_point() {
            self.missing("`:`", "a point of a curve is written `x: y`");
        }
    }

    /// A colon between the numbers of a point of a `curve`, if it is one.
    fn colon(&mut self) -> bool {
        if self.brackets == 0 {
            return false;
        }
        self.reduce(0);
        let is_point = self.is_in_point();
        if let (true, Some(Pending::Call(op))) = (is_point, self.pending.last_mut()) {
            op.count += 1;
            self.advance();
        }
        is_point
    }

    /// Returns true behind the first number of a point of a `curve`.
    fn is_in_point(&self) -> bool {
        let Some(Pending::Call(op)) = self.pending.last() else { return false };
        let is_curve = matches!(op.code, Code::Call(word) if word == Keyword::Curve as u32);
        is_curve && op.count != NO_ARGUMENTS && op.count % 2 == 1
    }

    /// Returns true if the token has this text.
    pub(super) fn text_is(&self, text: &[u8]) -> bool {
        &self.reading.text[self.token.start as usize..self.token.end as usize] == text
    }

    /// Operators of other languages.
    fn foreign_operator(&mut self) -> bool {
        if self.stands(Lexeme::Assign) {
            let help = "`==` compares; `set NAME = VALUE` writes";
            self.error(codes::FOREIGN_OPERATOR, self.here(), "`=` does not compare", help);
            return self.binary(Operator::Truth(Binary::Equal));
        }
        let (written, operator) = match () {
            () if self.text_is(b"and") => ("&&", Operator::Truth(Binary::And)),
            () if self.text_is(b"or") => ("||", Operator::Truth(Binary::Or)),
            () if self.text_is(b"mod") => ("%", Operator::Math(ast::Math::Remainder)),
            () if self.text_is(b"is") => ("==", Operator::Truth(Binary::Equal)),
            () => return false,
        };
        let message = format!("{} is written `{written}`", self.shown());
        self.error(codes::FOREIGN_OPERATOR, self.here(), message, format!("write `{written}`"));
        self.binary(operator)
    }

    /// The end of the expression: all brackets should be closed.
    fn finish(&mut self) {
        self.reduce(0);
        if self.brackets == 0 {
            return;
        }
        let open = self.pending.iter().rev().find_map(|pending| match pending {
            Pending::Group(start) => Some((*start, *start + 1)),
            Pending::Call(op) | Pending::Convert(op) => Some((op.start, op.end)),
            _ => None,
        });
        let open = open.map(|(start, end)| self.span(start, end));
        self.report(self.is_missing("`)`").related(open, "opened here"));
        while self.brackets > 0 {
            self.end_bracket();
        }
        self.reduce(0);
    }
}
