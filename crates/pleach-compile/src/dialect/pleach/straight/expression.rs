//! Expressions, from the text to the common tree.
//!
//! As in `parser`, operators wait on a stack until one comes that binds no tighter, and brackets wait there too. What they
//! make of their operands is emitted at once, in the order in which the careful way would.
//!
//! As long as not all declarations have been read, a name may be declared below: it is worth [`Value::Wrong`] then, and so
//! is all that is computed from it.

use super::super::lexer::{Lexeme, string};
use super::super::syntax::{Function, Operator, Type};
use super::super::value::operate::{self, Exprs, deciding};
use super::super::value::{Value, places};
use super::super::words::{Keyword, Word};
use super::{Known, Straight};
use crate::ast::{self, Arg, Expr, Scope};

/// What something in the text is worth, and where it stands: first byte, and one past the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    value: Value,
    place: (u32, u32),
}

/// What waits for its operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pending {
    /// `!` and where it stands
    Not(u32),
    /// `-` and where it stands
    Negate(u32),
    /// An operator with its left operand, and how tightly it binds.
    Binary(Operator, u8, Operand),
    /// `(`
    Group,
    /// A function, where its name stands, and how many operands waited before its arguments.
    Call(Callee, (u32, u32), u32),
    /// A type and where it stands.
    Convert(Type, u32),
}

/// What is called in an expression.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    /// Index of a query.
    Query(u32),
    /// A function of the language.
    Function(Keyword),
}

