//! Values of all expressions of a program, without knowledge of the place where they are evaluated.
//!
//! Operands stand before their operator, so one pass computes all ranges. The same pass numbers
//! expressions by their meaning: two expressions with one number have the same value if nothing
//! changes in between. An expression that asks the host or draws a number has no such number.

use super::range::Range;
use hashbrown::HashMap;
use pleach_compile::internals::ir::{Arithmetic, Binary, Expr, Function, Math, Module, SlotKind, asking};

/// Largest number that a draw can be: draws are below 1 and multiples of 2^-24.
const MAX_DRAW: f64 = 1.0 - 1.0 / 16_777_216.0;

/// Values of expressions, by their index in the module.
#[derive(Debug, Default)]
pub struct Values {
    /// Numbers that each expression can be.
    pub ranges: Vec<Range>,
    /// Meaning of each expression, as a number.
    pub meanings: Vec<u32>,
    /// True if an expression neither asks the host nor draws, so that its value depends on
    /// variables alone.
    pub pure: Vec<bool>,
    /// True if an expression asks the host. The host can then change variables.
    pub asks: Vec<bool>,
    /// True if an expression is made of constants alone.
    pub constant: Vec<bool>,
}

/// Shape of an expression whose operands are replaced by their meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Shape {
    kind: (u8, u8),
    bits: u64,
    operands: [u32; 3],
}

impl Values {
    /// Computes for each expression of a module what is known of its value before the program runs.
    #[must_use]
    pub fn new(module: &Module) -> Self {
        let mut values = Self { asks: asking(&module.exprs), ..Self::default() };
        let mut known: HashMap<Shape, u32> = HashMap::new();
        for (index, expr) in module.exprs.iter().enumerate() {
            let (shape, is_unsteady) = values.shape(index as u32, *expr);
            let pure = !is_unsteady && expr.operands().all(|operand| values.pure[operand as usize]);
            let of_constants = expr.operands().all(|operand| values.constant[operand as usize]);
            let is_leaf = expr.operands().next().is_none();
            values.constant.push(
                of_constants
                    && (!is_leaf || matches!(expr, Expr::Number(_) | Expr::Word(_) | Expr::Truth(_))),
            );
            let meaning = *known.entry(shape).or_insert(index as u32);
            values.meanings.push(if pure { meaning } else { index as u32 });
            values.pure.push(pure);
            let range = values.range_with(module, *expr, &|operand| values.ranges[operand as usize]);
            values.ranges.push(range);
        }
        values
    }

    /// Returns the shape of an expression, and true if the expression itself asks the host or
    /// draws.
    fn shape(&self, index: u32, expr: Expr) -> (Shape, bool) {
        let of = |operand: u32| self.meanings[operand as usize];
        let plain = |kind, bits, operands| Shape { kind: (kind, 0), bits, operands };
        let one = |kind, operand| plain(kind, 0, [of(operand), 0, 0]);
        let two =
            |kind, sub, left, right| Shape { kind: (kind, sub), bits: 0, operands: [of(left), of(right), 0] };
        let shape = match expr {
            Expr::Number(number) => plain(0, number.to_bits(), [0; 3]),
            Expr::Truth(truth) => plain(0, f64::from(u8::from(truth)).to_bits(), [0; 3]),
            Expr::Query(_) | Expr::Asked(..) | Expr::Draw(_) => {
                return (plain(1, index.into(), [0; 3]), true);
            }
            Expr::Slot(slot) => plain(2, slot.into(), [0; 3]),
            Expr::Shared(shared) => plain(3, shared.into(), [0; 3]),
            Expr::Now => plain(4, 0, [0; 3]),
            Expr::Since(slot) => plain(5, slot.into(), [0; 3]),
            Expr::Noted(slot) => plain(6, slot.into(), [0; 3]),
            Expr::Reached(slot) => plain(7, slot.into(), [0; 3]),
            Expr::Not(operand) => one(8, operand),
            Expr::Binary(operator, left, right) => two(9, operator as u8, left, right),
            Expr::Math(operator, arithmetic, left, right) => {
                two(25 + arithmetic as u8, operator as u8, left, right)
            }
            Expr::Negate(arithmetic, operand) => one(29 + arithmetic as u8, operand),
            Expr::Magnitude(arithmetic, operand) => one(33 + arithmetic as u8, operand),
            Expr::CompareWords(operator, left, right) => two(37, operator as u8, left, right),
            Expr::Apply(function, operand) => one(40 + function as u8, operand),
            Expr::Power(left, right) => two(43, 0, left, right),
            Expr::Curve(operand, curve) => plain(44, curve.into(), [of(operand), 0, 0]),
            Expr::Word(word) => plain(22, word, [0; 3]),
            Expr::Text(text) => plain(39, text.into(), [0; 3]),
            Expr::Order(left, right) => two(38, 0, left, right),
            Expr::Spelled(spelling, operand) => one(45 + spelling as u8, operand),
            Expr::Bits(operator, left, right) => two(48, operator as u8, left, right),
            Expr::ToLong(operand) => one(23, operand),
            Expr::FromLong(operand) => one(24, operand),
            Expr::ToInt(operand) => one(16, operand),
            Expr::ToFloat(operand) => one(17, operand),
            Expr::Thousandths(operand) => one(18, operand),
            Expr::FromTruth(operand) => one(19, operand),
            Expr::ToTruth(operand) => one(20, operand),
            Expr::Between(first, last, drawn) => plain(21, 0, [of(first), of(last), of(drawn)]),
            Expr::Let(_, body) => one(50, body),
            // A name has the meaning of its value.
            Expr::Bound(value) => return (one(50, value), !self.pure[value as usize]),
            Expr::Smooth(x, from, to) => plain(49, 0, [of(x), of(from), of(to)]),
        };
        (shape, false)
    }

