//! Mapping a file instead of reading it: the one place of this crate with unsafe code.

use crate::image::Image;
use crate::load::LoadError;
use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::path::Path;

impl Image<Mmap> {
    /// Maps a file and verifies it. Pages are shared with every process that maps the same file; for that one gives up
    /// that [`Image::load`] is immune to what happens to the file.
    ///
    /// # Safety
    /// Nobody may change or shorten the file while the image lives, in this process or another. A write shows
    /// through the map, private or not, and makes what was verified something else; reading behind a shortened end
    /// raises SIGBUS. Replacing the file by renaming another over it is safe.
    ///
    /// # Errors
    /// If the file cannot be mapped or is no valid image.
    #[expect(unsafe_code, reason = "mapping a file is what this function is for")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let file = File::open(path)?;
        // The checksum is over all pages, so they are asked for at once.
        // SAFETY: the caller promises that the file does not change; then the map is constant memory, and all that
        // relies on its content goes through the verifier in `Image::new`.
        let map = unsafe { MmapOptions::new().populate().map(&file)? };
        Ok(Self::new(map)?)
    }
}