impl Straight<'_, '_> {
    #[inline]
    pub(super) fn exprs(&mut self) -> Exprs<'_> {
        Exprs(&mut self.file.exprs)
    }

    /// Reads an expression.
    ///
    /// Here and below, where a value stands is in [`Straight::place`]: without it a value is one number, which a processor
    /// passes on in a register.
    pub(super) fn expression(&mut self) -> Option<Value> {
        let mut brackets = 0_usize;
        loop {
            let mut value = self.operand(&mut brackets)?;
            let (operator, level, tokens) = loop {
                if let Some(operator) = self.text.operator() {
                    break operator;
                }
                value = self.reduce(0, value)?;
                if brackets == 0 {
                    return Some(value);
                }
                value = self.go_on(value, &mut brackets)?;
            };
            value = self.reduce(level, value)?;
            self.text.pass(tokens);
            let left = Operand { value, place: self.place };
            self.room.pending.push(Pending::Binary(operator, level, left));
        }
    }

    /// Reads an operand, with what stands before it.
    #[inline(always)]
    fn operand(&mut self, brackets: &mut usize) -> Option<Value> {
        match self.text.first()? {
            b'0'..=b'9' => self.number(),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => match self.named()? {
                Some(value) => Some(value),
                None => {
                    *brackets += 1;
                    self.prefixed(brackets)
                }
            },
            _ => self.prefixed(brackets),
        }
    }

    /// The same where signs and brackets may come first, or a text.
    #[inline(never)]
    fn prefixed(&mut self, brackets: &mut usize) -> Option<Value> {
        loop {
            let start = self.text.position() as u32;
            let pending = match (self.text.first()?, self.text.second()) {
                (b'"', _) => return self.string(start),
                (b'!' | b'-', Some(b'=')) => return None,
                (b'!', _) => Pending::Not(start),
                (b'-', _) => Pending::Negate(start),
                (b'(', _) => {
                    *brackets += 1;
                    Pending::Group
                }
                (b'0'..=b'9', _) => {
                    let value = self.number()?;
                    return self.signed(value);
                }
                _ => {
                    if let Some(value) = self.named()? {
                        return self.signed(value);
                    }
                    *brackets += 1;
                    continue;
                }
            };
            self.room.pending.push(pending);
            self.text.pass(1);
        }
    }

    /// Applies the signs that wait for an operand.
    fn signed(&mut self, mut value: Value) -> Option<Value> {
        while let Some(Pending::Not(start) | Pending::Negate(start)) = self.room.pending.last().copied() {
            value = match self.room.pending.pop()? {
                Pending::Not(_) => self.exprs().not(value)?,
                _ => self.exprs().negate(value)?,
            };
            self.place.0 = start;
        }
        Some(value)
    }

    #[inline(always)]
    fn number(&mut self) -> Option<Value> {
        let start = self.text.position() as u32;
        let (lexeme, value, end) = self.text.number()?;
        let value = match lexeme {
            Lexeme::Float => Value::Float(f32::from_bits(value)),
            // The least int is its own negative.
            _ if value <= i32::MAX as u32 => Value::Int(value as i32),
            _ if matches!(self.room.pending.last(), Some(Pending::Negate(_))) => Value::Int(value as i32),
            _ => return None,
        };
        self.place = (start, end as u32);
        Some(value)
    }

    #[cold]
    pub(super) fn string(&mut self, start: u32) -> Option<Value> {
        let text = self.text.rest();
        let length = super::super::lexer::extent(text, 0).1;
        let (content, problems) = string::value(&text[..length]);
        if !problems.is_empty() {
            return None;
        }
        let value = Value::Text(self.session.names.intern(&content));
        self.text.pass(1);
        self.place = (start, start + length as u32);
        Some(value)
    }

    /// A word that has a value; none if it has a bracket, which has been passed over, and the value comes after it.
    #[inline(always)]
    fn named(&mut self) -> Option<Option<Value>> {
        let token = self.word()?;
        self.place = self.pass(token);
        if let Some(value) = self.param(token.word) {
            return Some(Some(value));
        }
        match self.known(token.word)? {
            Known::Value(value) => (self.text.first() != Some(b'(')).then_some(Some(value)),
            other => self.other_word(other, token.word),
        }
    }

    /// A word that is no variable and no constant.
    #[inline(never)]
    fn other_word(&mut self, known: Known, word: Word) -> Option<Option<Value>> {
        match known {
            Known::Query(query) => self.begin_call(Callee::Query(query)),
            Known::Function(function) if self.text.first() == Some(b'(') => {
                self.begin_call(Callee::Function(function))
            }
            Known::Nothing => self.keyword_value(word),
            _ => None,
        }
    }

    /// What a parameter of the tree stands for.
    #[inline]
    fn param(&self, word: Word) -> Option<Value> {
        let (first, count) = self.frame.params;
        if count == 0 {
            return None;
        }
        let params = &self.room.params[first as usize..(first + count) as usize];
        let index = params.iter().position(|param| param.word == word)?;
        self.room.bindings.get(self.frame.bindings as usize + index).copied()
    }

    /// The variable that a name stands for; none if it is a parameter that may be anything.
    pub(super) fn target(&mut self, word: Word) -> Option<Option<u32>> {
        let value = match self.param(word) {
            Some(Value::Open(_)) => return Some(None),
            Some(value) => value,
            None => match self.known(word)? {
                Known::Value(value) => value,
                _ => return None,
            },
        };
        if let Value::Variable(variable, _) = value { Some(Some(variable)) } else { None }
    }

    /// A keyword that has a value, or begins one.
    fn keyword_value(&mut self, word: Word) -> Option<Option<Value>> {
        let value = match (Keyword::of(word)?, self.text.first()) {
            (Keyword::True, _) => Value::Truth(true),
            (Keyword::False, _) => Value::Truth(false),
            (Keyword::Now, _) => Value::Computed(Type::Int, self.exprs().emit(Expr::Now)),
            (Keyword::Bool, Some(b'(')) => return self.begin_convert(Type::Bool),
            (Keyword::Int, Some(b'(')) => return self.begin_convert(Type::Int),
            (Keyword::Float, Some(b'(')) => return self.begin_convert(Type::Float),
            (Keyword::Random, Some(b'(')) => {
                self.text.pass(1);
                self.text.expect(b')')?;
                Value::Computed(Type::Float, self.exprs().emit(Expr::Draw))
            }
            _ => return None,
        };
        Some(Some(value))
    }

    fn begin_convert(&mut self, to: Type) -> Option<Option<Value>> {
        self.text.pass(1);
        self.room.pending.push(Pending::Convert(to, self.place.0));
        Some(None)
    }

    /// A query or function, whose arguments may follow.
    fn begin_call(&mut self, callee: Callee) -> Option<Option<Value>> {
        let place = self.place;
        let first = self.room.operands.len();
        if self.text.take(b'(') && !self.text.take(b')') {
            self.room.pending.push(Pending::Call(callee, place, first as u32));
            return Some(None);
        }
        self.call(callee, place, first).map(Some)
    }

    /// Calls with the operands that have waited from some position on.
    fn call(&mut self, callee: Callee, place: (u32, u32), first: usize) -> Option<Value> {
        let value = match callee {
            Callee::Query(query) => self.query(query, first)?,
            Callee::Function(function) => self.compute(function, first)?,
        };
        let args = &self.room.operands[first..];
        self.place = (place.0, args.last().map_or(place.1, |last| last.place.1));
        self.room.operands.truncate(first);
        Some(value)
    }

    fn query(&mut self, query: u32, first: usize) -> Option<Value> {
        let args = self.file.args.len() as u32;
        for position in first..self.room.operands.len() {
            let param = self.room.queries[query as usize].params.get(position - first)?.ty;
            let Operand { value, place } = self.room.operands[position];
            self.argument(value, place, param)?;
        }
        let count = self.room.operands.len() - first;
        let function = &self.room.queries[query as usize];
        let (name, answers) = takes(function, count).then_some((function.name, function.answers))?;
        Some(self.exprs().ask(answers, Expr::Query { name, args: (args, count as u32) }))
    }

    /// Adds an argument for the host.
    #[inline]
    pub(super) fn argument(&mut self, value: Value, place: (u32, u32), wanted: Type) -> Option<()> {
        let value = places::passed(places::argument(value, wanted)?)?;
        if let ast::Value::Variable(variable) = value
            && self.file.variables[variable as usize].scope != Scope::Agent
        {
            return None;
        }
        let span = self.span(place);
        self.file.args.push(Arg { name: None, value, span });
        Some(())
    }

    /// A function of the language.
    fn compute(&mut self, function: Keyword, first: usize) -> Option<Value> {
        let args = &self.room.operands[first..];
        let is_number = |arg: &Operand| matches!(arg.value.ty(), Some(Type::Int | Type::Float) | None);
        if args.len() != operate::arity(function) || !args.iter().all(is_number) {
            return None;
        }
        let mut values = [Value::Wrong; 3];
        values.iter_mut().zip(args).for_each(|(value, arg)| *value = arg.value);
        let unknown = args.iter().any(|arg| arg.value.ty().is_none());
        if unknown { Some(Value::Wrong) } else { self.exprs().function(function, values) }
    }

    /// Applies what binds at least so tightly, back to the last bracket.
    #[inline(always)]
    fn reduce(&mut self, level: u8, mut value: Value) -> Option<Value> {
        while let Some(Pending::Binary(operator, other, left)) = self.room.pending.last().copied()
            && other >= level
        {
            self.room.pending.pop();
            value = self.binary(operator, left, value)?;
        }
        Some(value)
    }

    /// Applies an operator.
    fn binary(&mut self, operator: Operator, left: Operand, right: Value) -> Option<Value> {
        let Operand { value: left, place } = left;
        self.place.0 = place.0;
        match operator {
            Operator::And | Operator::Or => self.logical(operator, left, right),
            _ => self.exprs().numeric(operator, left, right),
        }
    }

    fn logical(&mut self, operator: Operator, left: Value, right: Value) -> Option<Value> {
        match left {
            _ if left.ty().is_none() || right.ty().is_none() => Some(Value::Wrong),
            _ if left.ty() != Some(Type::Bool) || right.ty() != Some(Type::Bool) => None,
            // What the right one has emitted would have to be taken back.
            Value::Truth(value) if value == deciding(operator) => None,
            _ => Some(self.exprs().logical(operator, left, right)),
        }
    }

    /// Goes on behind an operand within brackets.
    #[inline(never)]
    fn go_on(&mut self, value: Value, brackets: &mut usize) -> Option<Value> {
        let sign = self.text.first()?;
        self.text.pass(1);
        if sign == b')' {
            *brackets -= 1;
            let value = self.end_bracket(value)?;
            return self.signed(value);
        }
        if sign != b',' || !matches!(self.room.pending.last(), Some(Pending::Call(..))) {
            return None;
        }
        self.room.operands.push(Operand { value, place: self.place });
        self.operand(brackets)
    }

    /// What a bracket makes of the operand that ends it.
    fn end_bracket(&mut self, value: Value) -> Option<Value> {
        match self.room.pending.pop()? {
            Pending::Group => Some(value),
            Pending::Convert(to, start) => {
                self.place.0 = start;
                self.exprs().convert(value, to)
            }
            Pending::Call(callee, place, first) => {
                self.room.operands.push(Operand { value, place: self.place });
                self.call(callee, place, first as usize)
            }
            _ => None,
        }
    }
}

/// Whether a function takes so many arguments.
#[inline]
pub(super) fn takes(function: &Function, count: usize) -> bool {
    let left = function.params.get(count..);
    left.is_some_and(|left| left.iter().all(|param| param.optional))
}
