//! Expressions over columns.
//!
//! A stack machine's entry is here a column temporary, at a place that is known when the program is linked: an operation
//! names the place it works on. Entries have types: truths are bits, integers and floats 32 bits wide. Doubles, which the
//! condition machine computes with, appear only where the narrow types would not give the same: answers of the host, what
//! is shared, an integer beside a float, a constant that is neither.
//!
//! `&&` and `||` keep some lanes waiting until what stands behind has been computed for the others; only that matters for
//! queries, which are asked for the lanes that need them and no others.
//!
//! ```text
//!   visible && distance() < 24      bit 0 visible     and 0 (others wait)     query 0     compare 0 < 24     merge 0
//! ```

use crate::code::calc::{Binary, Calc, Range, Unary};
use crate::code::relation::Relation;
use crate::values::Kind;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaneType {
    Truth,
    Int,
    Float,
    Real,
}

/// An operation; `at` is the entry that it makes, and with two operands the other is the next one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lane {
    Truth { at: u8, value: bool },
    Int { at: u8, value: i32 },
    Float { at: u8, value: f32 },
    Real { at: u8, value: f64 },
    LoadBit { at: u8, column: u32 },
    Load { at: u8, kind: Kind, column: u32 },
    Shared { at: u8, shared: u16 },
    SharedBit { at: u8, shared: u16 },
    Now { at: u8 },
    Draw { at: u8, draw: u16 },
    Query { at: u8, site: u16 },
    Since { at: u8, column: u32 },
    Noted { at: u8, column: u32 },
    Reached { at: u8, column: u32 },
    Not { at: u8 },
    // Whether a number is not zero.
    IsTrue { at: u8, from: LaneType },
    // A truth becomes the integer 1 or 0.
    Number { at: u8 },
    Convert { at: u8, from: LaneType, to: LaneType },
    Compare { at: u8, ty: LaneType, relation: Relation },
    Unary { at: u8, op: Unary },
    Binary { at: u8, ty: LaneType, op: Binary },
    // Lanes for which the entry is false, or true for `or`, wait until it is merged.
    Keep { at: u8, or: bool },
    Merge { at: u8, or: bool },
}

/// An expression: its operations, and what it gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expression {
    pub(crate) first: u32,
    pub(crate) end: u32,
    pub(crate) ty: LaneType,
    /// If it is always the same.
    pub(crate) constant: Option<f64>,
}

/// All expressions of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchExpressions {
    pub(crate) code: Vec<Lane>,
    pub(crate) rows: Vec<Expression>,
    /// How many `&&` and `||` keep lanes waiting at once, at most.
    pub(crate) kept: usize,
    known: BTreeMap<(u32, u32), u32>,
}

impl BatchExpressions {
    /// The expression of a range of operations of the stack machine.
    pub(crate) fn of(&mut self, calcs: &[Calc], range: Range) -> u32 {
        if let Some(known) = self.known.get(&(range.first, range.end)) {
            return *known;
        }
        let first = self.code.len() as u32;
        let mut compiler = Compiler { code: &mut self.code, stack: Vec::new(), waiting: Vec::new(), kept: 0 };
        let ExpressionEntry { ty, constant } = compiler.run(&calcs[range.first as usize..range.end as usize]);
        self.kept = self.kept.max(compiler.kept);
        self.rows.push(Expression { first, end: self.code.len() as u32, ty, constant });
        let index = self.rows.len() as u32 - 1;
        self.known.insert((range.first, range.end), index);
        index
    }
}

/// What is known of an entry while an expression is compiled.
#[derive(Clone, Copy)]
struct ExpressionEntry {
    ty: LaneType,
    /// A constant, which nothing has been put down for yet.
    constant: Option<f64>,
}

struct Compiler<'a> {
    code: &'a mut Vec<Lane>,
    stack: Vec<ExpressionEntry>,
    /// Jumps under way: target, entry, and whether it is `||`.
    waiting: Vec<(usize, u8, bool)>,
    /// How many there were at most.
    kept: usize,
}

