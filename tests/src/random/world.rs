//! World whose answers are a hash of the agent, the question, the tick and the number of earlier
//! questions.
//!
//! [`Script`] is the world. [`Told`] records the questions about one agent. The two hosts convert
//! the questions of their engines to one form, so that engines can be compared by questions and
//! answers.

use super::condition::NUMBERS;
use super::draws::{Draws, hash};
use super::program::OTHERS;
use crate::reference;
use pleach::{Args, Call, Function, Halt, Status, Variable};
use pleach_compile::internals::ast;
use pleach_compile::internals::ir::{ImportKind, Module, NodeIndex, Outcome, SlotKind};
use pleach_image::float;

/// World of a case.
#[derive(Clone, Copy, Debug)]
pub struct Script {
    seed: u64,
    /// Answers stay the same for 2^`patience` ticks.
    patience: u32,
    /// True if answers also depend on the number of the agent's earlier questions in the tick.
    fickle: bool,
}

/// Question with its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Hash of the function and its arguments.
    pub what: u64,
    /// Node of an action, from 1; 0 for queries.
    pub node: u32,
    /// True if the action began.
    pub fresh: bool,
    /// Bits of the answer.
    pub answer: u64,
}

/// Questions about one agent in a tick.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Number of the agent.
    pub agent: u64,
    /// Number of earlier ticks.
    pub tick: u64,
    /// Questions in order.
    pub asked: Vec<Asked>,
}

impl Told {
    /// Creates the record of an agent without questions.
    #[must_use]
    pub fn new(agent: usize) -> Self {
        Self { agent: agent as u64, ..Self::default() }
    }

    /// Begins the next tick.
    pub fn next(&mut self) {
        self.tick += 1;
        self.asked.clear();
    }
}

impl Script {
    /// Creates the world of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut draws = Draws::seeded(seed ^ 0x0a11);
        Self { seed, patience: draws.below(3) as u32, fickle: draws.one_in(2) }
    }

    fn draws(&self, told: &Told, what: u64) -> Draws {
        let turn = if self.fickle { told.asked.len() as u64 } else { 0 };
        Draws::seeded(hash([self.seed, told.agent, told.tick >> self.patience, what, turn]))
    }

    /// Returns an action's answer, and the gate that it sets with its value, if any.
    fn act(&self, told: &mut Told, what: u64, node: u32, fresh: bool) -> (Outcome, Option<(usize, bool)>) {
        let mut draws = self.draws(told, what);
        let outcome = match draws.below(10) {
            0..=2 => Outcome::Failure,
            3..=5 => Outcome::Success,
            6..=8 => Outcome::Running,
            _ => Outcome::Other(draws.pick(OTHERS)),
        };
        told.asked.push(Asked { what, node, fresh, answer: bits(outcome) });
        (outcome, gate(&mut draws))
    }

    /// Returns a query's answer, and the gate that it sets with its value, if any.
    fn answer(&self, told: &mut Told, what: u64) -> (f64, Option<(usize, bool)>) {
        let mut draws = self.draws(told, what);
        let number = if draws.one_in(2) { draws.below(3) as f64 } else { draws.pick(NUMBERS) };
        told.asked.push(Asked { what, node: 0, fresh: false, answer: number.to_bits() });
        (number, gate(&mut draws))
    }
}

fn gate(draws: &mut Draws) -> Option<(usize, bool)> {
    draws.one_in(10).then(|| (draws.below(2), draws.one_in(2)))
}

/// Returns an outcome as a number: its kind, and the number of a status other than the three.
#[must_use]
pub fn bits(outcome: Outcome) -> u64 {
    match outcome {
        Outcome::Failure => 0,
        Outcome::Success => 1,
        Outcome::Running => 2,
        Outcome::Other(number) => 3 | u64::from(number as u32) << 32,
    }
}

/// Returns the runtime's status for an outcome of the IR.
#[must_use]
pub fn status(outcome: Outcome) -> Status {
    match outcome {
        Outcome::Failure => Status::Failure,
        Outcome::Success => Status::Success,
        Outcome::Running => Status::Running,
        Outcome::Other(number) => Status::Other(number),
    }
}

/// Returns a hash of a function and its arguments.
fn what<'a>(function: Function, name: &[u8], args: impl Iterator<Item = pleach::Value<'a>>) -> u64 {
    let bytes = |start, bytes: &[u8]| bytes.iter().fold(start, |sum, byte| hash([sum, u64::from(*byte)]));
    let start = bytes(u64::from(function == Function::Action), name);
    args.fold(start, |sum, arg| match arg {
        pleach::Value::Int(int) => hash([sum, 1, u64::from(int as u32)]),
        pleach::Value::Float(float) => hash([sum, 2, u64::from(float.to_bits())]),
        pleach::Value::Int64(int) => hash([sum, 4, int as u64]),
        pleach::Value::Double(double) => hash([sum, 5, double.to_bits()]),
        pleach::Value::Entity(entity) => hash([sum, 4, entity.0]),
        pleach::Value::Text(text) => bytes(hash([sum, 3]), text),
    })
}

