//! Running agents, written as bytes.

use crate::crowd::Crowd;
use crate::layout::paths::RunningPaths;
use crate::layout::{Frame, LANES, Slot};
use crate::saved::format::{AgentRow, ChunkRow, WorldRow, has, put};
use crate::saved::layout::seal;
use crate::store::chunk::{Chunk, Pace};
use crate::values::{Agent, Kind, StaleAgent};
use alloc::vec::Vec;
use bytemuck::Zeroable;
use pleach_image::float::{bits32, bits64};

impl Crowd {
    /// Saves the state of the crowd to `out`, whose old contents are removed: agents with their
    /// handles, active nodes, variables, timers, groups and paces; shared variables, raised events,
    /// places in limited nodes and random draws. [`Crowd::restore`] restores it, in this process or
    /// another, with this build of the trees or another.
    ///
    /// The host's own data is not saved. Neither are its choices: the engine, the step limit, a
    /// fixed chance. [`Lives`](crate::life::Lives) are not part of the state; they find agents by
    /// their handles, and can be cloned beside it. [`Forests`](crate::forest::Forests) have crowds
    /// of their own, which this state does not include.
    ///
    /// Allocates nothing if `out` has room for it, except at the first snapshot of a program.
    pub fn snapshot(&mut self, out: &mut Vec<u8>) {
        self.gather();
        self.save(out);
    }

    /// Saves the state of a crowd whose parts have no writes that are not gathered.
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        out.clear();
        let Self { program, chunks, agents, world, next, .. } = self;
        let parts = &program.parts;
        parts.description().put_all(&parts.keys, &world.texts, out);
        let row = WorldRow {
            next: *next as u32,
            rows: agents.rows().len() as u32,
            free: agents.free.len() as u32,
            chunks: chunks.len() as u32,
            ..WorldRow::zeroed()
        };
        world.save(row, out);
        agents.rows().for_each(|(generation, _)| put(out, &[generation]));
        agents.rows().for_each(|(_, place)| put(out, &[place]));
        put(out, &agents.free);
        chunks.iter().for_each(|chunk| self::chunk(&parts.frame, chunk, out));
        seal(out);
    }

    /// Returns an upper bound of the bytes of all agents in a state of the crowd. The part before
    /// them is as large as the program.
    pub(super) fn state_bytes(&self) -> usize {
        let sizes = self.program.parts.frame.sizes;
        let lane = 1 + size_of::<i32>() + size_of::<u32>() + size_of::<Pace>();
        let columns = 8 * (sizes.bits + sizes.moments) + sizes.bytes + 2 * sizes.halves + 4 * sizes.words;
        let rows = self.agents.rows().len() * 8 + self.agents.free.len() * 4;
        let epoch = size_of::<i64>();
        rows + self.chunks.len() * (size_of::<ChunkRow>() + columns + lane * LANES + epoch)
    }

    /// Saves the state of one agent to `out`, whose old contents are removed. [`Crowd::load_agent`]
    /// restores it, in this crowd or another. The agent's group is not saved, as groups belong to
    /// crowds.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn save_agent(&self, agent: Agent, out: &mut Vec<u8>) -> Result<(), StaleAgent> {
        let place = self.agents.find(agent)?;
        let (parts, chunk) = (&self.program.parts, &self.chunks[place.chunk as usize]);
        out.clear();
        let nodes =
            nodes(&parts.frame, chunk, place.lane).filter(|node| usize::from(*node) <= parts.keys.len());
        let held = texts(&parts.frame, chunk, place.lane);
        let texts = (&*self.world.texts, &held[..]);
        parts.description().put_one(&parts.keys, chunk.entry, nodes, texts, out);
        let lane = usize::from(place.lane);
        let Pace { every, rest } = chunk.paces.get(lane).copied().unwrap_or(Pace::EACH);
        let row = AgentRow {
            other: chunk.others.get(lane).copied().unwrap_or(0),
            end: chunk.ends[lane],
            asleep: chunk.is_asleep(place.lane).into(),
            every,
            rest,
            epoch: u16::from(chunk.clock.epoch() != 0),
        };
        put(out, &[row]);
        frame(&parts.frame, chunk, place.lane, out);
        put_epoch(chunk, out);
        seal(out);
        Ok(())
    }
}

fn chunk(frame: &Frame, chunk: &Chunk, out: &mut Vec<u8>) {
    let flag = |present: bool, flag| if present { flag } else { 0 };
    let has = flag(!chunk.others.is_empty(), has::OTHERS)
        | flag(!chunk.groups.is_empty(), has::GROUPS)
        | flag(!chunk.paces.is_empty(), has::PACES)
        | flag(chunk.clock.epoch() != 0, has::EPOCH);
    put(out, &[ChunkRow { entry: chunk.entry, has, awake: chunk.awake() }]);
    let sizes = frame.sizes;
    put(out, &chunk.bits[..sizes.bits]);
    put(out, &chunk.bytes[..sizes.bytes]);
    let halves = out.len();
    put(out, &chunk.halves[..sizes.halves]);
    if let Some(paths) = &frame.paths {
        put_sets(chunk, paths, &mut out[halves..]);
    }
    canonical_sets(frame, &mut out[halves..]);
    let words = out.len();
    put(out, &chunk.words[..sizes.words]);
    canonical(frame, &mut out[words..]);
    let moments = out.len();
    put(out, &chunk.moments[..sizes.moments]);
    canonical_doubles(frame, &mut out[moments..]);
    put(out, &chunk.ends);
    put(out, &chunk.others);
    put(out, &chunk.groups);
    put(out, &chunk.paces);
    put_epoch(chunk, out);
}

