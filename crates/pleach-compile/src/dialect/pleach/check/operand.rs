//! An expression while it is being checked.

use super::super::value::Value;
use crate::source::Span;

/// An operand on the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) value: Value,
    /// Its ops.
    pub(super) ops: (u32, u32),
    /// Number of expressions, and of arguments, before the operand.
    pub(super) marks: (u32, u32),
    /// True if a named constant or a parameter is a part of the operand.
    pub(super) named: bool,
    /// True if a parameter is a part of the operand, so the value may differ from copy to copy.
    pub(super) given: bool,
}

/// Value of a parameter in a copy of its tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) value: Value,
    /// The argument; none for a tree that is looked at by itself.
    pub(super) at: Option<Span>,
}
