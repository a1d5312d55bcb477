//! A host without a game: leaves that answer at random, but reproducibly.
//!
//! There is no generator with a state, because its draws would depend on earlier calls. An answer
//! is a hash of (seed, agent, tick, site). The site is the function, its arguments and, for
//! actions, the node that asks. So the agents do not influence each other, one of them can be
//! traced alone, and a query gives the same answer all through a tick. There is one exception: if
//! a program has loops within a tick, a repeated question gets a new answer, because the loop
//! would hardly ever end otherwise.
//!
//! The answers of a query should matter to the tree. They are taken from the numbers with which the
//! program compares the query, those just beside them, and 0 and 1. So every condition is true now
//! and then, and false now and then.

use crate::functions::Functions;
use crate::leaves::{CallCounts, ScriptedAction};
use pleach::forest::{ForestHost, Hook};
use pleach::{Agent, Args, Call, Function, Host, Image, Status, Value};
use pleach_image::isa::{Op, StackOp, StackWord};
use pleach_image::splitmix;
use std::collections::HashSet;

/// Milliseconds from one tick to the next, if nothing else is set.
pub(crate) const STEP: i64 = 50;

/// Number of calls of a leaf, by answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnswerCounts {
    /// Number of failures.
    pub failure: u64,
    /// Number of successes.
    pub success: u64,
    /// Number of answers that the action is running.
    pub running: u64,
    /// Tick and agent of the last call, and the number of calls there.
    last: (u64, usize, u64),
}

impl AnswerCounts {
    /// Returns the number of earlier calls in this tick of the agent.
    fn again(&mut self, tick: u64, agent: usize) -> u64 {
        let before = Some(self.last.2).filter(|_| (self.last.0, self.last.1) == (tick, agent)).unwrap_or(0);
        self.last = (tick, agent, before + 1);
        before
    }

    /// Returns the number of all answers.
    #[must_use]
    pub fn total(self) -> u64 {
        self.failure + self.success + self.running
    }
}

/// Answers of a function that trees may call.
#[derive(Clone, Debug)]
struct ScriptedFunction {
    /// Hash of the function's name, so that answers do not depend on other functions.
    salt: u64,
    /// Possible answers of a query.
    answers: Vec<f64>,
    /// Chance that a query answers 1 instead of 0, if one is set.
    chance: Option<f64>,
    /// Chances of an action, if they are set.
    action: Option<ScriptedAction>,
    /// Number of calls of a query.
    asked: u64,
}

/// Host that answers at random.
#[derive(Clone, Debug)]
pub struct ScriptedHost {
    seed: u64,
    tick: u64,
    step: i64,
    /// True if there are loops within a tick. Such programs are run agent by agent.
    loops: bool,
    names: Functions,
    /// Answers of each function, by number.
    functions: Vec<ScriptedFunction>,
    /// Number of answers of each action, by the id of its node.
    pub actions: Vec<AnswerCounts>,
    /// Calls of running actions that have limits.
    counts: CallCounts,
    /// Information in the answers, if it is measured.
    pub worth: Option<InputWorth>,
}

/// Information in bits of everything that came in: of an answer, the logarithm of its unlikeliness.
/// An answer that was drawn before, for the same agent, tick and question, has none.
#[derive(Clone, Debug, Default)]
pub struct InputWorth {
    /// The information in bits.
    pub bits: f64,
    drawn: HashSet<u64>,
}

impl InputWorth {
    fn add(&mut self, hash: u64, likely: f64) {
        if self.drawn.insert(hash) {
            self.bits -= likely.log2();
        }
    }
}