/// Writes the sets of all lanes among the halves: in a chunk they may be numbers.
fn put_sets(chunk: &Chunk, paths: &RunningPaths, halves: &mut [u8]) {
    let RunningPaths { first, stride, .. } = *paths;
    let lanes = halves[2 * first as usize..].chunks_exact_mut(2 * usize::from(stride));
    for (lane, out) in (0..=u8::MAX).zip(lanes) {
        out.copy_from_slice(bytemuck::cast_slice(chunk.set(first, stride, lane)));
    }
}

/// Appends the epoch of a chunk unless it is 0.
fn put_epoch(chunk: &Chunk, out: &mut Vec<u8>) {
    let epoch = chunk.clock.epoch();
    if epoch != 0 {
        put(out, &[epoch]);
    }
}

/// Clears what earlier nodes left behind the nodes of each set.
fn canonical_sets(frame: &Frame, halves: &mut [u8]) {
    for Slot { column, .. } in frame.slots.iter().filter(|slot| slot.column.kind == Kind::Set) {
        let lanes = halves[2 * column.first as usize..].chunks_exact_mut(2 * usize::from(column.stride));
        lanes.take(LANES).for_each(clear_unused);
    }
}

/// Clears what stands behind the nodes of a set, which follow their count.
fn clear_unused(set: &mut [u8]) {
    let count = u16::from_le_bytes([set[0], set[1]]);
    set[2 + 2 * usize::from(count)..].fill(0);
}

/// Gives every NaN among the columns of words the same bits, which hosts write as they like.
fn canonical(frame: &Frame, words: &mut [u8]) {
    for Slot { column, .. } in frame.slots.iter().filter(|slot| slot.column.kind == Kind::F32) {
        let first = column.first as usize * size_of::<u32>();
        let (lanes, _) = words[first..][..LANES * size_of::<u32>()].as_chunks_mut();
        for word in lanes {
            *word = bits32(f32::from_le_bytes(*word)).to_le_bytes();
        }
    }
}

/// Gives every NaN among the columns of 64 bits the same bits.
fn canonical_doubles(frame: &Frame, words: &mut [u8]) {
    for Slot { column, .. } in frame.slots.iter().filter(|slot| slot.column.kind == Kind::F64) {
        let first = column.first as usize * size_of::<u64>();
        let (lanes, _) = words[first..][..LANES * size_of::<u64>()].as_chunks_mut();
        for word in lanes {
            *word = bits64(f64::from_le_bytes(*word)).to_le_bytes();
        }
    }
}

/// Returns the nodes that an agent's positions and sets hold.
fn nodes<'a>(frame: &'a Frame, chunk: &'a Chunk, lane: u8) -> impl Iterator<Item = u16> + Clone + 'a {
    let held = move |slot: &'a Slot| match slot.column.kind {
        Kind::Node => core::slice::from_ref(&chunk.halves[slot.column.first as usize + usize::from(lane)]),
        Kind::Set => {
            let set = chunk.set(slot.column.first, slot.column.stride, lane);
            &set[1..=usize::from(set[0])]
        }
        _ => &[],
    };
    frame.slots.iter().flat_map(held).copied().filter(|node| *node != 0)
}

/// Returns the numbers of the texts that an agent holds, in order.
fn texts(frame: &Frame, chunk: &Chunk, lane: u8) -> Vec<u32> {
    let slots = frame.slots.iter().filter(|slot| slot.column.kind == Kind::Text);
    let mut texts: Vec<_> = slots.map(|slot| chunk.read(slot.column, lane) as u32).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// Appends the slots of a lane, as columns of one lane.
fn frame(frame: &Frame, chunk: &Chunk, lane: u8, out: &mut Vec<u8>) {
    let of = |kinds: &'static [Kind]| {
        frame.slots.iter().map(|slot| slot.column).filter(|column| kinds.contains(&column.kind))
    };
    for column in of(&[Kind::Bit, Kind::I8, Kind::U8, Kind::Data]) {
        match column.kind {
            Kind::Data => put(out, chunk.data(column, lane)),
            _ => put(out, &[chunk.read(column, lane) as u8]),
        }
    }
    for column in of(&[Kind::I16, Kind::U16, Kind::Node, Kind::Set]) {
        match column.kind {
            Kind::Set => {
                let start = out.len();
                put(out, chunk.set(column.first, column.stride, lane));
                clear_unused(&mut out[start..]);
            }
            _ => put(out, &[chunk.read(column, lane) as u16]),
        }
    }
    of(&[Kind::I32, Kind::F32, Kind::Time, Kind::Text])
        .for_each(|column| put(out, &[chunk.read(column, lane) as u32]));
    let wide = of(&[Kind::I64, Kind::F64, Kind::Entity, Kind::Moment]);
    wide.for_each(|column| put(out, &[chunk.read(column, lane)]));
}
