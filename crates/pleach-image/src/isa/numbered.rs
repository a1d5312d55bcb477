//! Common form of both instruction tables: permanent numbers, each with a name and a meaning.

macro_rules! numbered {
    ($(#[$doc:meta])* $kind:ident { $($number:literal $name:ident $mnemonic:literal $meaning:literal)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $kind {
            $(#[doc = $meaning] $name = $number,)*
        }

        impl $kind {
            /// All rows of the table, by number.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the row with this number.
            #[must_use]
            pub const fn from_number(number: u8) -> Option<Self> {
                match number {
                    $($number => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Returns the word that stands for it in a listing.
            #[must_use]
            pub const fn mnemonic(self) -> &'static str {
                match self { $(Self::$name => $mnemonic,)* }
            }

            /// Returns the meaning in one line.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }
        }
    };
}

pub(super) use numbered;
