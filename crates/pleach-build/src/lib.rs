//! Trees of pleach in build scripts: compiled, checked and named where a game is built.
//!
//! The `main` of a build script, `build.rs`, names the trees of the game:
//!
//! ```no_run
//! pleach_build::Trees::new("guard").file("trees/guard.pleach").build();
//! ```
//!
//! The game includes the module that the script wrote. The module has the image and, as
//! identifiers, the names that trees and game share:
//!
//! ```ignore
//! // src/main.rs
//! include!(concat!(env!("OUT_DIR"), "/guard.rs"));
//!
//! let image = pleach::Image::copy(guard::IMAGE)?;
//! let program = pleach::Program::link(&image, &guard::Functions(Arena::default()))?;
//! ```
//!
//! Errors in trees fail the build and are printed with their lines. If any file that was read
//! changes, cargo runs the script again. The command `pleach` uses the same parts: [`files`],
//! [`findings`] and [`bindgen`].

pub mod bindgen;
mod error;
pub mod files;
pub mod findings;
pub mod text;
mod trees;

pub use error::Error;
pub use trees::{Output, Trees};
