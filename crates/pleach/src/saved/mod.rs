//! The form of saved states: their rows, what they say of their program,
//! what can be wrong with them.

pub(crate) mod error;
pub(crate) mod format;
pub(crate) mod layout;
pub(crate) mod world;
