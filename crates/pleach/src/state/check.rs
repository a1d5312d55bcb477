//! A crowd's state, read, with a check of everything that engines rely on.
//!
//! The check takes one pass over the bytes, and memory in proportion to them. Values that a
//! crowd can compute are not in the bytes, so they cannot be wrong: the lanes in use, their
//! agents, and the number of agents.

use super::map::{Map, Misplaced};
use crate::engine::parts::Parts;
use crate::layout::{BIT_WORDS, Column, LANES};
use crate::saved::error::{StateError, StateFault};
use crate::saved::format::{ChunkRow, List, SavedColumns, StateKind, StateReader, has, is_pace};
use crate::saved::layout::{Description, SavedLayout};
use crate::saved::world::WorldPart;
use crate::store::chunk::clock::is_epoch;
use crate::store::{GONE, Pace, Place, filled, of_bits};
use crate::values::{Agent, Kind, NEVER, TextTable};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Chunks that places can tell apart.
const MOST_CHUNKS: usize = 1 << 24;

/// A crowd's state.
#[derive(Debug)]
pub(super) struct CrowdState<'p, 'a> {
    pub(super) layout: SavedLayout<'a>,
    pub(super) map: Map<'p>,
    pub(super) world: WorldPart<'a>,
    pub(super) generations: List<'a, u32>,
    pub(super) places: List<'a, u32>,
    pub(super) free: List<'a, u32>,
    pub(super) chunks: Vec<ChunkState<'a>>,
}

/// A chunk's state.
#[derive(Debug)]
pub(super) struct ChunkState<'a> {
    at: usize,
    pub(super) row: ChunkRow,
    pub(super) columns: SavedColumns<'a>,
    pub(super) ends: List<'a, u8>,
    pub(super) others: List<'a, i32>,
    pub(super) groups: List<'a, u32>,
    pub(super) paces: List<'a, Pace>,
    /// Time from which timers count.
    pub(super) epoch: i64,
    /// Whose lanes are in use, as bits.
    pub(super) occupied: [u64; BIT_WORDS],
}

impl<'p, 'a> CrowdState<'p, 'a> {
    /// Reads and checks all but where agents are in their trees.
    pub(super) fn read(
        parts: &'p Parts,
        texts: &Arc<TextTable>,
        bytes: &'a [u8],
    ) -> Result<Self, StateError> {
        let mut reader = StateReader::new(bytes);
        let layout = SavedLayout::read(&mut reader, bytes.len(), StateKind::Crowd)?;
        let map = Map::new((parts, texts), &layout, LANES)?;
        let world = world(&map, parts, &layout, &mut reader)?;
        let (rows, free, chunks) = (world.row.rows, world.row.free, world.row.chunks);
        let mut state = Self {
            generations: reader.list(rows as usize)?,
            places: reader.list(rows as usize)?,
            free: reader.list(free as usize)?,
            layout,
            map,
            world,
            chunks: Vec::new(),
        };
        for _ in 0..chunks {
            let chunk = ChunkState::read(&mut reader, &state.map)?;
            state.chunks.try_reserve(1)?;
            state.chunks.push(chunk);
        }
        reader.end()?;
        let has_turn = state.chunks.len() < MOST_CHUNKS && state.world.row.next <= chunks;
        StateFault::Turn.unless(has_turn, state.generations.at)?;
        state.seat()?;
        state.free()?;
        let entries = state.map.entries.len();
        state.chunks.iter().try_for_each(|chunk| chunk.check(entries, state.world.row.groups))?;
        Ok(state)
    }

    /// Puts agents into the lanes that they have.
    fn seat(&mut self) -> Result<(), StateError> {
        self.places.check(StateFault::Place, |place| {
            let Place { chunk, lane } = Place::unpack(place);
            let word = self.chunks.get_mut(chunk as usize).map(|it| &mut it.occupied[usize::from(lane) / 64]);
            let free = word.filter(|word| **word >> (lane % 64) & 1 == 0);
            place == GONE || free.map(|word| *word |= 1 << (lane % 64)).is_some()
        })
    }

    /// Checks that all indices without an agent are listed as free, except those
    /// whose generations are used up.
    fn free(&self) -> Result<(), StateError> {
        let mut listed = filled(self.places.len(), false)?;
        self.free.check(StateFault::Free, |index| {
            let index = index as usize;
            let is_vacant = index < listed.len() && self.places.get(index) == GONE;
            is_vacant && !core::mem::replace(&mut listed[index], true)
        })?;
        let mut others = self.generations.iter().zip(listed);
        self.places.check(StateFault::Free, |place| {
            let is_found = |(generation, listed)| place != GONE || generation == u32::MAX || listed;
            others.next().is_none_or(is_found)
        })
    }

