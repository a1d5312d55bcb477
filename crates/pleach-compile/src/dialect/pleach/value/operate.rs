//! What operators and functions make of values.
//!
//! A constant is emitted only when an operator joins it with something that is known later, so folding costs nothing and
//! leaves nothing behind. `None` always means that the types do not go together.

use super::super::syntax::{Operator, Type};
use super::super::words::Keyword;
use super::{Value, fold};
use crate::ast::{self, Arithmetic, Binary, Expr, ExprIndex, Math};

/// Where expressions are emitted.
pub(in super::super) struct Exprs<'f>(pub(in super::super) &'f mut Vec<Expr>);

impl Exprs<'_> {
    #[inline]
    pub(in super::super) fn emit(&mut self, expr: Expr) -> ExprIndex {
        self.0.push(expr);
        self.0.len() as u32 - 1
    }

    /// The expression that a value is.
    #[inline(always)]
    pub(in super::super) fn index(&mut self, value: Value) -> ExprIndex {
        if let Value::Computed(_, index) = value { index } else { self.leaf(value) }
    }

    /// The expression that a value is which is not computed. The usual ones are few, so that no jump depends on which it is.
    #[inline]
    fn leaf(&mut self, value: Value) -> ExprIndex {
        let leaf = match value {
            Value::Int(value) => Expr::Number(ast::Value::Int(value)),
            Value::Float(value) => Expr::Number(ast::Value::Float(value)),
            Value::Variable(variable, _) => Expr::Variable(variable),
            value => return self.rare_leaf(value),
        };
        self.emit(leaf)
    }

    #[cold]
    fn rare_leaf(&mut self, value: Value) -> ExprIndex {
        match value {
            Value::Truth(value) => self.emit(Expr::Truth(value)),
            Value::Open(Type::Bool) => self.emit(Expr::Truth(false)),
            Value::Widened(variable) => {
                let read = self.emit(Expr::Variable(variable));
                self.emit(Expr::ToFloat(read))
            }
            // Whatever else comes is wrong.
            _ => self.emit(Expr::Number(ast::Value::Int(0))),
        }
    }

    /// `!`
    pub(in super::super) fn not(&mut self, value: Value) -> Option<Value> {
        match value {
            Value::Truth(value) => Some(Value::Truth(!value)),
            Value::Open(Type::Bool) | Value::Wrong => Some(value),
            value if value.ty() == Some(Type::Bool) => Some(self.wrap(value, Type::Bool, Expr::Not)),
            _ => None,
        }
    }

    /// `-` before a value
    pub(in super::super) fn negate(&mut self, value: Value) -> Option<Value> {
        match value {
            Value::Int(value) => Some(Value::Int(value.wrapping_neg())),
            Value::Float(value) => Some(Value::Float(-value)),
            value => self.unary(value, Expr::Negate),
        }
    }

    /// `abs`
    fn magnitude(&mut self, value: Value) -> Option<Value> {
        match value {
            Value::Int(value) => Some(Value::Int(value.wrapping_abs())),
            Value::Float(value) => Some(Value::Float(value.abs())),
            value => self.unary(value, Expr::Magnitude),
        }
    }

    fn unary(&mut self, value: Value, expr: fn(Arithmetic, ExprIndex) -> Expr) -> Option<Value> {
        match (value, value.ty()) {
            (Value::Open(Type::Int | Type::Float) | Value::Wrong, _) => Some(value),
            (_, Some(ty @ (Type::Int | Type::Float))) => {
                let index = self.index(value);
                Some(Value::Computed(ty, self.emit(expr(arithmetic(ty), index))))
            }
            _ => None,
        }
    }

    /// `int(x)`, `float(x)`, `bool(x)`
    pub(in super::super) fn convert(&mut self, value: Value, to: Type) -> Option<Value> {
        Some(match (value, to) {
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
                _ => return None,
            },
        })
    }

    fn wrap(&mut self, value: Value, ty: Type, expr: fn(ExprIndex) -> Expr) -> Value {
        let index = self.index(value);
        Value::Computed(ty, self.emit(expr(index)))
    }

    /// A number as a float.
    pub(in super::super) fn widen(&mut self, value: Value) -> Value {
        match value {
            Value::Int(value) => Value::Float(value as f32),
            Value::Open(Type::Int) => Value::Open(Type::Float),
            Value::Variable(_, Type::Int) | Value::Computed(Type::Int, _) => {
                self.wrap(value, Type::Float, Expr::ToFloat)
            }
            _ => value,
        }
    }

    /// The value where one of a type is wanted: an int becomes a float, and nothing else anything.
    pub(in super::super) fn as_type(&mut self, value: Value, ty: Type) -> Option<Value> {
        match value.ty() {
            None => Some(Value::Wrong),
            Some(is) if is == ty => Some(value),
            Some(Type::Int) if ty == Type::Float => Some(self.widen(value)),
            Some(_) => None,
        }
    }

    /// `&&` or `||` on two bools, of which the left one does not decide alone.
    pub(in super::super) fn logical(&mut self, operator: Operator, left: Value, right: Value) -> Value {
        match (left, right) {
            (Value::Truth(_), value) => value,
            (value, Value::Truth(neutral)) if neutral != deciding(operator) => value,
            (left, right) if left.is_constant() && right.is_constant() => Value::Open(Type::Bool),
            (left, right) => {
                let (left, right) = (self.index(left), self.index(right));
                let binary = if operator == Operator::Or { Binary::Or } else { Binary::And };
                Value::Computed(Type::Bool, self.emit(Expr::Binary(binary, left, right)))
            }
        }
    }

    /// Any other operator on two values.
    #[inline]
    pub(in super::super) fn numeric(
        &mut self,
        operator: Operator,
        left: Value,
        right: Value,
    ) -> Option<Value> {
        let (Some(one), Some(other)) = (left.ty(), right.ty()) else { return Some(Value::Wrong) };
        if one == other {
            let equality = matches!(operator, Operator::Equal | Operator::NotEqual);
            let fits = (one == Type::Int)
                | (one == Type::Float) & (operator != Operator::Remainder)
                | (one == Type::Bool) & equality;
            return fits.then(|| self.arithmetic(operator, one, left, right));
        }
        let is_number = |ty| matches!(ty, Type::Int | Type::Float);
        if !is_number(one) || !is_number(other) || operator == Operator::Remainder {
            return None;
        }
        let (left, right) = (self.widen(left), self.widen(right));
        Some(self.arithmetic(operator, Type::Float, left, right))
    }

    /// An operator on two values of one type.
    #[inline(always)]
    pub(super) fn arithmetic(&mut self, operator: Operator, ty: Type, left: Value, right: Value) -> Value {
        if left.is_constant() && right.is_constant() {
            return constant(operator, ty, left, right);
        }
        let (left, right) = (self.index(left), self.index(right));
        match compares(operator) {
            Some(binary) => Value::Computed(Type::Bool, self.emit(Expr::Binary(binary, left, right))),
            None => Value::Computed(ty, self.emit(Expr::Math(math(operator), arithmetic(ty), left, right))),
        }
    }

    /// A function of the language on as many of these values as it takes.
    pub(in super::super) fn function(&mut self, function: Keyword, [a, b, c]: [Value; 3]) -> Option<Value> {
        Some(match function {
            Keyword::Abs => return self.magnitude(a),
            Keyword::Clamp => {
                let bound = self.extreme(true, a, b);
                self.extreme(false, bound, c)
            }
            _ => self.extreme(function == Keyword::Max, a, b),
        })
    }

    /// The answer of a query, as its type.
    pub(in super::super) fn ask(&mut self, answers: Type, query: Expr) -> Value {
        let asked = self.emit(query);
        let (ty, answer) = match answers {
            Type::Bool => (Type::Bool, Expr::ToTruth(asked)),
            Type::Int => (Type::Int, Expr::ToInt(asked)),
            Type::Float | Type::Number | Type::Text => (Type::Float, Expr::ToFloat(asked)),
        };
        Value::Computed(ty, self.emit(answer))
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
}

