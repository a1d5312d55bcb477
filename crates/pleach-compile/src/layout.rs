//! The frame of an agent: which slot stands where.
//!
//! Instructions reach node slots through an 8-bit field, so these come first. Slots of a kind come
//! together, numbers last, so that a verifier can compare an operand with a range. The layout is
//! one for the whole image: an agent that is switched to another tree keeps its timers.

use crate::ir::{Module, SlotKind};
use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;
use pleach_image::format::slot_kind;

/// The order of a module's slots in the frame.
#[derive(Debug)]
pub(crate) struct FrameLayout<'a> {
    /// Slots as they stand in the frame: indices in [`Module::slots`].
    pub order: ArenaVec<'a, u16>,
    /// Place of each slot of the module in the frame.
    pub place: ArenaVec<'a, u16>,
}

impl FrameLayout<'_> {
    /// Returns where a slot of the module stands in the frame.
    pub(crate) fn at(&self, slot: u16) -> u16 {
        self.place[usize::from(slot)]
    }
}

/// Most node slots: what an 8-bit field can tell apart.
pub(crate) const MAX_NODE_SLOTS: usize = 256;

/// Lays out the frame of a module, which has no more slots than instructions can reach.
pub(crate) fn layout<'a>(module: &Module, arena: &'a Bump) -> FrameLayout<'a> {
    let slots = &module.slots;
    // Where the next slot of each rank goes: behind all of lower ones.
    let mut next = [0_u16; RANKS + 1];
    slots.iter().for_each(|slot| next[KindRow::of(slot.kind).rank + 1] += 1);
    (1..next.len()).for_each(|rank| next[rank] += next[rank - 1]);
    let mut order = bumpalo::vec![in arena; 0; slots.len()];
    let mut place = ArenaVec::with_capacity_in(slots.len(), arena);
    for (slot, index) in slots.iter().zip(0..) {
        let to = &mut next[KindRow::of(slot.kind).rank];
        order[usize::from(*to)] = index;
        place.push(*to);
        *to += 1;
    }
    FrameLayout { order, place }
}

/// Number of ranks.
const RANKS: usize = 9;

/// Properties of a kind of slot.
pub(crate) struct KindRow {
    /// Its number in images.
    pub number: u32,
    /// Its capacity in images.
    pub capacity: u32,
    /// Its place in a frame. Slots of lower ranks come first.
    rank: usize,
    /// Bytes that a slot takes, as the verifier counts them: a bit as one.
    pub width: u64,
}

impl KindRow {
    /// Returns the properties of a kind.
    pub(crate) fn of(kind: SlotKind) -> Self {
        let (number, capacity, rank, width) = match kind {
            SlotKind::Node => (slot_kind::NODE, 0, 0, 2),
            SlotKind::NodeSet(nodes) => (slot_kind::NODE_SET, nodes, 1, 2 + 2 * u64::from(nodes)),
            SlotKind::Time => (slot_kind::TIME, 0, 2, 4),
            SlotKind::Bit => (slot_kind::BIT, 0, 3, 1),
            SlotKind::U16 => (slot_kind::U16, 0, 4, 2),
            SlotKind::I8 => (slot_kind::I8, 0, 5, 1),
            SlotKind::U8 => (slot_kind::U8, 0, 5, 1),
            SlotKind::I16 => (slot_kind::I16, 0, 5, 2),
            SlotKind::I32 => (slot_kind::I32, 0, 5, 4),
            SlotKind::F32 => (slot_kind::F32, 0, 5, 4),
            SlotKind::Text => (slot_kind::TEXT, 0, 5, 4),
            SlotKind::F64 => (slot_kind::F64, 0, 5, 8),
            SlotKind::I64 => (slot_kind::I64, 0, 6, 8),
            SlotKind::Entity => (slot_kind::ENTITY, 0, 6, 8),
            SlotKind::Moment => (slot_kind::MOMENT, 0, 7, 8),
            SlotKind::Data(bytes) => (slot_kind::DATA, bytes, 8, bytes.into()),
        };
        Self { number, capacity: capacity.into(), rank, width }
    }
}
