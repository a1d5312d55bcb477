//! Expressions: names resolved, types checked, constants folded, the rest emitted.
//!
//! One pass over the ops with a stack of operands.

use super::{
    Binary, Checker, Code, Expr, ExprRange, Math, Meaning, Op, Operand, Operator, Type, Value, Word,
    balanced, codes, type_of,
};
use crate::text::cited_bytes;

impl Checker<'_, '_> {
    /// The value of an expression.
    pub(super) fn evaluate(&mut self, range: ExprRange) -> Operand {
        let base = self.stack.len();
        if base == 0 {
            self.factors.clear();
        }
        for index in range.0..range.1 {
            let op = self.program.ops[index as usize];
            self.step(op, index);
        }
        // The parser sees to it that one operand is left.
        let operand = self.stack.get(base).copied().unwrap_or_else(|| self.operand(Value::Wrong, range.0));
        self.stack.truncate(base);
        operand
    }

    /// Returns an operand that consists of one operation.
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
            Code::Int64(low) => {
                let bits = u64::from(low) | u64::from(op.count) << 32;
                self.push(Value::Int64(bits as i64), index);
            }
            Code::Float(value) => self.float(value, index),
            Code::Nobody => self.push(Value::Nobody, index),
            Code::Truth(value) => self.push(Value::Truth(value), index),
            Code::Text(value) => self.push(Value::Text(value), index),
            Code::Wrong | Code::Else => self.push(Value::Wrong, index),
            Code::Name(word) => self.value_of(word, op, index),
            Code::Member(word) => {
                let value = self.member(word, op);
                let operand = self.operand(value, index);
                self.stack.push(Operand { named: true, ..operand });
            }
            Code::Param(param) => self.param(param, index),
            Code::PartOf(param) => {
                self.param(param, index);
                self.sign(index, |checker, operand| checker.part(operand, op));
            }
            Code::Now => self.emit_leaf(Type::Int, Expr::Now, index),
            Code::Draw => self.emit_leaf(Type::Float, Expr::Draw, index),
            Code::Call(word) => self.call(word, op, index),
            Code::Convert(to) => self.sign(index, |checker, operand| checker.convert(operand, to)),
            Code::Not => self.sign(index, Self::not),
            Code::Negate => self.sign(index, Self::negate),
            Code::Binary(operator) => self.binary(operator, op, index),
        }
    }

    /// Pushes a literal with a fraction. One that is too large for a float is a double.
    fn float(&mut self, value: f32, index: u32) {
        self.push(Value::Float(value), index);
        if value.is_infinite()
            && let Some(literal) = self.stack.pop()
        {
            let value = self.literal(&literal).map_or(Value::Wrong, Value::Double);
            self.stack.push(Operand { value, ..literal });
        }
    }

    fn emit_leaf(&mut self, ty: Type, expr: Expr, index: u32) {
        let mut operand = self.operand(Value::Wrong, index);
        operand.value = Value::Computed(ty, self.emit(expr));
        self.stack.push(operand);
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
            meaning @ (Meaning::Member(member) | Meaning::SharedMember(member)) => {
                operand.named = true;
                self.bare_member(member, matches!(meaning, Meaning::SharedMember(_)), op)
            }
            Meaning::Query(query) => self.query(query, self.stack.len(), op),
            Meaning::Function(_) => self.bare_function(word, op),
            Meaning::Nothing => self.unknown_value(word, op),
        };
        self.stack.push(operand);
    }

    /// Replaces the operand on top by the result of a function.
    fn sign(&mut self, index: u32, make: impl Fn(&mut Self, &Operand) -> Value) {
        let Some(operand) = self.stack.pop() else { return };
        let value = make(self, &operand);
        self.stack.push(Operand { value, ops: (operand.ops.0, index + 1), ..operand });
    }

    fn binary(&mut self, operator: Operator, op: Op, index: u32) {
        let (Some(right), Some(left)) = (self.stack.pop(), self.stack.pop()) else { return };
        let value = match operator {
            Operator::Truth(binary @ (Binary::And | Binary::Or)) => self.logical(binary, &left, &right),
            _ => self.numeric(operator, op, &left, &right),
        };
        self.stack.push(Operand {
            value,
            ops: (left.ops.0, index + 1),
            marks: left.marks,
            named: left.named || right.named,
            given: left.given || right.given,
        });
    }

    /// Says that an operator does not go with its operands.
    #[cold]
    pub(super) fn no_operator(
        &mut self,
        operator: Operator,
        op: Op,
        left: &Operand,
        right: &Operand,
    ) -> Value {
        let (Some(one), Some(other)) = (left.value.ty(), right.value.ty()) else { return Value::Wrong };
        if self.is_unknown(one) || self.is_unknown(other) {
            return Value::Wrong;
        }
        let sign = cited_bytes(self.session.sources.text(self.place((op.start, op.end)))).into_owned();
        let texts = (self.written(left), self.written(right));
        let is_number = |ty| matches!(ty, Type::Int | Type::Float | Type::Int64 | Type::Double);
        let help = match (one, other) {
            (Type::Text, _) | (_, Type::Text) => {
                "texts are compared to texts, with `==`, `!=`, `<`, `<=`, `>` and `>=`, and nothing else is computed with them".to_owned()
            }
            (Type::Vec2 | Type::Vec3, _) | (_, Type::Vec2 | Type::Vec3) => {
                self.with_vectors(operator, (one, left), (other, right))
            }
            (Type::Enum(_), _) | (_, Type::Enum(_)) => {
                "values of an enum are compared with `==` and `!=` to values of the same enum; `int(…)` gives the number"
                    .to_owned()
            }
            (Type::Entity(_), _) | (_, Type::Entity(_)) => {
                "entities are compared with `==` and `!=`, to `none` and to entities of the same kind".to_owned()
            }
            (Type::Int64, Type::Float | Type::Double) => {
                format!("say what is meant: `double({})` may lose digits, `int64({})` the fraction", texts.0, texts.1)
            }
            (Type::Float | Type::Double, Type::Int64) => {
                format!("say what is meant: `double({})` may lose digits, `int64({})` the fraction", texts.1, texts.0)
            }
            (Type::Bool, other) if is_number(other) && matches!(operator, Operator::Truth(_)) => {
                match self.chain(left) {
                    Some(middle) => format!("write `{} && {middle} {sign} {}`", texts.0, texts.1),
                    None => format!("a bool becomes a number by `int({})`", texts.0),
                }
            }
            (Type::Bool, _) => format!("a bool becomes a number by `int({})`", texts.0),
            (_, Type::Bool) => format!("a bool becomes a number by `int({})`", texts.1),
            _ => format!("a float becomes an int by `int(…)`; `{sign}` is for ints"),
        };
        let message = format!("`{sign}` does not go with {} and {}", self.a(one), self.a(other));
        let at = self.cover((left.ops.0, right.ops.1));
        self.tell(codes::WRONG_TYPE, at, message, help);
        Value::Wrong
    }

    /// Returns a help for an operator that does not go with a vector.
    fn with_vectors(
        &self,
        operator: Operator,
        (one, left): (Type, &Operand),
        (other, right): (Type, &Operand),
    ) -> String {
        match operator {
            Operator::Math(Math::Multiply) if one == other => {
                let (left, right) = (self.written(left), self.written(right));
                format!("`dot({left}, {right})` is the sum of the products of their parts")
            }
            Operator::Math(Math::Multiply)
                if matches!(one, Type::Double) || matches!(other, Type::Double) =>
            {
                "a vector is multiplied by a float: `float(…)` is the nearest float".to_owned()
            }
            Operator::Math(Math::Divide) if matches!(other, Type::Int | Type::Float) => {
                let (left, right) = (self.written_beside(left), self.written_beside(right));
                format!("multiply it: `{left} * (1.0 / {right})`")
            }
            Operator::Truth(Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual) => {
                "compare `length(…)`, `distance(…, …)` or a part as `.x`".to_owned()
            }
            Operator::Truth(_) => "vectors are compared with vectors of their type".to_owned(),
            _ => "`+` and `-` take two vectors of one type, `*` a vector and a float".to_owned(),
        }
    }

    /// The right operand of the comparison that an operand is, if it is one.
    fn chain(&self, operand: &Operand) -> Option<String> {
        let last = self.program.ops[operand.ops.1 as usize - 1];
        let Code::Binary(Operator::Truth(binary)) = last.code else { return None };
        if matches!(binary, Binary::And | Binary::Or) {
            return None;
        }
        let source = self.session.sources.get(self.frame.source);
        let end = self.cover(operand.ops).end;
        let text = source.text.get(last.end as usize..end as usize)?;
        Some(balanced(String::from_utf8_lossy(text).trim()))
    }
}
