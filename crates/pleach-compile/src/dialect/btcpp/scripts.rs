//! Scripts to operations.
//!
//! Each side effect and each test that can end in an error is an operation, in the order of the
//! original. The values between them are expressions.

use super::code::{Builder, Label, List};
use super::entries::{Entries, Kind};
use super::kinds::PortType;
use super::script::{Assignment, Expr, Operator, Prefix, Script};
use super::slots::Slots;
use super::values::real;
use super::{Refused, refused};
use crate::ast::{self, Arithmetic, Binary, Bits, ExprIndex, Math, SlotKind, Spelling};
use crate::codes;
use crate::routine::Operation;
use crate::source::Span;

/// Least and greatest real number that is a 64-bit integer.
const WHOLE: (f64, f64) = (-9_223_372_036_854_775_808.0, 9_223_372_036_854_774_784.0);

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A 64-bit integer: an expression that is a word.
    Int(ExprIndex),
    Double(ExprIndex),
    /// A number, and the condition that it is an integer.
    Number(ExprIndex, ExprIndex),
    Bool(ExprIndex),
    /// An entity of the host: an expression that is a word.
    Entity(ExprIndex),
    /// A text that is known.
    Text(String),
    /// A text by its number, which is known at run time.
    TextOf(ExprIndex),
}

impl Value {
    /// Returns true for texts.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_) | Self::TextOf(_))
    }
}

/// Compilation of the scripts of a node.
pub(super) struct Scripts<'c, 's, 'a> {
    pub(super) builder: &'c mut Builder<'s, 'a>,
    pub(super) list: &'c mut List,
    pub(super) entries: &'c Entries,
    pub(super) slots: &'c mut Slots,
    pub(super) scope: usize,
    /// Place at which the agent's tick ends with a fault.
    pub(super) fault: Label,
    pub(super) span: Span,
}

