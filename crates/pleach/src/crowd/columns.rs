//! Views of columns: the values of one variable for all 256 lanes of a chunk.
//!
//! The engines read and write these columns in place, so a game that keeps its data there copies
//! nothing. A game that has slices of its own can exchange a slice for a column around a tick. A
//! thread that ticks a [part](CrowdPart) of a crowd best writes that part's columns itself: then
//! they are in that processor's cache.

use super::{Crowd, CrowdPart};
use crate::layout::{BIT_WORDS, Frame};
use crate::store::chunk::Chunk;
use crate::store::columns::{bits, lanes, lanes_mut};
use crate::values::{AccessError, Agent, NumberValue, Variable};

/// View of the columns of a crowd or of a part of one. Chunks are counted from 0.
#[derive(Clone, Copy, Debug)]
pub struct ColumnView<'a> {
    chunks: &'a [Chunk],
    frame: &'a Frame,
}

impl<'a> ColumnView<'a> {
    fn chunk(&self, chunk: usize) -> Result<&'a Chunk, AccessError> {
        self.chunks.get(chunk).ok_or(AccessError::NoPlace)
    }

    /// Returns the number of chunks. Each has room for 256 agents of one tree.
    #[must_use]
    pub fn chunks(self) -> usize {
        self.chunks.len()
    }

    /// Returns the agents of a chunk with their lanes, by lane. A chunk
    /// that does not exist has none.
    pub fn agents_of(self, chunk: usize) -> impl Iterator<Item = (usize, Agent)> + 'a {
        let chunk = self.chunks.get(chunk).into_iter();
        chunk.flat_map(|chunk| chunk.lanes().map(|lane| (lane.into(), chunk.agent(lane))))
    }

    /// Returns the values of a number variable for all 256 lanes of a chunk.
    ///
    /// # Errors
    /// If there is no such chunk or variable, or the variable has another type.
    pub fn column<T: NumberValue>(self, chunk: usize, variable: Variable) -> Result<&'a [T], AccessError> {
        lanes(self.chunk(chunk)?, self.frame, variable)
    }

    /// Returns the values of a `bool` variable for all 256 lanes of a chunk. Lane `n` is
    /// bit `n % 64` of word `n / 64`.
    ///
    /// # Errors
    /// If there is no such chunk or variable, or the variable has another type.
    pub fn bits(self, chunk: usize, variable: Variable) -> Result<&'a [u64], AccessError> {
        let lanes = bits(self.frame, variable)?;
        Ok(&self.chunk(chunk)?.bits[lanes])
    }
}

/// View of the columns of a crowd, or of a part of one, that writes them.
#[derive(Debug)]
pub struct ColumnViewMut<'a> {
    chunks: &'a mut [Chunk],
    frame: &'a Frame,
}

impl<'a> ColumnViewMut<'a> {
    fn chunk(self, chunk: usize) -> Result<&'a mut Chunk, AccessError> {
        self.chunks.get_mut(chunk).ok_or(AccessError::NoPlace)
    }

    /// Returns the values of a number variable for all 256 lanes of a chunk. Values written to
    /// lanes without an agent have no effect.
    ///
    /// # Errors
    /// If there is no such chunk or variable, or the variable has another type.
    pub fn column<T: NumberValue>(
        self,
        chunk: usize,
        variable: Variable,
    ) -> Result<&'a mut [T], AccessError> {
        let frame = self.frame;
        lanes_mut(self.chunk(chunk)?, frame, variable)
    }

    /// Exchanges the values of a number variable for those of a slice of the game. Called before a
    /// tick and again after the tick, it lets the tick work on the slice's values. Lane `n` is
    /// element `n`. If the slice is shorter than 256, only that many lanes are exchanged.
    ///
    /// # Errors
    /// If there is no such chunk or variable, or the variable has another type.
    pub fn exchange<T: NumberValue>(
        self,
        chunk: usize,
        variable: Variable,
        slice: &mut [T],
    ) -> Result<(), AccessError> {
        let column = self.column::<T>(chunk, variable)?;
        let count = slice.len().min(column.len());
        column[..count].swap_with_slice(&mut slice[..count]);
        Ok(())
    }

    /// Returns the values of a `bool` variable for all 256 lanes of a chunk, as
    /// [`ColumnView::bits`] does. If a tree tests whether variables have changed, the variable
    /// counts as changed for all agents of the chunk.
    ///
    /// # Errors
    /// If there is no such chunk or variable, or the variable has another type.
    pub fn bits(self, chunk: usize, variable: Variable) -> Result<&'a mut [u64], AccessError> {
        let frame = self.frame;
        let chunk = self.chunk(chunk)?;
        let lanes = bits(frame, variable)?;
        if let Some(changes) = frame.changes {
            chunk.bits[changes as usize..][..BIT_WORDS].fill(u64::MAX);
        }
        Ok(&mut chunk.bits[lanes])
    }
}

/// Columns.
impl Crowd {
    /// Returns a view of the crowd's columns.
    #[must_use]
    pub fn columns(&self) -> ColumnView<'_> {
        ColumnView { chunks: &self.chunks, frame: &self.program.parts.frame }
    }

    /// Returns a view that writes the crowd's columns.
    pub fn columns_mut(&mut self) -> ColumnViewMut<'_> {
        ColumnViewMut { chunks: &mut self.chunks, frame: &self.program.parts.frame }
    }
}

impl CrowdPart<'_> {
    /// Returns a view of the part's columns. Its chunks are counted from
    /// the first chunk of the part.
    #[must_use]
    pub fn columns(&self) -> ColumnView<'_> {
        ColumnView { chunks: self.chunks, frame: &self.program.parts.frame }
    }

    /// Returns a view that writes the part's columns. Its chunks are counted from
    /// the first chunk of the part.
    pub fn columns_mut(&mut self) -> ColumnViewMut<'_> {
        ColumnViewMut { chunks: self.chunks, frame: &self.program.parts.frame }
    }
}
