//! What pages change of a run: who stops where, who stands still, which results are forced.

use crate::copy::Stamp;
use crate::hub::Hub;
use crate::messages::{Stop, Stopped, text};
use crate::scene::Scene;
use crate::watching::number_of;
use pleach::watch::{Breakpoint, Breakpoints, ForcedAnswers, Traces};
use pleach::{Agent, Crowd};

/// A breakpoint, as a page has set it.
#[derive(Clone, Debug)]
struct Point {
    agent: Agent,
    place: Breakpoint,
    stop: Stop,
    /// Whether the crowd is paused with the agent.
    all: bool,
}

#[derive(Debug, Default)]
pub(crate) struct WhatIf {
    pub(crate) forced: ForcedAnswers,
    breakpoints: Breakpoints,
    points: Vec<Point>,
    /// Who stands still by what pages did.
    held: Vec<Agent>,
}

impl WhatIf {
    /// Who stands still.
    pub(crate) fn held(&self) -> impl Iterator<Item = usize> + '_ {
        self.held.iter().map(|agent| agent.index())
    }

    pub(crate) fn stops(&self) -> impl Iterator<Item = Stop> + '_ {
        self.points.iter().map(|point| point.stop.clone())
    }

    /// Results that wait: agents, nodes, statuses.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (usize, u32, u32)> + '_ {
        self.forced.waiting().iter().map(|(agent, node, status)| (agent.index(), *node, number_of(*status)))
    }

    /// Who has to be watched, for breakpoints at nodes go by traces.
    pub(crate) fn watched(&self) -> impl Iterator<Item = Agent> + '_ {
        self.points.iter().filter(|point| point.stop.node.is_some()).map(|point| point.agent)
    }

    /// An agent stops there, or no longer.
    pub(crate) fn set(&mut self, scene: &Scene, agent: Agent, stop: Stop, on: bool, all: bool) {
        let Some(place) = place(scene, &stop) else { return };
        self.breakpoints.remove(agent, place);
        self.points.retain(|point| (point.agent, point.place) != (agent, place));
        if on {
            self.breakpoints.add(agent, place);
            self.points.push(Point { agent, place, stop, all });
        }
    }

    /// An agent stands still.
    pub(crate) fn hold(&mut self, crowd: &mut Crowd, agent: Agent) {
        if crowd.sleep(agent).is_ok() && !self.held.contains(&agent) {
            self.held.push(agent);
        }
    }

    /// An agent goes on, whoever held it.
    pub(crate) fn release(&mut self, crowd: &mut Crowd, agent: Agent) {
        self.held.retain(|held| *held != agent);
        // It is there.
        let _ = self.breakpoints.go_on(crowd, agent);
    }

    /// An agent that stands still has one tick.
    pub(crate) fn walk(&mut self, crowd: &mut Crowd, agent: Agent) {
        if crowd.sleeps(agent) == Ok(true) {
            self.held.retain(|held| *held != agent);
            // It is there.
            let _ = self.breakpoints.step(crowd, agent);
        }
    }

    /// After a tick: lets those stand still who have come to where they stop, and tells of them. Whether all are to be paused;
    /// `None` if nobody has stopped.
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

    /// The trees are others: what is still there goes on, known by its stable key or its name; the rest is given up.
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

/// What an agent stops at; `None` if there is no such thing.
fn place(scene: &Scene, stop: &Stop) -> Option<Breakpoint> {
    let variable = stop.variable.and_then(|place| scene.variables.get(place as usize)).copied();
    stop.node.map(Breakpoint::Node).or(variable.map(Breakpoint::Variable))
}
