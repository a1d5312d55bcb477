//! Format of compiled behavior trees: instruction set, file format, verifier, listing and
//! assembler.
//!
//! The compiler produces images and the runtime runs them. Neither depends on the other; both
//! depend on this crate. An [`Image`] is immutable and verified. [`format`](mod@format) describes
//! its layout in a file, [`isa`] the meaning of its code, and [`verify`] the guarantees of the
//! verifier. [`assemble`] puts code together, and [`listing`] prints it.
//!
//! ```
//! use pleach_image::{Image, format::{self, Parts}};
//! let nothing = format::write(&Parts::default());
//! let error = Image::copy(&nothing).unwrap_err();
//! assert_eq!(error.code(), "V0201"); // no meta row
//! ```
//!
//! Without the feature `std` the crate needs only `core` and `alloc`. Images are then created from
//! bytes, by [`Image::copy`] and [`Image::new`].

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
pub mod figures;
pub mod float;
pub mod format;
pub mod functions;
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
pub mod spelling;
pub mod splitmix;
pub mod suggest;
pub mod verify;

pub use debug::EnumSubject;
pub use error::ImageError;
pub use image::Image;
#[cfg(feature = "std")]
pub use load::LoadError;
