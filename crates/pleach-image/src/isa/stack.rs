//! The condition machine: a stack of truths and doubles, no calls but queries, no loops.
//!
//! A condition is a run of 4-byte words that ends in `end` with one truth on the stack. Jumps go forward and nest, so
//! types and depth are known at each word by one pass. No operation can fail: comparisons with NaN are false (`ne` is
//! true), and there is no division.
//!
//! ```text
//!   bit   0        8        16              31
//!        +--------+--------+----------------+
//!        |   op   | (zero) |       a        |
//!        +--------+--------+----------------+
//! ```
//!
//! Linking turns common shapes into fused tests; this form is for the file and for all that does not fuse.

use bytemuck::{Pod, Zeroable};

/// One operation of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct StackWord {
    /// Number of the operation.
    pub op: u8,
    /// Zero.
    pub zero: u8,
    /// Its operand, or zero.
    pub a: u16,
}

impl StackWord {
    /// An operation with its operand.
    #[must_use]
    pub const fn new(op: StackOp, a: u16) -> Self {
        Self { op: op as u8, zero: 0, a }
    }

    /// The operation, if the number is one.
    #[must_use]
    pub const fn op(self) -> Option<StackOp> {
        StackOp::from_number(self.op)
    }
}

/// What an operation's operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackOperand {
    /// It has none; the field is zero.
    None,
    /// Index of a constant.
    Constant,
    /// Index of a site whose import is a query.
    Query,
    /// Distance in words, at least 1.
    Target,
}

/// The type of an entry of the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// True or false.
    Truth,
    /// A double.
    Real,
}

/// What an operation takes and gives, as counts and as bits: bit `n` is set if entry `n`, counted from the lowest of
/// them, is a truth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    pub(crate) pops: u32,
    pub(crate) popped_truths: u64,
    pub(crate) pushes: u32,
    pub(crate) pushed_truths: u64,
}

impl Effect {
    const fn new(pops: &[Type], pushes: &[Type]) -> Self {
        Self {
            pops: pops.len() as u32,
            popped_truths: truths(pops),
            pushes: pushes.len() as u32,
            pushed_truths: truths(pushes),
        }
    }
}

const fn truths(types: &[Type]) -> u64 {
    let (mut bits, mut index) = (0, 0);
    while index < types.len() {
        bits |= (matches!(types[index], Type::Truth) as u64) << index;
        index += 1;
    }
    bits
}

macro_rules! operations {
    ($($number:literal $name:ident $mnemonic:literal $operand:ident [$($pop:ident)*] -> [$($push:ident)*] $meaning:literal)*) => {
        super::numbered::numbered! {
            /// An operation of the condition machine.
            StackOp { $($number $name $mnemonic $meaning)* }
        }

        impl StackOp {
            /// What its operand is.
            #[must_use]
            pub const fn operand(self) -> StackOperand {
                match self { $(Self::$name => StackOperand::$operand,)* }
            }

            /// What it does to depth and types when control goes to the next word.
            pub(crate) const fn effect(self) -> Effect {
                match self {
                    $(Self::$name => const { Effect::new(&[$(Type::$pop),*], &[$(Type::$push),*]) },)*
                }
            }

            /// The types it takes from the stack, bottom first.
            #[must_use]
            pub const fn pops(self) -> &'static [Type] {
                match self { $(Self::$name => &[$(Type::$pop),*],)* }
            }

            /// The types it puts on the stack when control goes to the next word.
            #[must_use]
            pub const fn pushes(self) -> &'static [Type] {
                match self { $(Self::$name => &[$(Type::$push),*],)* }
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
}
