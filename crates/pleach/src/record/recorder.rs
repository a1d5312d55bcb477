//! Writing a recording.

use super::answers::{self, AnswerEntry, AnswerMemory};
use super::asked::{AnswerLog, AnswerRecorder};
use super::changes::{change, is_same, is_same_for};
use super::coder::{BitWriter, Coder};
use super::format::{Block, OLD_VERSION, VERSION, hash, header, links};
use super::told::{self, RecordKind};
use super::writes;
use crate::crowd::{Crowd, CrowdObserver, CrowdStep, ObservedHost};
use crate::host::Host;
use crate::layout::Frame;
use crate::values::{Agent, EventTarget};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::RefCell;
use pleach_image::Image;

/// Number of bytes after which a block ends.
const BLOCK_BYTES: usize = 1 << 16;
/// Number of bytes of a snapshot that take at least one bit.
const STATE_BYTES_OF_BIT: u64 = 32;

/// Recorder of a crowd: writes down the answers of the host and the ticks. See the example at
/// [`Recorder::around`].
///
/// One recorder is for one crowd and one program. When a crowd is [reloaded](Crowd::reload), its
/// recording ends, and a new one may begin. The bytes that are recorded so far can be taken at any
/// time. A recording that breaks off can be replayed up to there.
#[derive(Debug)]
pub struct Recorder {
    /// In a cell, because the host adds answers while the observer exists that writes them.
    answers: RefCell<AnswerLog>,
    book: Book,
}

/// Host with its [`Recorder`], to be passed to a crowd as its host. It must be outermost: it
/// records host layers, too.
#[derive(Debug)]
pub struct RecordingHost<'r, H: ?Sized> {
    host: AnswerRecorder<'r, H>,
    observer: Scribe<'r>,
}

impl<'r, H: Host + ?Sized> ObservedHost for RecordingHost<'r, H> {
    type Host = AnswerRecorder<'r, H>;

    fn split(&mut self) -> (&mut Self::Host, Option<&mut dyn CrowdObserver>) {
        (&mut self.host, Some(&mut self.observer))
    }
}

/// Observer that writes the steps of a crowd, with the answers of its host.
#[derive(Debug)]
struct Scribe<'r> {
    answers: &'r RefCell<AnswerLog>,
    book: &'r mut Book,
}

impl CrowdObserver for Scribe<'_> {
    fn step(&mut self, crowd: &Crowd, now: i64, step: CrowdStep<'_>) {
        self.book.step(crowd, now, &step, &mut self.answers.borrow_mut());
    }
}

/// The recording as far as it is written.
#[derive(Debug)]
struct Book {
    image: Vec<u8>,
    links: Vec<super::format::RecordedLink>,
    /// Finished bytes that have not been taken.
    out: Vec<u8>,
    begun: bool,
    writer: BitWriter,
    memory: AnswerMemory,
    /// The crowd as the last step left it.
    copy: Option<Crowd>,
    now: i64,
    before: RecordKind,
    /// Index of the agent that was named last.
    last: u32,
    ticks: u32,
    /// The crowd runs another program.
    over: bool,
}

impl Recorder {
    /// Returns a recorder for a crowd whose program is this image linked to this host.
    #[must_use]
    pub fn new<D: AsRef<[u8]>>(image: &Image<D>, host: &dyn Host) -> Self {
        let book = Book {
            image: image.bytes().to_vec(),
            links: links(image, host),
            out: Vec::new(),
            begun: false,
            writer: BitWriter::new(image.code().len()),
            memory: AnswerMemory::new(),
            copy: None,
            now: 0,
            before: RecordKind::End,
            last: 0,
            ticks: 0,
            over: false,
        };
        Self { answers: RefCell::default(), book }
    }

    /// Returns the host with the recorder. Pass it to methods of the crowd in place of the host.
    ///
    /// ```
    /// # use pleach::{Crowd, Host, record::Recorder};
    /// # fn tick(crowd: &mut Crowd, recorder: &mut Recorder, game: &mut impl Host) {
    /// crowd.tick(16, &mut recorder.around(game));
    /// # }
    /// ```
    pub fn around<'r, H: Host + ?Sized>(&'r mut self, host: &'r mut H) -> RecordingHost<'r, H> {
        let Self { answers, book } = self;
        RecordingHost { host: AnswerRecorder { answers, host }, observer: Scribe { answers, book } }
    }

    /// Returns the bytes that were recorded since the last call. Append them to the bytes before.
    pub fn take(&mut self) -> Vec<u8> {
        self.book.end_block();
        core::mem::take(&mut self.book.out)
    }

    /// Returns the finished blocks since the last call. Append them to the bytes before. Unlike
    /// [`Recorder::take`], this ends no block. If it is called after each tick, the recorder holds
    /// at most one block (64 KiB) and the last tick. A file that ends after such blocks can be
    /// replayed to its end.
    pub fn take_blocks(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.book.out)
    }

    /// Ends the recording and returns the rest of its bytes.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        if let Some(copy) = self.book.copy.take() {
            self.book.check(&copy);
        }
        self.take()
    }
}

