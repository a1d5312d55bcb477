//! Values of expressions, as far as they are known during compilation.

pub(super) mod fold;

use super::syntax::{Kind, Type};
use crate::ast::{ExprIndex, SlotKind};
use crate::text::Sym;
use pleach_image::float::{bits32, bits64};

/// A value, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Int(i32),
    Float(f32),
    Int64(i64),
    Double(f64),
    /// `none`
    Nobody,
    /// A variable that reads as another number, where one of this type is wanted.
    Widened(u32, Type),
    Truth(bool),
    Text(Sym),
    /// A member of an enum: index of the enum in the program, and the number of the member.
    Member(u32, i32),
    /// Something that has been reported.
    Wrong,
    /// A parameter of a tree that is looked at by itself: it may be anything that arguments may be.
    Open(Type),
    /// A variable that is not read yet: index in the program, and the type it reads as.
    Variable(u32, Type),
    /// A vector: its floats have this index in [`super::check::Checker::vectors`]. The flag is true
    /// if all of them are constants.
    Vector(Type, u32, bool),
    /// Known at run time.
    Computed(Type, ExprIndex),
}

impl Value {
    /// The type, unless it is wrong.
    #[inline]
    pub(super) fn ty(self) -> Option<Type> {
        Some(match self {
            Self::Int(_) => Type::Int,
            Self::Float(_) => Type::Float,
            Self::Int64(_) => Type::Int64,
            Self::Double(_) => Type::Double,
            Self::Nobody => Type::Entity(0),
            Self::Widened(_, ty) => ty,
            Self::Truth(_) => Type::Bool,
            Self::Text(_) => Type::Text,
            Self::Member(of, _) => Type::Enum(of),
            Self::Open(ty) | Self::Variable(_, ty) | Self::Computed(ty, _) | Self::Vector(ty, ..) => ty,
            Self::Wrong => return None,
        })
    }

    /// Returns true if the value is known, or may be known when parameters have values.
    #[inline]
    pub(super) fn is_constant(self) -> bool {
        !matches!(
            self,
            Self::Variable(..) | Self::Widened(..) | Self::Computed(..) | Self::Vector(_, _, false)
        )
    }

    /// A constant as the bits of a variable; a text as its symbol.
    pub(super) fn bits(self) -> u64 {
        match self {
            Self::Int(value) | Self::Member(_, value) => (value as u32).into(),
            Self::Float(value) => bits32(value).into(),
            Self::Int64(value) => value as u64,
            Self::Double(value) => bits64(value),
            Self::Truth(value) => value.into(),
            Self::Text(value) => value.0.into(),
            _ => 0,
        }
    }
}

/// The type that a variable reads as.
#[inline]
pub(super) fn type_of(kind: Kind) -> Type {
    match kind {
        Kind::Plain(SlotKind::Bit) => Type::Bool,
        Kind::Plain(SlotKind::F32) => Type::Float,
        Kind::Plain(SlotKind::I64) => Type::Int64,
        Kind::Plain(SlotKind::F64) => Type::Double,
        Kind::Plain(SlotKind::Entity) => Type::Entity(0),
        Kind::Plain(SlotKind::Text) => Type::Text,
        Kind::Entity(kind) => Type::Entity(kind),
        Kind::Vector(2) => Type::Vec2,
        Kind::Vector(_) => Type::Vec3,
        Kind::Part => Type::Float,
        Kind::Plain(_) => Type::Int,
        Kind::Enum(index) => Type::Enum(index),
    }
}

/// Returns the type, the least and the greatest value of a narrow variable;
/// `None` for other variables.
pub(super) fn bounds(kind: Kind) -> Option<(&'static str, i32, i32)> {
    let Kind::Plain(kind) = kind else { return None };
    match kind {
        SlotKind::I8 => Some(("int8", -128, 127)),
        SlotKind::U8 => Some(("uint8", 0, 255)),
        SlotKind::I16 => Some(("int16", -32_768, 32_767)),
        SlotKind::U16 => Some(("uint16", 0, 65_535)),
        _ => None,
    }
}
