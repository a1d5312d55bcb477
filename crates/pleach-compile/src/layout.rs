//! The frame of an agent: which slot stands where.
//!
//! Instructions reach node slots through an 8-bit field, so these come first. Slots of a kind come
//! together, numbers last, so that a verifier can compare an operand with a range. The layout is
//! one for the whole image: an agent that is switched to another tree keeps its timers.

use crate::ir::{Module, SlotKind};
use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

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
    #[must_use]
    pub(crate) fn at(&self, slot: u16) -> u16 {
        self.place[usize::from(slot)]
    }
}

/// Most node slots: what an 8-bit field can tell apart.
pub(crate) const MAX_NODE_SLOTS: usize = 256;

/// Lays out the frame of a module, which has no more slots than instructions can reach.
#[must_use]
pub(crate) fn layout<'a>(module: &Module, arena: &'a Bump) -> FrameLayout<'a> {
    let slots = &module.slots;
    // Where the next slot of each rank goes: behind all of lower ones.
    let mut next = [0_u16; RANKS + 1];
    slots.iter().for_each(|slot| next[rank(slot.kind) + 1] += 1);
    (1..next.len()).for_each(|rank| next[rank] += next[rank - 1]);
    let mut order = bumpalo::vec![in arena; 0; slots.len()];
    let mut place = ArenaVec::with_capacity_in(slots.len(), arena);
    for (slot, index) in slots.iter().zip(0..) {
        let to = &mut next[rank(slot.kind)];
        order[usize::from(*to)] = index;
        place.push(*to);
        *to += 1;
    }
    FrameLayout { order, place }
}

/// Number of ranks.
const RANKS: usize = 9;

/// Returns the rank of a kind of slot. Slots of lower ranks come first.
fn rank(kind: SlotKind) -> usize {
    match kind {
        SlotKind::Node => 0,
        SlotKind::NodeSet(_) => 1,
        SlotKind::Time => 2,
        SlotKind::Bit => 3,
        SlotKind::U16 => 4,
        SlotKind::I8 | SlotKind::U8 | SlotKind::I16 | SlotKind::I32 | SlotKind::F32 | SlotKind::F64 => 5,
        SlotKind::I64 | SlotKind::Entity => 6,
        SlotKind::Moment => 7,
        SlotKind::Data(_) => 8,
    }
}

/// Bytes that a slot takes, as the verifier counts them: a bit as one.
pub(crate) fn width(kind: SlotKind) -> u64 {
    match kind {
        SlotKind::Bit | SlotKind::I8 | SlotKind::U8 => 1,
        SlotKind::Node | SlotKind::I16 | SlotKind::U16 => 2,
        SlotKind::Time | SlotKind::I32 | SlotKind::F32 => 4,
        SlotKind::I64 | SlotKind::F64 | SlotKind::Entity | SlotKind::Moment => 8,
        SlotKind::Data(bytes) => bytes.into(),
        SlotKind::NodeSet(capacity) => 2 + 2 * u64::from(capacity),
    }
}
