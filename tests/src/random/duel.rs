//! Comparison of the reference interpreter and the runtime on one random program.
//!
//! Every agent is ticked three times: by the reference interpreter on the IR; by
//! [`Crowd::tick_agent`] on the compiled image, watched; by [`Crowd::tick`], unwatched. After each
//! tick all three must have the same status and the same questions in the same order with the same
//! answers. The running sets and the trace of ended nodes must be equal, too. Between ticks some
//! agents are reset, switched to another tree, or run another tree once. Then the host must be told
//! to halt exactly the running action. No tick may exceed the program's bounds.

use super::Case;
use super::draws::{Draws, hash};
use super::linking::linked;
use super::program::{program, sources};
use super::witness::{Census, Witness};
use super::world::{Game, Judge, Script, Told, status};
use crate::reference::{Frame, Reference};
use core::fmt::Debug;
use pleach::program::Bounds;
use pleach::{Agent, Crowd, Halt, Image, Program, Status};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::Module;
use pleach_image::bounds;

/// Maximum number of host calls a tick. Programs with larger bounds are left out, because shared
/// blocks can make them arbitrarily slow.
const MOST_CALLS: u64 = 200_000;

/// Start times near the limits of clocks.
const TIMES: &[i64] = &[
    0,
    1000,
    -1000,
    i32::MAX as i64 - 40,
    (3 << 30) - 40,
    u32::MAX as i64 - 40,
    i32::MIN as i64,
    i64::MAX - 40,
    i64::MIN,
    1 << 40,
];

/// Runs the program of a case on all sides. Fails with the first difference. Large cases are deep
/// and the reference interpreter recurses, so call this in a thread with a large stack.
pub fn fight(case: &Case, census: &mut Census) -> Result<(), String> {
    let agents = if case.seed.is_multiple_of(500) { 300 } else { 3 };
    let ticks = if case.size > 1000 || agents > 3 { 3 } else { 12 };
    fight_for(case, agents, ticks, census)
}

/// Runs the program of a case with a number of agents and ticks.
///
/// # Errors
/// With the first difference.
pub fn fight_for(case: &Case, agents: usize, ticks: u64, census: &mut Census) -> Result<(), String> {
    let (agents, ticks) = (agents.min(case.agents), ticks.min(case.ticks));
    let module = program(case);
    let sources = sources();
    let bytes =
        emit::emit(&module, "random", Some(&sources)).map_err(|it| format!("emit: {}", it.message))?;
    let image = Image::copy(&bytes).map_err(|error| format!("the verifier refused the image: {error}"))?;
    same("bytes of the image written again", &pleach_image::format::write(&image.parts()), &bytes)?;
    let game = Game::new(Script::new(case.seed), &module, agents);
    let program = linked(&image, &game, case.seed)?;
    if program.bounds().host_calls > MOST_CALLS {
        census.programs.1 += 1;
        return Ok(());
    }
    census.programs.0 += 1;
    for word in image.condition_code() {
        census.stack_ops[usize::from(word.op)] += 1;
    }
    let mut duel = Duel::new(case, &module, &image, &program, game, census);
    (0..ticks).try_for_each(|tick| duel.round(tick).map_err(|it| format!("tick {tick}: {it}")))?;
    duel.end()
}

pub(crate) fn same<T: PartialEq + Debug + ?Sized>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}\n     found {found:?}\n  expected {expected:?}"))
}

/// Agent on the side of the reference interpreter.
struct Soul {
    frame: Frame,
    /// Index in the module's entries.
    entry: usize,
    told: Told,
}

/// Crowd with its host.
struct Side {
    crowd: Crowd,
    agents: Vec<Agent>,
    game: Game,
}

struct Duel<'a> {
    case: &'a Case,
    module: &'a Module,
    /// Names of the module's entries.
    names: Vec<String>,
    /// Bounds of the module's entries.
    bounds: Vec<Bounds>,
    souls: Vec<Soul>,
    watched: Side,
    plain: Side,
    witness: Witness<'a>,
    now: i64,
}

