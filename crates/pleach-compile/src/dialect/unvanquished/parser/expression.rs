//! The expressions of conditions.
//!
//! Each binary operator has a level of its own, and all of them group to the right: `a < b < c` is `a < (b < c)`, and
//! `a <= b < c` is `a <= (b < c)` because `<` binds tighter than `<=`. The parser holds operators on a stack until one
//! comes that binds weaker; nothing recurses, so parentheses and `!` may be nested without limit.

use super::arguments::Taker;
use super::noted::DECLARE;
use super::{Lexeme, Parser, Punct, Token, advised, codes, did_you_mean, quoted, spelling};
use crate::ast::{Binary, Expr, ExprIndex, Value};
use crate::diagnostic::Diagnostic;
use crate::manifest::Kind;
use crate::session::Session;
use crate::text::Sym;

/// Stands for a query that is wrong.
const NOTHING: Value = Value::Int(0);

/// What waits for its right operand.
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

/// The operands and operators that are read but not yet put together. It is empty between expressions.
#[derive(Default)]
pub(super) struct Stack {
    operands: Vec<Operand>,
    pending: Vec<Pending>,
    /// How many groups are pending.
    groups: usize,
    /// Comparisons that have a comparison as operand.
    pub(in crate::dialect::unvanquished) chains: Vec<Chain>,
}

/// A comparison of which an operand is a comparison.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    /// Index of its token.
    at: usize,
    /// It is the right operand.
    right: bool,
}

/// The operator that a sign is.
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

/// How tightly an operator binds: the smaller, the tighter.
fn level(op: Binary) -> u8 {
    match op {
        Binary::Less => 1,
        Binary::LessEqual => 2,
        Binary::Greater => 3,
        Binary::GreaterEqual => 4,
        Binary::Equal => 5,
        Binary::NotEqual => 6,
        Binary::And => 7,
        Binary::Or => 8,
    }
}

/// Whether an operator compares.
fn compares(op: Binary) -> bool {
    level(op) < level(Binary::And)
}

impl Parser<'_, '_> {
    /// Reads the expression after the token at `keyword`; `None` if it is wrong.
    pub(super) fn expression(&mut self, keyword: usize) -> Option<ExprIndex> {
        let mut stack = core::mem::take(&mut self.state.expression);
        let expression = self.expression_on(&mut stack, keyword);
        note_chains(&mut stack, &self.state.tokens, self.session);
        stack.clear();
        self.state.expression = stack;
        expression
    }

    fn expression_on(&mut self, stack: &mut Stack, keyword: usize) -> Option<ExprIndex> {
        let mut last = keyword;
        loop {
            last = self.operand(last, stack)?;
            while self.closes_group(stack) {
                self.state.at += 1;
                stack.close_group(&mut self.file.exprs);
            }
            let Some(op) = self.state.tokens.get(self.state.at).and_then(operator) else { break };
            last = self.state.at;
            self.state.at += 1;
            stack.operator(op, last, &mut self.file.exprs);
            note_chains(stack, &self.state.tokens, self.session);
        }
        let expression = stack.finish(&mut self.file.exprs);
        if expression.is_some() {
            return expression;
        }
        note_chains(stack, &self.state.tokens, self.session);
        self.unclosed_group(last)
    }

    fn closes_group(&self, stack: &Stack) -> bool {
        stack.in_group() && self.stands(Punct::Close)
    }

    fn unclosed_group(&mut self, last: usize) -> Option<ExprIndex> {
        match self.peek() {
            Some(token) => {
                let message = format!("`)` is missing before {}", quoted(self.session, &token));
                self.error(Diagnostic::new(codes::EXPECTED, Some(token.span), message));
            }
            None => {
                let message = "the file ends before the `)` of this condition";
                self.unexpected_end(self.span(last), message);
            }
        }
        None
    }

    /// Reads an operand with all that stands before it. Gives the index of its last token.
    fn operand(&mut self, before: usize, stack: &mut Stack) -> Option<usize> {
        let mut last = before;
        while let Some(token) = self.state.tokens.get(self.state.at) {
            last = self.state.at;
            let expr = match token.lexeme {
                Lexeme::Name(name) => {
                    self.state.at += 1;
                    let expr = self.query(name);
                    stack.push(expr, &mut self.file.exprs);
                    return Some(last);
                }
                Lexeme::Number(number) => Expr::Number(number.boxed(false)),
                Lexeme::Punct(Punct::Not) => {
                    self.state.at += 1;
                    stack.negate();
                    continue;
                }
                _ if self.parenthesis(token) == Some(Punct::Open) => {
                    self.state.at += 1;
                    stack.open_group();
                    continue;
                }
                _ => return self.no_operand(before, *token),
            };
            self.state.at += 1;
            stack.push(expr, &mut self.file.exprs);
            return Some(last);
        }
        self.unexpected_end(self.span(last), "the file ends where a value should stand");
        None
    }

    fn no_operand(&mut self, before: usize, token: Token) -> Option<usize> {
        let message = format!("a value is missing before {}", quoted(self.session, &token));
        let mut finding = Diagnostic::new(codes::BAD_OPERAND, Some(token.span), message)
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
        Expr::Query { name: self.words.query(index), args }
    }

