//! Images mapped from files. Mapping is unsafe, because a file can change.

use crate::image::Image;
use crate::load::LoadError;
use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::path::Path;

impl Image<Mmap> {
    /// Maps a file and verifies it. All processes that map the file share its pages. In return, the
    /// image depends on the file staying as it is; an image of [`Image::load`] does not.
    ///
    /// # Safety
    /// The file must not be changed or shortened while the image lives, in this process or another.
    /// A write shows through the map, even a private one, and invalidates what was verified. A read
    /// behind a shortened end raises SIGBUS. Replacing the file by renaming another over it is
    /// safe.
    ///
    /// # Errors
    /// If the file cannot be mapped or is not a valid image.
    #[expect(unsafe_code, reason = "mapping a file is what this function is for")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let file = File::open(path)?;
        // `populate`: the checksum reads all pages, so they are requested at once.
        // SAFETY: the caller promises that the file does not change, so the map is constant memory.
        // Code that relies on its content goes through the verifier in `Image::new`.
        let map = unsafe { MmapOptions::new().populate().map(&file)? };
        Ok(Self::new(map)?)
    }
}