/// An operator on two constants of one type.
fn constant(operator: Operator, ty: Type, left: Value, right: Value) -> Value {
    let compares = compares(operator).is_some();
    match (left, right) {
        (Value::Int(a), Value::Int(b)) if compares => {
            Value::Truth(fold::compare(operator, a.partial_cmp(&b)))
        }
        (Value::Int(a), Value::Int(b)) => Value::Int(fold::int(operator, a, b)),
        (Value::Float(a), Value::Float(b)) if compares => {
            Value::Truth(fold::compare(operator, a.partial_cmp(&b)))
        }
        (Value::Float(a), Value::Float(b)) => Value::Float(fold::float(operator, a, b)),
        (Value::Truth(a), Value::Truth(b)) => Value::Truth(fold::compare(operator, a.partial_cmp(&b))),
        _ => Value::Open(if compares { Type::Bool } else { ty }),
    }
}

/// How many arguments a function of the language takes.
pub(in super::super) fn arity(function: Keyword) -> usize {
    match function {
        Keyword::Abs => 1,
        Keyword::Clamp => 3,
        _ => 2,
    }
}

/// The left value with which `&&` or `||` does not look at the right one.
pub(in super::super) fn deciding(operator: Operator) -> bool {
    operator == Operator::Or
}

fn arithmetic(ty: Type) -> Arithmetic {
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

/// The comparison that an operator is, if it is one: looked up, since which operator comes next nobody can foresee.
pub(in super::super) fn compares(operator: Operator) -> Option<Binary> {
    COMPARISONS[operator as usize]
}

static COMPARISONS: [Option<Binary>; Operator::Remainder as usize + 1] = {
    let mut comparisons = [None; Operator::Remainder as usize + 1];
    comparisons[Operator::Equal as usize] = Some(Binary::Equal);
    comparisons[Operator::NotEqual as usize] = Some(Binary::NotEqual);
    comparisons[Operator::Less as usize] = Some(Binary::Less);
    comparisons[Operator::LessEqual as usize] = Some(Binary::LessEqual);
    comparisons[Operator::Greater as usize] = Some(Binary::Greater);
    comparisons[Operator::GreaterEqual as usize] = Some(Binary::GreaterEqual);
    comparisons
};
