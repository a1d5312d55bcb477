//! Expressions: names resolved, types checked, constants folded, the rest emitted.
//!
//! One pass over the ops with a stack of operands.

use super::super::names::Meaning;
use super::super::syntax::{Code, ExprRange, Op, Operator, Type};
use super::super::value::operate::{Exprs, compares, deciding};
use super::super::value::{Value, type_of};
use super::super::words::Word;
use super::Checker;
use super::operand::{Operand, a};
use crate::ast::{Expr, ExprIndex};
use crate::codes;
use crate::diagnostic::Diagnostic;

impl Checker<'_, '_> {
    /// The value of an expression.
    pub(super) fn evaluate(&mut self, range: ExprRange) -> Operand {
        let base = self.stack.len();
        for index in range.0..range.1 {
            let op = self.program.ops[index as usize];
            self.step(op, index);
        }
        // The parser sees to it that one operand is left.
        let operand = self.stack.get(base).copied().unwrap_or_else(|| self.operand(Value::Wrong, range.0));
        self.stack.truncate(base);
        operand
    }

    /// An operand of one op.
    fn operand(&self, value: Value, index: u32) -> Operand {
        let marks = (self.file.exprs.len() as u32, self.file.args.len() as u32);
        Operand { value, ops: (index, index + 1), marks, named: false, given: false }
    }

    #[inline]
    fn push(&mut self, value: Value, index: u32) {
        let operand = self.operand(value, index);
        self.stack.push(operand);
    }

    #[inline]
    fn step(&mut self, op: Op, index: u32) {
        match op.code {
            Code::Int(value) => self.push(Value::Int(value), index),
            Code::Float(value) => self.push(Value::Float(value), index),
            Code::Truth(value) => self.push(Value::Truth(value), index),
            Code::Text(value) => self.push(Value::Text(value), index),
            Code::Wrong => self.push(Value::Wrong, index),
            Code::Name(word) => self.value_of(word, op, index),
            Code::Param(param) => self.param(param, index),
            Code::Now => self.emit_leaf(Type::Int, Expr::Now, index),
            Code::Draw => self.emit_leaf(Type::Float, Expr::Draw, index),
            Code::Call(word) => self.call(word, op, index),
            Code::Convert(to) => self.sign(index, |checker, operand| checker.convert(operand, to)),
            Code::Not => self.sign(index, Self::not),
            Code::Negate => self.sign(index, Self::negate),
            Code::Binary(operator) => self.binary(operator, index),
        }
    }

    fn emit_leaf(&mut self, ty: Type, expr: Expr, index: u32) {
        let mut operand = self.operand(Value::Wrong, index);
        operand.value = Value::Computed(ty, self.emit(expr));
        self.stack.push(operand);
    }

