//! What an agent remembers between ticks.

use pleach_compile::ir::{Module, NodeIndex, SlotKind};
use pleach_image::float::bits32;

/// What a position holds: what runs in a tree, or in one branch of a parallel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Position {
    /// Nothing runs.
    #[default]
    Nothing,
    /// This node runs: a leaf, or a node that waits for its next turn.
    At(NodeIndex),
    /// The branch has ended; whether with success.
    Ended(bool),
}

/// All that an agent remembers between ticks. A vector has an element for every slot; those that the slot's kind has no
/// use for stay as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The running set, in the order of insertion.
    pub running: Vec<NodeIndex>,
    /// What runs.
    pub positions: Vec<Position>,
    /// Times at which something is due. What is due at the epoch is over.
    pub times: Vec<i128>,
    /// Time before which nothing is due.
    pub epoch: i64,
    /// Flags.
    pub bits: Vec<bool>,
    /// Integers and floats.
    pub numbers: Vec<f64>,
    /// Moments.
    pub moments: Vec<i64>,
    /// How many rules may run in a tick.
    pub limit: u16,
}

impl Frame {
    /// The frame of an agent that has just been spawned.
    #[must_use]
    pub fn new(module: &Module) -> Self {
        let slots = &module.slots;
        Self {
            running: Vec::new(),
            positions: vec![Position::Nothing; slots.len()],
            times: vec![0; slots.len()],
            epoch: 0,
            bits: slots.iter().map(|slot| slot.kind == SlotKind::Bit && slot.init != 0).collect(),
            moments: vec![0; slots.len()],
            numbers: slots.iter().map(|slot| initial(slot.kind, slot.init)).collect(),
            limit: module.cursor.map_or(0, |cursor| cursor.limit),
        }
    }

    /// Clears what a reset of the agent's behavior clears: the slots marked so.
    pub fn reset(&mut self, module: &Module) {
        for (index, slot) in module.slots.iter().enumerate().filter(|(_, slot)| slot.reset) {
            match slot.kind {
                SlotKind::Bit => self.bits[index] = false,
                SlotKind::Node => self.positions[index] = Position::Nothing,
                SlotKind::Time => self.times[index] = self.epoch.into(),
                SlotKind::NodeSet(_) => self.running.clear(),
                SlotKind::Moment => self.moments[index] = 0,
                // What hosts have for themselves is theirs.
                SlotKind::Data(_) => {}
                _ => self.numbers[index] = 0.0,
            }
        }
    }

    /// Brings the agent to a time: what is due cannot be farther from its epoch than a slot tells.
    pub fn set_time(&mut self, now: i64) {
        const STEP: i64 = 1 << 30;
        let epoch = match now {
            0..0x8000_0000 => 0,
            _ => now.div_euclid(STEP).saturating_sub(1).saturating_mul(STEP),
        };
        let (before, after) = (i128::from(core::mem::replace(&mut self.epoch, epoch)), i128::from(epoch));
        for due in &mut self.times {
            let is_over = *due == before;
            *due = if is_over { after } else { (*due).clamp(after, after + i128::from(u32::MAX)) };
        }
    }

    /// The action that is running, in a tree without parallels.
    #[must_use]
    pub fn current(&self, module: &Module) -> Option<NodeIndex> {
        match self.positions[usize::from(module.current?)] {
            Position::At(node) => Some(node),
            _ => None,
        }
    }
}

/// What a variable of this kind begins with.
pub(super) fn initial(kind: SlotKind, bits: u32) -> f64 {
    match kind {
        SlotKind::F32 => f32::from_bits(bits).into(),
        _ => (bits as i32).into(),
    }
}

/// What a variable of this kind holds when a number is stored in it: the nearest that it can.
pub(super) fn stored(kind: SlotKind, number: f64) -> f64 {
    let integer = number as i32;
    match kind {
        SlotKind::Bit => f64::from(u8::from(number != 0.0)),
        SlotKind::I8 => integer.clamp(-128, 127).into(),
        SlotKind::U8 => integer.clamp(0, 255).into(),
        SlotKind::I16 => integer.clamp(-32_768, 32_767).into(),
        SlotKind::U16 => integer.clamp(0, 65_535).into(),
        SlotKind::I32 => integer.into(),
        SlotKind::F32 => f64::from(f32::from_bits(bits32(number as f32))),
        SlotKind::Node | SlotKind::Time | SlotKind::NodeSet(_) | SlotKind::Moment | SlotKind::Data(_) => {
            unreachable!("holds no number")
        }
    }
}
