//! Nodes that end in an agent's ticks, on the reference interpreter and on the runtime.

use super::{BLOCKED, EVENTS, TREE, VARIABLES, module, text};
use crate::conformance::engine::scalar::Society;
use crate::conformance::engine::{Call, ENGINES, Settlers, Society as Agents, Whom, World};
use crate::random::Case;
use crate::random::draws::Draws;
use crate::random::witness::{Census, Witness};
use pleach::Image;
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::{NodeIndex, Outcome};

/// Nodes in the order in which they end.
#[derive(Default)]
struct Ended(Vec<(NodeIndex, Outcome)>);

impl World for Ended {
    fn act(&mut self, _: usize, _: &Call<'_>) -> Outcome {
        Outcome::Running
    }

    fn query(&mut self, _: usize, _: &Call<'_>) -> f64 {
        0.0
    }

    fn ended(&mut self, _: usize, node: NodeIndex, outcome: Outcome) {
        self.0.push((node, outcome));
    }
}

/// Runs the tree of a case for a watched agent. Returns the number of ticks in which a node inside
/// the tree ended.
///
/// # Errors
/// If a trace differs from that of the reference interpreter.
pub fn traces(case: &Case, census: &mut Census) -> Result<u64, String> {
    let (module, sources) = module(&text(case))?;
    let Ok(bytes) = emit::emit(&module, "random", Some(&sources)) else { return Ok(0) };
    let image = Image::copy(&bytes).map_err(|error| error.to_string())?;
    let settlers = Settlers { groups: &[0], entry: TREE, seed: 0, chance: None };
    let mut reference = ENGINES[0].settle(&module, &settlers)?;
    let mut society = Society::new(&image, &settlers)?;
    let mut witness = Witness::new(&image, census);
    let (mut draws, mut evaluated) = (Draws::seeded(!case.seed), 0);
    for tick in 0..20 {
        let (variable, value) = (draws.pick(&VARIABLES), f64::from(u8::from(draws.one_in(2))));
        let (event, what) = (draws.pick(&EVENTS), draws.below(6));
        let known = module.events.iter().any(|it| module.names.bytes(it.name) == event.as_bytes());
        let [mut told, mut seen] = [Ended::default(), Ended::default()];
        let both: [(&mut dyn Agents, _); 2] = [(&mut *reference, &mut told), (&mut society, &mut seen)];
        for (society, world) in both {
            match what {
                0 => society.set(0, variable, value),
                1 => society.set(0, BLOCKED, value),
                2 if known => society.raise(event, Whom::Agent(0), tick, world),
                _ => {}
            }
            world.0.clear();
        }
        reference.tick(tick, &mut told)?;
        society.tick_watched(tick, &mut seen, &mut witness, |witness, agent, world| {
            for (node, exit) in witness.take_ended() {
                world.ended(
                    agent,
                    node - 1,
                    [Outcome::Failure, Outcome::Success, Outcome::Running][exit as usize],
                );
            }
            Ok(())
        })?;
        if told.0 != seen.0 {
            return Err(format!("tick {tick}: {:?}, not {:?}", seen.0, told.0));
        }
        // The selection and the tree itself always end.
        evaluated += u64::from(seen.0.len() > 2);
    }
    Ok(evaluated)
}
