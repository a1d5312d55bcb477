//! The host while it is recorded.

use super::answers::{Answer, Asked, Entry, Question};
use super::writes::{Write, written};
use crate::host::{Batch, Call, Function, Halt, Host, around};
use crate::store::notes::Notes;
use crate::values::{Agent, Status};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::RefCell;

/// Answers of a host that are not written down yet.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) entries: Vec<Entry>,
    pub(super) writes: Vec<Write>,
    /// What is asked of many agents.
    questions: Vec<Question>,
    /// So many of the answers are in order.
    sorted: usize,
    notes: Option<Box<Notes>>,
}

impl Answers {
    /// Notes an answer.
    fn note(&mut self, question: Question, answer: Answer, write: impl FnOnce(&mut Vec<Write>)) {
        let first = self.writes.len();
        write(&mut self.writes);
        self.entries.push(Entry::new(question, answer, first, self.writes.len()));
    }

    /// Keeps the room of notes for the next call.
    fn keep(&mut self, mut notes: Box<Notes>) {
        notes.clear();
        self.notes = Some(notes);
    }

    /// Puts what was answered since the last time into the order of agents. When a tick ends, each event has its turn.
    pub(super) fn sort(&mut self) {
        self.entries[self.sorted..].sort_by_key(|entry| entry.question.agent);
        self.sorted = self.entries.len();
    }

    pub(super) fn forget(&mut self) {
        self.sorted = 0;
        self.entries.clear();
        self.writes.clear();
    }
}

/// A host whose answers are noted for a [`crate::record::Recorder`].
#[derive(Debug)]
pub struct AnswerRecorder<'r, H: ?Sized> {
    pub(super) answers: &'r RefCell<Answers>,
    pub(super) host: &'r mut H,
}

/// A call under way. What comes of it is noted when it is dropped: if the host panics, that.
struct Under<'a, 'c> {
    answers: &'a RefCell<Answers>,
    call: &'a mut Call<'c>,
    question: Question,
    answer: Answer,
}

impl<'a, 'c> Under<'a, 'c> {
    fn new(answers: &'a RefCell<Answers>, call: &'a mut Call<'c>, asked: Asked) -> Self {
        let question = Question::of(asked, call);
        call.chunk.notes = Some(answers.borrow_mut().notes.take().unwrap_or_default());
        Self { answers, call, question, answer: Answer::Panic }
    }
}

impl Drop for Under<'_, '_> {
    fn drop(&mut self) {
        let Self { answers, call, question, answer } = self;
        let mut answers = answers.borrow_mut();
        let notes = call.chunk.notes.take().unwrap_or_default();
        answers.note(*question, *answer, |out| written(&notes, call.frame, call.chunk, call.lane, out));
        answers.keep(notes);
    }
}

/// The same for many agents.
struct Many<'a, 'c, 'o, T: Copy> {
    answers: &'a RefCell<Answers>,
    batch: &'a mut Batch<'c>,
    out: &'o mut [T],
    answer: fn(T) -> Answer,
    done: bool,
}

impl<'a, 'c, 'o, T: Copy> Many<'a, 'c, 'o, T> {
    fn ask(
        answers: &'a RefCell<Answers>,
        batch: &'a mut Batch<'c>,
        (asked, answer): (Asked, fn(T) -> Answer),
        out: &'o mut [T],
        ask: impl FnOnce(&mut Batch<'_>, &mut [T]),
    ) {
        let mut noted = answers.borrow_mut();
        // What is passed can be a variable that the host writes.
        noted.questions.clear();
        for index in 0..batch.len() {
            noted.questions.extend(batch.call(index).map(|call| Question::of(asked, &call)));
        }
        batch.chunk.notes = Some(noted.notes.take().unwrap_or_default());
        drop(noted);
        let mut many = Many { answers, batch, out, answer, done: false };
        ask(many.batch, many.out);
        many.done = true;
    }
}

impl<T: Copy> Drop for Many<'_, '_, '_, T> {
    fn drop(&mut self) {
        let Self { answers, batch, out, answer, done } = self;
        let mut answers = answers.borrow_mut();
        let notes = batch.chunk.notes.take().unwrap_or_default();
        for (index, out) in out.iter().enumerate() {
            let (Some(call), Some(question)) = (batch.call(index), answers.questions.get(index).copied())
            else {
                break;
            };
            let answer = if *done { answer(*out) } else { Answer::Panic };
            answers.note(question, answer, |out| {
                written(&notes, call.frame, call.chunk, call.lane, out);
            });
        }
        answers.keep(notes);
    }
}

impl<H: Host + ?Sized> around::HostLayer for AnswerRecorder<'_, H> {
    type Inner = H;

    fn inner(&self) -> &H {
        self.host
    }

    fn inner_mut(&mut self) -> &mut H {
        self.host
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        let knows = self.host.knows(function, number, agent);
        let question = Question::knows(function, number, agent.index());
        self.answers.borrow_mut().note(question, Answer::Truth(knows), |_| ());
        knows
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let mut under = Under::new(self.answers, call, Asked::Act);
        let status = self.host.act(under.call);
        under.answer = Answer::Status(status);
        status
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let mut under = Under::new(self.answers, call, Asked::Query);
        let number = self.host.query(under.call);
        under.answer = Answer::Number(number);
        number
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        let mut under = Under::new(self.answers, call, Asked::Halt);
        self.host.halt(under.call, reason);
        under.answer = Answer::Nothing;
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        let host = &mut *self.host;
        Many::ask(self.answers, batch, (Asked::Act, Answer::Status), out, |batch, out| {
            host.act_all(batch, out)
        });
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        let host = &mut *self.host;
        Many::ask(self.answers, batch, (Asked::Query, Answer::Number), out, |batch, out| {
            host.query_all(batch, out);
        });
    }
}

impl Entry {
    /// An answer with the writes that lie from one place to another.
    pub(super) fn new(question: Question, answer: Answer, first: usize, end: usize) -> Self {
        Self { question, answer, first: first as u32, count: (end - first) as u32 }
    }
}
