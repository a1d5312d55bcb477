//! Trees of pleach where a game is built.
//!
//! [`bindgen`] writes the names that trees and a game share as source text of the game's language. The command `pleach bindgen`
//! and build scripts use the same generator.

pub mod bindgen;