impl ScriptedHost {
    /// Returns a host for an image.
    #[must_use]
    pub fn new(image: &Image, seed: u64) -> Self {
        let names = Functions::of(image);
        let scripted = |(kind, name): (Function, &str)| {
            let salt = hash_bytes(kind as u64, name.as_bytes());
            ScriptedFunction { salt, answers: vec![0.0, 1.0], chance: None, action: None, asked: 0 }
        };
        let mut functions = names.iter().map(scripted).collect::<Vec<_>>();
        add_answers(image, &mut functions);
        let actions = vec![AnswerCounts::default(); image.meta().nodes as usize + 1];
        let loops = image.code().iter().any(|word| word.op() == Some(Op::Loop));
        let counts = CallCounts::default();
        Self { seed, tick: 0, step: STEP, loops, names, functions, actions, counts, worth: None }
    }

    /// Sets the time from one tick to the next.
    #[must_use]
    pub fn with_step(mut self, step: i64) -> Self {
        self.step = step;
        self
    }

    /// Returns a host with the same answers for another seed. Nothing has been counted.
    #[must_use]
    pub fn with_seed(&self, seed: u64) -> Self {
        Self { seed, ..self.clone() }
    }

    /// Returns the functions that the image names.
    #[must_use]
    pub fn functions(&self) -> &Functions {
        &self.names
    }

    /// Sets the chances of an action, by its number.
    pub fn script_action(&mut self, function: u32, action: ScriptedAction) {
        self.functions[function as usize].action = Some(action);
    }

    /// Lets a query answer 1 with a chance, and else 0.
    pub fn script_chance(&mut self, function: u32, chance: f64) {
        self.functions[function as usize].chance = Some(chance);
    }

    /// Sets the answers of a query, of which there is at least one. Each is equally likely.
    pub fn script_answers(&mut self, function: u32, answers: Vec<f64>) {
        self.functions[function as usize].answers = answers;
    }

    /// Returns each query that was asked, and how often.
    #[must_use]
    pub fn asked(&self) -> Vec<(&str, u64)> {
        let rows = self.names.iter().zip(&self.functions).map(|((_, name), row)| (name, row.asked));
        rows.filter(|(_, asked)| *asked > 0).collect()
    }

    /// Begins a tick, counted from 1. Returns its time in milliseconds.
    pub fn begin(&mut self, tick: u32) -> i64 {
        self.tick = tick.into();
        if let Some(worth) = &mut self.worth {
            worth.drawn.clear();
        }
        i64::from(tick) * self.step
    }

    /// Returns a random number that decides what happens to an agent before the tick.
    #[must_use]
    pub fn chance(&self, agent: Agent) -> u64 {
        mix(mix(mix(self.seed, agent.index() as u64), self.tick), u64::MAX)
    }

    /// Returns a random number for a call.
    fn hash(&self, call: &Call<'_>) -> u64 {
        let agent = call.agent.index() as u64;
        let site = mix(self.functions[call.function as usize].salt, call.node.into());
        let site = hash_args(site, call.args);
        mix(mix(mix(self.seed, agent), self.tick), site)
    }

    /// Returns the status for a call of an action with chances.
    fn scripted(&mut self, action: ScriptedAction, call: &Call<'_>, hash: u64) -> Status {
        let number = if action.counts() { self.counts.next(call.node, call.agent, call.fresh) } else { 1 };
        action.status(unit(hash), number)
    }
}

impl ForestHost for ScriptedHost {
    fn hook(&mut self, _: &Hook<'_>) {}
}

impl Host for ScriptedHost {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.names.find(function, name)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let mut hash = self.hash(call);
        if self.loops {
            let again = self.actions[call.node as usize].again(self.tick, call.agent.index());
            hash = if again > 0 { mix(hash, again) } else { hash };
        }
        let status = match (self.functions[call.function as usize].action, hash >> 62) {
            (Some(action), _) => self.scripted(action, call, hash),
            (None, 0) => Status::Failure,
            (None, 1) => Status::Success,
            (None, _) => Status::Running,
        };
        let count = &mut self.actions[call.node as usize];
        *match status {
            Status::Failure => &mut count.failure,
            Status::Success => &mut count.success,
            _ => &mut count.running,
        } += 1;
        for place in (0..call.args.len()).filter(|place| call.args.is_out(*place)).collect::<Vec<_>>() {
            // It is an out argument.
            let _ = call.give_number(place, (mix(hash, place as u64) % 8) as f64);
        }
        if let Some(worth) = &mut self.worth {
            worth.add(hash, if status == Status::Running { 0.5 } else { 0.25 });
        }
        status
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let hash = self.hash(call);
        let query = &mut self.functions[call.function as usize];
        query.asked += 1;
        if let Some(chance) = query.chance {
            return f64::from(unit(hash) < chance);
        }
        // The upper half of a product: a number below the length, all equally likely.
        let index = (u128::from(hash) * query.answers.len() as u128) >> 64;
        if let Some(worth) = &mut self.worth {
            worth.add(hash, 1.0 / query.answers.len() as f64);
        }
        query.answers[index as usize]
    }
}

