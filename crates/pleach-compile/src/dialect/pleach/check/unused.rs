//! Declarations that nothing uses.
//!
//! Files that are included are libraries, of which a program need not use all. So only what
//! the files of the entries declare is looked at, and only if there are no errors: whatever
//! could not be read may use it.

use super::{
    Checker, Code, Diagnostic, DiagnosticCode, Keyword, Kind, Meaning, Mode, SourceId, Span, Sym, Variable,
    codes,
};

impl Checker<'_, '_> {
    /// Warns about variables and trees that nothing uses.
    pub(super) fn unused(&mut self, entries: &[SourceId]) {
        if self.session.diagnostics.errors() > 0 {
            return;
        }
        let (variables, trees) = (self.unused_variables(), self.unused_trees());
        for finding in variables.into_iter().chain(self.unused_locals()).chain(trees) {
            if finding.span.is_some_and(|span| entries.contains(&span.source)) {
                self.session.diagnostics.push(finding);
            }
        }
    }

    fn unused_variables(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let read = program.ops.iter().filter_map(|op| match op.code {
            Code::Name(word) | Code::Member(word) => Some(word),
            _ => None,
        });
        let written = program.nodes.iter().filter(|node| matches!(node.mode, Mode::Write(_)));
        // Variables of trees come after the variables that are declared outside of trees.
        let mut used = bumpalo::vec![in program.arena; false; self.declared];
        for word in read.chain(written.map(|node| node.subject)) {
            if let Meaning::Variable(variable) = self.names.get(word).value {
                used[variable as usize] = true;
            }
        }
        let unused = (0..).zip(&program.variables).zip(used);
        let unused = unused.filter(|((_, variable), used)| !used && variable.kind != Kind::Part);
        let finding = |(index, variable): (u32, &Variable)| {
            let (what, help) = match program.tunable(index) {
                Some(_) => ("tunable", "no tree reads it: take it away, or use it"),
                None => ("variable", "no tree reads or writes it: take it away, or use it"),
            };
            self.never_used(codes::UNUSED_VARIABLE, what, variable.name, variable.span, help)
        };
        unused.map(|((index, variable), _)| finding((index, variable))).collect()
    }

    /// Trees without parameters can be started, which is use enough.
    fn unused_trees(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let mut used = bumpalo::vec![in program.arena; false; program.trees.len()];
        for node in program.nodes.iter().filter(|node| node.kind == Keyword::Use) {
            if let Some(tree) = self.names.get(node.subject).tree {
                used[tree as usize] = true;
            }
        }
        let trees = program.trees.iter().zip(used);
        let unused = trees.filter(|(tree, used)| !used && !tree.params.is_empty());
        let help =
            "a tree with parameters cannot be started: take it away, or put it into another with `use`";
        let finding = |name, at| self.never_used(codes::UNUSED_TREE, "tree", name, at, help);
        unused.map(|(tree, _)| finding(tree.name, tree.span)).collect()
    }

    /// Returns the warning about a name that is never used. It is not reported yet.
    pub(super) fn never_used(
        &self,
        code: DiagnosticCode,
        what: &str,
        name: Sym,
        at: Span,
        help: &str,
    ) -> Diagnostic {
        let name = self.session.names.cited(name);
        Diagnostic::new(code, at, format!("the {what} `{name}` is never used")).help(help)
    }
}
