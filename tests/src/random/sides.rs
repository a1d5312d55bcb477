//! Comparison of all engines on one random tree.
//!
//! All engines run the same agents, get the same answers, and get the same changes between ticks.
//! The scalar engine runs them twice: unwatched and watched. After each tick every agent must have
//! the same status on all engines, and the same calls of its host in the same order, and all
//! variables must have the same bits. The changes of the statuses that nodes keep must be equal on
//! the reference interpreter and on the watched engine.
//!
//! A tick may end with a fault if trees of the dialect can have one: an exception of the library or
//! too many rounds of a loop, but no panic. Then it must end with this fault on all engines. If
//! there is only one agent, its calls and variables are compared, too; engines differ in the
//! agents that they tick after the fault of another agent.

use super::Case;
use super::draws::{Draws, hash};
use super::program::SKIPPED;
use super::witness::{Census, Witness};
use crate::conformance::engine::{
    Arg, Call, ENGINES, FAULT, Halt, LogKind, Settlers, Society, Whom, World, scalar,
};
use pleach::Image;
use pleach_compile::codes;
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::{Module, NodeIndex, Outcome};

/// Names in the trees of a generator.
#[derive(Clone, Copy)]
pub(super) struct Names {
    /// Name of the entry.
    pub(super) tree: &'static str,
    /// Names of variables: booleans, and numbers that are 0 or 1.
    pub(super) variables: &'static [&'static str],
    /// Name of the variable that is 0 to 3, if there is one.
    pub(super) request: Option<&'static str>,
    /// Names of events, of which a tree may declare some.
    pub(super) events: &'static [&'static str],
    /// True if leaves may be skipped, and if nodes around a child may succeed without it.
    pub(super) skips: bool,
    /// True if a tick of a valid tree may end with a fault.
    pub(super) may_fault: bool,
}

impl Names {
    /// Returns the names of a dialect whose trees have no requests, skipped leaves or faults.
    pub(super) const fn of(
        tree: &'static str,
        variables: &'static [&'static str],
        events: &'static [&'static str],
    ) -> Self {
        Self { tree, variables, request: None, events, skips: false, may_fault: false }
    }
}

/// Number of ticks of a tree in short runs.
pub(super) const TICKS: u64 = 40;
/// Status of a node of BehaviorTree.CPP that succeeds without its child.
const WITHOUT_CHILD: i32 = 2;

/// Runs the module of a case on all engines for a number of ticks. Returns false if a fault has
/// ended the run before, on all engines. Call it in a thread with a large stack.
///
/// # Errors
/// With the first difference between engines.
pub(super) fn fight(module: &Module, names: Names, case: &Case, ticks: u64) -> Result<bool, String> {
    if let Err(refused) = emit::emit(module, "random", None) {
        // Only the size may be a reason to refuse the module.
        let too_large = refused.code.id == codes::TOO_LARGE.id;
        return if too_large { Ok(true) } else { Err(format!("emit: {}", refused.message)) };
    }
    let agents = if case.seed.is_multiple_of(8) { 30 } else { 1 + case.seed as usize % 3 }.min(case.agents);
    let groups: Vec<u32> = (0..agents).map(|agent| agent as u32 % 2).collect();
    let settlers = Settlers { groups: &groups, entry: names.tree, seed: case.seed, chance: None };
    let mut sides = Vec::new();
    for engine in ENGINES {
        let ways: &[bool] = if engine.name() == "scalar" { &[false, true] } else { &[false] };
        for is_watched in ways {
            sides.push(Side {
                society: engine.settle(module, &settlers)?,
                script: Script::new(case.seed, agents, names.skips),
                is_watched: *is_watched,
            });
        }
    }
    let (draws, runs, variables) = (Draws::seeded(!case.seed), vec![true; agents], variables(module));
    let mut duel = Duel { module, names, variables, sides, draws, now: 0, runs };
    for tick in 0..ticks.min(case.ticks) {
        if !duel.round().map_err(|it| format!("tick {tick}: {it}"))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the names of all variables of a module, in its frame and shared.
fn variables(module: &Module) -> Vec<String> {
    let own = module.slots.iter().filter_map(|slot| slot.name);
    let all = own.chain(module.shared.iter().map(|shared| shared.name));
    all.map(|name| module.names.text(name).into_owned()).collect()
}

/// Runs the module of a case for one watched agent. Counts the executions of instructions in it,
/// and the occurrences of operations of expressions in the image.
///
/// # Errors
/// If the module is not valid.
pub(super) fn count(module: &Module, names: Names, case: &Case, census: &mut Census) -> Result<(), String> {
    let bytes = emit::emit(module, "random", None).map_err(|refused| refused.message)?;
    let image = Image::copy(&bytes).map_err(|error| error.to_string())?;
    for word in image.condition_code() {
        census.stack_ops[usize::from(word.op)] += 1;
    }
    let settlers = Settlers { groups: &[0], entry: names.tree, seed: case.seed, chance: None };
    let mut society = scalar::Society::new(&image, &settlers)?;
    let mut script = Script::new(case.seed, 1, names.skips);
    let mut witness = Witness::new(&image, census);
    for tick in 0..TICKS {
        // Every fourth tick halts the whole tree.
        if let Some(request) = names.request {
            society.set(0, request, [0.0, 1.0, 0.0, 2.0][tick as usize % 4]);
        }
        let look = |witness: &mut Witness<'_>, _: usize, _: &mut dyn World| {
            witness.take();
            Ok(())
        };
        if society.tick_watched(tick as i64 * 50_000, &mut script, &mut witness, look).is_err() {
            break;
        }
    }
    Ok(())
}

struct Side<'m> {
    society: Box<dyn Society + 'm>,
    script: Script,
    is_watched: bool,
}

