//! What a host wrote while it was asked, done again.

use crate::chunk::Chunk;
use crate::chunk::notes::{RULE, Write};
use crate::frame::Frame;
use crate::rules::Rule;

/// Does what a host did; whether that can be.
pub(super) fn apply(frame: &Frame, chunk: &mut Chunk, lane: u8, write: Write) -> Option<()> {
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
