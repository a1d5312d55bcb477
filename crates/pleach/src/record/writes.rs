//! Variables that a host writes during a call.
//!
//! A host writes variables of agents through its calls. The calls note the old values. A value that
//! differs after the call was written. Notes are taken only for a recorder.

use crate::layout::Frame;
use crate::store::{Chunk, Notes};
use crate::values::Rule;
use alloc::vec::Vec;

/// Stands for the rule that an agent was sent to, where else a slot is named.
pub(super) const RULE: u32 = 1 << 16;

/// A variable that a host has written, or a rule to which it has sent the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RecordedWrite {
    pub(super) slot: u32,
    pub(super) value: u64,
}

/// Returns the number of bytes of a recorded value of a slot, or of a rule.
pub(super) fn bytes(frame: &Frame, slot: u32) -> u32 {
    let is_wide = frame.slots.get(slot as usize).is_some_and(|slot| slot.column.kind.is_wide());
    if is_wide { 8 } else { 4 }
}

/// Appends the variables of a lane whose values differ from their notes, in the order of the notes,
/// and then the rule to which the lane was sent last.
pub(super) fn written(notes: &Notes, frame: &Frame, chunk: &Chunk, lane: u8, out: &mut Vec<RecordedWrite>) {
    for (column, _, before) in notes.cells.iter().filter(|(_, at, _)| *at == lane) {
        let value = chunk.read(*column, lane);
        if value == *before {
            continue;
        }
        if let Some(slot) = frame.slots.iter().position(|slot| slot.column == *column) {
            out.push(RecordedWrite { slot: slot as u32, value });
        }
    }
    let jump = notes.jumps.iter().rfind(|(at, _)| *at == lane);
    out.extend(jump.map(|(_, rule)| RecordedWrite { slot: RULE, value: (*rule).into() }));
}

/// Repeats a write of a host. Returns `None` if the write is impossible.
pub(super) fn apply(frame: &Frame, chunk: &mut Chunk, lane: u8, write: RecordedWrite) -> Option<()> {
    if write.slot == RULE {
        let rule = Rule(u16::try_from(write.value).ok()?);
        let rules = frame.rules.as_ref().filter(|rules| rules.is_place(rule, chunk.entry))?;
        return rules.jump(chunk, lane, rule).ok();
    }
    let column = frame.slots.get(write.slot as usize)?.column;
    if !column.kind.is_variable() {
        return None;
    }
    chunk.write(column, lane, write.value);
    Some(())
}
