//! Answers of the host: for each agent in the order of its questions.
//!
//! Across agents the order is that of the engine. So the answers of a step are put in the order of
//! the agents' indices before they are written, and a replay ticks its agents in that order: then
//! each answer is read at the moment when it is asked for, and both sides know all of its context.
//! Nothing says which node was asked: the tree that asks again does.

use super::coder::{Coder, mix};
use super::error::RecordingFault;
use super::writes::RecordedWrite;
use crate::host::{Call, Function};
use crate::values::{Args, Status, Value};
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use hashbrown::HashMap;
use pleach_image::float::bits64;

/// Number of last answers that are remembered for each agent. The sum has limits.
const OF_AGENT: usize = 64;
const MEMORY: [usize; 2] = [1 << 10, 1 << 22];
/// Different answers of a function that are told by a number.
const KNOWN: usize = 255;

/// Kind of a question to a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuestionKind {
    Act,
    Query,
    Knows,
    Halt,
}

/// Answer of a host.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    Status(Status),
    Number(f64),
    Truth(bool),
    Nothing,
    /// It panicked.
    Panic,
}

/// A question: all that its answer can be foreseen by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) agent: u32,
    pub(super) asked: QuestionKind,
    /// The number of the function.
    pub(super) function: u32,
    /// A hash of function, node, arguments and whether it begins.
    pub(super) key: u64,
}

impl Question {
    pub(super) fn of(asked: QuestionKind, call: &Call<'_>) -> Self {
        let key = Self::key_of(asked, call.function, call.node, call.fresh, call.args);
        Self { agent: call.agent.index() as u32, asked, function: call.function, key }
    }

    pub(super) fn key_of(asked: QuestionKind, function: u32, node: u32, fresh: bool, args: Args<'_>) -> u64 {
        let key = mix(mix(asked as u64, function.into()), u64::from(node) << 1 | u64::from(fresh));
        // An action's node says which arguments it has.
        if asked == QuestionKind::Query { args.iter().fold(key, with) } else { key }
    }

    pub(super) fn knows(function: Function, number: u32, agent: usize) -> Self {
        let key = mix(mix(QuestionKind::Knows as u64, number.into()), function as u64);
        Self { agent: agent as u32, asked: QuestionKind::Knows, function: number, key }
    }
}

fn with(key: u64, value: Value<'_>) -> u64 {
    match value {
        Value::Int(int) => mix(key, u64::from(int as u32)),
        Value::Float(float) => mix(key, u64::from(float.to_bits()) | 1 << 32),
        Value::Int64(int) => mix(key, int as u64),
        Value::Double(double) => mix(key, bits64(double)),
        Value::Entity(entity) => mix(key, entity.0),
        Value::Text(text) => text.iter().fold(mix(key, 2 << 32), |key, byte| mix(key, (*byte).into())),
    }
}

/// A question that was answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerEntry {
    pub(super) question: Question,
    pub(super) answer: Answer,
    /// Writes of the host during the call: index of the first, and their number.
    pub(super) first: u32,
    pub(super) count: u32,
}

/// Memory of earlier answers, by which answers are foreseen.
#[derive(Clone, Debug)]
pub(super) struct AnswerMemory {
    /// By a hash of agent and question: the last answer, and in which tick.
    last: Box<[(u8, u8)]>,
    /// For each function, the answers that it has given, as bits.
    known: HashMap<u32, KnownAnswers>,
    tick: u8,
}

#[derive(Clone, Debug, Default)]
struct KnownAnswers {
    answers: Vec<u64>,
    numbers: HashMap<u64, u8>,
}

impl KnownAnswers {
    fn add(&mut self, bits: u64) -> u8 {
        let number = self.answers.len() as u8;
        if self.answers.len() < KNOWN {
            self.answers.push(bits);
            self.numbers.insert(bits, number);
        }
        number
    }
}

impl AnswerMemory {
    pub(super) fn new() -> Self {
        Self { last: Box::new([(0, 0)]), known: HashMap::new(), tick: 0 }
    }

    /// Makes room for the answers of this number of agents. If the room
    /// grows, all answers are forgotten.
    pub(super) fn fit(&mut self, agents: usize) {
        let places = agents.saturating_mul(OF_AGENT).clamp(MEMORY[0], MEMORY[1]).next_power_of_two();
        if self.last.len() < places {
            self.last = vec![(0, 0); places].into();
        }
    }

    /// Notes that a tick is over, and makes room for this number of agents.
    pub(super) fn next_tick(&mut self, agents: usize) {
        self.fit(agents);
        // Zero means that the question was never asked.
        self.tick = self.tick % 255 + 1;
    }

    fn place(&self, question: &Question) -> usize {
        (mix(question.key, question.agent.into()) >> 20) as usize & (self.last.len() - 1)
    }

    /// Returns the context of a question: the question, its last answer, and
    /// whether that was in this tick.
    fn context(&self, question: &Question) -> u64 {
        let (answer, tick) = self.last[self.place(question)];
        mix(question.key, u64::from(answer) << 1 | u64::from(tick == self.tick))
    }

    fn remember(&mut self, question: &Question, answer: u8) {
        let place = self.place(question);
        self.last[place] = (answer, self.tick);
    }

