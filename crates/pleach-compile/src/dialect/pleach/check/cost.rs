//! Cost of a copy of a tree, counted before the copy is made.
//!
//! Nodes and columns that the compiler adds count as the nodes that are written. `NODE_COST` is the
//! cost of a node, and a step of an expression costs 1.

use super::super::syntax::Local;
use super::{
    Code, ExprRange, Keyword, Math, Meaning, Mode, NODE_COST, Names, Node, Op, Operator, Program, Tree,
};
use crate::text::Interner;

/// A tree and what its cost depends on.
pub(super) struct Costs<'c, 's> {
    pub(super) program: &'c Program<'s>,
    pub(super) names: &'c Names<'s>,
    pub(super) interner: &'c Interner,
    pub(super) tree: &'c Tree<'s>,
}

impl Costs<'_, '_> {
    /// Returns the cost of a copy: its nodes, its variables, and all values and operators of its
    /// expressions.
    pub(super) fn of_copy(&self) -> u64 {
        let (first, end) = self.tree.nodes;
        let nodes = &self.program.nodes[first as usize..end as usize];
        let nodes = nodes.iter().map(|node| self.of_node(node)).sum::<u64>();
        nodes + self.tree.locals.iter().map(|local| self.of_local(local)).sum::<u64>()
    }

    fn of_node(&self, node: &Node) -> u64 {
        let weight = self.program.operands.get(node.weight as usize);
        let exprs = self.program.operands(node).iter().chain(weight);
        let more = match node.kind {
            Keyword::Action => self.nodes_of_arguments(node),
            Keyword::Set => self.nodes_of_parts(node),
            _ => 0,
        };
        (1 + more) * NODE_COST + exprs.map(|range| self.of_expr(*range)).sum::<u64>()
    }

    /// Returns the cost of a variable, which is a node with names of its own for each column.
    fn of_local(&self, local: &Local) -> u64 {
        let bytes = self.interner.bytes(self.tree.name).len() + self.interner.bytes(local.name).len();
        let (value, factors) = match local.init {
            Some(range) => (self.of_expr(range), factors(local.kind.count(), self.program.ops(range))),
            None => (1, 0),
        };
        u64::from(local.kind.count()) * (NODE_COST + bytes as u64) + factors * NODE_COST + value
    }

    fn of_expr(&self, range: ExprRange) -> u64 {
        self.program.ops(range).iter().map(|op| self.of_op(op)).sum()
    }

    /// Returns the cost of a step. A query that answers a vector has columns for the answer.
    fn of_op(&self, op: &Op) -> u64 {
        let (Code::Name(word) | Code::Call(word)) = op.code else { return 1 };
        let Meaning::Query(query) = self.names.get(word).value else { return 1 };
        let answers = self.program.queries[query as usize].answers;
        answers.floats().map_or(1, |floats| floats as u64 * NODE_COST)
    }

    /// Returns the number of nodes for computed arguments: one for each that is more than a word or
    /// a literal, two for each out argument, and one for the node around them.
    fn nodes_of_arguments(&self, node: &Node) -> u64 {
        let action = self.names.get(node.subject).action;
        let params = action.map_or(&[][..], |action| self.program.actions[action as usize].params);
        let outs = params.iter().filter(|param| param.out).map(|param| param.ty.parts() as u64).sum::<u64>();
        let computed = |(place, range): (usize, &ExprRange)| {
            let ops = self.program.ops(*range);
            let parts = params.get(place).map_or(1, |param| param.ty.parts() as u32);
            if is_computed(ops) { u64::from(parts) + factors(parts, ops) } else { 0 }
        };
        let more = self.program.operands(node).iter().enumerate().map(computed).sum::<u64>() + 2 * outs;
        if more == 0 { 0 } else { more + 1 }
    }

    /// Returns the number of nodes for the parts of a vector that a `set` writes: one that computes
    /// and one that writes each, and one for each factor.
    fn nodes_of_parts(&self, node: &Node) -> u64 {
        let (parts, write) = match node.mode {
            Mode::WriteParam(write) => (self.parts_of_param(node.subject as usize), write),
            Mode::Write(write) => match self.names.get(node.subject).value {
                Meaning::Variable(variable) => {
                    (self.program.variables[variable as usize].kind.count(), write)
                }
                _ => return 0,
            },
            _ => return 0,
        };
        if parts == 1 {
            return 0;
        }
        let value = self.program.operands(node).iter();
        let factors = value.map(|range| factors(parts, self.program.ops(*range))).sum::<u64>();
        2 * u64::from(parts) + factors + u64::from(write == Some(Math::Multiply))
    }

    /// Returns the number of columns of a parameter, or of a variable of the tree.
    fn parts_of_param(&self, param: usize) -> u32 {
        let Tree { params, locals, .. } = self.tree;
        match params.get(param) {
            Some(param) => param.ty.parts() as u32,
            None => locals.get(param - params.len()).map_or(1, |local| local.kind.count()),
        }
    }
}

/// Returns true if an argument is more than a word or a literal.
fn is_computed(ops: &[Op]) -> bool {
    ops.len() > 1 || matches!(ops, [op] if matches!(op.code, Code::Call(_) | Code::Now | Code::Draw))
}

/// Returns the largest number of factors that are computed before the parts of a value.
fn factors(parts: u32, ops: &[Op]) -> u64 {
    let is_product = |op: &&Op| matches!(op.code, Code::Binary(Operator::Math(Math::Multiply)));
    if parts == 1 { 0 } else { ops.iter().filter(is_product).count() as u64 }
}
