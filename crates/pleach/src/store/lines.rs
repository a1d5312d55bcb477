//! Arrays that begin with a cache line.
//!
//! A column of a chunk is a multiple of 64 bytes long, so in such an array no vector of 64 bytes
//! lies in two cache lines. What an allocator gives for a plain array lies where it happens to:
//! sweeps over it take up to a third longer.

use alloc::boxed::Box;
use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use bytemuck::{Pod, Zeroable};
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

/// 64 bytes, aligned: the length of a cache line and of the widest vector.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
struct CacheLine([u8; 64]);

/// Numbers, as many as fill lines.
#[derive(Clone, Debug)]
pub(crate) struct Lines<T> {
    lines: Box<[CacheLine]>,
    numbers: PhantomData<T>,
}

impl<T: Pod> Lines<T> {
    /// Returns at least this number of zeros.
    pub(crate) fn new(count: usize) -> Result<Self, TryReserveError> {
        let lines = (count * size_of::<T>()).div_ceil(size_of::<CacheLine>());
        Ok(Self { lines: filled(lines, CacheLine::zeroed())?, numbers: PhantomData })
    }
}

/// Returns this number of copies of a value.
///
/// # Errors
/// If there is no memory for them.
pub(crate) fn filled<T: Clone>(count: usize, value: T) -> Result<Box<[T]>, TryReserveError> {
    let mut values = Vec::new();
    values.try_reserve_exact(count)?;
    values.resize(count, value);
    Ok(values.into())
}

impl<T: Pod> Deref for Lines<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.lines)
    }
}

impl<T: Pod> DerefMut for Lines<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.lines)
    }
}
