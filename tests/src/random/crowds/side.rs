//! A crowd on one engine, ticked in one way.

use super::Plan;
use super::game::Game;
use super::hosts::{Anything, Locked, Onlooker, recording};
use super::same;
use super::way::Way;
use crate::random::draws::{Draws, hash};
use crate::random::linking::linked;
use pleach::engine::Engine;
use pleach::record::{Recorder, Replay};
use pleach::watch::{Statistics, TraceCapacity, Traces};
use pleach::{Agent, Crowd, Program};
use std::sync::Mutex;

/// A crowd on one engine, with its host.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) crowd: Crowd,
    pub(super) game: Game,
    pub(super) way: Way,
    pub(super) engine: Engine,
    /// The program, and another build of it.
    pub(super) builds: [Program; 2],
    pub(super) state: Vec<u8>,
    watchers: (Traces, Statistics),
    pub(super) recorder: Option<Recorder>,
    /// Digest of the crowd after each recorded tick.
    digests: Vec<u64>,
}

impl Side {
    /// Makes a side whose crowd is empty.
    ///
    /// # Errors
    /// If an image cannot be linked.
    pub(super) fn new(plan: &Plan<'_>, engine: Engine, way: Way) -> Result<Self, String> {
        let Plan { seed, images: [image, other], .. } = plan;
        let nobody = Program::link(image, &Anything).map_err(|error| error.to_string())?;
        let game = Game::new(plan, &nobody);
        let program = linked(image, &game, *seed)?;
        let crowd = Crowd::new(&program).with_seed(*seed).with_engine(engine);
        let other = linked(other, &game, *seed)?;
        let (name, builds) = (format!("{engine:?}, {way:?}"), [program, other]);
        let recorder = way.is_recorded(*seed).then(|| Recorder::new(image, &game));
        let watchers = (Traces::new(image), Statistics::new(image));
        let (state, digests) = (Vec::new(), Vec::new());
        Ok(Self { name, crowd, game, way, engine, builds, state, watchers, recorder, digests })
    }

    /// Ticks the crowd in its way.
    ///
    /// # Errors
    /// If something is wrong before the crowd is compared with another one.
    pub(super) fn tick(&mut self, now: i64, agents: &[Agent]) -> Result<(), String> {
        match self.way {
            Way::Restored => self.survive_saving(now, agents)?,
            Way::Reloaded => self.survive_reload(now, agents)?,
            _ => {}
        }
        self.game.next();
        if self.way == Way::Watched {
            self.watch(agents);
        }
        let Self { crowd, game, way, watchers: (traces, statistics), recorder, .. } = self;
        match *way {
            Way::Whole | Way::Restored | Way::Reloaded => _ = crowd.tick(now, game),
            Way::Recorded => _ = crowd.tick(now, &mut recording(recorder, game)),
            Way::Within => while !crowd.tick_within(now, &mut recording(recorder, game), 0).ended {},
            Way::Watched => {
                crowd.tick_watched(now, &mut recording(recorder, game), &mut (traces, statistics));
            }
            Way::Watching => match agents.get(game.tick as usize % agents.len().max(1)) {
                Some(agent) => {
                    let tally = crowd.tick_watching(now, game, *agent, &mut Onlooker);
                    tally.map_err(|error| error.to_string())?;
                }
                None => _ = crowd.tick(now, game),
            },
            Way::Parts(count) => {
                tick_parts(crowd, count, now, game);
                crowd.end_tick(now, &mut recording(recorder, game));
            }
        }
        if recorder.is_some() {
            self.digests.push(crowd.inspect().digest());
        }
        Ok(())
    }

    /// Watches some of the agents, others from time to time.
    fn watch(&mut self, agents: &[Agent]) {
        let Self { watchers: (traces, _), game, .. } = self;
        let mut draws = Draws::seeded(hash([game.seed, game.tick, 78]));
        if !agents.is_empty() && draws.one_in(4) {
            traces.watch(
                draws.pick(agents),
                TraceCapacity { rows: 1 + draws.below(200), text: 1 + draws.below(50) },
            );
        }
        if draws.one_in(8) {
            let watched: Vec<_> = traces.agents().collect();
            watched.first().into_iter().for_each(|agent| traces.forget(*agent));
        }
    }

    /// Replays the recording: all results must be the same, also after going back.
    pub(super) fn replay(self) -> Result<(), String> {
        let Self { recorder: Some(recorder), digests, game, .. } = self else { return Ok(()) };
        let mut replay = Replay::open(recorder.finish()).map_err(|error| error.to_string())?;
        same("ticks of the recording", &replay.len(), &(digests.len() as u64))?;
        for (tick, digest) in digests.iter().enumerate() {
            let more = replay.tick().map_err(|error| error.to_string())?;
            same("whether there is a tick", &more, &true)?;
            same(&format!("tick {tick} replayed"), &replay.crowd().inspect().digest(), digest)?;
        }
        let mut draws = Draws::seeded(hash([game.seed, 79]));
        for _ in 0..3 {
            let tick = draws.below(digests.len());
            replay.seek(tick as u64 + 1).map_err(|error| error.to_string())?;
            same(
                &format!("tick {tick} when gone back to"),
                &replay.crowd().inspect().digest(),
                &digests[tick],
            )?;
        }
        Ok(())
    }
}

/// Ticks the parts of a crowd by threads now and then, else one after the
/// other from the last to the first.
fn tick_parts(crowd: &mut Crowd, count: usize, now: i64, game: &mut Game) {
    if game.tick.is_multiple_of(8) {
        let game = Mutex::new(game);
        std::thread::scope(|scope| {
            for mut part in crowd.parts(count) {
                let mut host = Locked(&game);
                scope.spawn(move || part.tick(now, &mut host));
            }
        });
    } else {
        let mut parts: Vec<_> = crowd.parts(count).collect();
        parts.iter_mut().rev().for_each(|part| _ = part.tick(now, game));
    }
}
