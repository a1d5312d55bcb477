//! A chunk: the frames of up to 256 agents of one entry, column by column.
//!
//! The chunk serves three purposes: the bucket allocator allocates it, agents are visited in its
//! order, and it is the unit of work of a batch engine. It is allocated when agents are spawned,
//! and never during a tick. Beside its frame, an agent takes 8 bytes for its handle and one for the
//! outcome of its last tick. Other columns exist only if the program needs them.

use crate::code::sweep::{SweepPlan, Waits};
use crate::layout::paths::{LISTED, RunningPaths};
use crate::layout::{BIT_WORDS, Column, Frame, LANES, Slot};
use crate::store::chunk::clock::Clock;
use crate::store::lines::{Lines, filled};
use crate::store::notes::Notes;
use crate::values::{Agent, Kind, NEVER, Outcome};
use alloc::boxed::Box;
use alloc::collections::TryReserveError;
use alloc::sync::Arc;

use bytemuck::{Pod, Zeroable};
use pleach_image::float::{bits32, bits64};
use pleach_image::isa::OTHER;

pub(crate) mod clock;
mod elements;

/// Pace of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Pace {
    /// Interval of the agent's ticks, in ticks of the crowd.
    pub(crate) every: u16,
    /// Number of ticks until the agent's next one.
    pub(crate) rest: u16,
}

impl Pace {
    /// Up each time.
    pub(crate) const EACH: Self = Self { every: 1, rest: 0 };
}

/// The frames of up to 256 agents.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// The entry its agents run.
    pub(crate) entry: u32,
    /// Plan by which the agents are ticked without a host. It is kept here,
    /// because a tick needs it first.
    pub(crate) sweep: Option<Arc<SweepPlan>>,
    /// The paths that running sets are, if its agents have numbers of them in place of lists.
    pub(crate) paths: Option<Arc<RunningPaths>>,
    /// True if sets of agents may be lists, though they have numbers.
    pub(crate) is_listed: bool,
    /// The columns that this looks at first.
    pub(crate) waits: Waits,
    /// Time of the tick, and what timers count from.
    pub(crate) clock: Clock,
    occupied: [u64; BIT_WORDS],
    /// Those of them that do not sleep.
    awake: [u64; BIT_WORDS],
    /// Number of agents that are awake.
    count: u32,
    agents: Box<[Agent; LANES]>,
    /// Ends of the last ticks.
    pub(crate) ends: Lines<u8>,
    /// The numbers of statuses outside the three; empty if there can be none.
    pub(crate) others: Box<[i32]>,
    /// The groups of agents; empty if that makes no difference and all are in the default one.
    pub(crate) groups: Box<[u32]>,
    /// Every how many ticks agents are up, and in how many; empty if all are up in all.
    pub(crate) paces: Box<[Pace]>,
    /// Lanes that are up in this tick, if there are paces.
    up: [u64; BIT_WORDS],
    pub(crate) bits: Lines<u64>,
    pub(crate) bytes: Lines<u8>,
    pub(crate) halves: Lines<u16>,
    pub(crate) words: Lines<u32>,
    pub(crate) moments: Lines<i64>,
    /// While a recorder asks the host: what calls are about to write over.
    pub(crate) notes: Option<Box<Notes>>,
}

impl Chunk {
    /// Returns a chunk without agents, if there is memory for it.
    pub(crate) fn new(
        frame: &Frame,
        entry: u32,
        sweep: Option<Arc<SweepPlan>>,
    ) -> Result<Self, TryReserveError> {
        let lanes = |needed: bool| if needed { LANES } else { 0 };
        let paths = frame.paths.as_ref().filter(|paths| paths.entries[entry as usize]).cloned();
        let numbers = lanes(paths.is_some());
        let agents = filled(LANES, Agent::NOBODY)?.try_into();
        let agents = agents.unwrap_or_else(|_| unreachable!("it is as long as was asked for"));
        Ok(Self {
            entry,
            waits: Waits::of(sweep.as_deref()),
            clock: Clock::default(),
            sweep,
            paths,
            is_listed: false,
            occupied: [0; BIT_WORDS],
            awake: [0; BIT_WORDS],
            count: 0,
            agents,
            ends: Lines::new(LANES)?,
            others: filled(lanes(frame.others), 0)?,
            groups: filled(lanes(frame.groups), 0)?,
            paces: Box::default(),
            up: [0; BIT_WORDS],
            bits: Lines::new(frame.sizes.bits)?,
            bytes: Lines::new(frame.sizes.bytes)?,
            halves: Lines::new(frame.sizes.halves + numbers)?,
            words: Lines::new(frame.sizes.words)?,
            moments: Lines::new(frame.sizes.moments)?,
            notes: None,
        })
    }

