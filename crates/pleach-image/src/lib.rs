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
//!
//! Without the feature `std` it needs no more than `core` and `alloc`; images then come from bytes, by [`Image::copy`] and
//! [`Image::new`].

#![no_std]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(target_endian = "big")]
compile_error!(
    "pleach images are little-endian and are cast in place: big-endian machines are not supported"
);

pub mod assemble;
pub mod bounds;
pub mod buffer;
mod debug;
mod enums;
pub mod error;
pub mod float;
pub mod format;
pub mod image;
pub mod isa;
pub mod key;
pub mod listing;
#[cfg(feature = "std")]
mod load;
#[cfg(feature = "mmap")]
mod map;
mod rule;
#[cfg(all(feature = "sealed", target_os = "linux"))]
pub mod sealed;
pub mod splitmix;
pub mod suggest;
pub mod verify;

pub use error::ImageError;
pub use image::Image;
#[cfg(feature = "std")]
pub use load::LoadError;