impl Side {
    fn new(program: &Program, mut game: Game, names: &[String], entries: &[usize]) -> Self {
        game.gates = ["gate0", "gate1"].iter().filter_map(|name| program.variable(name)).collect();
        let mut crowd = Crowd::new(program);
        let spawn = |entry: &usize| crowd.spawn(&names[*entry]).expect("the module has the entry");
        let agents = entries.iter().map(spawn).collect();
        Self { crowd, agents, game }
    }
}

impl<'a> Duel<'a> {
    fn new(
        case: &'a Case,
        module: &'a Module,
        image: &'a Image,
        program: &Program,
        game: Game,
        census: &'a mut Census,
    ) -> Self {
        let mut draws = Draws::seeded(hash([case.seed, 3]));
        let names: Vec<_> = image.entries().iter().map(|entry| image.name(entry.name).to_owned()).collect();
        let of_block = bounds::of(image);
        let bounds = image.entries().iter().map(|entry| of_block[entry.block as usize]).collect();
        let entries: Vec<_> = game.told.iter().map(|_| draws.below(names.len())).collect();
        let soul = |(agent, entry): (usize, &usize)| Soul {
            frame: Frame::new(module),
            entry: *entry,
            told: Told::new(agent),
        };
        let souls = entries.iter().enumerate().map(soul).collect();
        let second = Game::new(Script::new(case.seed), module, entries.len());
        let plain = Side::new(program, second, &names, &entries);
        let watched = Side::new(program, game, &names, &entries);
        let witness = Witness::new(image, census);
        let now = draws.pick(TIMES);
        Self { case, module, names, bounds, souls, watched, plain, witness, now }
    }

    /// Runs one tick of all agents, and the changes of the game before it.
    fn round(&mut self, tick: u64) -> Result<(), String> {
        for agent in 0..self.souls.len() {
            self.meddle(agent, tick).map_err(|it| format!("before agent {agent}: {it}"))?;
        }
        self.plain.crowd.tick(self.now, &mut self.plain.game);
        for agent in 0..self.souls.len() {
            self.tick(agent).map_err(|it| format!("agent {agent}: {it}"))?;
        }
        let mut draws = Draws::seeded(hash([self.case.seed, tick, 4]));
        // Time goes forward, but sometimes a host rewinds.
        let later = self.now.saturating_add(draws.below(64) as i64);
        self.now = if draws.one_in(8) { draws.pick(TIMES) } else { later };
        Ok(())
    }

    /// Ticks an agent on all sides but the plain one, which has been ticked, and compares.
    fn tick(&mut self, agent: usize) -> Result<(), String> {
        let entry = self.souls[agent].entry;
        let (expected, trace) = self.judge(agent, entry);
        let Side { crowd, agents, game } = &mut self.watched;
        let outcome = crowd.tick_agent(agents[agent], self.now, game, &mut self.witness);
        let plain = self.plain.crowd.outcome(self.plain.agents[agent]);
        let wanted = pleach::Outcome::Status(expected);
        same("questions", &game.told[agent].asked, &self.souls[agent].told.asked)?;
        same("status", &outcome, &Ok(wanted))?;
        same("trace", self.witness.ended(), trace.as_slice())?;
        same("questions unwatched", &self.plain.game.told[agent], &self.souls[agent].told)?;
        same("status unwatched", &plain, &Ok(Some(wanted)))?;
        let asked = &self.watched.game.told[agent].asked;
        let answers: Vec<_> = asked.iter().map(|asked| asked.answer).collect();
        self.witness.finish(&answers, self.bounds[entry])?;
        self.sets(agent)?;
        self.next(agent);
        Ok(())
    }

