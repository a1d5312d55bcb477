//! Classes of steps: what each does, apart from where control goes on, which
//! [`super::step::Step`] has in one field.
//!
//! Engines match each class exhaustively. So a step that an engine has forgotten does not compile.

use crate::values::Kind;
use core::fmt;

/// Number at an even address. Without such numbers, classes would have the alignment of their
/// columns, and steps would not fit 16 bytes.
#[derive(Clone, Copy, PartialEq)]
#[repr(Rust, packed(2))]
pub(crate) struct Even<T: Copy>(T);

impl<T: Copy> Even<T> {
    /// Returns the number.
    #[inline(always)]
    pub(crate) fn get(self) -> T {
        self.0
    }
}

impl<T: Copy> From<T> for Even<T> {
    fn from(number: T) -> Self {
        Self(number)
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for Even<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(out)
    }
}

/// Tests that need scratch memory, sets, the host or other agents. Control goes on at the target if
/// the test holds, else at the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Branch {
    IfMember { column: Even<u32>, stride: u16, node: u16 },
    JumpFlag { flag: u16 },
    Down { column: Even<u32> },
    Ended { column: Even<u32> },
    Pick { choice: u16 },
    Ask { limiter: u16 },
    Known { site: u16 },
    Once,
    Inside { column: Even<u32>, low: u16, high: u16 },
    Enter { gate: u16 },
    JumpOther { status: Even<i32> },
}

/// Steps that do something and go on at their target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StepEffect {
    Leave { column: Even<u32>, node: u16 },
    Mark { wipe: bool, column: Even<u32>, stride: u16, node: u16 },
    WipeIf { column: Even<u32>, stride: u16, node: u16 },
    Other { status: Even<i32> },
    Flag { flag: u16, value: bool },
    Fork { parallel: u16 },
    Finish { column: Even<u32>, success: bool },
    Loop { register: u8, times: u16 },
    Rate { first: bool, expression: u16, choice: u16 },
    Select { column: Even<u32>, site: u16, node: u16 },
    Close { site: u16, node: u16 },
    Stop { site: u16, node: u16 },
    Exit { gate: u16 },
    Log { kind: u8, text: u16, node: u16 },
    Raise { scope: u8, event: u16 },
}

/// Steps that write variables, and go on at their target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Write {
    Set { kind: Kind, expression: u16, column: Even<u32> },
    SetBit { condition: u16, column: Even<u32> },
    Share { how: u8, expression: u16, shared: u16 },
    ShareBit { condition: u16, shared: u16 },
    SetVariable { condition: u16, column: Even<u32> },
    Capture { before: Even<u32>, live: Even<u32> },
    Start { expression: u16, column: Even<u32> },
    Timer { expression: u16, column: Even<u32> },
    Note { on: bool, column: Even<u32> },
    Zero { column: Even<u32>, stride: u16 },
}

/// Steps that are left by one of four exits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ask {
    Act { column: Even<u32>, site: u16, node: u16 },
    ActExclusive { column: Even<u32>, site: u16, node: u16 },
    ActRule { site: u16, rule: u16 },
    Open { site: u16, node: u16 },
    Perform { fresh: bool, site: u16, node: u16 },
    Join { parallel: u16 },
}

impl Branch {
    /// Returns true if only agents that are at rules need the test.
    pub(crate) fn is_of_rules(self) -> bool {
        matches!(self, Self::Known { .. } | Self::Once)
    }
}

impl StepEffect {
    /// Returns true if only agents that are at rules need the step.
    pub(crate) fn is_of_rules(self) -> bool {
        matches!(self, Self::Loop { times: 0, .. })
    }

    /// Returns true if programs with the step can be swept.
    pub(crate) fn is_swept(self) -> bool {
        // The order of agents decides who is let in.
        !matches!(self, Self::Exit { .. })
    }

    /// Returns the position or set that gets a node, and the node.
    pub(crate) fn entered(self) -> Option<(u32, u16)> {
        match self {
            Self::Mark { column, node, .. } | Self::Select { column, node, .. } => Some((column.get(), node)),
            Self::Leave { .. }
            | Self::WipeIf { .. }
            | Self::Other { .. }
            | Self::Flag { .. }
            | Self::Fork { .. }
            | Self::Finish { .. }
            | Self::Loop { .. }
            | Self::Rate { .. }
            | Self::Close { .. }
            | Self::Stop { .. }
            | Self::Exit { .. }
            | Self::Log { .. }
            | Self::Raise { .. } => None,
        }
    }
}

impl Write {
    /// Returns the kind of the column, the expression and the column, if the step only stores the
    /// value of an expression.
    pub(crate) fn stored(self) -> Option<(Kind, u16, u32)> {
        match self {
            Self::Set { kind, expression, column } => Some((kind, expression, column.get())),
            Self::SetBit { condition, column } => Some((Kind::Bit, condition, column.get())),
            Self::Share { .. }
            | Self::ShareBit { .. }
            | Self::SetVariable { .. }
            | Self::Capture { .. }
            | Self::Start { .. }
            | Self::Timer { .. }
            | Self::Note { .. }
            | Self::Zero { .. } => None,
        }
    }
}

impl Ask {
    /// Returns true if only agents that are at rules need the step.
    pub(crate) fn is_of_rules(self) -> bool {
        matches!(self, Self::ActRule { .. })
    }

    /// Returns the position that gets a node, and the node.
    pub(crate) fn entered(self) -> Option<(u32, u16)> {
        match self {
            Self::Act { column, node, .. } | Self::ActExclusive { column, node, .. } => {
                Some((column.get(), node))
            }
            Self::ActRule { .. } | Self::Open { .. } | Self::Perform { .. } | Self::Join { .. } => None,
        }
    }
}

/// Steps that compute conditions, call blocks, begin loops again, or may end the whole tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Control {
    // If the condition is false, control goes on at the target.
    Cond { condition: u16, target: u32 },
    Call { block: u16, exits: u32 },
    // `head` is an index in [`super::steps::Code::heads`].
    Again { register: u8, head: u32, target: u32 },
    Fault,
    Move { from: u16, to: u16, target: u32 },
    Ran { rule: u16, target: u32 },
}

impl Control {
    /// Returns where control goes on when it does not go on at the next step.
    pub(crate) fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Self::Call { .. } | Self::Fault => None,
            Self::Cond { target, .. }
            | Self::Again { target, .. }
            | Self::Move { target, .. }
            | Self::Ran { target, .. } => Some(target),
        }
    }

    /// Returns true if control can go on at the next step.
    pub(crate) fn falls(self) -> bool {
        match self {
            Self::Cond { .. } | Self::Ran { .. } => true,
            Self::Call { .. } | Self::Again { .. } | Self::Fault | Self::Move { .. } => false,
        }
    }
}
