//! Declarations of trees: functions, as a manifest has them, and constants.

use super::Manifest;

/// Declarations of trees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declarations {
    /// Actions and queries.
    pub functions: Manifest,
    /// Constants with their names. A constant that is no finite number is left out.
    pub constants: Vec<(String, Constant)>,
    /// Enums, in the order in which they are first mentioned.
    pub enums: Vec<Enum>,
}

/// Enum that trees declare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// Its members with their numbers, in the order of the text.
    pub members: Vec<(String, i32)>,
}

/// Value of a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// A `bool`.
    Bool(bool),
    /// An `int`.
    Int(i32),
    /// A `float`, which is finite.
    Float(f32),
    /// An `int64`.
    Int64(i64),
    /// A `double`, which is finite.
    Double(f64),
    /// A member of an enum: index in [`Declarations::enums`], and the number of the member.
    Enum(u32, i32),
}
