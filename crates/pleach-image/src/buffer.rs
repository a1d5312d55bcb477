//! Byte buffers that are aligned for every row type.

use alloc::collections::TryReserveError;
use alloc::{vec, vec::Vec};

/// Private copy of bytes, aligned to 8.
#[derive(Clone, Debug, Default)]
pub struct AlignedBytes {
    words: Vec<u64>,
    len: usize,
}

impl AlignedBytes {
    /// Copies `bytes`.
    #[must_use]
    pub fn copy(bytes: &[u8]) -> Self {
        let mut this = Self { words: vec![0; bytes.len().div_ceil(8)], len: bytes.len() };
        this.as_mut().copy_from_slice(bytes);
        this
    }

    /// Returns `len` zero bytes.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn zeroed(len: usize) -> Result<Self, TryReserveError> {
        let mut words = Vec::new();
        words.try_reserve_exact(len.div_ceil(8))?;
        words.resize(len.div_ceil(8), 0);
        Ok(Self { words, len })
    }
}

impl AsRef<[u8]> for AlignedBytes {
    fn as_ref(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.len]
    }
}

impl AsMut<[u8]> for AlignedBytes {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.len]
    }
}
