//! Traces of agents, and counts of what nodes do.

use super::{CrowdState, PyCrowd, outcome_number};
use crate::errors::{ErrorClass, OrRaise};
use numpy::PyArray1;
use pleach::watch::{
    LogSource, NodeStatistics, Statistics, Trace, TraceCapacity, TraceEvent, TracedTick as Traced, Traces,
};
use pleach::{Agent, Image};
use pleach_image::{EnumSubject, listing};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::num::NonZeroU32;

/// Column of a table of counts: its name, and the count of a node.
type Column = (&'static str, fn(&NodeStatistics) -> u64);

/// Tick of a traced agent.
#[pyclass(module = "pleach", frozen, get_all)]
pub(crate) struct TracedTick {
    /// Time of the tick.
    now: i64,
    /// Outcome of the tick, and the number of a status outside the three.
    outcome: (i8, i32),
    /// Depth and text of each event, in the order of the tree.
    lines: Vec<(usize, String)>,
}

#[pymethods]
impl TracedTick {
    fn __str__(&self) -> String {
        let line = |(depth, text): &(usize, String)| format!("{}{text}\n", "  ".repeat(*depth));
        self.lines.iter().map(line).collect()
    }

    fn __repr__(&self) -> String {
        format!("<TracedTick at {}: {} lines>", self.now, self.lines.len())
    }
}

/// Returns the text for an event; `None` for events without words.
fn text(image: &Image, event: &TraceEvent) -> String {
    let status =
        |number: u32| ["failure", "success", "running"].get(number as usize).copied().unwrap_or("other");
    match event {
        TraceEvent::Asked { site, answer, .. } => format!("{} = {answer}", listing::site(image, *site)),
        TraceEvent::Held { variable, shared, value, .. } => {
            let row = u32::from(*variable);
            let (name, subject) = match shared {
                true => (image.shared().get(row as usize).map(|row| row.name), EnumSubject::Shared(row)),
                false => (image.slots().get(row as usize).map(|row| row.name), EnumSubject::Slot(row)),
            };
            let name = name.map_or("?", |name| image.name(name));
            match image.member(subject, *value) {
                Some(member) => format!("{name} = {member}"),
                None => format!("{name} = {value}"),
            }
        }
        TraceEvent::Acted { site, fresh, status, .. } => {
            let begins = if *fresh { " (begins)" } else { "" };
            format!("{}: {}{begins}", listing::site(image, *site), status)
        }
        TraceEvent::Halted { site, .. } => format!("{}: halted", listing::site(image, *site)),
        TraceEvent::Said { by: LogSource::Log(_), text, .. } => format!("log: {text}"),
        TraceEvent::Said { text, .. } => text.clone(),
        TraceEvent::Looked { condition, to, .. } => match to {
            Some(state) => format!("condition {condition} leads to {}", listing::label(image, *state)),
            None => format!("condition {condition} does not hold"),
        },
        TraceEvent::Ended { node, status: number, .. } => {
            format!("{}: {}", listing::label(image, *node), status(*number))
        }
    }
}

fn traced(image: &Image, tick: &Traced<'_>) -> TracedTick {
    let lines = tick.lines(image).into_iter().map(|line| (line.depth, text(image, &line.event)));
    TracedTick { now: tick.now, outcome: outcome_number(Some(tick.outcome)), lines: lines.collect() }
}

#[pymethods]
impl PyCrowd {
    /// Begins to count what nodes do, of agents whose index is a multiple of `every`.
    #[pyo3(signature = (every=1))]
    fn count_nodes(&self, every: u32) -> PyResult<()> {
        let every = NonZeroU32::new(every)
            .ok_or_else(|| PyValueError::new_err("`every` is the distance of counted agents: 1 or more"))?;
        self.read(|state| {
            state.statistics = Some(Statistics::new(&*state.image.get().image).every(every));
            Ok(())
        })
    }

    /// Returns the counts of nodes as columns.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (nodes, counts) = self.read(|state| {
            let Some(statistics) = &state.statistics else {
                return Err(ErrorClass::Pleach.because("nothing is counted: call count_nodes() first"));
            };
            let (ids, counts): (Vec<_>, Vec<_>) = statistics.nodes().unzip();
            Ok((ids.into_iter().map(|id| state.image.get().node(id)).collect::<Vec<_>>(), counts))
        })?;
        let table = PyDict::new(py);
        table.set_item("node", PyArray1::from_iter(py, nodes.iter().map(|node| node.id)))?;
        table.set_item("label", nodes.iter().map(|node| &*node.label).collect::<Vec<_>>())?;
        table.set_item("file", nodes.iter().map(|node| &*node.file).collect::<Vec<_>>())?;
        table.set_item("line", PyArray1::from_iter(py, nodes.iter().map(|node| node.line)))?;
        let columns: [Column; 8] = [
            ("entries", |it| it.entries),
            ("successes", |it| it.successes),
            ("failures", |it| it.failures),
            ("others", |it| it.others),
            ("aborts", |it| it.aborts),
            ("ticks", |it| it.ticks),
            ("time", |it| it.time),
            ("calls", |it| it.calls),
        ];
        for (name, of) in columns {
            table.set_item(name, PyArray1::from_iter(py, counts.iter().map(of)))?;
        }
        Ok(table)
    }

    /// Begins to trace an agent.
    fn watch(&self, id: u64) -> PyResult<()> {
        self.read(|state| {
            let agent = Agent::from_bits(id);
            state.crowd.outcome(agent).or_raise()?;
            let CrowdState { traces, image, .. } = state;
            let traces = traces.get_or_insert_with(|| Traces::new(&*image.get().image));
            traces.watch(agent, TraceCapacity::default());
            Ok(())
        })
    }

    /// Stops tracing an agent.
    fn unwatch(&self, id: u64) -> PyResult<()> {
        self.read(|state| {
            let agent = Agent::from_bits(id);
            state.traces = state.traces.take().filter(|traces| traces.agents().any(|other| other != agent));
            state.traces.iter_mut().for_each(|traces| traces.forget(agent));
            Ok(())
        })
    }

    /// Returns the last ticks of a traced agent.
    fn trace(&self, id: u64) -> PyResult<Vec<TracedTick>> {
        self.read(|state| {
            let trace = state.traces.as_ref().and_then(|traces| traces.of(Agent::from_bits(id)));
            let trace: &Trace = trace.ok_or_else(|| {
                ErrorClass::Pleach.because(format!("the agent {id} is not traced: call watch({id}) first"))
            })?;
            Ok(trace.ticks().map(|tick| traced(&state.image.get().image, &tick)).collect())
        })
    }
}
