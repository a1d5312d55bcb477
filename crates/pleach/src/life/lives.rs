//! The lives of a crowd's agents.

use super::{CountedEvent, Life, PlayMode};
use crate::crowd::{Crowd, ObservedHost, Tally};
use crate::values::{Agent, Outcome, StaleAgent, Status};
use alloc::vec::Vec;

/// The lives of agents of a crowd, whatever their dialect. Only agents that have been played
/// are ticked by [`Lives::tick`].
///
/// ```no_run
/// # use pleach::{Crowd, Host, Image, Program, life::{Lives, PlayMode}};
/// # fn game(program: &Program, host: &mut impl Host) -> Result<(), Box<dyn std::error::Error>> {
/// let mut crowd = Crowd::new(program);
/// let mut lives = Lives::default();
/// let guard = crowd.spawn("guard")?;
/// lives.play(&crowd, guard, Some(100), Some(PlayMode::Executions))?;
/// lives.tick(&mut crowd, 0, host);
/// lives.pause(&crowd, guard)?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lives {
    /// Lives by the index of agents. Agents that are gone have one as well.
    lives: Vec<Option<(Agent, Life)>>,
}

impl Lives {
    /// Returns the life of an agent. An agent that was never played, paused, stopped or reset has a
    /// new life.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn of(&self, crowd: &Crowd, agent: Agent) -> Result<Life, StaleAgent> {
        crowd.outcome(agent)?;
        let known = self.lives.get(agent.index()).copied().flatten();
        Ok(known.filter(|(whose, _)| *whose == agent).map_or(Life::default(), |(_, life)| life))
    }

    /// See [`Life::play`].
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn play(
        &mut self,
        crowd: &Crowd,
        agent: Agent,
        target: Option<u32>,
        mode: Option<PlayMode>,
    ) -> Result<(), StaleAgent> {
        self.change(crowd, agent, |life| life.play(target, mode))
    }

    /// See [`Life::pause`]. What runs in its tree stays where it is.
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn pause(&mut self, crowd: &Crowd, agent: Agent) -> Result<(), StaleAgent> {
        self.change(crowd, agent, Life::pause)
    }

    /// See [`Life::resume`].
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn resume(&mut self, crowd: &Crowd, agent: Agent) -> Result<(), StaleAgent> {
        self.change(crowd, agent, Life::resume)
    }

    /// Stops an agent. Its running node does not change. See [`Life::stop`].
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn stop(&mut self, crowd: &Crowd, agent: Agent) -> Result<(), StaleAgent> {
        self.change(crowd, agent, Life::stop)
    }

    /// See [`Life::reset`]. Its tree begins anew, as by [`Crowd::reset`].
    ///
    /// # Errors
    /// If the agent is gone.
    pub fn reset<H: ObservedHost + ?Sized>(
        &mut self,
        crowd: &mut Crowd,
        agent: Agent,
        now: i64,
        host: &mut H,
    ) -> Result<(), StaleAgent> {
        crowd.reset(agent, now, host)?;
        self.change(crowd, agent, Life::reset)
    }

    fn change(
        &mut self,
        crowd: &Crowd,
        agent: Agent,
        change: impl FnOnce(&mut Life),
    ) -> Result<(), StaleAgent> {
        let mut life = self.of(crowd, agent)?;
        change(&mut life);
        if agent.index() >= self.lives.len() {
            self.lives.resize(agent.index() + 1, None);
        }
        self.lives[agent.index()] = Some((agent, life));
        Ok(())
    }

    /// Ticks every agent whose life is executing, in the order of their indices, and ends the tick.
    /// If an agent's tick ends with a fault, its life stops.
    pub fn tick<H: ObservedHost + ?Sized>(&mut self, crowd: &mut Crowd, now: i64, host: &mut H) -> Tally {
        let mut tally = Tally::default();
        for (agent, life) in self.lives.iter_mut().flatten() {
            if crowd.outcome(*agent).is_err() || !life.begin() {
                continue;
            }
            life.count(CountedEvent::Execution);
            if let Ok(outcome) = crowd.tick_agent(*agent, now, host, &mut ()) {
                tally.add(outcome);
                life.came_to(outcome);
            }
        }
        crowd.end_tick(now, host);
        tally
    }
}

impl Life {
    /// Counts the outcome of a tick.
    fn came_to(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Status(Status::Success) => self.count(CountedEvent::Report { success: true }),
            Outcome::Status(Status::Failure) => self.count(CountedEvent::Report { success: false }),
            Outcome::Status(Status::Running) => self.count(CountedEvent::Notice { interrupt: false }),
            Outcome::Status(Status::Other(_)) => {}
            Outcome::Fault(_) => self.stop(),
        }
        self.end();
    }
}
