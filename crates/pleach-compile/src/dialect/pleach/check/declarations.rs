//! Constants, variables, and declarations that are also in a manifest.

use super::super::host::declared;
use super::super::names::same;
use super::{
    Checker, Code, Diagnostic, Edge, Frame, Function, Keyword, Kind, Meaning, Node, Operand, Program, Sym,
    Type, Value, Variable, ast, bounds, codes, order, type_of,
};
use crate::manifest;
use bumpalo::collections::Vec as ArenaVec;
use hashbrown::HashMap;

impl<'s> Checker<'s, '_> {
    /// Computes all constants and defaults, and compares declarations with the manifest's.
    pub(super) fn declarations(&mut self) {
        self.agree();
        self.import();
        self.compute_constants();
        for index in 0..self.program.variables.len() {
            self.variable(index);
        }
    }

    /// A name that the text and the manifest declare must mean the same in both.
    fn agree(&mut self) {
        let manifest = self.session.manifest;
        self.compare(|program| &program.actions, &manifest.actions);
        self.compare(|program| &program.queries, &manifest.queries);
    }

    fn compare(
        &mut self,
        ours: impl for<'p> Fn(&'p Program<'s>) -> &'p [Function<'s>],
        theirs: &[manifest::Function],
    ) {
        if theirs.is_empty() {
            return;
        }
        let theirs: HashMap<_, _> = theirs.iter().map(|it| (it.name.as_bytes(), it)).collect();
        for index in 0..ours(&self.program).len() {
            let function = ours(&self.program)[index];
            let Some(other) = theirs.get(self.session.names.bytes(function.name)) else { continue };
            let other = declared(self.program.arena, other, &mut self.session.names);
            if !same(&function, &other) {
                let name = self.session.names.cited(function.name);
                let message = format!("the manifest declares `{name}` in another way");
                let help = format!("there it is `{}`", self.signature(other.name, other.params));
                let finding = Diagnostic::new(codes::DECLARED_OTHERWISE, function.span, message);
                self.report(finding.help(help));
            }
        }
    }

    /// Imports the functions and symbols of the manifest that the text names. Costs of copies
    /// depend on them, and they hide functions of the language that have their names.
    pub(super) fn import(&mut self) {
        for keyword in Keyword::ALL.iter().filter(|keyword| keyword.can_be_hidden()) {
            let word = keyword.sym().0;
            if matches!(self.names.get(word).value, Meaning::Function(_)) {
                self.host().value(word);
            }
        }
        for index in 0..self.program.ops.len() {
            if let Code::Name(word) | Code::Call(word) = self.program.ops[index].code {
                self.meaning(word);
            }
        }
        for index in 0..self.program.nodes.len() {
            let Node { kind, subject, .. } = self.program.nodes[index];
            if kind == Keyword::Action {
                self.action(subject);
            }
        }
    }

    /// Computes all constants. They may be declared in any order, so those that a constant
    /// needs are computed before it.
    pub(super) fn compute_constants(&mut self) {
        let count = self.program.constants.len();
        let arena = self.program.arena;
        let mut edges = ArenaVec::new_in(arena);
        for from in 0..count {
            let range = self.program.constants[from].expr;
            for mark in range.0..range.1 {
                let named = match self.program.ops[mark as usize].code {
                    Code::Name(word) => Some(word),
                    Code::Member(word) if self.enum_named(word).is_none() => Some(word),
                    _ => None,
                };
                if let Some(word) = named
                    && let Meaning::Constant(to) = self.names.get(word).value
                {
                    edges.push(Edge { from: from as u32, to, mark });
                }
            }
        }
        self.constants.resize(count, Value::Wrong);
        let order = order(arena, count, &edges);
        order.circles.iter().for_each(|circle| self.constant_circle(circle));
        for index in order.sorted {
            let value = self.compute_constant(index as usize);
            self.constants[index as usize] = value;
        }
    }

    fn constant_circle(&mut self, circle: &[Edge]) {
        let Some(last) = circle.last() else { return };
        let constant = self.program.constants[last.to as usize];
        let message =
            format!("the constant `{}` is computed from itself", self.session.names.cited(constant.name));
        let mut finding = Diagnostic::new(codes::CONSTANT_CIRCLE, Some(constant.span), message)
            .help("give one of the constants in the circle a value of its own");
        for edge in circle {
            let constant = self.program.constants[edge.from as usize];
            let op = self.program.ops[edge.mark as usize];
            let at = crate::source::Span { start: op.start, end: op.end, ..constant.span };
            finding = finding.related(at, format!("`{}` needs it", self.session.names.cited(constant.name)));
        }
        self.session.diagnostics.push(finding);
    }

    fn compute_constant(&mut self, index: usize) -> Value {
        let constant = self.program.constants[index];
        self.frame = Frame::outside(constant.span.source);
        let operand = self.evaluate(constant.expr);
        let Some(value) = self.constant(&operand, "the value of a constant") else { return Value::Wrong };
        match constant.ty.or(value.ty()) {
            // A text that is only passed may be longer than one that a variable holds.
            Some(Type::Text) if matches!(value, Value::Text(_)) => value,
            Some(ty) => self.as_type(&operand, ty, "the value of the constant"),
            None => Value::Wrong,
        }
    }

    fn variable(&mut self, index: usize) {
        if let Some(tunable) = self.program.tunable(index as u32).copied() {
            return self.tunable(tunable);
        }
        let variable = self.program.variables[index];
        self.frame = Frame::outside(variable.span.source);
        if variable.kind == Kind::Part {
            return;
        }
        let ty = type_of(variable.kind);
        let mut default = |range| {
            let operand = self.evaluate(range);
            self.constant(&operand, "a default")?;
            let value = self.as_type(&operand, ty, "the default");
            self.check_fits(&operand, value, variable.kind);
            Some(value)
        };
        let init = match variable.init {
            Some(range) => default(range).unwrap_or(Value::Wrong),
            None => self.zero(ty),
        };
        self.columns_of(variable.name, variable, init);
    }

    /// Declares the columns of a variable: one for each float of a vector.
    pub(super) fn columns_of(&mut self, name: Sym, variable: Variable, init: Value) {
        let Variable { scope, span, kind, .. } = variable;
        for part in 0..kind.count() {
            let value = if kind.count() == 1 { init } else { self.parts_of(init)[part as usize] };
            let name = self.name_of_part(name, kind, part);
            let (kind, init) = (self.column(kind), value.bits());
            self.file.variables.push(ast::Variable { name, scope, kind, init, span });
        }
    }

    /// Reports a default that a narrow variable cannot hold. Writing such a value
    /// at run time is not an error.
    pub(super) fn check_fits(&mut self, operand: &Operand, value: Value, kind: Kind) {
        let Some((name, least, most)) = bounds(kind) else { return };
        if let Value::Int(value) = value
            && !(least..=most).contains(&value)
        {
            let message = format!("{value} does not fit the type {name}");
            self.out_of_range(operand, &message, &format!("{name} holds {least} to {most}"));
        }
    }
}
