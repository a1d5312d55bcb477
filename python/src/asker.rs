//! The host of a crowd: asks functions of Python, and answers for scripted leaves.

use crate::answers::{Numbers, answers, numbers, spread, statuses};
use crate::batches::Batches;
use crate::call::{PyBatch, PyCall, arguments, batch_arguments, give, text_object};
use crate::errors::ErrorClass;
use crate::failures::Failures;
use crate::host::{BoundLeaf, Callback, Leaf, LeafTable};
use crate::scripted::Draws;
use pleach::host::{Effect, LogKind};
use pleach::values::Type;
use pleach::{Agent, Batch, Call, Function, Halt, Host, Program, Status};
use pleach_sweep::{CallCounts, ScriptedAction};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;

/// Host of a crowd.
pub(crate) struct Asker {
    pub(crate) table: Arc<LeafTable>,
    /// Program of the crowd; `None` while a program is linked.
    pub(crate) program: Option<Program>,
    pub(crate) seed: u64,
    pub(crate) counts: CallCounts,
    pub(crate) failures: Failures,
}

/// Failure of a function of Python, which has been noted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

/// Ends the ticks of the agents that ask, as a fault. The panic hook is not invoked.
pub(crate) fn fault() -> ! {
    resume_unwind(Box::new(()))
}

/// Asks a host for one agent as for many.
pub(crate) fn act_alone(host: &mut impl Host, call: &mut Call<'_>) -> Status {
    let mut out = [Status::Failure];
    call.alone(|batch| host.act_all(batch, &mut out));
    let [status] = out;
    status
}

/// Asks a query for one agent as for many.
pub(crate) fn query_alone(host: &mut impl Host, call: &mut Call<'_>) -> f64 {
    let mut out = [0.0];
    call.alone(|batch| host.query_all(batch, &mut out));
    let [answer] = out;
    answer
}

impl Asker {
    /// Returns a host with these functions.
    pub(crate) fn new(table: Arc<LeafTable>, program: Option<Program>, seed: u64) -> Self {
        Self { table, program, seed, counts: CallCounts::default(), failures: Failures::default() }
    }

    /// Asks a function of Python for many agents. A failure is noted.
    fn ask_many(
        &mut self,
        mut batches: Batches<'_>,
        callback: &Callback,
        read: impl FnOnce(&Bound<'_, PyAny>, &mut Batches<'_>) -> PyResult<()>,
    ) -> Result<(), Failed> {
        let program = self.program.as_ref();
        let batches = &mut batches;
        let answer = Python::attach(|py| {
            let arguments = batch_arguments(py, batches)?;
            let Some(program) = program else { return Err(PyValueError::new_err("no crowd")) };
            let object = Bound::new(py, PyBatch::new(program))?;
            let arguments = std::iter::once(object.clone().into_any()).chain(arguments);
            let arguments = PyTuple::new(py, arguments.collect::<Vec<_>>())?;
            let answer = object.get().lent.during(batches, || callback.bind(py).call1(arguments))?;
            read(&answer, batches)
        });
        answer.map_err(|error| {
            self.fail(batches.first().function, batches.agents(), error);
            Failed
        })
    }

    /// Asks the function of an action for many agents. There are places for the answers of each
    /// batch.
    pub(crate) fn act_many(
        &mut self,
        batches: Batches<'_>,
        callback: &Callback,
        out: &mut [&mut [Status]],
    ) -> Result<(), Failed> {
        self.ask_many(batches, callback, |answer, batches| {
            let values = given(statuses(answer, out)?, batches.len())?;
            match values.is_empty() {
                true => Ok(()),
                false => batches.each(|index, call| give_all(&values, index, call)),
            }
        })
    }

    /// Asks the function of a query for many agents. See [`Self::act_many`].
    pub(crate) fn query_many(
        &mut self,
        batches: Batches<'_>,
        callback: &Callback,
        out: &mut [&mut [f64]],
    ) -> Result<(), Failed> {
        self.ask_many(batches, callback, |answer, batches| {
            let places = batches.first_mut().call(0).map_or(0..0, |call| answer_places(&call));
            if places.is_empty() {
                return answers(answer, out);
            }
            let parts = parts(answer, places.len(), batches.len())?;
            spread(out, &parts[0]);
            batches.each(|index, call| {
                for (place, part) in places.clone().zip(&parts) {
                    // It is an out argument, which takes any number.
                    let _ = give(call, place, part.at(index));
                }
                Ok(())
            })
        })
    }

