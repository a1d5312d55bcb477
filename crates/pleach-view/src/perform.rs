//! Commands of pages, carried out between ticks.

use crate::clock::{MOST_RATE, MOST_STEPS};
use crate::command::{Break, Command, Set};
use crate::desk::View;
use crate::messages::{Stop, answer, text};
use crate::outbox::Slot;
use pleach::watch::ObservedHost;
use pleach::{Agent, Crowd, EventTarget, Group, Status};

/// Result of a command, with the reason if it failed.
pub(crate) type Done = Result<(), String>;

impl View {
    /// Sends a page the answer to a command if the command has a number.
    pub(crate) fn answer(&self, peer: u64, id: Option<u64>, done: Done) {
        let peer = self.hub.peers().into_iter().find(|other| other.id == peer);
        if let Some(peer) = peer.filter(|_| id.is_some()) {
            peer.outbox.answer(answer(id, done));
        }
    }

    /// Carries out a command that concerns only the display or the clock. Returns `None` if the
    /// command would change the crowd.
    pub(crate) fn look(&mut self, peer: u64, command: &Command, crowd: &Crowd) -> Option<Done> {
        let done = match command {
            Command::Pick { agent } => self.pick(peer, *agent, crowd),
            Command::At { tick } => self.at(peer, *tick, crowd),
            Command::Statistics { every } => {
                self.counts_shown = *every > 0;
                let stays = self.options.history && *every == 0;
                if *every != self.watching.counted() && !stays {
                    self.watching.count(&self.scene, *every);
                }
                self.count();
                Ok(())
            }
            Command::Clear => {
                self.watching.clear_counts();
                self.count();
                Ok(())
            }
            Command::Pause | Command::Resume | Command::Step { .. } | Command::Speed { .. } => {
                let done = self.set_clock(command);
                self.state(crowd);
                done
            }
            _ => return None,
        };
        Some(done)
    }

    fn pick(&mut self, peer: u64, agent: Option<u32>, crowd: &Crowd) -> Done {
        let agent = agent.map(|agent| agent as usize);
        if let Some(index) = agent {
            self.agent(crowd, index as u32)?;
        }
        let looking = self.looking.entry(peer).or_default();
        looking.agent = agent;
        let at = looking.at;
        self.sync(crowd);
        if let Some(index) = agent {
            self.show_past(peer, index);
        }
        self.refresh(crowd);
        if at.is_some() {
            // The tick may be kept for this agent, because another page has looked at it.
            return self.at(peer, at, crowd);
        }
        Ok(())
    }

    /// Sends a page the statuses and nodes of an agent that were kept in lists.
    fn show_past(&self, peer: u64, agent: usize) {
        let Some(peer) = self.hub.peers().into_iter().find(|other| other.id == peer) else { return };
        let past = self.kept.past(self.revision, agent);
        if !past.tick.is_empty() {
            peer.outbox.put(Slot::Past, text("past", &past));
        }
    }

    fn at(&mut self, peer: u64, tick: Option<u64>, crowd: &Crowd) -> Done {
        let Some(peer) = self.hub.peers().into_iter().find(|other| other.id == peer) else { return Ok(()) };
        match tick {
            Some(tick) => self.show_kept(&peer, tick),
            None => {
                self.looking.entry(peer.id).or_default().at = None;
                self.list(crowd);
                self.refresh(crowd);
            }
        }
        Ok(())
    }

    fn set_clock(&mut self, command: &Command) -> Done {
        let back = self.options.recording;
        let clock = self.clock.as_mut().ok_or("the host keeps the clock")?;
        match *command {
            Command::Pause => clock.pause(),
            Command::Resume => clock.resume(),
            Command::Step { ticks } => {
                let least = if back { -MOST_STEPS } else { 1 };
                if ticks == 0 || !(least..=MOST_STEPS).contains(&ticks) {
                    return Err(format!("steps go from {least} to {MOST_STEPS}"));
                }
                clock.step(ticks);
            }
            Command::Speed { rate } if (0.0..=MOST_RATE).contains(&rate) => clock.set_rate(rate),
            _ => return Err(format!("a rate goes from 0 to {MOST_RATE}")),
        }
        Ok(())
    }