    /// Writes or reads an answer.
    pub(super) fn answer<C: Coder>(&mut self, coder: &mut C, question: &Question, answer: Answer) -> Answer {
        let context = self.context(question);
        if coder.bit(mix(question.key, 1), matches!(answer, Answer::Panic)) {
            return Answer::Panic;
        }
        match question.asked {
            QuestionKind::Act => {
                let status = if let Answer::Status(status) = answer { status } else { Status::Failure };
                let status = self::status(coder, context, status);
                self.remember(question, status.exit().0);
                Answer::Status(status)
            }
            QuestionKind::Query => {
                let bits = if let Answer::Number(number) = answer { bits64(number) } else { 0 };
                Answer::Number(f64::from_bits(self.number(coder, context, question, bits)))
            }
            QuestionKind::Knows => {
                let truth = coder.bit(context, matches!(answer, Answer::Truth(true)));
                self.remember(question, truth.into());
                Answer::Truth(truth)
            }
            QuestionKind::Halt => Answer::Nothing,
        }
    }

    /// Writes or reads the answer of a query: one that the function has given before, or a new one.
    fn number<C: Coder>(&mut self, coder: &mut C, context: u64, question: &Question, bits: u64) -> u64 {
        let known = self.known.entry(question.function).or_default();
        let number = known.numbers.get(&bits).copied().unwrap_or(KNOWN as u8);
        let number = coder.byte(context, number);
        let bits = match known.answers.get(usize::from(number)) {
            Some(bits) => *bits,
            None => {
                let bits = fresh(coder, question.function.into(), bits);
                known.add(bits);
                bits
            }
        };
        self.remember(question, number);
        bits
    }
}

/// Writes or reads a new number: a whole number, a 32-bit float, or any double.
fn fresh<C: Coder>(coder: &mut C, function: u64, bits: u64) -> u64 {
    let context = mix(function, 3);
    let number = f64::from_bits(bits);
    let whole = number as i32;
    if coder.bit(mix(context, 0), f64::from(whole).to_bits() == bits) {
        let whole = coder.number(mix(context, 1), 4, u64::from(whole as u32)) as u32 as i32;
        return f64::from(whole).to_bits();
    }
    let single = number as f32;
    if coder.bit(mix(context, 2), f64::from(single).to_bits() == bits) {
        let single = coder.number(mix(context, 3), 4, single.to_bits().into()) as u32;
        return f64::from(f32::from_bits(single)).to_bits();
    }
    coder.number(mix(context, 4), 8, bits)
}

/// Writes or reads a status.
fn status<C: Coder>(coder: &mut C, context: u64, status: Status) -> Status {
    for (which, known) in (1..).zip([Status::Running, Status::Success, Status::Failure]) {
        if coder.bit(mix(context, which), status == known) {
            return known;
        }
    }
    let (_, number) = status.exit();
    Status::Other(coder.number(mix(context, 4), 4, u64::from(number as u32)) as u32 as i32)
}

/// Writes or reads the variables that the host wrote during a call. `next` returns the next write
/// to record. `take` gets each write that is read. There are at most `most`; `bytes` returns the
/// size of the values of a slot.
///
/// # Errors
/// If there are more than `most`. Without this limit, writes that are
/// foreseen would take nearly no bits.
pub(super) fn writes<C: Coder>(
    coder: &mut C,
    question: &Question,
    (most, bytes): (usize, impl Fn(u32) -> u32),
    mut next: impl FnMut() -> Option<RecordedWrite>,
    mut take: impl FnMut(RecordedWrite),
) -> Result<(), RecordingFault> {
    let (context, mut count) = (mix(question.key, 2), 0);
    loop {
        let write = next();
        if !coder.bit(mix(context, 0), write.is_some()) {
            return Ok(());
        }
        RecordingFault::Spent.unless(!coder.is_spent())?;
        RecordingFault::Length.unless(count < most)?;
        count += 1;
        let RecordedWrite { slot, value } = write.unwrap_or_default();
        let slot = coder.number(mix(context, 1), 3, slot.into()) as u32;
        let value = coder.number(mix(context, 2 + u64::from(slot)), bytes(slot), value);
        take(RecordedWrite { slot, value });
    }
}

#[cfg(test)]
mod tests {
    use super::super::coder::{BitReader, BitWriter};
    use super::*;

    #[test]
    fn there_are_no_more_writes_than_may_be() {
        let question = Question { agent: 0, asked: QuestionKind::Act, function: 0, key: 7 };
        let mut writer = BitWriter::new(1);
        let mut left = 100_000_u32;
        let next = || {
            left = left.checked_sub(1)?;
            Some(RecordedWrite { slot: 1, value: 2 })
        };
        assert_eq!(writes(&mut writer, &question, (usize::MAX, |_| 4), next, |_| ()), Ok(()));
        writer.end();
        assert!(writer.bytes.len() < 200, "they are foreseen");
        for (most, result) in [(99_999, Err(RecordingFault::Length)), (100_000, Ok(()))] {
            let mut reader = BitReader::new(1, (&*writer.bytes).into());
            reader.begin(0..writer.bytes.len());
            let mut count = 0;
            assert_eq!(writes(&mut reader, &question, (most, |_| 4), || None, |_| count += 1), result);
            assert_eq!(count, most);
        }
    }
}
