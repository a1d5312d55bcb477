//! Games that the agents of a row live in.

use crate::happenings::Happenings;
use crate::scripted::ScriptedHost;
use pleach::watch::Statistics;
use pleach::{Agent, Crowd, Program, Tally};

/// Game with the crowd of one row.
pub trait SweepGame {
    /// Calls a function with the crowd.
    ///
    /// # Errors
    /// Any reason why the row cannot be computed.
    fn with_crowd<R>(&mut self, work: impl FnOnce(&mut Crowd) -> R) -> Result<R, String>;

    /// Ticks all agents. `tick` counts from 1, and `now` is the time that the crowd must get. If
    /// there are statistics, they watch the tick.
    ///
    /// # Errors
    /// Any reason why the row cannot be computed.
    fn tick(&mut self, tick: u32, now: i64, statistics: Option<&mut Statistics>) -> Result<Tally, String>;
}

/// Game of a row that is run without a game: all answers are random.
#[derive(Debug)]
pub struct ScriptedGame {
    crowd: Crowd,
    host: ScriptedHost,
    happenings: Happenings,
    agents: Vec<Agent>,
}

impl ScriptedGame {
    /// Returns a game with these answers and a crowd without agents.
    pub(crate) fn new(program: &Program, seed: u64, host: ScriptedHost, happenings: Happenings) -> Self {
        let crowd = Crowd::new(program).with_seed(seed);
        Self { crowd, host, happenings, agents: Vec::new() }
    }
}

impl SweepGame for ScriptedGame {
    fn with_crowd<R>(&mut self, work: impl FnOnce(&mut Crowd) -> R) -> Result<R, String> {
        Ok(work(&mut self.crowd))
    }

    fn tick(&mut self, tick: u32, now: i64, statistics: Option<&mut Statistics>) -> Result<Tally, String> {
        let Self { crowd, host, happenings, agents } = self;
        host.begin(tick);
        if happenings.are_any() && tick == 1 {
            agents.extend(crowd.agents());
        }
        for agent in agents {
            let chance = host.chance(*agent);
            happenings.happen(crowd, *agent, now, host, chance);
        }
        Ok(match statistics {
            Some(statistics) => crowd.tick_watched(now, host, statistics),
            None => crowd.tick(now, host),
        })
    }
}
