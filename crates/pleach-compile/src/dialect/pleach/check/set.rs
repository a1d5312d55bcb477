//! `set`: what is written to which variable.
//!
//! An agent's own variable gets a value, and `x op= e` is `x = x op e`. What agents share is put together when the tick
//! ends, in ways that do not depend on the order of agents, so there the operator stays.

use super::super::names::Meaning;
use super::super::syntax::{Mode, Node, Write};
use super::super::value::Value;
use super::super::value::places::{self, Misfit, Target};
use super::Checker;
use super::node::Parts;
use super::operand::Operand;
use crate::ast::{self, Arg, How};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::text::Sym;

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
        let target = Target { variable: index, kind: variable.kind, scope: variable.scope };
        let (value, how) = self.written_value(node, target, write, &operand);
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
        let name = self.session.names.cited(Sym(node.subject));
        let message = format!("`{name}` is {what} and cannot be set");
        let finding = Diagnostic::new(codes::NOT_WRITABLE, Some(self.subject_place(node)), message);
        self.report(finding.help("only variables can be set"));
        None
    }

    /// The variable that a parameter stands for.
    fn param_target(&mut self, node: &Node) -> Option<u32> {
        let binding = self.binding(node.subject);
        let message = match binding.value {
            Value::Variable(variable, _) => return Some(variable),
            Value::Open(_) | Value::Wrong => return None,
            Value::Widened(_) => "the parameter stands for an int here, but is declared as a float",
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

    /// What is written, and how.
    fn written_value(
        &mut self,
        node: &Node,
        target: Target,
        write: Write,
        operand: &Operand,
    ) -> (Value, How) {
        if write == Write::Assign {
            self.check_held(target, operand);
        }
        let value = match self.exprs().write(target, write, operand.value) {
            Ok(written) => return written,
            Err(Misfit::Write(message, help)) => self.not_for(node, message, help),
            Err(Misfit::Type(wanted)) => self.mismatch(operand, wanted, "what is written"),
            Err(Misfit::Range(_)) => Value::Wrong,
        };
        (value, How::Assign)
    }

    /// Warns about a constant that the variable cannot hold.
    fn check_held(&mut self, target: Target, operand: &Operand) {
        let (Some((kind, least, most)), Value::Int(value)) = (places::bounds(target.kind), operand.value)
        else {
            return;
        };
        if (least..=most).contains(&value) {
            return;
        }
        let stored = value.clamp(least, most);
        let message = format!("{value} does not fit an {kind}: the variable becomes {stored}");
        let at = self.cover(operand.ops);
        let finding = Diagnostic::new(codes::CLAMPED, Some(at), message)
            .help(format!("write {least} to {most}, or declare the variable with a wider type"));
        self.report_value(operand, finding);
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
