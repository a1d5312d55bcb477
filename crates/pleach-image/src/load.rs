//! Images from files.

use crate::buffer::AlignedBytes;
use crate::error::ImageError;
use crate::image::Image;
use std::io::Read;
use std::path::Path;

/// Reason why a file could not be loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file could not be read.
    Io(std::io::Error),
    /// The file is not a valid image.
    Image(ImageError),
}

impl core::fmt::Display for LoadError {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(out),
            Self::Image(error) => error.fmt(out),
        }
    }
}

impl core::error::Error for LoadError {}

impl From<ImageError> for LoadError {
    fn from(error: ImageError) -> Self {
        Self::Image(error)
    }
}

impl From<std::io::Error> for LoadError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl Image<AlignedBytes> {
    /// Reads a file into private memory and verifies it. Later changes of the file have no effect.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid image.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let mut file = std::fs::File::open(path)?;
        let length = usize::try_from(file.metadata()?.len()).map_err(std::io::Error::other)?;
        let mut data = AlignedBytes::zeroed(length).map_err(std::io::Error::other)?;
        file.read_exact(data.as_mut())?;
        Ok(Self::new(data)?)
    }
}
