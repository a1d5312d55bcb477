//! Leaves of the host.

use super::{Label, Operation, Port, PortType, RUNS, Refused, SlotKind, Value, Way, Writer};
use crate::ast::{self, ExprIndex};
use crate::dialect::btcpp::code::{FAILED, SKIPPED, SUCCEEDED};
use crate::dialect::btcpp::hosts::{HostNode, HostPort, NAME};
use crate::dialect::btcpp::instance::Text;
use crate::dialect::btcpp::slots::EntrySlots;
use crate::dialect::btcpp::values::{Literal, literal};
use crate::manifest::{Leaf, Type};

/// A value that a leaf gives, to be written to an entry.
struct Output {
    entry: usize,
    variable: u32,
    /// Variable that is set if the leaf has given the value.
    given: u32,
    ty: PortType,
}

impl Writer<'_, '_, '_, '_> {
    pub(super) fn host(&mut self, leaf: Leaf) -> Result<(), Refused> {
        let other = self.list.label();
        let mut to = [self.way(Way::Failure), self.way(Way::Success), self.way(Way::Running), other];
        let mut active = None;
        match leaf {
            Leaf::Lasting => {
                self.kept_status();
                active = Some(self.status_in(RUNS, RUNS));
            }
            Leaf::Sync => to[Way::Running as usize] = self.list.label(),
            Leaf::Condition => {}
        }
        self.ask(active, to)?;
        if leaf == Leaf::Sync {
            self.list.bind(to[Way::Running as usize]);
            self.store(RUNS);
            self.list.jump(self.fault);
        }
        self.list.bind(other);
        self.list.if_other(SKIPPED, self.way(Way::Skipped));
        self.list.jump(self.fault);
        Ok(())
    }

    /// Ends with the status that the node has kept if the node has completed and was not reset.
    pub(super) fn kept_status(&mut self) {
        let open = self.list.label();
        let completed = self.status_in(SUCCEEDED, FAILED);
        self.list.unless(completed, open);
        let succeeded = self.status_in(SUCCEEDED, SUCCEEDED);
        self.list.unless(succeeded, self.way(Way::Failure));
        self.jump(Way::Success);
        self.list.bind(open);
    }

    /// Asks the host, and goes on at the labels of failure, success, running and other answers. The
    /// action goes on if the condition is true. Values that it gives are written with any answer.
    pub(super) fn ask(&mut self, active: Option<ExprIndex>, to: [Label; 4]) -> Result<(), Refused> {
        let (call, outputs) = self.call()?;
        let answers = if outputs.is_empty() { to } else { to.map(|_| self.list.label()) };
        if let Some(active) = active {
            let fresh = self.list.label();
            self.list.unless(active, fresh);
            self.list.act(call, false, answers);
            self.list.bind(fresh);
        }
        self.list.act(call, true, answers);
        if outputs.is_empty() {
            return Ok(());
        }
        for (answer, to) in answers.into_iter().zip(to) {
            self.list.bind(answer);
            self.outputs(&outputs)?;
            self.list.jump(to);
        }
        Ok(())
    }

    pub(super) fn halt_host(&mut self, leaf: Leaf) {
        if leaf != Leaf::Lasting {
            return;
        }
        let idle = self.list.label();
        let runs = self.status_in(RUNS, RUNS);
        self.list.unless(runs, idle);
        // The call of the tick was made last.
        let call = self.shared.calls.get(&self.node).copied();
        if let Some(call) = call {
            self.push(Operation::Stop(call));
        }
        self.list.bind(idle);
    }

    /// Fills the arguments of the call. Returns the call and the values that it gives.
    fn call(&mut self) -> Result<(u32, Vec<Output>), Refused> {
        let registry = self.shared.registry;
        let Some(host) = self.shared.builder.program.nodes[self.node].host else {
            return Ok((0, Vec::new()));
        };
        let host = &registry.hosts[host];
        let action = &registry.actions[host.action];
        let count = action.params.len();
        let mut args = vec![ast::Value::Int(0); count];
        let mut outputs = Vec::new();
        for (index, param) in action.params.iter().enumerate() {
            if param.name == NAME && param.ty == Type::Text {
                let name = self.shared.builder.program.nodes[self.node].name.clone();
                args[index] = ast::Value::Text(self.shared.builder.session.names.intern(name.as_bytes()));
            }
        }
        if let Some(index) = host.wake {
            args[index] = ast::Value::Out(self.shared.wake, ast::NO_VARIABLE);
        }
        for port in &host.ports {
            if let Some(index) = port.reads {
                let (value, is_given) = self.input(port)?;
                args[index] = value;
                if let Some(given) = port.given {
                    args[given] = is_given;
                }
            }
            if let Some(index) = port.writes {
                let connected = self.port(&port.name);
                if let Port::Entry(entry) = connected
                    && let Some(row) = self.given_at_once(host, port.ty, entry)
                {
                    args[index] = ast::Value::Out(row.value, row.has);
                } else if let Port::Entry(entry) = connected {
                    let kinds = [slot_kind(port.ty), SlotKind::Bit];
                    let [variable, flag] = kinds.map(|kind| self.variable(kind));
                    args[index] = ast::Value::Out(variable, flag);
                    self.set_bit(flag, false);
                    outputs.push(Output { entry, variable, given: flag, ty: port.ty });
                } else if let Port::Literal(text) = &connected {
                    self.argument(port.ty, text)?;
                }
                if let (Some(given), None, Port::Entry(_)) = (port.given, port.reads, connected) {
                    args[given] = ast::Value::Int(1);
                }
            }
        }
        let name = self.shared.builder.session.names.intern(host.name.as_bytes());
        let file = &mut self.shared.builder.file;
        let args = file.arguments(&args);
        file.calls.push((name, args));
        let call = file.calls.len() as u32 - 1;
        self.shared.calls.insert(self.node, call);
        Ok((call, outputs))
    }

