//! Changes that a host makes between steps, without a call. They are found by comparison with a
//! copy, and then made in the copy as well.
//!
//! One function both writes and reads a change. To write, it compares the crowd with the copy and
//! changes the copy. To read, it changes the crowd that is replayed. If a difference cannot be
//! described as a change, a snapshot is written.

use super::coder::{Coder, mix};
use super::error::RecordingFault;
use crate::crowd::Crowd;
use crate::layout::{LANES, Rules};
use crate::values::{Agent, EventTarget, Group, Kind, Rule, SharedVariable};
use alloc::vec::Vec;
use core::num::NonZeroU16;

/// State of agents beside their slots.
const TRAITS: [Trait; 4] = [Trait::Group, Trait::Asleep, Trait::Pace, Trait::Rule];

#[derive(Clone, Copy, Debug)]
pub(super) enum Trait {
    Group,
    Asleep,
    Pace,
    Rule,
}

/// Returns the context of a decision about a change.
fn context(what: u64, which: u64) -> u64 {
    mix(mix(0xc4a2, what), which)
}

/// Writes the changes that turn `crowd` into `to`, or reads changes. Makes them in `crowd`.
pub(super) fn change<C: Coder>(
    coder: &mut C,
    crowd: &mut Crowd,
    to: Option<&Crowd>,
) -> Result<(), RecordingFault> {
    spawn(coder, crowd, to)?;
    group(coder, crowd, to)?;
    intern(coder, crowd, to)?;
    limit(coder, crowd, to);
    share(coder, crowd, to);
    for chunk in 0..crowd.chunks.len() {
        let other = to.and_then(|to| Some(!to.chunks.get(chunk)?.is_like(&crowd.chunks[chunk])));
        if coder.bit(context(0, 0), other.unwrap_or(false)) {
            self::chunk(coder, crowd, to, chunk);
        }
    }
    Ok(())
}

/// New agents, in the order in which they came.
fn spawn<C: Coder>(coder: &mut C, crowd: &mut Crowd, to: Option<&Crowd>) -> Result<(), RecordingFault> {
    loop {
        let next = crowd.agents.next();
        let spawned = to.and_then(|to| Some(to.chunks[to.agents.find(next?).ok()?.chunk as usize].entry));
        if !coder.bit(context(1, 0), spawned.is_some()) {
            return Ok(());
        }
        RecordingFault::Spent.unless(!coder.is_spent())?;
        // However many there are, each takes a bit.
        coder.fair(true);
        let entry = coder.number(context(1, 1), 2, spawned.unwrap_or(0).into()) as u32;
        RecordingFault::Name.unless((entry as usize) < crowd.program().entries().len())?;
        crowd.spawn_entry(entry).map_err(|_| RecordingFault::Agent)?;
    }
}

fn group<C: Coder>(coder: &mut C, crowd: &mut Crowd, to: Option<&Crowd>) -> Result<(), RecordingFault> {
    while coder.bit(context(2, 0), to.is_some_and(|to| to.world.groups > crowd.world.groups)) {
        coder.fair(true);
        RecordingFault::Spent.unless(!coder.is_spent())?;
        crowd.add_group().map_err(|_| RecordingFault::Name)?;
    }
    Ok(())
}

/// New texts, in the order in which the host interned them.
fn intern<C: Coder>(coder: &mut C, crowd: &mut Crowd, to: Option<&Crowd>) -> Result<(), RecordingFault> {
    if !crowd.program.parts.has_texts {
        return Ok(());
    }
    loop {
        let known = crowd.world.texts.interned().len();
        let next = to.and_then(|to| to.world.texts.interned().nth(known));
        if !coder.bit(context(10, 0), next.is_some()) {
            return Ok(());
        }
        let next = next.unwrap_or_default();
        // However many there are, each text takes a bit, and each byte of it.
        coder.fair(true);
        RecordingFault::Spent.unless(!coder.is_spent())?;
        let mut text = Vec::new();
        for at in 0..coder.number(context(10, 1), 2, next.len() as u64) as usize {
            coder.fair(true);
            RecordingFault::Spent.unless(!coder.is_spent())?;
            text.push(coder.byte(context(10, 2), next.get(at).copied().unwrap_or(0)));
        }
        // A replay that has gone back knows the text already.
        crowd.intern(&text).map_err(|_| RecordingFault::Length)?;
    }
}

