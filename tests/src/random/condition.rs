//! Random conditions.

use super::program::Builder;
use pleach_compile::internals::ast::Binary;
use pleach_compile::internals::ir::{Expr, ImportKind};

const OPERATORS: &[Binary] = &[
    Binary::Less,
    Binary::LessEqual,
    Binary::Greater,
    Binary::GreaterEqual,
    Binary::Equal,
    Binary::NotEqual,
    Binary::And,
    Binary::Or,
    Binary::And,
    Binary::Or,
];

const COMPARISONS: usize = 6;

/// Numbers at which comparisons and truth change their results, and some ordinary numbers.
pub(super) const NUMBERS: &[f64] = &[
    0.0,
    1.0,
    2.0,
    -1.0,
    0.5,
    -0.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE / 4.0,
];

impl Builder {
    /// Returns the root of a random condition, of a shape that engines fuse or of any shape.
    pub(super) fn condition(&mut self) -> u32 {
        match self.draws.below(6) {
            0 => self.query(),
            1 => {
                let query = self.query();
                self.expr(Expr::Not(query))
            }
            2 => {
                let (query, number) = (self.query(), self.number());
                let comparison = self.draws.pick(&OPERATORS[..COMPARISONS]);
                self.expr(Expr::Binary(comparison, query, number))
            }
            _ => {
                let depth = self.draws.below(6);
                self.any(depth)
            }
        }
    }

    /// Returns the root of any expression of limited depth.
    fn any(&mut self, depth: usize) -> u32 {
        match self.draws.below(if depth == 0 { 3 } else { 10 }) {
            0 => self.number(),
            1 | 2 => self.query(),
            3 | 4 => {
                let operand = self.any(depth - 1);
                self.expr(Expr::Not(operand))
            }
            _ => {
                let (left, right) = (self.any(depth - 1), self.any(depth - 1));
                let operator = self.draws.pick(OPERATORS);
                self.expr(Expr::Binary(operator, left, right))
            }
        }
    }

    fn number(&mut self) -> u32 {
        let number = self.draws.pick(NUMBERS);
        self.expr(Expr::Number(number))
    }

    fn query(&mut self) -> u32 {
        let site = self.site(ImportKind::Query);
        self.expr(Expr::Query(site))
    }

    fn expr(&mut self, expr: Expr) -> u32 {
        self.module.exprs.push(expr);
        self.module.exprs.len() as u32 - 1
    }
}
