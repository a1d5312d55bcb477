//! The common tree, node by node.

use crate::ast::{Arg, Expr, ExprIndex, File, Node, NodeIndex, Value};
use crate::source::Span;
use crate::text::Sym;

impl File {
    /// Begins a node, with its keyword and subject.
    pub(crate) fn open(
        &mut self,
        (keyword, subject): (Sym, Option<Sym>),
        span: Span,
        args: &[Value],
        condition: Option<ExprIndex>,
    ) -> NodeIndex {
        let args = self.arguments(args, span);
        self.nodes.push(Node { keyword, subject, args, condition, end: 0, span });
        self.nodes.len() as NodeIndex - 1
    }

    /// Ends a node.
    pub(crate) fn close(&mut self, node: NodeIndex) {
        self.nodes[node as usize].end = self.nodes.len() as NodeIndex;
    }

    /// Adds arguments; gives their range.
    pub(crate) fn arguments(&mut self, args: &[Value], span: Span) -> (u32, u32) {
        let first = self.args.len() as u32;
        self.args.extend(args.iter().map(|value| Arg { name: None, value: *value, span }));
        (first, args.len() as u32)
    }

    pub(crate) fn expr(&mut self, expr: Expr) -> ExprIndex {
        self.exprs.push(expr);
        self.exprs.len() as ExprIndex - 1
    }
}
