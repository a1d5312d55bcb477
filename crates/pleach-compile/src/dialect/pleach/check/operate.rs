//! Operators and functions of the language: constants folded, the rest emitted.
//!
//! A constant is emitted only when an operator joins it with something that is known later, so
//! folding costs nothing and leaves nothing behind.

use super::super::lexer::Operator;
use super::super::value::fold;
use super::{Binary, Checker, Code, Expr, ExprIndex, Math, Op, Operand, Type, Value, ast};
use crate::ast::Arithmetic;
use pleach_image::float::bits64;
use pleach_image::verify::MAX_TEXT;

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
            Value::Int64(value) => Expr::Number(ast::Value::Int64((value as u64).into())),
            Value::Double(value) => Expr::Number(ast::Value::Double(bits64(value).into())),
            Value::Nobody => Expr::Number(ast::Value::Nobody),
            Value::Text(text) => Expr::Number(ast::Value::Text(text)),
            Value::Variable(variable, _) => Expr::Variable(variable),
            Value::Truth(value) => Expr::Truth(value),
            Value::Open(Type::Bool) => Expr::Truth(false),
            Value::Widened(variable, ty) => {
                let index = self.emit(Expr::Variable(variable));
                return if let Value::Computed(_, index) = self.of_real(index, ty) { index } else { index };
            }
            // Zeros that stand for parameters that are not known.
            Value::Open(ty) if ty.is_word() => Expr::Number(ast::Value::Nobody),
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
        if let Some(ty @ (Type::Vec2 | Type::Vec3)) = operand.value.ty() {
            let parts = self.parts_of(operand.value);
            return self.each(ty, |checker, part| checker.negated(parts[part]).unwrap_or(Value::Wrong));
        }
        let value = self.negated(operand.value);
        value.unwrap_or_else(|| self.mismatch(operand, Type::Number, "what `-` is applied to"))
    }

    /// A number with its sign changed; `None` for any other value.
    pub(super) fn negated(&mut self, value: Value) -> Option<Value> {
        match value {
            Value::Int(value) => Some(Value::Int(value.wrapping_neg())),
            Value::Float(value) => Some(Value::Float(-value)),
            Value::Int64(value) => Some(Value::Int64(value.wrapping_neg())),
            Value::Double(value) => Some(Value::Double(-value)),
            value => self.unary(value, Expr::Negate),
        }
    }

    pub(super) fn unary(&mut self, value: Value, expr: fn(Arithmetic, ExprIndex) -> Expr) -> Option<Value> {
        match (value, value.ty()) {
            (Value::Wrong, _) => Some(value),
            (Value::Open(ty), _) if is_number(ty) => Some(value),
            (_, Some(ty)) if is_number(ty) => Some(self.wrap(value, ty, |index| expr(arithmetic(ty), index))),
            _ => None,
        }
    }

    /// `int(x)`, `float(x)`, `int64(x)`, `double(x)`, `bool(x)`
    pub(super) fn convert(&mut self, operand: &Operand, to: Type) -> Value {
        let Some(from) = operand.value.ty() else { return Value::Wrong };
        match (operand.value, to) {
            (value, to) if from == to => value,
            (_, to) if widened(from, to) == Some(to) => self.promoted(operand, to),
            (Value::Truth(value), to) if is_number(to) => converted(f64::from(value), to),
            (Value::Member(_, value), Type::Int) => Value::Int(value),
            (Value::Open(from), _) if is_number(to) && from != Type::Text && !is_named(from) => {
                Value::Open(to)
            }
            (Value::Open(Type::Enum(_)), Type::Int) => Value::Open(Type::Int),
            (Value::Float(value), _) if is_number(to) => converted(value.into(), to),
            (Value::Double(value), _) if is_number(to) => converted(value, to),
            (Value::Int64(value), _) if is_number(to) => converted(value as f64, to),
            (value, Type::Int) if matches!(from, Type::Enum(_)) => {
                Value::Computed(Type::Int, self.index(value))
            }
            (value, _) if is_number(to) && (is_number(from) || from == Type::Bool) => {
                let number = self.as_real(value, from);
                // 0 and 1 are numbers of all types but words.
                if from == Type::Bool && to != Type::Int64 {
                    Value::Computed(to, number)
                } else {
                    self.of_real(number, to)
                }
            }
            _ => self.mismatch(operand, to, &format!("the argument of `{to}`")),
        }
    }

    /// Emits a number or boolean as a double.
    fn as_real(&mut self, value: Value, from: Type) -> ExprIndex {
        let index = self.index(value);
        match from {
            Type::Int64 => self.emit(Expr::FromLong(index)),
            Type::Bool => self.emit(Expr::FromTruth(index)),
            _ => index,
        }
    }

    /// Returns a double as a number of a type.
    fn of_real(&mut self, index: ExprIndex, to: Type) -> Value {
        let index = match to {
            Type::Int => self.emit(Expr::ToInt(index)),
            Type::Float => self.emit(Expr::ToFloat(index)),
            Type::Int64 => self.emit(Expr::ToLong(index)),
            _ => index,
        };
        Value::Computed(to, index)
    }

    /// Returns a number as one of a type that holds it.
    pub(super) fn widen(&mut self, value: Value, to: Type) -> Value {
        match (value, value.ty()) {
            (_, Some(from)) if from == to || widened(from, to) != Some(to) => value,
            (Value::Int(value), _) => converted(value.into(), to),
            (Value::Float(value), _) => converted(value.into(), to),
            (Value::Open(_), _) => Value::Open(to),
            (value, Some(_)) => {
                let index = self.index(value);
                self.of_real(index, to)
            }
            (value, None) => value,
        }
    }

    /// Returns the number of an operand as one of a type that holds it. A literal is read as a
    /// double if that is the type.
    pub(super) fn promoted(&mut self, operand: &Operand, to: Type) -> Value {
        match (to, self.literal(operand)) {
            (Type::Double, Some(exact)) => Value::Double(exact),
            _ => self.widen(operand.value, to),
        }
    }

    /// Returns the double that is nearest to a literal with a fraction, which may have a sign.
    pub(super) fn literal(&self, operand: &Operand) -> Option<f64> {
        let (op, sign) = match self.program.ops(operand.ops) {
            [op] => (op, 1.0),
            [op, Op { code: Code::Negate, .. }] => (op, -1.0),
            _ => return None,
        };
        let text = self.session.sources.text(self.place((op.start, op.end)));
        let is_literal = matches!(op.code, Code::Float(_));
        let text = core::str::from_utf8(text).ok().filter(|_| is_literal)?;
        text.parse::<f64>().ok().map(|number| sign * number)
    }

    /// The value of an operand where a value of a type is wanted: a number becomes one of a wider
    /// type, an entity one of any kind, and nothing else anything.
    pub(super) fn as_type(&mut self, operand: &Operand, ty: Type, what: &str) -> Value {
        match operand.value.ty() {
            None => Value::Wrong,
            Some(is) if is == ty || goes_as(operand.value, ty) => self.bounded(operand),
            Some(is) if widened(is, ty) == Some(ty) => self.promoted(operand, ty),
            Some(_) => self.mismatch(operand, ty, what),
        }
    }

    /// The value of an operand; a text must not be too long for a variable.
    fn bounded(&mut self, operand: &Operand) -> Value {
        let Value::Text(text) = operand.value else { return operand.value };
        let bytes = self.session.names.bytes(text).len();
        if bytes > MAX_TEXT {
            let message = format!("the text has {bytes} bytes");
            let help = format!("a text that variables hold or that is compared has at most {MAX_TEXT} bytes");
            self.out_of_range(operand, &message, &help);
            return Value::Wrong;
        }
        operand.value
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
        self.take_factors(exprs, u32::MAX);
        self.file.exprs.truncate(exprs as usize);
        self.file.args.truncate(args as usize);
    }

    /// Any other operator.
    pub(super) fn numeric(&mut self, operator: Operator, op: Op, left: &Operand, right: &Operand) -> Value {
        let (Some(one), Some(other)) = (left.value.ty(), right.value.ty()) else { return Value::Wrong };
        if one.floats().is_some() || other.floats().is_some() {
            return self.vectored(operator, op, left, right);
        }
        let equality = matches!(operator, Operator::Truth(Binary::Equal | Binary::NotEqual));
        if let (Type::Text, Type::Text, Operator::Truth(binary)) = (one, other, operator) {
            return self.compare_texts(binary, left, right);
        }
        let same = one == other && matches!(one, Type::Bool | Type::Enum(_));
        let entities = goes_as(left.value, other) || goes_as(right.value, one);
        if equality && (same || entities) {
            return self.arithmetic(operator, one, left.value, right.value);
        }
        let remainder = operator == Operator::Math(Math::Remainder);
        match widened(one, other) {
            Some(ty) if !remainder || matches!(ty, Type::Int | Type::Int64) => {
                let (left, right) = (self.promoted(left, ty), self.promoted(right, ty));
                self.arithmetic(operator, ty, left, right)
            }
            _ => self.no_operator(operator, op, left, right),
        }
    }

    /// A comparison of two texts.
    fn compare_texts(&mut self, binary: Binary, left: &Operand, right: &Operand) -> Value {
        let operands = [left, right].map(|operand| self.as_type(operand, Type::Text, "an operand"));
        match operands {
            [Value::Wrong, _] | [_, Value::Wrong] => Value::Wrong,
            [Value::Text(one), Value::Text(other)] => {
                let texts = [one, other].map(|text| self.session.names.bytes(text));
                Value::Truth(fold::compare(binary, Some(texts[0].cmp(texts[1]))))
            }
            [left, right] if left.is_constant() && right.is_constant() => Value::Open(Type::Bool),
            [left, right] => {
                let (mut left, mut right) = (self.index(left), self.index(right));
                if !matches!(binary, Binary::Equal | Binary::NotEqual) {
                    left = self.emit(Expr::Order(left, right));
                    right = self.emit(Expr::Number(ast::Value::Int(0)));
                }
                Value::Computed(Type::Bool, self.emit(Expr::Binary(binary, left, right)))
            }
        }
    }

    /// An operator on two values of one type.
    #[inline]
    pub(super) fn arithmetic(&mut self, operator: Operator, ty: Type, left: Value, right: Value) -> Value {
        if left.is_constant() && right.is_constant() {
            return fold::constant(operator, ty, left, right);
        }
        let (left, right) = (self.index(left), self.index(right));
        match operator {
            Operator::Truth(binary) if ty.is_word() => {
                Value::Computed(Type::Bool, self.emit(Expr::CompareWords(binary, left, right)))
            }
            Operator::Truth(binary) => {
                Value::Computed(Type::Bool, self.emit(Expr::Binary(binary, left, right)))
            }
            Operator::Math(math) => {
                Value::Computed(ty, self.emit(Expr::Math(math, arithmetic(ty), left, right)))
            }
        }
    }

    /// The answer of a query, as its type.
    pub(super) fn ask(&mut self, answers: Type, query: Expr) -> Value {
        let asked = self.emit(query);
        let (ty, answer) = match answers {
            Type::Bool => (Type::Bool, Expr::ToTruth(asked)),
            Type::Int | Type::Enum(_) | Type::Text => (answers, Expr::ToInt(asked)),
            Type::Double | Type::Int64 | Type::Entity(_) => return Value::Computed(answers, asked),
            Type::Float | Type::Number | Type::Vec2 | Type::Vec3 => (Type::Float, Expr::ToFloat(asked)),
        };
        Value::Computed(ty, self.emit(answer))
    }
}

