//! Behavior trees for crowds of game agents, for C and C++.
//!
//! This crate exposes `pleach` as functions that any language can call. `include/pleach.h` is
//! generated from this source, and has the documentation for users. The crate builds a static and a
//! shared library. The Rust library is for tests and measurements.
//!
//! No panic crosses the border, and no signature has a Rust type. An invalid number, text or handle
//! is reported by a status. The caller promises what cannot be checked, once for all functions:
//!
//! # The contract
//!
//! A pointer with a count leads to that many elements. Null is allowed if the count is 0. A pointer
//! to a result may be written. A struct that begins with `struct_size` has that many bytes. All
//! this holds while the function runs; the library copies what it keeps. Callbacks can be called as
//! their types say, return normally, and keep no pointer that they were handed.
//!
//! ```
//! use pleach_capi::*;
//! let mut image = 0;
//! // SAFETY: the bytes exist, and the result may be written.
//! let status = unsafe { pleach_image_copy(b"no image".as_ptr().cast(), 8, &mut image) };
//! assert_eq!((status, image), (status::E_IMAGE, 0));
//! ```

#![expect(unsafe_code, reason = "the border to C: pointers in, pointers out")]
#![allow(non_camel_case_types, reason = "the names are those of the header")]
#![deny(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used
)]
#![cfg_attr(
    test,
    allow(
        clippy::expect_used,
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "a test ends there"
    )
)]

mod abi;
mod border;
mod context;
mod guard;
mod handles;
mod host;
mod kinds;
mod last;
pub mod status;

// The functions of the header are in this order.
mod about;

mod image;

mod program;

mod crowd;

mod values;

mod shared;

mod tunables;

mod calls;

mod state;

mod watch;

mod parts;

mod rules;

mod forests;

#[cfg(feature = "compile")]
mod compile;

#[cfg(feature = "allocator")]
mod memory;

pub use abi::*;
pub use about::*;
pub use calls::*;
#[cfg(feature = "compile")]
pub use compile::*;
pub use crowd::*;
pub use forests::*;
pub use image::*;
#[cfg(feature = "allocator")]
pub use memory::*;
pub use parts::*;
pub use program::*;
pub use rules::*;
pub use shared::*;
pub use state::*;
pub use tunables::*;
pub use values::*;
pub use watch::*;