    /// Asks a function of Python for one agent. A reason comes before the arguments.
    fn ask_one<R>(
        &self,
        call: &mut Call<'_>,
        callback: &Callback,
        reason: Option<&str>,
        read: impl FnOnce(&Bound<'_, PyAny>, &mut Call<'_>) -> PyResult<R>,
    ) -> PyResult<R> {
        let program = self.program.as_ref();
        Python::attach(|py| {
            let Some(program) = program else { return Err(PyValueError::new_err("no crowd")) };
            let object = Bound::new(py, PyCall::new(program))?;
            let mut all = vec![object.clone().into_any()];
            if let Some(reason) = reason {
                all.push(reason.into_pyobject(py)?.into_any());
            }
            all.extend(arguments(py, call)?);
            let all = PyTuple::new(py, all)?;
            let answer = object.get().lent.during(call, || callback.bind(py).call1(all))?;
            read(&answer, call)
        })
    }

    /// Asks the function of an action for one agent.
    fn act_one(&self, call: &mut Call<'_>, callback: &Callback) -> PyResult<Status> {
        self.ask_one(call, callback, None, |answer, call| {
            let mut out = [Status::Failure];
            let values = given(statuses(answer, &mut [&mut out])?, 1)?;
            give_all(&values, 0, call)?;
            let [status] = out;
            Ok(status)
        })
    }

    /// Asks the function of a query for one agent.
    fn query_one(&self, call: &mut Call<'_>, callback: &Callback) -> PyResult<f64> {
        self.ask_one(call, callback, None, |answer, call| {
            let places = answer_places(call);
            let parts = parts(answer, places.len(), 1)?;
            for (place, part) in places.zip(&parts) {
                // It is an out argument, which takes any number.
                let _ = give(call, place, part.at(0));
            }
            Ok(parts[0].at(0).float())
        })
    }

    /// Asks for one agent after the other. A failure is the fault of all agents of the batch.
    fn each<T>(
        &mut self,
        batch: &mut Batch<'_>,
        out: &mut [T],
        ask: impl Fn(&Self, &mut Call<'_>) -> PyResult<T>,
    ) {
        for (index, out) in out.iter_mut().enumerate() {
            match batch.call(index).map(|mut call| ask(self, &mut call)) {
                Some(Ok(answer)) => *out = answer,
                Some(Err(error)) => {
                    self.fail(batch.function, batch.agents(), error);
                    fault()
                }
                None => break,
            }
        }
    }

    /// Notes the failure of a function.
    fn fail(&mut self, function: u32, agents: impl IntoIterator<Item = Agent>, error: PyErr) {
        let name = self.table.leaves.get(function as usize).map(|leaf| leaf.name.clone());
        self.failures.add(name.unwrap_or_else(|| "log".into()), agents, error);
    }

    /// Fails a call that what is bound to the name cannot answer. Linking reads a column instead of
    /// asking, but only if the query has no arguments and is bound to the column already.
    fn misplaced(&mut self, batch: &Batch<'_>) -> ! {
        let error = ErrorClass::Pleach.because(
            "the query was bound to a column after the program was linked, or it has arguments, which no column has",
        );
        self.fail(batch.function, batch.agents(), error);
        fault()
    }

    fn leaf(&self, function: u32) -> Leaf {
        match self.table.leaves.get(function as usize) {
            Some(leaf) => leaf.leaf.clone(),
            None => fault(),
        }
    }

    /// Answers for a scripted action.
    fn script(&mut self, batch: &mut Batch<'_>, action: ScriptedAction, out: &mut [Status]) {
        if let Some(status) = action.certain() {
            out.fill(status);
            return;
        }
        let draws = Draws::new(self.seed, batch.node, batch.function, batch.now);
        if !action.counts() {
            for (agent, out) in batch.agents().zip(out) {
                *out = action.status(draws.of(agent), 1);
            }
            return;
        }
        let most = batch.agents().map(Agent::index).max().unwrap_or(0);
        let counts = self.counts.of(batch.node, most);
        for (index, (agent, out)) in batch.agents().zip(out).enumerate() {
            let count = &mut counts[agent.index()];
            *count = if batch.fresh(index) { 1 } else { count.saturating_add(1) };
            *out = action.status(draws.of(agent), *count);
        }
    }
}

/// Gives values by the out arguments of a call.
fn give_all(values: &[Option<Numbers>], index: usize, call: &mut Call<'_>) -> PyResult<()> {
    let places: Vec<_> = (0..call.args.len()).filter(|place| call.args.is_out(*place)).collect();
    if values.len() > places.len() {
        let (found, expected) = (values.len(), places.len());
        return Err(PyValueError::new_err(format!(
            "the action has {expected} out arguments, and {found} values were returned"
        )));
    }
    for (place, value) in places.into_iter().zip(values) {
        if let Some(value) = value {
            // It is an out argument, which takes any number.
            let _ = give(call, place, value.at(index));
        }
    }
    Ok(())
}

/// Reads the values of out arguments. `None` gives nothing.
fn given(values: Vec<Bound<'_, PyAny>>, count: usize) -> PyResult<Vec<Option<Numbers>>> {
    let read = |value: Bound<'_, PyAny>| match value.is_none() {
        true => Ok(None),
        false => numbers(&value, count).map(Some),
    };
    values.into_iter().map(read).collect()
}

