//! Messages that wait to be sent to a page.
//!
//! A page that does not keep up must neither stop the crowd nor fill memory. So messages about the
//! state are not queued: each message is complete, and of each kind only the newest waits, in the
//! order of [`Slot`]. Answers to commands have a queue. A page that lets this queue overflow is
//! disconnected.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of waiting answers.
const MOST_ANSWERS: usize = 1_000;
/// Maximum number of bytes of waiting answers. The longest answer, a form, is shorter: it has the
/// words and the arguments of a node, at most 1 MiB each, and JSON makes them at most six times as
/// long.
const MOST_ANSWER_BYTES: usize = 16 << 20;
/// Maximum number of waiting bytes of control frames, such as pongs.
const MOST_RAW: usize = 1 << 12;

/// Kinds of messages of which only the newest is sent, in the order in which they are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Hello,
    Reload,
    Program,
    Trouble,
    Sources,
    Palette,
    State,
    AgentsAsked,
    CrowdAsked,
    AgentAsked,
    Agents,
    Crowd,
    Past,
    Agent,
    Statistics,
}

const SLOTS: usize = Slot::Statistics as usize + 1;

/// Next item to send.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Bytes of a complete frame.
    Raw(Vec<u8>),
    Text(Arc<str>),
    /// Nothing at the moment.
    Nothing,
    /// End: the outbox is closed.
    Closed,
}

#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: Mutex<Waiting>,
    comes: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    latest: [Option<Arc<str>>; SLOTS],
    answers: VecDeque<Arc<str>>,
    answer_bytes: usize,
    raw: Vec<u8>,
    closed: bool,
}

impl Outbox {
    /// Puts a message into a slot. It replaces a waiting message of its kind.
    pub(crate) fn put(&self, slot: Slot, text: Arc<str>) {
        self.change(|waiting| waiting.latest[slot as usize] = Some(text));
    }

    /// Puts several messages into their slots at once, so that nothing is sent between them.
    pub(crate) fn put_all(&self, all: impl Iterator<Item = (Slot, Arc<str>)>) {
        self.change(|waiting| all.for_each(|(slot, text)| waiting.latest[slot as usize] = Some(text)));
    }

    /// Removes waiting messages. Returns true if the first slot had one.
    pub(crate) fn withdraw(&self, slots: &[Slot]) -> bool {
        let mut waiting = self.lock();
        let mut taken = slots.iter().map(|slot| waiting.latest[*slot as usize].take().is_some());
        let first = taken.next() == Some(true);
        taken.for_each(drop);
        first
    }

    /// Queues an answer. Answers are never replaced. Closes the outbox if too many wait.
    pub(crate) fn answer(&self, text: Arc<str>) {
        self.change(|waiting| {
            waiting.answer_bytes += text.len();
            waiting.answers.push_back(text);
            waiting.closed |=
                waiting.answers.len() > MOST_ANSWERS || waiting.answer_bytes > MOST_ANSWER_BYTES;
        });
    }

    /// Queues the bytes of a complete frame. Closes the outbox if too many wait.
    pub(crate) fn raw(&self, bytes: &[u8]) {
        self.change(|waiting| {
            waiting.raw.extend_from_slice(bytes);
            waiting.closed |= waiting.raw.len() > MOST_RAW;
        });
    }

    pub(crate) fn close(&self) {
        self.change(|waiting| waiting.closed = true);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Waits for the next item, for at most `most`.
    pub(crate) fn next(&self, most: Duration) -> Next {
        let waits = |waiting: &mut Waiting| waiting.is_empty() && !waiting.closed;
        let waited = self.comes.wait_timeout_while(self.lock(), most, waits);
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }

    fn change(&self, change: impl FnOnce(&mut Waiting)) {
        change(&mut self.lock());
        self.comes.notify_one();
    }

    /// Locks the messages. Poisoning is ignored, because no code that holds the lock panics.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn is_empty(&self) -> bool {
        self.raw.is_empty() && self.answers.is_empty() && self.latest.iter().all(Option::is_none)
    }

    fn take(&mut self) -> Next {
        if self.closed {
            return Next::Closed;
        }
        if !self.raw.is_empty() {
            return Next::Raw(mem::take(&mut self.raw));
        }
        if let Some(latest) = self.latest.iter_mut().find_map(Option::take) {
            return Next::Text(latest);
        }
        let Some(answer) = self.answers.pop_front() else { return Next::Nothing };
        self.answer_bytes -= answer.len();
        Next::Text(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(1);

    #[test]
    fn the_newest_of_each_kind_is_sent() {
        let outbox = Outbox::default();
        outbox.answer("done".into());
        outbox.put(Slot::Crowd, "old".into());
        outbox.put(Slot::State, "state".into());
        outbox.put(Slot::Crowd, "new".into());
        outbox.raw(b"pong");
        let sent: Vec<_> = (0..5).map(|_| outbox.next(SOON)).collect();
        let text = |text: &str| Next::Text(text.into());
        assert_eq!(
            sent,
            [Next::Raw(b"pong".to_vec()), text("state"), text("new"), text("done"), Next::Nothing]
        );
    }

    #[test]
    fn what_nobody_reads_is_bounded() {
        let outbox = Outbox::default();
        for _ in 0..10 * MOST_ANSWERS {
            outbox.answer("done".into());
            if outbox.is_closed() {
                break;
            }
        }
        assert_eq!(outbox.next(SOON), Next::Closed);
        assert_eq!(outbox.lock().answers.len(), MOST_ANSWERS + 1);
    }

    #[test]
    fn long_answers_are_bounded_by_their_bytes() {
        let outbox = Outbox::default();
        let long: Arc<str> = "x".repeat(MOST_ANSWER_BYTES / 4).into();
        // Answers that are read do not count.
        for _ in 0..4 {
            for _ in 0..4 {
                outbox.answer(long.clone());
            }
            assert!((0..4).all(|_| outbox.next(SOON) == Next::Text(long.clone())));
        }
        (0..4).for_each(|_| outbox.answer(long.clone()));
        assert!(!outbox.is_closed());
        outbox.answer("done".into());
        assert_eq!(outbox.next(SOON), Next::Closed);
    }
}
