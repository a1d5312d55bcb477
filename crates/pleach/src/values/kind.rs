//! Kinds of columns, and the numbers that their bits stand for.

use pleach_image::float::bits32;
use pleach_image::format::slot_kind;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $number:ident;)*) => {
        /// Type of a column.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// Returns what slots of this kind of an image hold.
            pub(crate) fn of(kind: u32) -> Self {
                match kind {
                    $(slot_kind::$number => Self::$name,)*
                    _ => Self::Set,
                }
            }

            /// Returns the number of this kind in images.
            pub(crate) fn number(self) -> u32 {
                match self {
                    $(Self::$name => slot_kind::$number,)*
                }
            }
        }
    };
}

kinds! {
    /// One bit a lane, in [`BIT_WORDS`] words.
    Bit BIT;
    I8 I8;
    U8 U8;
    I16 I16;
    U16 U16;
    /// A node id, or 0: 16 bits.
    Node NODE;
    /// A count and that many node ids at most: 16 bits each.
    Set NODE_SET;
    I32 I32;
    F32 F32;
    /// A time: a 32-bit integer.
    Time TIME;
    /// A moment: a 64-bit integer.
    Moment MOMENT;
    /// Bytes of the host.
    Data DATA;
}

impl Kind {
    /// Returns the kind that images number so, if there is one.
    pub(crate) fn known(number: u32) -> Option<Self> {
        Some(Self::of(number)).filter(|kind| kind.number() == number)
    }

    /// Returns true for the kinds of variables; the other kinds are the machine's own.
    pub(crate) fn is_variable(self) -> bool {
        !matches!(self, Self::Node | Self::Set | Self::Time | Self::Moment | Self::Data)
    }
}

/// Returns the name of a type of variables.
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

/// Returns the bits of the nearest value that a column of this kind can hold. A NaN is 0 among
/// integers, the canonical NaN among floats.
#[inline]
pub(crate) fn stored(kind: Kind, number: f64) -> u32 {
    let within = |low: i32, high: i32| (number as i32).clamp(low, high) as u32;
    match kind {
        Kind::Bit => (number != 0.0).into(),
        Kind::I8 => within(i8::MIN.into(), i8::MAX.into()),
        Kind::U8 => within(0, u8::MAX.into()),
        Kind::I16 => within(i16::MIN.into(), i16::MAX.into()),
        Kind::U16 | Kind::Node | Kind::Set => within(0, u16::MAX.into()),
        Kind::I32 | Kind::Time => (number as i32) as u32,
        Kind::F32 => bits32(number as f32),
        Kind::Moment | Kind::Data => 0,
    }
}

/// Returns the number that bits of a column of this kind stand for.
#[inline]
pub(crate) fn loaded(kind: Kind, bits: u32) -> f64 {
    if kind == Kind::F32 { f32::from_bits(bits).into() } else { (bits as i32).into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_stored_as_the_nearest() {
        assert_eq!(stored(Kind::I8, -200.0) as i32, -128);
        assert_eq!(stored(Kind::U8, 300.5), 255);
        assert_eq!(stored(Kind::U16, f64::NAN), 0);
        assert_eq!(stored(Kind::I32, 1e20) as i32, i32::MAX);
        assert_eq!(loaded(Kind::F32, stored(Kind::F32, 0.1)), f64::from(0.1_f32));
    }
}
