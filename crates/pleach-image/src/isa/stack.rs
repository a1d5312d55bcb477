//! The condition machine: a stack of booleans, doubles and 64-bit words, without loops, and without
//! calls other than queries.
//!
//! A condition is a run of 4-byte words. It ends in `end` with one boolean on the stack, in `give`
//! with one number, or in `givew` with one word. Jumps go forward and nest, so one pass finds the
//! types and the depth at each word. No operation can fail: comparisons with NaN are false (`ne` is
//! true), and division by zero has a result.
//!
//! Doubles represent all numbers of up to 32 bits, and themselves. They hold 32-bit integers and
//! 32-bit floats exactly, so comparisons need no types. Arithmetic of either kind takes and gives
//! doubles that are such numbers. A 64-bit integer or an entity is a *word*, which no operation
//! takes for a double.
//!
//! ```text
//!   bit   0        8        16              31
//!        +--------+--------+----------------+
//!        |   op   | (zero) |       a        |
//!        +--------+--------+----------------+
//! ```
//!
//! Linking turns common shapes into fused tests. This form is used in the file, and for conditions
//! that no fused test covers.

use super::kinds::Kinds;
use super::operand::{Shape, gives};
use crate::enums::{import_kind, slot_kind};
use crate::rule::Rule;
use bytemuck::{Pod, Zeroable};
use core::ops::Range;

/// Operation of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct StackWord {
    /// Number of the operation.
    pub op: u8,
    /// Zero.
    pub zero: u8,
    /// Operand, or zero.
    pub a: u16,
}

impl StackWord {
    /// Creates an operation with its operand.
    #[must_use]
    pub const fn new(op: StackOp, a: u16) -> Self {
        Self { op: op as u8, zero: 0, a }
    }

    /// Returns the operation, or `None` if `op` is not the number of an operation.
    #[must_use]
    pub const fn op(self) -> Option<StackOp> {
        StackOp::from_number(self.op)
    }
}

/// Kinds of the operands of operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackOperand {
    /// No operand; the field is zero.
    None,
    /// Index of a constant.
    Constant,
    /// Index of a site whose import is a query.
    Query,
    /// Distance in words, at least 1.
    Target,
    /// Slot that holds a number.
    Slot,
    /// Bit slot.
    Bit,
    /// Shared variable that holds a number.
    Shared,
    /// Shared bit.
    SharedBit,
    /// Slot that holds a word.
    WordSlot,
    /// Shared variable that holds a word.
    SharedWord,
    /// Index of a constant that is a word.
    Word,
    /// Number of a draw.
    Draw,
    /// Slot that holds a timestamp.
    Moment,
    /// Number of entries of the stack above the one that is meant.
    Depth,
}

impl StackOperand {
    /// Returns the rule that an invalid value breaks.
    const fn rule(self) -> Rule {
        match self {
            Self::None => Rule::StackUnused,
            Self::Constant | Self::Word => Rule::StackConstant,
            Self::Query => Rule::StackQuery,
            Self::Target => Rule::StackTarget,
            Self::Slot | Self::Bit | Self::WordSlot | Self::Moment => Rule::StackSlot,
            Self::Shared | Self::SharedBit | Self::SharedWord => Rule::StackSlot,
            Self::Draw | Self::Depth => Rule::StackUnused,
        }
    }

    /// Returns the rows that the operand refers to, and the type or kind that they must have.
    fn rows(self, shape: &Shape) -> Option<(&Kinds, u32)> {
        Some(match self {
            Self::Query => (&shape.sites, import_kind::QUERY),
            Self::Slot => (&shape.variables, gives::NUMBER),
            Self::Bit => (&shape.variables, gives::TRUTH),
            Self::Shared => (&shape.shared, gives::NUMBER),
            Self::SharedBit => (&shape.shared, gives::TRUTH),
            Self::WordSlot => (&shape.variables, gives::WORD),
            Self::SharedWord => (&shape.shared, gives::WORD),
            Self::Moment => (&shape.slots, slot_kind::MOMENT),
            Self::None | Self::Constant | Self::Word | Self::Target | Self::Draw | Self::Depth => {
                return None;
            }
        })
    }

    /// Returns a range of valid values.
    pub(crate) fn sure(self, shape: &Shape) -> Range<u64> {
        match self {
            Self::None => 0..1,
            Self::Constant | Self::Word => 0..u64::from(shape.constants),
            Self::Target => 1..1 << 16,
            _ => self.rows(shape).map_or(0..1 << 16, |(rows, kind)| rows.run(kind)),
        }
    }

