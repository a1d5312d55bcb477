//! Writing a recording.

use super::answers::{self, Answer, Entry, Memory, Question};
use super::asked::Recording;
use super::changes::{change, is_same, is_same_for};
use super::coder::{Coder, Writer, mix};
use super::format::{Block, hash, header, links};
use super::step::Step;
use super::writes::{Notes, Write};
use crate::agents::Agent;
use crate::crowd::{Crowd, To};
use crate::host::Host;
use alloc::boxed::Box;
use alloc::vec::Vec;
use pleach_image::Image;

/// A block ends when it has so many bytes.
const BLOCK_BYTES: usize = 1 << 16;

/// What is recorded, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    End,
    Snapshot,
    Change,
    Ticked,
    Ended,
    Raised,
    Despawned,
    Reset,
    Switched,
    TickedAgent,
    TickedEntry,
    Check,
}

impl Kind {
    pub(super) const ALL: [Self; 12] = [
        Self::End,
        Self::Snapshot,
        Self::Change,
        Self::Ticked,
        Self::Ended,
        Self::Raised,
        Self::Despawned,
        Self::Reset,
        Self::Switched,
        Self::TickedAgent,
        Self::TickedEntry,
        Self::Check,
    ];

    /// The context of what belongs to a step.
    pub(super) fn context(self, which: u64) -> u64 {
        mix(mix(0x57e9, self as u64), which)
    }
}

/// Writes or reads what comes next. However many steps there are, each takes a bit.
pub(super) fn kind<C: Coder>(coder: &mut C, before: Kind, kind: Kind) -> Option<Kind> {
    coder.fair(true);
    let number = coder.byte(before.context(0), kind as u8);
    Kind::ALL.get(usize::from(number)).copied()
}

/// Records what a crowd's host answers and does. See the example at [`Recorder::around`].
///
/// One recorder is for one crowd and one program: when a crowd is [reloaded](Crowd::reload), its recording ends, and a new one may
/// begin. What it has recorded can be taken at any time, and a recording that breaks off can be replayed
/// up to there.
#[derive(Debug)]
pub struct Recorder {
    image: Vec<u8>,
    links: Vec<super::format::Link>,
    /// Finished bytes that nobody has taken.
    out: Vec<u8>,
    begun: bool,
    writer: Writer,
    memory: Memory,
    /// The crowd as the last step left it.
    copy: Option<Crowd>,
    /// What the host has answered since.
    entries: Vec<Entry>,
    writes: Vec<Write>,
    /// What is asked of many agents.
    pub(super) questions: Vec<Question>,
    /// So many of the answers are in order.
    sorted: usize,
    pub(super) notes: Option<Box<Notes>>,
    now: i64,
    before: Kind,
    /// The index of the agent of whom something was told last.
    last: u32,
    ticks: u32,
    /// The crowd runs another program.
    over: bool,
}

impl Recorder {
    /// Records a crowd whose program is this image linked to this host.
    #[must_use]
    pub fn new<D: AsRef<[u8]>>(image: &Image<D>, host: &dyn Host) -> Self {
        Self {
            image: image.bytes().to_vec(),
            links: links(image, host),
            out: Vec::new(),
            begun: false,
            writer: Writer::new(image.code().len()),
            memory: Memory::new(),
            copy: None,
            entries: Vec::new(),
            writes: Vec::new(),
            questions: Vec::new(),
            sorted: 0,
            notes: None,
            now: 0,
            before: Kind::End,
            last: 0,
            ticks: 0,
            over: false,
        }
    }

    /// The host, recorded: pass it to the crowd wherever that takes the host.
    ///
    /// ```
    /// # use pleach::{Crowd, Host, Recorder};
    /// # fn tick(crowd: &mut Crowd, recorder: &mut Recorder, game: &mut impl Host) {
    /// crowd.tick(16, &mut recorder.around(game));
    /// # }
    /// ```
    pub fn around<'r, H: Host + ?Sized>(&'r mut self, host: &'r mut H) -> Recording<'r, H> {
        Recording { recorder: self, host }
    }

