//! Constants that games can tune.

use super::super::syntax::{Amount, Tunable, Unit, Variable};
use super::{Keyword, Kind, Lexeme, Parser, Scope, SlotKind, Sym};

impl Parser<'_, '_> {
    /// `tune [agent] const NAME: TYPE = DEFAULT in LOW..HIGH`
    pub(super) fn tunable(&mut self) {
        self.advance();
        let is_agents = self.text_is(b"agent") && self.peek() == Lexeme::Word;
        if is_agents {
            self.advance();
        }
        let scope = if is_agents { Scope::Agent } else { Scope::World };
        if !self.take_keyword(Keyword::Const) {
            self.missing("`const`", "a constant that games tune is `tune const NAME = VALUE in LOW..HIGH`");
            if !self.stands(Lexeme::Word) || self.keyword().is_some_and(Keyword::is_reserved) {
                return self.skip_item_unless_begins();
            }
        }
        let Some((word, span)) = self.name("a tunable") else { return self.skip_item_unless_begins() };
        let kind = if self.take(Lexeme::Colon) { self.kind() } else { None };
        let help = "a tunable has a default: `tune const RANGE = 8.0 in 2.0..20.0`";
        let is_assigned = self.expect(Lexeme::Assign, "`= VALUE`", help);
        if !is_assigned && (self.text_is(b"in") || !self.begins_expression()) {
            return self.skip_item_unless_begins();
        }
        let default = self.amount_with_unit();
        let range = self.text_is(b"in").then(|| self.range().unwrap_or([default; 2]));
        // The type follows from the default, which can be a constant that is not known yet.
        let known = kind.unwrap_or(Kind::Plain(SlotKind::I32));
        let variable =
            self.declare_variable(Variable { name: Sym(word), span, scope, kind: known, init: None });
        self.program.tunables.push(Tunable { variable, kind, default, range });
    }

    /// Reads `in LOW..HIGH`; `None` if that is wrong, which has been reported.
    fn range(&mut self) -> Option<[Amount; 2]> {
        self.advance();
        let low = self.amount_with_unit();
        let help = "a range is written `LOW..HIGH`, such as `2.0..20.0`";
        if !self.expect(Lexeme::Range, "`..`", help) && !self.begins_expression() {
            return None;
        }
        Some([low, self.amount_with_unit()])
    }

    /// Reads an expression, and the unit of a duration behind it.
    fn amount_with_unit(&mut self) -> Amount {
        let expr = self.expression();
        let unit = self.unit();
        Amount { expr, unit }
    }

    /// Reads the unit of a duration; `None` if there is none.
    pub(super) fn unit(&mut self) -> Option<Unit> {
        let unit = match self.keyword()? {
            Keyword::Ticks => Unit::Ticks,
            Keyword::Ms => Unit::Time,
            Keyword::S => Unit::Seconds,
            _ => return None,
        };
        self.advance();
        Some(unit)
    }
}