/// Adds the answers that matter to each query.
fn add_answers(image: &Image, functions: &mut [ScriptedFunction]) {
    let constants: Vec<f64> = image.constants().collect();
    for index in 0..image.conditions().len() as u32 {
        // Answers are converted to the query's type before they are compared.
        let plain = |word: &StackWord| !matches!(word.op(), Some(StackOp::Int | StackOp::Float));
        let words: Vec<_> = image.condition(index).iter().copied().filter(plain).collect();
        for words in words.windows(3) {
            let Some((site, constant)) = comparison(words) else { continue };
            let site = image.sites().get(usize::from(site));
            let function = site.and_then(|site| functions.get_mut(site.import as usize));
            if let (Some(function), Some(constant)) = (function, constants.get(usize::from(constant))) {
                function.answers.extend(near(*constant));
            }
        }
    }
    for function in functions {
        function.answers.sort_by(f64::total_cmp);
        function.answers.dedup();
    }
}

/// Returns the site and the constant, if the words compare a query with a constant.
fn comparison(words: &[StackWord]) -> Option<(u16, u16)> {
    use StackOp::{Const, Eq, Ge, Gt, Le, Lt, Ne, Query};
    let [first, second, third] = words else { return None };
    match (first.op()?, second.op()?, third.op()?) {
        (Query, Const, Eq | Ge | Gt | Le | Lt | Ne) => Some((first.a, second.a)),
        (Const, Query, Eq | Ge | Gt | Le | Lt | Ne) => Some((second.a, first.a)),
        _ => None,
    }
}

/// Returns a number and its neighbors: whole numbers beside a whole number, and otherwise
/// fractions, no finer than the numbers of games.
fn near(number: f64) -> [f64; 3] {
    if number.fract() == 0.0 {
        return [number - 1.0, number, number + 1.0];
    }
    [number / 2.0, number, number * 1.5].map(|it| f64::from(it as f32))
}

fn hash_args(hash: u64, args: Args<'_>) -> u64 {
    args.iter().fold(hash, |hash, value| match value {
        Value::Int(int) => mix(hash, u64::from(int as u32)),
        Value::Float(float) => mix(hash, u64::from(float.to_bits()) | 1 << 32),
        Value::Int64(int) => mix(hash, int as u64),
        Value::Double(double) => mix(hash, double.to_bits()),
        Value::Entity(entity) => mix(hash, entity.0),
        Value::Text(text) => hash_bytes(hash, text),
    })
}

fn hash_bytes(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(mix(hash, bytes.len() as u64), |hash, byte| mix(hash, u64::from(*byte)))
}

/// Returns the number from 0 to 1, without 1, that a hash stands for.
fn unit(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1_u64 << 53) as f64
}

/// Mixes a number into a hash.
fn mix(hash: u64, next: u64) -> u64 {
    splitmix::mix(hash ^ next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_lie_on_both_sides() {
        assert_eq!(near(2.0), [1.0, 2.0, 3.0]);
        assert_eq!(near(0.5), [0.25, 0.5, 0.75]);
    }

    #[test]
    fn bits_are_fair() {
        let ones: u32 = (0..1000).map(|number| mix(1, number).count_ones()).sum();
        assert!((31_000..33_000).contains(&ones), "{ones} of 64,000");
    }
}
