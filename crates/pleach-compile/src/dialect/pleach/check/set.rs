//! `set`: what is written to which variable.
//!
//! An agent's own variable gets a value, and `x op= e` is `x = x op e`. What agents share is put together when the tick
//! ends, in ways that do not depend on the order of agents, so there the operator stays.

use super::super::names::Meaning;
use super::super::syntax::{Mode, Node, Operator, Type, Variable, Write};
use super::Checker;
use super::expression::type_of;
use super::node::Parts;
use super::value::{Operand, Value};
use crate::ast::{self, Arg, How, Scope, VariableKind};
use crate::codes;
use crate::diagnostic::Diagnostic;

impl Checker<'_, '_> {
    /// The parts of a `set`.
    pub(super) fn set(&mut self, node: &Node) -> Parts {
        let Some(range) = self.program.operands(node).first().copied() else { return Parts::default() };
        let (target, write) = match node.mode {
            Mode::WriteParam(write) => (self.param_target(node), write),
            Mode::Write(write) => (self.target(node), write),
            _ => (None, Write::Assign),
        };
        let operand = self.evaluate(range);
        let Some(index) = target else { return Parts::default() };
        let variable = self.program.variables[index as usize];
        let (value, how) = if variable.scope == Scope::Agent {
            (self.own(node, index, write, &operand), How::Assign)
        } else {
            self.shared(node, variable, write, &operand)
        };
        let condition = Some(self.index(value));
        let first = self.file.args.len() as u32;
        let span = self.place(node.place);
        let arg = |value| Arg { name: None, value, span };
        self.file.args.extend([arg(ast::Value::Variable(index)), arg(ast::Value::Int(how as i32))]);
        Parts { subject: Some(variable.name), args: (first, 2), condition }
    }

    /// The variable that the subject names.
    fn target(&mut self, node: &Node) -> Option<u32> {
        let what = match self.meaning(node.subject) {
            Meaning::Variable(variable) => return Some(variable),
            Meaning::Constant(_) | Meaning::Symbol(_) => "a constant",
            Meaning::Query(_) => "a query",
            Meaning::Function(_) => "a function",
            Meaning::Nothing => {
                self.unknown_target(node);
                return None;
            }
        };
        let name = self.session.names.text(self.program.words.sym(node.subject));
        let message = format!("`{name}` is {what} and cannot be set");
        let finding = Diagnostic::new(codes::NOT_WRITABLE, Some(self.subject_place(node)), message);
        self.report(finding.help("only variables can be set"));
        None
    }

    /// The variable that a parameter stands for.
    fn param_target(&mut self, node: &Node) -> Option<u32> {
        let binding = self.binding(node.subject);
        let message = match binding.value {
            Value::Variable(variable, ty)
                if type_of(self.program.variables[variable as usize].kind) == ty =>
            {
                return Some(variable);
            }
            Value::Open(_) | Value::Wrong => return None,
            Value::Variable(..) => "the parameter stands for an int here, but is declared as a float",
            _ => "the parameter stands for a constant here, which cannot be set",
        };
        let mut finding = Diagnostic::new(codes::NOT_WRITABLE, Some(self.subject_place(node)), message)
            .help("pass a variable of the parameter's type");
        if let Some(at) = binding.at {
            finding = finding.related(at, "this is what it stands for");
        }
        self.session.diagnostics.push(finding);
        None
    }

    /// The new value of an agent's own variable.
    fn own(&mut self, node: &Node, index: u32, write: Write, operand: &Operand) -> Value {
        let kind = self.program.variables[index as usize].kind;
        let ty = type_of(kind);
        let old = Value::Variable(index, ty);
        if write != Write::Assign && ty == Type::Bool {
            return self.not_for(node, "a bool has no arithmetic", "`set NAME = VALUE` writes it");
        }
        let value = self.as_type(operand, ty, "what is written");
        let operator = match write {
            _ if value.ty().is_none() => return Value::Wrong,
            Write::Assign => return value,
            Write::Min => return self.extreme(false, old, value),
            Write::Max => return self.extreme(true, old, value),
            Write::Add => Operator::Add,
            Write::Subtract => Operator::Subtract,
            Write::Multiply => Operator::Multiply,
            Write::Divide => Operator::Divide,
        };
        self.arithmetic(operator, ty, old, value)
    }

    /// What is told to a variable that agents share.
    fn shared(&mut self, node: &Node, variable: Variable, write: Write, operand: &Operand) -> (Value, How) {
        let ty = type_of(variable.kind);
        let how = match write {
            Write::Assign => How::Assign,
            Write::Min => How::Min,
            Write::Max => How::Max,
            Write::Add | Write::Subtract | Write::Multiply | Write::Divide => How::Add,
        };
        if ty == Type::Bool && write != Write::Assign {
            let value = self.not_for(node, "a bool has no arithmetic", "`set NAME = VALUE` writes it");
            return (value, How::Assign);
        }
        if matches!(write, Write::Multiply | Write::Divide) {
            let help =
                "what agents share knows `=`, `+=`, `-=`, `min=` and `max=`, as their order must not matter";
            return (self.not_for(node, "only an agent's own variable can be multiplied", help), how);
        }
        if how == How::Add && variable.kind == VariableKind::Float {
            let help = "a sum of floats depends on the order of agents; use an int, or `min=` and `max=`";
            return (self.not_for(node, "nothing can be added to a float that agents share", help), how);
        }
        let value = self.as_type(operand, ty, "what is written");
        if write != Write::Subtract {
            return (value, how);
        }
        let added = Operand { value, ..*operand };
        (self.negate(&added), how)
    }

    #[cold]
    fn not_for(&mut self, node: &Node, message: &str, help: &str) -> Value {
        let at = self.subject_place(node);
        let finding = Diagnostic::new(codes::NOT_WRITABLE, Some(at), message).help(help);
        if matches!(node.mode, Mode::WriteParam(_)) {
            // Which variable it is depends on the copy.
            self.session.diagnostics.push(finding);
        } else {
            self.report(finding);
        }
        Value::Wrong
    }
}