    /// Runs an entry for an agent on the reference interpreter.
    fn judge(&mut self, agent: usize, entry: usize) -> (Status, Vec<(u32, u32)>) {
        let soul = &mut self.souls[agent];
        let script = Script::new(self.case.seed);
        let mut judge = Judge { script, module: self.module, told: &mut soul.told, ended: Vec::new() };
        let block = self.module.entries[entry];
        let outcome = Reference::new(self.module).tick(&mut soul.frame, block, self.now, &mut judge);
        let ended = judge.ended.into_iter().map(|(node, bits)| (node, bits & 3)).collect();
        (status(outcome), ended)
    }

    fn next(&mut self, agent: usize) {
        self.souls[agent].told.next();
        self.watched.game.told[agent].next();
        self.plain.game.told[agent].next();
    }

    fn sets(&self, agent: usize) -> Result<(), String> {
        let expected: Vec<u16> =
            self.souls[agent].frame.running.iter().map(|node| *node as u16 + 1).collect();
        for side in [&self.watched, &self.plain] {
            let found =
                side.crowd.inspect().running_set(side.agents[agent]).map_err(|error| error.to_string())?;
            same("running set", found, &expected)?;
        }
        Ok(())
    }

    /// Sometimes changes an agent between ticks, like a game.
    fn meddle(&mut self, agent: usize, tick: u64) -> Result<(), String> {
        let mut draws = Draws::seeded(hash([self.case.seed, agent as u64, tick, 5]));
        let entry = draws.below(self.names.len());
        match draws.below(12) {
            0 => self.reset(agent),
            1 => self.switch(agent, entry),
            2 => self.once(agent, entry),
            _ => Ok(()),
        }
    }

    fn reset(&mut self, agent: usize) -> Result<(), String> {
        for Side { crowd, agents, game } in [&mut self.watched, &mut self.plain] {
            crowd.reset(agents[agent], self.now, game).map_err(|error| error.to_string())?;
        }
        self.halted(agent, Halt::Reset)?;
        self.souls[agent].frame.reset(self.module);
        self.sets(agent)
    }

    fn switch(&mut self, agent: usize, entry: usize) -> Result<(), String> {
        let name = &self.names[entry];
        for Side { crowd, agents, game } in [&mut self.watched, &mut self.plain] {
            crowd.switch(agents[agent], name, self.now, game).map_err(|error| error.to_string())?;
        }
        self.halted(agent, Halt::Switched)?;
        self.souls[agent].frame.reset(self.module);
        self.souls[agent].entry = entry;
        self.sets(agent)
    }

    /// Runs another tree once, on the agent's own frame.
    fn once(&mut self, agent: usize, entry: usize) -> Result<(), String> {
        let (expected, _) = self.judge(agent, entry);
        for Side { crowd, agents, game } in [&mut self.watched, &mut self.plain] {
            let outcome = crowd.tick_entry(agents[agent], &self.names[entry], self.now, game);
            same("status of another tree", &outcome, &Ok(pleach::Outcome::Status(expected)))?;
            same("questions of another tree", &game.told[agent], &self.souls[agent].told)?;
        }
        self.next(agent);
        self.sets(agent)
    }

    /// Checks that the host was told to halt the running action and no other.
    fn halted(&mut self, agent: usize, why: Halt) -> Result<(), String> {
        let current = self.souls[agent].frame.current(self.module);
        let expected: Vec<_> = current.iter().map(|node| (agent, node + 1, why)).collect();
        for side in [&mut self.watched, &mut self.plain] {
            same("halted actions", &core::mem::take(&mut side.game.halted), &expected)?;
        }
        Ok(())
    }

    /// Despawns all agents.
    fn end(mut self) -> Result<(), String> {
        for agent in 0..self.souls.len() {
            for Side { crowd, agents, game } in [&mut self.watched, &mut self.plain] {
                crowd.despawn(agents[agent], self.now, game).map_err(|error| error.to_string())?;
            }
            self.halted(agent, Halt::Despawned).map_err(|it| format!("end of agent {agent}: {it}"))?;
        }
        same("agents left", &self.watched.crowd.len(), &0)
    }
}