impl Scripts<'_, '_, '_> {
    /// Runs a script. Returns the value of its last statement.
    pub(super) fn run(&mut self, script: &Script) -> Result<Option<Value>, Refused> {
        self.slots.forget_temporaries();
        let mut last = None;
        for statement in &script.statements {
            last = Some(self.value(script, *statement)?);
        }
        Ok(last)
    }

    /// Runs a script. Returns the truth of its last statement.
    pub(super) fn condition(&mut self, script: &Script) -> Result<ExprIndex, Refused> {
        let value = self.run(script)?;
        Ok(match value {
            Some(value) => self.truth(&value),
            None => self.never(),
        })
    }

    /// Ends the tick with a fault. Returns a condition, which is never read.
    pub(super) fn never(&mut self) -> ExprIndex {
        let never = self.builder.truth(false);
        self.list.unless(never, self.fault);
        never
    }

    pub(super) fn check(&mut self, condition: ExprIndex) {
        self.list.unless(condition, self.fault);
    }

    pub(super) fn value(&mut self, script: &Script, expr: usize) -> Result<Value, Refused> {
        Ok(match &script.exprs[expr] {
            Expr::Int(int) => Value::Int(self.builder.word(*int)),
            Expr::Real(real) => Value::Double(self.builder.number(*real)),
            Expr::Text(text) => Value::Text(text.clone()),
            Expr::Name(name) => self.name(name),
            Expr::Prefix(prefix, inner) => {
                let inner = self.value(script, *inner)?;
                self.prefix(*prefix, &inner)
            }
            Expr::Binary(operator, left, right) => {
                let (left, right) = self.pair(script, *left, *right)?;
                self.binary(*operator, &left, &right)?
            }
            Expr::Chain(first, rest) => self.chain(script, *first, rest)?,
            Expr::Choice(condition, yes, no) => self.choice(script, *condition, *yes, *no)?,
            Expr::Assign(way, target, value) => self.assign(script, *way, *target, *value)?,
        })
    }

    /// Evaluates two operands, the left one first.
    pub(super) fn pair(
        &mut self,
        script: &Script,
        left: usize,
        right: usize,
    ) -> Result<(Value, Value), Refused> {
        let mut first = self.value(script, left)?;
        if script.assigns(right) {
            first = self.kept(first);
        }
        Ok((first, self.value(script, right)?))
    }

    /// Keeps a value in a variable, so that later writes do not change it.
    pub(super) fn kept(&mut self, value: Value) -> Value {
        let (kind, expr) = match value {
            Value::Int(expr) => (SlotKind::I64, expr),
            Value::Double(expr) | Value::Number(expr, _) => (SlotKind::F64, expr),
            Value::Bool(expr) => (SlotKind::Bit, expr),
            Value::Entity(expr) => (SlotKind::Entity, expr),
            Value::TextOf(expr) => (SlotKind::Text, expr),
            Value::Text(_) => return value,
        };
        let variable = self.slots.temporary(self.builder, kind, self.span);
        self.list.push(Operation::Set(variable, expr));
        let read = self.builder.read(variable);
        match value {
            Value::Int(_) => Value::Int(read),
            Value::Double(_) => Value::Double(read),
            Value::Number(_, whole) => Value::Number(read, self.kept_truth(whole)),
            Value::Bool(_) => Value::Bool(read),
            Value::Entity(_) => Value::Entity(read),
            _ => Value::TextOf(read),
        }
    }

    /// Keeps a truth in a variable.
    fn kept_truth(&mut self, truth: ExprIndex) -> ExprIndex {
        let kept = self.slots.temporary(self.builder, SlotKind::Bit, self.span);
        self.list.push(Operation::Set(kept, truth));
        self.builder.read(kept)
    }

    fn name(&mut self, name: &str) -> Value {
        if let Some(number) = self.entries.enums.get(name) {
            return Value::Double(self.builder.number(f64::from(*number)));
        }
        let Some(entry) = self.entries.known(&self.builder.program, self.scope, name) else {
            self.never();
            return Value::Double(self.builder.number(0.0));
        };
        self.read(entry)
    }

    /// Reads an entry, which must have a value.
    pub(super) fn read(&mut self, entry: usize) -> Value {
        let row = self.slots.of(self.builder, self.entries, entry);
        let has = self.builder.read(row.has);
        self.check(has);
        let read = self.builder.read(row.value);
        match self.entries.list[entry].kind {
            Kind::Int => Value::Int(read),
            Kind::Bool => Value::Bool(read),
            Kind::Text => Value::TextOf(read),
            Kind::Entity => Value::Entity(read),
            Kind::Double => Value::Double(read),
            Kind::Number => {
                let whole = row.whole.map(|it| self.builder.read(it));
                Value::Number(read, whole.unwrap_or(has))
            }
        }
    }

    /// Returns a value as a number. A text or an entity ends the tick with a fault.
    pub(super) fn number(&mut self, value: &Value) -> ExprIndex {
        match value {
            Value::Int(word) => self.builder.file.expr(ast::Expr::FromLong(*word)),
            Value::Double(number) | Value::Number(number, _) => *number,
            Value::Bool(truth) => self.builder.file.expr(ast::Expr::FromTruth(*truth)),
            Value::Entity(_) | Value::Text(_) | Value::TextOf(_) => {
                self.never();
                self.builder.number(0.0)
            }
        }
    }

    /// Returns a text as an expression.
    pub(super) fn text_expr(&mut self, value: &Value) -> ExprIndex {
        match value {
            Value::Text(text) => self.builder.text(text),
            Value::TextOf(expr) => *expr,
            _ => {
                self.never();
                self.builder.text("")
            }
        }
    }

    /// Returns the refusal of a text that is put together at run time.
    fn built(&self) -> Refused {
        let message = "a text is put together of values that are known only at run time";
        refused(codes::CHANGING_TEXT, self.span, message, "let the game make the text")
    }

    /// Returns a truth as a number.
    pub(super) fn of_truth(&mut self, truth: ExprIndex) -> Value {
        Value::Double(self.builder.file.expr(ast::Expr::FromTruth(truth)))
    }

    fn prefix(&mut self, prefix: Prefix, inner: &Value) -> Value {
        let number = self.number(inner);
        let file = &mut self.builder.file;
        match prefix {
            Prefix::Negate => Value::Double(file.expr(ast::Expr::Negate(Arithmetic::Double, number))),
            Prefix::Not => {
                let truth = file.expr(ast::Expr::ToTruth(number));
                let not = self.builder.not(truth);
                self.of_truth(not)
            }
            Prefix::Complement => {
                self.builder.in_range(self.list, number, WHOLE, self.fault);
                let word = self.builder.file.expr(ast::Expr::ToLong(number));
                let negative = self.builder.file.expr(ast::Expr::Negate(Arithmetic::Long, word));
                let one = self.builder.word(1);
                let math = ast::Expr::Math(Math::Subtract, Arithmetic::Long, negative, one);
                let complement = self.builder.file.expr(math);
                Value::Double(self.builder.file.expr(ast::Expr::FromLong(complement)))
            }
        }
    }

    /// Returns a number as a 64-bit integer. The number must be whole.
    pub(super) fn whole(&mut self, number: ExprIndex) -> ExprIndex {
        self.builder.whole(self.list, number, WHOLE, self.fault)
    }

    fn binary(&mut self, operator: Operator, left: &Value, right: &Value) -> Result<Value, Refused> {
        let math = match operator {
            Operator::And | Operator::Or => {
                let [left, right] = [left, right].map(|it| self.truth(it));
                let operator = if operator == Operator::And { Binary::And } else { Binary::Or };
                let truth = self.builder.binary(operator, left, right);
                return Ok(self.of_truth(truth));
            }
            Operator::Join => return self.join(left, right),
            Operator::BitAnd | Operator::BitOr | Operator::BitXor => {
                return Ok(self.bits(operator, left, right));
            }
            Operator::Add => match (left, right) {
                (Value::Text(left), Value::Text(right)) => return Ok(Value::Text(format!("{left}{right}"))),
                (left, right) if left.is_text() && right.is_text() => return Err(self.built()),
                _ => Math::Add,
            },
            Operator::Subtract => Math::Subtract,
            Operator::Multiply => Math::Multiply,
            Operator::Divide => Math::Divide,
        };
        let [left, right] = [left, right].map(|it| self.number(it));
        Ok(Value::Double(self.builder.math(math, left, right)))
    }

    /// Joins texts and numbers that are known.
    fn join(&mut self, left: &Value, right: &Value) -> Result<Value, Refused> {
        if !left.is_text() && !right.is_text() {
            self.never();
            return Ok(Value::Text(String::new()));
        }
        match (self.text_of(left), self.text_of(right)) {
            (Some(left), Some(right)) => Ok(Value::Text(left + &right)),
            _ => Err(self.built()),
        }
    }

    /// Returns the text of a value that is known.
    fn text_of(&self, value: &Value) -> Option<String> {
        let known = |expr: &ExprIndex| match self.builder.file.exprs[*expr as usize] {
            ast::Expr::Number(ast::Value::Int64(wide)) => Some((wide.bits() as i64).to_string()),
            ast::Expr::Number(ast::Value::Double(wide)) => {
                Some(format!("{:.6}", f64::from_bits(wide.bits())))
            }
            _ => None,
        };
        match value {
            Value::Text(text) => Some(text.clone()),
            Value::Int(expr) | Value::Double(expr) => known(expr),
            Value::Number(..) | Value::Bool(_) | Value::Entity(_) | Value::TextOf(_) => None,
        }
    }

    /// Combines the bits of two integers. A real number must be whole.
    fn bits(&mut self, operator: Operator, left: &Value, right: &Value) -> Value {
        let [left, right] = [left, right].map(|value| match value {
            Value::Int(word) => *word,
            value => {
                let number = self.number(value);
                self.whole(number)
            }
        });
        let bits = match operator {
            Operator::BitAnd => Bits::And,
            Operator::BitOr => Bits::Or,
            _ => Bits::Xor,
        };
        let word = self.builder.file.expr(ast::Expr::Bits(bits, left, right));
        Value::Double(self.builder.file.expr(ast::Expr::FromLong(word)))
    }

    fn assign(
        &mut self,
        script: &Script,
        way: Assignment,
        target: usize,
        value: usize,
    ) -> Result<Value, Refused> {
        let Expr::Name(name) = &script.exprs[target] else {
            self.never();
            return self.value(script, value);
        };
        let Some(entry) = self.entries.known(&self.builder.program, self.scope, name) else {
            self.never();
            return self.value(script, value);
        };
        let row = self.slots.of(self.builder, self.entries, entry);
        match (way, row.created) {
            (Assignment::Create, Some(created)) => self.builder.set_bit(self.list, created, true),
            (_, Some(created)) => {
                let [has, created] = [row.has, created].map(|it| self.builder.read(it));
                let exists = self.builder.binary(Binary::Or, has, created);
                self.check(exists);
            }
            // The entry exists before the first tick.
            (_, None) => {}
        }
        let mut value = self.value(script, value)?;
        if let Assignment::Change(operator) = way {
            let old = self.read(entry);
            // A text and a number are an error, whichever is which.
            if value.is_text() != old.is_text() {
                self.never();
                return Ok(old);
            }
            value = self.binary(operator, &old, &value)?;
        }
        self.store(entry, &value)?;
        Ok(self.read(entry))
    }

    /// Writes a value to an entry, converted to the type of the entry.
    pub(super) fn store(&mut self, entry: usize, value: &Value) -> Result<(), Refused> {
        let row = self.slots.of(self.builder, self.entries, entry);
        let known = &self.entries.list[entry];
        let value = match value {
            value if value.is_text() && known.kind == Kind::Number => {
                let message =
                    format!("a text is written to `{}`, which holds an integer or a real number", known.key);
                return Err(refused(codes::NOT_CARRIED, self.span, message, "write a number"));
            }
            Value::Text(text) if known.kind != Kind::Text => self.converted(entry, text)?,
            Value::TextOf(text) if known.kind == Kind::Double && known.declared.is_none() => {
                Value::Double(self.number_in(*text))
            }
            Value::TextOf(text)
                if matches!(known.kind, Kind::Int | Kind::Double) && known.declared.is_some() =>
            {
                let int = known.kind == Kind::Int;
                let spelling = if int { Spelling::Integer } else { Spelling::Real };
                let number = self.builder.file.expr(ast::Expr::Spelled(spelling, *text));
                let some = self.builder.binary(Binary::Equal, number, number);
                self.check(some);
                Value::Double(number)
            }
            Value::TextOf(text) if known.kind == Kind::Bool && known.declared.is_some() => {
                Value::Bool(self.truth_in(*text, self.fault))
            }
            Value::TextOf(_) if known.kind != Kind::Text => {
                let message = format!("a text that is known only at run time is written to `{}`", known.key);
                let help = "write a number";
                return Err(refused(codes::NOT_CARRIED, self.span, message, help));
            }
            value => value.clone(),
        };
        if known.kind == Kind::Number {
            self.store_number(entry, &value);
            return Ok(());
        }
        let expr = match (known.kind, &value) {
            (Kind::Int, Value::Int(word)) | (Kind::Entity, Value::Entity(word)) => *word,
            (Kind::Entity, _) => {
                let message =
                    format!("`{}` holds a type of the host's, and other values are written to it", known.key);
                return Err(refused(codes::NOT_CARRIED, self.span, message, "use two entries"));
            }
            (Kind::Int, value) => {
                let number = self.number(value);
                self.whole(number)
            }
            (Kind::Bool, value) => self.truth(value),
            (Kind::Text, value) => self.text_expr(value),
            (_, value) => self.number(value),
        };
        self.list.push(Operation::Set(row.value, expr));
        self.builder.set_bit(self.list, row.has, true);
        self.count(entry);
        Ok(())
    }

    /// Counts a write to an entry.
    pub(super) fn count(&mut self, entry: usize) {
        let row = self.slots.of(self.builder, self.entries, entry);
        if let Some(sequence) = row.sequence {
            self.builder.add_to(self.list, sequence, 1.0);
        }
    }

    /// Converts a text that is written to an entry of numbers.
    fn converted(&mut self, entry: usize, text: &str) -> Result<Value, Refused> {
        let row = &self.entries.list[entry];
        let number = match (row.declared.and_then(super::entries::kind_of_port), row.kind) {
            (Some(Kind::Int), Kind::Int) => {
                let fits = |int: &i64| match row.declared {
                    Some(PortType::Int) => i32::try_from(*int).is_ok(),
                    Some(PortType::Unsigned) => u32::try_from(*int).is_ok(),
                    _ => true,
                };
                let int = super::values::integer(text).map(|(int, _)| int).filter(fits);
                int.map(|int| Value::Int(self.builder.word(int)))
            }
            (Some(Kind::Bool), Kind::Bool) => {
                super::values::truth(text).map(|is| Value::Bool(self.builder.truth(is)))
            }
            (Some(Kind::Double), Kind::Double) => {
                real(text).map(|(number, _)| Value::Double(self.builder.number(number)))
            }
            (None, Kind::Double) => self.number_of(text).map(|it| Value::Double(self.builder.number(it))),
            (None, Kind::Int) if self.number_of(text).is_some() => {
                let message = format!("a text turns the integer `{}` into a real number", row.key);
                return Err(refused(codes::CHANGING_TYPE, self.span, message, "write a number"));
            }
            _ => None,
        };
        Ok(number.unwrap_or_else(|| Value::Text(text.to_owned())))
    }
}
