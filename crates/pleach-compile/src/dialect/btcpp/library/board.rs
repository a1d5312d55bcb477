//! Leaves that write and remove entries, and reads of ports.

use super::{Binary, ExprIndex, Label, Operation, Port, PortType, Refused, Value, Way, Writer, refused};
use crate::ast::{self, SlotKind, Spelling};
use crate::codes;
use crate::dialect::btcpp::entries::Kind;
use crate::dialect::btcpp::values::{Literal, literal};

/// Least and greatest number of a port.
fn range(ty: PortType) -> (f64, f64) {
    match ty {
        PortType::Int => (f64::from(i32::MIN), f64::from(i32::MAX)),
        PortType::Unsigned => (0.0, f64::from(u32::MAX)),
        // Integers that a double holds.
        _ => (-9_007_199_254_740_992.0, 9_007_199_254_740_992.0),
    }
}

impl Writer<'_, '_, '_, '_> {
    /// Reads an entry by a port. Goes on at a label if the entry has no value of the type. The
    /// value is a number, a truth, an entity, a text, or for 64-bit integers a word.
    pub(super) fn read_port(&mut self, entry: usize, ty: PortType, unread: Label) -> Result<Value, Refused> {
        let kind = self.shared.entries.list[entry].kind;
        let row = self.shared.slots.of(self.shared.builder, self.shared.entries, entry)?;
        let has = self.read(row.has);
        self.list.unless(has, unread);
        let read = self.read(row.value);
        Ok(match (ty, kind) {
            (PortType::Any | PortType::Text, Kind::Text) => Value::TextOf(read),
            (_, Kind::Text) => return self.spelled(read, ty, unread),
            (PortType::Any | PortType::Text | PortType::Status | PortType::Queue(_), _) => {
                let help = "let the game read the number";
                return Err(self.not_carried("a number or an entity is read as a text", help));
            }
            (PortType::Int64, Kind::Int) => Value::Int(read),
            (PortType::Entity, Kind::Entity) => Value::Entity(read),
            (PortType::Bool, Kind::Bool) => Value::Bool(read),
            (PortType::Bool, Kind::Double) => Value::Bool(self.expr(ast::Expr::ToTruth(read))),
            (PortType::Bool, Kind::Int) => {
                let number = self.expr(ast::Expr::FromLong(read));
                let [zero, one] = [0.0, 1.0].map(|it| {
                    let it = self.shared.builder.number(it);
                    self.shared.builder.binary(Binary::Equal, number, it)
                });
                let either = self.shared.builder.binary(Binary::Or, zero, one);
                self.list.unless(either, unread);
                Value::Bool(one)
            }
            (PortType::Double | PortType::Float, Kind::Double) => Value::Double(read),
            (PortType::Int | PortType::Unsigned | PortType::Int64, Kind::Double) => {
                self.whole_port(read, ty, unread)
            }
            (PortType::Int | PortType::Unsigned | PortType::Double | PortType::Float, Kind::Int) => {
                let number = self.expr(ast::Expr::FromLong(read));
                self.in_range(number, ty, unread);
                Value::Double(number)
            }
            (PortType::Int64, Kind::Bool) => {
                let number = self.expr(ast::Expr::FromTruth(read));
                Value::Int(self.expr(ast::Expr::ToLong(number)))
            }
            (PortType::Int | PortType::Unsigned | PortType::Double | PortType::Float, Kind::Bool) => {
                Value::Double(self.expr(ast::Expr::FromTruth(read)))
            }
            // No value of the one kind is a value of the other one.
            _ => {
                self.list.jump(unread);
                Value::Double(self.shared.builder.number(0.0))
            }
        })
    }

    /// Returns a port that is a number or a truth, as a number. If the port cannot be read, the tick
    /// ends with a fault.
    pub(super) fn number_port(&mut self, name: &str, ty: PortType) -> Result<ExprIndex, Refused> {
        Ok(match self.port(name) {
            Port::Missing => {
                self.list.jump(self.fault);
                self.shared.builder.number(0.0)
            }
            Port::Literal(text) => {
                let number = match literal(ty, &text.text, text.span)? {
                    Literal::Int(int) => int as f64,
                    Literal::Real(real) => real,
                    Literal::Truth(is) => f64::from(u8::from(is)),
                    Literal::Text(_) => 0.0,
                };
                self.shared.builder.number(number)
            }
            Port::Entry(entry) => {
                let value = self.read_port(entry, ty, self.fault)?;
                self.scripts().number(&value)
            }
        })
    }

    /// Reads a text as a value of a port.
    fn spelled(&mut self, text: ExprIndex, ty: PortType, unread: Label) -> Result<Value, Refused> {
        let spelling = match ty {
            PortType::Double | PortType::Float => Spelling::Real,
            PortType::Int | PortType::Unsigned => Spelling::Integer,
            PortType::Bool => return Ok(self.spelled_truth(text, unread)),
            _ => {
                let help = "keep the value as a number";
                return Err(self.not_carried("a text is read as a value of another type", help));
            }
        };
        let number = self.expr(ast::Expr::Spelled(spelling, text));
        let some = self.shared.builder.binary(Binary::Equal, number, number);
        self.list.unless(some, unread);
        if spelling == Spelling::Integer {
            self.in_range(number, ty, unread);
        }
        Ok(Value::Double(number))
    }