    /// Becomes a copy of another chunk of the same program and entry.
    pub(crate) fn follow(&mut self, other: &Self) {
        (self.occupied, self.awake, self.count) = (other.occupied, other.awake, other.count);
        (self.clock, self.is_listed) = (other.clock, other.is_listed);
        self.agents.copy_from_slice(&other.agents[..]);
        self.ends.copy_from_slice(&other.ends);
        self.others.clone_from(&other.others);
        self.groups.clone_from(&other.groups);
        self.paces.clone_from(&other.paces);
        self.bits.copy_from_slice(&other.bits);
        self.bytes.copy_from_slice(&other.bytes);
        self.halves.copy_from_slice(&other.halves);
        self.words.copy_from_slice(&other.words);
        self.moments.copy_from_slice(&other.moments);
    }

    /// Returns true if another chunk of the same agents has the same content in all columns. Lanes
    /// without an agent are compared as well.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.awake == other.awake
            && self.clock.epoch() == other.clock.epoch()
            && self.groups == other.groups
            && self.paces == other.paces
            && *self.bits == *other.bits
            && *self.bytes == *other.bytes
            && *self.halves == *other.halves
            && *self.words == *other.words
            && *self.moments == *other.moments
    }

    /// Lets the sets of all lanes be the lists that stand there.
    pub(crate) fn list_all(&mut self) {
        if let Some(paths) = &self.paths {
            self.halves[paths.column as usize..].fill(LISTED);
            self.is_listed = true;
        }
    }

    /// Returns true if the running set of a lane is a list without a number, though sets of its
    /// tree have numbers.
    #[inline]
    pub(crate) fn is_list(&mut self, lane: u8) -> bool {
        self.is_listed && self.number_lists()[usize::from(lane) / 64] >> (lane % 64) & 1 != 0
    }

    /// Gives sets that are lists the numbers of their paths. Returns the lanes
    /// whose sets are none, as bits.
    #[cold]
    pub(crate) fn number_lists(&mut self) -> [u64; BIT_WORDS] {
        let Some(paths) = self.paths.clone() else { return [0; BIT_WORDS] };
        let (RunningPaths { first, stride, .. }, occupied) = (&*paths, self.occupied);
        let mut stays = |lane: &u8| {
            if self.half(paths.column, *lane) != LISTED {
                return false;
            }
            let number = paths.find(self.set(*first, *stride, *lane));
            *self.half_mut(paths.column, *lane) = number.unwrap_or(LISTED);
            number.is_none()
        };
        let listed = bits_of(of_bits(occupied).filter(|lane| stays(lane)));
        self.is_listed = listed != [0; BIT_WORDS];
        listed
    }

    /// Returns the lowest lane that is free.
    pub(crate) fn vacancy(&self) -> Option<u8> {
        let free = self.occupied.iter().enumerate().find(|(_, word)| **word != u64::MAX);
        free.map(|(index, word)| (index * 64) as u8 + word.trailing_ones() as u8)
    }

    /// Returns the lanes in use, as bits.
    pub(crate) fn occupied(&self) -> [u64; BIT_WORDS] {
        self.occupied
    }

    /// Returns the lanes in use for whose groups `holds` returns true, as bits.
    pub(crate) fn of_groups(&self, holds: impl Fn(u32) -> bool) -> [u64; BIT_WORDS] {
        bits_of(self.lanes().filter(|lane| holds(self.group(*lane))))
    }

    /// Returns the number of agents that are awake.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Whose agents do not sleep, as bits.
    #[inline]
    pub(crate) fn awake(&self) -> [u64; BIT_WORDS] {
        self.awake
    }

    /// Returns true if the agent of a lane in use sleeps.
    pub(crate) fn is_asleep(&self, lane: u8) -> bool {
        self.awake[usize::from(lane) / 64] >> (lane % 64) & 1 == 0
    }

    /// Leaves the agent of a lane in use out of ticks, or not.
    pub(crate) fn set_asleep(&mut self, lane: u8, asleep: bool) {
        let was = self.is_asleep(lane);
        let word = &mut self.awake[usize::from(lane) / 64];
        *word = *word & !(1 << (lane % 64)) | u64::from(!asleep) << (lane % 64);
        self.count = self.count + u32::from(was) - u32::from(asleep);
    }

    /// Returns the lanes in use, in order.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = u8> + use<> {
        of_bits(self.occupied)
    }

    /// Returns the lanes whose agents do not sleep, in order.
    pub(crate) fn awake_lanes(&self) -> impl Iterator<Item = u8> + use<> {
        of_bits(self.awake())
    }

    /// Gives a free lane to an agent, with the frame of one that has just been spawned.
    pub(crate) fn occupy(&mut self, frame: &Frame, lane: u8, agent: Agent) {
        let index = usize::from(lane);
        self.occupied[index / 64] |= 1 << (lane % 64);
        self.set_asleep(lane, false);
        self.agents[index] = agent;
        self.ends[index] = NEVER;
        self.set_group(lane, 0);
        if let Some(pace) = self.paces.get_mut(index) {
            *pace = Pace::EACH;
        }
        self.clear(frame, lane, |_| true);
    }

    /// Sets the lanes that are in use and those that are awake. The
    /// agents of the lanes are set next.
    pub(crate) fn seat(&mut self, occupied: [u64; BIT_WORDS], awake: [u64; BIT_WORDS]) {
        (self.occupied, self.awake) = (occupied, awake);
        self.count = awake.iter().map(|word| word.count_ones()).sum();
        self.agents.fill(Agent::NOBODY);
    }

    /// Sets the agent of a lane in use.
    pub(crate) fn set_agent(&mut self, lane: u8, agent: Agent) {
        self.agents[usize::from(lane)] = agent;
    }

    pub(crate) fn vacate(&mut self, lane: u8) {
        self.set_asleep(lane, true);
        self.occupied[usize::from(lane) / 64] &= !(1 << (lane % 64));
        self.agents[usize::from(lane)] = Agent::NOBODY;
    }

    /// Returns the agents of all lanes.
    pub(crate) fn by_lane(&self) -> &[Agent; LANES] {
        &self.agents
    }

    /// Returns the agent of a lane in use.
    #[inline]
    pub(crate) fn agent(&self, lane: u8) -> Agent {
        self.agents[usize::from(lane)]
    }

    /// Returns the group of a lane's agent.
    #[inline]
    pub(crate) fn group(&self, lane: u8) -> u32 {
        self.groups.get(usize::from(lane)).copied().unwrap_or(0)
    }

    pub(crate) fn set_group(&mut self, lane: u8, group: u32) {
        if self.groups.is_empty() && group != 0 {
            self.groups = [0; LANES].into();
        }
        if let Some(place) = self.groups.get_mut(usize::from(lane)) {
            *place = group;
        }
    }

    /// Lets a lane's agent be ticked only once in `every` ticks. Its index decides in which.
    pub(crate) fn set_pace(&mut self, lane: u8, every: u16) {
        let rest = self.agent(lane).index() % usize::from(every);
        self.put_pace(lane, Pace { every, rest: rest as u16 });
    }

    /// Gives a lane's agent a pace.
    pub(crate) fn put_pace(&mut self, lane: u8, pace: Pace) {
        if self.paces.is_empty() && pace.every > 1 {
            self.paces = [Pace::EACH; LANES].into();
        }
        if let Some(place) = self.paces.get_mut(usize::from(lane)) {
            *place = pace;
        }
    }

    /// Begins a tick: finds the agents whose turn it is.
    pub(crate) fn next_turn(&mut self) {
        let paces = self.paces.as_chunks_mut::<64>().0.iter_mut();
        for ((up, awake), paces) in self.up.iter_mut().zip(self.awake).zip(paces) {
            *up = 0;
            for (lane, Pace { every, rest }) in paces.iter_mut().enumerate() {
                let turn = *rest == 0;
                *up |= u64::from(turn) << lane;
                *rest = if turn { *every - 1 } else { *rest - 1 };
            }
            *up &= awake;
        }
    }

    /// Returns true if agents have paces, so that one that is awake may not be up.
    #[inline]
    pub(crate) fn is_paced(&self) -> bool {
        !self.paces.is_empty()
    }

    /// Returns the lanes that are up in this tick.
    #[inline]
    pub(crate) fn up(&self) -> [u64; BIT_WORDS] {
        if self.is_paced() { self.up } else { self.awake }
    }

    /// Returns true if a lane is up in this tick.
    #[inline]
    pub(crate) fn is_up(&self, lane: u8) -> bool {
        self.up()[usize::from(lane) / 64] >> (lane % 64) & 1 != 0
    }

    /// Returns the outcome of a lane's last tick.
    pub(crate) fn outcome(&self, lane: u8) -> Option<Outcome> {
        let other = self.others.get(usize::from(lane)).copied().unwrap_or(0);
        Outcome::of(self.ends[usize::from(lane)], other)
    }

    /// Notes the outcome of a tick.
    pub(crate) fn note(&mut self, lane: u8, outcome: Outcome) {
        let (end, other) = outcome.end();
        self.end(lane, end, other);
    }

    /// Notes how a tick ended: the exit, and the number that goes with [`OTHER`].
    #[inline]
    pub(crate) fn end(&mut self, lane: u8, exit: u8, other: i32) {
        self.ends[usize::from(lane)] = exit;
        if exit == OTHER
            && let Some(place) = self.others.get_mut(usize::from(lane))
        {
            *place = other;
        }
    }

    /// Sets slots of a lane to their values at spawning, if `which` returns true for them.
    pub(crate) fn clear(&mut self, frame: &Frame, lane: u8, which: impl Fn(&Slot) -> bool) {
        for Slot { column, init, .. } in frame.slots.iter().filter(|slot| which(slot)) {
            match column.kind {
                Kind::Set => self.set_mut(column.first, column.stride, lane).fill(0),
                Kind::Data => self.data_mut(*column, lane).fill(0),
                _ => self.write(*column, lane, *init),
            }
        }
    }

    /// Copies a frame from a lane of another chunk of the same program, which is at the same time.
    pub(crate) fn copy_from(&mut self, frame: &Frame, lane: u8, source: &Self, from: u8) {
        for Slot { column, .. } in &frame.slots {
            let Column { kind, first, stride } = *column;
            match kind {
                Kind::Set => {
                    self.set_mut(first, stride, lane).copy_from_slice(source.set(first, stride, from))
                }
                Kind::Data => self.data_mut(*column, lane).copy_from_slice(source.data(*column, from)),
                _ => self.write(*column, lane, source.read(*column, from)),
            }
        }
        let (index, other) = (usize::from(from), source.others.get(usize::from(from)));
        self.end(lane, source.ends[index], other.copied().unwrap_or(0));
        self.set_asleep(lane, source.is_asleep(from));
        self.set_group(lane, source.group(from));
        if let Some(pace) = source.paces.get(usize::from(from)) {
            self.put_pace(lane, *pace);
        }
    }

    /// Returns the value of a lane as bits: a boolean is 1 or 0, and a narrow integer is extended.
    /// Sets and data have no such value.
    #[inline]
    pub(crate) fn read(&self, column: Column, lane: u8) -> u64 {
        let at = column.first as usize + usize::from(lane);
        match column.kind {
            Kind::Bit => self.bit(column.first, lane).into(),
            Kind::I8 => (i32::from(self.bytes[at] as i8) as u32).into(),
            Kind::U8 => self.bytes[at].into(),
            Kind::I16 => (i32::from(self.halves[at] as i16) as u32).into(),
            Kind::U16 | Kind::Node | Kind::Set => self.halves[at].into(),
            Kind::I32 | Kind::Time | Kind::Text => self.words[at].into(),
            // Hosts write columns of floats as they like.
            Kind::F32 => bits32(f32::from_bits(self.words[at])).into(),
            Kind::F64 => bits64(f64::from_bits(self.moments[at] as u64)),
            Kind::I64 | Kind::Entity | Kind::Moment => self.moments[at] as u64,
            Kind::Data => 0,
        }
    }

    /// Puts bits into a lane; narrow integers keep the lowest. For anything but sets and data.
    /// Where the kind is a constant, this is one store.
    #[inline(always)]
    pub(crate) fn write(&mut self, column: Column, lane: u8, bits: u64) {
        let at = column.first as usize + usize::from(lane);
        match column.kind {
            Kind::Bit => self.set_bit(column.first, lane, bits != 0),
            Kind::I8 | Kind::U8 => self.bytes[at] = bits as u8,
            Kind::I16 | Kind::U16 | Kind::Node | Kind::Set => self.halves[at] = bits as u16,
            Kind::I32 | Kind::F32 | Kind::Time | Kind::Text => self.words[at] = bits as u32,
            Kind::I64 | Kind::F64 | Kind::Entity | Kind::Moment => self.moments[at] = bits as i64,
            Kind::Data => {}
        }
    }

    /// Writes a value for the host, or for a node that the host can know of. If a boolean changes,
    /// that is noted in the column of changes. See [`Self::write`].
    #[inline]
    pub(crate) fn assign(&mut self, frame: &Frame, column: Column, lane: u8, bits: u64) {
        if column.kind != Kind::Bit {
            return self.write(column, lane, bits);
        }
        if let Some(changes) = frame.changes
            && self.bit(column.first, lane) != (bits != 0)
        {
            self.set_bit(changes, lane, true);
        }
        self.set_bit(column.first, lane, bits != 0);
    }
}

/// Returns the lanes whose bits are set, in order.
pub(crate) fn of_bits(mut words: [u64; BIT_WORDS]) -> impl Iterator<Item = u8> {
    let mut index = 0;
    core::iter::from_fn(move || {
        while index < BIT_WORDS && words[index] == 0 {
            index += 1;
        }
        let word = words.get_mut(index)?;
        let lane = word.trailing_zeros();
        *word &= *word - 1;
        Some((index * 64) as u8 + lane as u8)
    })
}

/// Returns the bits of some lanes.
pub(crate) fn bits_of(lanes: impl Iterator<Item = u8>) -> [u64; BIT_WORDS] {
    let mut bits = [0; BIT_WORDS];
    lanes.for_each(|lane| bits[usize::from(lane) / 64] |= 1 << (lane % 64));
    bits
}

#[cfg(test)]
mod tests;
