//! The instruction set.
//!
//! A behavior tree compiles to *blocks*, runs of 8-byte [`Word`]s. A composite needs no
//! instruction: a selector, for example, is expressed by the targets of its children's failure
//! exits. Within a block control only goes forward. So a block ends after at most as many steps as
//! it has words, the verifier needs one pass, and a batch of agents needs one sweep. The only way
//! back is `again`. It leads to the `loop` around it, as often as that loop says.
//!
//! ```text
//!   bit   0        8        16               32               48             63
//!        +--------+--------+----------------+----------------+----------------+
//!        |   op   |   x    |       a        |       b        |       t        |
//!        +--------+--------+----------------+----------------+----------------+
//! ```
//!
//! `op` is a permanent number of [`table`]. The other fields hold operands; a field without an
//! operand is zero. A target is a distance in words from the instruction, at least 1. An
//! instruction with four exits is followed by an `exits` word. The `t` of the instruction is its
//! target on failure. The `a`, `b` and `t` of the `exits` word are its targets on success, on
//! running and on any other status. All four are counted from the instruction itself.
//!
//! Conditions are code of a small stack machine, whose operations have a table of their own:
//! [`stack`].
//!
//! ```
//! use pleach_image::isa::{Op, Word};
//! let jump = Word::new(Op::Jump).with_t(3);
//! assert_eq!(jump.op(), Some(Op::Jump));
//! assert_eq!(Op::Jump.mnemonic(), "jump");
//! ```

pub(crate) mod kinds;
mod numbered;
pub mod operand;
pub(crate) mod spans;
pub mod stack;
pub mod table;

pub use stack::{StackOp, StackWord};
pub use table::Op;

use bytemuck::{Pod, Zeroable};

/// Index of the failure exit, and number of the status.
pub const FAILURE: u8 = 0;
/// Index of the success exit, and number of the status.
pub const SUCCESS: u8 = 1;
/// Index of the running exit, and number of the status.
pub const RUNNING: u8 = 2;
/// Index of the exit for any other status.
pub const OTHER: u8 = 3;

/// Instruction, or the `exits` word after one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Word {
    /// Number of the instruction, see [`table`].
    pub op: u8,
    /// 8-bit operand.
    pub x: u8,
    /// First 16-bit operand.
    pub a: u16,
    /// Second 16-bit operand.
    pub b: u16,
    /// Target, or third 16-bit operand.
    pub t: u16,
}

impl Word {
    /// Creates an instruction whose operands are all zero.
    #[must_use]
    pub const fn new(op: Op) -> Self {
        Self { op: op as u8, x: 0, a: 0, b: 0, t: 0 }
    }

    /// Replaces operand `x`.
    #[must_use]
    pub const fn with_x(self, x: u8) -> Self {
        Self { x, ..self }
    }

    /// Replaces operand `a`.
    #[must_use]
    pub const fn with_a(self, a: u16) -> Self {
        Self { a, ..self }
    }

    /// Replaces operand `b`.
    #[must_use]
    pub const fn with_b(self, b: u16) -> Self {
        Self { b, ..self }
    }

    /// Replaces operand `t`.
    #[must_use]
    pub const fn with_t(self, t: u16) -> Self {
        Self { t, ..self }
    }

    /// Puts a 32-bit operand into `a` (low half) and `b`.
    #[must_use]
    pub const fn with_ab(self, value: i32) -> Self {
        Self { a: value as u16, b: (value >> 16) as u16, ..self }
    }

    /// Puts a 32-bit operand into `b` (low half) and `t`.
    #[must_use]
    pub const fn with_bt(self, value: i32) -> Self {
        Self { b: value as u16, t: (value >> 16) as u16, ..self }
    }

    /// Returns the 32-bit operand in `a` and `b`.
    #[must_use]
    pub const fn ab(self) -> i32 {
        self.a as i32 | (self.b as i32) << 16
    }

    /// Returns the 32-bit operand in `b` and `t`.
    #[must_use]
    pub const fn bt(self) -> i32 {
        self.b as i32 | (self.t as i32) << 16
    }

    /// Returns the instruction, or `None` if `op` is not the number of an instruction.
    #[must_use]
    pub const fn op(self) -> Option<Op> {
        Op::from_number(self.op)
    }

    /// Returns all eight bytes as one number.
    #[must_use]
    pub fn bits(self) -> u64 {
        bytemuck::cast(self)
    }
}

/// Ways on which control can leave an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Next word.
    Next,
    /// Next word or `t`.
    Branch,
    /// Target `t`.
    Jump,
    /// Next word or a case of the instruction's table.
    Switch,
    /// One of four targets; an `exits` word follows.
    Exits,
    /// Word after the enclosing `loop`, or `t`.
    Again,
    /// Out of the block.
    End,
    /// None: the word is data of the instruction before it.
    Data,
}

/// Sorts of blocks that may contain an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocks {
    /// All blocks, also the blocks of events. An event's block writes variables and tells the host,
    /// but has no position.
    Any,
    /// Blocks of ticks only.
    Ticks,
}
