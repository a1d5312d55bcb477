//! Reading a recording, forward and back.

use super::answers::AnswerMemory;
use super::changes::change;
use super::coder::{BitReader, Coder};
use super::error::{RecordingError, RecordingFault};
use super::format::{BLOCK, Block, Header, OLD_VERSION, RecordedLink};
use super::recorder;
use super::reply::{RecordedHost, ReplayHost, ReplayLinker};
use super::told::{self, RecordKind};
use crate::crowd::{Crowd, CrowdStep, NoWatchers, Watchers};
use crate::program::Program;
use crate::values::{Agent, Event, EventTarget};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::num::NonZeroU16;
use pleach_image::Image;

/// Maximum number of kept places, to which a replay can go back at once. If there are more,
/// every second one is dropped.
const KEPT: usize = 24;
/// Limit of the bytes of all snapshots in a recording of the old version: a constant, and a number
/// for each byte of the recording.
const OLD_STATES: [u64; 2] = [16 << 20, 1 << 10];

/// Replay of a recording.
///
/// It begins before the first tick. Every tick has the results that it had: each agent's status,
/// its place in its tree, its variables and timers. If bytes are damaged or forged, there is an
/// error at that place. Everything before it can be replayed.
#[derive(Debug)]
pub struct Replay {
    image: Image,
    pub(super) links: Vec<RecordedLink>,
    version: u32,
    bytes: Arc<[u8]>,
    crowd: Crowd,
    pub(super) at: ReplayPoint,
    /// Number of ticks in whole blocks.
    ticks: u64,
    kept: Vec<Kept>,
    /// Interval at which places are kept, in ticks.
    every: u64,
    events: Vec<(Event, EventTarget)>,
    /// Last step that was replayed and not taken.
    last: Option<CrowdStep<'static>>,
}

/// Place of a replay, without its crowd.
#[derive(Clone, Debug)]
pub(super) struct ReplayPoint {
    pub(super) reply: ReplayHost,
    /// Offset of the next block.
    next: usize,
    before: RecordKind,
    now: i64,
    tick: u64,
    /// Index of the agent that was named last.
    last: u32,
    /// Number of bytes of the snapshots so far.
    states: u64,
}

/// A place to go back to.
#[derive(Debug)]
struct Kept {
    at: ReplayPoint,
    state: Vec<u8>,
    limit: u16,
}

impl Replay {
    /// Opens a recording. The replay stands before the first tick.
    ///
    /// # Errors
    /// If the bytes are none, or the image in them is refused.
    pub fn open(bytes: impl Into<Arc<[u8]>>) -> Result<Self, RecordingError> {
        let bytes = bytes.into();
        let error = |fault| RecordingError { fault, tick: 0, at: 0 };
        let header = Header::read(&bytes).map_err(error)?;
        let image = Image::copy(header.image).map_err(|_| error(RecordingFault::Image))?;
        let is_fit = image.imports().len() == header.links.len();
        RecordingFault::Image.unless(is_fit).map_err(error)?;
        let linker = ReplayLinker { image: &image, links: &header.links, others: None };
        let program = Program::link(&image, &linker).map_err(|_| error(RecordingFault::Image))?;
        let mut crowd = Crowd::replaying(&program);
        if let Some(fixed) = header.fixed {
            crowd = crowd.with_fixed_chance(fixed);
        }
        let links = header.links;
        let reader = BitReader::new(image.code().len(), bytes.clone());
        let reply = ReplayHost { reader, memory: AnswerMemory::new(), log: None, fault: None };
        let before = RecordKind::End;
        let at = ReplayPoint { reply, next: header.end, before, now: 0, tick: 0, last: 0, states: 0 };
        let (version, ticks) = (header.version, whole(&bytes, header.end));
        let (kept, events) = (Vec::new(), Vec::new());
        Ok(Self { image, links, version, bytes, crowd, at, ticks, kept, every: 16, events, last: None })
    }

