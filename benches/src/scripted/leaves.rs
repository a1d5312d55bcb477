//! Answers of leaves, by a seed.
//!
//! Each action draws a status from the table of its function. Each query looks an answer up in a
//! table of 64 numbers that changes every other frame; the agent and the first argument say which
//! of them it is. Actions of trees of BehaviorTree.CPP look at all their arguments, and give a
//! value for each out argument.

use super::functions::Functions;
use pleach::values::NumberValue;
use pleach::{Agent, Args, Batch, Call, EntityId, Function, Halt, Host, Status, TextId, Value};
use pleach_compile::internals::ast::SlotKind;
use pleach_image::splitmix::mix;

/// Answers of a query; a power of two.
const ANSWERS: usize = 64;

/// Value of an entry of a blackboard, or of an argument, of trees of BehaviorTree.CPP.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Slot {
    #[default]
    Nothing,
    Truth(bool),
    Int(i64),
    Real(f64),
    /// Length of a text.
    Text(u32),
    Entity(u64),
}

impl Slot {
    /// Returns the number that stands for the value, the same as [`argument`] returns.
    fn number(self) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::Truth(is) => u32::from(is).wrapping_mul(7),
            Self::Int(int) => (int as u32).wrapping_mul(7),
            Self::Real(real) => (real as i64 as u32).wrapping_mul(7),
            Self::Text(length) => length,
            Self::Entity(entity) => (entity as u32).wrapping_mul(7),
        }
    }
}

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

/// Trace of calls, if it is `ON`.
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
    fn note_numbers(&mut self, agent: usize, numbers: impl Iterator<Item = u32>) {
        if ON {
            for (place, number) in numbers.enumerate().filter(|(_, number)| *number != 0) {
                self.digests[agent] = mix(self.digests[agent] ^ (place as u64) << 32 ^ u64::from(number));
            }
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
        let statuses = self.functions.statuses(action);
        statuses[*draw as usize % statuses.len()]
    }

    /// Returns the number that an agent's action gives by the out argument at this place.
    #[inline]
    pub(super) fn given(&self, agent: usize, place: usize) -> u32 {
        given(self.draws[agent], place)
    }

    /// Notes that an action that runs is halted.
    #[inline]
    pub(super) fn halted(&mut self, action: u32, agent: usize) {
        self.trace.note(agent, 1 << 62 | u64::from(action));
    }

    /// Notes the arguments of a call.
    #[inline]
    pub(super) fn note_arguments(&mut self, agent: usize, arguments: &[Slot]) {
        self.trace.note_numbers(agent, arguments.iter().map(|it| it.number()));
    }

    fn note_values(&mut self, agent: usize, args: Args<'_>) {
        self.trace.note_numbers(agent, args.iter().map(|value| argument(Some(value))));
    }

    /// Lets agents act that read all arguments of their call, and give values by it.
    fn act_with_ports(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        if TRACE {
            for index in 0..batch.len() {
                if let Some(call) = batch.call(index) {
                    self.note_values(call.agent.index(), call.args);
                }
            }
        }
        for (agent, out) in batch.agents().map(Agent::index).zip(out) {
            *out = self.status(batch.function, agent, 0);
        }
        self.give(batch);
    }

    /// Gives a value for each out argument of an action, for all agents of a batch.
    fn give(&self, batch: &mut Batch<'_>) {
        let outputs = self.functions.outputs(batch.function);
        if outputs.is_empty() {
            return;
        }
        let mut draws = [0; 256];
        for (agent, draw) in batch.agents().zip(&mut draws) {
            *draw = self.draws[agent.index()];
        }
        let args = batch.args;
        for (place, kind) in outputs.iter().copied().filter(|(place, _)| args.is_out(*place)) {
            match kind {
                SlotKind::I32 => give(batch, place, &draws, |it| it as i32),
                SlotKind::I64 => give(batch, place, &draws, i64::from),
                SlotKind::F32 => give(batch, place, &draws, |it| it as f32),
                SlotKind::F64 => give(batch, place, &draws, f64::from),
                SlotKind::Entity => give(batch, place, &draws, |it| EntityId(it.into())),
                SlotKind::Text => give(batch, place, &draws, |_| TextId(0)),
                // A column of bits is given agent by agent.
                _ => {
                    for (index, draw) in (0..batch.len()).zip(draws) {
                        if let Some(mut call) = batch.call(index) {
                            give_one(&mut call, place, kind, given(draw, place));
                        }
                    }
                }
            }
        }
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

/// Returns the number that an action gives by the out argument at a place.
#[inline]
fn given(draw: u32, place: usize) -> u32 {
    (draw >> 8 & 0xff) + place as u32 + 1
}

/// Gives a value by the out argument at a place, if there is one.
fn give_one(call: &mut Call<'_>, place: usize, kind: SlotKind, number: u32) {
    if !call.args.is_out(place) {
        return;
    }
    let given = match kind {
        SlotKind::Bit => call.give(place, number & 1 != 0),
        SlotKind::I32 => call.give(place, number as i32),
        SlotKind::I64 => call.give(place, i64::from(number)),
        SlotKind::F32 => call.give(place, number as f32),
        SlotKind::F64 => call.give(place, f64::from(number)),
        SlotKind::Entity => call.give(place, EntityId(number.into())),
        _ => call.give(place, TextId(0)),
    };
    given.expect("an out argument of this type");
}

/// Gives values by the out argument at a place.
fn give<T: NumberValue>(batch: &mut Batch<'_>, place: usize, draws: &[u32], value: impl Fn(u32) -> T) {
    let lanes = batch.lanes();
    let column = batch.give::<T>(place).expect("an out argument of this type");
    for (lane, draw) in lanes.iter().zip(draws) {
        column[usize::from(*lane)] = value(given(*draw, place));
    }
}

/// Returns the number that stands for an argument of a call.
#[inline]
pub(super) fn argument(first: Option<Value<'_>>) -> u32 {
    match first {
        Some(Value::Int(number)) => (number as u32).wrapping_mul(7),
        Some(Value::Float(number)) => (number as i32 as u32).wrapping_mul(7),
        Some(Value::Text(text)) => text.len() as u32,
        Some(Value::Entity(entity)) => (entity.0 as u32).wrapping_mul(7),
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
        let agent = call.agent.index();
        if !self.functions.has_ports() {
            return self.status(call.function, agent, argument(call.args.get(0)));
        }
        self.note_values(agent, call.args);
        let status = self.status(call.function, agent, 0);
        for (place, kind) in self.functions.outputs(call.function) {
            give_one(call, *place, *kind, self.given(agent, *place));
        }
        status
    }

    #[inline]
    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.answer(call.function, call.agent.index(), argument(call.args.get(0)))
    }

    fn halt(&mut self, call: &mut Call<'_>, _: Halt) {
        if self.functions.has_ports() {
            self.halted(call.function, call.agent.index());
        }
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        if self.functions.has_ports() {
            return self.act_with_ports(batch, out);
        }
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
