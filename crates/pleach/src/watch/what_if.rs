//! Experiments: answers that replace those of the host, and agents that stop at a chosen
//! node.
//!
//! Nothing blocks. An agent that stops is put to sleep when its tick is over, and the crowd
//! continues. A tick is never interrupted.

use super::Traces;
use crate::crowd::Crowd;
use crate::host::{Batch, Call, Host, around};
use crate::values::{Agent, StaleAgent, Status, Variable};
use alloc::vec::Vec;
use pleach_image::Image;

/// Statuses that actions of agents return next instead of asking the host.
///
/// ```
/// # use pleach::{Agent, Crowd, Host, Status, watch::ForcedAnswers};
/// # fn tick(crowd: &mut Crowd, game: &mut impl Host, agent: Agent, node: u32) {
/// let mut forced = ForcedAnswers::default();
/// forced.force(agent, node, Status::Failure);
/// crowd.tick(16, &mut forced.around(game));
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct ForcedAnswers {
    next: Vec<(Agent, u32, Status)>,
}

impl ForcedAnswers {
    /// Forces the status of a node's action in the agent's next call. The host is not asked then.
    pub fn force(&mut self, agent: Agent, node: u32, status: Status) {
        self.next.push((agent, node, status));
    }

    /// Removes the forced statuses of a node's action for an agent.
    pub fn take_back(&mut self, agent: Agent, node: u32) {
        self.next.retain(|next| (next.0, next.1) != (agent, node));
    }

    /// Returns the agents, nodes and statuses of calls that have not come yet.
    #[must_use]
    pub fn waiting(&self) -> &[(Agent, u32, Status)] {
        &self.next
    }

    /// Returns a host layer that answers with the forced statuses before it asks the host. Around
    /// this layer, a recorder records forced statuses as answers of the host.
    pub fn around<'f, H: Host + ?Sized>(&'f mut self, host: &'f mut H) -> ForcingHost<'f, H> {
        ForcingHost { forced: self, host }
    }

    fn find(&self, agent: Agent, node: u32) -> Option<usize> {
        self.next.iter().position(|next| (next.0, next.1) == (agent, node))
    }
}

/// Host layer that returns [`ForcedAnswers`]. Made by [`ForcedAnswers::around`].
#[derive(Debug)]
pub struct ForcingHost<'f, H: ?Sized> {
    forced: &'f mut ForcedAnswers,
    host: &'f mut H,
}

impl<H: Host + ?Sized> around::HostLayer for ForcingHost<'_, H> {
    type Inner = H;

    fn inner(&self) -> &H {
        self.host
    }

    fn inner_mut(&mut self) -> &mut H {
        self.host
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        match self.forced.find(call.agent, call.node) {
            Some(at) => self.forced.next.remove(at).2,
            None => self.host.act(call),
        }
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        let node = batch.node;
        if batch.agents().any(|agent| self.forced.find(agent, node).is_some()) {
            return batch.each(out, |call| Host::act(self, call));
        }
        self.host.act_all(batch, out);
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        self.host.query_all(batch, out);
    }
}

/// Condition under which an agent stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakpoint {
    /// Stops when the node ends, with any status.
    Node(u32),
    /// Stops when the value of the variable is not that after the tick before.
    Variable(Variable),
}

/// Breakpoints of agents.
#[derive(Clone, Debug, Default)]
pub struct Breakpoints {
    points: Vec<(Agent, Breakpoint, Option<u64>)>,
    /// Agents that stop after their next tick.
    steps: Vec<Agent>,
}

impl Breakpoints {
    /// Adds a breakpoint of an agent. A breakpoint at a node needs [`Traces`] that watch the agent.
    pub fn add(&mut self, agent: Agent, what: Breakpoint) {
        self.points.push((agent, what, None));
    }

    /// Removes a breakpoint of an agent.
    pub fn remove(&mut self, agent: Agent, what: Breakpoint) {
        self.points.retain(|point| (point.0, point.1) != (agent, what));
    }

    /// Puts the agents to sleep that have come to a breakpoint in the tick at this time. Returns
    /// these agents with the breakpoints; the breakpoint is `None` after [`Breakpoints::step`].
    pub fn stop<D: AsRef<[u8]>>(
        &mut self,
        crowd: &mut Crowd,
        now: i64,
        traces: &Traces,
        image: &Image<D>,
    ) -> Vec<(Agent, Option<Breakpoint>)> {
        let mut stopped: Vec<_> =
            core::mem::take(&mut self.steps).into_iter().map(|agent| (agent, None)).collect();
        for (agent, what, before) in &mut self.points {
            let comes = match what {
                Breakpoint::Node(node) => {
                    let tick = traces.of(*agent).and_then(super::Trace::last).filter(|tick| tick.now == now);
                    tick.is_some_and(|tick| tick.ended(image).any(|(ended, _)| ended == *node))
                }
                Breakpoint::Variable(variable) => {
                    let held = crowd.number(*agent, *variable).ok().map(f64::to_bits);
                    core::mem::replace(before, held).is_some_and(|before| Some(before) != held)
                }
            };
            if comes && crowd.sleeps(*agent) == Ok(false) {
                stopped.push((*agent, Some(*what)));
            }
        }
        // Whoever is gone stops by itself.
        stopped.retain(|(agent, _)| crowd.sleep(*agent).is_ok());
        stopped
    }

    /// Wakes a stopped agent for one tick.
    ///
    /// # Errors
    /// If it is gone.
    pub fn step(&mut self, crowd: &mut Crowd, agent: Agent) -> Result<(), StaleAgent> {
        crowd.wake(agent)?;
        self.steps.push(agent);
        Ok(())
    }

    /// Wakes a stopped agent until its next breakpoint.
    ///
    /// # Errors
    /// If it is gone.
    pub fn go_on(&mut self, crowd: &mut Crowd, agent: Agent) -> Result<(), StaleAgent> {
        crowd.wake(agent)
    }
}
