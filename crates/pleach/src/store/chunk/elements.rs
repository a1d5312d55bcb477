//! Elements of a chunk's columns: the value of one lane.

use super::Chunk;
use crate::layout::Column;
use crate::layout::paths::{LISTED, RunningPaths};

impl Chunk {
    #[inline]
    pub(crate) fn bit(&self, first: u32, lane: u8) -> bool {
        self.bits[first as usize + usize::from(lane) / 64] >> (lane % 64) & 1 != 0
    }

    #[inline]
    pub(crate) fn set_bit(&mut self, first: u32, lane: u8, value: bool) {
        let word = &mut self.bits[first as usize + usize::from(lane) / 64];
        *word = *word & !(1 << (lane % 64)) | u64::from(value) << (lane % 64);
    }

    #[inline]
    pub(crate) fn half(&self, first: u32, lane: u8) -> u16 {
        self.halves[first as usize + usize::from(lane)]
    }

    #[inline]
    pub(crate) fn half_mut(&mut self, first: u32, lane: u8) -> &mut u16 {
        &mut self.halves[first as usize + usize::from(lane)]
    }

    #[inline]
    pub(crate) fn word(&self, first: u32, lane: u8) -> u32 {
        self.words[first as usize + usize::from(lane)]
    }

    #[inline]
    pub(crate) fn word_mut(&mut self, first: u32, lane: u8) -> &mut u32 {
        &mut self.words[first as usize + usize::from(lane)]
    }

    pub(crate) fn data(&self, column: Column, lane: u8) -> &[u8] {
        let stride = usize::from(column.stride);
        &self.bytes[column.first as usize + usize::from(lane) * stride..][..stride]
    }

    /// Returns the bytes of a node of the host.
    pub(crate) fn data_mut(&mut self, column: Column, lane: u8) -> &mut [u8] {
        let stride = usize::from(column.stride);
        &mut self.bytes[column.first as usize + usize::from(lane) * stride..][..stride]
    }

    #[inline]
    pub(crate) fn moment(&self, first: u32, lane: u8) -> i64 {
        self.moments[first as usize + usize::from(lane)]
    }

    #[inline]
    pub(crate) fn moment_mut(&mut self, first: u32, lane: u8) -> &mut i64 {
        &mut self.moments[first as usize + usize::from(lane)]
    }

    /// Returns the nodes of a set, behind their count.
    #[inline]
    pub(crate) fn set(&self, first: u32, stride: u16, lane: u8) -> &[u16] {
        if let Some(paths) = &self.paths
            && let number = self.half(paths.column, lane)
            && number != LISTED
        {
            return paths.list(number);
        }
        let stride = usize::from(stride);
        &self.halves[first as usize + usize::from(lane) * stride..][..stride]
    }

    /// Returns the list of a set, which it is from now on.
    #[inline]
    pub(crate) fn set_mut(&mut self, first: u32, stride: u16, lane: u8) -> &mut [u16] {
        if let Some(paths) = self.paths.clone() {
            self.list(&paths, lane);
        }
        let stride = usize::from(stride);
        &mut self.halves[first as usize + usize::from(lane) * stride..][..stride]
    }

    /// Puts a set that is a number down as a list.
    fn list(&mut self, paths: &RunningPaths, lane: u8) {
        self.is_listed = true;
        let number = core::mem::replace(self.half_mut(paths.column, lane), LISTED);
        if number != LISTED {
            let stride = usize::from(paths.stride);
            let first = paths.first as usize + usize::from(lane) * stride;
            self.halves[first..first + stride].copy_from_slice(paths.list(number));
        }
    }
}
