//! An expression while it is being checked.

use super::super::value::Value;
use crate::source::Span;

/// An operand on the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) value: Value,
    /// Its ops.
    pub(super) ops: (u32, u32),
    /// How many expressions and arguments there were before it.
    pub(super) marks: (u32, u32),
    /// Whether a named constant or a parameter has a part in it.
    pub(super) named: bool,
    /// Whether a parameter has a part in it, so that it may differ from copy to copy.
    pub(super) given: bool,
}

/// What a parameter stands for in a copy of its tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) value: Value,
    /// The argument; none for a tree that is looked at by itself.
    pub(super) at: Option<Span>,
}
