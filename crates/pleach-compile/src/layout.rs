//! The frame of an agent: which slot stands where.
//!
//! Instructions reach node slots through an 8-bit field, so these come first. Slots of a kind come together, numbers last,
//! so that a verifier can compare an operand with a range. The layout is one for the whole image: an agent that is
//! switched to another tree keeps its timers.

use crate::ir::{Module, Slot, SlotKind};

/// The order of a module's slots in the frame.
#[derive(Debug)]
pub struct FrameLayout {
    /// Slots as they stand in the frame: indices in [`Module::slots`].
    pub order: Vec<u16>,
    /// Where each slot of the module went.
    pub place: Vec<u16>,
    /// Bytes that an agent takes, as the verifier counts them: a bit as one.
    pub bytes: u64,
}

/// Most node slots: what an 8-bit field can tell apart.
pub const MAX_NODE_SLOTS: usize = 256;

/// Lays out the frame. `None` if there are more slots than instructions can reach.
#[must_use]
pub fn layout(module: &Module) -> Option<FrameLayout> {
    let slots = &module.slots;
    let is_node = |slot: &Slot| slot.kind == SlotKind::Node;
    if slots.len() > usize::from(u16::MAX)
        || slots.iter().filter(|slot| is_node(slot)).count() > MAX_NODE_SLOTS
    {
        return None;
    }
    let mut order: Vec<u16> = (0..slots.len() as u16).collect();
    order.sort_by_key(|index| rank(slots[usize::from(*index)].kind));
    let mut place = vec![0; order.len()];
    for (to, from) in order.iter().enumerate() {
        place[usize::from(*from)] = to as u16;
    }
    let bytes = slots.iter().map(|slot| width(slot.kind)).sum();
    Some(FrameLayout { order, place, bytes })
}

/// What comes before what.
fn rank(kind: SlotKind) -> u8 {
    match kind {
        SlotKind::Node => 0,
        SlotKind::NodeSet(_) => 1,
        SlotKind::Time => 2,
        SlotKind::Bit => 3,
        SlotKind::U16 => 4,
        SlotKind::I8 | SlotKind::U8 | SlotKind::I16 | SlotKind::I32 | SlotKind::F32 => 5,
        SlotKind::Moment => 6,
        SlotKind::Data(_) => 7,
    }
}

fn width(kind: SlotKind) -> u64 {
    match kind {
        SlotKind::Bit | SlotKind::I8 | SlotKind::U8 => 1,
        SlotKind::Node | SlotKind::I16 | SlotKind::U16 => 2,
        SlotKind::Time | SlotKind::I32 | SlotKind::F32 => 4,
        SlotKind::Moment => 8,
        SlotKind::Data(bytes) => bytes.into(),
        SlotKind::NodeSet(capacity) => 2 + 2 * u64::from(capacity),
    }
}
