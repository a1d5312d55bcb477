//! Expressions of the reference interpreter, computed in doubles, left before right. A double holds
//! every 32-bit integer and float exactly. So an operation on these types converts, computes, and
//! converts back.

use super::{Tick, call};
use pleach_compile::internals::ast::Value;
use pleach_compile::internals::ir::{Arithmetic, Binary, Bits, Expr, Function, Math, NodeIndex, SlotKind};
use pleach_image::functions;

impl Tick<'_, '_> {
    /// Returns true if a condition is true. Every number but zero is true.
    pub(super) fn holds(&mut self, node: NodeIndex, expr: u32) -> bool {
        self.number(node, expr) != 0.0
    }

    /// Returns the value of an expression. A boolean counts as 1 or 0. This is the table of all
    /// expressions, so it is longer than other functions.
    pub(super) fn number(&mut self, node: NodeIndex, expr: u32) -> f64 {
        match self.module.exprs[expr as usize] {
            Expr::Number(number) => number,
            Expr::Truth(is) => truth(is),
            Expr::Apply(function, operand) => {
                let number = self.number(node, operand);
                match function {
                    Function::Root => number.sqrt(),
                    Function::Logistic => functions::logistic(number),
                }
            }
            Expr::Smooth(x, from, to) => {
                let [x, from, to] = [x, from, to].map(|operand| self.number(node, operand) as f32);
                let part = (x - from) / (to - from);
                let t = if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) };
                (t * (t * (3.0 - 2.0 * t))).into()
            }
            Expr::Power(left, right) => {
                let left = self.number(node, left);
                functions::pow(left, self.number(node, right))
            }
            Expr::Curve(operand, curve) => {
                let number = self.number(node, operand);
                self.on_curve(number as f32, curve).into()
            }
            Expr::Let(value, body) => {
                let number = self.number(node, value);
                self.named.push((value, number));
                let result = self.number(node, body);
                self.named.pop();
                result
            }
            Expr::Bound(value) => {
                let named = self.named.iter().rev().find(|(named, _)| *named == value);
                named.map_or_else(|| unreachable!("a name without a value"), |(_, number)| *number)
            }
            Expr::Text(text) => text.into(),
            Expr::Spelled(spelling, text) => {
                let text = self.number(node, text);
                let mut texts = (0..).zip(&self.module.texts);
                let found = texts.find(|(index, _)| f64::from(*index) == text);
                found.map_or(f64::NAN, |(_, text)| spelling.number(self.module.names.bytes(*text)))
            }
            Expr::Bits(..) => unreachable!("a word"),
            Expr::Order(left, right) => {
                let left = self.number(node, left);
                let right = self.number(node, right);
                self.order(left, right)
            }
            Expr::Asked(site, slot) => {
                self.ask_for(node, site);
                self.variable(slot.into())
            }
            Expr::Word(_) | Expr::ToLong(_) => unreachable!("a word"),
            Expr::FromLong(operand) => self.word(node, operand) as i64 as f64,
            Expr::CompareWords(comparison, left, right) => {
                let left = self.word(node, left) as i64;
                let right = self.word(node, right) as i64;
                truth(compare(comparison, left, right))
            }
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
            Expr::Negate(Arithmetic::Double, operand) => -self.number(node, operand),
            Expr::Magnitude(Arithmetic::Double, operand) => self.number(node, operand).abs(),
            Expr::Negate(Arithmetic::Long, _) | Expr::Magnitude(Arithmetic::Long, _) => {
                unreachable!("a word")
            }
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
                    (_, Arithmetic::Int) => {
                        // The result is cut to 32 bits.
                        let wide = integer(operator, left as i32 as i64, right as i32 as i64);
                        (wide as i32).into()
                    }
                    (_, Arithmetic::Float) => float(operator, left as f32, right as f32).into(),
                    (_, Arithmetic::Double) => double(operator, left, right),
                    (_, Arithmetic::Long) => unreachable!("a word"),
                }
            }
        }
    }

    /// Returns the value of an expression that is a 64-bit integer or an entity.
    pub(super) fn word(&mut self, node: NodeIndex, expr: u32) -> u64 {
        match self.module.exprs[expr as usize] {
            Expr::Word(word) => word,
            Expr::Slot(slot) => self.frame.words[usize::from(slot)],
            Expr::Shared(shared) => self.world.word(shared.into(), self.group),
            Expr::Asked(site, slot) => {
                self.ask_for(node, site);
                self.frame.words[usize::from(slot)]
            }
            Expr::ToLong(operand) => self.number(node, operand) as i64 as u64,
            Expr::Bits(operator, left, right) => {
                let [left, right] = [left, right].map(|operand| self.word(node, operand));
                match operator {
                    Bits::And => left & right,
                    Bits::Or => left | right,
                    Bits::Xor => left ^ right,
                }
            }
            Expr::Negate(_, operand) => self.word(node, operand).wrapping_neg(),
            Expr::Magnitude(_, operand) => (self.word(node, operand) as i64).wrapping_abs() as u64,
            Expr::Math(operator, _, left, right) => {
                let left = self.word(node, left) as i64;
                let right = self.word(node, right) as i64;
                let result = match operator {
                    Math::Min => left.min(right),
                    Math::Max => left.max(right),
                    _ => integer(operator, left, right),
                };
                result as u64
            }
            _ => unreachable!("no word"),
        }
    }

    /// Asks a query whose answer goes into slots. Of a vector, the last part is the answer, and
    /// each part before it one more than the next.
    fn ask_for(&mut self, node: NodeIndex, site: u32) {
        let call = call(self.module, self.frame, self.agent, node, site);
        let answer = self.host.query(self.frame, &call);
        let (first, count) = self.module.sites[site as usize].args;
        let args = &self.module.args[first as usize..(first + count) as usize];
        let outs =
            args.iter().rev().map_while(|arg| if let Value::Out(slot, _) = arg { Some(*slot) } else { None });
        for (more, slot) in outs.enumerate() {
            let slot = slot as usize;
            self.frame.put(slot, self.module.slots[slot].kind, answer + more as f64);
        }
    }

    /// Returns the value of a curve: that of the nearest end, or of the line between two points.
    fn on_curve(&self, x: f32, curve: u32) -> f32 {
        let points = &self.module.curves[curve as usize];
        let last = points[points.len() - 1];
        // A NaN is above nothing.
        match points.iter().rposition(|(low, _)| x > *low) {
            None => points[0].1,
            Some(at) => match (points[at], points.get(at + 1)) {
                (_, None) => last.1,
                (_, Some((high, to))) if x >= *high => *to,
                ((low, from), Some((high, to))) => from + (to - from) * ((x - low) / (high - low)),
            },
        }
    }

    /// Returns -1, 0 or 1: the order of two texts. A number of no text is behind all texts.
    fn order(&self, left: f64, right: f64) -> f64 {
        let text = |number: f64| {
            let mut texts = (0..).zip(&self.module.texts);
            let text = texts.find(|(index, _)| f64::from(*index) == number);
            text.map(|(_, text)| self.module.names.bytes(*text))
        };
        let order = match [left, right].map(text) {
            [Some(left), Some(right)] => left.cmp(right),
            [None, None] => left.total_cmp(&right),
            [left, right] => left.is_none().cmp(&right.is_none()),
        };
        f64::from(order as i8)
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
fn compare<T: PartialOrd>(comparison: Binary, left: T, right: T) -> bool {
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
fn integer(operator: Math, left: i64, right: i64) -> i64 {
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

fn double(operator: Math, left: f64, right: f64) -> f64 {
    match operator {
        Math::Add => left + right,
        Math::Subtract => left - right,
        Math::Multiply => left * right,
        Math::Divide => left / right,
        Math::Remainder | Math::Min | Math::Max => unreachable!("not an operation on doubles alone"),
    }
}
