//! Replay of a trace on an engine, tick by tick.

use super::case::{Made, Op, Tick, Trace, Which};
use super::program::Program;
use super::script::Script;
use crate::conformance::engine::{Crowd, Engine};
use pleach_compile::internals::ast::Role;
use pleach_compile::internals::ir::Outcome;
use std::fmt::Debug;

/// Flag that makes actions fail.
const DEAD: &str = "dead";

/// Plays all ticks. Fails with the first difference.
pub(super) fn play(trace: &Trace, program: &Program, entry: &str, engine: &dyn Engine) -> Result<(), String> {
    let agents = trace.agents();
    let mut play = Play {
        program,
        crowd: engine.spawn(&program.module, agents)?,
        script: Script::new(program, agents),
        trees: vec![entry.to_owned(); agents],
        names: program.node_names(),
    };
    for (index, tick) in trace.ticks.iter().enumerate() {
        play.tick(tick).map_err(|why| format!("tick {index}: {why}"))?;
    }
    Ok(())
}

struct Play<'p> {
    program: &'p Program,
    crowd: Box<dyn Crowd + 'p>,
    script: Script<'p>,
    /// Behavior of each agent.
    trees: Vec<String>,
    /// Names of the nodes in cases.
    names: Vec<String>,
}

impl Play<'_> {
    fn tick(&mut self, tick: &Tick) -> Result<(), String> {
        tick.ops.iter().for_each(|op| self.apply(op));
        self.script.learn(&tick.leaves);
        let status = self.run(tick)?;
        let calls = self.script.take().map_err(|key| format!("has no answer for {key}"))?;
        compare_calls(&calls, &tick.calls)?;
        // In cases the status -1 is written like a missing tree.
        let status = status.filter(|status| *status != Outcome::Other(-1));
        same("root status", &status, &tick.status())?;
        same("running set", &self.running(tick.agent), &tick.running)?;
        let agent = &self.script.agents[tick.agent];
        tick.class_selection.map_or(Ok(()), |must| same("class selected", &agent.class, &must))?;
        tick.weapon_selection.map_or(Ok(()), |must| same("weapon selected", &agent.weapon, &must))
    }

    fn apply(&mut self, op: &Op) {
        self.script.apply(op);
        match op {
            Op::Alive(agent, alive) => self.crowd.set_flag(*agent, DEAD, !alive),
            Op::Reset(agent) => self.crowd.reset(*agent),
            Op::Behavior(agent, tree) => {
                self.crowd.reset(*agent);
                self.trees[*agent].clone_from(tree);
            }
            Op::Queued(..) | Op::Team(..) => {}
        }
    }

    /// Runs the tree that the tick names. A behavior without a class tree has nothing to run.
    fn run(&mut self, tick: &Tick) -> Result<Option<Outcome>, String> {
        let tree = &self.trees[tick.agent];
        let role = match tick.kind {
            Which::Main => Role::Main,
            Which::SelectClass => Role::Class,
        };
        match (self.program.entry(tree, role), role) {
            (Some(entry), _) => self.crowd.tick(tick.agent, entry, tick.time, &mut self.script).map(Some),
            (None, Role::Class) => Ok(None),
            (None, Role::Main | Role::Handler) => Err(format!("there is no entry {tree}")),
        }
    }

    fn running(&self, agent: usize) -> Vec<&str> {
        let name = |node: u32| self.names.get(node as usize).map_or("?", String::as_str);
        self.crowd.running(agent).into_iter().map(name).collect()
    }
}

fn same<A: PartialEq<B> + Debug, B: Debug>(what: &str, is: &A, must: &B) -> Result<(), String> {
    if is == must { Ok(()) } else { Err(format!("{what} is {is:?}, not {must:?}")) }
}

fn compare_calls(made: &[Made], must: &[Made]) -> Result<(), String> {
    let differs = made.iter().zip(must).position(|(made, must)| !made.agrees(must));
    match differs {
        Some(at) => Err(format!("call {at} is {}, not {}", told(&made[at]), told(&must[at]))),
        None => same("number of calls", &made.len(), &must.len()),
    }
}

/// Returns a call as one line of text.
fn told(made: &Made) -> String {
    let fresh = made.fresh.map_or("", |fresh| if fresh { ", fresh" } else { ", going on" });
    let line = made.line.map_or_else(String::new, |line| format!(", line {line}"));
    format!("{} = {:?}{fresh}{line}", made.key, made.answer)
}