struct Duel<'m> {
    module: &'m Module,
    names: Names,
    /// Names of the variables that are compared.
    variables: Vec<String>,
    /// The reference interpreter is the first one.
    sides: Vec<Side<'m>>,
    draws: Draws,
    now: i64,
    /// True for each agent that still exists.
    runs: Vec<bool>,
}

impl Duel<'_> {
    /// Ticks all agents. Returns false if the tick has ended with a fault on all sides.
    fn round(&mut self) -> Result<bool, String> {
        self.now += self.draws.pick(&[0, 25_000, 50_000, 100_000, 250_000]);
        for agent in 0..self.runs.len() {
            if self.runs[agent] && self.draws.one_in(3) {
                self.disturb(agent);
            }
        }
        let mut outcomes = Vec::new();
        for Side { society, script, is_watched } in &mut self.sides {
            script.changes.clear();
            let tick = if *is_watched { Society::tick_watched } else { Society::tick };
            outcomes.push(tick(&mut **society, self.now, script));
        }
        outcomes.iter().skip(1).try_for_each(|outcome| same("statuses", outcome, &outcomes[0]))?;
        let has_ended = match &outcomes[0] {
            Err(fault) if self.names.may_fault && fault == FAULT => true,
            Err(fault) => return Err(fault.clone()),
            Ok(_) => false,
        };
        if !has_ended || self.runs.len() == 1 {
            self.alike()?;
        }
        self.sides.iter_mut().for_each(|side| side.script.heard.clear());
        Ok(!has_ended)
    }

    /// Compares what the hosts have heard, the changes of statuses and the variables.
    fn alike(&self) -> Result<(), String> {
        let [reference, sides @ ..] = &*self.sides else { return Ok(()) };
        for side in sides {
            same("what was heard", &side.script.heard, &reference.script.heard)?;
            if side.is_watched {
                same("changes of statuses", &side.script.changes, &reference.script.changes)?;
            }
            for agent in (0..self.runs.len()).filter(|agent| self.runs[*agent]) {
                for name in &self.variables {
                    let bits = |side: &Side<'_>| side.society.get(agent, name).map(f64::to_bits);
                    same(name, &bits(side), &bits(reference))?;
                }
            }
        }
        Ok(())
    }

    /// Changes an agent between ticks.
    fn disturb(&mut self, agent: usize) {
        let (what, truth) = (self.draws.below(24), self.draws.one_in(2));
        let Names { variables, events, request, .. } = self.names;
        let (variable, event) = (self.draws.pick(variables), self.draws.pick(events));
        let is_request = request == Some(variable);
        let value = if is_request { self.draws.pick(&[0, 1, 0, 1, 2, 3]) } else { u8::from(truth) };
        let known = self.module.events.iter().any(|it| self.module.names.bytes(it.name) == event.as_bytes());
        for Side { society, script, .. } in &mut self.sides {
            match what {
                0 => society.reset(agent, self.now, script),
                1 => society.despawn(agent, self.now, script),
                2 if known => society.raise(event, Whom::All, self.now, script),
                3..=10 if known => society.raise(event, Whom::Agent(agent), self.now, script),
                _ => society.set(agent, variable, value.into()),
            }
        }
        self.runs[agent] &= what != 1;
    }
}

