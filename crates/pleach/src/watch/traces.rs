//! The traces of chosen agents.

use super::ring::{Looks, Trace, TraceCapacity};
use super::rows::TraceRow;
use crate::crowd::Crowd;
use crate::crowd::watchers::{LaneId, LaneMask, Watchers};
use crate::store::agents::Place;
use crate::store::chunk::bits_of;
use crate::values::{Agent, Outcome};
use alloc::sync::Arc;
use alloc::vec::Vec;
use pleach_image::Image;
use pleach_image::isa::{Op, StackOp};

/// Traces of the last ticks of chosen agents. [`Crowd::tick_watched`] fills them.
#[derive(Debug)]
pub struct Traces {
    looks: Arc<Looks>,
    agents: Vec<Watched>,
    now: i64,
}

/// An agent that is watched, and where it is in this tick.
#[derive(Debug)]
struct Watched {
    agent: Agent,
    place: Option<Place>,
    trace: Trace,
}

impl Traces {
    /// Returns traces that watch no agent. `image` is the image of the crowd's program.
    #[must_use]
    pub fn new<D: AsRef<[u8]>>(image: &Image<D>) -> Self {
        Self { looks: Arc::new(Looks::of(image)), agents: Vec::new(), now: 0 }
    }

    /// Begins to watch an agent with its next tick. If the agent is watched already, its trace is
    /// emptied. All memory of the trace is allocated here.
    pub fn watch(&mut self, agent: Agent, room: TraceCapacity) {
        self.forget(agent);
        self.agents.push(Watched { agent, place: None, trace: Trace::new(&self.looks, room) });
    }

    /// Stops watching an agent and removes its trace.
    pub fn forget(&mut self, agent: Agent) {
        self.agents.retain(|watched| watched.agent != agent);
    }

    /// Returns the watched agents. An agent that is gone stays until it is forgotten.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = Agent> + '_ {
        self.agents.iter().map(|watched| watched.agent)
    }

    /// Returns the trace of a watched agent.
    #[must_use]
    pub fn of(&self, agent: Agent) -> Option<&Trace> {
        self.agents.iter().find(|watched| watched.agent == agent).map(|watched| &watched.trace)
    }

    fn at(&mut self, at: LaneId) -> Option<&mut Trace> {
        let is_there = |place: Place| (place.chunk as usize, place.lane) == at;
        let watched = self.agents.iter_mut().find(|watched| watched.place.is_some_and(is_there));
        watched.map(|watched| &mut watched.trace)
    }
}

impl Watchers for Traces {
    type Watch<'a> = &'a mut Trace;

    fn begin(&mut self, crowd: &Crowd, now: i64) {
        self.now = now;
        for watched in &mut self.agents {
            watched.place = crowd.agents.find(watched.agent).ok();
        }
    }

    fn seen(&mut self, chunk: usize) -> LaneMask {
        let places = self.agents.iter().filter_map(|watched| watched.place);
        bits_of(places.filter(|place| place.chunk as usize == chunk).map(|place| place.lane))
    }

    fn watch(&mut self, at: LaneId, _: Agent) -> Option<Self::Watch<'_>> {
        let now = self.now;
        let trace = self.at(at)?;
        trace.put(TraceRow::Begin(now));
        Some(trace)
    }

    fn ticked(&mut self, at: LaneId, _: Agent, outcome: Outcome) {
        if let Some(trace) = self.at(at) {
            trace.end(outcome);
        }
    }
}

impl Looks {
    /// Returns the variables that conditions of an image look at.
    fn of<D: AsRef<[u8]>>(image: &Image<D>) -> Self {
        let mut variables = Vec::new();
        let mut of_condition = Vec::new();
        for condition in 0..image.conditions().len() as u32 {
            let first = variables.len();
            for word in image.condition(condition) {
                let variable = match word.op() {
                    Some(StackOp::Slot | StackOp::Bit) => (word.a, false),
                    Some(StackOp::Shared | StackOp::SharedBit) => (word.a, true),
                    _ => continue,
                };
                if !variables[first..].contains(&variable) {
                    variables.push(variable);
                }
            }
            of_condition.push(first as u32..variables.len() as u32);
        }
        let of_word = image.code().iter().map(|word| match word.op() {
            Some(Op::Cond) => of_condition[usize::from(word.a)].clone(),
            _ => 0..0,
        });
        Self { of_word: of_word.collect(), variables }
    }
}
