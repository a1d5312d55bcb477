//! State of an agent between ticks.

use pleach_compile::internals::ir::{Module, NodeIndex, SlotKind};
use pleach_image::float::{bits32, bits64};

/// Content of a position: the running node of a tree, or of one branch of a parallel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Position {
    /// Nothing runs.
    #[default]
    Nothing,
    /// Running node: a leaf, or a node that waits for its next turn.
    At(NodeIndex),
    /// The branch has ended; true for success.
    Ended(bool),
}

/// State of an agent between ticks. Each vector has an element for every slot. Elements that do not
/// match the slot's kind are unused.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Running set, in the order of insertion.
    pub running: Vec<NodeIndex>,
    /// Positions.
    pub positions: Vec<Position>,
    /// Times at which timers are due. A timer that is due at the epoch has expired.
    pub times: Vec<i128>,
    /// Time before which no timer is due.
    pub epoch: i64,
    /// Bits.
    pub bits: Vec<bool>,
    /// Integers and floats.
    pub numbers: Vec<f64>,
    /// 64-bit integers and entities.
    pub words: Vec<u64>,
    /// Timestamps.
    pub moments: Vec<i64>,
    /// Maximum number of rules that run in a tick.
    pub limit: u16,
}

impl Frame {
    /// Returns the frame of a new agent.
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
            words: slots.iter().map(|slot| slot.init).collect(),
            numbers: slots.iter().map(|slot| initial(slot.kind, slot.init)).collect(),
            limit: module.cursor.map_or(0, |cursor| cursor.limit),
        }
    }

    /// Clears the slots that are marked for a reset of the agent's behavior.
    pub fn reset(&mut self, module: &Module) {
        for (index, slot) in module.slots.iter().enumerate().filter(|(_, slot)| slot.reset) {
            match slot.kind {
                SlotKind::Bit => self.bits[index] = false,
                SlotKind::Node => self.positions[index] = Position::Nothing,
                SlotKind::Time => self.times[index] = self.epoch.into(),
                SlotKind::NodeSet(_) => self.running.clear(),
                SlotKind::Moment => self.moments[index] = 0,
                // Bytes of the host stay.
                SlotKind::Data(_) => {}
                _ => self.numbers[index] = 0.0,
            }
        }
    }

    /// Puts the value nearest to a number into a slot of this kind.
    pub(super) fn put(&mut self, slot: usize, kind: SlotKind, number: f64) {
        match kind {
            SlotKind::Bit => self.bits[slot] = number != 0.0,
            _ if kind.is_word() => self.words[slot] = word(kind, number),
            _ => self.numbers[slot] = stored(kind, number),
        }
    }

    /// Sets the agent's time, and its epoch as far as timers must stay within the range of a slot.
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

    /// Returns the running action, in a tree without parallels.
    #[must_use]
    pub fn current(&self, module: &Module) -> Option<NodeIndex> {
        match self.positions[usize::from(module.current?)] {
            Position::At(node) => Some(node),
            _ => None,
        }
    }
}

/// Returns the initial value of a variable of this kind.
pub(super) fn initial(kind: SlotKind, bits: u64) -> f64 {
    match kind {
        SlotKind::F32 => f32::from_bits(bits as u32).into(),
        SlotKind::F64 => f64::from_bits(bits),
        _ => (bits as i32).into(),
    }
}

/// Returns the value of a variable of this kind after storing a number: the nearest possible value.
pub(super) fn stored(kind: SlotKind, number: f64) -> f64 {
    let integer = number as i32;
    match kind {
        SlotKind::Bit => f64::from(u8::from(number != 0.0)),
        SlotKind::I8 => integer.clamp(-128, 127).into(),
        SlotKind::U8 => integer.clamp(0, 255).into(),
        SlotKind::I16 => integer.clamp(-32_768, 32_767).into(),
        SlotKind::U16 => integer.clamp(0, 65_535).into(),
        SlotKind::I32 | SlotKind::Text => integer.into(),
        SlotKind::F32 => f64::from(f32::from_bits(bits32(number as f32))),
        SlotKind::F64 => f64::from_bits(bits64(number)),
        SlotKind::Node | SlotKind::Time | SlotKind::NodeSet(_) | SlotKind::Moment | SlotKind::Data(_) => {
            unreachable!("holds no number")
        }
        SlotKind::I64 | SlotKind::Entity => unreachable!("holds a word"),
    }
}

/// Returns the word nearest to a number.
pub(super) fn word(kind: SlotKind, number: f64) -> u64 {
    if kind == SlotKind::Entity { number as u64 } else { number as i64 as u64 }
}

/// Returns the number nearest to a word.
pub(super) fn number(kind: SlotKind, word: u64) -> f64 {
    if kind == SlotKind::Entity { word as f64 } else { word as i64 as f64 }
}