    /// Returns true if a value is valid. The position of a target is checked with the stack.
    fn holds(self, raw: u16, shape: &Shape) -> bool {
        match self.rows(shape) {
            Some((rows, kind)) => rows.is(u32::from(raw), kind),
            None => self.sure(shape).contains(&u64::from(raw)),
        }
    }
}

/// Type of an entry of the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// True or false.
    Truth,
    /// Double.
    Real,
    /// 64 bits: a 64-bit integer or an entity.
    Word,
}

/// Types on the stack as numbers, with one bit for each entry. The lowest bit is the top of the
/// stack. A set bit of `truths` is a boolean, one of `words` a word. A one above the entries of
/// `truths` marks the depth. An empty stack is 1. A stack of 64 entries, the maximum by rule V0204,
/// takes 65 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Types {
    truths: u128,
    words: u64,
}

impl Types {
    pub(crate) const EMPTY: Self = Self { truths: 1, words: 0 };

    /// Packs types that are given bottom first.
    const fn of(types: &[Type]) -> Self {
        let (mut stack, mut index) = (Self::EMPTY, 0);
        while index < types.len() {
            stack.truths = stack.truths << 1 | matches!(types[index], Type::Truth) as u128;
            stack.words = stack.words << 1 | matches!(types[index], Type::Word) as u64;
            index += 1;
        }
        stack
    }

    pub(crate) const fn depth(self) -> u32 {
        self.truths.ilog2()
    }

    /// Returns the stack after an operation with its operand, or the rule that the operation
    /// breaks. The stack may be at most `limit` deep.
    pub(crate) fn after(self, op: StackOp, operand: u16, limit: u32) -> Result<Self, Rule> {
        if op.operand() == StackOperand::Depth {
            Rule::StackUnderflow.must(u32::from(operand) < self.depth())?;
            Rule::StackType.must((self.truths >> operand | u128::from(self.words >> operand)) & 1 == 0)?;
        }
        let (pops, pushes) = op.effect();
        Rule::StackUnderflow.must(self.depth() >= pops.depth())?;
        let below = Self { truths: self.truths >> pops.depth(), words: self.words >> pops.depth() };
        Rule::StackType.must(self == below.with(pops))?;
        Rule::StackOverflow.must(below.depth() + pushes.depth() <= limit)?;
        Ok(below.with(pushes))
    }

    /// Returns the stack with entries on top of it.
    fn with(self, top: Self) -> Self {
        let count = top.depth();
        Self { truths: ((self.truths - 1) << count) + top.truths, words: self.words << count | top.words }
    }
}

impl StackOp {
    /// Returns true if the operation ends a condition.
    #[must_use]
    pub const fn ends(self) -> bool {
        matches!(self, Self::End | Self::Give | Self::GiveWord)
    }

    /// Checks that the operand of a word is valid and its unused field zero.
    pub(crate) fn check(self, word: StackWord, shape: &Shape) -> Result<(), Rule> {
        Rule::StackUnused.must(word.zero == 0)?;
        self.operand().rule().must(self.operand().holds(word.a, shape))
    }
}

macro_rules! operations {
    ($($number:literal $name:ident $mnemonic:literal $operand:ident [$($pop:ident)*] -> [$($push:ident)*] $meaning:literal)*) => {
        super::numbered::numbered! {
            /// Operation of the condition machine.
            StackOp { $($number $name $mnemonic $meaning)* }
        }

        impl StackOp {
            /// Returns the kind of the operand.
            #[must_use]
            pub const fn operand(self) -> StackOperand {
                match self { $(Self::$name => StackOperand::$operand,)* }
            }

            /// Returns the types that the operation takes from the stack, bottom first.
            #[must_use]
            #[inline]
            pub const fn pops(self) -> &'static [Type] {
                match self { $(Self::$name => &[$(Type::$pop),*],)* }
            }

            /// Returns the types that the operation puts on the stack when control goes to the next
            /// word.
            #[must_use]
            #[inline]
            pub const fn pushes(self) -> &'static [Type] {
                match self { $(Self::$name => &[$(Type::$push),*],)* }
            }

            /// Returns the types that the operation takes, and those that it puts.
            const fn effect(self) -> (Types, Types) {
                match self {
                    $(Self::$name => const { (Types::of(Self::$name.pops()), Types::of(Self::$name.pushes())) },)*
                }
            }
        }
    };
}

