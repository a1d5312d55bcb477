//! What a compiled behavior tree is: the instruction set, the file format, the verifier, the listing and the assembler.
//!
//! This crate is the waist of pleach. The compiler produces images, the runtime runs them, and the two never see each
//! other. An [`Image`] is immutable and verified; [`format`](mod@format) says how it lies in a file, [`isa`] what its code means,
//! [`verify`] what may be relied on, [`assemble`] how code is put together, [`listing`] how it is shown.
//!
//! ```
//! use pleach_image::{Image, format::{self, Parts}};
//! let nothing = format::write(&Parts::default());
//! let error = Image::copy(&nothing).unwrap_err();
//! assert_eq!(error.code(), "V0201"); // no meta row
//! ```

#[cfg(target_endian = "big")]
compile_error!(
    "pleach images are little-endian and are cast in place: big-endian machines are not supported"
);

pub mod assemble;
pub mod bounds;
pub mod buffer;
mod debug;
pub mod error;
pub mod format;
pub mod image;
pub mod isa;
pub mod key;
pub mod listing;
#[cfg(feature = "mmap")]
mod map;
mod rule;
pub mod suggest;
pub mod verify;

pub use error::ImageError;
pub use image::{Image, LoadError};