fn limit<C: Coder>(coder: &mut C, crowd: &mut Crowd, to: Option<&Crowd>) {
    let limit = to.map_or(0, Crowd::step_limit);
    if coder.bit(context(3, 0), to.is_some() && limit != crowd.step_limit()) {
        let limit = coder.number(context(3, 1), 2, limit.into()) as u16;
        NonZeroU16::new(limit).into_iter().for_each(|limit| crowd.set_step_limit(limit));
    }
}

/// Writes or reads changes of shared variables.
fn share<C: Coder>(coder: &mut C, crowd: &mut Crowd, to: Option<&Crowd>) {
    let value =
        |crowd: &Crowd, variable, group| crowd.world.entry_at(variable, group).map(|(_, entry)| entry);
    let variables = || (0..crowd.program.parts.shared.len()).map(|variable| SharedVariable(variable as u16));
    let cells: Vec<_> = variables()
        .flat_map(|variable| {
            let grouped = crowd.program.parts.shared[usize::from(variable.0)].grouped;
            let groups = if grouped { crowd.world.groups } else { 1 };
            (0..groups).map(move |group| (variable, Group(group)))
        })
        .collect();
    let other = to.is_some_and(|to| {
        cells.iter().any(|(variable, group)| value(crowd, *variable, *group) != value(to, *variable, *group))
    });
    if !coder.bit(context(4, 0), other) {
        return;
    }
    for (variable, group) in cells {
        let bits = to.and_then(|to| value(to, variable, group)).unwrap_or(0);
        let other = to.is_some() && value(crowd, variable, group) != Some(bits);
        if coder.bit(context(5, variable.0.into()), other) {
            let bits = coder.number(context(6, variable.0.into()), 8, bits);
            // The variable and the group exist.
            let _ = crowd.world.set(variable, group, bits);
        }
    }
}

/// Writes or reads changes of the agents of a chunk.
fn chunk<C: Coder>(coder: &mut C, crowd: &mut Crowd, to: Option<&Crowd>, chunk: usize) {
    for (number, which) in TRAITS.into_iter().enumerate() {
        let read = |crowd: &Crowd, lane| which.read(crowd, chunk, lane);
        for (lane, value) in lanes(coder, crowd, to, (chunk, 1 << 20 | number as u64, which.bytes()), read) {
            let _ = which.put(crowd, chunk, lane, value);
        }
    }
    let frame = crowd.program.parts.clone();
    for (number, slot) in frame.frame.slots.iter().enumerate() {
        let column = slot.column;
        let bytes = match column.kind {
            // Where agents are in their trees is not for the host to say, and its data is its own.
            Kind::Node | Kind::Set | Kind::Data => continue,
            Kind::Bit => 0,
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::F32 | Kind::Time | Kind::Text => 4,
            Kind::I64 | Kind::F64 | Kind::Entity | Kind::Moment => 8,
        };
        let read = |crowd: &Crowd, lane| crowd.chunks[chunk].read(column, lane);
        for (lane, value) in lanes(coder, crowd, to, (chunk, number as u64, bytes), read) {
            crowd.chunks[chunk].write(column, lane, value);
        }
    }
}

/// Writes or reads the lanes of a chunk whose value has changed, and returns them with the new
/// values. A value has `bytes` bytes; with 0 it is a boolean.
fn lanes<C: Coder>(
    coder: &mut C,
    crowd: &Crowd,
    to: Option<&Crowd>,
    (chunk, column, bytes): (usize, u64, u32),
    read: impl Fn(&Crowd, u8) -> u64,
) -> Vec<(u8, u64)> {
    let whole = &crowd.chunks[chunk];
    let value = |lane| to.map_or(0, |to| read(to, lane));
    let other = |lane| to.is_some_and(|to| read(to, lane) != read(crowd, lane));
    if !coder.bit(context(7, column), whole.lanes().any(other)) {
        return Vec::new();
    }
    let mut changes = Vec::with_capacity(LANES);
    let mut before = false;
    for lane in whole.lanes() {
        before = coder.bit(mix(context(8, column), before.into()), other(lane));
        if before {
            let old = read(crowd, lane);
            let value = match bytes {
                0 => u64::from(old == 0),
                bytes => coder.number(context(9, column), bytes, value(lane)),
            };
            changes.push((lane, value));
        }
    }
    changes
}

