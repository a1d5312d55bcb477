//! Observation of a ticked crowd, and the data that pages get from it.

use crate::messages::{Counts, FAULT, Moment, NOT_TICKED, Number};
use crate::scene::Scene;
use pleach::values::TunableScope;
use pleach::watch::{LogSource, Statistics, TraceCapacity, TraceEvent, TracedTick, Traces, Watchers};
use pleach::{Agent, Crowd, EventTarget, Group, Outcome, Status};
use pleach_image::listing;
use std::num::NonZeroU32;

/// Capacity of an agent's trace.
const ROOM: TraceCapacity = TraceCapacity { rows: 1 << 15, text: 1 << 16 };
/// Maximum number of letters of a log text. Longer texts are cut.
const MOST_SAID: usize = 1_000;
/// Maximum number of events of a tick.
const MOST_EVENTS: usize = 1_000;

/// Crowd or recording that can be ticked with any watchers.
pub(crate) trait Ticks {
    type Done;
    fn tick(self) -> Self::Done;
    fn tick_watched<W: Watchers>(self, watchers: &mut W) -> Self::Done;
}

#[derive(Debug)]
pub(crate) struct Watching {
    traces: Traces,
    statistics: Option<Counted>,
    /// Events before the newest tick, and their targets.
    events: Vec<(String, EventTarget)>,
    /// Events since the newest tick.
    coming: Vec<(String, EventTarget)>,
}

/// Counts of nodes.
#[derive(Debug)]
struct Counted {
    statistics: Statistics,
    every: u32,
    /// Sum of each node's running agents over all ticks before the last one.
    before: Vec<u64>,
}

impl Watching {
    pub(crate) fn new(scene: &Scene) -> Self {
        Self { traces: Traces::new(&scene.image), statistics: None, events: Vec::new(), coming: Vec::new() }
    }

    /// Watches these agents and no others.
    pub(crate) fn watch(&mut self, agents: &[Agent]) {
        let others: Vec<_> = self.traces.agents().filter(|agent| !agents.contains(agent)).collect();
        others.into_iter().for_each(|agent| self.traces.forget(agent));
        for agent in agents {
            if self.traces.of(*agent).is_none() {
                self.traces.watch(*agent, ROOM);
            }
        }
    }

    pub(crate) fn traces(&self) -> &Traces {
        &self.traces
    }

    /// Counts every n-th agent; 0 stops counting.
    pub(crate) fn count(&mut self, scene: &Scene, every: u32) {
        self.statistics = NonZeroU32::new(every).map(|n| Counted {
            statistics: Statistics::new(&scene.image).every(n),
            every,
            before: Vec::new(),
        });
    }

    /// Returns n if every n-th agent is counted; 0 if none is.
    pub(crate) fn counted(&self) -> u32 {
        self.statistics.as_ref().map_or(0, |counted| counted.every)
    }

    pub(crate) fn clear_counts(&mut self) {
        if let Some(counted) = &mut self.statistics {
            counted.statistics.clear();
            counted.before.clear();
        }
    }

    /// Ticks with the watchers that have something to observe.
    pub(crate) fn tick<T: Ticks>(&mut self, what: T) -> T::Done {
        let is_anybody = self.traces.agents().len() > 0;
        let traces = is_anybody.then_some(&mut self.traces);
        if let Some(Counted { statistics, before, .. }) = &mut self.statistics {
            before.clear();
            before.extend(statistics.nodes().map(|(_, node)| node.ticks));
        }
        match (traces, self.statistics.as_mut().map(|counted| &mut counted.statistics)) {
            (None, None) => what.tick(),
            (Some(traces), None) => what.tick_watched(traces),
            (None, Some(statistics)) => what.tick_watched(statistics),
            (Some(traces), Some(statistics)) => what.tick_watched(&mut (traces, statistics)),
        }
    }

    /// Returns the counts.
    pub(crate) fn counts(&self) -> Option<Counts> {
        let Counted { statistics, every, before } = self.statistics.as_ref()?;
        let mut counts = Counts { ticks: statistics.agent_ticks(), every: *every, ..Counts::default() };
        for (id, node) in statistics.nodes() {
            counts.entries.push(node.entries);
            counts.successes.push(node.successes);
            counts.failures.push(node.failures);
            counts.others.push(node.others);
            counts.aborts.push(node.aborts);
            counts.running.push(node.ticks - before.get(id as usize - 1).copied().unwrap_or(node.ticks));
            counts.time.push(node.time);
            counts.calls.push(node.calls);
        }
        Some(counts)
    }