    /// Where expressions are emitted.
    #[inline]
    pub(super) fn exprs(&mut self) -> Exprs<'_> {
        Exprs(&mut self.file.exprs)
    }

    #[inline]
    pub(super) fn emit(&mut self, expr: Expr) -> ExprIndex {
        self.exprs().emit(expr)
    }

    /// The expression that a value is.
    #[inline]
    pub(super) fn index(&mut self, value: Value) -> ExprIndex {
        self.exprs().index(value)
    }

    fn param(&mut self, param: u32, index: u32) {
        let value = self.binding(param).value;
        let operand = self.operand(value, index);
        self.stack.push(Operand { named: true, given: true, ..operand });
    }

    fn value_of(&mut self, word: Word, op: Op, index: u32) {
        let mut operand = self.operand(Value::Wrong, index);
        operand.value = match self.meaning(word) {
            Meaning::Variable(variable) => {
                let kind = self.program.variables[variable as usize].kind;
                Value::Variable(variable, type_of(kind))
            }
            Meaning::Constant(constant) => {
                operand.named = true;
                self.constants[constant as usize]
            }
            Meaning::Symbol(value) => {
                operand.named = true;
                Value::Int(value)
            }
            Meaning::Query(query) => self.query(query, self.stack.len(), op),
            Meaning::Function(_) => self.bare_function(word, op),
            Meaning::Nothing => self.unknown_value(word, op),
        };
        self.stack.push(operand);
    }

    /// Replaces the operand on top by what a function makes of it.
    fn sign(&mut self, index: u32, make: impl Fn(&mut Self, &Operand) -> Value) {
        let Some(operand) = self.stack.pop() else { return };
        let value = make(self, &operand);
        self.stack.push(Operand { value, ops: (operand.ops.0, index + 1), ..operand });
    }

    fn not(&mut self, operand: &Operand) -> Value {
        let value = self.exprs().not(operand.value);
        value.unwrap_or_else(|| self.mismatch(operand, Type::Bool, "what `!` is applied to"))
    }

    fn negate(&mut self, operand: &Operand) -> Value {
        let value = self.exprs().negate(operand.value);
        value.unwrap_or_else(|| self.mismatch(operand, Type::Number, "what `-` is applied to"))
    }

    /// `int(x)`, `float(x)`, `bool(x)`
    fn convert(&mut self, operand: &Operand, to: Type) -> Value {
        let value = self.exprs().convert(operand.value, to);
        value.unwrap_or_else(|| self.mismatch(operand, to, &format!("the argument of `{to}`")))
    }

    fn binary(&mut self, operator: Operator, index: u32) {
        let (Some(right), Some(left)) = (self.stack.pop(), self.stack.pop()) else { return };
        let value = match operator {
            Operator::And | Operator::Or => self.logical(operator, &left, &right),
            _ => self.numeric(operator, &left, &right),
        };
        self.stack.push(Operand {
            value,
            ops: (left.ops.0, index + 1),
            marks: left.marks,
            named: left.named || right.named,
            given: left.given || right.given,
        });
    }

    fn logical(&mut self, operator: Operator, left: &Operand, right: &Operand) -> Value {
        let what = if operator == Operator::And { "an operand of `&&`" } else { "an operand of `||`" };
        let mut fits = true;
        for operand in [left, right] {
            fits &= match operand.value.ty() {
                Some(Type::Bool) => true,
                None => false,
                _ => {
                    self.mismatch(operand, Type::Bool, what);
                    false
                }
            };
        }
        match left.value {
            _ if !fits => Value::Wrong,
            Value::Truth(value) if value == deciding(operator) => {
                self.forget(right.marks);
                left.value
            }
            value => self.exprs().logical(operator, value, right.value),
        }
    }

    /// Takes back what an operand that is never evaluated has emitted.
    fn forget(&mut self, (exprs, args): (u32, u32)) {
        self.file.exprs.truncate(exprs as usize);
        self.file.args.truncate(args as usize);
    }

    fn numeric(&mut self, operator: Operator, left: &Operand, right: &Operand) -> Value {
        let value = self.exprs().numeric(operator, left.value, right.value);
        value.unwrap_or_else(|| self.no_operator(operator, left, right))
    }

    /// Says that an operator does not go with its operands.
    #[cold]
    fn no_operator(&mut self, operator: Operator, left: &Operand, right: &Operand) -> Value {
        let (Some(one), Some(other)) = (left.value.ty(), right.value.ty()) else { return Value::Wrong };
        let sign = sign(operator);
        let texts = (self.written(left), self.written(right));
        let is_number = |ty| matches!(ty, Type::Int | Type::Float);
        let help = match (one, other) {
            (Type::Text, _) | (_, Type::Text) => {
                "texts can only be passed to actions, queries and trees".to_owned()
            }
            (Type::Bool, other) if is_number(other) && compares(operator).is_some() => match self.chain(left)
            {
                Some(middle) => format!("write `{} && {middle} {sign} {}`", texts.0, texts.1),
                None => format!("a bool becomes a number by `int({})`", texts.0),
            },
            (Type::Bool, _) => format!("a bool becomes a number by `int({})`", texts.0),
            (_, Type::Bool) => format!("a bool becomes a number by `int({})`", texts.1),
            _ => format!("a float becomes an int by `int(…)`; `{sign}` is for ints"),
        };
        let message = format!("`{sign}` does not go with {} and {}", a(one), a(other));
        let at = self.cover((left.ops.0, right.ops.1));
        self.report(Diagnostic::new(codes::WRONG_TYPE, Some(at), message).help(help));
        Value::Wrong
    }

    /// The right operand of the comparison that an operand is, if it is one.
    fn chain(&self, operand: &Operand) -> Option<String> {
        let last = self.program.ops[operand.ops.1 as usize - 1];
        let Code::Binary(operator) = last.code else { return None };
        compares(operator)?;
        let source = self.session.sources.get(self.frame.source);
        let end = self.cover(operand.ops).end;
        let text = source.text.get(last.end as usize..end as usize)?;
        Some(String::from_utf8_lossy(text).trim().to_owned())
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Or => "||",
        Operator::And => "&&",
        Operator::Equal => "==",
        Operator::NotEqual => "!=",
        Operator::Less => "<",
        Operator::LessEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterEqual => ">=",
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Remainder => "%",
    }
}
