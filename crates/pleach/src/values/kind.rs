//! Kinds of columns, and the numbers that their bits stand for.

use pleach_image::float::{bits32, bits64};
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
    /// The number of a text: 32 bits.
    Text TEXT;
    /// A time: a 32-bit integer.
    Time TIME;
    I64 I64;
    F64 F64;
    /// A number of the host.
    Entity ENTITY;
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

    /// Returns true for the kinds whose values are words, which expressions do not compute as
    /// doubles.
    #[inline]
    pub(crate) fn is_word(self) -> bool {
        matches!(self, Self::I64 | Self::Entity)
    }

    /// Returns true for the kinds of variables with 8 bytes.
    pub(crate) fn is_wide(self) -> bool {
        self.is_word() || self == Self::F64
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
        Kind::I64 => "i64",
        Kind::F64 => "f64",
        Kind::Entity => "entity",
        Kind::Text => "text",
        Kind::Node | Kind::Set | Kind::Time | Kind::Moment | Kind::Data => "the machine's own",
    }
}

/// Returns the bits of the nearest value that a column of this kind can hold. A NaN is 0 among
/// integers, the canonical NaN among floats.
#[inline]
pub(crate) fn stored(kind: Kind, number: f64) -> u64 {
    let within = |low: i32, high: i32| ((number as i32).clamp(low, high) as u32).into();
    match kind {
        Kind::Bit => (number != 0.0).into(),
        Kind::I8 => within(i8::MIN.into(), i8::MAX.into()),
        Kind::U8 => within(0, u8::MAX.into()),
        Kind::I16 => within(i16::MIN.into(), i16::MAX.into()),
        Kind::U16 | Kind::Node | Kind::Set => within(0, u16::MAX.into()),
        Kind::I32 | Kind::Time | Kind::Text => (number as i32 as u32).into(),
        Kind::F32 => bits32(number as f32).into(),
        Kind::F64 => bits64(number),
        Kind::I64 => number as i64 as u64,
        Kind::Entity => number as u64,
        Kind::Moment | Kind::Data => 0,
    }
}

/// Returns the number that bits of a column of this kind stand for.
#[inline]
pub(crate) fn loaded(kind: Kind, bits: u64) -> f64 {
    match kind {
        Kind::F32 => f32::from_bits(bits as u32).into(),
        Kind::F64 => f64::from_bits(bits),
        Kind::I64 | Kind::Moment => bits as i64 as f64,
        Kind::Entity => bits as f64,
        _ => (bits as i32).into(),
    }
}

/// Returns the bits of a column for an entry of the stack of expressions: a word, or the bits of a
/// double.
#[inline]
pub(crate) fn held(kind: Kind, entry: u64) -> u64 {
    if kind.is_word() { entry } else { stored(kind, f64::from_bits(entry)) }
}

/// Returns the entry of the stack of expressions for the bits of a column.
#[inline]
pub(crate) fn entry_of(kind: Kind, bits: u64) -> u64 {
    if kind.is_word() { bits } else { loaded(kind, bits).to_bits() }
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
        assert_eq!(stored(Kind::I64, 1e300) as i64, i64::MAX);
        let word = u64::MAX - 7;
        assert_eq!([Kind::I64, Kind::Entity].map(|kind| held(kind, entry_of(kind, word))), [word; 2]);
    }
}