    /// Returns the nodes that an agent ran in the newest tick, and its current values.
    pub(crate) fn moment(&self, scene: &Scene, crowd: &Crowd, agent: Agent, now: i64) -> Moment {
        let mut moment = Moment { now, agent: agent.index(), ..Moment::default() };
        let own = scene.variables.iter().map(|it| crowd.number(agent, *it).ok().map(Number));
        moment.variables = own.collect();
        let shared = scene.shared.iter().map(|it| crowd.shared(*it, Group::default()).ok().map(Number));
        moment.shared = shared.collect();
        let tuned = scene.tunables.iter().map(|it| match it.scope {
            TunableScope::Crowd => crowd.tuned(&it.name).ok().map(Number),
            TunableScope::Agent => crowd.tuned_agent(agent, &it.name).ok().map(Number),
        });
        moment.tunables = tuned.collect();
        let concerns = |to: &EventTarget| [EventTarget::All, EventTarget::Agent(agent)].contains(to);
        let heard = self.events.iter().filter(|(_, to)| concerns(to)).map(|(name, _)| name.clone());
        moment.events = heard.collect();
        let last = self.traces.of(agent).and_then(|trace| trace.last()).filter(|tick| tick.now == now);
        match (last, crowd.outcome(agent), crowd.sleeps(agent)) {
            (Some(tick), ..) => walk(scene, &tick, &mut moment),
            (None, Err(_), _) => (moment.status, moment.outcome) = (NOT_TICKED, "it is gone".to_owned()),
            (None, Ok(_), Ok(true)) => {
                (moment.status, moment.outcome) = (NOT_TICKED, "it stands still".to_owned());
            }
            (None, Ok(None), _) => {
                (moment.status, moment.outcome) = (NOT_TICKED, "it has not been ticked yet".to_owned());
            }
            (None, Ok(Some(outcome)), _) => {
                (moment.status, moment.outcome) = (status_of(outcome), outcome.to_string());
            }
        }
        moment
    }

    /// Records an event for one agent or all.
    pub(crate) fn hear(&mut self, name: &str, to: EventTarget) {
        if self.coming.len() < MOST_EVENTS {
            self.coming.push((name.to_owned(), to));
        }
    }

    /// Ends a tick: the events since the tick before belong to it.
    pub(crate) fn ticked(&mut self) {
        self.events = std::mem::take(&mut self.coming);
    }
}

/// Fills in the nodes that an agent ran in a tick.
fn walk(scene: &Scene, tick: &TracedTick<'_>, moment: &mut Moment) {
    let image = &scene.image;
    (moment.status, moment.outcome, moment.walked) =
        (status_of(tick.outcome), tick.outcome.to_string(), true);
    for line in tick.lines(image) {
        match line.event {
            TraceEvent::Ended { node, status, test } => {
                moment.nodes.push((node, status, line.depth, 0, test.map(u8::from)));
            }
            TraceEvent::Acted { node, fresh, status, .. } => {
                moment.nodes.push((node, number_of(status), line.depth, fresh.into(), None));
            }
            TraceEvent::Asked { owner, site, answer } => {
                moment.values.push((owner, listing::site(image, site), Number(answer)));
            }
            TraceEvent::Held { owner, variable, shared, value } => {
                moment.values.push((owner, variable_name(scene, variable, shared), Number(value)));
            }
            // The page shows the nodes that ran, and a halted node did not.
            TraceEvent::Halted { .. } => {}
            TraceEvent::Looked { owner, to, .. } => {
                let leads = to.map_or("transition".to_owned(), |to| {
                    format!("transition to {}", listing::label(image, to))
                });
                moment.values.push((owner, leads, Number(f64::from(u8::from(to.is_some())))));
            }
            TraceEvent::Said { node, by, text } => {
                let who = if by == LogSource::Host { "host" } else { "log" };
                moment.said.push((node, who, text.chars().take(MOST_SAID).collect()));
            }
        }
    }
}

fn variable_name(scene: &Scene, variable: u16, shared: bool) -> String {
    let (image, row) = (&scene.image, usize::from(variable));
    let name = if shared {
        image.shared().get(row).map(|row| image.name(row.name))
    } else {
        image.slots().get(row).map(|row| image.name(row.name))
    };
    name.filter(|name| !name.is_empty()).map_or_else(|| format!("slot {variable}"), str::to_owned)
}

/// Returns the number of a status in messages.
pub(crate) fn number_of(status: Status) -> u32 {
    match status {
        Status::Failure => 0,
        Status::Success => 1,
        Status::Running => 2,
        Status::Other(_) => 3,
    }
}

/// Returns the number of an outcome in messages.
pub(crate) fn status_of(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Status(status) => number_of(status),
        Outcome::Fault(_) => FAULT,
    }
}
