//! Compiled trees as assets.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use pleach::{Image, ImageError};
use std::sync::Arc;

/// Trees that were compiled into one image. Entities run them by [`Behavior`](crate::Behavior); a change of the asset is a new build
/// of the trees.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct Trees {
    pub(crate) image: Arc<Image>,
}

impl Trees {
    /// Trees that the game has from elsewhere: from a pack file, or from a compiler that is built into a development build.
    #[must_use]
    pub fn new(image: Image) -> Self {
        Self { image: Arc::new(image) }
    }

    /// What they were compiled to.
    #[must_use]
    pub fn image(&self) -> &Image {
        &self.image
    }
}

/// Loads files called `*.plc`, as `pleach build` writes them, and verifies them.
#[derive(Clone, Copy, Debug, Default, TypePath)]
pub struct ImageLoader;

/// A file of trees could not be loaded.
#[derive(Debug)]
pub enum TreesError {
    /// It could not be read.
    Io(std::io::Error),
    /// It is no valid image.
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
