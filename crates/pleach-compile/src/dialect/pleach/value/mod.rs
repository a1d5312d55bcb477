//! What an expression is worth, as far as that is known while it is read.
//!
//! `operate` says what operators and functions make of values, `fold` computes what is constant, `places` says what the
//! places want that values stand in: a duration, a count, an argument, a variable. None of them reports anything: what is
//! wrong they say to those who ask, of whom one knows how to report it and the other one gives up.

mod fold;
pub(super) mod operate;
pub(super) mod places;

use super::syntax::Type;
use crate::ast::{ExprIndex, VariableKind};
use crate::text::Sym;
use pleach_image::float::bits32;

/// A value, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Int(i32),
    Float(f32),
    /// A variable that reads as an int, where a float is wanted.
    Widened(u32),
    Truth(bool),
    Text(Sym),
    /// Something that has been reported.
    Wrong,
    /// A parameter of a tree that is looked at by itself: it may be anything that arguments may be.
    Open(Type),
    /// A variable that is not read yet: index in the program, and the type it reads as.
    Variable(u32, Type),
    /// Known at run time.
    Computed(Type, ExprIndex),
}

/// The type that all values of a kind have, for kinds that do not say it of each value: looked up, not jumped to, since which kind
/// comes next nobody can foresee.
static OWN_TYPES: [Option<Type>; 9] = [
    Some(Type::Int),
    Some(Type::Float),
    Some(Type::Float),
    Some(Type::Bool),
    Some(Type::Text),
    None,
    None,
    None,
    None,
];

impl Value {
    /// The type, unless it is wrong.
    #[inline]
    pub(super) fn ty(self) -> Option<Type> {
        match self {
            Self::Open(ty) | Self::Variable(_, ty) | Self::Computed(ty, _) => Some(ty),
            known => OWN_TYPES[known.kind()],
        }
    }

    /// Kinds are numbered as they are declared, so that this is no more than a copy.
    #[inline(always)]
    fn kind(self) -> usize {
        match self {
            Self::Int(_) => 0,
            Self::Float(_) => 1,
            Self::Widened(_) => 2,
            Self::Truth(_) => 3,
            Self::Text(_) => 4,
            Self::Wrong => 5,
            Self::Open(_) => 6,
            Self::Variable(..) => 7,
            Self::Computed(..) => 8,
        }
    }

    /// Whether it is known now, or may be.
    #[inline]
    pub(super) fn is_constant(self) -> bool {
        !matches!(self, Self::Variable(..) | Self::Widened(_) | Self::Computed(..))
    }

    /// A constant as the 32 bits of a variable.
    pub(super) fn bits(self) -> u32 {
        match self {
            Self::Int(value) => value as u32,
            Self::Float(value) => bits32(value),
            Self::Truth(value) => value.into(),
            _ => 0,
        }
    }
}

/// The type that a variable reads as.
#[inline]
pub(super) fn type_of(kind: VariableKind) -> Type {
    match kind {
        VariableKind::Bool => Type::Bool,
        VariableKind::Float => Type::Float,
        _ => Type::Int,
    }
}