fn same<T: PartialEq + core::fmt::Debug>(what: &str, is: &T, must: &T) -> Result<(), String> {
    if is == must { Ok(()) } else { Err(format!("{what}: {is:?}, not {must:?}")) }
}

/// Host that answers by a hash of the agent, the question and the number of earlier questions.
#[derive(Clone)]
struct Script {
    seed: u64,
    asked: Vec<u64>,
    /// See [`Names::skips`].
    skips: bool,
    /// Calls since the last tick.
    heard: ByAgent<String>,
    /// Changes of the statuses of nodes in a tick.
    changes: ByAgent<(NodeIndex, u8, u8)>,
}

/// Things by agent, so that the order of agents that are ticked together does not matter.
#[derive(Clone, Debug, PartialEq)]
struct ByAgent<T>(Vec<Vec<T>>);

impl<T> ByAgent<T> {
    fn new(agents: usize) -> Self {
        Self((0..agents).map(|_| Vec::new()).collect())
    }

    fn clear(&mut self) {
        self.0.iter_mut().for_each(Vec::clear);
    }
}

impl Script {
    fn new(seed: u64, agents: usize, skips: bool) -> Self {
        let (heard, changes) = (ByAgent::new(agents), ByAgent::new(agents));
        Self { seed, asked: vec![0; agents], skips, heard, changes }
    }

    fn note(&mut self, agent: usize, text: String) {
        self.heard.0[agent].push(text);
    }
}

fn name(call: &Call<'_>) -> String {
    let args = call.args.iter().map(|arg| match arg {
        Arg::Text(text) => String::from_utf8_lossy(text).into_owned(),
        other => format!("{other:?}"),
    });
    format!("{} {}", String::from_utf8_lossy(call.name), args.collect::<Vec<_>>().join(" "))
}

impl World for Script {
    fn act(&mut self, agent: usize, call: &Call<'_>) -> Outcome {
        let name = name(call);
        self.asked[agent] += 1;
        let letters = name.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
        let answer = hash([self.seed, agent as u64, self.asked[agent], letters]);
        // Nodes around a child end their child only sometimes.
        let around = name.starts_with("Around");
        let outcome = match answer % 16 {
            0 | 1 | 8 | 9 => Outcome::Success,
            2 | 10 => Outcome::Failure,
            3 | 11 if !around => Outcome::Failure,
            4 if self.skips => Outcome::Other(SKIPPED),
            5 if self.skips && around => Outcome::Other(WITHOUT_CHILD),
            _ => Outcome::Running,
        };
        self.note(agent, format!("{}{name} {outcome:?}", if call.fresh { "+" } else { "" }));
        outcome
    }

    fn give(&mut self, agent: usize, _: &Call<'_>, place: usize) -> Option<f64> {
        let answer = hash([self.seed, agent as u64, self.asked[agent], place as u64]);
        [None, Some(0.0), Some(1.0)][(answer % 3) as usize]
    }

    fn query(&mut self, _: usize, _: &Call<'_>) -> f64 {
        0.0
    }

    fn changed(&mut self, agent: usize, node: NodeIndex, from: u8, to: u8) {
        self.changes.0[agent].push((node, from, to));
    }

    fn halt(&mut self, agent: usize, call: &Call<'_>, why: Halt) {
        self.note(agent, format!("-{} {why:?}", name(call)));
    }

    fn log(&mut self, agent: usize, kind: LogKind, text: &[u8]) {
        self.note(agent, format!("{kind:?} {}", String::from_utf8_lossy(text)));
    }
}