impl Trait {
    fn bytes(self) -> u32 {
        match self {
            Self::Group => 4,
            Self::Asleep => 0,
            Self::Pace | Self::Rule => 2,
        }
    }

    pub(super) fn read(self, crowd: &Crowd, chunk: usize, lane: u8) -> u64 {
        let (chunk, rules) = (&crowd.chunks[chunk], &crowd.program.parts.frame.rules);
        match self {
            Self::Group => chunk.group(lane).into(),
            Self::Asleep => chunk.is_asleep(lane).into(),
            Self::Pace => chunk.paces.get(usize::from(lane)).map_or(1, |pace| pace.every.into()),
            Self::Rule => rules.as_ref().map_or(0, |rules| chunk.half(rules.position, lane).into()),
        }
    }

    pub(super) fn put(self, crowd: &mut Crowd, chunk: usize, lane: u8, value: u64) -> Option<()> {
        let agent = crowd.chunks[chunk].agent(lane);
        match self {
            Self::Group => crowd.join(agent, Group(value as u32)).ok(),
            Self::Asleep if value == 0 => crowd.wake(agent).ok(),
            Self::Asleep => crowd.sleep(agent).ok(),
            Self::Pace => crowd.set_pace(EventTarget::Agent(agent), NonZeroU16::new(value as u16)?).ok(),
            Self::Rule => {
                let rule = Rule(value as u16);
                let is_place = |rules: &&Rules| rules.is_place(rule, crowd.chunks[chunk].entry);
                if crowd.program.parts.frame.rules.as_deref().filter(is_place)?.is_tree(rule) {
                    crowd.rules_mut().lose(agent).ok()
                } else {
                    crowd.rules_mut().jump(agent, rule).ok()
                }
            }
        }
    }
}

/// Returns true if two crowds of one program are the same, apart from data that nodes of the host
/// keep for themselves, and lanes without an agent.
pub(super) fn is_same(one: &Crowd, other: &Crowd) -> bool {
    one.agents.is_like(&other.agents)
        && one.chunks.len() == other.chunks.len()
        && (0..one.chunks.len()).all(|chunk| is_same_chunk(one, other, chunk))
        && is_same_world(one, other)
}

/// Returns true if two crowds do not differ in an agent's chunk and in the state that all agents
/// share.
pub(super) fn is_same_for(one: &Crowd, other: &Crowd, agent: Agent) -> bool {
    let chunk = |crowd: &Crowd| crowd.agents.find(agent).map(|place| place.chunk as usize).ok();
    chunk(one) == chunk(other)
        && chunk(one).is_some_and(|chunk| is_same_chunk(one, other, chunk))
        && is_same_world(one, other)
}

fn is_same_world(one: &Crowd, other: &Crowd) -> bool {
    let (texts, others) = (&one.world.texts, &other.world.texts);
    one.step_limit() == other.step_limit()
        && (!one.program.parts.has_texts || texts.len() == others.len())
        && one.world_bytes() == other.world_bytes()
}

fn is_same_chunk(one: &Crowd, other: &Crowd, chunk: usize) -> bool {
    let (first, second) = (&one.chunks[chunk], &other.chunks[chunk]);
    let is_like = first.is_like(second) && *first.ends == *second.ends && first.others == second.others;
    let same_agent = |lane| one.digest_of(first.agent(lane)) == other.digest_of(second.agent(lane));
    // A change of a timer counts from the epoch, and says nothing about it.
    let same_epoch = first.clock.epoch() == second.clock.epoch();
    is_like || same_epoch && first.lanes().eq(second.lanes()) && first.lanes().all(same_agent)
}
