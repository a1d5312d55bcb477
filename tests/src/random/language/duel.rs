//! Comparison of the reference interpreter and all other engines on one random program.
//!
//! All engines run the same agents, get the same answers, and get the same changes between ticks.
//! After each tick every agent must have the same status on all engines, and the same calls of its
//! host in the same order, and all variables must be equal. One more engine is watched: its trace
//! of ended nodes is compared, too, and no tick may exceed the program's bounds.

use super::watched::Watched;
use super::world::Script;
use super::{Program, constructs, program};
use crate::conformance::engine::{ENGINES, Settlers, Society};
use crate::own;
use crate::random::{Case, witness};
use pleach_compile::codes;
use pleach_compile::internals::ast::Role;
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::{Module, NodeIndex, Outcome};
use std::collections::BTreeMap;

/// Counts of features over many duels.
#[derive(Clone, Debug)]
pub struct Census {
    /// Number of programs that were run, and of programs that were too large for an image.
    pub programs: (u64, u64),
    /// Number of programs with each construct.
    pub constructs: BTreeMap<&'static str, u64>,
    /// Counts of the watched engine.
    pub witness: witness::Census,
}

impl Default for Census {
    fn default() -> Self {
        let constructs = constructs().map(|construct| (construct, 0)).collect();
        Self { programs: (0, 0), constructs, witness: witness::Census::default() }
    }
}

impl Census {
    /// Adds the counts of another census.
    pub fn add(&mut self, other: &Self) {
        self.programs.0 += other.programs.0;
        self.programs.1 += other.programs.1;
        self.witness.add(&other.witness);
        for (construct, count) in &other.constructs {
            *self.constructs.entry(construct).or_default() += count;
        }
    }
}

/// Runs the program of a case on all engines. Call it in a thread with a large stack, like
/// [`crate::random::duel::fight`].
///
/// # Errors
/// With the first difference and the source of the program.
pub fn fight(case: &Case, census: &mut Census) -> Result<(), String> {
    let (agents, ticks) = extent(case);
    let fought = fight_for(case, agents, ticks, census);
    fought.map_err(|why| format!("{why}\n{}", program(case).source()))
}

/// Runs the program of a case on all engines with a number of agents and ticks.
///
/// # Errors
/// With the first difference.
pub fn fight_for(case: &Case, agents: usize, ticks: u64, census: &mut Census) -> Result<(), String> {
    let (agents, ticks) = (agents.min(case.agents), ticks.min(case.ticks));
    let program = program(case);
    let files = program.files.iter().cloned().collect();
    let (module, sources) =
        own::with_sources(&files).map_err(|error| format!("does not compile: {error}"))?;
    if let Err(refused) = emit::emit(&module, "random", None) {
        census.programs.1 += 1;
        // Only the size may be a reason to refuse the module.
        let too_large = refused.code.id == codes::TOO_LARGE.id;
        return if too_large { Ok(()) } else { Err(format!("emit: {}", refused.message)) };
    }
    census.programs.0 += 1;
    program.constructs.iter().for_each(|it| *census.constructs.entry(it).or_default() += 1);
    let groups = Script::groups(case.seed, agents);
    let entry = case.seed as usize % program.entries.len();
    let settlers =
        Settlers { groups: &groups, entry: &program.entries[entry], seed: case.seed, chance: None };
    let script = Script::new(case.seed, agents, entry);
    let mut sides = Vec::new();
    for engine in ENGINES {
        sides.push(Side { society: engine.settle(&module, &settlers)?, script: script.clone() });
    }
    let watched = Watched::new(&module, &sources, &settlers, &program.entries)?;
    watched.count(&mut census.witness);
    let mut duel = Duel { program: &program, module: &module, sides, watched, script };
    (0..ticks)
        .try_for_each(|tick| duel.round(&mut census.witness).map_err(|why| format!("tick {tick}: {why}")))
}

/// Returns the numbers of agents and ticks: mostly few agents and many ticks, sometimes more agents
/// than a chunk holds.
fn extent(case: &Case) -> (usize, u64) {
    match (case.size, case.seed) {
        (1000.., _) => (2, 12),
        (_, seed) if seed.is_multiple_of(500) => (300, 20),
        (_, seed) if seed.is_multiple_of(50) => (70, 40),
        (_, seed) => (1 + (seed % 5) as usize, 100),
    }
}

/// Agents on an engine, with their host.
struct Side<'m> {
    society: Box<dyn Society + 'm>,
    script: Script,
}

struct Duel<'m> {
    program: &'m Program,
    module: &'m Module,
    /// Sides with the reference interpreter first.
    sides: Vec<Side<'m>>,
    watched: Watched,
    /// Host of the watched engine.
    script: Script,
}

