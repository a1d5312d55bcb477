//! Typed access to variables.
//!
//! A variable's type is that of its declaration. Who asks for another one is told so, instead of getting bits that mean
//! something else; a number of whatever type can be asked for as `f64`, which holds all of them.

use crate::agents::Stale;
use crate::frame::Kind;
use core::fmt;
use pleach_image::float::bits32;

/// A type that variables have: `bool`, `i8`, `u8`, `i16`, `u16`, `i32` or `f32`.
pub trait Cell: Copy + sealed::Cell {}

/// A type that columns of numbers have: any [`Cell`] but `bool`, whose columns are bits.
pub trait Number: Cell + bytemuck::Pod {}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type(pub(crate) Kind);

impl Type {
    /// The type of columns with values of this type.
    #[must_use]
    pub fn of<T: Cell>() -> Self {
        Self(T::KIND)
    }
}

pub(crate) mod sealed {
    use crate::frame::Kind;

    pub trait Cell: Sized {
        #[doc(hidden)]
        #[expect(private_interfaces, reason = "nobody else implements or calls this")]
        const KIND: Kind;
        #[doc(hidden)]
        fn of(bits: u32) -> Self;
        #[doc(hidden)]
        fn bits(self) -> u32;
    }
}

macro_rules! cells {
    ($($ty:ident $kind:ident |$bits:ident| $of:expr, |$value:ident| $to:expr;)*) => {
        $(
            impl Cell for $ty {}

            impl sealed::Cell for $ty {
                #[expect(private_interfaces, reason = "nobody else implements or calls this")]
                const KIND: Kind = Kind::$kind;

                fn of($bits: u32) -> Self {
                    $of
                }

                fn bits(self) -> u32 {
                    let $value = self;
                    $to
                }
            }
        )*
    };
}

cells! {
    bool Bit |bits| bits != 0, |value| value.into();
    i8 I8 |bits| bits as Self, |value| i32::from(value) as u32;
    u8 U8 |bits| bits as Self, |value| value.into();
    i16 I16 |bits| bits as Self, |value| i32::from(value) as u32;
    u16 U16 |bits| bits as Self, |value| value.into();
    i32 I32 |bits| bits as Self, |value| value as u32;
    f32 F32 |bits| Self::from_bits(bits), |value| bits32(value);
}

impl Number for i8 {}
impl Number for u8 {}
impl Number for i16 {}
impl Number for u16 {}
impl Number for i32 {}
impl Number for f32 {}

/// A variable could not be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl From<Stale> for AccessError {
    fn from(Stale: Stale) -> Self {
        Self::Stale
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => Stale.fmt(out),
            Self::NoVariable => out.write_str("the variable is not one of this program"),
            Self::Type { asked, held } => write!(out, "the variable is `{held}`, not `{asked}`"),
            Self::NoPlace => out.write_str("the crowd has no such chunk or group"),
        }
    }
}

impl core::error::Error for AccessError {}

/// The name of a type of variables.
pub(crate) fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bit => "bool",
        Kind::I8 => "i8",
        Kind::U8 => "u8",
        Kind::I16 => "i16",
        Kind::U16 => "u16",
        Kind::I32 => "i32",
        Kind::F32 => "f32",
        Kind::Node | Kind::Set | Kind::Time | Kind::Moment | Kind::Data => "the machine's own",
    }
}