    #[cold]
    fn unknown_query(&mut self, at: usize) {
        let Some(name) = self.state.tokens.get(at).copied() else { return };
        if self.noted(Kind::Query, &name) {
            return;
        }
        let manifest = self.session.manifest;
        let queries = manifest.queries.iter().map(|query| query.name.as_str());
        let known = queries.chain(manifest.symbols.iter().map(|symbol| symbol.name.as_str()));
        let message = format!("{} is no query and no symbol", quoted(self.session, &name));
        let finding = Diagnostic::new(codes::UNKNOWN_QUERY, Some(name.span), message);
        let advice = match self.word(&name).action {
            Some(_) => Some("it is an action, which has no value".to_owned()),
            None => operator_word(self.session, &name)
                .or_else(|| did_you_mean(self.session, &name, known))
                .or_else(|| Some(DECLARE.to_owned())),
        };
        self.unknown(advised(finding, advice), name);
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

/// The binary operator that a token is. A string that spells one is none.
fn operator(token: &Token) -> Option<Binary> {
    let Lexeme::Punct(punct) = token.lexeme else { return None };
    binary(punct)
}

impl Stack {
    /// Forgets an expression that came to nothing.
    fn clear(&mut self) {
        self.operands.clear();
        self.pending.clear();
        self.chains.clear();
        self.groups = 0;
    }

    /// Adds an operand.
    #[inline]
    fn push(&mut self, expr: Expr, exprs: &mut Vec<Expr>) {
        let index = exprs.len() as u32;
        exprs.push(expr);
        self.operand(index, false);
    }

    /// Adds an operand that is among the expressions, perhaps a comparison that no parentheses enclose.
    fn operand(&mut self, expr: ExprIndex, bare_comparison: bool) {
        self.operands.push(Operand { expr, bare_comparison });
    }

    /// Adds `!`, which stands before an operand.
    fn negate(&mut self) {
        self.pending.push(Pending::Not);
    }

    /// Adds `(`.
    fn open_group(&mut self) {
        self.groups += 1;
        self.pending.push(Pending::Group);
    }

    /// Whether a `)` would belong to the expression.
    #[inline]
    fn in_group(&self) -> bool {
        self.groups > 0
    }

    /// Adds `)`.
    fn close_group(&mut self, exprs: &mut Vec<Expr>) {
        self.reduce(None, exprs);
        self.pending.pop();
        self.groups -= 1;
        if let Some(operand) = self.operands.last_mut() {
            operand.bare_comparison = false;
        }
    }

    /// Adds the operator that is the token at an index.
    #[inline]
    fn operator(&mut self, op: Binary, at: usize, exprs: &mut Vec<Expr>) {
        self.reduce(Some(op), exprs);
        self.pending.push(Pending::Binary(op, at));
    }

    /// Puts together what is left; `None` if a group is open.
    #[inline]
    fn finish(&mut self, exprs: &mut Vec<Expr>) -> Option<ExprIndex> {
        self.reduce(None, exprs);
        if self.pending.is_empty() { self.operands.pop().map(|operand| operand.expr) } else { None }
    }

    /// Puts together all operators, inside the innermost group, that bind tighter than the one to come.
    #[inline]
    fn reduce(&mut self, next: Option<Binary>, exprs: &mut Vec<Expr>) {
        let tighter = |op: Binary| next.is_none_or(|next| level(op) < level(next));
        while let Some(pending) = self.pending.pop_if(|pending| match pending {
            Pending::Not => true,
            Pending::Binary(op, _) => tighter(*op),
            Pending::Group => false,
        }) {
            self.apply(pending, exprs);
        }
    }

    fn apply(&mut self, pending: Pending, exprs: &mut Vec<Expr>) {
        let Some(right) = self.operands.pop() else { return };
        match pending {
            Pending::Not => self.push(Expr::Not(right.expr), exprs),
            Pending::Binary(op, at) => {
                let Some(left) = self.operands.pop() else { return };
                if compares(op) && (left.bare_comparison || right.bare_comparison) {
                    self.chains.push(Chain { at, right: right.bare_comparison });
                }
                self.push(Expr::Binary(op, left.expr, right.expr), exprs);
                if let Some(operand) = self.operands.last_mut() {
                    operand.bare_comparison = compares(op);
                }
            }
            Pending::Group => {}
        }
    }
}

/// Warns of the comparisons of comparisons that were put together.
fn note_chains(stack: &mut Stack, tokens: &[Token], session: &mut Session<'_>) {
    for Chain { at, right } in stack.chains.drain(..) {
        let side = if right { "right" } else { "left" };
        let message =
            format!("the {side} side of this comparison is the outcome, 0 or 1, of another comparison");
        let span = tokens.get(at).map(|token| token.span);
        let finding = Diagnostic::new(codes::CHAINED_COMPARISON, span, message)
            .help("use parentheses if that is meant, and `&&` if not");
        session.diagnostics.push(finding);
    }
}