    /// Returns the recorded image.
    #[must_use]
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Returns the crowd as it was after the last replayed tick.
    #[must_use]
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Returns the number of replayed ticks.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.at.tick
    }

    /// Returns the number of ticks up to the end of the recording, or up to the first damaged
    /// block.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.ticks
    }

    /// Returns true if the recording has no ticks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ticks == 0
    }

    /// Returns the time of the last replayed tick.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.at.now
    }

    /// Returns the events that the host raised between the last replayed tick and the tick before.
    #[must_use]
    pub fn raised(&self) -> &[(Event, EventTarget)] {
        &self.events
    }

    /// Returns the agent with this index; `None` if there is none now.
    #[must_use]
    pub fn agent(&self, index: u32) -> Option<Agent> {
        self.crowd.agents.at(index)
    }

    /// Replays the next tick. Returns false at the end of the recording.
    ///
    /// # Errors
    /// If the recording is damaged here. It goes no further then, but it can go back.
    pub fn tick(&mut self) -> Result<bool, RecordingError> {
        self.tick_watched(&mut NoWatchers)
    }

    /// Replays the next tick as [`Replay::tick`] does, and tells observers of agents each of their
    /// steps.
    ///
    /// # Errors
    /// As [`Replay::tick`].
    pub fn tick_watched<W: Watchers>(&mut self, watchers: &mut W) -> Result<bool, RecordingError> {
        self.keep();
        self.events.clear();
        let before = self.at.tick;
        while self.at.tick == before {
            if !self.step(watchers)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Moves the replay to the place after this number of ticks, forward or backward, or to the
    /// end.
    ///
    /// # Errors
    /// As [`Replay::tick`], if the way leads through damage.
    pub fn seek(&mut self, tick: u64) -> Result<(), RecordingError> {
        if tick < self.at.tick {
            self.go_back(tick);
        }
        while self.at.tick < tick && self.tick()? {}
        Ok(())
    }

    /// Moves the replay to the last kept place that is not behind this number of ticks.
    pub(super) fn go_back(&mut self, tick: u64) {
        if let Some(kept) = self.kept.iter().rfind(|kept| kept.at.tick <= tick) {
            self.at = kept.at.clone();
            // It was made by this crowd.
            let _ = self.crowd.restore(&kept.state);
            NonZeroU16::new(kept.limit).into_iter().for_each(|limit| self.crowd.set_step_limit(limit));
            self.events.clear();
        }
    }

    /// Keeps the place, if it is time for that.
    fn keep(&mut self) {
        let (tick, last) = (self.at.tick, self.kept.last().map(|kept| kept.at.tick));
        if self.at.reply.fault.is_some() || last.is_some_and(|last| tick < last + self.every) {
            return;
        }
        let mut state = Vec::new();
        self.crowd.snapshot(&mut state);
        self.kept.push(Kept { at: self.at.clone(), state, limit: self.crowd.step_limit() });
        if self.kept.len() > KEPT {
            self.every *= 2;
            let every = self.every;
            self.kept.retain(|kept| kept.at.tick.is_multiple_of(every));
        }
    }

    /// Replays the next step, and returns its kind and its data, so that it can
    /// be repeated in another crowd.
    pub(super) fn one(&mut self) -> Result<Option<(RecordKind, Option<CrowdStep<'static>>)>, RecordingError> {
        self.last = None;
        Ok(self.step(&mut NoWatchers)?.then(|| (self.at.before, self.last.take())))
    }

    /// Replays the next step. Returns false at the end. After a fault there is no other step.
    fn step<W: Watchers>(&mut self, watchers: &mut W) -> Result<bool, RecordingError> {
        let tick = self.at.tick;
        self.try_step(watchers).map_err(|fault| {
            self.at.reply.fault = Some(fault);
            RecordingError { fault, tick, at: self.at.reply.reader.at }
        })
    }

    fn try_step<W: Watchers>(&mut self, watchers: &mut W) -> Result<bool, RecordingFault> {
        self.at.reply.fault.map_or(Ok(()), Err)?;
        if self.at.before == RecordKind::End && !self.block()? {
            return Ok(false);
        }
        let (reader, before) = (&mut self.at.reply.reader, self.at.before);
        let kind = told::kind(reader, before, RecordKind::End).ok_or(RecordingFault::Step)?;
        RecordingFault::Spent.unless(!reader.is_spent())?;
        self.at.before = kind;
        self.play(kind, watchers)?;
        self.at.reply.fault.map_or(Ok(true), Err)
    }

    /// Begins with the next block; false if there is none.
    fn block(&mut self) -> Result<bool, RecordingFault> {
        let at = &mut self.at;
        if at.next == self.bytes.len() {
            return Ok(false);
        }
        let block = Block::read(&self.bytes, at.next)?;
        let begin = at.next + BLOCK;
        at.next = begin + block.length as usize;
        at.reply.reader.begin(begin..at.next);
        Ok(true)
    }

    fn play<W: Watchers>(&mut self, kind: RecordKind, watchers: &mut W) -> Result<(), RecordingFault> {
        match kind {
            RecordKind::End => Ok(()),
            RecordKind::Snapshot => self.snapshot(),
            RecordKind::Change => change(&mut self.at.reply.reader, &mut self.crowd, None),
            RecordKind::Check => {
                let digest = self.at.reply.reader.number(kind.context(1), 4, 0);
                RecordingFault::Diverged.unless(digest == self.crowd.inspect().digest() >> 32)
            }
            _ => self.told(kind, watchers),
        }
    }

    /// Replays a step of a crowd with its host.
    fn told<W: Watchers>(&mut self, kind: RecordKind, watchers: &mut W) -> Result<(), RecordingFault> {
        let ReplayPoint { reply, now, tick, last, .. } = &mut self.at;
        told::time(&mut reply.reader, now, 0);
        let told = told::step(&mut reply.reader, kind, last, &self.crowd, None)?;
        told::perform(&told, &mut self.crowd, *now, &mut RecordedHost(reply), watchers)?;
        match &told {
            CrowdStep::Ended => {
                reply.memory.next_tick(self.crowd.agents.rows().len());
                *tick += 1;
            }
            CrowdStep::Raised(event, to) => self.events.push((*event, *to)),
            _ => {}
        }
        self.last = Some(told);
        Ok(())
    }

    /// Returns the largest number of bytes that all snapshots may have. Since version 2, each takes
    /// bits for its length, and that is limit enough.
    fn most_states(&self) -> u64 {
        let [least, of_byte] = OLD_STATES;
        if self.version > OLD_VERSION { u64::MAX } else { least + of_byte * self.bytes.len() as u64 }
    }

    fn snapshot(&mut self) -> Result<(), RecordingFault> {
        let (version, most) = (self.version, self.most_states());
        let ReplayPoint { reply: ReplayHost { reader, .. }, states, .. } = &mut self.at;
        let context = |which| RecordKind::Snapshot.context(which);
        let length = reader.count(context(1), 0);
        *states = states.saturating_add(length);
        RecordingFault::Length.unless(*states <= most)?;
        let mut state = Vec::new();
        for at in 0..length {
            state.push(recorder::state_byte(reader, version, at, 0));
            RecordingFault::Spent.unless(!reader.is_spent())?;
        }
        let limit = reader.number(context(1), 2, 0) as u16;
        self.crowd.restore(&state).map_err(|_| RecordingFault::Snapshot)?;
        self.at.reply.memory.fit(self.crowd.agents.rows().len());
        NonZeroU16::new(limit).into_iter().for_each(|limit| self.crowd.set_step_limit(limit));
        Ok(())
    }
}

/// Returns the number of ticks that end in whole blocks, up to the first damaged block.
fn whole(bytes: &[u8], first: usize) -> u64 {
    let (mut at, mut ticks) = (first, 0);
    while at < bytes.len() {
        let Ok(block) = Block::read(bytes, at) else { break };
        ticks += u64::from(block.ticks);
        at += BLOCK + block.length as usize;
    }
    ticks
}