    /// Carries out a command that changes a crowd.
    pub(crate) fn change<H: ObservedHost + ?Sized>(
        &mut self,
        command: &Command,
        crowd: &mut Crowd,
        now: i64,
        host: &mut H,
    ) -> Done {
        match command {
            Command::Hold { agent } => {
                let agent = self.agent(crowd, *agent)?;
                self.what_if.hold(crowd, agent);
            }
            Command::Release { agent } => {
                let agent = self.agent(crowd, *agent)?;
                self.what_if.release(crowd, agent);
            }
            Command::Walk { agent } => {
                let agent = self.agent(crowd, *agent)?;
                self.what_if.walk(crowd, agent);
            }
            Command::Break(point) => self.stop_at(point, crowd)?,
            Command::Force { agent, node, status } => self.force(crowd, *agent, *node, *status)?,
            Command::Set(set) => self.set(set, crowd)?,
            Command::Tune { tunable, agent, value } => {
                let known = self.scene.tunables.get(*tunable as usize);
                let known = known.ok_or_else(|| format!("there is no tunable {tunable}"))?;
                let agent = agent.map(|agent| self.agent(crowd, agent)).transpose()?;
                let tuned = match agent {
                    None => crowd.tune(&known.name, value.number()),
                    Some(agent) => crowd.tune_agent(agent, &known.name, value.number()),
                };
                tuned.map_err(|why| why.to_string())?;
            }
            Command::Raise { event, agent } => {
                let to = agent
                    .map(|agent| self.agent(crowd, agent))
                    .transpose()?
                    .map_or(EventTarget::All, EventTarget::Agent);
                let known = self.scene.events.get(*event as usize);
                let event = known.ok_or_else(|| format!("there is no event {event}"))?.1;
                crowd.raise(event, to, now, host).map_err(|why| why.to_string())?;
                self.heard(event, to);
            }
            _ => return Err("that cannot be done here".to_owned()),
        }
        self.refresh(crowd);
        self.state(crowd);
        Ok(())
    }

    fn agent(&self, crowd: &Crowd, index: u32) -> Result<Agent, String> {
        crowd.at(index as usize).ok_or_else(|| format!("there is no agent {index}"))
    }

    fn node(&self, node: u32) -> Result<u32, String> {
        if self.scene.has_node(node) { Ok(node) } else { Err(format!("there is no node {node}")) }
    }

    fn stop_at(&mut self, point: &Break, crowd: &Crowd) -> Done {
        let agent = self.agent(crowd, point.agent)?;
        match (point.node, point.variable) {
            (Some(node), None) => _ = self.node(node)?,
            (None, Some(variable)) if (variable as usize) < self.scene.variables.len() => {}
            (None, Some(variable)) => return Err(format!("there is no variable {variable}")),
            _ => return Err("a breakpoint has a node or a variable".to_owned()),
        }
        let stop = Stop { agent: agent.index(), node: point.node, variable: point.variable };
        self.what_if.set(&self.scene, agent, stop, point.on, point.all);
        self.sync(crowd);
        Ok(())
    }

    fn force(&mut self, crowd: &Crowd, agent: u32, node: u32, status: Option<u32>) -> Done {
        let (agent, node) = (self.agent(crowd, agent)?, self.node(node)?);
        if !self.scene.acts(node) {
            return Err(format!("node {node} is no action"));
        }
        let status = match status {
            None => None,
            Some(0) => Some(Status::Failure),
            Some(1) => Some(Status::Success),
            Some(2) => Some(Status::Running),
            Some(status) => return Err(format!("there is no status {status}")),
        };
        self.what_if.forced.take_back(agent, node);
        if let Some(status) = status {
            self.what_if.forced.force(agent, node, status);
        }
        Ok(())
    }

    fn set(&self, set: &Set, crowd: &mut Crowd) -> Done {
        let value = set.value.number();
        match (set.agent, set.variable, set.shared) {
            (Some(agent), Some(place), None) => {
                let variable = self.scene.variables.get(place as usize);
                let variable = variable.ok_or_else(|| format!("there is no variable {place}"))?;
                let agent = self.agent(crowd, agent)?;
                crowd.set_number(agent, *variable, value).map_err(|why| why.to_string())
            }
            (_, None, Some(place)) => {
                let variable = self.scene.shared.get(place as usize);
                let variable = variable.ok_or_else(|| format!("there is no shared variable {place}"))?;
                crowd.set_shared(*variable, Group::default(), value).map_err(|why| why.to_string())
            }
            _ => Err("it has `agent` and `variable`, or `shared`".to_owned()),
        }
    }
}
