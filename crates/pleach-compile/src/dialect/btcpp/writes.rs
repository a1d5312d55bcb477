//! Writes of entries, and the kinds of their values.

use super::kinds::{PortType, Rule};
use crate::ast::SlotKind;
use crate::source::Span;

/// Type of the values of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    Double,
    Bool,
    Text,
    Entity,
    /// An integer or a real number, by the first write of a run.
    Number,
}

impl Kind {
    /// Returns the kind of an entry whose first write can be of two kinds, if there is one.
    pub(super) fn joined(self, other: Self) -> Option<Self> {
        let is_number = |it| matches!(it, Self::Int | Self::Double | Self::Number);
        match self == other {
            true => Some(self),
            false => (is_number(self) && is_number(other)).then_some(Self::Number),
        }
    }

    /// Returns the kind of the variable of an entry.
    pub(super) fn slot_kind(self) -> SlotKind {
        match self {
            Self::Int => SlotKind::I64,
            Self::Double | Self::Number => SlotKind::F64,
            Self::Bool => SlotKind::Bit,
            Self::Entity => SlotKind::Entity,
            Self::Text => SlotKind::Text,
        }
    }
}

/// Kind of a written value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Kind(Kind),
    /// The kind of another entry.
    Entry(usize),
}

/// A write to an entry.
#[derive(Clone, Debug)]
pub(super) struct Write {
    pub(super) entry: usize,
    /// The node that writes; none if the entry has the value before the first tick.
    pub(super) node: Option<usize>,
    /// Place among the writes of the node.
    pub(super) order: usize,
    /// True if the node may succeed without the write.
    pub(super) conditional: bool,
    pub(super) sources: Vec<Source>,
    /// The value, if it is a text that the tree has.
    pub(super) text: Option<String>,
    /// True if the value depends on the entry itself.
    pub(super) reads_itself: bool,
    pub(super) span: Span,
}

/// Returns the kind of the values that a port writes.
pub(super) fn kind_of_port(ty: PortType) -> Option<Kind> {
    match ty {
        PortType::Any | PortType::Queue(_) => None,
        PortType::Int | PortType::Unsigned | PortType::Int64 => Some(Kind::Int),
        PortType::Double | PortType::Float => Some(Kind::Double),
        PortType::Bool => Some(Kind::Bool),
        PortType::Text | PortType::Status => Some(Kind::Text),
        PortType::Entity => Some(Kind::Entity),
    }
}

/// Returns the kind of values that a port without a type is made for.
pub(super) fn likely(rule: Rule, port: &str) -> Option<Kind> {
    match (rule, port) {
        (Rule::Check(item), "value_A" | "value_B") => kind_of_port(item.ty()),
        (Rule::GoalUpdatedController, _) => Some(Kind::Entity),
        _ => None,
    }
}

/// Returns the type of a constant of a subtree.
pub(super) fn constant(text: &str) -> (PortType, Kind) {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return match (text.parse::<i32>(), text.parse::<i64>()) {
            (Ok(_), _) => (PortType::Int, Kind::Int),
            (_, Ok(_)) => (PortType::Int64, Kind::Int),
            _ => (PortType::Double, Kind::Double),
        };
    }
    match super::values::real(text) {
        Some((_, "")) => (PortType::Double, Kind::Double),
        _ => (PortType::Text, Kind::Text),
    }
}
