//! Types whose values have names, and what has such a type.

use crate::ast::Enum;
use crate::text::Sym;

/// The enums of a program.
#[derive(Clone, Debug, Default)]
pub struct Enums {
    /// Types whose values have names.
    pub list: Vec<Enum>,
    /// Members of these types: names and numbers.
    pub members: Vec<(Sym, i32)>,
    /// Everything that has one of these types, with the index in `list`.
    pub typed: Vec<(Typed, u32)>,
}

impl Enums {
    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        clear!(self => list members typed);
    }
}

/// Something whose values are those of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Index in [`super::Module::slots`].
    Slot(u16),
    /// Index in [`super::Module::shared`].
    Shared(u16),
    /// Parameter of a host function: index in [`super::Module::imports`], and its number.
    Parameter(u32, u32),
    /// Answer of a query: index in [`super::Module::imports`].
    Answer(u32),
}
