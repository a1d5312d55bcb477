//! Games that the agents of a row live in.

use crate::happenings::Happenings;
use crate::scripted::ScriptedHost;
use pleach::{Agent, Crowd, Host, Program};

/// Game that the agents of one row live in.
pub trait SweepGame {
    /// Functions that trees ask.
    type Host: Host + ?Sized;

    /// Returns the program, linked to the host.
    fn program(&self) -> &Program;

    /// Prepares a tick. `tick` counts from 1, and `now` is its time.
    ///
    /// # Errors
    /// Any reason why the row cannot be computed.
    fn begin(&mut self, crowd: &mut Crowd, tick: u32, now: i64) -> Result<(), String>;

    /// Returns the host.
    fn host(&mut self) -> &mut Self::Host;

    /// Looks at a tick that has ended.
    ///
    /// # Errors
    /// Any reason why the row cannot be computed.
    fn end(&mut self, _crowd: &Crowd) -> Result<(), String> {
        Ok(())
    }
}

/// Game of a row that is run without a game: all answers are random.
#[derive(Debug)]
pub struct ScriptedGame {
    program: Program,
    host: ScriptedHost,
    happenings: Happenings,
    agents: Vec<Agent>,
}

impl ScriptedGame {
    /// Returns a game with these answers.
    #[must_use]
    pub(crate) fn new(program: &Program, host: ScriptedHost, happenings: Happenings) -> Self {
        Self { program: program.clone(), host, happenings, agents: Vec::new() }
    }
}

impl SweepGame for ScriptedGame {
    type Host = ScriptedHost;

    fn program(&self) -> &Program {
        &self.program
    }

    fn begin(&mut self, crowd: &mut Crowd, tick: u32, now: i64) -> Result<(), String> {
        let Self { host, happenings, agents, .. } = self;
        host.begin(tick);
        if happenings.are_any() && tick == 1 {
            agents.extend(crowd.agents());
        }
        for agent in agents {
            let chance = host.chance(*agent);
            happenings.happen(crowd, *agent, now, host, chance);
        }
        Ok(())
    }

    fn host(&mut self) -> &mut ScriptedHost {
        &mut self.host
    }
}
