//! The host while it is recorded.

use super::answers::{Answer, Asked, Entry, Question};
use super::recorder::Recorder;
use super::step::Step;
use crate::agents::Agent;
use crate::around;
use crate::crowd::Crowd;
use crate::host::{Batch, Call, Function, Halt, Host};
use crate::status::Status;

/// A host of which a [`Recorder`] notes what it answers. Nothing stands around it: what wraps a host is wrapped in turn.
#[derive(Debug)]
pub struct Recording<'r, H: ?Sized> {
    pub(super) recorder: &'r mut Recorder,
    pub(super) host: &'r mut H,
}

/// A call under way. What comes of it is noted when it is dropped: if the host panics, that.
struct Under<'a, 'c> {
    recorder: &'a mut Recorder,
    call: &'a mut Call<'c>,
    question: Question,
    answer: Answer,
}

impl<'a, 'c> Under<'a, 'c> {
    fn new(recorder: &'a mut Recorder, call: &'a mut Call<'c>, asked: Asked) -> Self {
        let question = Question::of(asked, call);
        call.chunk.notes = Some(recorder.notes.take().unwrap_or_default());
        Self { recorder, call, question, answer: Answer::Panic }
    }
}

impl Drop for Under<'_, '_> {
    fn drop(&mut self) {
        let Self { recorder, call, question, answer } = self;
        let notes = call.chunk.notes.take().unwrap_or_default();
        recorder
            .note(*question, *answer, |written| notes.written(call.frame, call.chunk, call.lane, written));
        recorder.keep(notes);
    }
}

/// The same for many agents.
struct Many<'a, 'c, 'o, T: Copy> {
    recorder: &'a mut Recorder,
    batch: &'a mut Batch<'c>,
    out: &'o mut [T],
    answer: fn(T) -> Answer,
    done: bool,
}

impl<'a, 'c, 'o, T: Copy> Many<'a, 'c, 'o, T> {
    fn ask(
        recorder: &'a mut Recorder,
        batch: &'a mut Batch<'c>,
        (asked, answer): (Asked, fn(T) -> Answer),
        out: &'o mut [T],
        ask: impl FnOnce(&mut Batch<'_>, &mut [T]),
    ) {
        // What is passed can be a variable that the host writes.
        recorder.questions.clear();
        for index in 0..batch.len() {
            recorder.questions.extend(batch.call(index).map(|call| Question::of(asked, &call)));
        }
        batch.chunk.notes = Some(recorder.notes.take().unwrap_or_default());
        let mut many = Many { recorder, batch, out, answer, done: false };
        ask(many.batch, many.out);
        many.done = true;
    }
}

impl<T: Copy> Drop for Many<'_, '_, '_, T> {
    fn drop(&mut self) {
        let Self { recorder, batch, out, answer, done } = self;
        let notes = batch.chunk.notes.take().unwrap_or_default();
        for (index, out) in out.iter().enumerate() {
            let (Some(call), Some(question)) = (batch.call(index), recorder.questions.get(index).copied())
            else {
                break;
            };
            let answer = if *done { answer(*out) } else { Answer::Panic };
            recorder.note(question, answer, |written| {
                notes.written(call.frame, call.chunk, call.lane, written);
            });
        }
        recorder.keep(notes);
    }
}

impl<H: Host + ?Sized> around::Around for Recording<'_, H> {
    type Inner = H;

    fn inner(&self) -> &H {
        self.host
    }

    fn inner_mut(&mut self) -> &mut H {
        self.host
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        let knows = self.host.knows(function, number, agent);
        self.recorder.note(Question::knows(function, number, agent.index()), Answer::Truth(knows), |_| ());
        knows
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let mut under = Under::new(self.recorder, call, Asked::Act);
        let status = self.host.act(under.call);
        under.answer = Answer::Status(status);
        status
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let mut under = Under::new(self.recorder, call, Asked::Query);
        let number = self.host.query(under.call);
        under.answer = Answer::Number(number);
        number
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        let mut under = Under::new(self.recorder, call, Asked::Halt);
        self.host.halt(under.call, reason);
        under.answer = Answer::Nothing;
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        let host = &mut *self.host;
        Many::ask(self.recorder, batch, (Asked::Act, Answer::Status), out, |batch, out| {
            host.act_all(batch, out)
        });
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        let host = &mut *self.host;
        Many::ask(self.recorder, batch, (Asked::Query, Answer::Number), out, |batch, out| {
            host.query_all(batch, out);
        });
    }

    fn step(&mut self, crowd: &Crowd, now: i64, step: Step<'_>) {
        self.recorder.step(crowd, now, &step);
    }
}

impl Entry {
    /// An answer with the writes that lie from one place to another.
    pub(super) fn new(question: Question, answer: Answer, first: usize, end: usize) -> Self {
        Self { question, answer, first: first as u32, count: (end - first) as u32 }
    }
}
