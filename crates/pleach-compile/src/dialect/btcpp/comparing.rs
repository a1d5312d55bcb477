//! Comparisons and choices of scripts.

use super::code::Label;
use super::entries::Kind;
use super::script::{Comparison, Expr, Script};
use super::scripts::{Scripts, Value};
use super::values::real;
use super::{Refused, refused};
use crate::ast::{self, Binary, ExprIndex, SlotKind};
use crate::codes;
use crate::routine::Operation;
use core::cmp::Ordering;

/// Returns true if a comparison holds for two texts in this order.
fn holds(comparison: Comparison, order: Ordering) -> bool {
    match comparison {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::Greater => order.is_gt(),
        Comparison::LessEqual => order.is_le(),
        Comparison::GreaterEqual => order.is_ge(),
    }
}

/// Returns the operator of a comparison.
fn ordering(comparison: Comparison) -> Binary {
    match comparison {
        Comparison::Equal => Binary::Equal,
        Comparison::NotEqual => Binary::NotEqual,
        Comparison::Less => Binary::Less,
        Comparison::Greater => Binary::Greater,
        Comparison::LessEqual => Binary::LessEqual,
        Comparison::GreaterEqual => Binary::GreaterEqual,
    }
}

impl Scripts<'_, '_, '_> {
    /// Compares in a row. Operands behind a comparison that is false are not evaluated.
    pub(super) fn chain(
        &mut self,
        script: &Script,
        first: usize,
        rest: &[(Comparison, usize)],
    ) -> Result<Value, Refused> {
        if let [(comparison, second)] = rest {
            let (left, right) = self.pair(script, first, *second)?;
            let truth = self.compare(*comparison, &left, &right)?;
            return Ok(self.of_truth(truth));
        }
        let result = self.slots.temporary(self.builder, SlotKind::Bit, self.span);
        self.builder.set_bit(self.list, result, false);
        let end = self.list.label();
        let mut left = self.value(script, first)?;
        for (comparison, operand) in rest {
            if script.assigns(*operand) {
                left = self.kept(left);
            }
            let right = self.value(script, *operand)?;
            let truth = self.compare(*comparison, &left, &right)?;
            self.list.unless(truth, end);
            left = right;
        }
        self.builder.set_bit(self.list, result, true);
        self.list.bind(end);
        let read = self.builder.read(result);
        Ok(self.of_truth(read))
    }

    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        left: &Value,
        right: &Value,
    ) -> Result<ExprIndex, Refused> {
        match (left, right) {
            (Value::Text(left), Value::Text(right)) => {
                let holds = holds(comparison, left.as_bytes().cmp(right.as_bytes()));
                Ok(self.builder.truth(holds))
            }
            (left, right) if left.is_text() && right.is_text() => {
                Ok(self.compare_texts(comparison, left, right))
            }
            _ => Ok(self.compare_numbers(comparison, left, right)),
        }
    }

    fn compare_texts(&mut self, comparison: Comparison, left: &Value, right: &Value) -> ExprIndex {
        let [left, right] = [left, right].map(|it| self.text_expr(it));
        let (operator, left, right) = match comparison {
            Comparison::Equal => (Binary::Equal, left, right),
            Comparison::NotEqual => (Binary::NotEqual, left, right),
            order => {
                let compared = self.builder.file.expr(ast::Expr::Order(left, right));
                let zero = self.builder.number(0.0);
                (ordering(order), compared, zero)
            }
        };
        self.builder.binary(operator, left, right)
    }

    fn compare_numbers(&mut self, comparison: Comparison, left: &Value, right: &Value) -> ExprIndex {
        let [left, right] = [left, right].map(|it| self.compared(it));
        let operator = match comparison {
            Comparison::Equal | Comparison::NotEqual => {
                let equal = self.builder.nearly(left, right);
                return if comparison == Comparison::Equal { equal } else { self.builder.not(equal) };
            }
            order => ordering(order),
        };
        self.builder.binary(operator, left, right)
    }

    /// Returns the number of an operand of a comparison with a number.
    fn compared(&mut self, value: &Value) -> ExprIndex {
        let text = match value {
            Value::Text(text) => text,
            Value::TextOf(text) => return self.number_in(*text),
            value => return self.number(value),
        };
        match self.number_of(text) {
            Some(number) => self.builder.number(number),
            None => self.number(value),
        }
    }

    /// Returns the number that a text stands for in a script.
    pub(super) fn number_of(&self, text: &str) -> Option<f64> {
        match text {
            "true" => Some(1.0),
            "false" => Some(0.0),
            _ => match self.entries.enums.get(text) {
                Some(number) => Some(f64::from(*number)),
                None => real(text).map(|(number, _)| number),
            },
        }
    }

    pub(super) fn choice(
        &mut self,
        script: &Script,
        condition: usize,
        yes: usize,
        no: usize,
    ) -> Result<Value, Refused> {
        let value = self.value(script, condition)?;
        let number = match &value {
            Value::Text(text) => match real(text) {
                Some((number, _)) => self.builder.number(number),
                None => self.number(&value),
            },
            Value::TextOf(text) => self.number_in(*text),
            value => self.number(value),
        };
        let truth = self.builder.file.expr(ast::Expr::ToTruth(number));
        let [other, end] = [self.list.label(), self.list.label()];
        self.list.unless(truth, other);
        let yes = self.value(script, yes)?;
        self.sides(script, yes, no, other, end)
    }

    /// Joins the two sides of a choice. The first has been evaluated.
    fn sides(
        &mut self,
        script: &Script,
        yes: Value,
        no: usize,
        other: Label,
        end: Label,
    ) -> Result<Value, Refused> {
        match yes {
            Value::Entity(_) => return Err(self.mixed("chooses between entities")),
            Value::Number(..) => return Err(self.mixed("chooses a number that may be an integer or not")),
            _ => {}
        }
        if yes.is_text() {
            return self.text_sides(script, &yes, no, other, end);
        }
        let both_ints = matches!(yes, Value::Int(_)) && self.is_int(script, no);
        let kind = if both_ints { SlotKind::I64 } else { SlotKind::F64 };
        let result = self.slots.temporary(self.builder, kind, self.span);
        let write = |it: &mut Self, value: &Value| {
            let expr = match value {
                Value::Int(word) if both_ints => *word,
                value => it.number(value),
            };
            it.list.push(Operation::Set(result, expr));
        };
        write(self, &yes);
        self.list.jump(end);
        self.list.bind(other);
        let no = self.value(script, no)?;
        match no {
            Value::Text(_) | Value::TextOf(_) => {
                return Err(self.mixed("chooses between a text and a number"));
            }
            Value::Number(..) => return Err(self.mixed("chooses a number that may be an integer or not")),
            _ => {}
        }
        write(self, &no);
        self.list.bind(end);
        let read = self.builder.read(result);
        Ok(if both_ints { Value::Int(read) } else { Value::Double(read) })
    }

    /// Returns true if an expression is an integer.
    fn is_int(&self, script: &Script, expr: usize) -> bool {
        match &script.exprs[expr] {
            Expr::Int(_) => true,
            Expr::Name(name) | Expr::Text(name) if self.entries.enums.contains_key(name) => false,
            Expr::Name(name) => {
                let entry = self.entries.known(&self.builder.program, self.scope, name);
                entry.is_some_and(|it| self.entries.list[it].kind == Kind::Int)
            }
            Expr::Assign(_, target, _) => self.is_int(script, *target),
            Expr::Choice(_, yes, no) => self.is_int(script, *yes) && self.is_int(script, *no),
            _ => false,
        }
    }

    fn text_sides(
        &mut self,
        script: &Script,
        yes: &Value,
        no: usize,
        other: Label,
        end: Label,
    ) -> Result<Value, Refused> {
        let result = self.slots.temporary(self.builder, SlotKind::Text, self.span);
        let text = self.text_expr(yes);
        self.list.push(Operation::Set(result, text));
        self.list.jump(end);
        self.list.bind(other);
        let no = self.value(script, no)?;
        if !no.is_text() {
            return Err(self.mixed("chooses between a text and a number"));
        }
        let text = self.text_expr(&no);
        self.list.push(Operation::Set(result, text));
        self.list.bind(end);
        Ok(Value::TextOf(self.builder.read(result)))
    }

    fn mixed(&self, what: &str) -> Refused {
        let message = format!("`? :` {what}");
        refused(codes::NOT_CARRIED, self.span, message, "choose between numbers, or between texts")
    }
}
