//! The expressions of conditions.
//!
//! Each binary operator has a level of its own, and all of them group to the right: `a < b < c` is
//! `a < (b < c)`, and `a <= b < c` is `a <= (b < c)` because `<` binds tighter than `<=`. The
//! parser holds operators on a stack until one comes that binds weaker; nothing recurses, so
//! parentheses and `!` may be nested without limit.

use super::{
    DECLARE, Diagnostic, Kind, Lexeme, Parser, Punct, Sym, Taker, Token, Value, codes, did_you_mean, quoted,
    spelling,
};
use crate::ast::{Binary, Expr, ExprIndex};
use crate::session::Session;
use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

/// Stands for a query that is wrong.
const NOTHING: Value = Value::Int(0);

/// Operator or group that waits for its right operand.
#[derive(Clone, Copy)]
enum Pending {
    Not,
    /// With the index of its token.
    Binary(Binary, usize),
    Group,
}

/// An operand that is read.
#[derive(Clone, Copy)]
struct Operand {
    expr: ExprIndex,
    /// A comparison that no parentheses enclose.
    bare_comparison: bool,
}

/// The operands and operators that are read but not yet put together. It
/// is empty between expressions.
pub(super) struct Stack<'s> {
    operands: ArenaVec<'s, Operand>,
    pending: ArenaVec<'s, Pending>,
    /// Number of pending groups.
    groups: usize,
}

impl<'s> Stack<'s> {
    pub(super) fn new(arena: &'s Bump) -> Self {
        Self { operands: ArenaVec::new_in(arena), pending: ArenaVec::new_in(arena), groups: 0 }
    }
}

/// Returns the operator that a punctuation mark stands for.
pub(in crate::dialect::unvanquished) fn binary(punct: Punct) -> Option<Binary> {
    Some(match punct {
        Punct::Less => Binary::Less,
        Punct::LessEqual => Binary::LessEqual,
        Punct::Greater => Binary::Greater,
        Punct::GreaterEqual => Binary::GreaterEqual,
        Punct::Equal => Binary::Equal,
        Punct::NotEqual => Binary::NotEqual,
        Punct::LogicalAnd => Binary::And,
        Punct::LogicalOr => Binary::Or,
        _ => return None,
    })
}

/// Returns true for comparisons.
fn compares(op: Binary) -> bool {
    op < Binary::And
}

impl Parser<'_, '_, '_> {
    /// Reads the expression after the token at `keyword`; `None` if it is wrong.
    pub(super) fn expression(&mut self, keyword: usize) -> Option<ExprIndex> {
        let expression = self.whole(keyword);
        let Stack { operands, pending, groups } = &mut self.room.expression;
        operands.clear();
        pending.clear();
        *groups = 0;
        expression
    }

    fn whole(&mut self, keyword: usize) -> Option<ExprIndex> {
        let mut last = keyword;
        loop {
            last = self.operand(last)?;
            while self.room.expression.groups > 0 && self.stands(Punct::Close) {
                self.state.at += 1;
                self.close_group();
            }
            let Some(op) = self.room.tokens.get(self.state.at).and_then(operator) else { break };
            last = self.state.at;
            self.state.at += 1;
            self.reduce(Some(op));
            self.room.expression.pending.push(Pending::Binary(op, last));
        }
        self.reduce(None);
        let Stack { operands, pending, .. } = &mut self.room.expression;
        if pending.is_empty() { operands.pop().map(|it| it.expr) } else { self.unclosed_group(last) }
    }

    fn unclosed_group(&mut self, last: usize) -> Option<ExprIndex> {
        match self.peek() {
            Some(token) => {
                let message = format!("`)` is missing before {}", quoted(self.session, &token));
                self.error(Diagnostic::new(codes::EXPECTED, token.span, message));
            }
            None => {
                let message = "the file ends before the `)` of this condition";
                self.unexpected_end(self.span(last), message);
            }
        }
        None
    }

    /// Reads an operand with all that stands before it. Gives the index of its last token.
    fn operand(&mut self, before: usize) -> Option<usize> {
        let mut last = before;
        while let Some(token) = self.peek() {
            last = self.state.at;
            self.state.at += 1;
            let expr = match token.lexeme {
                Lexeme::Name(name) => self.query(name),
                Lexeme::Number(number) => Expr::Number(number.boxed(false)),
                Lexeme::Punct(Punct::Not) => {
                    self.room.expression.pending.push(Pending::Not);
                    continue;
                }
                _ if self.parenthesis(&token) == Some(Punct::Open) => {
                    self.room.expression.groups += 1;
                    self.room.expression.pending.push(Pending::Group);
                    continue;
                }
                _ => {
                    self.state.at -= 1;
                    return self.no_operand(before, token);
                }
            };
            self.push_operand(expr, false);
            return Some(last);
        }
        self.unexpected_end(self.span(last), "the file ends where a value should stand");
        None
    }

    fn no_operand(&mut self, before: usize, token: Token) -> Option<usize> {
        let message = format!("a value is missing before {}", quoted(self.session, &token));
        let mut finding = Diagnostic::new(codes::BAD_OPERAND, token.span, message)
            .related(self.span(before), "it would belong to this");
        finding = match token.lexeme {
            Lexeme::Punct(Punct::Minus) => {
                finding.help("conditions have no negative numbers; compare in another way")
            }
            Lexeme::Text(_) => finding.help("conditions compare numbers; a string is only an argument"),
            _ => finding,
        };
        self.error(finding);
        None
    }

    /// `NAME`, `NAME(arguments)`, after the name.
    fn query(&mut self, name: Sym) -> Expr {
        let span = self.span(self.state.at - 1);
        let Some(index) = self.words.get(name, &self.session.names).query else {
            self.unknown_query(self.state.at - 1);
            return Expr::Number(NOTHING);
        };
        let taker = Taker::function(&self.session.manifest.queries[usize::from(index)], span);
        let Some(args) = self.arguments(&taker) else { return Expr::Number(NOTHING) };
        Expr::Query { name: self.words.queries[usize::from(index)], args }
    }

    #[cold]
    fn unknown_query(&mut self, at: usize) {
        let Some(name) = self.room.tokens.get(at).copied() else { return };
        if self.noted(Kind::Query, &name) {
            return;
        }
        let manifest = self.session.manifest;
        let queries = manifest.queries.iter().map(|query| query.name.as_str());
        let known = queries.chain(manifest.symbols.iter().map(|symbol| symbol.name.as_str()));
        let message = format!("{} is no query and no symbol", quoted(self.session, &name));
        let finding = Diagnostic::new(codes::UNKNOWN_QUERY, name.span, message);
        let advice = match self.word(&name).action {
            Some(_) => Some("it is an action, which has no value".to_owned()),
            None => operator_word(self.session, &name)
                .or_else(|| did_you_mean(self.session, &name, known))
                .or_else(|| Some(DECLARE.to_owned())),
        };
        self.unknown(finding.advised(advice), name);
    }
}