    /// Returns the variables of an entry if they have the kind of a port, so that no value has to
    /// be converted.
    fn same_kind(&mut self, ty: PortType, entry: usize) -> Option<EntrySlots> {
        let kind = self.shared.entries.list[entry].kind.slot_kind();
        if kind != slot_kind(ty) || ty == PortType::Unsigned {
            return None;
        }
        Some(self.shared.slots.of(self.shared.builder, self.shared.entries, entry))
    }

    /// Returns the variables of an entry that the host can write itself when it gives a value. If
    /// the leaf reads the entry, too, its arguments must not change during the call.
    fn given_at_once(&mut self, host: &HostNode, ty: PortType, entry: usize) -> Option<EntrySlots> {
        let reads = |port: &HostPort| {
            port.reads.is_some() && matches!(self.port(&port.name), Port::Entry(read) if read == entry)
        };
        if host.ports.iter().any(reads) {
            return None;
        }
        self.same_kind(ty, entry).filter(|row| row.sequence.is_none())
    }

    /// Returns the argument of a port that is read, and that of its `_given`.
    fn input(&mut self, port: &HostPort) -> Result<(ast::Value, ast::Value), Refused> {
        let may_lack = port.given.is_some();
        match self.port(&port.name) {
            Port::Missing => {
                if !may_lack {
                    self.list.jump(self.fault);
                }
                let nothing = match port.ty {
                    PortType::Text | PortType::Any => {
                        ast::Value::Text(self.shared.builder.session.names.intern(b""))
                    }
                    ty => zero(ty),
                };
                Ok((nothing, ast::Value::Int(0)))
            }
            Port::Literal(text) => {
                let value = self.argument(port.ty, &text)?;
                Ok((value, ast::Value::Int(1)))
            }
            Port::Entry(entry) => {
                if let Some(row) = self.same_kind(port.ty, entry) {
                    if !may_lack {
                        let has = self.read(row.has);
                        self.list.unless(has, self.fault);
                    }
                    return Ok((ast::Value::Variable(row.value), ast::Value::Variable(row.has)));
                }
                let variable = self.variable(slot_kind(port.ty));
                let given = self.variable(SlotKind::Bit);
                let unread = if may_lack { self.list.label() } else { self.fault };
                if may_lack {
                    self.set_bit(given, false);
                }
                let value = self.read_port(entry, port.ty, unread)?;
                let expr = match value {
                    Value::Int(expr)
                    | Value::Double(expr)
                    | Value::Number(expr, _)
                    | Value::Bool(expr)
                    | Value::Entity(expr)
                    | Value::TextOf(expr) => expr,
                    Value::Text(text) => self.shared.builder.text(&text),
                };
                self.push(Operation::Set(variable, expr));
                if may_lack {
                    self.set_bit(given, true);
                    self.list.bind(unread);
                    return Ok((ast::Value::Variable(variable), ast::Value::Variable(given)));
                }
                Ok((ast::Value::Variable(variable), ast::Value::Int(1)))
            }
        }
    }

    /// Converts a literal to the type of a port.
    fn argument(&mut self, ty: PortType, text: &Text) -> Result<ast::Value, Refused> {
        Ok(match (ty, literal(ty, &text.text, text.span)?) {
            (PortType::Int, Literal::Int(int)) => ast::Value::Int(int as i32),
            (PortType::Int64, Literal::Int(int)) => ast::Value::Int64((int as u64).into()),
            (_, Literal::Int(int)) => ast::Value::Double((int as f64).to_bits().into()),
            (PortType::Float, Literal::Real(real)) => ast::Value::Float(real as f32),
            (_, Literal::Real(real)) => ast::Value::Double(real.to_bits().into()),
            (_, Literal::Truth(is)) => ast::Value::Int(is.into()),
            (_, Literal::Text(text)) => {
                ast::Value::Text(self.shared.builder.session.names.intern(text.as_bytes()))
            }
        })
    }

    /// Writes the values that a leaf has given to their entries.
    fn outputs(&mut self, outputs: &[Output]) -> Result<(), Refused> {
        for output in outputs {
            let next: Label = self.list.label();
            let given = self.read(output.given);
            self.list.unless(given, next);
            let read = self.read(output.variable);
            let value = match output.ty {
                PortType::Bool => Value::Bool(read),
                PortType::Text | PortType::Any => Value::TextOf(read),
                PortType::Int64 => Value::Int(read),
                PortType::Entity => Value::Entity(read),
                PortType::Int | PortType::Unsigned => {
                    Value::Int(self.shared.builder.file.expr(ast::Expr::ToLong(read)))
                }
                _ => Value::Double(read),
            };
            self.scripts().store(output.entry, &value)?;
            self.list.bind(next);
        }
        Ok(())
    }
}

/// Returns the kind of a variable that holds a value of a port.
pub(in super::super) fn slot_kind(ty: PortType) -> SlotKind {
    match ty {
        PortType::Bool => SlotKind::Bit,
        PortType::Int => SlotKind::I32,
        PortType::Int64 => SlotKind::I64,
        PortType::Float => SlotKind::F32,
        PortType::Entity => SlotKind::Entity,
        PortType::Text | PortType::Any => SlotKind::Text,
        _ => SlotKind::F64,
    }
}

fn zero(ty: PortType) -> ast::Value {
    match ty {
        PortType::Int64 => ast::Value::Int64(0.into()),
        PortType::Entity => ast::Value::Nobody,
        PortType::Double | PortType::Unsigned => ast::Value::Double(0.into()),
        PortType::Float => ast::Value::Float(0.0),
        _ => ast::Value::Int(0),
    }
}