/// Script as a host of the reference interpreter, for one agent.
pub struct Judge<'a> {
    /// Script that answers.
    pub script: Script,
    /// Program that runs.
    pub module: &'a Module,
    /// Questions of the agent.
    pub told: &'a mut Told,
    /// Nodes that ended, from 1, with the number of the exit.
    pub ended: Vec<(u32, u32)>,
}

impl Judge<'_> {
    fn what(&self, function: Function, call: &reference::Call<'_>) -> u64 {
        let value = |value: &ast::Value| match *value {
            ast::Value::Int(int) => pleach::Value::Int(int),
            // Images have one NaN only, whatever NaN the module has.
            ast::Value::Float(float) => pleach::Value::Float(f32::from_bits(float::bits32(float))),
            ast::Value::Text(text) => pleach::Value::Text(self.module.names.bytes(text)),
            ast::Value::Int64(wide) => pleach::Value::Int64(wide.bits() as i64),
            ast::Value::Double(wide) => pleach::Value::Double(f64::from_bits(wide.bits())),
            ast::Value::Nobody => pleach::Value::Int64(0),
            _ => pleach::Value::Int(0),
        };
        what(function, call.name, call.args.iter().map(value))
    }

    fn open(&self, frame: &mut reference::Frame, gate: Option<(usize, bool)>) {
        let bits = self.module.slots.iter().enumerate().filter(|(_, slot)| slot.kind == SlotKind::Bit);
        if let Some((which, value)) = gate
            && let Some((slot, _)) = bits.clone().nth(which)
        {
            frame.bits[slot] = value;
        }
    }
}

impl reference::Host for Judge<'_> {
    fn act(&mut self, frame: &mut reference::Frame, call: &reference::Call<'_>, fresh: bool) -> Outcome {
        let what = self.what(Function::Action, call);
        let (outcome, gate) = self.script.act(self.told, what, call.node + 1, fresh);
        self.open(frame, gate);
        outcome
    }

    fn query(&mut self, frame: &mut reference::Frame, call: &reference::Call<'_>) -> f64 {
        let what = self.what(Function::Query, call);
        let (number, gate) = self.script.answer(self.told, what);
        self.open(frame, gate);
        number
    }

    fn ended(&mut self, _: u32, node: NodeIndex, outcome: Outcome) {
        self.ended.push((node + 1, bits(outcome) as u32));
    }
}

/// Script as a host of the runtime, for all agents of a crowd.
pub struct Game {
    script: Script,
    names: Vec<(Function, String)>,
    /// Bit variables, once the program is linked.
    pub gates: Vec<Variable>,
    /// Questions of each agent, by [`pleach::Agent::index`].
    pub told: Vec<Told>,
    /// Actions that were halted: agent, node, reason.
    pub halted: Vec<(usize, u32, Halt)>,
}

impl Game {
    /// Creates the world of a program with `agents` agents.
    #[must_use]
    pub fn new(script: Script, module: &Module, agents: usize) -> Self {
        let function = |kind| match kind {
            ImportKind::Action => Function::Action,
            ImportKind::Query => Function::Query,
        };
        let name = |import: &pleach_compile::internals::ir::Import| {
            (function(import.kind), module.names.text(import.name).into_owned())
        };
        Self {
            script,
            names: module.imports.iter().map(name).collect(),
            gates: Vec::new(),
            told: (0..agents).map(Told::new).collect(),
            halted: Vec::new(),
        }
    }

    fn what(&self, call: &Call<'_>) -> u64 {
        let (function, name) = &self.names[call.function as usize];
        let args: Args<'_> = call.args;
        what(*function, name.as_bytes(), args.iter())
    }

    fn open(&self, call: &mut Call<'_>, gate: Option<(usize, bool)>) {
        if let Some((which, value)) = gate
            && let Some(variable) = self.gates.get(which)
        {
            call.set(*variable, value).expect("gates are flags of this program");
        }
    }
}

impl pleach::Host for Game {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let known = self.names.iter().position(|(kind, known)| *kind == function && known == name);
        known.map(|index| index as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let what = self.what(call);
        let told = &mut self.told[call.agent.index()];
        let (outcome, gate) = self.script.act(told, what, call.node, call.fresh);
        self.open(call, gate);
        status(outcome)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let what = self.what(call);
        let (number, gate) = self.script.answer(&mut self.told[call.agent.index()], what);
        self.open(call, gate);
        number
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        self.halted.push((call.agent.index(), call.node, reason));
    }
}
