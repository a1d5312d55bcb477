//! Watched runtime: agents are ticked one by one, by the instructions of the image.

use super::world::Script;
use crate::conformance::engine::scalar::Society;
use crate::conformance::engine::{Settlers, World};
use crate::random::witness::{Census, Seen, Witness};
use pleach::Image;
use pleach::program::Bounds;
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::{Module, Outcome};
use pleach_compile::source::Sources;
use pleach_image::bounds;

/// Agents that are watched.
pub(super) struct Watched {
    image: Image,
    pub(super) society: Society,
    /// Bounds of each entry, by its index in the program.
    bounds: Vec<Bounds>,
}

impl Watched {
    /// Creates the agents of a module with debug information.
    pub(super) fn new(
        module: &Module,
        sources: &Sources,
        settlers: &Settlers<'_>,
        entries: &[String],
    ) -> Result<Self, String> {
        let bytes = emit::emit(module, "random", Some(sources)).map_err(|refused| refused.message)?;
        let image =
            Image::copy(&bytes).map_err(|error| format!("the verifier refused the image: {error}"))?;
        let society = Society::new(&image, settlers)?;
        let of_block = bounds::of(&image);
        let bounds = |name: &String| {
            let entry = image.entries().iter().find(|entry| image.name(entry.name) == name.as_str());
            entry.map(|entry| of_block[entry.block as usize]).ok_or_else(|| format!("no entry {name}"))
        };
        let bounds = entries.iter().map(bounds).collect::<Result<_, _>>()?;
        Ok(Self { image, society, bounds })
    }

    /// Counts the operations of the program's expressions.
    pub(super) fn count(&self, census: &mut Census) {
        for word in self.image.condition_code() {
            census.stack_ops[usize::from(word.op)] += 1;
        }
    }

    /// Ticks all agents, and checks the cost of each.
    pub(super) fn tick(&mut self, script: &mut Script, census: &mut Census) -> Result<Vec<Outcome>, String> {
        let mut witness = Witness::new(&self.image, census);
        let mut seen = Vec::new();
        let look = |witness: &mut Witness<'_>, agent: usize, world: &mut dyn World| {
            let tick = witness.take();
            tick.ended.iter().for_each(|(node, exit)| world.ended(agent, node - 1, outcome(*exit)));
            seen.push(tick);
            Ok(())
        };
        let outcomes = self.society.tick_watched(script.now, script, &mut witness, look)?;
        for (agent, seen) in seen.iter().enumerate() {
            let bounds = self.bounds[script.entries[agent]];
            check(seen, script, agent, bounds).map_err(|why| format!("agent {agent}: {why}"))?;
        }
        Ok(outcomes)
    }
}

/// Checks an agent's tick. Answers given after the tick has ended do not count.
fn check(seen: &Seen, script: &Script, agent: usize, bounds: Bounds) -> Result<(), String> {
    let mut answers = script.answers(agent);
    answers.truncate(seen.asked());
    seen.check(&answers, bounds)
}

/// Returns the outcome that an exit stands for.
fn outcome(exit: u32) -> Outcome {
    match exit {
        0 => Outcome::Failure,
        1 => Outcome::Success,
        2 => Outcome::Running,
        _ => Outcome::Other(0),
    }
}
