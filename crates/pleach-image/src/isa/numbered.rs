//! What both instruction tables have in common: numbers that are permanent, a name and a meaning for each.

macro_rules! numbered {
    ($(#[$doc:meta])* $kind:ident { $($number:literal $name:ident $mnemonic:literal $meaning:literal)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $kind {
            $(#[doc = $meaning] $name = $number,)*
        }

        impl $kind {
            /// All of them, by number.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The one with this number.
            #[must_use]
            pub const fn from_number(number: u8) -> Option<Self> {
                match number {
                    $($number => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// The word for it in a listing.
            #[must_use]
            pub const fn mnemonic(self) -> &'static str {
                match self { $(Self::$name => $mnemonic,)* }
            }

            /// What it does, in one line.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }
        }
    };
}

pub(super) use numbered;