impl Duel<'_> {
    fn round(&mut self, census: &mut witness::Census) -> Result<(), String> {
        let mut outcomes = Vec::new();
        for Side { society, script } in &mut self.sides {
            script.meddle(self.program, &mut **society);
            // Only the reference interpreter reports nodes that end between ticks.
            script.ended.iter_mut().for_each(Vec::clear);
            outcomes.push(society.tick(script.now, script)?);
        }
        let Self { program, watched, script, .. } = self;
        script.meddle(program, &mut watched.society);
        let last = watched.tick(script, census).map_err(|why| format!("watched: {why}"))?;
        self.compare(&outcomes, &last).map_err(|why| format!("{why}\n{}", self.traces()))?;
        self.sides.iter_mut().for_each(|side| side.script.next());
        self.script.next();
        Ok(())
    }

    fn compare(&self, outcomes: &[Vec<Outcome>], watched: &[Outcome]) -> Result<(), String> {
        let (judge, others) = self.sides.split_first().expect("there are engines");
        let must = (outcomes[0].as_slice(), &judge.script, &*judge.society);
        for ((side, outcomes), engine) in others.iter().zip(&outcomes[1..]).zip(&ENGINES[1..]) {
            let is = (outcomes.as_slice(), &side.script, &*side.society);
            alike(self.program, must, is).map_err(|why| format!("{}: {why}", engine.name()))?;
        }
        let is: View<'_> = (watched, &self.script, &self.watched.society);
        alike(self.program, must, is).map_err(|why| format!("watched: {why}"))?;
        for agent in 0..watched.len() {
            let [is, must] = [&self.script, &judge.script].map(|script| self.trace(&script.ended[agent]));
            same(&format!("trace of agent {agent}"), &is, &must)?;
        }
        Ok(())
    }

    /// Returns the nodes that ended in this tick, agent by agent, on the reference interpreter and
    /// on the watched engine.
    fn traces(&self) -> String {
        const EXITS: [&str; 4] = ["failure", "success", "running", "other"];
        let node = |(node, exit): &(NodeIndex, u32)| {
            let keyword = self.module.names.text(self.module.nodes[*node as usize].label.0);
            format!(" {keyword}#{node} {}", EXITS[*exit as usize & 3])
        };
        let trace = |name: &str, script: &Script, agent: usize| {
            let ended: Vec<_> = self.trace(&script.ended[agent]).iter().map(node).collect();
            format!("agent {agent}, {name}:{}", ended.join(","))
        };
        let both = |agent| {
            [trace("reference", &self.sides[0].script, agent), trace("watched engine", &self.script, agent)]
        };
        (0..self.script.ended.len()).flat_map(both).collect::<Vec<_>>().join("\n")
    }

    /// Returns the nodes that ended in an agent's tree. Nodes of events are left out, because only
    /// the reference interpreter reports those between ticks.
    fn trace(&self, ended: &[(NodeIndex, u32)]) -> Vec<(NodeIndex, u32)> {
        let nodes = &self.module.nodes;
        let handlers = self.module.blocks.iter().filter(|block| block.role == Role::Handler);
        let handlers: Vec<_> = handlers.map(|block| block.root..nodes[block.root as usize].end).collect();
        let own = |(node, _): &&(NodeIndex, u32)| !handlers.iter().any(|handler| handler.contains(node));
        ended.iter().filter(own).copied().collect()
    }
}

type View<'a> = (&'a [Outcome], &'a Script, &'a dyn Society);

fn alike(program: &Program, must: View<'_>, is: View<'_>) -> Result<(), String> {
    for agent in 0..must.1.heard.len() {
        let of = |what: &str| format!("{what} of agent {agent}");
        same(&of("what the host heard"), &is.1.heard[agent], &must.1.heard[agent])?;
        same(&of("status"), &is.0[agent], &must.0[agent])?;
        let variables = program.variables.iter().map(|it| &it.name);
        for name in variables.chain(program.tunables.iter().map(|it| &it.name)) {
            let [is, must] = [is.2, must.2].map(|side| side.get(agent, name));
            if is.map(f64::to_bits) != must.map(f64::to_bits) {
                return Err(format!("{name} of agent {agent} is {is:?}, not {must:?}"));
            }
        }
    }
    Ok(())
}

fn same<T: PartialEq + core::fmt::Debug>(what: &str, is: &T, must: &T) -> Result<(), String> {
    if is == must { Ok(()) } else { Err(format!("{what}\n     found {is:?}\n  expected {must:?}")) }
}
