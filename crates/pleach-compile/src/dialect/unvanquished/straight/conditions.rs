//! Conditions without anything to be said about them.
//!
//! Nearly all are one comparison, or two with `&&` or `||` between them. So a comparison is read as a whole, and only what
//! binds looser, and groups, go over the stack that the careful way has.

use super::{Standing, Straight};
use crate::ast::{Expr, ExprIndex, Value};
use crate::dialect::unvanquished::parser::compares;
use crate::text::Sym;
use core::ops::Range;

impl Straight<'_, '_> {
    /// The expression of a condition.
    pub(super) fn expression(&mut self) -> Option<ExprIndex> {
        loop {
            let mut expr = self.operand()?;
            let mut next = self.text.operator()?;
            let comparison =
                next.filter(|op| compares(*op) && !matches!(self.text.first(), Some(b'(' | b'!')));
            if let Some(op) = comparison {
                let right = self.simple()?;
                expr = self.add_expr(Expr::Binary(op, expr, right));
                next = self.text.operator()?;
                // A comparison of what a comparison came to is warned about.
                if next.is_some_and(compares) {
                    return None;
                }
            }
            if next.is_none() && self.stack.is_empty() {
                return Some(expr);
            }
            self.stack.operand(expr, comparison.is_some());
            while next.is_none() && self.stack.in_group() && self.text.first()? == b')' {
                self.text.pass()?;
                self.stack.close_group(&mut self.file.exprs);
                next = self.text.operator()?;
            }
            let Some(op) = next else { break };
            self.stack.operator(op, 0, &mut self.file.exprs);
        }
        self.stack.finish(&mut self.file.exprs).filter(|_| self.stack.chains.is_empty())
    }

    /// An operand with all that stands before it.
    #[inline]
    fn operand(&mut self) -> Option<ExprIndex> {
        let mut negations = 0;
        loop {
            match self.text.first()? {
                b'!' if self.text.second() != Some(b'=') => negations += 1,
                b'(' => {
                    (0..negations).for_each(|_| self.stack.negate());
                    negations = 0;
                    self.stack.open_group();
                }
                _ => break,
            }
            self.text.pass()?;
        }
        let expr = self.simple()?;
        Some((0..negations).fold(expr, |expr, _| self.add_expr(Expr::Not(expr))))
    }

    /// A number, a name that stands for one, or a query with its arguments.
    fn simple(&mut self) -> Option<ExprIndex> {
        if self.text.first()?.is_ascii_digit() {
            let (value, _) = self.literal()?;
            return Some(self.add_expr(Expr::Number(value)));
        }
        let (name, place) = self.name()?;
        match name.standing {
            Standing::Word => self.query(name.word.query?),
            Standing::Number(value) => Some(self.add_expr(Expr::Number(Value::Int(value)))),
            _ => self.defined_number(name.sym, place),
        }
    }

    #[inline(never)]
    fn defined_number(&mut self, name: Sym, place: Range<u32>) -> Option<ExprIndex> {
        let (value, _) = self.defined(name, place)?;
        Some(self.add_expr(Expr::Number(value)))
    }

    #[inline(always)]
    fn query(&mut self, index: u16) -> Option<ExprIndex> {
        let callee = self.words.query(index);
        let first = self.file.args.len() as u32;
        let count = self.arguments(callee)?;
        Some(self.add_expr(Expr::Query { name: callee.name, args: (first, count) }))
    }

    #[inline(always)]
    fn add_expr(&mut self, expr: Expr) -> ExprIndex {
        self.file.exprs.push(expr);
        self.file.exprs.len() as u32 - 1
    }
}