    /// Returns the range of an expression, given the ranges of its operands.
    pub fn range_with(&self, module: &Module, expr: Expr, of: &dyn Fn(u32) -> Range) -> Range {
        match expr {
            Expr::Number(number) => Range::point(number),
            Expr::Truth(truth) => Range::of_truth(Some(truth)),
            // Nothing is said of words: no range of doubles holds all of them.
            Expr::Query(_) | Expr::Asked(..) | Expr::Word(_) | Expr::ToLong(_) | Expr::FromLong(_) => {
                Range::ALL
            }
            Expr::Spelled(..) | Expr::Bits(..) => Range::ALL,
            Expr::Slot(slot) => of_kind(module.slots[usize::from(slot)].kind),
            Expr::Shared(shared) => of_kind(module.shared[usize::from(shared)].kind),
            Expr::Now => Range::INT,
            // Nothing is said of powers, and lines are rounded.
            Expr::Apply(Function::Root, _) | Expr::Power(..) | Expr::Curve(..) => Range::ALL,
            Expr::Smooth(..) => Range::TRUTH,
            Expr::Apply(Function::Logistic, _) => Range { nan: true, ..Range::TRUTH },
            Expr::Text(text) => Range::point(text.into()),
            Expr::Order(..) => Range::new(-1.0, 1.0),
            Expr::Draw(_) => Range::new(0.0, MAX_DRAW),
            Expr::Since(_) => Range { low: 0.0, ..Range::ALL },
            Expr::Noted(_) | Expr::Reached(_) | Expr::CompareWords(..) => Range::TRUTH,
            Expr::Not(operand) => Range::of_truth(of(operand).truth().map(|truth| !truth)),
            Expr::Binary(operator, left, right) => Range::of_truth(self.compared(operator, left, right, of)),
            Expr::Math(operator, arithmetic, left, right) => of(left).math(operator, arithmetic, of(right)),
            Expr::Negate(arithmetic, operand) => of(operand).negate(arithmetic),
            Expr::Magnitude(arithmetic, operand) => of(operand).magnitude(arithmetic),
            Expr::ToInt(operand) => of(operand).to_int(),
            Expr::ToFloat(operand) => of(operand).to_float(),
            Expr::Thousandths(operand) => of(operand).thousandths(),
            Expr::Between(first, last, _) => of(first).between(of(last)),
            Expr::Let(_, body) => of(body),
            Expr::Bound(_) => Range::ALL,
            Expr::FromTruth(operand) | Expr::ToTruth(operand) => Range::of_truth(of(operand).truth()),
        }
    }

    /// Returns the result of a comparison, if it is always the same. An expression that depends on
    /// variables alone equals itself unless it is NaN.
    fn compared(&self, operator: Binary, left: u32, right: u32, of: &dyn Fn(u32) -> Range) -> Option<bool> {
        let [left_range, right_range] = [of(left), of(right)];
        let is_same = self.meanings[left as usize] == self.meanings[right as usize];
        let known = left_range.compare(operator, right_range);
        if known.is_some() || !is_same || !self.pure[left as usize] {
            return known;
        }
        match operator {
            Binary::Less | Binary::Greater => Some(false),
            Binary::Equal | Binary::LessEqual | Binary::GreaterEqual if !left_range.nan => Some(true),
            Binary::NotEqual if !left_range.nan => Some(false),
            _ => None,
        }
    }

    /// Returns the value of a condition, if it is the same wherever and whenever it is evaluated.
    #[must_use]
    pub fn truth(&self, condition: u32) -> Option<bool> {
        self.ranges[condition as usize].truth()
    }
}

/// Returns the expressions that an expression is made of, itself included, in ascending order.
/// Returns `None` if there are more than `most`.
#[must_use]
pub fn parts(module: &Module, root: u32, most: usize) -> Option<Vec<u32>> {
    let mut parts = vec![root];
    let mut next = 0;
    while let Some(part) = parts.get(next).copied() {
        next += 1;
        parts.extend(module.exprs[part as usize].operands());
        if parts.len() > most {
            return None;
        }
    }
    parts.sort_unstable();
    parts.dedup();
    Some(parts)
}

/// Returns the numbers that a slot or shared variable of this kind can hold.
#[must_use]
pub fn of_kind(kind: SlotKind) -> Range {
    match kind {
        SlotKind::Bit => Range::TRUTH,
        SlotKind::I8 => Range::new(-128.0, 127.0),
        SlotKind::U8 => Range::new(0.0, 255.0),
        SlotKind::I16 => Range::new(-32_768.0, 32_767.0),
        SlotKind::U16 => Range::new(0.0, 65_535.0),
        SlotKind::I32 | SlotKind::Text => Range::INT,
        _ => Range::ALL,
    }
}

/// Returns true if an expression is `left OPERATOR right` on integers with these operands: used by
/// rules about writes without effect.
#[must_use]
pub fn is_math(module: &Module, expr: u32, operator: Math) -> Option<(u32, u32)> {
    match module.exprs[expr as usize] {
        Expr::Math(found, Arithmetic::Int, left, right) if found == operator => Some((left, right)),
        _ => None,
    }
}
