//! The host while it is recorded.

use super::answers::{Answer, AnswerEntry, Question, QuestionKind};
use super::writes::{RecordedWrite, written};
use crate::host::{Batch, Call, Function, Halt, Host, around};
use crate::store::notes::Notes;
use crate::values::{Agent, Status};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::RefCell;

/// Answers of a host that are not written down yet.
#[derive(Debug, Default)]
pub(super) struct AnswerLog {
    pub(super) entries: Vec<AnswerEntry>,
    pub(super) writes: Vec<RecordedWrite>,
    /// Questions of a call for many agents.
    questions: Vec<Question>,
    /// Number of entries that are sorted.
    sorted: usize,
    notes: Option<Box<Notes>>,
}

impl AnswerLog {
    /// Notes an answer.
    fn note(&mut self, question: Question, answer: Answer, write: impl FnOnce(&mut Vec<RecordedWrite>)) {
        let first = self.writes.len();
        write(&mut self.writes);
        let count = (self.writes.len() - first) as u32;
        self.entries.push(AnswerEntry { question, answer, first: first as u32, count });
    }

    /// Keeps the room of notes for the next call.
    fn keep(&mut self, mut notes: Box<Notes>) {
        notes.clear();
        self.notes = Some(notes);
    }

    /// Sorts the answers since the last time by agent. At the end of a tick, the answers of each
    /// event are sorted by themselves.
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

/// Host layer that notes answers for a [`Recorder`](crate::record::Recorder).
#[derive(Debug)]
pub struct AnswerRecorder<'r, H: ?Sized> {
    pub(super) answers: &'r RefCell<AnswerLog>,
    pub(super) host: &'r mut H,
}

/// A call in progress. Its answer is noted when it is dropped. If the host
/// panics, the panic is noted.
struct OpenCall<'a, 'c> {
    answers: &'a RefCell<AnswerLog>,
    call: &'a mut Call<'c>,
    question: Question,
    answer: Answer,
}

impl<'a, 'c> OpenCall<'a, 'c> {
    fn new(answers: &'a RefCell<AnswerLog>, call: &'a mut Call<'c>, asked: QuestionKind) -> Self {
        let question = Question::of(asked, call);
        call.chunk.notes = Some(answers.borrow_mut().notes.take().unwrap_or_default());
        Self { answers, call, question, answer: Answer::Panic }
    }
}

impl Drop for OpenCall<'_, '_> {
    fn drop(&mut self) {
        let Self { answers, call, question, answer } = self;
        let mut answers = answers.borrow_mut();
        let notes = call.chunk.notes.take().unwrap_or_default();
        answers.note(*question, *answer, |out| written(&notes, call.frame, call.chunk, call.lane, out));
        answers.keep(notes);
    }
}

/// Call for many agents under way. Answers are noted when it is dropped.
struct BatchAnswers<'a, 'c, 'o, T: Copy> {
    answers: &'a RefCell<AnswerLog>,
    batch: &'a mut Batch<'c>,
    out: &'o mut [T],
    answer: fn(T) -> Answer,
    done: bool,
}

impl<'a, 'c, 'o, T: Copy> BatchAnswers<'a, 'c, 'o, T> {
    fn ask(
        answers: &'a RefCell<AnswerLog>,
        batch: &'a mut Batch<'c>,
        (asked, answer): (QuestionKind, fn(T) -> Answer),
        out: &'o mut [T],
        ask: impl FnOnce(&mut Batch<'_>, &mut [T]),
    ) {
        let mut noted = answers.borrow_mut();
        // Questions are noted before the call, because an argument can be a
        // variable that the host writes.
        noted.questions.clear();
        for index in 0..batch.len() {
            noted.questions.extend(batch.call(index).map(|call| Question::of(asked, &call)));
        }
        batch.chunk.notes = Some(noted.notes.take().unwrap_or_default());
        drop(noted);
        let mut many = BatchAnswers { answers, batch, out, answer, done: false };
        ask(many.batch, many.out);
        many.done = true;
    }
}

impl<T: Copy> Drop for BatchAnswers<'_, '_, '_, T> {
    fn drop(&mut self) {
        let Self { answers, batch, out, answer, done } = self;
        let mut answers = answers.borrow_mut();
        let notes = batch.chunk.notes.take().unwrap_or_default();
        for (index, out) in out.iter().enumerate() {
            let Some(call) = batch.call(index) else { break };
            let Some(question) = answers.questions.get(index).copied() else { break };
            let answer = if *done { answer(*out) } else { Answer::Panic };
            answers.note(question, answer, |out| written(&notes, call.frame, call.chunk, call.lane, out));
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
        let mut under = OpenCall::new(self.answers, call, QuestionKind::Act);
        let status = self.host.act(under.call);
        under.answer = Answer::Status(status);
        status
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let mut under = OpenCall::new(self.answers, call, QuestionKind::Query);
        let number = self.host.query(under.call);
        under.answer = Answer::Number(number);
        number
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        let mut under = OpenCall::new(self.answers, call, QuestionKind::Halt);
        self.host.halt(under.call, reason);
        under.answer = Answer::Nothing;
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        let host = &mut *self.host;
        BatchAnswers::ask(self.answers, batch, (QuestionKind::Act, Answer::Status), out, |batch, out| {
            host.act_all(batch, out)
        });
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        let host = &mut *self.host;
        BatchAnswers::ask(self.answers, batch, (QuestionKind::Query, Answer::Number), out, |batch, out| {
            host.query_all(batch, out);
        });
    }
}
