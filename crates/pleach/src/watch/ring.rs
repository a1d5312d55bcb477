//! The last ticks of one agent, in memory of a fixed size that is allocated at the beginning.
//!
//! The reports of an engine are stored as they come, in rows of 16 bytes: which instruction was
//! left by which exit, questions and answers, and the values that conditions read. Nothing is
//! looked up and nothing is allocated. When the ring is full, the oldest rows are overwritten. Only
//! a reader pays for translating rows to the terms of the source.

use super::journal::{self, TraceEvent, TraceLine};
use super::rows::{LogSource, TraceRow};
use crate::engine::{Watch, WatchContext};
use crate::host::LogKind;
use crate::values::{Fault, Outcome, Status};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
use core::fmt;
use core::ops::Range;
use pleach_image::Image;
use pleach_image::isa::Op;

/// Capacity of the trace of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceCapacity {
    /// Number of rows of 16 bytes. An agent's tick takes two rows, and one for each instruction,
    /// call and value.
    pub rows: usize,
    /// Number of bytes for texts: of logs, and of descriptions by the host.
    pub text: usize,
}

impl Default for TraceCapacity {
    /// 64 KiB and 8 KiB: some hundred ticks of a small tree.
    fn default() -> Self {
        Self { rows: 4096, text: 8192 }
    }
}

/// For each word of the code, the variables that its condition looks at.
#[derive(Debug)]
pub(super) struct Looks {
    pub(super) of_word: Vec<Range<u32>>,
    pub(super) variables: Vec<(u16, bool)>,
}

/// Trace of an agent's last ticks. See [`Traces`](super::Traces).
#[derive(Debug)]
pub struct Trace {
    looks: Arc<Looks>,
    rows: Box<[TraceRow]>,
    /// Number of rows that were ever written.
    count: u64,
    texts: Box<[u8]>,
    /// Number of bytes of texts that were ever written.
    written: u32,
    /// The node that the host's text is about, and the place where the text begins.
    speaking: (u16, u32),
    /// The node for which the host is asked to act.
    acting: Option<u16>,
}

impl Trace {
    pub(super) fn new(looks: &Arc<Looks>, room: TraceCapacity) -> Self {
        let row = TraceRow::Begin(0);
        Self {
            looks: looks.clone(),
            rows: vec![row; room.rows.max(2)].into(),
            count: 0,
            texts: vec![0; room.text.clamp(1, 1 << 24)].into(),
            written: 0,
            speaking: (0, 0),
            acting: None,
        }
    }

    pub(super) fn put(&mut self, row: TraceRow) {
        let at = self.count % self.rows.len() as u64;
        self.rows[at as usize] = row;
        self.count += 1;
    }

    /// Ends a tick.
    pub(super) fn end(&mut self, outcome: Outcome) {
        if let Some(node) = self.acting.take() {
            self.put(TraceRow::Panicked { node });
        }
        self.put(TraceRow::End(outcome));
    }

    /// Returns the ticks that are still complete, the oldest first.
    pub fn ticks(&self) -> impl Iterator<Item = TracedTick<'_>> {
        let first = self.count.saturating_sub(self.rows.len() as u64);
        let mut at = first;
        core::iter::from_fn(move || {
            while at < self.count {
                let begin = at;
                at += 1;
                let TraceRow::Begin(now) = self.row(begin) else { continue };
                while at < self.count && !matches!(self.row(at), TraceRow::Begin(_) | TraceRow::End(_)) {
                    at += 1;
                }
                if let Some(TraceRow::End(outcome)) = (at < self.count).then(|| self.row(at)) {
                    at += 1;
                    return Some(TracedTick { now, outcome, trace: self, rows: begin + 1..at - 1 });
                }
            }
            None
        })
    }

    /// Returns the newest complete tick.
    #[must_use]
    pub fn last(&self) -> Option<TracedTick<'_>> {
        self.ticks().last()
    }

    pub(super) fn row(&self, at: u64) -> TraceRow {
        self.rows[(at % self.rows.len() as u64) as usize]
    }

    fn say(&mut self, text: &[u8]) -> u16 {
        // A text that is longer than all the room is cut.
        let text = &text[..text.len().min(self.texts.len()).min(u16::MAX.into())];
        for byte in text {
            let at = self.written as usize % self.texts.len();
            self.texts[at] = *byte;
            self.written = self.written.wrapping_add(1);
        }
        text.len() as u16
    }

    /// Returns a text that was said, if it has not been written over; bytes
    /// that are no text are replaced.
    fn said(&self, start: u32, len: u16) -> Option<String> {
        let age = self.written.wrapping_sub(start) as usize;
        let bytes = (0..u32::from(len)).map(|at| {
            let at = start.wrapping_add(at) as usize % self.texts.len();
            self.texts[at]
        });
        (age <= self.texts.len()).then(|| String::from_utf8_lossy(&bytes.collect::<Vec<_>>()).into_owned())
    }
}

/// Hosts speak into the ring.
impl fmt::Write for Trace {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let (node, start) = self.speaking;
        let len = self.say(text.as_bytes());
        // Text that the host says in pieces becomes one text.
        if start != self.written.wrapping_sub(len.into())
            && let TraceRow::Said { node: of, by: LogSource::Host, len: before, start: first } =
                self.row(self.count.wrapping_sub(1))
            && (of, first) == (node, start)
        {
            let at = (self.count - 1) % self.rows.len() as u64;
            self.rows[at as usize] =
                TraceRow::Said { node, by: LogSource::Host, len: before.saturating_add(len), start };
            return Ok(());
        }
        self.put(TraceRow::Said { node, by: LogSource::Host, len, start });
        Ok(())
    }
}