    fn spelled_truth(&mut self, text: ExprIndex, unread: Label) -> Value {
        let mut is = |word: &str| {
            let word = self.shared.builder.text(word);
            self.shared.builder.binary(Binary::Equal, text, word)
        };
        let [yes, no] =
            [["1", "true", "TRUE", "True"], ["0", "false", "FALSE", "False"]].map(|words| words.map(&mut is));
        let any = |it: &mut Self, tests: [ExprIndex; 4]| {
            let [first, rest @ ..] = tests;
            rest.into_iter().fold(first, |one, other| it.shared.builder.binary(Binary::Or, one, other))
        };
        let (yes, no) = (any(self, yes), any(self, no));
        let known = self.shared.builder.binary(Binary::Or, yes, no);
        self.list.unless(known, unread);
        Value::Bool(yes)
    }

    fn expr(&mut self, expr: ast::Expr) -> ExprIndex {
        self.shared.builder.file.expr(expr)
    }

    fn in_range(&mut self, number: ExprIndex, ty: PortType, unread: Label) {
        let builder = &mut self.shared.builder;
        let (least, greatest) = range(ty);
        let [least, greatest] = [least, greatest].map(|it| builder.number(it));
        let above = builder.binary(Binary::GreaterEqual, number, least);
        let below = builder.binary(Binary::LessEqual, number, greatest);
        self.list.unless(above, unread);
        self.list.unless(below, unread);
    }

    /// Returns a number that must be whole and in the range of the type.
    fn whole_port(&mut self, number: ExprIndex, ty: PortType, unread: Label) -> Value {
        self.in_range(number, ty, unread);
        let word = self.expr(ast::Expr::ToLong(number));
        let back = self.expr(ast::Expr::FromLong(word));
        let same = self.shared.builder.binary(Binary::Equal, number, back);
        self.list.unless(same, unread);
        if ty == PortType::Int64 { Value::Int(word) } else { Value::Double(number) }
    }

    pub(super) fn set_blackboard(&mut self) -> Result<(), Refused> {
        let instance = &self.shared.builder.program.nodes[self.node];
        let Some(target) = instance.ports.get("output_key") else {
            self.list.jump(self.fault);
            return Ok(());
        };
        if crate::dialect::btcpp::values::pointer(&target.text).is_some() {
            let message = "the key of an entry stands in an entry";
            return Err(self.not_carried(message, "write the key without braces"));
        }
        let Some(target) = self.named_entry("output_key") else { return Ok(()) };
        match self.port("value") {
            Port::Missing => self.list.jump(self.fault),
            Port::Literal(text) => {
                let row = &self.shared.entries.list[target];
                if row.declared.is_none() && (row.kind != Kind::Text || row.scripted) {
                    let message = format!(
                        "a text is written over what scripts write to `{}`, which empties it",
                        row.key
                    );
                    let help = "write the value by a `Script`";
                    return Err(refused(codes::CHANGING_TYPE, text.span, message, help));
                }
                self.scripts().store(target, &Value::Text(text.text))?;
                self.jump(Way::Success);
            }
            Port::Entry(source) => {
                let rows = [source, target].map(|it| &self.shared.entries.list[it]);
                let (kinds, declared) = (rows.map(|it| it.kind), rows.map(|it| it.declared));
                let strong = declared.iter().flatten().filter(|it| **it != PortType::Any).count() == 2;
                if strong && declared[0] != declared[1] {
                    self.list.jump(self.fault);
                    return Ok(());
                }
                if kinds[0] != kinds[1] {
                    let message = "an entry of another type is copied";
                    return Err(self.not_carried(message, "copy entries of one type"));
                }
                let row = self.shared.slots.of(self.shared.builder, self.shared.entries, source)?;
                let has = self.read(row.has);
                self.list.unless(has, self.way(Way::Failure));
                let value = self.scripts().read(source)?;
                self.scripts().store(target, &value)?;
                self.jump(Way::Success);
            }
        }
        Ok(())
    }

    pub(super) fn unset_blackboard(&mut self) -> Result<(), Refused> {
        let instance = &self.shared.builder.program.nodes[self.node];
        let Some(key) = instance.ports.get("key") else {
            self.list.jump(self.fault);
            return Ok(());
        };
        if crate::dialect::btcpp::values::pointer(&key.text).is_some() {
            let message = "the key of an entry stands in an entry";
            return Err(self.not_carried(message, "write the key without braces"));
        }
        let own = self.shared.builder.program.resolve(instance.scope, &key.text);
        // Only an entry of the node's own blackboard is removed, and never by `@`.
        if own == (instance.scope, &*key.text)
            && let Some(entry) = self.named_entry("key")
        {
            let scope = &self.shared.builder.program.scopes[instance.scope];
            if scope.constants.contains_key(&key.text) && scope.passes_on(&key.text) {
                let message =
                    "a constant is removed, behind which there is an entry of the blackboard around it";
                return Err(self.not_carried(message, "give the entry another name"));
            }
            let row = self.shared.slots.of(self.shared.builder, self.shared.entries, entry)?;
            self.set_bit(row.has, false);
            for (variable, kind) in [(row.created, SlotKind::Bit), (row.sequence, SlotKind::I32)] {
                if let Some(variable) = variable {
                    self.clear(variable, kind);
                }
            }
        }
        self.jump(Way::Success);
        Ok(())
    }

    /// Adds an operation.
    pub(super) fn push(&mut self, operation: Operation) {
        self.list.push(operation);
    }
}