impl Compiler<'_> {
    fn run(&mut self, words: &[Calc]) -> ExpressionEntry {
        for (at, word) in words.iter().enumerate() {
            self.merge(at);
            self.word(at, *word);
        }
        self.merge(words.len());
        let entry = self
            .stack
            .first()
            .copied()
            .unwrap_or(ExpressionEntry { ty: LaneType::Real, constant: Some(0.0) });
        if entry.constant.is_some() {
            self.want(0, entry.ty);
        }
        entry
    }

    /// The place of the entry on top.
    fn top(&self) -> u8 {
        // Rule V0204: the stack is at most 64 deep.
        self.stack.len().saturating_sub(1) as u8
    }

    fn push(&mut self, ty: LaneType, constant: Option<f64>) -> u8 {
        self.stack.push(ExpressionEntry { ty, constant });
        self.top()
    }

    fn replace(&mut self, ty: LaneType, constant: Option<f64>) {
        self.stack.pop();
        self.push(ty, constant);
    }

    /// Ends the jumps that lead here.
    fn merge(&mut self, here: usize) {
        while let Some((_, at, or)) = self.waiting.pop_if(|(target, ..)| *target == here) {
            self.want(at, LaneType::Truth);
            self.code.push(Lane::Merge { at, or });
        }
    }

    /// Makes an entry one of a type.
    fn want(&mut self, at: u8, to: LaneType) {
        let Some(entry) = self.stack.get_mut(usize::from(at)) else { return };
        let ExpressionEntry { ty: from, constant } =
            core::mem::replace(entry, ExpressionEntry { ty: to, constant: None });
        match (constant, to) {
            (Some(value), LaneType::Truth) => self.code.push(Lane::Truth { at, value: value != 0.0 }),
            (Some(value), LaneType::Int) => self.code.push(Lane::Int { at, value: value as i32 }),
            (Some(value), LaneType::Float) => self.code.push(Lane::Float { at, value: value as f32 }),
            (Some(value), LaneType::Real) => self.code.push(Lane::Real { at, value }),
            (None, LaneType::Truth) if from != to => self.code.push(Lane::IsTrue { at, from }),
            (None, _) if from != to => {
                if from == LaneType::Truth {
                    self.code.push(Lane::Number { at });
                }
                let from = if from == LaneType::Truth { LaneType::Int } else { from };
                if from != to {
                    self.code.push(Lane::Convert { at, from, to });
                }
            }
            _ => {}
        }
    }

    fn word(&mut self, here: usize, word: Calc) {
        match word {
            Calc::End => {}
            Calc::Push(value) => {
                self.push(LaneType::Real, Some(value));
            }
            Calc::Not => match self.top_constant() {
                Some(value) => self.replace(LaneType::Truth, Some(f64::from(value == 0.0))),
                None => {
                    let at = self.top();
                    self.want(at, LaneType::Truth);
                    self.code.push(Lane::Not { at });
                }
            },
            Calc::Truth => match self.top_constant() {
                Some(value) => self.replace(LaneType::Truth, Some(f64::from(value != 0.0))),
                None => self.want(self.top(), LaneType::Truth),
            },
            Calc::Number => match self.top_constant() {
                Some(value) => self.replace(LaneType::Int, Some(value)),
                None => self.want(self.top(), LaneType::Int),
            },
            Calc::And { skip } => self.keep(here + usize::from(skip), false),
            Calc::Or { skip } => self.keep(here + usize::from(skip), true),
            Calc::Compare(relation) => self.compare(relation),
            Calc::Unary(op) => self.unary(op),
            Calc::Binary(op) => self.binary(op),
            Calc::Load { kind: Kind::Bit, column } => {
                self.make(LaneType::Truth, |at| Lane::LoadBit { at, column });
            }
            Calc::Load { kind, column } => {
                let ty = if kind == Kind::F32 { LaneType::Float } else { LaneType::Int };
                self.make(ty, |at| Lane::Load { at, kind, column });
            }
            Calc::Shared { shared } => self.make(LaneType::Real, |at| Lane::Shared { at, shared }),
            Calc::SharedBit { shared } => self.make(LaneType::Truth, |at| Lane::SharedBit { at, shared }),
            Calc::Now => self.make(LaneType::Int, |at| Lane::Now { at }),
            // 24 bits, which a float holds.
            Calc::Draw { draw } => self.make(LaneType::Float, |at| Lane::Draw { at, draw }),
            Calc::Query { site } => self.make(LaneType::Real, |at| Lane::Query { at, site }),
            Calc::Since { column } => self.make(LaneType::Real, |at| Lane::Since { at, column }),
            Calc::Noted { column } => self.make(LaneType::Truth, |at| Lane::Noted { at, column }),
            Calc::Reached { column } => self.make(LaneType::Truth, |at| Lane::Reached { at, column }),
        }
    }

    /// Appends an operation that makes a new entry.
    fn make(&mut self, ty: LaneType, lane: impl FnOnce(u8) -> Lane) {
        let at = self.push(ty, None);
        self.code.push(lane(at));
    }

    /// Returns the value of the entry on top, if it is a constant.
    fn top_constant(&self) -> Option<f64> {
        self.stack.last().and_then(|entry| entry.constant)
    }

    fn keep(&mut self, target: usize, or: bool) {
        let at = self.top();
        self.want(at, LaneType::Truth);
        self.code.push(Lane::Keep { at, or });
        self.waiting.push((target, at, or));
        self.kept = self.kept.max(self.waiting.len());
        self.stack.pop();
    }

    /// The two entries on top and the place of the lower one, which alone is left.
    fn two(&mut self) -> (u8, ExpressionEntry, ExpressionEntry) {
        let none = ExpressionEntry { ty: LaneType::Real, constant: Some(0.0) };
        let at = (self.stack.len().saturating_sub(2)) as u8;
        let entry = |index: u8| self.stack.get(usize::from(index)).copied().unwrap_or(none);
        (at, entry(at), entry(at + 1))
    }

    fn compare(&mut self, relation: Relation) {
        let (at, first, second) = self.two();
        if let (Some(first), Some(second)) = (first.constant, second.constant) {
            self.stack.pop();
            return self.replace(LaneType::Truth, Some(relation.holds(first, second).into()));
        }
        let ty = common(first, second);
        self.want(at, ty);
        self.want(at + 1, ty);
        self.stack.pop();
        self.replace(LaneType::Truth, None);
        self.code.push(Lane::Compare { at, ty, relation });
    }

    fn unary(&mut self, op: Unary) {
        let at = self.top();
        if let Some(value) = self.top_constant() {
            return self.replace(LaneType::Real, Some(op.apply(value)));
        }
        let floats = matches!(op, Unary::NegFloat | Unary::AbsFloat | Unary::Float);
        self.want(at, if floats { LaneType::Float } else { LaneType::Int });
        if !matches!(op, Unary::Int | Unary::Float) {
            self.code.push(Lane::Unary { at, op });
        }
    }

    fn binary(&mut self, op: Binary) {
        let (at, first, second) = self.two();
        if let (Some(first), Some(second)) = (first.constant, second.constant) {
            self.stack.pop();
            return self.replace(LaneType::Real, Some(op.apply(first, second)));
        }
        let ty = match op {
            Binary::Min | Binary::Max => common(first, second),
            Binary::AddFloat | Binary::SubFloat | Binary::MulFloat | Binary::DivFloat => LaneType::Float,
            _ => LaneType::Int,
        };
        self.want(at, ty);
        self.want(at + 1, ty);
        self.stack.pop();
        self.replace(ty, None);
        self.code.push(Lane::Binary { at, ty, op });
    }
}

