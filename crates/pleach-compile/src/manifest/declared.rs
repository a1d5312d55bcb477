//! Declarations of trees: functions, as a manifest has them, and constants.

use super::Manifest;

/// Declarations of trees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declarations {
    /// Actions and queries.
    pub functions: Manifest,
    /// Constants with their names. A constant that is no finite number is left out.
    pub constants: Vec<(String, Constant)>,
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
}
