//! Enums whose members have a text each.

/// Declares an enum, a list of all its members, and a function that returns the text of a member.
macro_rules! named {
    (
        $(#[$of_type:meta])*
        $vis:vis enum $type:ident {
            $($(#[$of_member:meta])* $member:ident = $text:literal,)*
        }
        $(#[$of_text:meta])*
        $by:vis fn $name:ident
    ) => {
        $(#[$of_type])*
        $vis enum $type {
            $($(#[$of_member])* $member,)*
        }

        impl $type {
            /// All members, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$member),*];

            $(#[$of_text])*
            #[must_use]
            $by const fn $name(self) -> &'static str {
                match self {
                    $(Self::$member => $text,)*
                }
            }
        }
    };
}
pub(crate) use named;