#[rustfmt::skip]
operations! {
    0x01 Const   "const"   Constant [] -> [Real]            "push constant `a`"
    0x02 Query   "query"   Query    [] -> [Real]            "ask the host `a` and push its answer"
    0x03 Not     "not"     None     [Truth] -> [Truth]      "negate"
    0x04 Truth   "truth"   None     [Real] -> [Truth]       "whether the number is not equal to zero (NaN is true)"
    0x05 Number  "number"  None     [Truth] -> [Real]       "1 for true, 0 for false"
    0x06 Lt      "lt"      None     [Real Real] -> [Truth]  "first < second"
    0x07 Le      "le"      None     [Real Real] -> [Truth]  "first <= second"
    0x08 Gt      "gt"      None     [Real Real] -> [Truth]  "first > second"
    0x09 Ge      "ge"      None     [Real Real] -> [Truth]  "first >= second"
    0x0a Eq      "eq"      None     [Real Real] -> [Truth]  "first = second"
    0x0b Ne      "ne"      None     [Real Real] -> [Truth]  "first differs from second"
    0x0c And     "and"     Target   [Truth] -> []           "if false, keep it and go on at `a`; else drop it"
    0x0d Or      "or"      Target   [Truth] -> []           "if true, keep it and go on at `a`; else drop it"
    0x0e End     "end"     None     [Truth] -> []           "the condition's value"
    0x0f Give    "give"    None     [Real] -> []            "the expression's value"
    0x10 Slot    "slot"    Slot     [] -> [Real]            "push what slot `a` holds"
    0x11 Bit     "bit"     Bit      [] -> [Truth]           "push bit slot `a`"
    0x12 Shared  "shared"  Shared   [] -> [Real]            "push what shared variable `a` held when the tick began"
    0x13 SharedBit "sharedb" SharedBit [] -> [Truth]        "push what shared bit `a` was when the tick began"
    0x14 Now     "now"     None     [] -> [Real]            "push the time as a 32-bit integer, saturating"
    0x15 Draw    "draw"    Draw     [] -> [Real]            "push number `a` drawn in this tick, from 0 up to 1"
    0x16 AddInt  "addi"    None     [Real Real] -> [Real]   "first + second as 32-bit integers, wrapping"
    0x17 SubInt  "subi"    None     [Real Real] -> [Real]   "first - second as 32-bit integers, wrapping"
    0x18 MulInt  "muli"    None     [Real Real] -> [Real]   "first * second as 32-bit integers, wrapping"
    0x19 DivInt  "divi"    None     [Real Real] -> [Real]   "first / second as 32-bit integers, wrapping, toward zero; 0 if second is 0"
    0x1a RemInt  "remi"    None     [Real Real] -> [Real]   "the remainder of that; 0 if second is 0"
    0x1b AddFloat "addf"   None     [Real Real] -> [Real]   "first + second as 32-bit floats"
    0x1c SubFloat "subf"   None     [Real Real] -> [Real]   "first - second as 32-bit floats"
    0x1d MulFloat "mulf"   None     [Real Real] -> [Real]   "first * second as 32-bit floats"
    0x1e DivFloat "divf"   None     [Real Real] -> [Real]   "first / second as 32-bit floats"
    0x1f Min     "min"     None     [Real Real] -> [Real]   "second if it is less than first or first is NaN, else first"
    0x20 Max     "max"     None     [Real Real] -> [Real]   "second if it is greater than first or first is NaN, else first"
    0x21 NegInt  "negi"    None     [Real] -> [Real]        "the negative as a 32-bit integer, wrapping"
    0x22 NegFloat "negf"   None     [Real] -> [Real]        "the negative as a 32-bit float"
    0x23 AbsInt  "absi"    None     [Real] -> [Real]        "the magnitude as a 32-bit integer, wrapping"
    0x24 AbsFloat "absf"   None     [Real] -> [Real]        "the magnitude as a 32-bit float"
    0x25 Int     "int"     None     [Real] -> [Real]        "as a 32-bit integer: toward zero, saturating; NaN is 0"
    0x26 Float   "float"   None     [Real] -> [Real]        "as the nearest 32-bit float"
    0x27 Between "between" None     [Real Real Real] -> [Real] "first plus the third, from 0 up to 1, of the integers from first to second; first if second is less"
    0x28 Thousandths "milli" None   [Real] -> [Real]        "a thousand times as much as the nearest 32-bit integer, a half away from zero; NaN is 0"
    0x29 Smooth  "smooth"  None     [Real Real Real] -> [Real] "the smooth step of the first from the second to the third, as 32-bit floats: t * (t * (3 - 2 * t)) of t = (first - second) / (third - second), cut to 0 to 1; NaN is 0"
    0x2a Ramp    "ramp"    None     [Real Real Real Real Real] -> [Real Real] "of x, y, x0, x1, y1: keep x; then y up to x0, y1 from x1 on, and the 32-bit float on the line from y to y1 between"
    0x2b Nip     "nip"     None     [Real Real] -> [Real]   "drop the first, keep the second"
    0x2c Copy    "copy"    Depth    [] -> [Real]            "push a copy of the number with `a` entries above it"
    0x38 Since   "since"   Moment   [] -> [Real]            "push how long ago the moment was that slot `a` notes; NaN if it notes none"
    0x39 Noted   "noted"   Moment   [] -> [Truth]           "push whether slot `a` has ever noted a moment"
    0x3a Reached "reached" Moment   [] -> [Truth]           "push whether the time has come to the moment in slot `a`, and it is not negative"
    0x40 Long    "long"    None     [Real] -> [Word]        "as a 64-bit integer: toward zero, saturating; NaN is 0"
    0x41 Real    "real"    None     [Word] -> [Real]        "as the nearest number"
    0x42 WordConst "constw" Word    [] -> [Word]            "push constant `a`"
    0x43 WordSlot "slotw"  WordSlot [] -> [Word]            "push what slot `a` holds"
    0x44 SharedWord "sharedw" SharedWord [] -> [Word]       "push what shared variable `a` held when the tick began"
    0x45 GiveWord "givew"  None     [Word] -> []            "the expression's value"
    0x46 EqWord  "eqw"     None     [Word Word] -> [Truth]  "first = second"
    0x47 NeWord  "new"     None     [Word Word] -> [Truth]  "first differs from second"
    0x48 LtLong  "ltl"     None     [Word Word] -> [Truth]  "first < second as 64-bit integers"
    0x49 LeLong  "lel"     None     [Word Word] -> [Truth]  "first <= second as 64-bit integers"
    0x4a GtLong  "gtl"     None     [Word Word] -> [Truth]  "first > second as 64-bit integers"
    0x4b GeLong  "gel"     None     [Word Word] -> [Truth]  "first >= second as 64-bit integers"
    0x4c AddLong "addl"    None     [Word Word] -> [Word]   "first + second as 64-bit integers, wrapping"
    0x4d SubLong "subl"    None     [Word Word] -> [Word]   "first - second as 64-bit integers, wrapping"
    0x4e MulLong "mull"    None     [Word Word] -> [Word]   "first * second as 64-bit integers, wrapping"
    0x4f DivLong "divl"    None     [Word Word] -> [Word]   "first / second as 64-bit integers, wrapping, toward zero; 0 if second is 0"
    0x50 RemLong "reml"    None     [Word Word] -> [Word]   "the remainder of that; 0 if second is 0"
    0x51 MinLong "minl"    None     [Word Word] -> [Word]   "the lesser of two 64-bit integers"
    0x52 MaxLong "maxl"    None     [Word Word] -> [Word]   "the greater of two 64-bit integers"
    0x53 NegLong "negl"    None     [Word] -> [Word]        "the negative as a 64-bit integer, wrapping"
    0x54 AbsLong "absl"    None     [Word] -> [Word]        "the magnitude as a 64-bit integer, wrapping"
    0x55 AddDouble "addd"  None     [Real Real] -> [Real]   "first + second"
    0x56 SubDouble "subd"  None     [Real Real] -> [Real]   "first - second"
    0x57 MulDouble "muld"  None     [Real Real] -> [Real]   "first * second"
    0x58 DivDouble "divd"  None     [Real Real] -> [Real]   "first / second"
    0x59 NegDouble "negd"  None     [Real] -> [Real]        "the negative"
    0x5a AbsDouble "absd"  None     [Real] -> [Real]        "the magnitude"
    0x5b Ask     "askw"    Query    [] -> []                "ask the host `a`, which gives its answers to slots; these are 0 before"
    0x5c Order   "order"   None     [Real Real] -> [Real]   "-1, 0 or 1: the order of the bytes of two texts by their numbers; a number of no text is behind all texts"
    0x5d Sqrt    "sqrt"    None     [Real] -> [Real]        "the square root, rounded to the nearest"
    0x5e Pow     "pow"     None     [Real Real] -> [Real]   "first to the power second, as a 32-bit float"
    0x5f Logistic "logistic" None   [Real] -> [Real]        "1 / (1 + e^-x) as a 32-bit float"
    0x60 SpellReal "numr"  None     [Real] -> [Real]        "the real number with which a text begins, by the number of the text; NaN if there is none"
    0x61 SpellWhole "numw" None     [Real] -> [Real]        "the real number that is the whole text, by the number of the text; NaN if there is none"
    0x62 SpellInt "numi"   None     [Real] -> [Real]        "the 64-bit integer with which a text begins, by the number of the text; NaN if there is none"
    0x63 AndLong "andl"    None     [Word Word] -> [Word]   "first and second, bit by bit"
    0x64 OrLong  "orl"     None     [Word Word] -> [Word]   "first or second, bit by bit"
    0x65 XorLong "xorl"    None     [Word Word] -> [Word]   "either first or second, bit by bit"
}
