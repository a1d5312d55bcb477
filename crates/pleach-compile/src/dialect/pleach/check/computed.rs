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
    Checker, Code, ExprRange, Keyword, Kind, Node, Operand, Program, Scope, SlotKind, Span, Sym, Type, Value,
    Variable, assigned, ast,
};

/// Keyword of the node around an action and its computed arguments.
pub(in super::super) const ARGUMENTS: &str = ".arguments";
/// Keyword of the node that sets a computed argument.
pub(in super::super) const ARGUMENT: &str = ".argument";

/// An argument that is computed when its action begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Computed {
    /// Index of its variable.
    variable: u32,
    expr: ast::ExprIndex,
    /// Name of the parameter.
    name: Sym,
}

impl Checker<'_, '_> {
    /// Lets an argument be computed. Returns the variable that is passed.
    pub(super) fn compute(&mut self, operand: &Operand, value: Value, name: Sym) -> u32 {
        let kind = match value.ty() {
            Some(Type::Bool) => SlotKind::Bit,
            Some(Type::Float) => SlotKind::F32,
            _ => SlotKind::I32,
        };
        let (expr, span) = (self.index(value), self.cover(operand.ops));
        let (variable, scope) = (self.file.variables.len() as u32, Scope::Agent);
        let unnamed = self.session.names.intern(b"");
        let declared = Variable { name: unnamed, span, scope, kind: Kind::Plain(kind), init: None };
        self.program.variables.push(declared);
        self.file.variables.push(ast::Variable { name: unnamed, scope, kind, init: 0, span });
        self.computed.push(Computed { variable, expr, name });
        variable
    }

    /// Emits an action, which has no children, with the nodes that set its computed arguments.
    pub(super) fn action_node(&mut self, node: &Node, index: u32) {
        self.computed.clear();
        let action = self.emit_node(node, index);
        if !self.computed.is_empty() {
            self.arguments_of(action.span);
        }
        let out = self.file.nodes.len();
        self.file.nodes.push(ast::Node { end: out as u32 + 1, ..action });
    }

    /// Emits the node around an action that follows, and the nodes that set its arguments.
    fn arguments_of(&mut self, span: Span) {
        let computed = core::mem::take(&mut self.computed);
        let [around, each] = [ARGUMENTS, ARGUMENT].map(|word| self.session.names.intern(word.as_bytes()));
        let root = self.file.open((around, None), span, &[], None);
        let args = self.file.args.len() as u32;
        self.file.args.extend(computed.iter().map(|it| ast::Value::Variable(it.variable)));
        let node = &mut self.file.nodes[root as usize];
        (node.args, node.end) = ((args, computed.len() as u32), root + computed.len() as u32 + 2);
        for Computed { variable, expr, name } in &computed {
            self.file.open((each, Some(*name)), span, &assigned(*variable), Some(*expr));
        }
        self.computed = computed;
    }
}

/// Returns the cost of computed arguments in a copy of a tree: one for each that is more than a
/// word or a literal, and one for the node around them.
pub(super) fn cost(program: &Program<'_>, node: &Node) -> u64 {
    let is_more = |range: &&ExprRange| {
        let ops = program.ops(**range);
        ops.len() > 1 || matches!(ops, [op] if matches!(op.code, Code::Call(_) | Code::Now | Code::Draw))
    };
    if node.kind != Keyword::Action {
        return 0;
    }
    let more = program.operands(node).iter().filter(is_more).count() as u64;
    if more == 0 { 0 } else { more + 1 }
}