    /// The bytes that were recorded since the last time: to be appended to those of before.
    pub fn take(&mut self) -> Vec<u8> {
        self.end_block();
        core::mem::take(&mut self.out)
    }

    /// Returns the bytes of the blocks that have ended since the last call, to be appended to those of before. In contrast to
    /// [`Recorder::take`], no block ends by it, so it may be called after every tick.
    pub fn take_blocks(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.out)
    }

    /// The rest of the recording.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        if let Some(copy) = self.copy.take() {
            self.check(&copy);
        }
        self.take()
    }

    /// Notes an answer.
    pub(super) fn note(&mut self, question: Question, answer: Answer, write: impl FnOnce(&mut Vec<Write>)) {
        let first = self.writes.len();
        write(&mut self.writes);
        self.entries.push(Entry::new(question, answer, first, self.writes.len()));
    }

    /// Keeps the room of notes for the next call.
    pub(super) fn keep(&mut self, mut notes: Box<Notes>) {
        notes.clear();
        self.notes = Some(notes);
    }

    pub(super) fn step(&mut self, crowd: &Crowd, now: i64, step: &Step<'_>) {
        if self.over {
            return self.forget();
        }
        let kind = match step {
            Step::Begin(whom) => {
                // What was answered to nobody is in what came of it.
                self.forget();
                return self.follow(crowd, *whom);
            }
            Step::Happened(_) => return self.sort(),
            Step::Ticked(_) => Kind::Ticked,
            Step::Ended => Kind::Ended,
            Step::Raised(..) => Kind::Raised,
            Step::Despawned(_) => Kind::Despawned,
            Step::Reset(_) => Kind::Reset,
            Step::Switched(..) => Kind::Switched,
            Step::TickedAgent(_) => Kind::TickedAgent,
            Step::TickedEntry(..) => Kind::TickedEntry,
        };
        self.kind(kind);
        self.time(now);
        self.about(crowd, kind, step);
        self.answers();
        match (&mut self.copy, step) {
            (Some(copy), Step::Raised(_, To::Agent(agent))) => copy.follow_agent(crowd, *agent),
            (Some(copy), _) => copy.follow(crowd),
            (None, _) => {}
        }
        if kind == Kind::Ended {
            self.memory.next_tick(crowd.indices());
            self.ticks += 1;
            if self.writer.bytes.len() >= BLOCK_BYTES {
                self.check(crowd);
                self.end_block();
            }
        }
    }

    fn kind(&mut self, next: Kind) {
        kind(&mut self.writer, self.before, next);
        self.before = next;
    }

    /// What has changed without a call since the last step. Events are raised by the thousand, each for an agent: what does not
    /// concern this one makes no difference to it, and can be told later.
    fn follow(&mut self, crowd: &Crowd, whom: Option<Agent>) {
        let is_as_told = |copy: &Crowd| match whom {
            Some(agent) => is_same_for(copy, crowd, agent),
            None => is_same(copy, crowd),
        };
        if let Some(mut copy) = self.copy.take() {
            if !copy.program().is(crowd.program()) {
                self.over = true;
                return;
            }
            let same = is_as_told(&copy);
            if !same {
                self.kind(Kind::Change);
                // What it could not tell leaves a difference.
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
            self.out = header(&self.image, &self.links, crowd.world.fixed());
        }
        self.kind(Kind::Snapshot);
        let context = |which| Kind::Snapshot.context(which);
        self.writer.count(context(1), state.len() as u64);
        state
            .iter()
            .enumerate()
            .for_each(|(at, byte)| _ = self.writer.byte(context(2 + at as u64 % 4), *byte));
        self.writer.number(context(1), 2, crowd.step_limit().into());
        self.memory.fit(crowd.indices());
        let mut copy = Crowd::replaying(crowd.program());
        copy.follow(crowd);
        self.copy = Some(copy);
    }

    /// The time, as how much later than before.
    fn time(&mut self, now: i64) {
        time(&mut self.writer, &mut self.now, now);
    }

    /// Whom and what a step is about.
    fn about(&mut self, crowd: &Crowd, kind: Kind, step: &Step<'_>) {
        let context = |which| kind.context(which);
        let last = &mut self.last;
        let mut agent = |writer: &mut Writer, agent: &Agent| {
            index(writer, kind, last, agent.index() as u32);
        };
        let entry = |writer: &mut Writer, entry| {
            writer.number(context(3), 2, crowd.program().entry(entry).unwrap_or(0).into());
        };
        let writer = &mut self.writer;
        match step {
            Step::Begin(_) | Step::Ended | Step::Happened(_) => {}
            Step::Ticked(chunks) => {
                let all = *chunks == (0..crowd.chunks.len());
                if !writer.bit(context(1), all) {
                    writer.count(context(2), chunks.start as u64);
                    writer.count(context(3), chunks.end as u64);
                }
            }
            Step::Raised(event, to) => {
                writer.number(context(1), 2, event.0.into());
                match to {
                    To::Agent(whom) => {
                        writer.bit(context(4), true);
                        agent(writer, whom);
                    }
                    To::Group(group) => {
                        writer.bit(context(4), false);
                        writer.bit(context(5), true);
                        writer.count(context(6), group.0.into());
                    }
                    To::All => {
                        writer.bit(context(4), false);
                        writer.bit(context(5), false);
                    }
                }
            }
            Step::Despawned(whom) | Step::Reset(whom) | Step::TickedAgent(whom) => agent(writer, whom),
            Step::Switched(whom, name) | Step::TickedEntry(whom, name) => {
                agent(writer, whom);
                entry(writer, name);
            }
        }
    }

    /// What the host answered, by agents.
    fn answers(&mut self) {
        self.sort();
        let Self { entries, writes, writer, memory, .. } = self;
        for Entry { question, answer, first, count } in &*entries {
            memory.answer(writer, question, *answer);
            let mut writes = writes[*first as usize..][..*count as usize].iter();
            answers::writes(writer, question, || writes.next().copied(), |_| ());
        }
        self.forget();
    }

    /// Puts what was answered since the last time into the order of agents. When a tick ends, each event has its turn.
    fn sort(&mut self) {
        self.entries[self.sorted..].sort_by_key(|entry| entry.question.agent);
        self.sorted = self.entries.len();
    }

    fn forget(&mut self) {
        self.sorted = 0;
        self.entries.clear();
        self.writes.clear();
    }

    /// Lets a replay find out whether it came to the same.
    fn check(&mut self, crowd: &Crowd) {
        self.kind(Kind::Check);
        self.writer.number(Kind::Check.context(1), 4, crowd.digest() >> 32);
    }

    fn end_block(&mut self) {
        if !self.begun || self.writer.bytes.is_empty() && self.before == Kind::End {
            return;
        }
        self.kind(Kind::End);
        self.writer.end();
        let bytes = &mut self.writer.bytes;
        Block { length: bytes.len() as u32, ticks: self.ticks, hash: hash(bytes) }.write(&mut self.out);
        self.out.append(bytes);
        self.ticks = 0;
    }
}

/// Writes or reads the time of a step, as how much later it is than that of the step before.
pub(super) fn time<C: Coder>(coder: &mut C, before: &mut i64, now: i64) {
    let context = |which| mix(0x714e, which);
    let later = now.wrapping_sub(*before);
    let back = coder.bit(context(0), later < 0);
    let magnitude =
        coder.count(context(1), if later < 0 { (later.wrapping_neg()) as u64 } else { later as u64 });
    let later = if back { (magnitude as i64).wrapping_neg() } else { magnitude as i64 };
    *before = before.wrapping_add(later);
}

/// Writes or reads of which agent something is told, as how far it is from the one before.
pub(super) fn index<C: Coder>(coder: &mut C, kind: Kind, last: &mut u32, index: u32) -> u32 {
    let back = coder.bit(kind.context(7), index < *last);
    let distance = coder.count(kind.context(8 + u64::from(back)), index.abs_diff(*last).into()) as u32;
    *last = if back { last.wrapping_sub(distance) } else { last.wrapping_add(distance) };
    *last
}
