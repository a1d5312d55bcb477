//! Expressions in the form they run in: a stack machine of decoded operations.
//!
//! Operations contain what the condition code of an image only names: constants and columns.
//! Simple tests, which most conditions consist of, do not use this machine but become steps of
//! their own, see [`super::branch`].

use super::relation::Relation;
use crate::layout::{Column, Frame};
use crate::values::Kind;
use alloc::vec::Vec;
use pleach_image::Image;
use pleach_image::format::ConditionRow;
use pleach_image::functions;
use pleach_image::isa::{StackOp, StackWord};
use pleach_image::spelling::Spelling;

/// An operation. Booleans are 1 and 0. Jumps count operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Calc {
    Push(f64),
    // Pushes a word.
    PushWord(u64),
    Query { site: u16 },
    // Asks the host, whose answers go into slots.
    Ask { site: u16 },
    Not,
    Truth,
    // Turns a boolean into a number. Does nothing, because a boolean is 1 or 0.
    Number,
    Compare(Relation),
    And { skip: u16 },
    Or { skip: u16 },
    End,
    // Pushes the value of a column.
    Load { kind: Kind, column: u32 },
    Shared { shared: u16 },
    SharedBit { shared: u16 },
    Now,
    Draw { draw: u16 },
    // How long ago a moment was, which a column notes.
    Since { column: u32 },
    // Whether a column has ever noted a moment.
    Noted { column: u32 },
    // Whether the time has come to the moment in a column.
    Reached { column: u32 },
    // An operation on one number.
    Unary(Unary),
    // An operation on two numbers.
    Binary(Binary),
    // The same operations on words.
    CompareWords(Relation),
    UnaryWord(UnaryWord),
    BinaryWord(BinaryWord),
    // An operation on three numbers.
    Ternary(Ternary),
    // The order of two texts.
    Order,
    // The number that a text spells.
    Spelled(Spelling),
    // See [`functions::ramp`].
    Ramp,
    // Drops the entry below the last one.
    Nip,
    // Pushes a copy of the entry with so many entries above it.
    Copy { above: u16 },
}

/// An operation on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    NegInt,
    NegFloat,
    AbsInt,
    AbsFloat,
    Int,
    Float,
    Thousandths,
    NegDouble,
    AbsDouble,
    Sqrt,
    Logistic,
}

/// An operation on one entry of the stack that is a word, or becomes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryWord {
    NegLong,
    AbsLong,
    // Makes a word of a double.
    Long,
    // Makes a double of a word.
    Real,
}

/// An operation on two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryWord {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
}

impl UnaryWord {
    #[inline(always)]
    pub(crate) fn apply(self, entry: u64) -> u64 {
        match self {
            Self::NegLong => entry.wrapping_neg(),
            Self::AbsLong => (entry as i64).wrapping_abs() as u64,
            Self::Long => f64::from_bits(entry) as i64 as u64,
            Self::Real => (entry as i64 as f64).to_bits(),
        }
    }
}

impl BinaryWord {
    #[inline(always)]
    pub(crate) fn apply(self, first: u64, second: u64) -> u64 {
        let (first, second) = (first as i64, second as i64);
        let result = match self {
            Self::Add => first.wrapping_add(second),
            Self::Sub => first.wrapping_sub(second),
            Self::Mul => first.wrapping_mul(second),
            Self::Div | Self::Rem if second == 0 => 0,
            Self::Div => first.wrapping_div(second),
            Self::Rem => first.wrapping_rem(second),
            Self::Min => first.min(second),
            Self::Max => first.max(second),
            Self::And => first & second,
            Self::Or => first | second,
            Self::Xor => first ^ second,
        };
        result as u64
    }
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    AddInt,
    SubInt,
    MulInt,
    DivInt,
    RemInt,
    AddFloat,
    SubFloat,
    MulFloat,
    DivFloat,
    AddDouble,
    SubDouble,
    MulDouble,
    DivDouble,
    Min,
    Max,
    Pow,
}

impl Unary {
    #[inline(always)]
    pub(crate) fn apply(self, number: f64) -> f64 {
        match self {
            Self::NegInt => (number as i32).wrapping_neg().into(),
            Self::NegFloat => (-(number as f32)).into(),
            Self::AbsInt => (number as i32).wrapping_abs().into(),
            Self::AbsFloat => (number as f32).abs().into(),
            Self::Int => (number as i32).into(),
            Self::Float => (number as f32).into(),
            // The product of a 32-bit number and 1000 is exact.
            Self::Thousandths => ((number * 1000.0 + 0.5f64.copysign(number)) as i32).into(),
            Self::NegDouble => -number,
            Self::AbsDouble => number.abs(),
            Self::Sqrt => functions::sqrt(number),
            Self::Logistic => functions::logistic(number),
        }
    }
}

/// An operation on three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ternary {
    Between,
    Smooth,
}

impl Ternary {
    #[inline(always)]
    pub(crate) fn apply(self, first: f64, second: f64, third: f64) -> f64 {
        match self {
            Self::Between => between(first, second, third),
            Self::Smooth => functions::smooth(first, second, third),
        }
    }
}

