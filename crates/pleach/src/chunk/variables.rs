//! Variables of a frame, by the handles that hosts have for them.

use super::Chunk;
use crate::cell::{AccessError, Cell, Number, type_name};
use crate::frame::{BIT_WORDS, Column, Frame, LANES, Slot, Variable};
use core::ops::Range;

/// Returns the column of a variable. A slot of the machine's own is no variable, even if it has a name.
pub(crate) fn column(frame: &Frame, variable: Variable) -> Result<Column, AccessError> {
    let is_variable = |slot: &&Slot| !slot.name.is_empty() && slot.column.kind.is_variable();
    let slot = frame.slots.get(usize::from(variable.0)).filter(is_variable);
    slot.map(|slot| slot.column).ok_or(AccessError::NoVariable)
}

/// Returns the column of a variable of this type.
pub(crate) fn column_of<T: Cell>(frame: &Frame, variable: Variable) -> Result<Column, AccessError> {
    let column = column(frame, variable)?;
    if column.kind == T::KIND {
        Ok(column)
    } else {
        Err(AccessError::Type { asked: type_name(T::KIND), held: type_name(column.kind) })
    }
}

/// Returns the lanes of a number variable.
pub(crate) fn lanes<'a, T: Number>(
    chunk: &'a Chunk,
    frame: &Frame,
    variable: Variable,
) -> Result<&'a [T], AccessError> {
    let column = column_of::<T>(frame, variable)?;
    let lanes = column.first as usize..column.first as usize + LANES;
    Ok(match size_of::<T>() {
        1 => bytemuck::cast_slice(&chunk.bytes[lanes]),
        2 => bytemuck::cast_slice(&chunk.halves[lanes]),
        _ => bytemuck::cast_slice(&chunk.words[lanes]),
    })
}

/// Returns the lanes of a number variable, to be changed.
pub(crate) fn lanes_mut<'a, T: Number>(
    chunk: &'a mut Chunk,
    frame: &Frame,
    variable: Variable,
) -> Result<&'a mut [T], AccessError> {
    let column = column_of::<T>(frame, variable)?;
    let lanes = column.first as usize..column.first as usize + LANES;
    Ok(match size_of::<T>() {
        1 => bytemuck::cast_slice_mut(&mut chunk.bytes[lanes]),
        2 => bytemuck::cast_slice_mut(&mut chunk.halves[lanes]),
        _ => bytemuck::cast_slice_mut(&mut chunk.words[lanes]),
    })
}

/// Returns the range of a `bool` variable among a chunk's words of bits.
pub(crate) fn bits(frame: &Frame, variable: Variable) -> Result<Range<usize>, AccessError> {
    let column = column_of::<bool>(frame, variable)?;
    Ok(column.first as usize..column.first as usize + BIT_WORDS)
}

/// Returns the words of a `bool` variable, to be changed. The variables of all lanes count as changed.
pub(crate) fn bits_mut<'a>(
    chunk: &'a mut Chunk,
    frame: &Frame,
    variable: Variable,
) -> Result<&'a mut [u64], AccessError> {
    let lanes = bits(frame, variable)?;
    if let Some(changes) = frame.changes {
        chunk.bits[changes as usize..][..BIT_WORDS].fill(u64::MAX);
    }
    Ok(&mut chunk.bits[lanes])
}
