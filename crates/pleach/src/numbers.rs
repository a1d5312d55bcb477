//! Numbers for what is found by name, for languages and files that know no types of ours.

use crate::frame::Variable;
use crate::rules::Rule;
use crate::world::{Event, Group, SharedVariable};

macro_rules! numbers {
    ($($name:ident $what:literal;)*) => {
        $(
            impl $name {
                #[doc = concat!("The ", $what, " as a number.")]
                #[must_use]
                pub fn number(self) -> u32 {
                    self.0.into()
                }

                #[doc = concat!("The ", $what, " of a number. One that is not there is refused where it is used.")]
                #[doc = "`None` for numbers that none has."]
                #[must_use]
                pub fn from_number(number: u32) -> Option<Self> {
                    number.try_into().ok().map(Self)
                }
            }
        )*
    };
}

numbers! {
    Variable "variable";
    SharedVariable "shared variable";
    Event "event";
    Group "group";
    Rule "rule";
}