/// A type that holds both exactly.
fn common(first: ExpressionEntry, second: ExpressionEntry) -> LaneType {
    let fits = |entry: ExpressionEntry, ty: LaneType| match (entry.constant, ty) {
        (Some(value), LaneType::Int) => f64::from(value as i32).to_bits() == value.to_bits(),
        (Some(value), _) => f64::from(value as f32) == value,
        (None, _) => entry.ty == ty,
    };
    let types = [LaneType::Int, LaneType::Float].into_iter();
    types.into_iter().find(|ty| fits(first, *ty) && fits(second, *ty)).unwrap_or(LaneType::Real)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled(words: &[Calc]) -> BatchExpressions {
        let mut expressions = BatchExpressions::default();
        let range = Range { first: 0, end: words.len() as u32 };
        assert_eq!(expressions.of(words, range), 0);
        // The same again is not compiled again.
        assert_eq!((expressions.of(words, range), expressions.rows.len()), (0, 1));
        expressions
    }

    #[test]
    fn constants_are_computed_beforehand() {
        let [two, three] = [2.0, 3.0].map(Calc::Push);
        for (words, ty, value) in [
            (&[two, three, Calc::Binary(Binary::SubInt)][..], LaneType::Real, -1.0),
            (&[two, three, Calc::Compare(Relation::Lt)], LaneType::Truth, 1.0),
            (&[two, three, Calc::Compare(Relation::Ge)], LaneType::Truth, 0.0),
            (&[two, Calc::Unary(Unary::NegInt)], LaneType::Real, -2.0),
            (&[two, Calc::Truth], LaneType::Truth, 1.0),
            (&[two, Calc::Not], LaneType::Truth, 0.0),
            (&[two, Calc::Truth, Calc::Number], LaneType::Int, 1.0),
        ] {
            let expressions = compiled(words);
            let Expression { first, end, ty: of, constant } = expressions.rows[0];
            assert_eq!((first, end as usize, of, constant), (0, 1, ty, Some(value)), "{words:?}");
        }
        let load = Calc::Load { kind: Kind::I32, column: 0 };
        let expressions =
            compiled(&[load, two, three, Calc::Binary(Binary::AddInt), Calc::Binary(Binary::MulInt)]);
        assert!(expressions.rows[0].constant.is_none());
        assert!(matches!(
            expressions.code[..],
            [
                Lane::Load { at: 0, kind: Kind::I32, column: 0 },
                Lane::Int { at: 1, value: 5 },
                Lane::Binary { at: 0, ty: LaneType::Int, op: Binary::MulInt },
            ]
        ));
    }

    #[test]
    fn numbers_are_of_the_narrowest_type_that_holds_both() {
        let load = |kind| Calc::Load { kind, column: 0 };
        let less = |left, right| {
            let expressions = compiled(&[left, right, Calc::Compare(Relation::Lt)]);
            let last = expressions.code.last().copied();
            let Some(Lane::Compare { at: 0, ty, relation: Relation::Lt }) = last else { panic!("{last:?}") };
            ty
        };
        assert_eq!(less(load(Kind::U8), load(Kind::I32)), LaneType::Int);
        assert_eq!(less(load(Kind::U8), Calc::Push(7.0)), LaneType::Int);
        assert_eq!(less(Calc::Push(-0.0), load(Kind::U8)), LaneType::Real);
        assert_eq!(less(load(Kind::F32), Calc::Push(0.5)), LaneType::Float);
        assert_eq!(less(load(Kind::F32), Calc::Push(0.1)), LaneType::Real);
        assert_eq!(less(load(Kind::F32), load(Kind::I16)), LaneType::Real);
    }
}