fn arithmetic(ty: Type) -> Arithmetic {
    match ty {
        Type::Float => Arithmetic::Float,
        Type::Double => Arithmetic::Double,
        Type::Int64 => Arithmetic::Long,
        _ => Arithmetic::Int,
    }
}

/// Returns true for the types of numbers.
pub(super) fn is_number(ty: Type) -> bool {
    matches!(ty, Type::Int | Type::Float | Type::Int64 | Type::Double)
}

/// Returns true for types whose values are told apart by names.
fn is_named(ty: Type) -> bool {
    matches!(ty, Type::Enum(_) | Type::Entity(_))
}

/// Returns the type of which numbers of two types are without a loss; `None` if there is none.
pub(super) fn widened(one: Type, other: Type) -> Option<Type> {
    match (one, other) {
        (one, other) if one == other && is_number(one) => Some(one),
        (Type::Int, Type::Float | Type::Int64 | Type::Double) => Some(other),
        (Type::Float, Type::Double) => Some(other),
        (Type::Float | Type::Int64 | Type::Double, Type::Int) | (Type::Double, Type::Float) => Some(one),
        _ => None,
    }
}

/// Returns true if a value is an entity that can stand where one of a kind, or of any, is wanted.
pub(super) fn goes_as(value: Value, wanted: Type) -> bool {
    match (value, value.ty(), wanted) {
        (Value::Nobody, _, Type::Entity(_)) => true,
        (_, Some(Type::Entity(is)), Type::Entity(wanted)) => is == wanted || wanted == 0,
        _ => false,
    }
}

/// Returns a number as one of a type.
fn converted(number: f64, to: Type) -> Value {
    match to {
        Type::Int => Value::Int(number as i32),
        Type::Int64 => Value::Int64(number as i64),
        Type::Float => Value::Float(number as f32),
        _ => Value::Double(number),
    }
}
