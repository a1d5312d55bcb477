//! Images in sealed memory: shared between processes, and changed by none.
//!
//! A file that is mapped can change after it has been verified, so mapping one is unsafe. Linux has memory that is a file and can
//! be sealed: from then on nobody can write to it or make it shorter, who made it included, and a seal cannot be taken off. So one
//! process [seals](seal()) an image and hands the file to others, which need not trust it: they ask the system for the seals
//! themselves, verify the bytes, and share the pages.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use pleach_image::{Image, sealed::seal};
//! let file = seal(b"no image at all")?;
//! assert!(Image::map_sealed(&file).is_err());
//! # Ok(())
//! # }
//! ```

use crate::image::Image;
use crate::load::LoadError;
use memmap2::{Mmap, MmapOptions};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, memfd_create};
use std::fs::File;
use std::io::{self, Write as _};

/// What must be sealed: nobody writes, and the file stays as long as it is.
const SEALS: SealFlags = SealFlags::WRITE.union(SealFlags::SHRINK).union(SealFlags::GROW);

/// Copies bytes into memory that nobody can change any more. The file can be handed to other processes.
///
/// # Errors
/// If the system gives no such memory.
pub fn seal(bytes: &[u8]) -> io::Result<File> {
    let memory = memfd_create("pleach", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    let mut file = File::from(memory);
    file.write_all(bytes)?;
    fcntl_add_seals(&file, SEALS | SealFlags::SEAL)?;
    Ok(file)
}

impl Image<Mmap> {
    /// Maps memory that was sealed, here or in another process, and verifies it. Its pages are shared with all that map it.
    ///
    /// # Errors
    /// If the file is not sealed against writing, shrinking and growing, cannot be mapped, or is no valid image.
    #[expect(unsafe_code, reason = "mapping a file is what this function is for")]
    pub fn map_sealed(file: &File) -> Result<Self, LoadError> {
        if !fcntl_get_seals(file).map_err(io::Error::from)?.contains(SEALS) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is not sealed").into());
        }
        // SAFETY: the system has just said that nobody can write to the file or shorten it, and seals stay; so the map is
        // constant memory, and all that relies on its content goes through the verifier in `Image::new`.
        let map = unsafe { MmapOptions::new().populate().map(file)? };
        Ok(Self::new(map)?)
    }
}
