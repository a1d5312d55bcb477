//! Truths, numbers of texts, and entries that hold an integer or a real number.

use super::code::Label;
use super::scripts::{Scripts, Value};
use crate::ast::{self, Binary, ExprIndex, SlotKind, Spelling};
use crate::routine::Operation;

impl Scripts<'_, '_, '_> {
    /// Returns a value as a truth. An integer must be 0 or 1.
    pub(super) fn truth(&mut self, value: &Value) -> ExprIndex {
        self.truth_or(value, self.fault)
    }

    /// Returns a value as a truth. Goes on at a label if it is an integer, but neither 0 nor 1.
    pub(super) fn truth_or(&mut self, value: &Value, unread: Label) -> ExprIndex {
        match value {
            Value::Bool(truth) => *truth,
            Value::Double(number) => self.builder.file.expr(ast::Expr::ToTruth(*number)),
            Value::Int(word) => self.builder.zero_or_one(self.list, *word, unread),
            Value::Number(number, whole) => {
                let real = self.builder.not(*whole);
                let [zero, one] = [0.0, 1.0].map(|it| {
                    let it = self.builder.number(it);
                    self.builder.binary(Binary::Equal, *number, it)
                });
                let either = self.builder.binary(Binary::Or, zero, one);
                let fits = self.builder.binary(Binary::Or, real, either);
                self.list.unless(fits, unread);
                self.builder.file.expr(ast::Expr::ToTruth(*number))
            }
            Value::Entity(_) | Value::Text(_) | Value::TextOf(_) => self.never(),
        }
    }

    /// Returns the number that a text stands for in a script: a truth, an enum name, or the number
    /// with which it begins. Another text ends the tick with a fault.
    pub(super) fn number_in(&mut self, text: ExprIndex) -> ExprIndex {
        let result = self.slots.temporary(self.builder, SlotKind::F64, self.span);
        let mut names = vec![("true".to_owned(), 1.0), ("false".to_owned(), 0.0)];
        names.extend(self.entries.enums.iter().map(|(name, number)| (name.clone(), f64::from(*number))));
        names.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        let end = self.list.label();
        for (name, number) in names {
            let next = self.list.label();
            let name = self.builder.text(&name);
            let equal = self.builder.binary(Binary::Equal, text, name);
            self.list.unless(equal, next);
            self.builder.set_number(self.list, result, number);
            self.list.jump(end);
            self.list.bind(next);
        }
        let spelled = self.builder.file.expr(ast::Expr::Spelled(Spelling::Real, text));
        self.list.push(Operation::Set(result, spelled));
        let read = self.builder.read(result);
        let number = self.builder.binary(Binary::Equal, read, read);
        self.check(number);
        self.list.bind(end);
        read
    }

    /// Returns the truth that a text stands for. Goes on at a label if the text stands for none.
    pub(super) fn truth_in(&mut self, text: ExprIndex, unread: Label) -> ExprIndex {
        let words = [["1", "true", "TRUE", "True"], ["0", "false", "FALSE", "False"]];
        let [yes, no] = words.map(|words| {
            let [first, rest @ ..] = words.map(|word| {
                let word = self.builder.text(word);
                self.builder.binary(Binary::Equal, text, word)
            });
            rest.into_iter().fold(first, |one, other| self.builder.binary(Binary::Or, one, other))
        });
        let known = self.builder.binary(Binary::Or, yes, no);
        self.list.unless(known, unread);
        yes
    }

    /// Writes a number to an entry of numbers. The first write tells if it holds integers.
    pub(super) fn store_number(&mut self, entry: usize, value: &Value) {
        let row = self.slots.of(self.builder, self.entries, entry);
        let number = self.number(value);
        let is_whole = match value {
            Value::Int(_) => self.builder.truth(true),
            Value::Number(_, whole) => *whole,
            _ => self.builder.truth(false),
        };
        let [first, done] = [self.list.label(), self.list.label()];
        let has = self.builder.read(row.has);
        self.list.unless(has, first);
        if let Some(whole) = row.whole {
            let whole = self.builder.read(whole);
            self.list.unless(whole, done);
            self.whole(number);
        }
        self.list.jump(done);
        self.list.bind(first);
        if let Some(whole) = row.whole {
            self.list.push(Operation::Set(whole, is_whole));
        }
        self.list.bind(done);
        self.list.push(Operation::Set(row.value, number));
        self.builder.set_bit(self.list, row.has, true);
        self.count(entry);
    }
}
