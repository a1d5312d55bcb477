//! Conditions, as the reference interpreter computes them: in doubles, left before right.

use super::{Tick, call};
use pleach_compile::ast::Binary;
use pleach_compile::ir::{Expr, NodeIndex};

impl Tick<'_, '_> {
    /// Whether a condition is true: every number is, but zero.
    pub(super) fn holds(&mut self, node: NodeIndex, expr: u32) -> bool {
        self.number(node, expr) != 0.0
    }

    fn number(&mut self, node: NodeIndex, expr: u32) -> f64 {
        match self.module.exprs[expr as usize] {
            Expr::Number(number) => number,
            Expr::Query(site) => {
                let call = call(self.module, node, site);
                self.host.query(self.frame, &call)
            }
            Expr::Not(operand) => truth(!self.holds(node, operand)),
            Expr::Binary(Binary::And, left, right) => {
                truth(self.holds(node, left) && self.holds(node, right))
            }
            Expr::Binary(Binary::Or, left, right) => truth(self.holds(node, left) || self.holds(node, right)),
            Expr::Binary(comparison, left, right) => {
                let left = self.number(node, left);
                let right = self.number(node, right);
                truth(compare(comparison, left, right))
            }
        }
    }
}

fn truth(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// Compares by IEEE 754. The logical operators are none of these: they decide whether their right side is asked.
fn compare(comparison: Binary, left: f64, right: f64) -> bool {
    match comparison {
        Binary::Less => left < right,
        Binary::LessEqual => left <= right,
        Binary::Greater => left > right,
        Binary::GreaterEqual => left >= right,
        Binary::Equal => left == right,
        Binary::NotEqual => left != right,
        Binary::And | Binary::Or => unreachable!("decided by the caller"),
    }
}
