//! Host with pseudorandom answers and changes: each is a hash of the agent, the question and the
//! tick.

use super::{Kind, Program, Variable};
use crate::conformance::engine::{Arg, Call, Halt, Society, Whom, World};
use crate::random::draws::{Draws, hash};
use crate::random::program::OTHERS;
use crate::random::world::bits;
use pleach_compile::internals::ir::{NodeIndex, Outcome};

/// Answers near the limits of conversions and comparisons, and some ordinary numbers.
const ANSWERS: &[f64] = &[
    0.0,
    1.0,
    2.0,
    -1.0,
    0.5,
    2.5,
    -2.9,
    -0.0,
    127.0,
    16_777_217.0,
    2_147_483_647.0,
    3e9,
    -3e9,
    1e300,
    1e-300,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// Start times near the limits of clocks.
const TIMES: &[i64] =
    &[0, 0, 1, 1000, i32::MAX as i64 - 300, u32::MAX as i64 - 300, 1 << 40, -300, i64::MAX - 300];

/// Call that the host received.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// Hash of the function and its arguments.
    what: u64,
    /// Node of an action; `None` for queries.
    node: Option<u32>,
    kind: Spoken,
}

/// Kind of call.
#[derive(Clone, Debug, PartialEq)]
enum Spoken {
    Act { fresh: bool, answer: Outcome },
    Ask { bits: u64 },
    Halt(Halt),
}

/// Host of a case.
#[derive(Clone, Debug)]
pub struct Script {
    seed: u64,
    tick: u64,
    /// Answers stay the same for 2^`patience` ticks.
    patience: u32,
    /// True if answers also depend on the number of earlier questions in the tick.
    fickle: bool,
    /// Number of actions out of ten that are running.
    running: usize,
    /// Number of agents out of ten that are changed between two ticks.
    meddling: usize,
    /// Calls for each agent since the last tick, and in this one.
    pub heard: Vec<Vec<Heard>>,
    /// Number of those calls before the tick.
    begun: Vec<usize>,
    /// Nodes that ended for each agent in this tick, each with its exit, if the engine reports
    /// them.
    pub ended: Vec<Vec<(NodeIndex, u32)>>,
    /// Entry that each agent runs, by its index in the program.
    pub entries: Vec<usize>,
    /// Time of this tick.
    pub now: i64,
}

impl Script {
    /// Creates the host of a seed, for `agents` agents that begin with this entry.
    #[must_use]
    pub fn new(seed: u64, agents: usize, entry: usize) -> Self {
        let mut draws = Draws::seeded(seed ^ 0x50c1);
        Self {
            seed,
            tick: 0,
            patience: draws.pick(&[0, 0, 1, 2, 4]),
            fickle: draws.one_in(3),
            running: draws.pick(&[2, 4, 6, 8]),
            meddling: draws.pick(&[0, 1, 3, 6]),
            heard: vec![Vec::new(); agents],
            begun: vec![0; agents],
            ended: vec![Vec::new(); agents],
            entries: vec![entry; agents],
            now: draws.pick(TIMES),
        }
    }

    /// Returns the group of each agent.
    #[must_use]
    pub fn groups(seed: u64, agents: usize) -> Vec<u32> {
        (0..agents as u64).map(|agent| (hash([seed, agent, 6]) % 2) as u32).collect()
    }

    /// Begins the next tick.
    pub fn next(&mut self) {
        let mut draws = Draws::seeded(hash([self.seed, self.tick, 4]));
        self.tick += 1;
        self.heard.iter_mut().for_each(Vec::clear);
        self.ended.iter_mut().for_each(Vec::clear);
        let later = self.now.saturating_add(draws.pick(&[0, 1, 1, 7, 20, 50, 400]));
        // Time goes forward, but sometimes a host rewinds.
        self.now = if draws.one_in(60) { draws.pick(TIMES) } else { later };
    }

