//! A chunk: the frames of up to 256 agents of one entry, column by column.
//!
//! The chunk is what the bucket allocator hands out, the order in which agents are visited and, for a batch engine, the
//! unit of work, in one. It is allocated when agents are spawned and never during a tick.

use crate::agents::Agent;
use crate::frame::{BIT_WORDS, Column, Frame, LANES};
use crate::status::Outcome;

/// The frames of up to 256 agents.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// The entry its agents run.
    pub(crate) entry: u32,
    occupied: [u64; BIT_WORDS],
    agents: Box<[Option<Agent>]>,
    pub(crate) outcomes: Box<[Option<Outcome>]>,
    bits: Box<[u64]>,
    halves: Box<[u16]>,
    times: Box<[i32]>,
}

impl Chunk {
    pub(crate) fn new(frame: &Frame, entry: u32) -> Self {
        Self {
            entry,
            occupied: [0; BIT_WORDS],
            agents: vec![None; LANES].into(),
            outcomes: vec![None; LANES].into(),
            bits: vec![0; frame.bits].into(),
            halves: vec![0; frame.halves].into(),
            times: vec![0; frame.times].into(),
        }
    }

    /// The lowest lane that is free.
    pub(crate) fn vacancy(&self) -> Option<u8> {
        let free = self.occupied.iter().enumerate().find(|(_, word)| **word != u64::MAX);
        free.map(|(index, word)| (index * 64) as u8 + word.trailing_ones() as u8)
    }

    /// The lanes in use, in order.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = u8> + use<> {
        let mut words = self.occupied;
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

    /// Gives a free lane to an agent, with a frame of zeros.
    pub(crate) fn occupy(&mut self, frame: &Frame, lane: u8, agent: Agent) {
        self.occupied[usize::from(lane) / 64] |= 1 << (lane % 64);
        self.agents[usize::from(lane)] = Some(agent);
        self.outcomes[usize::from(lane)] = None;
        self.clear(frame, lane, |_| true);
    }

    pub(crate) fn vacate(&mut self, lane: u8) {
        self.occupied[usize::from(lane) / 64] &= !(1 << (lane % 64));
        self.agents[usize::from(lane)] = None;
    }

    pub(crate) fn agent(&self, lane: u8) -> Option<Agent> {
        self.agents[usize::from(lane)]
    }

    /// Zeroes the slots of a lane for which `which` holds.
    pub(crate) fn clear(&mut self, frame: &Frame, lane: u8, which: impl Fn(&crate::frame::Slot) -> bool) {
        for slot in frame.slots.iter().filter(|slot| which(slot)) {
            match slot.column {
                Column::Bit { first } => self.set_bit(first, lane, false),
                Column::Node { first } => *self.node_mut(first, lane) = 0,
                Column::Time { first } => *self.time_mut(first, lane) = 0,
                Column::Set { first, stride } => self.set_mut(first, stride, lane).fill(0),
            }
        }
    }

    /// Copies a frame from a lane of another chunk of the same program.
    pub(crate) fn copy_from(&mut self, frame: &Frame, lane: u8, source: &Self, from: u8) {
        for slot in &frame.slots {
            match slot.column {
                Column::Bit { first } => self.set_bit(first, lane, source.bit(first, from)),
                Column::Node { first } => *self.node_mut(first, lane) = source.node(first, from),
                Column::Time { first } => *self.time_mut(first, lane) = source.time(first, from),
                Column::Set { first, stride } => {
                    let set = source.set(first, stride, from);
                    self.set_mut(first, stride, lane).copy_from_slice(set);
                }
            }
        }
        self.outcomes[usize::from(lane)] = source.outcomes[usize::from(from)];
    }

    #[inline]
    pub(crate) fn bit(&self, first: u32, lane: u8) -> bool {
        self.bits[first as usize + usize::from(lane) / 64] >> (lane % 64) & 1 != 0
    }

    #[inline]
    pub(crate) fn set_bit(&mut self, first: u32, lane: u8, value: bool) {
        let word = &mut self.bits[first as usize + usize::from(lane) / 64];
        *word = *word & !(1 << (lane % 64)) | u64::from(value) << (lane % 64);
    }

    #[inline]
    pub(crate) fn node(&self, first: u32, lane: u8) -> u16 {
        self.halves[first as usize + usize::from(lane)]
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, first: u32, lane: u8) -> &mut u16 {
        &mut self.halves[first as usize + usize::from(lane)]
    }

    #[inline]
    pub(crate) fn time(&self, first: u32, lane: u8) -> i32 {
        self.times[first as usize + usize::from(lane)]
    }

    #[inline]
    pub(crate) fn time_mut(&mut self, first: u32, lane: u8) -> &mut i32 {
        &mut self.times[first as usize + usize::from(lane)]
    }

    #[inline]
    pub(crate) fn set(&self, first: u32, stride: u32, lane: u8) -> &[u16] {
        &self.halves[first as usize + usize::from(lane) * stride as usize..][..stride as usize]
    }

    #[inline]
    pub(crate) fn set_mut(&mut self, first: u32, stride: u32, lane: u8) -> &mut [u16] {
        &mut self.halves[first as usize + usize::from(lane) * stride as usize..][..stride as usize]
    }
}
