//! What an expression is worth while it is being checked.

use super::super::syntax::Type;
use crate::ast::ExprIndex;
use crate::source::Span;
use crate::text::Sym;

/// A value, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Int(i32),
    Float(f32),
    Truth(bool),
    Text(Sym),
    /// A parameter of a tree that is looked at by itself: it may be anything that arguments may be.
    Open(Type),
    /// A variable that is not read yet: index in the program, and the type to read it as.
    Variable(u32, Type),
    /// Known at run time.
    Computed(Type, ExprIndex),
    /// Something that has been reported.
    Wrong,
}

impl Value {
    /// The type, unless it is wrong.
    pub(super) fn ty(self) -> Option<Type> {
        Some(match self {
            Self::Int(_) => Type::Int,
            Self::Float(_) => Type::Float,
            Self::Truth(_) => Type::Bool,
            Self::Text(_) => Type::Text,
            Self::Open(ty) | Self::Variable(_, ty) | Self::Computed(ty, _) => ty,
            Self::Wrong => return None,
        })
    }

    /// Whether it is known now, or may be.
    pub(super) fn is_constant(self) -> bool {
        !matches!(self, Self::Variable(..) | Self::Computed(..))
    }
}

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

/// The article and name of a type: `an int`.
pub(super) fn a(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "a bool",
        Type::Int => "an int",
        Type::Float => "a float",
        Type::Text => "a text",
        Type::Number => "an int or a float",
    }
}
