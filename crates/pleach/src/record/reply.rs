//! The host of a replay, which gives the recorded answers.

use super::answers::{self, Answer, AnswerMemory, Question, QuestionKind};
use super::coder::{BitReader, Coder};
use super::error::RecordingFault;
use super::format::{RecordedLink, kind};
use super::writes::{self, RecordedWrite};
use crate::host::{Call, Effect, Function, Halt, Host, panics};
use crate::values::{Agent, Status, Type};
use alloc::vec::Vec;
use pleach_image::Image;

/// Host that has the functions of the recorded host, with the same properties.
pub(super) struct ReplayLinker<'a, D> {
    pub(super) image: &'a Image<D>,
    pub(super) links: &'a [RecordedLink],
    /// Number of the functions that the recorded host was not asked for.
    pub(super) others: Option<u32>,
}

impl<D: AsRef<[u8]>> ReplayLinker<'_, D> {
    fn find(&self, function: Function, is: impl Fn(&str, &RecordedLink) -> bool) -> Option<&RecordedLink> {
        let mut imports = self.image.imports().iter().zip(self.links);
        let found = imports.find(|(row, link)| kind(row) == function && is(self.image.name(row.name), link));
        found.map(|(_, link)| link)
    }
}

impl<D: AsRef<[u8]>> Host for ReplayLinker<'_, D> {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.find(function, |other, _| other == name).map_or(self.others, |link| link.number)
    }

    fn effect(&self, function: Function, number: u32) -> Effect {
        self.find(function, |_, link| link.number == Some(number)).map_or(Effect::Own, |link| link.effect)
    }

    fn column(&self, query: u32) -> Option<Type> {
        self.find(Function::Query, |_, link| link.number == Some(query))?.column
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        Status::Failure
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}

/// A question and its answer, without numbers that differ between builds of a tree.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    pub(super) agent: u32,
    pub(super) asked: QuestionKind,
    pub(super) function: u32,
    /// A hash of the arguments.
    pub(super) args: u64,
    pub(super) answer: Answer,
    pub(super) writes: Vec<RecordedWrite>,
}

impl Heard {
    /// Returns true if this is the same question.
    pub(super) fn is(&self, question: &Question, args: u64) -> bool {
        (self.agent, self.asked, self.function, self.args)
            == (question.agent, question.asked, question.function, args)
    }
}

/// Questions that have been answered in a recording.
pub(super) trait Recorded {
    fn answer(&mut self, question: &Question, call: Option<&mut Call<'_>>) -> Answer;
}

/// Returns a hash of the arguments of a call.
pub(super) fn args(call: Option<&Call<'_>>) -> u64 {
    call.map_or(0, |call| Question::key_of(QuestionKind::Query, 0, 0, false, call.args))
}

/// Source of the recorded answers.
#[derive(Clone, Debug)]
pub(super) struct ReplayHost {
    pub(super) reader: BitReader,
    pub(super) memory: AnswerMemory,
    /// Questions and answers, if they are collected.
    pub(super) log: Option<Vec<Heard>>,
    /// First error in the recorded answers. After an error, nothing is read.
    pub(super) fault: Option<RecordingFault>,
}

impl Recorded for ReplayHost {
    /// Returns the recorded answer, after the recorded writes of the call are done.
    fn answer(&mut self, question: &Question, call: Option<&mut Call<'_>>) -> Answer {
        if self.reader.is_spent() {
            self.fault.get_or_insert(RecordingFault::Spent);
        }
        if self.fault.is_some() {
            return Answer::Nothing;
        }
        let args = if self.log.is_some() { args(call.as_deref()) } else { 0 };
        let Self { reader, memory, log, fault } = self;
        let answer = memory.answer(reader, question, Answer::Nothing);
        let mut written = Vec::new();
        // A host writes each slot of the agent once, if at all, and the rule.
        let most = call.as_ref().map_or(0, |call| call.frame.slots.len() + 1);
        let bytes = |slot| call.as_ref().map_or(4, |call| writes::bytes(call.frame, slot));
        let read = answers::writes(reader, question, (most, bytes), || None, |write| written.push(write));
        if let Err(wrong) = read {
            fault.get_or_insert(wrong);
        } else if let Some(call) = call {
            for write in &written {
                if writes::apply(call.frame, call.chunk, call.lane, *write).is_none() {
                    fault.get_or_insert(RecordingFault::Name);
                }
            }
        }
        if let Some(log) = log {
            let Question { agent, asked, function, .. } = *question;
            log.push(Heard { agent, asked, function, args, answer, writes: written });
        }
        if let Answer::Panic = answer {
            // The host panicked here. This panic is not reported again.
            panics::again();
        }
        answer
    }
}

/// Host that gives the recorded answers.
pub(super) struct RecordedHost<'a, R>(pub(super) &'a mut R);

impl<R: Recorded> Host for RecordedHost<'_, R> {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        None
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        matches!(self.0.answer(&Question::knows(function, number, agent.index()), None), Answer::Truth(true))
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let answer = self.0.answer(&Question::of(QuestionKind::Act, call), Some(call));
        if let Answer::Status(status) = answer { status } else { Status::Failure }
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let answer = self.0.answer(&Question::of(QuestionKind::Query, call), Some(call));
        if let Answer::Number(number) = answer { number } else { 0.0 }
    }

    fn halt(&mut self, call: &mut Call<'_>, _: Halt) {
        self.0.answer(&Question::of(QuestionKind::Halt, call), Some(call));
    }
}
