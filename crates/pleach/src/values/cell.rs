//! Typed access to variables.
//!
//! A variable's type is that of its declaration. Access with another type is an error, so bits are
//! never misread. A number of any type can be read as `f64`, which holds all values of all types
//! but large numbers of 64 bits.

use crate::values::{Kind, StaleAgent, type_name};
use bytemuck::{Pod, Zeroable};
use core::fmt;
use pleach_image::float::{bits32, bits64};

/// Entity of the host: any number that the host gives, which trees only pass on and compare. 0 is
/// none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct EntityId(pub u64);

impl EntityId {
    /// No entity.
    pub const NONE: Self = Self(0);
}

/// Text of a variable, by its number in a crowd. See
/// [`Crowd::intern`](crate::Crowd::intern). 0 is the empty text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct TextId(pub u32);

impl From<TextId> for f64 {
    /// Returns the answer of a query that answers a text.
    fn from(text: TextId) -> Self {
        text.0.into()
    }
}

/// Types of variables: `bool`, `i8`, `u8`, `i16`, `u16`, `i32`, `i64`, `f32`, `f64`, [`EntityId`]
/// or [`TextId`].
pub trait VariableValue: Copy + sealed::Sealed {}

/// Types of columns of numbers: any [`VariableValue`] but `bool`, whose columns are bits.
pub trait NumberValue: VariableValue + bytemuck::Pod {}

/// Type of the values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type(pub(crate) Kind);

impl Type {
    /// Returns the type of columns whose values have this Rust type.
    #[must_use]
    pub fn of<T: VariableValue>() -> Self {
        Self(T::KIND)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(type_name(self.0))
    }
}

pub(crate) mod sealed {
    use crate::values::Kind;

    pub trait Sealed: Sized {
        #[doc(hidden)]
        #[expect(private_interfaces, reason = "nobody else implements or calls this")]
        const KIND: Kind;
        #[doc(hidden)]
        fn of(bits: u64) -> Self;
        #[doc(hidden)]
        fn bits(self) -> u64;
    }
}

macro_rules! cells {
    ($($ty:ident $kind:ident |$bits:ident| $of:expr, |$value:ident| $to:expr;)*) => {
        $(
            impl VariableValue for $ty {}

            impl sealed::Sealed for $ty {
                #[expect(private_interfaces, reason = "nobody else implements or calls this")]
                const KIND: Kind = Kind::$kind;

                fn of($bits: u64) -> Self {
                    $of
                }

                fn bits(self) -> u64 {
                    let $value = self;
                    $to
                }
            }
        )*
    };
}

cells! {
    bool Bit |bits| bits != 0, |value| value.into();
    i8 I8 |bits| bits as Self, |value| (i32::from(value) as u32).into();
    u8 U8 |bits| bits as Self, |value| value.into();
    i16 I16 |bits| bits as Self, |value| (i32::from(value) as u32).into();
    u16 U16 |bits| bits as Self, |value| value.into();
    i32 I32 |bits| bits as Self, |value| (value as u32).into();
    f32 F32 |bits| Self::from_bits(bits as u32), |value| bits32(value).into();
    i64 I64 |bits| bits as Self, |value| value as u64;
    f64 F64 |bits| Self::from_bits(bits), |value| bits64(value);
    EntityId Entity |bits| Self(bits), |value| value.0;
    TextId Text |bits| Self(bits as u32), |value| value.0.into();
}

impl NumberValue for i8 {}
impl NumberValue for u8 {}
impl NumberValue for i16 {}
impl NumberValue for u16 {}
impl NumberValue for i32 {}
impl NumberValue for f32 {}
impl NumberValue for i64 {}
impl NumberValue for f64 {}
impl NumberValue for EntityId {}
impl NumberValue for TextId {}

/// Reason why a variable could not be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccessError {
    /// The agent is gone.
    Stale,
    /// The variable is not one of this program.
    NoVariable,
    /// The variable has another type.
    Type {
        /// The type that was asked for.
        asked: &'static str,
        /// The type it has.
        held: &'static str,
    },
    /// The crowd has no such chunk or group.
    NoPlace,
}

impl From<StaleAgent> for AccessError {
    fn from(StaleAgent: StaleAgent) -> Self {
        Self::Stale
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => StaleAgent.fmt(out),
            Self::NoVariable => out.write_str("the variable is not one of this program"),
            Self::Type { asked, held } => write!(out, "the variable is `{held}`, not `{asked}`"),
            Self::NoPlace => out.write_str("the crowd has no such chunk or group"),
        }
    }
}

impl core::error::Error for AccessError {}
