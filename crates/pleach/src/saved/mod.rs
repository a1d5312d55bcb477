//! The form of saved states: rows, the description of the program, and errors.

pub(crate) mod error;
pub(crate) mod format;
pub(crate) mod layout;
pub(crate) mod world;
