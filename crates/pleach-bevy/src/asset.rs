//! Compiled trees as assets.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use pleach::{Image, ImageError};
use std::sync::Arc;

/// Trees that were compiled into one image. Entities run them by [`Behavior`](crate::Behavior).
///
/// A change of the asset is a new build of the trees. Running agents continue in the new build.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct Trees {
    pub(crate) image: Arc<Image>,
}

impl Trees {
    /// Wraps an image from another source: from a pack file, or from the compiler in a development
    /// build.
    #[must_use]
    pub fn new(image: Image) -> Self {
        Self { image: Arc::new(image) }
    }

    /// Returns the image of the trees.
    #[must_use]
    pub fn image(&self) -> &Image {
        &self.image
    }
}

/// Loader of `*.plc` files, which `pleach build` writes. Every file is verified.
#[derive(Clone, Copy, Debug, Default, TypePath)]
pub struct ImageLoader;

/// Reason why a file of trees could not be loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum TreesError {
    /// The file could not be read.
    Io(std::io::Error),
    /// The file is not a valid image.
    Image(ImageError),
}

impl core::fmt::Display for TreesError {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(out),
            Self::Image(error) => error.fmt(out),
        }
    }
}

impl core::error::Error for TreesError {}

impl AssetLoader for ImageLoader {
    type Asset = Trees;
    type Settings = ();
    type Error = TreesError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> Result<Trees, TreesError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await.map_err(TreesError::Io)?;
        Image::copy(&bytes).map(Trees::new).map_err(TreesError::Image)
    }

    fn extensions(&self) -> &[&str] {
        &["plc"]
    }
}
