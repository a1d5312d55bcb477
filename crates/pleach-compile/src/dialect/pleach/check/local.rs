//! Variables of trees: a column for each copy, which is set when the copy begins.
//!
//! ```text
//!   tree patrol { var left: int = 3  action walk }
//!
//!   tree patrol      { var left = 3  action walk }      a sequence, by another word
//! ```

use super::super::syntax::Local;
use super::{
    Binding, Checker, Code, Course, Diagnostic, HashSet, Keyword, Kind, Mode, Node, Open, Scope, Span, Sym,
    Tree, Value, Variable, assigned, ast, codes, type_of,
};

impl Checker<'_, '_> {
    /// Gives a copy of a tree its variables, and emits the nodes that set them.
    pub(super) fn locals(&mut self, index: usize) {
        let tree = self.program.trees[index];
        if tree.locals.is_empty() {
            return;
        }
        let span = Span { origin: self.frame.origin, ..tree.span };
        let root = self.file.open((Keyword::Tree.sym(), Some(tree.name)), span, &[], None);
        let mut variables = Vec::new();
        for local in tree.locals {
            let first = self.local(index, tree.name, local);
            variables.extend((first..first + local.kind.count()).map(ast::Value::Variable));
        }
        self.file.nodes[root as usize].args = self.file.arguments(&variables);
        let course = Course::new(Keyword::Tree, Mode::Plain, false);
        let reactive = self.is_reactive();
        self.open.push(Open { node: root, end: tree.nodes.1, course, reactive });
    }

    /// Declares a variable of a copy, and sets it unless it keeps its value. Its default sees what
    /// is declared above it. Returns the index of its first column.
    fn local(&mut self, tree: usize, tree_name: Sym, local: &Local) -> u32 {
        let ty = type_of(local.kind);
        let marks = self.file.exprs.len() as u32;
        let value = match local.init {
            Some(range) => {
                let operand = self.evaluate(range);
                let value = self.as_type(&operand, ty, "the default");
                self.check_fits(&operand, value, local.kind);
                if local.keeps {
                    self.constant(&operand, "the default of a `keep var`").map_or(Value::Wrong, |_| value)
                } else {
                    value
                }
            }
            None => self.zero(ty),
        };
        let name = self.name_of_local(tree, tree_name, local.name);
        self.no_part_of_vector(tree_name, local);
        let &Local { kind, span, .. } = local;
        let (index, scope) = (self.file.variables.len() as u32, Scope::Agent);
        let variable = Variable { name, span, scope, kind, init: None };
        for part in 0..kind.count() {
            let kind = if part == 0 { kind } else { Kind::Part };
            self.program.variables.push(Variable { kind, ..variable });
        }
        self.columns_of(name, variable, value);
        self.bindings.push(Binding { value: Value::Variable(index, ty), at: None });
        if local.keeps {
            return index;
        }
        let span = Span { origin: self.frame.origin, ..span };
        self.factors_first(marks, span);
        for part in 0..kind.count() {
            let value = if kind.count() == 1 { value } else { self.parts_of(value)[part as usize] };
            let condition = Some(self.index(value));
            let label = (Keyword::Var.sym(), Some(self.name_of_part(local.name, kind, part)));
            self.file.open(label, span, &assigned(index + part), condition);
        }
        index
    }

    /// The name by which hosts reach a variable of a copy: `patrol.left`, and from the second copy
    /// on `patrol.left#2`.
    fn name_of_local(&mut self, tree: usize, tree_name: Sym, local: Sym) -> Sym {
        let names = &mut self.session.names;
        let mut name = [names.bytes(tree_name), b".", names.bytes(local)].concat();
        if self.copies[tree] > 1 {
            name.extend(format!("#{}", self.copies[tree]).into_bytes());
        }
        names.intern(&name)
    }

    /// Warns about variables that their trees never use.
    pub(super) fn unused_locals(&self) -> Vec<Diagnostic> {
        let help = "its tree does not read or write it: take it away, or use it";
        let finding =
            |it: &Local| self.never_used(codes::UNUSED_VARIABLE, "variable", it.name, it.span, help);
        let mut findings = Vec::new();
        for tree in self.program.trees.iter().filter(|tree| !tree.locals.is_empty()) {
            let used = self.mentioned(tree);
            let unused = (tree.params.len() as u32..).zip(tree.locals).filter(|(it, _)| !used.contains(it));
            findings.extend(unused.map(|(_, local)| finding(local)));
        }
        findings
    }

    /// The numbers of the parameters and variables that a tree mentions.
    fn mentioned(&self, tree: &Tree<'_>) -> HashSet<u32> {
        let nodes = &self.program.nodes[tree.nodes.0 as usize..tree.nodes.1 as usize];
        let operands = nodes.iter().flat_map(|node| self.program.operands(node));
        let weights = nodes.iter().filter_map(|node| self.program.operands.get(node.weight as usize));
        let inits = tree.locals.iter().filter_map(|local| local.init.as_ref());
        let ranges = operands.chain(weights).chain(inits);
        let read = ranges.flat_map(|range| self.program.ops(*range)).filter_map(|op| match op.code {
            Code::Param(number) | Code::PartOf(number) => Some(number),
            _ => None,
        });
        let written = nodes.iter().filter_map(|node: &Node| match node.mode {
            Mode::WriteParam(_) => Some(node.subject),
            _ => None,
        });
        read.chain(written).collect()
    }
}
