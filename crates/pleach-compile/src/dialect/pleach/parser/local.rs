//! Variables of trees: `var` and `keep var` at the head of a tree.
//!
//! In the nodes of the tree they are known by a number, as parameters are.

use super::super::syntax::Local;
use super::{Keyword, Kind, Lexeme, Parser, Scope, SlotKind, Sym, codes, report_twice};

impl Parser<'_, '_> {
    /// Reads the variables at the head of a tree.
    pub(super) fn locals(&mut self) {
        while self.begins_local() {
            self.local();
        }
    }

    pub(super) fn begins_local(&self) -> bool {
        match self.keyword() {
            Some(Keyword::Var) => true,
            Some(Keyword::Keep) => self.peek() == Lexeme::Word,
            _ => false,
        }
    }

    /// Reads `var`, or `keep var`. Returns true if it is the latter.
    fn keeps(&mut self) -> bool {
        let keeps = self.take_keyword(Keyword::Keep);
        if !self.take_keyword(Keyword::Var) {
            self.missing("`var`", "a variable that keeps its value is declared as `keep var NAME: TYPE`");
        }
        keeps
    }

    /// `[keep] var NAME: TYPE = DEFAULT`
    fn local(&mut self) {
        let start = self.token.start;
        let keeps = self.keeps();
        let Some((word, span)) = self.name("a variable") else { return self.skip_to_node() };
        let kind = self.variable_type().unwrap_or(Kind::Plain(SlotKind::I32));
        let init = self.take(Lexeme::Assign).then(|| self.expression());
        let name = Sym(word);
        let number = self.params.get(word as usize).copied().unwrap_or_default();
        if number > 0 {
            let what = format!("`{}`", self.name_of(word));
            let first = self.locals.get((number - 1).wrapping_sub(self.bound) as usize);
            let first = first.map(|first| ("a variable", first.span));
            report_twice(&mut self.session.diagnostics, &what, span, first);
        }
        self.locals.push(Local { name, span, kind, keeps, init, start });
        let index = word as usize;
        self.params.resize(self.params.len().max(index + 1), 0);
        self.params[index] = self.bound + self.locals.len() as u32;
    }

    /// Reads a variable in a block, where there can be none. It is taken for one of the agent, so
    /// that its name is known. If all braces have partners, it was meant for the tree.
    #[cold]
    pub(super) fn misplaced_variable(&mut self) {
        self.misplaced.get_or_insert(self.here());
        self.keeps();
        let count = self.program.variables.len();
        self.variable_named(Scope::Agent);
        // Constants that are computed from parameters are known only in the tree.
        self.program.variables[count..].iter_mut().for_each(|variable| variable.init = None);
    }

    /// Says that a variable was declared in a place where there can be none.
    pub(super) fn report_misplaced(&mut self) {
        if let Some(at) = self.misplaced.take() {
            let help = "variables of a tree are declared right behind its `{`, before its node";
            let message = "this variable is not at the head of a tree";
            self.error(codes::MISPLACED_VARIABLE, at, message, help);
        }
    }
}