impl Book {
    fn step(&mut self, crowd: &Crowd, now: i64, step: &CrowdStep<'_>, answers: &mut AnswerLog) {
        if self.over {
            return answers.forget();
        }
        let kind = match step {
            CrowdStep::Begin(whom) => {
                // Answers outside of a recorded step are not needed: their effect
                // is in the change or snapshot.
                answers.forget();
                return self.follow(crowd, *whom);
            }
            CrowdStep::Happened(_) => return answers.sort(),
            CrowdStep::Ticked(_) => RecordKind::Ticked,
            CrowdStep::Ended => RecordKind::Ended,
            CrowdStep::Raised(..) => RecordKind::Raised,
            CrowdStep::Despawned(_) => RecordKind::Despawned,
            CrowdStep::Reset(_) => RecordKind::Reset,
            CrowdStep::Switched(..) => RecordKind::Switched,
            CrowdStep::TickedAgent(_) => RecordKind::TickedAgent,
            CrowdStep::TickedEntry(..) => RecordKind::TickedEntry,
        };
        self.kind(kind);
        told::time(&mut self.writer, &mut self.now, now);
        // The agents and trees of the step exist.
        let _ = told::step(&mut self.writer, kind, &mut self.last, crowd, Some(step));
        self.answers(&crowd.program.parts.frame, answers);
        match (&mut self.copy, step) {
            (Some(copy), CrowdStep::Raised(_, EventTarget::Agent(agent))) => copy.follow_agent(crowd, *agent),
            (Some(copy), _) => copy.follow(crowd),
            (None, _) => {}
        }
        if kind == RecordKind::Ended {
            self.memory.next_tick(crowd.agents.rows().len());
            self.ticks += 1;
            if self.writer.bytes.len() >= BLOCK_BYTES {
                self.check(crowd);
                self.end_block();
            }
        }
    }

    fn kind(&mut self, next: RecordKind) {
        told::kind(&mut self.writer, self.before, next);
        self.before = next;
    }

    /// Records changes that the host has made without a call since the last step. Before an event
    /// for one agent, only changes that concern this agent must be recorded; the others can be
    /// recorded later. This matters because events are raised by the thousand.
    fn follow(&mut self, crowd: &Crowd, whom: Option<Agent>) {
        let is_as_told = |copy: &Crowd| match whom {
            Some(agent) => is_same_for(copy, crowd, agent),
            None => is_same(copy, crowd),
        };
        if let Some(mut copy) = self.copy.take() {
            if !Arc::ptr_eq(&copy.program.parts, &crowd.program.parts) {
                self.over = true;
                return;
            }
            let same = is_as_told(&copy);
            if !same {
                self.kind(RecordKind::Change);
                // If something cannot be described as a change, a difference remains.
                let _ = change(&mut self.writer, &mut copy, Some(crowd));
            }
            if same || is_as_told(&copy) {
                self.copy = Some(copy);
                return;
            }
        }
        self.snapshot(crowd);
    }

    fn snapshot(&mut self, crowd: &Crowd) {
        let mut state = Vec::new();
        crowd.save(&mut state);
        if !self.begun {
            self.begun = true;
            self.out = header(&self.image, &self.links, crowd.world.fixed);
        }
        self.kind(RecordKind::Snapshot);
        let context = |which| RecordKind::Snapshot.context(which);
        self.writer.count(context(1), state.len() as u64);
        for (at, byte) in (0..).zip(state) {
            state_byte(&mut self.writer, VERSION, at, byte);
        }
        self.writer.number(context(1), 2, crowd.step_limit().into());
        self.memory.fit(crowd.agents.rows().len());
        let mut copy = Crowd::replaying(crowd.program());
        copy.follow(crowd);
        self.copy = Some(copy);
    }

    /// Writes the answers of the host, agent by agent.
    fn answers(&mut self, frame: &Frame, answers: &mut AnswerLog) {
        answers.sort();
        for AnswerEntry { question, answer, first, count } in &answers.entries {
            self.memory.answer(&mut self.writer, question, *answer);
            let mut writes = answers.writes[*first as usize..][..*count as usize].iter();
            // Each is of another slot, or the rule: more than may be there are none.
            let limits = (usize::MAX, |slot| writes::bytes(frame, slot));
            let _ = answers::writes(&mut self.writer, question, limits, || writes.next().copied(), |_| ());
        }
        answers.forget();
    }

    /// Lets a replay find out whether it came to the same.
    fn check(&mut self, crowd: &Crowd) {
        self.kind(RecordKind::Check);
        self.writer.number(RecordKind::Check.context(1), 4, crowd.inspect().digest() >> 32);
    }

    fn end_block(&mut self) {
        if !self.begun || self.writer.bytes.is_empty() && self.before == RecordKind::End {
            return;
        }
        self.kind(RecordKind::End);
        self.writer.end();
        let bytes = &mut self.writer.bytes;
        Block { length: bytes.len() as u32, ticks: self.ticks, hash: hash(bytes) }.write(&mut self.out);
        self.out.append(bytes);
        self.ticks = 0;
    }
}

/// Writes or reads a byte of a snapshot. Some bytes come with a bit that cannot be foreseen, so
/// that a few bytes of a recording do not hold a snapshot of any size.
pub(super) fn state_byte<C: Coder>(coder: &mut C, version: u32, at: u64, byte: u8) -> u8 {
    if version > OLD_VERSION && at.is_multiple_of(STATE_BYTES_OF_BIT) {
        coder.fair(true);
    }
    coder.byte(RecordKind::Snapshot.context(2 + at % 4), byte)
}
