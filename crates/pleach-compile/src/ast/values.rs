//! Values of variables that are named, or that games tune.

use crate::text::Sym;

/// A type whose values have names.
#[derive(Clone, Copy, Debug)]
pub struct Enum {
    /// Its name.
    pub name: Sym,
    /// Its members: a range of [`super::File::members`].
    pub members: (u32, u32),
}

/// Something whose values are those of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Typed {
    /// Index in [`super::File::variables`].
    Variable(u32),
    /// Parameter of an action, by its number.
    OfAction(Sym, u32),
    /// Parameter of a query, by its number.
    OfQuery(Sym, u32),
    /// Answer of a query.
    Answer(Sym),
}

/// Variable that games change within a range, and trees do not set. Its default is in the range.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// Index in [`super::File::variables`].
    pub variable: u32,
    /// True if the value is a duration in units of time.
    pub is_duration: bool,
    /// Least and greatest value, as bits of a variable.
    pub range: (u32, u32),
}
