//! Operators and functions of the language: constants folded, the rest emitted.
//!
//! A constant is emitted only when an operator joins it with something that is known later, so
//! folding costs nothing and leaves nothing behind.

use super::super::lexer::Operator;
use super::super::value::fold;
use super::{Binary, Checker, Expr, ExprIndex, Keyword, Math, Op, Operand, Type, Value, ast};
use crate::ast::Arithmetic;

impl Checker<'_, '_> {
    #[inline]
    pub(super) fn emit(&mut self, expr: Expr) -> ExprIndex {
        self.file.exprs.push(expr);
        self.file.exprs.len() as u32 - 1
    }

    /// Returns the expression that computes a value.
    #[inline]
    pub(super) fn index(&mut self, value: Value) -> ExprIndex {
        let leaf = match value {
            Value::Computed(_, index) => return index,
            Value::Int(value) | Value::Member(_, value) => Expr::Number(ast::Value::Int(value)),
            Value::Float(value) => Expr::Number(ast::Value::Float(value)),
            Value::Variable(variable, _) => Expr::Variable(variable),
            Value::Truth(value) => Expr::Truth(value),
            Value::Open(Type::Bool) => Expr::Truth(false),
            Value::Widened(variable) => Expr::ToFloat(self.emit(Expr::Variable(variable))),
            // Whatever else comes is wrong.
            _ => Expr::Number(ast::Value::Int(0)),
        };
        self.emit(leaf)
    }

    fn wrap(&mut self, value: Value, ty: Type, expr: impl Fn(ExprIndex) -> Expr) -> Value {
        let index = self.index(value);
        Value::Computed(ty, self.emit(expr(index)))
    }

    /// `!`
    pub(super) fn not(&mut self, operand: &Operand) -> Value {
        match operand.value {
            Value::Truth(value) => Value::Truth(!value),
            value @ (Value::Open(Type::Bool) | Value::Wrong) => value,
            value if value.ty() == Some(Type::Bool) => self.wrap(value, Type::Bool, Expr::Not),
            _ => self.mismatch(operand, Type::Bool, "what `!` is applied to"),
        }
    }

    /// `-` before a value
    pub(super) fn negate(&mut self, operand: &Operand) -> Value {
        let value = self.negated(operand.value);
        value.unwrap_or_else(|| self.mismatch(operand, Type::Number, "what `-` is applied to"))
    }

    /// A number with its sign changed; `None` for any other value.
    pub(super) fn negated(&mut self, value: Value) -> Option<Value> {
        match value {
            Value::Int(value) => Some(Value::Int(value.wrapping_neg())),
            Value::Float(value) => Some(Value::Float(-value)),
            value => self.unary(value, Expr::Negate),
        }
    }

    fn unary(&mut self, value: Value, expr: fn(Arithmetic, ExprIndex) -> Expr) -> Option<Value> {
        match (value, value.ty()) {
            (Value::Open(Type::Int | Type::Float) | Value::Wrong, _) => Some(value),
            (_, Some(ty @ (Type::Int | Type::Float))) => {
                Some(self.wrap(value, ty, |index| expr(arithmetic(ty), index)))
            }
            _ => None,
        }
    }