/// Returns an integer from `first` to `second`, by a number from 0 up to 1. Returns `first` if
/// `second` is less.
#[inline(always)]
fn between(first: f64, second: f64, drawn: f64) -> f64 {
    let (least, most) = (first as i32, second as i32);
    let count = (i64::from(most) - i64::from(least) + 1).max(1);
    let part = ((drawn * f64::from(1 << 24)) as i64).clamp(0, (1 << 24) - 1);
    (i64::from(least) + ((part * count) >> 24)) as f64
}

impl Binary {
    #[inline(always)]
    pub(crate) fn apply(self, first: f64, second: f64) -> f64 {
        let ints = || (first as i32, second as i32);
        let floats = || (first as f32, second as f32);
        let of_ints = |op: fn(i32, i32) -> i32| op(ints().0, ints().1).into();
        let select = |is_second: bool| if is_second { second } else { first };
        let of_floats = |op: fn(f32, f32) -> f32| op(floats().0, floats().1).into();
        match self {
            Self::AddInt => of_ints(i32::wrapping_add),
            Self::SubInt => of_ints(i32::wrapping_sub),
            Self::MulInt => of_ints(i32::wrapping_mul),
            Self::DivInt => of_ints(|first, second| if second == 0 { 0 } else { first.wrapping_div(second) }),
            Self::RemInt => of_ints(|first, second| if second == 0 { 0 } else { first.wrapping_rem(second) }),
            Self::AddFloat => of_floats(|first, second| first + second),
            Self::SubFloat => of_floats(|first, second| first - second),
            Self::MulFloat => of_floats(|first, second| first * second),
            Self::DivFloat => of_floats(|first, second| first / second),
            Self::AddDouble => first + second,
            Self::SubDouble => first - second,
            Self::MulDouble => first * second,
            Self::DivDouble => first / second,
            Self::Pow => functions::pow(first, second),
            Self::Min => select(second < first || first.is_nan()),
            Self::Max => select(second > first || first.is_nan()),
        }
    }
}

/// Operations `first..end`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) first: u32,
    pub(crate) end: u32,
}

/// All expressions of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expressions {
    pub(crate) code: Vec<Calc>,
    /// For each condition or expression, its operations but the last, which ends it.
    pub(crate) ranges: Vec<Range>,
}

impl Expressions {
    /// Returns true if any expression draws random numbers.
    pub(crate) fn draw(&self) -> bool {
        self.code.iter().any(|calc| matches!(calc, Calc::Draw { .. }))
    }

    /// `answers` are, for each function, the column with its answers, if there is one.
    pub(crate) fn of<D: AsRef<[u8]>>(image: &Image<D>, frame: &Frame, answers: &[Option<Column>]) -> Self {
        let constants: Vec<u64> = (0..).map_while(|at| image.constant_bits(at)).collect();
        let code = image.condition_code().iter().map(|word| {
            let read = (word.op() == Some(StackOp::Query)).then(|| answer(image, answers, word.a)).flatten();
            read.unwrap_or_else(|| decode(*word, &constants, frame))
        });
        let code = code.collect();
        let range = |row: &ConditionRow| Range { first: row.first, end: row.first + row.count - 1 };
        Self { code, ranges: image.conditions().iter().map(range).collect() }
    }

    /// Returns the value of an expression that is a constant.
    pub(crate) fn constant(&self, expression: u16) -> Option<f64> {
        match self.get(self.ranges[usize::from(expression)]) {
            [Calc::Push(number)] | [Calc::Push(number), Calc::Truth] => Some(*number),
            _ => None,
        }
    }

    /// Returns the operations of an expression.
    pub(crate) fn get(&self, range: Range) -> &[Calc] {
        &self.code[range.first as usize..range.end as usize]
    }
}

/// Returns the operation that reads the answer of a query from a column, if it stands in one.
fn answer<D: AsRef<[u8]>>(image: &Image<D>, answers: &[Option<Column>], site: u16) -> Option<Calc> {
    let site = &image.sites()[usize::from(site)];
    let Column { kind, first, .. } = answers[usize::from(site.import)].filter(|_| site.count == 0)?;
    Some(Calc::Load { kind, column: first })
}

/// Matches an operation of an image: operations that have the same name here, and arms for the
/// others.
macro_rules! by_name {
    ($op:ident { $($calc:ident of $class:ident: $($name:ident)*;)* } $($of:pat => $other:expr,)*) => {
        match $op {
            $($(StackOp::$name => Calc::$calc($class::$name),)*)*
            $($of => $other,)*
        }
    };
}

