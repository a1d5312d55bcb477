//! Expressions of the reference interpreter, computed in doubles, left before right. A double holds
//! every 32-bit integer and float exactly. So an operation on these types converts, computes, and
//! converts back.

use super::{Tick, call};
use pleach_compile::ast::Binary;
use pleach_compile::ir::{Arithmetic, Expr, NodeIndex, SlotKind, Unary};

impl Tick<'_, '_> {
    /// Returns true if a condition is true. Every number but zero is true.
    pub(super) fn holds(&mut self, node: NodeIndex, expr: u32) -> bool {
        self.number(node, expr) != 0.0
    }

    /// Returns the value of an expression. A truth counts as 1 or 0.
    pub(super) fn number(&mut self, node: NodeIndex, expr: u32) -> f64 {
        match self.module.exprs[expr as usize] {
            Expr::Number(number) => number,
            Expr::Truth(is) => truth(is),
            Expr::Query(site) => {
                let call = call(self.module, self.frame, self.agent, node, site);
                self.host.query(self.frame, &call)
            }
            Expr::Slot(slot) => self.variable(slot.into()),
            Expr::Shared(shared) => self.world.read(shared.into(), self.group),
            Expr::Now => self.now.clamp(i32::MIN.into(), i32::MAX.into()) as f64,
            Expr::Draw(place) => self.world.draw(self.agent, place.into(), self.rounds),
            Expr::Since(slot) => match self.frame.moments[usize::from(slot)] {
                0 | 1 => f64::NAN,
                moment => self.now.max(0).saturating_sub(moment - 2) as f64,
            },
            Expr::Noted(slot) => truth(self.frame.moments[usize::from(slot)] != 0),
            Expr::Reached(slot) => {
                let moment = self.frame.moments[usize::from(slot)];
                truth(moment >= 0 && self.now >= moment)
            }
            Expr::Not(operand) => truth(!self.holds(node, operand)),
            Expr::NotZero(operand) => truth(self.number(node, operand) != 0.0),
            Expr::OneIf(operand) => truth(self.holds(node, operand)),
            Expr::Unary(operator, operand) => unary(operator, self.number(node, operand)),
            Expr::Binary(Binary::And, left, right) => {
                truth(self.holds(node, left) && self.holds(node, right))
            }
            Expr::Binary(Binary::Or, left, right) => truth(self.holds(node, left) || self.holds(node, right)),
            Expr::Binary(comparison, left, right) => {
                let left = self.number(node, left);
                let right = self.number(node, right);
                truth(compare(comparison, left, right))
            }
            Expr::Arithmetic(operator, left, right) => {
                let left = self.number(node, left);
                let right = self.number(node, right);
                arithmetic(operator, left, right)
            }
        }
    }

    fn variable(&self, slot: usize) -> f64 {
        match self.module.slots[slot].kind {
            SlotKind::Bit => truth(self.frame.bits[slot]),
            _ => self.frame.numbers[slot],
        }
    }
}

fn truth(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// Compares by IEEE 754. Logical operators are not handled here, because they decide if their right
/// side is evaluated.
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

fn unary(operator: Unary, number: f64) -> f64 {
    let (int, float) = (number as i32, number as f32);
    match operator {
        Unary::NegInt => int.wrapping_neg().into(),
        Unary::NegFloat => (-float).into(),
        Unary::AbsInt => int.wrapping_abs().into(),
        Unary::AbsFloat => float.abs().into(),
        Unary::Int => int.into(),
        Unary::Float => float.into(),
    }
}

fn arithmetic(operator: Arithmetic, left: f64, right: f64) -> f64 {
    let ints = (left as i32, right as i32);
    let floats = (left as f32, right as f32);
    match operator {
        Arithmetic::AddInt => ints.0.wrapping_add(ints.1).into(),
        Arithmetic::SubInt => ints.0.wrapping_sub(ints.1).into(),
        Arithmetic::MulInt => ints.0.wrapping_mul(ints.1).into(),
        Arithmetic::DivInt if ints.1 == 0 => 0.0,
        Arithmetic::DivInt => ints.0.wrapping_div(ints.1).into(),
        Arithmetic::RemInt if ints.1 == 0 => 0.0,
        Arithmetic::RemInt => ints.0.wrapping_rem(ints.1).into(),
        Arithmetic::AddFloat => (floats.0 + floats.1).into(),
        Arithmetic::SubFloat => (floats.0 - floats.1).into(),
        Arithmetic::MulFloat => (floats.0 * floats.1).into(),
        Arithmetic::DivFloat => (floats.0 / floats.1).into(),
        Arithmetic::Min if right < left || left.is_nan() => right,
        Arithmetic::Max if right > left || left.is_nan() => right,
        Arithmetic::Min | Arithmetic::Max => left,
    }
}
