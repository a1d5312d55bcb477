//! Expressions: names resolved, types checked, constants folded, the rest emitted.
//!
//! One pass over the ops with a stack of operands. A constant is emitted only when an operator joins it with something
//! that is known later, so folding costs nothing and leaves nothing behind.

use super::super::names::Meaning;
use super::super::syntax::{Code, ExprRange, Op, Operator, Type};
use super::super::words::Word;
use super::value::{Operand, Value, a};
use super::{Checker, fold};
use crate::ast::{self, Arithmetic, Binary, Expr, ExprIndex, Math, VariableKind};
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

    #[inline]
    pub(super) fn emit(&mut self, expr: Expr) -> ExprIndex {
        self.file.exprs.push(expr);
        self.file.exprs.len() as u32 - 1
    }

    /// The expression that a value is.
    pub(super) fn index(&mut self, value: Value) -> ExprIndex {
        match value {
            Value::Int(value) => self.emit(Expr::Number(ast::Value::Int(value))),
            Value::Float(value) => self.emit(Expr::Number(ast::Value::Float(value))),
            Value::Truth(value) => self.emit(Expr::Truth(value)),
            Value::Variable(variable, ty) => {
                let read = self.emit(Expr::Variable(variable));
                let kind = self.program.variables[variable as usize].kind;
                let widens = ty == Type::Float && kind != VariableKind::Float;
                if widens { self.emit(Expr::ToFloat(read)) } else { read }
            }
            Value::Computed(_, index) => index,
            Value::Open(Type::Bool) => self.emit(Expr::Truth(false)),
            Value::Text(_) | Value::Open(_) | Value::Wrong => self.emit(Expr::Number(ast::Value::Int(0))),
        }
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
        match operand.value {
            Value::Truth(value) => Value::Truth(!value),
            Value::Open(Type::Bool) | Value::Wrong => operand.value,
            value if value.ty() == Some(Type::Bool) => {
                let index = self.index(value);
                Value::Computed(Type::Bool, self.emit(Expr::Not(index)))
            }
            _ => self.mismatch(operand, Type::Bool, "what `!` is applied to"),
        }
    }

    pub(super) fn negate(&mut self, operand: &Operand) -> Value {
        match operand.value {
            Value::Int(value) => Value::Int(value.wrapping_neg()),
            Value::Float(value) => Value::Float(-value),
            value => self.unary(operand, value, "what `-` is applied to", Expr::Negate),
        }
    }

    /// `abs`
    pub(super) fn magnitude(&mut self, operand: &Operand) -> Value {
        match operand.value {
            Value::Int(value) => Value::Int(value.wrapping_abs()),
            Value::Float(value) => Value::Float(value.abs()),
            value => self.unary(operand, value, "the argument of `abs`", Expr::Magnitude),
        }
    }

    fn unary(
        &mut self,
        operand: &Operand,
        value: Value,
        what: &str,
        expr: fn(Arithmetic, ExprIndex) -> Expr,
    ) -> Value {
        match (value, value.ty()) {
            (Value::Open(Type::Int | Type::Float) | Value::Wrong, _) => value,
            (_, Some(ty @ (Type::Int | Type::Float))) => {
                let index = self.index(value);
                Value::Computed(ty, self.emit(expr(arithmetic(ty), index)))
            }
            _ => self.mismatch(operand, Type::Number, what),
        }
    }

    /// `int(x)`, `float(x)`, `bool(x)`
    fn convert(&mut self, operand: &Operand, to: Type) -> Value {
        match (operand.value, to) {
            (Value::Wrong, _) => Value::Wrong,
            (Value::Truth(value), Type::Int) => Value::Int(value.into()),
            (Value::Truth(value), Type::Float) => Value::Float(if value { 1.0 } else { 0.0 }),
            (Value::Float(value), Type::Int) => Value::Int(value as i32),
            (Value::Open(from), _) if from != Type::Text && to != Type::Bool => Value::Open(to),
            (value, _) => match (value.ty(), to) {
                (from, to) if from == Some(to) => value,
                (Some(Type::Int), Type::Float) => self.widen(value),
                (Some(Type::Float), Type::Int) => self.wrap(value, Type::Int, Expr::ToInt),
                (Some(Type::Bool), _) => self.wrap(value, to, Expr::FromTruth),
                _ => self.mismatch(operand, to, &format!("the argument of `{to}`")),
            },
        }
    }

    fn wrap(&mut self, value: Value, ty: Type, expr: fn(ExprIndex) -> Expr) -> Value {
        let index = self.index(value);
        Value::Computed(ty, self.emit(expr(index)))
    }

    /// A number as a float.
    pub(super) fn widen(&mut self, value: Value) -> Value {
        match value {
            Value::Int(value) => Value::Float(value as f32),
            Value::Open(Type::Int) => Value::Open(Type::Float),
            Value::Variable(_, Type::Int) | Value::Computed(Type::Int, _) => {
                self.wrap(value, Type::Float, Expr::ToFloat)
            }
            _ => value,
        }
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
        // The value that decides alone.
        let decides = operator == Operator::Or;
        match (left.value, right.value) {
            _ if !fits => Value::Wrong,
            (Value::Truth(value), _) if value == decides => {
                self.forget(right.marks);
                left.value
            }
            (Value::Truth(_), value) => value,
            (value, Value::Truth(neutral)) if neutral != decides => value,
            (left, right) if left.is_constant() && right.is_constant() => Value::Open(Type::Bool),
            (left, right) => {
                let (left, right) = (self.index(left), self.index(right));
                let binary = if decides { Binary::Or } else { Binary::And };
                Value::Computed(Type::Bool, self.emit(Expr::Binary(binary, left, right)))
            }
        }
    }

    /// Takes back what an operand that is never evaluated has emitted.
    fn forget(&mut self, (exprs, args): (u32, u32)) {
        self.file.exprs.truncate(exprs as usize);
        self.file.args.truncate(args as usize);
    }

    fn numeric(&mut self, operator: Operator, left: &Operand, right: &Operand) -> Value {
        let (Some(one), Some(other)) = (left.value.ty(), right.value.ty()) else { return Value::Wrong };
        let equality = matches!(operator, Operator::Equal | Operator::NotEqual);
        match (one, other) {
            (Type::Int, Type::Int) => self.arithmetic(operator, Type::Int, left.value, right.value),
            (Type::Int | Type::Float, Type::Int | Type::Float) if operator != Operator::Remainder => {
                let (left, right) = (self.widen(left.value), self.widen(right.value));
                self.arithmetic(operator, Type::Float, left, right)
            }
            (Type::Bool, Type::Bool) if equality => {
                self.arithmetic(operator, Type::Bool, left.value, right.value)
            }
            _ => self.no_operator(operator, left, right),
        }
    }

    /// An operator on two values of one type.
    pub(super) fn arithmetic(&mut self, operator: Operator, ty: Type, left: Value, right: Value) -> Value {
        let compares = compares(operator);
        let result = if compares.is_some() { Type::Bool } else { ty };
        match (left, right) {
            (Value::Int(a), Value::Int(b)) if compares.is_some() => {
                Value::Truth(fold::compare(operator, a.partial_cmp(&b)))
            }
            (Value::Int(a), Value::Int(b)) => Value::Int(fold::int(operator, a, b)),
            (Value::Float(a), Value::Float(b)) if compares.is_some() => {
                Value::Truth(fold::compare(operator, a.partial_cmp(&b)))
            }
            (Value::Float(a), Value::Float(b)) => Value::Float(fold::float(operator, a, b)),
            (Value::Truth(a), Value::Truth(b)) => Value::Truth(fold::compare(operator, a.partial_cmp(&b))),
            _ if left.is_constant() && right.is_constant() => Value::Open(result),
            _ => {
                let (left, right) = (self.index(left), self.index(right));
                let expr = match compares {
                    Some(binary) => Expr::Binary(binary, left, right),
                    None => Expr::Math(math(operator), arithmetic(ty), left, right),
                };
                Value::Computed(result, self.emit(expr))
            }
        }
    }

    /// `min`, or `max` if `largest`, of two numbers.
    pub(super) fn extreme(&mut self, largest: bool, left: Value, right: Value) -> Value {
        let ty = match (left.ty(), right.ty()) {
            (Some(Type::Int), Some(Type::Int)) => Type::Int,
            (None, _) | (_, None) => return Value::Wrong,
            _ => Type::Float,
        };
        let (left, right) =
            if ty == Type::Float { (self.widen(left), self.widen(right)) } else { (left, right) };
        match (left, right) {
            (Value::Int(a), Value::Int(b)) => Value::Int(fold::extreme(largest, a, b)),
            (Value::Float(a), Value::Float(b)) => Value::Float(fold::extreme(largest, a, b)),
            _ if left.is_constant() && right.is_constant() => Value::Open(ty),
            _ => {
                let (left, right) = (self.index(left), self.index(right));
                let math = if largest { Math::Max } else { Math::Min };
                Value::Computed(ty, self.emit(Expr::Math(math, arithmetic(ty), left, right)))
            }
        }
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

/// The type that a variable reads as.
pub(super) fn type_of(kind: VariableKind) -> Type {
    match kind {
        VariableKind::Bool => Type::Bool,
        VariableKind::Float => Type::Float,
        _ => Type::Int,
    }
}

pub(super) fn arithmetic(ty: Type) -> Arithmetic {
    if ty == Type::Float { Arithmetic::Float } else { Arithmetic::Int }
}

fn math(operator: Operator) -> Math {
    match operator {
        Operator::Subtract => Math::Subtract,
        Operator::Multiply => Math::Multiply,
        Operator::Divide => Math::Divide,
        Operator::Remainder => Math::Remainder,
        _ => Math::Add,
    }
}

fn compares(operator: Operator) -> Option<Binary> {
    Some(match operator {
        Operator::Equal => Binary::Equal,
        Operator::NotEqual => Binary::NotEqual,
        Operator::Less => Binary::Less,
        Operator::LessEqual => Binary::LessEqual,
        Operator::Greater => Binary::Greater,
        Operator::GreaterEqual => Binary::GreaterEqual,
        _ => return None,
    })
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
