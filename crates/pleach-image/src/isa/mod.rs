//! The instruction set.
//!
//! A behavior tree compiles to *blocks*, runs of 8-byte [`Word`]s. Composites leave no instruction behind: what is
//! left of a selector is where its children's failure exits lead. Within a block control only goes forward, so a block
//! ends after at most as many steps as it has words, a verifier needs one pass, and a batch of agents needs one sweep.
//! The one way back is `again`, to the `loop` that it stands in and as often as that loop says.
//!
//! ```text
//!   bit   0        8        16               32               48             63
//!        +--------+--------+----------------+----------------+----------------+
//!        |   op   |   x    |       a        |       b        |       t        |
//!        +--------+--------+----------------+----------------+----------------+
//! ```
//!
//! `op` is a permanent number of [`table`]. The other fields hold operands; a field without one is zero. A target is
//! the distance in words from the instruction to where it leads, at least 1. An instruction with four ways out is
//! followed by an `exits` word: `t` leads on failure, and of the `exits` word `a` on success, `b` on running, `t` on
//! any other status, all four counted from the instruction itself.
//!
//! Conditions are code of a small stack machine with a table of its own, [`stack`].
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

/// Index of the failure exit, and the number of the status.
pub const FAILURE: u8 = 0;
/// Index of the success exit, and the number of the status.
pub const SUCCESS: u8 = 1;
/// Index of the running exit, and the number of the status.
pub const RUNNING: u8 = 2;
/// Index of the exit for any status outside the three.
pub const OTHER: u8 = 3;

/// One instruction, or the `exits` word after one.
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
    /// The instruction with all operands zero.
    #[must_use]
    pub const fn new(op: Op) -> Self {
        Self { op: op as u8, x: 0, a: 0, b: 0, t: 0 }
    }

    /// With operand `x`.
    #[must_use]
    pub const fn with_x(self, x: u8) -> Self {
        Self { x, ..self }
    }

    /// With operand `a`.
    #[must_use]
    pub const fn with_a(self, a: u16) -> Self {
        Self { a, ..self }
    }

    /// With operand `b`.
    #[must_use]
    pub const fn with_b(self, b: u16) -> Self {
        Self { b, ..self }
    }

    /// With operand `t`.
    #[must_use]
    pub const fn with_t(self, t: u16) -> Self {
        Self { t, ..self }
    }

    /// With a 32-bit operand in `a` (low half) and `b`.
    #[must_use]
    pub const fn with_ab(self, value: i32) -> Self {
        Self { a: value as u16, b: (value >> 16) as u16, ..self }
    }

    /// With a 32-bit operand in `b` (low half) and `t`.
    #[must_use]
    pub const fn with_bt(self, value: i32) -> Self {
        Self { b: value as u16, t: (value >> 16) as u16, ..self }
    }

    /// The 32-bit operand in `a` and `b`.
    #[must_use]
    pub const fn ab(self) -> i32 {
        self.a as i32 | (self.b as i32) << 16
    }

    /// The 32-bit operand in `b` and `t`.
    #[must_use]
    pub const fn bt(self) -> i32 {
        self.b as i32 | (self.t as i32) << 16
    }

    /// The instruction, if the number is one.
    #[must_use]
    pub const fn op(self) -> Option<Op> {
        Op::from_number(self.op)
    }

    /// All eight bytes as one number.
    #[must_use]
    pub fn bits(self) -> u64 {
        bytemuck::cast(self)
    }
}

/// Where control can go after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// To the next word.
    Next,
    /// To the next word or to `t`.
    Branch,
    /// To `t`.
    Jump,
    /// To the next word or to a case of its table.
    Switch,
    /// To one of four targets; an `exits` word follows.
    Exits,
    /// Back behind the `loop` that it stands in, or to `t`.
    Again,
    /// Out of the block.
    End,
    /// This word is data of the instruction before.
    Data,
}

/// Blocks that may have an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocks {
    /// All blocks, also those of events, which write variables and tell the host, but hold no position.
    Any,
    /// Blocks of ticks.
    Ticks,
}
