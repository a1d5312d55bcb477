//! `parallel` and its policies.

use super::super::syntax::Quota;
use super::{Diagnostic, Keyword, Lexeme, Mode, Parser, Shape, codes};

impl Parser<'_, '_> {
    /// `parallel (succeed N, fail N) { … }`
    pub(super) fn parallel(&mut self, index: u32) {
        let (mut succeed, mut fail) = (None, None);
        let open = self.token.start;
        if self.take(Lexeme::Open) {
            loop {
                if !self.policy(&mut succeed, &mut fail) {
                    self.skip_policy();
                }
                if !self.take(Lexeme::Comma) {
                    break;
                }
            }
            self.close_policy(open);
        }
        let mode = Mode::Policy(succeed.unwrap_or(Quota::All), fail.unwrap_or(Quota::Any));
        self.node(index).mode = mode;
        self.list(index, Shape::Many);
    }

    /// Reads `succeed N` or `fail N`. Returns false if there is neither.
    fn policy(&mut self, succeed: &mut Option<Quota>, fail: &mut Option<Quota>) -> bool {
        let at = self.here();
        let is_success = match self.keyword() {
            Some(Keyword::Succeed) => true,
            Some(Keyword::Fail) => false,
            _ => {
                let help = "say when the parallel ends: `parallel (succeed any, fail all)`";
                self.missing("`succeed` or `fail`", help);
                return false;
            }
        };
        self.advance();
        let before = self.program.operands.len();
        let quota = match self.keyword() {
            Some(Keyword::All) => Quota::All,
            Some(Keyword::Any) => Quota::Any,
            _ => Quota::Count,
        };
        if quota == Quota::Count {
            self.push_expression();
        } else {
            self.advance();
        }
        let other = if is_success { *fail } else { *succeed };
        let slot = if is_success { succeed } else { fail };
        if slot.is_some() {
            let help = "each of `succeed` and `fail` can be said once";
            let finding = Diagnostic::new(codes::EXPECTED, Some(at), "this has been said already");
            self.report(finding.help(help));
            self.program.operands.truncate(before);
            return true;
        }
        *slot = Some(quota);
        // Operands stand in one order, that of success first.
        if is_success && quota == Quota::Count && other == Some(Quota::Count) {
            let last = self.program.operands.len() - 1;
            self.program.operands.swap(last, last - 1);
        }
        true
    }

    /// Skips a text that is not a policy.
    fn skip_policy(&mut self) {
        use Lexeme::{Close, CloseBrace, Comma, End, OpenBrace};
        while !matches!(self.token.lexeme, Comma | Close | OpenBrace | CloseBrace | End) {
            self.advance();
        }
    }

    /// Reads the `)` of a policy, or reports that it is missing.
    fn close_policy(&mut self, open: u32) {
        if self.take(Lexeme::Close) {
            return;
        }
        let help = "`succeed` and `fail` have a comma between them";
        let finding = self.is_missing("`)`").related(self.span(open, open + 1), "opened here");
        self.report(finding.help(help));
        self.skip_policy();
        self.take(Lexeme::Close);
    }
}