/// Returns the places of the arguments by which a query answers what no `f64` holds: one, or the
/// parts of a vector.
fn answer_places(call: &Call<'_>) -> Range<usize> {
    let count = call.args.len();
    let outs = (0..count).rev().take_while(|place| call.args.is_out(*place)).count();
    count - outs..count
}

/// Returns the parts of the answer of a query for some agents: those of the tuple for a vector,
/// else the answer itself.
fn parts(answer: &Bound<'_, PyAny>, places: usize, agents: usize) -> PyResult<Vec<Numbers>> {
    if places < 2 {
        return Ok(vec![numbers(answer, agents)?]);
    }
    match answer.cast::<PyTuple>() {
        Ok(parts) if parts.len() == places => parts.iter().map(|part| numbers(&part, agents)).collect(),
        _ => Err(PyTypeError::new_err(format!("the answer is a vector: expected a tuple of {places} parts"))),
    }
}

impl Host for Asker {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.table.number(function, name)
    }

    fn names(&self, function: Function) -> Vec<String> {
        let of_kind = self.table.leaves.iter().filter(|leaf| leaf.kind == function);
        of_kind.map(|leaf| leaf.name.to_string()).collect()
    }

    fn effect(&self, _: Function, function: u32) -> Effect {
        self.table.leaves.get(function as usize).map_or(Effect::Own, |leaf| leaf.effect)
    }

    fn column(&self, query: u32) -> Option<Type> {
        match self.table.leaves.get(query as usize)?.leaf {
            Leaf::Column(ty) => Some(ty),
            _ => None,
        }
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        let Some(knows) = self.table.knows.clone() else { return true };
        let kind = if function == Function::Action { "action" } else { "query" };
        let name = self.table.leaves.get(number as usize).map(|leaf| leaf.name.clone());
        let answer =
            Python::attach(|py| knows.bind(py).call1((kind, name.as_deref(), agent.to_bits()))?.is_truthy());
        answer.unwrap_or_else(|error| {
            self.fail(number, [agent], error);
            fault()
        })
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        act_alone(self, call)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        query_alone(self, call)
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        let bound = self.table.leaves.get(call.function as usize);
        let Some(halted) = bound.and_then(|leaf: &BoundLeaf| leaf.halted.clone()) else { return };
        let reason = match reason {
            Halt::Reset => "reset",
            Halt::Switched => "switched",
            Halt::Despawned => "despawned",
            Halt::Interrupted => "interrupted",
            Halt::Ended => "ended",
        };
        // The action has ended already, so a failure is noted and ends nothing.
        if let Err(error) = self.ask_one(call, &halted, Some(reason), |_, _| Ok(())) {
            self.fail(call.function, [call.agent], error);
        }
    }

    fn log(&mut self, agent: Agent, node: u32, kind: LogKind, text: &[u8]) {
        let Some(log) = self.table.log.clone() else { return };
        let kind = match kind {
            LogKind::Message => "message",
            LogKind::Start => "start",
            LogKind::Success => "success",
            LogKind::Failure => "failure",
        };
        let told = Python::attach(|py| {
            log.bind(py).call1((agent.to_bits(), node, kind, text_object(py, text)?)).map(|_| ())
        });
        if let Err(error) = told {
            self.fail(u32::MAX, [agent], error);
        }
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        match self.leaf(batch.function) {
            Leaf::Action(action) => self.script(batch, action, out),
            Leaf::Each(callback) => self.each(batch, out, |asker, call| asker.act_one(call, &callback)),
            Leaf::Many(callback) => {
                let asked = self.act_many(Batches::new(vec![&mut batch.reborrow()]), &callback, &mut [out]);
                asked.unwrap_or_else(|Failed| fault());
            }
            Leaf::Query(_) | Leaf::Column(_) => self.misplaced(batch),
        }
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        match self.leaf(batch.function) {
            Leaf::Query(chance) => {
                let draws = Draws::new(self.seed, batch.node, batch.function, batch.now);
                for (agent, out) in batch.agents().zip(out) {
                    *out = f64::from(u8::from(draws.of(agent) < chance));
                }
            }
            Leaf::Each(callback) => self.each(batch, out, |asker, call| asker.query_one(call, &callback)),
            Leaf::Many(callback) => {
                let asked = self.query_many(Batches::new(vec![&mut batch.reborrow()]), &callback, &mut [out]);
                asked.unwrap_or_else(|Failed| fault());
            }
            Leaf::Action(_) | Leaf::Column(_) => self.misplaced(batch),
        }
    }
}
