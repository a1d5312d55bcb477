//! Images in sealed memory, which processes share and none can change.
//!
//! A mapped file can change after it has been verified, so mapping a file is unsafe. Linux has
//! files in memory that can be sealed. After that no process can write to the file or shorten it,
//! not even the one that created it, and a seal cannot be removed. So one process [seals](seal())
//! an image and hands the file to others. These need not trust the sender: they ask the system for
//! the seals, verify the bytes, and share the pages.
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

/// Required seals: against writing, and against a change of the length.
const SEALS: SealFlags = SealFlags::WRITE.union(SealFlags::SHRINK).union(SealFlags::GROW);

/// Copies bytes into memory that can no longer be changed. The file can be handed to other
/// processes.
///
/// # Errors
/// If the system does not provide such memory.
pub fn seal(bytes: &[u8]) -> io::Result<File> {
    let memory = memfd_create("pleach", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    let mut file = File::from(memory);
    file.write_all(bytes)?;
    fcntl_add_seals(&file, SEALS | SealFlags::SEAL)?;
    Ok(file)
}

impl Image<Mmap> {
    /// Maps memory that was sealed in this process or another, and verifies it. All processes that
    /// map it share its pages.
    ///
    /// # Errors
    /// If the file is not sealed against writing, shrinking and growing, cannot be mapped, or is
    /// not a valid image.
    #[expect(unsafe_code, reason = "mapping a file is what this function is for")]
    pub fn map_sealed(file: &File) -> Result<Self, LoadError> {
        if !fcntl_get_seals(file).map_err(io::Error::from)?.contains(SEALS) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is not sealed").into());
        }
        // SAFETY: the system has just confirmed that the file cannot be written or shortened, and
        // seals are permanent. So the map is constant memory. Code that relies on its content goes
        // through the verifier in `Image::new`.
        let map = unsafe { MmapOptions::new().populate().map(file)? };
        Ok(Self::new(map)?)
    }
}
