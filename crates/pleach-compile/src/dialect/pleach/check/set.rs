//! `set`: the variable, and the value that is written.
//!
//! An agent's own variable gets a value, and `x op= e` is `x = x op e`. Writes to shared
//! variables are combined when the tick ends, in a way that does not depend on the order of
//! agents, so the operator stays.

use super::{
    Checker, Diagnostic, Kind, Math, Meaning, Mode, Node, Operand, Operator, Parts, Scope, Sym, Type, Value,
    Variable, ast, bounds, codes, type_of,
};
use crate::ast::How;

/// Returns the arguments of a node that assigns to a variable.
pub(super) fn assigned(variable: u32) -> [ast::Value; 2] {
    [ast::Value::Variable(variable), ast::Value::Int(How::Assign as i32)]
}

impl Checker<'_, '_> {
    /// The parts of a `set`.
    pub(super) fn set(&mut self, node: &Node) -> Parts {
        let Some(range) = self.program.operands(node).first().copied() else { return Parts::default() };
        let (target, write) = match node.mode {
            Mode::WriteParam(write) => (self.param_target(node), write),
            Mode::Write(write) => (self.target(node), write),
            _ => (None, None),
        };
        let operand = self.evaluate(range);
        let Some(index) = target else { return Parts::default() };
        let variable = self.program.variables[index as usize];
        let (value, how) = self.written_value(node, index, write, &operand);
        let condition = Some(self.index(value));
        let args = self.file.arguments(&[ast::Value::Variable(index), ast::Value::Int(how as i32)]);
        Parts { subject: Some(variable.name), args, condition }
    }

    /// The variable that the subject names.
    fn target(&mut self, node: &Node) -> Option<u32> {
        let what = match self.meaning(node.subject) {
            Meaning::Variable(variable) => {
                let Some(name) = self.tunable_named(variable) else { return Some(variable) };
                self.not_settable(node, &name, None);
                return None;
            }
            Meaning::Constant(_) | Meaning::Symbol(_) => "a constant",
            Meaning::Query(_) => "a query",
            Meaning::Function(_) => "a function",
            Meaning::Member(_) | Meaning::SharedMember(_) => "a member of an enum",
            Meaning::Nothing => {
                self.unknown_target(node);
                return None;
            }
        };
        let name = self.session.names.cited(Sym(node.subject));
        let message = format!("`{name}` is {what} and cannot be set");
        self.tell(codes::NOT_WRITABLE, self.subject_place(node), message, "only variables can be set");
        None
    }

    /// The variable that a parameter stands for.
    fn param_target(&mut self, node: &Node) -> Option<u32> {
        let binding = self.binding(node.subject);
        let message = match binding.value {
            Value::Variable(variable, _) => {
                let Some(name) = self.tunable_named(variable) else { return Some(variable) };
                self.not_settable(node, &name, binding.at);
                return None;
            }
            Value::Open(_) | Value::Wrong => return None,
            Value::Widened(..) => "the parameter stands for a variable of another type here",
            _ => "the parameter stands for a constant here, which cannot be set",
        };
        let finding = Diagnostic::new(codes::NOT_WRITABLE, Some(self.subject_place(node)), message)
            .help("pass a variable of the parameter's type")
            .related(binding.at, "this is what it stands for");
        self.session.diagnostics.push(finding);
        None
    }

    /// Returns the value that is written, and the way to write it.
    fn written_value(
        &mut self,
        node: &Node,
        index: u32,
        write: Option<Math>,
        operand: &Operand,
    ) -> (Value, How) {
        let Variable { kind, scope, .. } = self.program.variables[index as usize];
        // A parameter can stand for the first part of a vector.
        let kind = if kind.count() == 1 { kind } else { Kind::Part };
        let ty = type_of(kind);
        let how = match (write, scope) {
            (None, _) => {
                self.check_held(kind, operand);
                How::Assign
            }
            (Some(_), _) if ty == Type::Bool => {
                return self.not_for(node, "a bool has no arithmetic", "`set NAME = VALUE` writes it");
            }
            (Some(_), _) if matches!(ty, Type::Enum(_)) => {
                return self.not_for(node, "an enum has no arithmetic", "`set NAME = MEMBER` writes it");
            }
            (Some(_), _) if ty == Type::Text => {
                return self.not_for(node, "a text has no arithmetic", "`set NAME = VALUE` writes it");
            }
            (Some(_), _) if matches!(ty, Type::Entity(_)) => {
                return self.not_for(node, "an entity has no arithmetic", "`set NAME = VALUE` writes it");
            }
            (Some(_), Scope::Agent) => How::Assign,
            (Some(Math::Min), _) => How::Min,
            (Some(Math::Max), _) => How::Max,
            (Some(Math::Add | Math::Subtract), _) if matches!(ty, Type::Float | Type::Double) => {
                let help = "a sum of floats depends on the order of agents; use an int, or `min=` and `max=`";
                return self.not_for(node, "nothing can be added to a float that agents share", help);
            }
            (Some(Math::Add | Math::Subtract), _) => How::Add,
            (Some(_), _) => {
                let help = "what agents share knows `=`, `+=`, `-=`, `min=` and `max=`, as their order must not matter";
                return self.not_for(node, "only an agent's own variable can be multiplied", help);
            }
        };
        let value = self.as_type(operand, ty, "what is written");
        let value = match (write, scope) {
            _ if value.ty().is_none() => return (Value::Wrong, How::Assign),
            (Some(math), Scope::Agent) => {
                self.arithmetic(Operator::Math(math), ty, Value::Variable(index, ty), value)
            }
            // It is a number, so nothing can be wrong.
            (Some(Math::Subtract), _) => self.negated(value).unwrap_or(Value::Wrong),
            _ => value,
        };
        (value, how)
    }

    /// Warns about a constant that the variable cannot hold.
    fn check_held(&mut self, kind: Kind, operand: &Operand) {
        let (Some((kind, least, most)), Value::Int(value)) = (bounds(kind), operand.value) else { return };
        if (least..=most).contains(&value) {
            return;
        }
        let stored = value.clamp(least, most);
        let message = format!("{value} does not fit an {kind}: the variable becomes {stored}");
        let help = format!("write {least} to {most}, or declare the variable with a wider type");
        self.report_value(operand, codes::CLAMPED, message, help);
    }

    #[cold]
    pub(super) fn not_for(&mut self, node: &Node, message: &str, help: &str) -> (Value, How) {
        let at = self.subject_place(node);
        let finding = Diagnostic::new(codes::NOT_WRITABLE, Some(at), message).help(help);
        if matches!(node.mode, Mode::WriteParam(_)) {
            // Which variable it is depends on the copy.
            self.session.diagnostics.push(finding);
        } else {
            self.report(finding);
        }
        (Value::Wrong, How::Assign)
    }
}