fn decode(word: StackWord, constants: &[u64], frame: &Frame) -> Calc {
    let load = || {
        let column = frame.slots[usize::from(word.a)].column;
        Calc::Load { kind: column.kind, column: column.first }
    };
    let column = || frame.slots[usize::from(word.a)].column.first;
    let Some(op) = word.op() else { return Calc::End };
    by_name! {
        op {
            Compare of Relation: Lt Le Gt Ge Eq Ne;
            Unary of Unary: NegInt NegFloat AbsInt AbsFloat Int Float Thousandths NegDouble AbsDouble;
            Unary of Unary: Sqrt Logistic;
            Ternary of Ternary: Between Smooth;
            Binary of Binary: AddInt SubInt MulInt DivInt RemInt AddFloat SubFloat MulFloat DivFloat Min Max;
            Binary of Binary: AddDouble SubDouble MulDouble DivDouble Pow;
            UnaryWord of UnaryWord: NegLong AbsLong Long Real;
        }
        StackOp::Const => Calc::Push(f64::from_bits(constants[usize::from(word.a)])),
        StackOp::WordConst => Calc::PushWord(constants[usize::from(word.a)]),
        StackOp::Query => Calc::Query { site: word.a },
        StackOp::Ask => Calc::Ask { site: word.a },
        StackOp::Not => Calc::Not,
        StackOp::Truth => Calc::Truth,
        StackOp::Number => Calc::Number,
        StackOp::And => Calc::And { skip: word.a },
        StackOp::Or => Calc::Or { skip: word.a },
        StackOp::End | StackOp::Give | StackOp::GiveWord => Calc::End,
        StackOp::Slot | StackOp::Bit | StackOp::WordSlot => load(),
        StackOp::Shared | StackOp::SharedWord => Calc::Shared { shared: word.a },
        StackOp::SharedBit => Calc::SharedBit { shared: word.a },
        StackOp::Now => Calc::Now,
        StackOp::Draw => Calc::Draw { draw: word.a },
        StackOp::Since => Calc::Since { column: column() },
        StackOp::Noted => Calc::Noted { column: column() },
        StackOp::Reached => Calc::Reached { column: column() },
        StackOp::Order => Calc::Order,
        StackOp::SpellReal => Calc::Spelled(Spelling::Real),
        StackOp::SpellWhole => Calc::Spelled(Spelling::Whole),
        StackOp::SpellInt => Calc::Spelled(Spelling::Integer),
        StackOp::AndLong => Calc::BinaryWord(BinaryWord::And),
        StackOp::OrLong => Calc::BinaryWord(BinaryWord::Or),
        StackOp::XorLong => Calc::BinaryWord(BinaryWord::Xor),
        StackOp::Ramp => Calc::Ramp,
        StackOp::Nip => Calc::Nip,
        StackOp::Copy => Calc::Copy { above: word.a },
        StackOp::AddLong => Calc::BinaryWord(BinaryWord::Add),
        StackOp::SubLong => Calc::BinaryWord(BinaryWord::Sub),
        StackOp::MulLong => Calc::BinaryWord(BinaryWord::Mul),
        StackOp::DivLong => Calc::BinaryWord(BinaryWord::Div),
        StackOp::RemLong => Calc::BinaryWord(BinaryWord::Rem),
        StackOp::MinLong => Calc::BinaryWord(BinaryWord::Min),
        StackOp::MaxLong => Calc::BinaryWord(BinaryWord::Max),
        StackOp::EqWord => Calc::CompareWords(Relation::Eq),
        StackOp::NeWord => Calc::CompareWords(Relation::Ne),
        StackOp::LtLong => Calc::CompareWords(Relation::Lt),
        StackOp::LeLong => Calc::CompareWords(Relation::Le),
        StackOp::GtLong => Calc::CompareWords(Relation::Gt),
        StackOp::GeLong => Calc::CompareWords(Relation::Ge),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_division_by_zero_gives_zero() {
        let (least, most) = (f64::from(i32::MIN), f64::from(i32::MAX));
        assert_eq!(Binary::AddInt.apply(most, 1.0), least);
        assert_eq!(Binary::DivInt.apply(least, -1.0), least);
        assert_eq!(Binary::RemInt.apply(least, -1.0), 0.0);
        assert_eq!(Binary::DivInt.apply(5.0, 0.0), 0.0);
        assert_eq!(Binary::RemInt.apply(-7.0, 4.0), -3.0);
        assert_eq!(Unary::AbsInt.apply(least), least);
        let (least, most) = (i64::MIN as u64, i64::MAX as u64);
        assert_eq!(BinaryWord::Add.apply(most, 1), least);
        assert_eq!(BinaryWord::Div.apply(least, u64::MAX), least);
        assert_eq!(BinaryWord::Rem.apply(least, u64::MAX), 0);
        assert_eq!([BinaryWord::Div, BinaryWord::Rem].map(|op| op.apply(5, 0)), [0; 2]);
        assert_eq!(UnaryWord::AbsLong.apply(least), least);
        assert_eq!(UnaryWord::Long.apply(f64::NAN.to_bits()), 0);
        assert_eq!(UnaryWord::Long.apply(1e300f64.to_bits()), most);
        assert_eq!(UnaryWord::Real.apply(most), 9_223_372_036_854_775_808f64.to_bits());
    }

    #[test]
    fn the_least_and_greatest_of_nan_is_the_other() {
        assert_eq!(Binary::Min.apply(f64::NAN, 2.0), 2.0);
        assert_eq!(Binary::Max.apply(2.0, f64::NAN), 2.0);
        assert!(Binary::Max.apply(f64::NAN, f64::NAN).is_nan());
    }
}
