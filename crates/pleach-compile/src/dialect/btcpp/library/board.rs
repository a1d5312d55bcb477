//! Leaves that write and remove entries, and reads of ports.

use super::{Binary, ExprIndex, Label, Operation, Port, PortType, Refused, Value, Way, Writer, refused};
use crate::ast::{self, SlotKind, Spelling};
use crate::codes;
use crate::dialect::btcpp::entries::Kind;
use crate::dialect::btcpp::values::{Literal, literal, pointer};

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
        let row = self.shared.slots.of(self.shared.builder, self.shared.entries, entry);
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
            (PortType::Bool, Kind::Number) => {
                let value = self.scripts().read(entry);
                Value::Bool(self.scripts().truth_or(&value, unread))
            }
            (PortType::Bool, Kind::Int) => {
                Value::Bool(self.shared.builder.zero_or_one(&mut self.list, read, unread))
            }
            (PortType::Double | PortType::Float, Kind::Double | Kind::Number) => Value::Double(read),
            (PortType::Int | PortType::Unsigned | PortType::Int64, Kind::Double | Kind::Number) => {
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

    /// Returns a port that is a number or a truth, as a number. If the port cannot be read, the
    /// tick ends with a fault.
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

    /// Returns the value of a port of a type. Goes on at a label if the port cannot be read.
    pub(super) fn port_value(&mut self, name: &str, ty: PortType, unread: Label) -> Result<Value, Refused> {
        match self.port(name) {
            Port::Entry(entry) => return self.read_port(entry, ty, unread),
            Port::Literal(text) => {
                if let Ok(known) = literal(ty, &text.text, text.span) {
                    return Ok(self.known(known));
                }
            }
            Port::Missing => {}
        }
        self.list.jump(unread);
        Ok(match ty {
            PortType::Text => Value::Text(String::new()),
            _ => Value::Double(self.shared.builder.number(0.0)),
        })
    }

    /// Sets a variable to a port that is a number. If the port cannot be read, the variable stays
    /// as it is.
    pub(super) fn read_number(&mut self, to: u32, name: &str, ty: PortType) -> Result<(), Refused> {
        let unread = self.list.label();
        let value = self.port_value(name, ty, unread)?;
        let number = self.scripts().number(&value);
        self.push(Operation::Set(to, number));
        self.list.bind(unread);
        Ok(())
    }

    /// Reads a text as a value of a port.
    fn spelled(&mut self, text: ExprIndex, ty: PortType, unread: Label) -> Result<Value, Refused> {
        let spelling = match ty {
            PortType::Double | PortType::Float => Spelling::Real,
            PortType::Int | PortType::Unsigned => Spelling::Integer,
            PortType::Bool => return Ok(Value::Bool(self.scripts().truth_in(text, unread))),
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

    fn expr(&mut self, expr: ast::Expr) -> ExprIndex {
        self.shared.builder.file.expr(expr)
    }

    fn in_range(&mut self, number: ExprIndex, ty: PortType, unread: Label) {
        self.shared.builder.in_range(&mut self.list, number, range(ty), unread);
    }

    /// Returns a number that must be whole and in the range of the type.
    fn whole_port(&mut self, number: ExprIndex, ty: PortType, unread: Label) -> Value {
        let word = self.shared.builder.whole(&mut self.list, number, range(ty), unread);
        if ty == PortType::Int64 { Value::Int(word) } else { Value::Double(number) }
    }

    pub(super) fn set_blackboard(&mut self) -> Result<(), Refused> {
        let target = self.key("output_key")?.and_then(|_| self.named_entry("output_key"));
        let Some(target) = target else {
            self.list.jump(self.fault);
            return Ok(());
        };
        match self.port("value") {
            Port::Missing => self.list.jump(self.fault),
            Port::Entry(source) => return self.copy(source, target),
            Port::Literal(_) if self.shared.entries.list[target].is_untyped() && !self.is_old() => {
                if self.shared.entries.list[target].removed {
                    return Err(self.emptied(target));
                }
                self.lose(target);
            }
            Port::Literal(text) => {
                let row = &self.shared.entries.list[target];
                if row.declared.is_none() && (row.kind != Kind::Text || row.scripted) && !self.is_old() {
                    return Err(self.emptied(target));
                }
                self.scripts().store(target, &Value::Text(text.text))?;
                self.jump(Way::Success);
            }
        }
        Ok(())
    }

    /// Returns the finding that a text may be lost or not.
    fn emptied(&self, target: usize) -> Refused {
        let row = &self.shared.entries.list[target];
        let message = format!("a text is written over what scripts write to `{}`, which empties it", row.key);
        refused(codes::CHANGING_TYPE, self.span(), message, "write the value by a `Script`")
    }

    /// Writes a text to an entry without a type, which leaves no value there.
    fn lose(&mut self, target: usize) {
        if self.shared.entries.list[target].holds_any {
            return self.list.jump(self.fault);
        }
        let row = self.shared.slots.of(self.shared.builder, self.shared.entries, target);
        self.set_bit(row.has, false);
        if let Some(created) = row.created {
            self.set_bit(created, true);
        }
        self.scripts().count(target);
        self.jump(Way::Success);
    }

    /// Copies an entry to another one.
    fn copy(&mut self, source: usize, target: usize) -> Result<(), Refused> {
        let rows = [source, target].map(|it| &self.shared.entries.list[it]);
        let (kinds, declared) = (rows.map(|it| it.kind), rows.map(|it| it.declared));
        let strong = declared.iter().flatten().filter(|it| **it != PortType::Any).count() == 2;
        if strong && declared[0] != declared[1] && !self.is_old() {
            self.list.jump(self.fault);
            return Ok(());
        }
        if kinds[0] != kinds[1] || kinds[0] == Kind::Number {
            let message = "an entry of another type is copied";
            return Err(self.not_carried(message, "copy entries of one type"));
        }
        let is_lost = kinds[0] == Kind::Text && !self.is_old() && self.loses_texts(source, target)?;
        let row = self.shared.slots.of(self.shared.builder, self.shared.entries, source);
        let has = self.read(row.has);
        let empty = self.list.label();
        self.list.unless(has, empty);
        if is_lost {
            self.lose(target);
        } else {
            let value = self.scripts().read(source);
            self.scripts().store(target, &value)?;
            self.jump(Way::Success);
        }
        self.list.bind(empty);
        if !self.is_old() {
            self.jump(Way::Failure);
            return Ok(());
        }
        // Version 3 copies that there is no value.
        let row = self.shared.slots.of(self.shared.builder, self.shared.entries, target);
        self.set_bit(row.has, false);
        self.jump(Way::Success);
        Ok(())
    }

    /// Returns true if a text that is copied is lost, because its target has no type. A target that
    /// does not exist before the first tick gets the type of the source by the first copy.
    fn loses_texts(&self, source: usize, target: usize) -> Result<bool, Refused> {
        let [from, to] = [source, target].map(|it| &self.shared.entries.list[it]);
        if to.removed && to.is_untyped() {
            return Err(self.emptied(target));
        }
        if to.exists || to.declared.is_some() {
            return Ok(to.is_untyped());
        }
        let is_set = self.shared.entries.writes.iter().any(|it| it.entry == target && it.text.is_some());
        match from.is_untyped() {
            true if is_set && !to.scripted => Err(self.emptied(target)),
            false if to.scripted => Err(self.emptied(target)),
            is_lost => Ok(is_lost),
        }
    }

    pub(super) fn unset_blackboard(&mut self) -> Result<(), Refused> {
        let Some(key) = self.key("key")? else {
            self.list.jump(self.fault);
            return Ok(());
        };
        let instance = &self.shared.builder.program.nodes[self.node];
        let own = self.shared.builder.program.resolve(instance.scope, &key);
        // Only an entry of the node's own blackboard is removed, and never by `@`.
        if own == (instance.scope, &*key)
            && let Some(entry) = self.named_entry("key")
        {
            let scope = &self.shared.builder.program.scopes[instance.scope];
            if scope.constants.contains_key(&key) && scope.passes_on(&key) {
                let message =
                    "a constant is removed, behind which there is an entry of the blackboard around it";
                return Err(self.not_carried(message, "give the entry another name"));
            }
            let row = self.shared.slots.of(self.shared.builder, self.shared.entries, entry);
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

    /// Returns the key of an entry, which must stand in the attribute.
    fn key(&self, port: &str) -> Result<Option<String>, Refused> {
        let ports = &self.shared.builder.program.nodes[self.node].ports;
        let key = ports.get(port).map(|text| text.text.clone());
        if key.as_deref().and_then(pointer).is_some() {
            let message = "the key of an entry stands in an entry";
            return Err(self.not_carried(message, "write the key without braces"));
        }
        Ok(key)
    }

    /// Adds an operation.
    pub(super) fn push(&mut self, operation: Operation) {
        self.list.push(operation);
    }
}
