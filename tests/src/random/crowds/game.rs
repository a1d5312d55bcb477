//! A host whose answers are hashes.

use super::Plan;
use crate::random::draws::{Draws, hash};
use crate::random::program::{OTHERS, SKIPPED};
use pleach::host::{LogKind, RunawayTick};
use pleach::{Agent, Call, Function, Halt, Host, Program, Status, Variable};

/// Answers at which tests change their minds.
const NUMBERS: &[f64] =
    &[0.0, 1.0, 2.0, 3.0, -1.0, 0.5, -0.0, 2.5, 100.0, 1e9, -3e9, 1e300, f64::NAN, f64::INFINITY];

/// A host that answers by a hash of the agent, the question and the number of its
/// calls, and notes all calls.
pub(super) struct Game {
    pub(super) seed: u64,
    pub(super) tick: u64,
    /// Answers stay the same for two to this power ticks.
    patience: u32,
    /// Number of actions, of eight, that run on.
    running: usize,
    /// True if leaves may be skipped, because the nodes around them keep statuses.
    skips: bool,
    names: Vec<String>,
    pub(super) variables: Vec<Variable>,
    /// Ids of rules, to which calls send agents.
    ids: Vec<String>,
    /// Hash of all calls of each agent, by index.
    pub(super) heard: Vec<u64>,
    /// Number of calls for each agent in this tick, by index.
    counts: Vec<u64>,
    pub(super) calls: u64,
}

impl Game {
    pub(super) fn new(plan: &Plan<'_>, program: &Program) -> Self {
        let mut draws = Draws::seeded(plan.seed ^ 0xba7c);
        Self {
            seed: plan.seed,
            tick: 0,
            patience: draws.below(4) as u32,
            running: 1 + draws.below(6),
            skips: plan.images[0].statuses().is_some(),
            names: plan.variables.to_vec(),
            variables: variables(program, plan.variables),
            ids: plan.ids.clone(),
            heard: Vec::new(),
            counts: Vec::new(),
            calls: 0,
        }
    }

    /// The crowd runs another program, whose variables have numbers of their own.
    pub(super) fn moves_to(&mut self, program: &Program) {
        self.variables = variables(program, &self.names);
    }

    pub(super) fn next(&mut self) {
        self.tick += 1;
        self.counts.fill(0);
    }

    /// Returns the index of an agent in the lists of this host, which grow if needed.
    fn place(&mut self, agent: Agent) -> usize {
        let agent = agent.index();
        if self.heard.len() <= agent {
            self.heard.resize(agent + 1, 0);
            self.counts.resize(agent + 1, 0);
        }
        agent
    }

    /// Notes a call, and returns the draws for its answer.
    fn hear(&mut self, call: &Call<'_>, kind: u64) -> Draws {
        let mut what =
            hash([kind, call.function.into(), call.node.into(), call.fresh.into(), call.now as u64]);
        for arg in call.args.iter() {
            what = match arg {
                pleach::Value::Int(int) => hash([what, 1, int as u64]),
                pleach::Value::Float(float) => hash([what, 3, float.to_bits().into()]),
                pleach::Value::Int64(int) => hash([what, 4, int as u64]),
                pleach::Value::Double(double) => hash([what, 5, double.to_bits()]),
                pleach::Value::Entity(entity) => hash([what, 6, entity.0]),
                pleach::Value::Text(text) => text.iter().fold(what, |sum, byte| hash([sum, (*byte).into()])),
            };
        }
        self.note(call.agent, what)
    }

    /// Notes a hash for an agent, and returns the draws for the answer.
    fn note(&mut self, agent: Agent, what: u64) -> Draws {
        let agent = self.place(agent);
        self.heard[agent] = hash([self.heard[agent], what]);
        self.counts[agent] += 1;
        self.calls += 1;
        Draws::seeded(hash([self.seed, agent as u64, self.tick >> self.patience, self.counts[agent], what]))
    }

    /// Sometimes, sends the agent that asks to a rule, which its tree may not have.
    fn send(&self, call: &mut Call<'_>, draws: &mut Draws) {
        if !self.ids.is_empty() && draws.one_in(16) {
            let _ = call.jump_to(&self.ids[draws.below(self.ids.len())]);
        }
    }

    /// Sometimes, writes a variable of the agent that asks.
    fn write(&self, call: &mut Call<'_>, draws: &mut Draws) {
        if self.variables.is_empty() || !draws.one_in(8) {
            return;
        }
        let variable = draws.pick(&self.variables);
        // One of these is its type.
        let _ = call.set(variable, draws.one_in(2));
        let _ = call.set(variable, draws.below(100) as i32);
        let _ = call.set(variable, draws.below(100) as f32 / 8.0);
    }
}

impl Host for Game {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let kind = u64::from(function == Function::Action);
        Some(name.bytes().fold(hash([kind]), |sum, byte| hash([sum, byte.into()])) as u32)
    }

    fn knows(&mut self, _: Function, number: u32, agent: Agent) -> bool {
        !self.note(agent, hash([8, number.into()])).one_in(8)
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        let rules = run.rules().fold(9, |sum, rule| hash([sum, rule.node().into()]));
        self.note(run.agent, rules);
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let mut draws = self.hear(call, 1);
        self.write(call, &mut draws);
        self.send(call, &mut draws);
        let status = match draws.below(8) {
            roll if roll < self.running => Status::Running,
            6 if self.skips && draws.one_in(2) => Status::Other(SKIPPED),
            7 if draws.one_in(3) => Status::Other(draws.pick(OTHERS)),
            roll if roll % 2 == 0 => Status::Success,
            _ => Status::Failure,
        };
        for place in 0..call.args.len() {
            if call.args.is_out(place) && !draws.one_in(4) {
                call.give_number(place, draws.pick(NUMBERS)).expect("it is an out argument");
            }
        }
        status
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let mut draws = self.hear(call, 2);
        self.write(call, &mut draws);
        self.send(call, &mut draws);
        let answer = draws.pick(NUMBERS);
        let _ = call.give_number(call.args.len().wrapping_sub(1), answer);
        answer
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        self.hear(call, 3 + reason as u64);
    }

    fn log(&mut self, agent: Agent, node: u32, kind: LogKind, text: &[u8]) {
        let agent = self.place(agent);
        let what =
            text.iter().fold(hash([9, node.into(), kind as u64]), |sum, byte| hash([sum, (*byte).into()]));
        self.heard[agent] = hash([self.heard[agent], what]);
    }
}

fn variables(program: &Program, names: &[String]) -> Vec<Variable> {
    names.iter().filter_map(|name| program.variable(name)).collect()
}
