//! Changes that pages make to a run: breakpoints, held agents, forced results.

use crate::copy::Stamp;
use crate::hub::Hub;
use crate::messages::{Stop, Stopped, text};
use crate::scene::Scene;
use crate::watching::number_of;
use pleach::watch::{Breakpoint, Breakpoints, ForcedAnswers, Traces};
use pleach::{Agent, Crowd};

/// Breakpoint that a page has set.
#[derive(Clone, Debug)]
struct Point {
    agent: Agent,
    place: Breakpoint,
    stop: Stop,
    /// True if the breakpoint pauses the whole crowd.
    all: bool,
}

#[derive(Debug, Default)]
pub(crate) struct WhatIf {
    pub(crate) forced: ForcedAnswers,
    breakpoints: Breakpoints,
    points: Vec<Point>,
    /// Agents held by pages or stopped at breakpoints.
    held: Vec<Agent>,
}

impl WhatIf {
    /// Returns the indices of the held agents.
    pub(crate) fn held(&self) -> impl Iterator<Item = usize> + '_ {
        self.held.iter().map(|agent| agent.index())
    }

    pub(crate) fn stops(&self) -> impl Iterator<Item = Stop> + '_ {
        self.points.iter().map(|point| point.stop.clone())
    }

    /// Returns the forced results that are pending: agents, nodes, statuses.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (usize, u32, u32)> + '_ {
        self.forced.waiting().iter().map(|(agent, node, status)| (agent.index(), *node, number_of(*status)))
    }

    /// Returns the agents that must be watched: breakpoints at nodes need traces.
    pub(crate) fn watched(&self) -> impl Iterator<Item = Agent> + '_ {
        self.points.iter().filter(|point| point.stop.node.is_some()).map(|point| point.agent)
    }

    /// Sets or removes a breakpoint.
    pub(crate) fn set(&mut self, scene: &Scene, agent: Agent, stop: Stop, on: bool, all: bool) {
        let Some(place) = place(scene, &stop) else { return };
        self.breakpoints.remove(agent, place);
        self.points.retain(|point| (point.agent, point.place) != (agent, place));
        if on {
            self.breakpoints.add(agent, place);
            self.points.push(Point { agent, place, stop, all });
        }
    }

    /// Holds an agent.
    pub(crate) fn hold(&mut self, crowd: &mut Crowd, agent: Agent) {
        if crowd.sleep(agent).is_ok() && !self.held.contains(&agent) {
            self.held.push(agent);
        }
    }

    /// Releases an agent, held by a page or a breakpoint.
    pub(crate) fn release(&mut self, crowd: &mut Crowd, agent: Agent) {
        self.held.retain(|held| *held != agent);
        // Cannot fail: the agent exists.
        let _ = self.breakpoints.go_on(crowd, agent);
    }

    /// Lets a held agent run one tick.
    pub(crate) fn walk(&mut self, crowd: &mut Crowd, agent: Agent) {
        if crowd.sleeps(agent) == Ok(true) {
            self.held.retain(|held| *held != agent);
            // Cannot fail: the agent exists.
            let _ = self.breakpoints.step(crowd, agent);
        }
    }

    /// Holds agents that have reached a breakpoint after a tick, and reports them to pages. Returns
    /// `None` if no agent has, else true if the whole crowd is to be paused.
    pub(crate) fn stop(
        &mut self,
        crowd: &mut Crowd,
        traces: &Traces,
        scene: &Scene,
        hub: &Hub,
        stamp: Stamp,
    ) -> Option<bool> {
        let mut pause = None;
        for (agent, place) in self.breakpoints.stop(crowd, stamp.now, traces, &scene.image) {
            if !self.held.contains(&agent) {
                self.held.push(agent);
            }
            let point = self.points.iter().find(|point| (point.agent, Some(point.place)) == (agent, place));
            pause = Some(pause == Some(true) || point.is_some_and(|point| point.all));
            let index = agent.index();
            let stop = Stop { agent: index, node: None, variable: None };
            let stop = point.map_or(stop, |point| point.stop.clone());
            let message = text("stopped", &Stopped { revision: stamp.revision, tick: stamp.tick, stop });
            hub.peers().iter().for_each(|peer| peer.outbox.answer(message.clone()));
        }
        self.held.retain(|agent| crowd.sleeps(*agent) == Ok(true));
        pause
    }

    /// Carries breakpoints and forced results over to new trees, by stable keys of nodes and names
    /// of variables. Those without a counterpart are dropped.
    pub(crate) fn follow(&mut self, old: &Scene, new: &Scene) {
        self.breakpoints = Breakpoints::default();
        for Point { agent, stop, all, .. } in std::mem::take(&mut self.points) {
            let node = stop.node.and_then(|node| new.same_node(old, node));
            let variable = stop.variable.and_then(|variable| new.same_variable(old, variable));
            self.set(new, agent, Stop { node, variable, ..stop }, true, all);
        }
        for (agent, node, status) in std::mem::take(&mut self.forced).waiting() {
            if let Some(node) = new.same_node(old, *node) {
                self.forced.force(*agent, node, *status);
            }
        }
    }
}

/// Returns the breakpoint for a stop; `None` if there is no such node or variable.
fn place(scene: &Scene, stop: &Stop) -> Option<Breakpoint> {
    let variable = stop.variable.and_then(|place| scene.variables.get(place as usize)).copied();
    stop.node.map(Breakpoint::Node).or(variable.map(Breakpoint::Variable))
}
