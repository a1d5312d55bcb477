//! Answers of leaves, by a seed.
//!
//! Each action draws a status (6 of 16 failure, 3 success, 7 running). Each query looks an answer
//! up in a table of 64 numbers that changes every other frame; the agent and the first argument say
//! which of them it is.

use super::functions::Functions;
use pleach::{Agent, Batch, Call, Function, Host, Status, Value};
use pleach_image::splitmix::mix;

/// Answers of a query; a power of two.
const ANSWERS: usize = 64;

/// Statuses that actions draw.
const STATUSES: [Status; 16] = {
    let mut statuses = [Status::Running; 16];
    let mut at = 0;
    while at < 9 {
        statuses[at] = if at < 6 { Status::Failure } else { Status::Success };
        at += 1;
    }
    statuses
};

/// Host of trees from files. If it traces, it notes each call.
#[derive(Debug)]
pub(super) struct Leaves<const TRACE: bool> {
    functions: Functions,
    answers: Vec<[f64; ANSWERS]>,
    /// By agent, the number that statuses are drawn from.
    draws: Vec<u32>,
    /// By agent, the place of its answers in the tables.
    slots: Vec<u32>,
    trace: Trace<TRACE>,
}

/// What was called, if it is `ON`.
#[derive(Debug)]
struct Trace<const ON: bool> {
    /// By agent, a number that all its calls have made. Empty without a trace.
    digests: Vec<u64>,
    /// Calls so far. 0 without a trace.
    calls: u64,
}

impl<const ON: bool> Trace<ON> {
    #[inline(always)]
    fn note(&mut self, agent: usize, call: u64) {
        if ON {
            self.calls += 1;
            self.digests[agent] = mix(self.digests[agent] ^ call);
        }
    }

    #[inline(always)]
    fn note_query(&mut self, query: u32, agent: usize, argument: u32) {
        self.note(agent, u64::from(query) << 32 | u64::from(argument));
    }
}

impl<const TRACE: bool> Leaves<TRACE> {
    pub(super) fn new(functions: &Functions, agents: usize) -> Self {
        Self {
            functions: functions.clone(),
            answers: vec![[0.0; ANSWERS]; functions.answers().len()],
            draws: (0..agents as u64).map(|agent| mix(agent) as u32 | 1).collect(),
            slots: (0..agents as u64).map(|agent| (mix(agent << 32 | 1) % ANSWERS as u64) as u32).collect(),
            trace: Trace { digests: vec![0; if TRACE { agents } else { 0 }], calls: 0 },
        }
    }

    /// Begins a frame.
    pub(super) fn advance(&mut self, frame: u32) {
        if !frame.is_multiple_of(2) {
            return;
        }
        for (query, (table, answers)) in self.answers.iter_mut().zip(self.functions.answers()).enumerate() {
            for (slot, answer) in table.iter_mut().enumerate() {
                *answer = answers.answer(mix(u64::from(frame) << 32 | (query * ANSWERS + slot) as u64));
            }
        }
    }

    /// Returns the number of a function by its name.
    pub(super) fn number(&self, function: Function, name: &str) -> Option<u32> {
        self.functions.number(function, name)
    }

    /// Lets an agent act.
    #[inline]
    pub(super) fn status(&mut self, action: u32, agent: usize, argument: u32) -> Status {
        self.trace.note(agent, 1 << 63 | u64::from(action) << 32 | u64::from(argument));
        let draw = &mut self.draws[agent];
        *draw ^= *draw << 13;
        *draw ^= *draw >> 17;
        *draw ^= *draw << 5;
        STATUSES[*draw as usize % STATUSES.len()]
    }

    /// Answers an agent's question.
    #[inline]
    pub(super) fn answer(&mut self, query: u32, agent: usize, argument: u32) -> f64 {
        self.trace.note_query(query, agent, argument);
        self.answers[query as usize][(self.slots[agent] ^ argument) as usize % ANSWERS]
    }

    /// Returns a number made of all calls so far, and of what agents draw next.
    pub(super) fn digest(&self) -> u64 {
        let calls = self.trace.digests.iter().fold(0, |digest, calls| mix(digest ^ calls));
        self.draws.iter().fold(calls, |digest, draw| mix(digest ^ u64::from(*draw)))
    }

    /// Returns the number of calls so far.
    pub(super) fn calls(&self) -> u64 {
        self.trace.calls
    }
}

/// Returns the number that stands for the first argument of a call.
#[inline]
pub(super) fn argument(first: Option<Value<'_>>) -> u32 {
    match first {
        Some(Value::Int(number)) => (number as u32).wrapping_mul(7),
        Some(Value::Float(number)) => (number as i32 as u32).wrapping_mul(7),
        Some(Value::Text(text)) => text.len() as u32,
        Some(wide) => (wide.int64() as u32).wrapping_mul(7),
        None => 0,
    }
}

impl<const TRACE: bool> Host for Leaves<TRACE> {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.number(function, name)
    }

    #[inline]
    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.status(call.function, call.agent.index(), argument(call.args.get(0)))
    }

    #[inline]
    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.answer(call.function, call.agent.index(), argument(call.args.get(0)))
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        let (action, argument) = (batch.function, argument(batch.args.get(0)));
        for (agent, out) in batch.agents().map(Agent::index).zip(out) {
            *out = self.status(action, agent, argument);
        }
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        let (query, argument) = (batch.function, argument(batch.args.get(0)));
        // The table is the same for all agents.
        let (table, slots, trace) = (&self.answers[query as usize], &self.slots[..], &mut self.trace);
        for (agent, out) in batch.agents().map(Agent::index).zip(out) {
            trace.note_query(query, agent, argument);
            *out = table[(slots[agent] ^ argument) as usize % ANSWERS];
        }
    }
}
