//! Numbers that rows have in parts.

use super::{DebugEdge, SharedRow, SlotRow, ValueRow};
use crate::enums::slot_kind;

impl DebugEdge {
    /// Returns the number that stands for an exit of an instruction in
    /// [`DebugEdge::way`](field@Self::way).
    #[must_use]
    pub fn way(word: usize, exit: u32) -> u32 {
        word as u32 * 4 + exit
    }
}

impl ValueRow {
    /// Returns all 64 bits of a value of 64 bits.
    #[must_use]
    pub fn wide(&self) -> u64 {
        wide(self.bits, self.len)
    }
}

impl SlotRow {
    /// Returns all bits of the initial value.
    #[must_use]
    pub fn initial(&self) -> u64 {
        wide(self.init, if slot_kind::is_wide(self.kind) { self.capacity } else { 0 })
    }
}

impl SharedRow {
    /// Returns all bits of the initial value.
    #[must_use]
    pub fn initial(&self) -> u64 {
        wide(self.init, self.high)
    }
}

fn wide(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}