    /// Makes random changes before a tick.
    pub fn meddle(&mut self, program: &Program, society: &mut dyn Society) {
        for agent in 0..self.heard.len() {
            let mut draws = Draws::seeded(hash([self.seed, self.tick, agent as u64, 5]));
            if draws.below(10) >= self.meddling {
                continue;
            }
            match draws.below(12) {
                0..=5 => write(&mut draws, agent, &program.variables, society),
                6..=8 if !program.events.is_empty() => {
                    let event = draws.below(program.events.len());
                    let whom = [Whom::Agent(agent), Whom::Group(draws.below(2) as u32), Whom::All];
                    let whom = draws.pick(&whom);
                    society.raise(&program.events[event], whom, self.now, self);
                }
                9 => society.reset(agent, self.now, self),
                10 => {
                    let entry = draws.below(program.entries.len());
                    society.switch(agent, &program.entries[entry], self.now, self);
                    self.entries[agent] = entry;
                }
                _ if !program.tunables.is_empty() => {
                    let tunable = &program.tunables[draws.below(program.tunables.len())];
                    society.set(agent, &tunable.name, tunable.value(&mut draws));
                }
                _ => {}
            }
        }
        self.begun = self.heard.iter().map(Vec::len).collect();
    }

    /// Returns the answers of this tick to an agent, including those after the tick has ended.
    #[must_use]
    pub fn answers(&self, agent: usize) -> Vec<u64> {
        let answer = |heard: &Heard| match heard.kind {
            Spoken::Act { answer, .. } => Some(bits(answer)),
            Spoken::Ask { bits } => Some(bits),
            Spoken::Halt(_) => None,
        };
        self.heard[agent][self.begun[agent]..].iter().filter_map(answer).collect()
    }

    fn draws(&self, agent: usize, what: u64) -> Draws {
        let turn = if self.fickle { self.heard[agent].len() as u64 } else { 0 };
        Draws::seeded(hash([self.seed, agent as u64, self.tick >> self.patience, what, turn]))
    }
}

fn write(draws: &mut Draws, agent: usize, variables: &[Variable], society: &mut dyn Society) {
    if variables.is_empty() {
        return;
    }
    let Variable { name, kind, .. } = &variables[draws.below(variables.len())];
    let value = match kind {
        Kind::Bool => draws.below(2) as f64,
        Kind::Int(_) | Kind::Enum(_) | Kind::Text => f64::from(draws.pick(ANSWERS) as i32),
        Kind::Float | Kind::Vector(_) => f64::from(draws.pick(ANSWERS) as f32),
        Kind::Long | Kind::Double | Kind::Entity(_) => draws.pick(ANSWERS),
    };
    society.set(agent, name, value);
}

/// Returns a hash of a function and its arguments.
fn what(call: &Call<'_>) -> u64 {
    let bytes = |start, bytes: &[u8]| bytes.iter().fold(start, |sum, byte| hash([sum, u64::from(*byte)]));
    call.args.iter().fold(bytes(0, call.name), |sum, arg| match *arg {
        Arg::Int(int) => hash([sum, 1, u64::from(int as u32)]),
        Arg::Float(float) => hash([sum, 2, u64::from(float.to_bits())]),
        Arg::Int64(int) => hash([sum, 4, int as u64]),
        Arg::Double(double) => hash([sum, 5, double.to_bits()]),
        Arg::Out => hash([sum, 6]),
        Arg::Text(text) => bytes(hash([sum, 3]), text),
    })
}

impl World for Script {
    fn act(&mut self, agent: usize, call: &Call<'_>) -> Outcome {
        let what = what(call);
        let mut draws = self.draws(agent, what);
        let answer = match draws.below(10) {
            number if number < self.running => Outcome::Running,
            _ if draws.one_in(12) => Outcome::Other(draws.pick(OTHERS)),
            number if number % 2 == 0 => Outcome::Success,
            _ => Outcome::Failure,
        };
        let kind = Spoken::Act { fresh: call.fresh, answer };
        self.heard[agent].push(Heard { what, node: call.node, kind });
        answer
    }

    fn give(&mut self, agent: usize, call: &Call<'_>, place: usize) -> Option<f64> {
        let mut draws = self.draws(agent, hash([what(call), place as u64]));
        (!draws.one_in(3)).then(|| draws.pick(ANSWERS))
    }

    fn query(&mut self, agent: usize, call: &Call<'_>) -> f64 {
        let what = what(call);
        let answer = self.draws(agent, what).pick(ANSWERS);
        let kind = Spoken::Ask { bits: answer.to_bits() };
        self.heard[agent].push(Heard { what, node: None, kind });
        answer
    }

    fn ended(&mut self, agent: usize, node: NodeIndex, outcome: Outcome) {
        self.ended[agent].push((node, bits(outcome) as u32 & 3));
    }

    fn halt(&mut self, agent: usize, call: &Call<'_>, why: Halt) {
        self.heard[agent].push(Heard { what: what(call), node: call.node, kind: Spoken::Halt(why) });
    }
}