    /// `int(x)`, `float(x)`, `bool(x)`
    pub(super) fn convert(&mut self, operand: &Operand, to: Type) -> Value {
        match (operand.value, to) {
            (Value::Wrong, _) => Value::Wrong,
            (Value::Truth(value), Type::Int) => Value::Int(value.into()),
            (Value::Truth(value), Type::Float) => Value::Float(if value { 1.0 } else { 0.0 }),
            (Value::Float(value), Type::Int) => Value::Int(value as i32),
            (Value::Member(_, value), Type::Int) => Value::Int(value),
            (Value::Open(Type::Enum(_)), Type::Int) => Value::Open(Type::Int),
            (Value::Open(from), _)
                if !matches!(from, Type::Enum(_)) && from != Type::Text && to != Type::Bool =>
            {
                Value::Open(to)
            }
            (value, _) => match (value.ty(), to) {
                (from, to) if from == Some(to) => value,
                (Some(Type::Int), Type::Float) => self.widen(value),
                (Some(Type::Float), Type::Int) => self.wrap(value, Type::Int, Expr::ToInt),
                (Some(Type::Bool), _) => self.wrap(value, to, Expr::FromTruth),
                (Some(Type::Enum(_)), Type::Int) => Value::Computed(Type::Int, self.index(value)),
                _ => self.mismatch(operand, to, &format!("the argument of `{to}`")),
            },
        }
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

    /// The value of an operand where a value of a type is wanted: an int becomes a
    /// float, and nothing else anything.
    pub(super) fn as_type(&mut self, operand: &Operand, ty: Type, what: &str) -> Value {
        match operand.value.ty() {
            None => Value::Wrong,
            Some(is) if is == ty => operand.value,
            Some(Type::Int) if ty == Type::Float => self.widen(operand.value),
            Some(_) => self.mismatch(operand, ty, what),
        }
    }

    /// `&&` or `||`
    pub(super) fn logical(&mut self, binary: Binary, left: &Operand, right: &Operand) -> Value {
        let what = if binary == Binary::And { "an operand of `&&`" } else { "an operand of `||`" };
        // The left value with which the right one is not looked at.
        let deciding = binary == Binary::Or;
        let values = [left, right].map(|operand| self.as_type(operand, Type::Bool, what));
        match values {
            [Value::Wrong, _] | [_, Value::Wrong] => Value::Wrong,
            [Value::Truth(value), _] if value == deciding => {
                self.forget(right.marks);
                left.value
            }
            [Value::Truth(_), value] => value,
            [value, Value::Truth(neutral)] if neutral != deciding => value,
            [left, right] if left.is_constant() && right.is_constant() => Value::Open(Type::Bool),
            [left, right] => {
                let (left, right) = (self.index(left), self.index(right));
                Value::Computed(Type::Bool, self.emit(Expr::Binary(binary, left, right)))
            }
        }
    }

    /// Takes back what an operand that is never evaluated has emitted.
    fn forget(&mut self, (exprs, args): (u32, u32)) {
        self.file.exprs.truncate(exprs as usize);
        self.file.args.truncate(args as usize);
    }

    /// Any other operator.
    pub(super) fn numeric(&mut self, operator: Operator, op: Op, left: &Operand, right: &Operand) -> Value {
        let (Some(one), Some(other)) = (left.value.ty(), right.value.ty()) else { return Value::Wrong };
        let is_number = |ty| matches!(ty, Type::Int | Type::Float);
        let equality = matches!(operator, Operator::Truth(Binary::Equal | Binary::NotEqual));
        let both_int = one == Type::Int && other == Type::Int;
        let has_equality = matches!(one, Type::Bool | Type::Enum(_));
        if both_int || one == other && has_equality && equality {
            return self.arithmetic(operator, one, left.value, right.value);
        }
        if !is_number(one) || !is_number(other) || operator == Operator::Math(Math::Remainder) {
            return self.no_operator(operator, op, left, right);
        }
        let (left, right) = (self.widen(left.value), self.widen(right.value));
        self.arithmetic(operator, Type::Float, left, right)
    }

    /// An operator on two values of one type.
    #[inline]
    pub(super) fn arithmetic(&mut self, operator: Operator, ty: Type, left: Value, right: Value) -> Value {
        if left.is_constant() && right.is_constant() {
            return fold::constant(operator, ty, left, right);
        }
        let (left, right) = (self.index(left), self.index(right));
        match operator {
            Operator::Truth(binary) => {
                Value::Computed(Type::Bool, self.emit(Expr::Binary(binary, left, right)))
            }
            Operator::Math(math) => {
                Value::Computed(ty, self.emit(Expr::Math(math, arithmetic(ty), left, right)))
            }
        }
    }

    /// A function of the language on as many of these numbers as it takes.
    pub(super) fn apply(&mut self, function: Keyword, [a, b, c]: [Value; 3]) -> Value {
        match (function, a) {
            (Keyword::Abs, Value::Int(value)) => Value::Int(value.wrapping_abs()),
            (Keyword::Abs, Value::Float(value)) => Value::Float(value.abs()),
            (Keyword::Abs, value) => self.unary(value, Expr::Magnitude).unwrap_or(Value::Wrong),
            (Keyword::Clamp, _) => {
                let bound = self.extreme(Math::Max, a, b);
                self.extreme(Math::Min, bound, c)
            }
            (Keyword::Max, _) => self.extreme(Math::Max, a, b),
            _ => self.extreme(Math::Min, a, b),
        }
    }

    /// The smaller or larger one of two numbers.
    fn extreme(&mut self, math: Math, left: Value, right: Value) -> Value {
        if (left.ty(), right.ty()) == (Some(Type::Int), Some(Type::Int)) {
            return self.arithmetic(Operator::Math(math), Type::Int, left, right);
        }
        let (left, right) = (self.widen(left), self.widen(right));
        self.arithmetic(Operator::Math(math), Type::Float, left, right)
    }

    /// The answer of a query, as its type.
    pub(super) fn ask(&mut self, answers: Type, query: Expr) -> Value {
        let asked = self.emit(query);
        let (ty, answer) = match answers {
            Type::Bool => (Type::Bool, Expr::ToTruth(asked)),
            Type::Int | Type::Enum(_) => (answers, Expr::ToInt(asked)),
            Type::Float | Type::Number | Type::Text => (Type::Float, Expr::ToFloat(asked)),
        };
        Value::Computed(ty, self.emit(answer))
    }
}

fn arithmetic(ty: Type) -> Arithmetic {
    if ty == Type::Float { Arithmetic::Float } else { Arithmetic::Int }
}
