//! Tools for the text of trees in the language `pleach`: the formatter.
//!
//! Everything here works on text and gives text. A program that compiles and runs trees needs none
//! of it.

mod format;
mod tokens;

pub use format::{format, upgrade};
pub use tokens::Token;
