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
                Value::Bool(self.shared.builder.zero_or_one(&mut self.list, read, unread))
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

    /// Returns a port that is a number, as it is at the beginning of a tick that may change its
    /// entry.
    pub(super) fn kept_port(&mut self, name: &str, ty: PortType) -> Result<ExprIndex, Refused> {
        let port = self.number_port(name, ty)?;
        if let Port::Literal(_) = self.port(name) {
            return Ok(port);
        }
        let kept = self.variable(SlotKind::F64);
        self.push(Operation::Set(kept, port));
        Ok(self.read(kept))
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