impl Watch for Trace {
    fn acts(&mut self, node: u32, _: u32) {
        self.acting = Some(node as u16);
    }

    fn changed(&mut self, node: u32, from: u8, to: u8) {
        self.put(TraceRow::Changed { node: node as u16, from, to });
    }

    fn acted(&mut self, node: u32, site: u32, fresh: bool, status: Status) {
        self.acting = None;
        self.put(TraceRow::Acted { node: node as u16, site: site as u16, fresh, status });
        self.speaking = (node as u16, self.written);
    }

    fn halted(&mut self, node: u32, site: u32) {
        self.put(TraceRow::Halted { node: node as u16, site: site as u16 });
    }

    fn words(&mut self) -> Option<&mut dyn fmt::Write> {
        Some(self)
    }

    fn asked(&mut self, site: u32, answer: f64) {
        self.put(TraceRow::Asked { site: site as u16, answer });
    }

    fn looked(&mut self, word: u32, sight: &WatchContext<'_>) {
        let looks = self.looks.clone();
        let Some(range) = looks.of_word.get(word as usize) else { return };
        for (variable, shared) in &looks.variables[range.start as usize..range.end as usize] {
            let value = if *shared { sight.shared(*variable) } else { sight.slot(*variable) };
            if let Some(value) = value {
                self.put(TraceRow::Held { variable: *variable, shared: *shared, value });
            }
        }
    }

    fn left(&mut self, word: u32, exit: u32) {
        self.put(TraceRow::Left { word, exit: exit as u8 });
    }

    fn logged(&mut self, node: u32, kind: LogKind, text: &[u8]) {
        let start = self.written;
        let len = self.say(text);
        self.put(TraceRow::Said { node: node as u16, by: LogSource::Log(kind), len, start });
    }
}

/// Cause of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultCause {
    /// The node in which the tick was cut short: for a panic of the host, the node that acts.
    pub node: u32,
    /// The test of the node that led to the fault; none for a panic of the host, or if the node
    /// cannot go on in any case.
    pub test: Option<FaultTest>,
}

/// Test that led to a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultTest {
    /// A condition, by its row in the image, and its result.
    Condition {
        /// Row of the condition, see [`Image::condition`].
        row: u32,
        /// Result of the condition.
        held: bool,
    },
    /// A loop would have begun again too often.
    Loop,
}

/// Tick of a watched agent.
#[derive(Clone, Debug)]
pub struct TracedTick<'a> {
    /// Time of the tick.
    pub now: i64,
    /// Outcome of the tick.
    pub outcome: Outcome,
    trace: &'a Trace,
    rows: Range<u64>,
}

impl TracedTick<'_> {
    /// Returns the events in order. `image` is that of the program; without debug information no
    /// nodes are seen.
    #[must_use]
    pub fn events<D: AsRef<[u8]>>(&self, image: &Image<D>) -> Vec<TraceEvent> {
        let said = |start, len| self.trace.said(start, len);
        journal::events(image, self.rows(), &said)
    }

    /// Returns the events as a tree: parents before children, children in the order they ran.
    #[must_use]
    pub fn lines<D: AsRef<[u8]>>(&self, image: &Image<D>) -> Vec<TraceLine> {
        journal::lines(image, self.events(image))
    }

    /// Returns the changes of statuses that nodes keep, in order: the node, and its status before
    /// and after. [`Watch::changed`] tells what the numbers mean. Only some dialects keep statuses.
    pub fn changes(&self) -> impl Iterator<Item = (u32, u8, u8)> {
        self.rows().filter_map(|row| match row {
            TraceRow::Changed { node, from, to } => Some((node.into(), from, to)),
            _ => None,
        })
    }

    /// Returns the cause of a fault. `None` if the tick has ended otherwise, or if the image has no
    /// debug information.
    #[must_use]
    pub fn fault<D: AsRef<[u8]>>(&self, image: &Image<D>) -> Option<FaultCause> {
        let Outcome::Fault(fault) = self.outcome else { return None };
        if fault == Fault::Panic {
            let node = self.rows().find_map(|row| match row {
                TraceRow::Panicked { node } => Some(node.into()),
                _ => None,
            });
            return node.map(|node| FaultCause { node, test: None });
        }
        // The last instruction is the fault; a test of the same node right before led to it.
        let [mut test, mut last] = [None; 2];
        for row in self.rows() {
            if let TraceRow::Left { word, exit } = row {
                (test, last) = (last, Some((word, exit)));
            }
        }
        let node = image.debug_word(last?.0)?;
        let test = test.filter(|(word, _)| image.debug_word(*word) == Some(node)).and_then(|(word, exit)| {
            let word = image.code().get(word as usize)?;
            match word.op()? {
                Op::Cond => Some(FaultTest::Condition { row: word.a.into(), held: exit == 0 }),
                Op::Again if exit == 1 => Some(FaultTest::Loop),
                _ => None,
            }
        });
        Some(FaultCause { node, test })
    }

    fn rows(&self) -> impl Iterator<Item = TraceRow> {
        self.rows.clone().map(|at| self.trace.row(at))
    }

    /// Returns the nodes that ended or still run, in order: their ids and statuses (0 failure, 1
    /// success, 2 running, 3 other). For pictures of the tree.
    pub fn ended<'i, D: AsRef<[u8]>>(
        &self,
        image: &'i Image<D>,
    ) -> impl Iterator<Item = (u32, u32)> + use<'_, 'i, D> {
        let left = self.rows().filter_map(|row| match row {
            TraceRow::Left { word, exit } => Some((word, exit.into())),
            _ => None,
        });
        left.flat_map(|(word, exit)| image.debug_ends(word, exit))
            .map(|end| (end.node.into(), end.status.into()))
    }
}
