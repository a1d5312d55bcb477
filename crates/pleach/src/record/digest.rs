//! Hash of a crowd's state.

use super::coder::mix;
use crate::crowd::{Crowd, Inspection};
use crate::layout::Slot;
use crate::saved::format::WorldRow;
use crate::store::chunk::clock::due;
use crate::values::{Agent, Kind};
use alloc::vec::Vec;
use bytemuck::Zeroable;

impl Inspection<'_> {
    /// Returns a hash of the crowd's state: agents, active nodes, variables, timers, last outcomes,
    /// and what agents share. Two crowds of one program with equal hashes continue alike, but for
    /// collisions. [Data](crate::Call::data) that nodes of the host keep is not part of the state.
    #[must_use]
    pub fn digest(self) -> u64 {
        let crowd = self.crowd;
        let hash = crowd.world_bytes().iter().fold(0, |hash, byte| mix(hash, (*byte).into()));
        crowd.agents_by_index().fold(hash, |hash, agent| mix(hash, crowd.digest_of(agent)))
    }
}

impl Crowd {
    /// Returns the state that agents share, as bytes.
    pub(super) fn world_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.world.save(WorldRow { next: self.next as u32, ..WorldRow::zeroed() }, &mut bytes);
        bytes
    }

    /// Returns a hash of all that one agent carries; 0 if it is gone.
    pub(super) fn digest_of(&self, agent: Agent) -> u64 {
        let Ok((chunk, lane)) = self.chunk_of(agent) else { return 0 };
        let mut hash = mix(agent.index() as u64, u64::from(chunk.entry));
        for Slot { column, .. } in &self.program.parts.frame.slots {
            hash = match column.kind {
                Kind::Data => continue,
                Kind::Set => {
                    let set = chunk.set(column.first, column.stride, lane);
                    set[..=usize::from(set[0])].iter().fold(hash, |hash, node| mix(hash, (*node).into()))
                }
                Kind::Time => mix(hash, due(chunk.word(column.first, lane), chunk.clock.epoch()) as u64),
                Kind::F32 => mix(hash, canonical(chunk.word(column.first, lane))),
                _ => mix(hash, chunk.read(*column, lane)),
            };
        }
        let at = usize::from(lane);
        let pace = chunk.paces.get(at).map_or(1, |pace| u64::from(pace.every) | u64::from(pace.rest) << 16);
        let other = chunk.others.get(at).map_or(0, |other| u64::from(*other as u32));
        let ends = u64::from(chunk.ends[at])
            | u64::from(chunk.is_asleep(lane)) << 8
            | u64::from(chunk.group(lane)) << 32;
        mix(mix(mix(hash, pace), other), ends)
    }
}

/// Returns the bits of a float; those of a NaN mean nothing.
fn canonical(bits: u32) -> u64 {
    let float = f32::from_bits(bits);
    if float.is_nan() { u64::MAX } else { bits.into() }
}
