//! Constants that go into columns.

use super::step::Step;
use crate::values::{Kind, stored};

/// Width of a column's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Bit,
    Byte,
    Half,
    Word,
}

/// A constant that goes into a column: as many of its lowest bits as an element has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Put {
    pub(crate) width: Width,
    pub(crate) column: u32,
    pub(crate) value: u32,
}

impl Put {
    /// Returns what puts a number into a column of a kind. `None` if its elements have 8 bytes.
    pub(crate) fn of(kind: Kind, column: u32, number: f64) -> Option<Self> {
        let width = match kind {
            Kind::Bit => Width::Bit,
            Kind::I8 | Kind::U8 => Width::Byte,
            Kind::I16 | Kind::U16 | Kind::Node | Kind::Set => Width::Half,
            Kind::I32 | Kind::F32 | Kind::Time | Kind::Text => Width::Word,
            Kind::I64 | Kind::F64 | Kind::Entity | Kind::Moment | Kind::Data => return None,
        };
        Some(Self { width, column, value: stored(kind, number) as u32 })
    }

    /// Returns what a step puts into a column; `None` for any other step.
    pub(crate) fn of_step(step: Step) -> Option<Self> {
        let (width, column, value) = match step {
            Step::PutBit { column, value, .. } => (Width::Bit, column, value.into()),
            Step::PutByte { column, value, .. } => (Width::Byte, column, value.into()),
            Step::PutHalf { column, value, .. } => (Width::Half, column, value.into()),
            Step::PutWord { column, value, .. } => (Width::Word, column, value),
            _ => return None,
        };
        Some(Self { width, column, value })
    }

    /// Returns the step that puts it there.
    pub(crate) fn step(self, target: u32) -> Step {
        let Self { width, column, value } = self;
        match width {
            Width::Bit => Step::PutBit { column, value: value != 0, target },
            Width::Byte => Step::PutByte { column, value: value as u8, target },
            Width::Half => Step::PutHalf { column, value: value as u16, target },
            Width::Word => Step::PutWord { column, value, target },
        }
    }

    /// Returns what puts a number into a column of halves.
    pub(crate) fn half(column: u32, value: u16) -> Self {
        Self { width: Width::Half, column, value: value.into() }
    }
}
