//! Arguments of actions that are computed when the action begins.
//!
//! Each has a variable that only the tree knows, which is set before the action begins.
//!
//! ```text
//!   action moveTo(home + 1.0, fast)
//!
//!   .arguments { .argument x = home + 1.0  action moveTo(x, fast) }     a sequence by another word
//! ```

use super::{
    CALL, Checker, Kind, Node, Operand, Scope, SlotKind, Span, Sym, Type, Value, Variable, assigned, ast,
};

/// Keyword of the node around an action and its computed arguments.
pub(in super::super) const ARGUMENTS: &str = ".arguments";
/// Keyword of the node that stores what an action has given.
pub(in super::super) const OUT: &str = ".out";
/// Keyword of the node that sets a computed argument.
pub(in super::super) const ARGUMENT: &str = ".argument";

/// An argument that is computed when its action begins, or an out argument, whose boolean is then
/// set to false.
#[derive(Clone, Copy, Debug)]
pub(super) struct Computed {
    /// Index of its variable.
    variable: u32,
    expr: ast::ExprIndex,
    /// Of an out argument: the variable that the host writes, and the one that gets the value.
    out: Option<(u32, u32)>,
    /// Name of the parameter.
    name: Sym,
}

impl Checker<'_, '_> {
    /// Lets an argument be computed. Returns the variable that is passed.
    pub(super) fn compute(&mut self, operand: &Operand, value: Value, name: Sym) -> u32 {
        let kind = match value.ty() {
            Some(Type::Bool) => SlotKind::Bit,
            Some(Type::Float) => SlotKind::F32,
            Some(Type::Int64) => SlotKind::I64,
            Some(Type::Double) => SlotKind::F64,
            Some(Type::Entity(_)) => SlotKind::Entity,
            Some(Type::Text) => SlotKind::Text,
            _ => SlotKind::I32,
        };
        let (expr, span) = (self.index(value), self.cover(operand.ops));
        let variable = self.hidden(kind, span);
        self.computed.push(Computed { variable, expr, out: None, name });
        variable
    }

    /// Lets an action give a value, which a variable gets when the action succeeds. Returns the out
    /// argument.
    pub(super) fn give(&mut self, operand: &Operand, target: u32, name: Sym) -> ast::Value {
        let (kind, span) = (self.file.variables[target as usize].kind, self.cover(operand.ops));
        let (value, given) = (self.hidden(kind, span), self.hidden(SlotKind::Bit, span));
        let expr = self.index(Value::Truth(false));
        self.computed.push(Computed { variable: given, expr, out: Some((value, target)), name });
        ast::Value::Out(value, given)
    }

    /// Lets the factors of a vector be computed before its parts. The vector is an argument at this
    /// position of the stack.
    pub(super) fn compute_factors(&mut self, position: usize, name: Sym) {
        let operand = self.stack[position];
        let end = self.stack.get(position + 1).map_or(u32::MAX, |next| next.marks.0);
        let span = self.cover(operand.ops);
        let mut held = Vec::new();
        for expr in self.take_factors(operand.marks.0, end) {
            let variable = self.hidden(SlotKind::F32, span);
            self.computed.push(Computed { variable, expr, out: None, name });
            held.push((expr, variable));
        }
        self.replace_bound(&held, end);
    }

    /// Declares a variable of agents that only the tree knows.
    pub(super) fn hidden(&mut self, kind: SlotKind, span: Span) -> u32 {
        let (variable, scope) = (self.file.variables.len() as u32, Scope::Agent);
        let unnamed = self.session.names.intern(b"");
        let declared = Variable { name: unnamed, span, scope, kind: Kind::Plain(kind), init: None };
        self.program.variables.push(declared);
        let init = if kind == SlotKind::Text { unnamed.0.into() } else { 0 };
        self.file.variables.push(ast::Variable { name: unnamed, scope, kind, init, span });
        variable
    }

    /// Declares the variables that answers go through that no `f64` holds.
    pub(super) fn answers(&mut self) {
        let is_of = |answers: Type, kind| match kind {
            SlotKind::I64 => answers == Type::Int64,
            _ => matches!(answers, Type::Entity(_)),
        };
        for (index, kind) in [SlotKind::I64, SlotKind::Entity].into_iter().enumerate() {
            let declared = self.program.queries.iter().find(|query| is_of(query.answers, kind));
            let known = &self.session.manifest.queries;
            let in_manifest = known.iter().any(|query| query.answers.is_some_and(|it| is_of(it, kind)));
            if declared.is_some() || in_manifest {
                let span = declared.and_then(|query| query.span).unwrap_or_else(|| self.place((0, 0)));
                self.answered[index] = self.hidden(kind, span);
            }
        }
    }

    /// Returns the variable that answers of a type go through.
    pub(super) fn answer(&self, ty: Type) -> u32 {
        self.answered[usize::from(ty != Type::Int64)]
    }

    /// Emits an action, which has no children, with the nodes that set its computed arguments.
    pub(super) fn action_node(&mut self, node: &Node, index: u32) {
        self.computed.clear();
        let mut action = self.emit_node(node, index);
        if self.open.last().is_some_and(|open| open.course.is_service()) {
            action.keyword = self.session.names.intern(CALL.as_bytes());
        }
        if !self.computed.is_empty() {
            self.arguments_of(action.span);
        }
        let out = self.file.nodes.len();
        self.file.nodes.push(ast::Node { end: out as u32 + 1, ..action });
        self.outs_of(action.span);
    }

    /// Emits the nodes that store what the action has given.
    fn outs_of(&mut self, span: Span) {
        let word = self.session.names.intern(OUT.as_bytes());
        let computed = core::mem::take(&mut self.computed);
        for Computed { variable: given, out, name, .. } in &computed {
            let Some((value, target)) = *out else { continue };
            let value = self.emit(ast::Expr::Variable(value));
            let args = [target, *given].map(ast::Value::Variable);
            self.file.open((word, Some(*name)), span, &args, Some(value));
        }
        self.computed = computed;
    }

    /// Emits the node around an action that follows, and the nodes that set its arguments.
    fn arguments_of(&mut self, span: Span) {
        let computed = core::mem::take(&mut self.computed);
        let [around, each] = [ARGUMENTS, ARGUMENT].map(|word| self.session.names.intern(word.as_bytes()));
        let root = self.file.open((around, None), span, &[], None);
        let args = self.file.args.len() as u32;
        let values = computed.iter().filter_map(|it| Some(it.out?.0));
        let variables = computed.iter().map(|it| it.variable).chain(values).map(ast::Value::Variable);
        self.file.args.extend(variables);
        let outs = computed.iter().filter(|it| it.out.is_some()).count() as u32;
        let node = &mut self.file.nodes[root as usize];
        (node.args, node.end) =
            ((args, computed.len() as u32 + outs), root + computed.len() as u32 + outs + 2);
        for Computed { variable, expr, name, .. } in &computed {
            self.file.open((each, Some(*name)), span, &assigned(*variable), Some(*expr));
        }
        self.computed = computed;
    }
}