/// Advice for a word that is an operator in other languages.
pub(super) fn operator_word(session: &Session<'_>, word: &Token) -> Option<String> {
    let sign = match spelling(session, word).to_ascii_lowercase().as_slice() {
        b"and" => "&&",
        b"or" => "||",
        b"not" => "!",
        _ => return None,
    };
    Some(format!("write `{sign}`"))
}

/// Returns the binary operator that a token is. A string that spells one is none.
fn operator(token: &Token) -> Option<Binary> {
    let Lexeme::Punct(punct) = token.lexeme else { return None };
    binary(punct)
}

impl Parser<'_, '_, '_> {
    /// Adds an operand, perhaps a comparison that no parentheses enclose.
    #[inline]
    fn push_operand(&mut self, expr: Expr, bare_comparison: bool) {
        let expr = self.file.expr(expr);
        self.room.expression.operands.push(Operand { expr, bare_comparison });
    }

    /// Ends the innermost group.
    fn close_group(&mut self) {
        self.reduce(None);
        let Stack { operands, pending, groups } = &mut self.room.expression;
        pending.pop();
        *groups -= 1;
        if let Some(operand) = operands.last_mut() {
            operand.bare_comparison = false;
        }
    }

    /// Puts together all operators, inside the innermost group, that bind
    /// tighter than the one to come.
    #[inline]
    fn reduce(&mut self, next: Option<Binary>) {
        let tighter = |op: Binary| next.is_none_or(|next| op < next);
        while let Some(pending) = self.room.expression.pending.last().copied() {
            match pending {
                Pending::Binary(op, _) if !tighter(op) => return,
                Pending::Group => return,
                Pending::Not | Pending::Binary(..) => {}
            }
            self.room.expression.pending.pop();
            self.apply(pending);
        }
    }

    fn apply(&mut self, pending: Pending) {
        let operands = &mut self.room.expression.operands;
        let Some(right) = operands.pop() else { return };
        match pending {
            Pending::Not => self.push_operand(Expr::Not(right.expr), false),
            Pending::Binary(op, at) => {
                let Some(left) = operands.pop() else { return };
                if compares(op) && (left.bare_comparison || right.bare_comparison) {
                    self.note_chain(at, right.bare_comparison);
                }
                self.push_operand(Expr::Binary(op, left.expr, right.expr), compares(op));
            }
            Pending::Group => {}
        }
    }

    /// Warns of a comparison, the token at an index, of which an operand is a comparison.
    #[cold]
    fn note_chain(&mut self, at: usize, right: bool) {
        let side = if right { "right" } else { "left" };
        let message =
            format!("the {side} side of this comparison is the outcome, 0 or 1, of another comparison");
        let help = "use parentheses if that is meant, and `&&` if not";
        self.session.report(codes::CHAINED_COMPARISON, self.span(at), message, help);
    }
}
