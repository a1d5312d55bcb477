//! Columns of variables, found by their handles.

use super::chunk::Chunk;
use crate::layout::{BIT_WORDS, Column, Frame, LANES, Slot};
use crate::values::{AccessError, Kind, NumberValue, Variable, VariableValue, type_name};
use core::ops::Range;

/// Returns the column of a variable. A slot of the runtime is not a
/// variable, even if it has a name.
pub(crate) fn column(frame: &Frame, variable: Variable) -> Result<Column, AccessError> {
    let is_variable = |slot: &&Slot| !slot.name.is_empty() && slot.column.kind.is_variable();
    let slot = frame.slots.get(usize::from(variable.0)).filter(is_variable);
    slot.map(|slot| slot.column).ok_or(AccessError::NoVariable)
}

/// Returns the column of a variable of this type.
pub(crate) fn column_of<T: VariableValue>(frame: &Frame, variable: Variable) -> Result<Column, AccessError> {
    let column = column(frame, variable)?;
    expect_type::<T>(column.kind).map(|()| column)
}

/// Returns an error if values of this kind do not have this Rust type.
pub(crate) fn expect_type<T: VariableValue>(kind: Kind) -> Result<(), AccessError> {
    if kind == T::KIND {
        Ok(())
    } else {
        Err(AccessError::Type { asked: type_name(T::KIND), held: type_name(kind) })
    }
}

/// Returns the lanes of a number variable.
pub(crate) fn lanes<'a, T: NumberValue>(
    chunk: &'a Chunk,
    frame: &Frame,
    variable: Variable,
) -> Result<&'a [T], AccessError> {
    let column = column_of::<T>(frame, variable)?;
    let lanes = column.first as usize..column.first as usize + LANES;
    Ok(match size_of::<T>() {
        1 => bytemuck::cast_slice(&chunk.bytes[lanes]),
        2 => bytemuck::cast_slice(&chunk.halves[lanes]),
        4 => bytemuck::cast_slice(&chunk.words[lanes]),
        _ => bytemuck::cast_slice(&chunk.moments[lanes]),
    })
}

/// Returns the lanes of a number variable, to be changed.
pub(crate) fn lanes_mut<'a, T: NumberValue>(
    chunk: &'a mut Chunk,
    frame: &Frame,
    variable: Variable,
) -> Result<&'a mut [T], AccessError> {
    Ok(elements_mut(chunk, column_of::<T>(frame, variable)?))
}

/// Returns the lanes of a column of this type, to be changed.
pub(crate) fn elements_mut<T: NumberValue>(chunk: &mut Chunk, column: Column) -> &mut [T] {
    let lanes = column.first as usize..column.first as usize + LANES;
    match size_of::<T>() {
        1 => bytemuck::cast_slice_mut(&mut chunk.bytes[lanes]),
        2 => bytemuck::cast_slice_mut(&mut chunk.halves[lanes]),
        4 => bytemuck::cast_slice_mut(&mut chunk.words[lanes]),
        _ => bytemuck::cast_slice_mut(&mut chunk.moments[lanes]),
    }
}

/// Returns the place of a `bool` variable's lanes among a chunk's bits.
pub(crate) fn bits(frame: &Frame, variable: Variable) -> Result<Range<usize>, AccessError> {
    let column = column_of::<bool>(frame, variable)?;
    Ok(column.first as usize..column.first as usize + BIT_WORDS)
}

impl Chunk {
    /// Notes the values of a variable in these lanes, before a call writes it.
    #[inline]
    pub(crate) fn note_variable(&mut self, frame: &Frame, column: Column, lanes: &[u8]) {
        if self.notes.is_some() {
            self.note_column(column, lanes);
            let changes = frame.changes.filter(|_| column.kind == Kind::Bit);
            let changes = changes.map(|first| Column { kind: Kind::Bit, first, stride: 1 });
            changes.into_iter().for_each(|column| self.note_column(column, lanes));
        }
    }

    #[cold]
    fn note_column(&mut self, column: Column, lanes: &[u8]) {
        let Some(mut notes) = self.notes.take() else { return };
        match lanes {
            [lane] => notes.note(column, *lane, self.read(column, *lane)),
            lanes => notes.note_all(column, lanes, |lane| self.read(column, lane)),
        }
        self.notes = Some(notes);
    }

    /// Notes that a call has sent a lane to a rule. Its rule before makes no difference.
    #[inline]
    pub(crate) fn note_jump(&mut self, lane: u8, rule: u16) {
        if let Some(notes) = &mut self.notes {
            notes.jumps.push((lane, rule));
        }
    }
}
