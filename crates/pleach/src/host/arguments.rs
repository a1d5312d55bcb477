//! Arguments of calls, as linking leaves them: with columns in place of slots.

use crate::layout::{Column, Frame};
use crate::store::Chunk;
use crate::values::{Argument, EntityId, Kind, TextTable};
use pleach_image::format::{StrRef, ValueRow, value_tag};

/// Argument that is a variable: its place in the table of arguments, and the column of its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VariableArgument {
    pub(crate) place: u32,
    pub(crate) column: Column,
}

/// Arguments of a call with variables among them, in a copy of the table of arguments. Only the
/// places of variables are written for a call.
#[derive(Debug)]
pub(crate) struct ArgumentRoom<'a> {
    pub(crate) table: &'a mut [Argument],
    /// Place of the first argument, and their number.
    pub(crate) range: (u32, u16),
    pub(crate) variables: &'a [VariableArgument],
}

impl<'a> ArgumentRoom<'a> {
    /// Puts the values of an agent's variables in their places. Returns all arguments.
    pub(crate) fn fill(self, texts: &TextTable, chunk: &Chunk, lane: u8) -> &'a [Argument] {
        let Self { table, range: (first, count), variables } = self;
        for VariableArgument { place, column } in variables {
            table[*place as usize] = read(*column, texts, chunk, lane);
        }
        &table[first as usize..][..usize::from(count)]
    }

    /// Returns the same room with a shorter lifetime.
    pub(crate) fn reborrow(&mut self) -> ArgumentRoom<'_> {
        let Self { range, variables, .. } = *self;
        ArgumentRoom { table: self.table, range, variables }
    }
}

/// Returns the argument that a variable of an agent is.
#[inline(always)]
fn read(column: Column, texts: &TextTable, chunk: &Chunk, lane: u8) -> Argument {
    let bits = chunk.read(column, lane);
    match column.kind {
        Kind::Text => Argument::Text(texts.place(bits as u32)),
        Kind::F32 => Argument::Float(f32::from_bits(bits as u32)),
        Kind::F64 => Argument::Double(f64::from_bits(bits)),
        Kind::I64 => Argument::Int64(bits as i64),
        Kind::Entity => Argument::Entity(EntityId(bits)),
        _ => Argument::Int(bits as i32),
    }
}

/// Returns the argument for a row of an image.
pub(crate) fn argument(row: &ValueRow, frame: &Frame) -> Argument {
    let column = |slot: u32| frame.slots[slot as usize].column;
    match row.tag {
        value_tag::INT => Argument::Int(row.bits as i32),
        value_tag::FLOAT => Argument::Float(f32::from_bits(row.bits)),
        value_tag::INT64 => Argument::Int64(row.wide() as i64),
        value_tag::DOUBLE => Argument::Double(f64::from_bits(row.wide())),
        value_tag::ENTITY => Argument::Entity(EntityId(row.wide())),
        value_tag::SLOT => Argument::Variable,
        value_tag::OUT => {
            let Column { kind, first, .. } = column(row.bits);
            let given = row.len.checked_sub(1).map(|slot| column(slot).first);
            Argument::Out { kind, first, given }
        }
        _ => Argument::Text(StrRef { start: row.bits, len: row.len }),
    }
}
