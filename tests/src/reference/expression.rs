//! Expressions of the reference interpreter, computed in doubles, left before right. A double holds
//! every 32-bit integer and float exactly. So an operation on these types converts, computes, and
//! converts back.

use super::{Tick, call};
use pleach_compile::internals::ir::{Arithmetic, Binary, Expr, Math, NodeIndex, SlotKind};

impl Tick<'_, '_> {
    /// Returns true if a condition is true. Every number but zero is true.
    pub(super) fn holds(&mut self, node: NodeIndex, expr: u32) -> bool {
        self.number(node, expr) != 0.0
    }

    /// Returns the value of an expression. A boolean counts as 1 or 0.
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
            Expr::ToTruth(operand) | Expr::FromTruth(operand) => truth(self.holds(node, operand)),
            Expr::Negate(Arithmetic::Int, operand) => {
                (self.number(node, operand) as i32).wrapping_neg().into()
            }
            Expr::Negate(Arithmetic::Float, operand) => (-(self.number(node, operand) as f32)).into(),
            Expr::Magnitude(Arithmetic::Int, operand) => {
                (self.number(node, operand) as i32).wrapping_abs().into()
            }
            Expr::Magnitude(Arithmetic::Float, operand) => (self.number(node, operand) as f32).abs().into(),
            Expr::ToInt(operand) => (self.number(node, operand) as i32).into(),
            Expr::Thousandths(operand) => ((self.number(node, operand) * 1000.0).round() as i32).into(),
            Expr::Between(first, last, drawn) => {
                let [first, last, drawn] = [first, last, drawn].map(|operand| self.number(node, operand));
                between(first as i32, last as i32, drawn).into()
            }
            Expr::ToFloat(operand) => (self.number(node, operand) as f32).into(),
            Expr::Binary(Binary::And, left, right) => {
                truth(self.holds(node, left) && self.holds(node, right))
            }
            Expr::Binary(Binary::Or, left, right) => truth(self.holds(node, left) || self.holds(node, right)),
            Expr::Binary(comparison, left, right) => {
                let left = self.number(node, left);
                let right = self.number(node, right);
                truth(compare(comparison, left, right))
            }
            Expr::Math(operator, ty, left, right) => {
                let left = self.number(node, left);
                let right = self.number(node, right);
                match (operator, ty) {
                    (Math::Min, _) if right < left || left.is_nan() => right,
                    (Math::Max, _) if right > left || left.is_nan() => right,
                    (Math::Min | Math::Max, _) => left,
                    (_, Arithmetic::Int) => integer(operator, left as i32, right as i32).into(),
                    (_, Arithmetic::Float) => float(operator, left as f32, right as f32).into(),
                }
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

/// Returns an integer from the first to the last, by a number from 0 up to 1.
fn between(first: i32, last: i32, drawn: f64) -> i32 {
    let count = i64::from(last) - i64::from(first) + 1;
    let part = (drawn * f64::from(1 << 24)) as i64 * count.max(0) / (1 << 24);
    (i64::from(first) + part) as i32
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

/// Computes with integers. They wrap, and division by zero gives 0.
fn integer(operator: Math, left: i32, right: i32) -> i32 {
    match operator {
        Math::Add => left.wrapping_add(right),
        Math::Subtract => left.wrapping_sub(right),
        Math::Multiply => left.wrapping_mul(right),
        Math::Divide | Math::Remainder if right == 0 => 0,
        Math::Divide => left.wrapping_div(right),
        Math::Remainder => left.wrapping_rem(right),
        Math::Min | Math::Max => unreachable!("the same for both types"),
    }
}

fn float(operator: Math, left: f32, right: f32) -> f32 {
    match operator {
        Math::Add => left + right,
        Math::Subtract => left - right,
        Math::Multiply => left * right,
        Math::Divide => left / right,
        Math::Remainder | Math::Min | Math::Max => unreachable!("not an operation on floats alone"),
    }
}
