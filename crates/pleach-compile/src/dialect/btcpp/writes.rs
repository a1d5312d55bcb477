//! Writes of entries, and the kinds of their values.

use super::kinds::{Item, PortType};
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
    Queue,
}

impl Kind {
    /// Returns the kind of the variable of an entry; none for a queue.
    pub(super) fn slot_kind(self) -> Option<SlotKind> {
        match self {
            Self::Int => Some(SlotKind::I64),
            Self::Double => Some(SlotKind::F64),
            Self::Bool => Some(SlotKind::Bit),
            Self::Entity => Some(SlotKind::Entity),
            Self::Text => Some(SlotKind::Text),
            Self::Queue => None,
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
    /// True if the value depends on the entry itself.
    pub(super) reads_itself: bool,
    pub(super) span: Span,
}

/// Returns the kind of the values that a port writes.
pub(super) fn kind_of_port(ty: PortType) -> Option<Kind> {
    match ty {
        PortType::Any => None,
        PortType::Int | PortType::Unsigned | PortType::Int64 => Some(Kind::Int),
        PortType::Double | PortType::Float => Some(Kind::Double),
        PortType::Bool => Some(Kind::Bool),
        PortType::Text | PortType::Status => Some(Kind::Text),
        PortType::Entity => Some(Kind::Entity),
        PortType::Queue(Item::Int | Item::Bool | Item::Double | Item::Text) => Some(Kind::Queue),
    }
}
