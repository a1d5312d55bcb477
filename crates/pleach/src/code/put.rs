//! Constants that go into columns.

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

    /// Returns what puts a number into a column of halves.
    pub(crate) fn half(column: u32, value: u16) -> Self {
        Self { width: Width::Half, column, value: value.into() }
    }
}