    /// Returns the agents with their places in the state.
    pub(super) fn agents(&self) -> impl Iterator<Item = (Agent, Place)> + '_ {
        let rows = self.places.iter().zip(self.generations.iter()).enumerate();
        let seated = rows.filter(|(_, (place, _))| *place != GONE);
        seated
            .map(|(index, (place, generation))| (Agent::new(index as u32, generation), Place::unpack(place)))
    }

    /// Returns true if the state was made with the same build and can be continued as it is.
    pub(super) fn is_fit(&self) -> bool {
        let slots = || self.map.parts.frame.slots.iter().map(|slot| slot.column);
        let positions = |chunk: &ChunkState<'_>| {
            let mut columns = slots().filter(|column| column.kind == Kind::Node);
            columns.all(|column| chunk.are_positions_fit(&self.map, column))
        };
        let same = self.map.is_same() && self.map.texts.are_same();
        self.sets().is_ok() && same && self.chunks.iter().all(positions)
    }

    /// Checks the sets of a state of the same build, with which engines continue unchanged.
    pub(super) fn sets(&self) -> Result<(), StateError> {
        let parts = self.map.parts;
        let sets = parts.frame.slots.iter().map(|slot| slot.column).filter(|it| it.kind == Kind::Set);
        let mut sets = sets.filter(|_| self.map.is_same());
        let unfit = |set| self.chunks.iter().find_map(|chunk| chunk.unfit_set(parts.description(), set));
        sets.find_map(unfit).map_or(Ok(()), |at| Err(StateError::new(StateFault::Set, at)))
    }

    /// Checks that each agent can continue where it is. Returns the first one that cannot.
    pub(super) fn misplaced(&self) -> Result<(), (Place, Misplaced)> {
        for (index, chunk) in self.chunks.iter().enumerate() {
            let Some(entry) = self.map.entries[chunk.row.entry as usize] else { continue };
            for lane in of_bits(chunk.occupied) {
                let place = Place { chunk: index as u32, lane };
                self.map.place(&chunk.columns, lane, entry).map_err(|why| (place, why))?;
            }
        }
        Ok(())
    }
}

fn world<'a>(
    map: &Map<'_>,
    parts: &Parts,
    layout: &SavedLayout<'a>,
    reader: &mut StateReader<'a>,
) -> Result<WorldPart<'a>, StateError> {
    let at = reader.at;
    if !map.is_same() {
        let shapes = layout.shared.iter().map(|row| (Kind::of(row.kind), row.grouped != 0));
        return WorldPart::read(reader, shapes, layout.events.len());
    }
    let shapes = parts.shared.iter().map(|shared| (shared.kind, shared.grouped));
    let world = WorldPart::read(reader, shapes, parts.events.len())?;
    StateFault::Length.unless(world.row.counts as usize == parts.gate_counts, at)?;
    Ok(world)
}

/// Reads an epoch, which is 0 if there is none.
pub(super) fn epoch(reader: &mut StateReader<'_>, is_there: bool) -> Result<i64, StateError> {
    let at = reader.at;
    let epoch = if is_there { reader.row()? } else { 0 };
    StateFault::Epoch.unless(is_epoch(epoch) && is_there == (epoch != 0), at)?;
    Ok(epoch)
}

impl<'a> ChunkState<'a> {
    fn read(reader: &mut StateReader<'a>, map: &Map<'_>) -> Result<Self, StateError> {
        let at = reader.at;
        let row: ChunkRow = reader.row()?;
        let lanes = |flag| if row.has & flag != 0 { LANES } else { 0 };
        Ok(Self {
            at,
            columns: SavedColumns::read(reader, map.sizes)?,
            ends: reader.list(LANES)?,
            others: reader.list(lanes(has::OTHERS))?,
            groups: reader.list(lanes(has::GROUPS))?,
            paces: reader.list(lanes(has::PACES))?,
            epoch: epoch(reader, row.has & has::EPOCH != 0)?,
            occupied: [0; BIT_WORDS],
            row,
        })
    }

    fn check(&self, entries: usize, groups: u32) -> Result<(), StateError> {
        let mut awake = self.row.awake.iter().zip(self.occupied);
        let are_there = awake.all(|(awake, occupied)| awake & !occupied == 0);
        StateFault::Entry.unless((self.row.entry as usize) < entries, self.at)?;
        StateFault::Flag.unless(self.row.has <= has::ALL, self.at)?;
        StateFault::Awake.unless(are_there, self.at)?;
        self.ends.check(StateFault::End, |end| end <= NEVER)?;
        self.paces.check(StateFault::Pace, is_pace)?;
        self.groups.check(StateFault::Group, |group| group < groups)
    }

    /// Returns true if the nodes in the positions of a chunk of the same build can be there.
    fn are_positions_fit(&self, map: &Map<'_>, column: Column) -> bool {
        let first = column.first as usize;
        let nodes = self.columns.halves.part(first..first + LANES);
        of_bits(self.occupied).all(|lane| {
            let node = nodes.get(lane.into());
            node == 0 || map.stands(node, column, self.row.entry)
        })
    }

    /// Returns the first byte of a set with which an engine could not continue, in a chunk of the
    /// same build. Sets of lanes without an agent are checked as well, and so are the elements
    /// after a set's last node, because engines that test lanes together may read all of them.
    fn unfit_set(&self, own: &Description, column: Column) -> Option<usize> {
        let (first, stride) = (column.first as usize, usize::from(column.stride));
        let halves = self.columns.halves.part(first..first + LANES * stride);
        let is_unfit = |(lane, set): (usize, &[[u8; 2]])| {
            let (count, nodes) = (usize::from(u16::from_le_bytes(set[0])), &set[1..]);
            let most = nodes.iter().map(|node| u16::from_le_bytes(*node)).fold(0, u16::max);
            let occupied = self.occupied[lane / 64] >> (lane % 64) & 1 != 0;
            let stands = |node: &[u8; 2]| own.standing.holds(u16::from_le_bytes(*node), column.first);
            count >= stride || most > own.standing.last() || occupied && !nodes[..count].iter().all(stands)
        };
        let mut sets = halves.bytes.as_chunks::<2>().0.chunks_exact(stride).enumerate();
        sets.position(is_unfit).map(|lane| halves.place(lane * stride))
    }
}
