//! The frame: what an agent carries, and where in a chunk it is.
//!
//! A chunk holds three arrays, of bits, of 16-bit and of 32-bit numbers, each cut into columns of 256 lanes. A slot of
//! the image is a column, so the values of one slot for all agents lie side by side.

use pleach_image::Image;
use pleach_image::format::slot_kind;

/// Lanes of a chunk: agents that share their columns.
pub(crate) const LANES: usize = 256;
/// Words of a bit column.
pub(crate) const BIT_WORDS: usize = LANES / 64;

/// A variable of the frame that the host may read and write, found by [`crate::Program::variable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable(pub(crate) u16);

/// Where a slot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// Words `first..first + BIT_WORDS` of the bits.
    Bit { first: u32 },
    /// One 16-bit number a lane from `first` on.
    Node { first: u32 },
    /// One 32-bit number a lane from `first` on.
    Time { first: u32 },
    /// `stride` 16-bit numbers a lane from `first` on: a count, then that many ids.
    Set { first: u32, stride: u32 },
}

/// A slot with what the runtime needs to know of it.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) column: Column,
    pub(crate) name: Box<str>,
    pub(crate) reset: bool,
}

/// All slots, and the size of the arrays of a chunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) slots: Vec<Slot>,
    pub(crate) bits: usize,
    pub(crate) halves: usize,
    pub(crate) times: usize,
}

impl Frame {
    pub(crate) fn of<D: AsRef<[u8]>>(image: &Image<D>) -> Self {
        let mut frame = Self::default();
        for row in image.slots() {
            let column = match row.kind {
                slot_kind::BIT => Column::Bit { first: take(&mut frame.bits, BIT_WORDS) },
                slot_kind::NODE => Column::Node { first: take(&mut frame.halves, LANES) },
                slot_kind::TIME => Column::Time { first: take(&mut frame.times, LANES) },
                _ => {
                    let stride = row.capacity + 1;
                    Column::Set { first: take(&mut frame.halves, LANES * stride as usize), stride }
                }
            };
            let (name, reset) = (image.name(row.name).into(), row.reset != 0);
            frame.slots.push(Slot { column, name, reset });
        }
        frame
    }

    /// Bytes that an agent takes in its chunk.
    pub(crate) fn bytes_per_agent(&self) -> f64 {
        (self.bits * 8 + self.halves * 2 + self.times * 4) as f64 / LANES as f64
    }
}

fn take(used: &mut usize, count: usize) -> u32 {
    let first = *used as u32;
    *used += count;
    first
}
