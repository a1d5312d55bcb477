//! Agents of a program: the class `Crowd`.

mod agents;
mod depth;
mod saving;
mod serving;
mod shared;
mod table;
mod tunables;
mod variables;
mod view;
mod watching;

pub(crate) use saving::Snapshot;
pub(crate) use serving::PyView;
pub(crate) use shared::PyGroup;
pub(crate) use table::PyTable;
pub(crate) use watching::TracedTick;

use crate::asker::Asker;
use crate::columns::{Run, runs};
use crate::errors::ErrorClass;
use crate::host::PyHost;
use crate::image::PyImage;
use crate::program::PyProgram;
use crate::tally::PyTally;
use crate::together::{self, Stacks};
use depth::Level;
use pleach::engine::{Engine, Vectors};
use pleach::record::Recorder;
use pleach::watch::{ObservedHost, Statistics, Traces, WithObserver};
use pleach::{Agent, Crowd, Host, Outcome, Tally};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use serving::SharedView;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, TryLockError, Weak};
use std::time::{Duration, Instant};

/// Time after which a run looks for signals.
const PATIENCE: Duration = Duration::from_millis(50);

/// Crowd with all that belongs to it.
pub(crate) struct CrowdState {
    pub(crate) crowd: Crowd,
    pub(crate) asker: Asker,
    /// True if functions of Python for many agents are bound.
    asks_many: bool,
    pub(crate) image: Py<PyImage>,
    pub(crate) host: Py<PyHost>,
    /// Agents in the order of arrays.
    pub(crate) ids: Vec<Agent>,
    /// Places of the agents in this order; `None` if they have changed.
    runs: Option<Vec<Run>>,
    /// Time of the last tick.
    pub(crate) now: i64,
    pub(crate) recorder: Option<Recorder>,
    traces: Option<Traces>,
    statistics: Option<Statistics>,
    stacks: Stacks,
    /// View, which the object of Python keeps.
    view: Weak<SharedView>,
}

/// Place of a crowd, which its views keep alive.
pub(crate) struct CrowdCell {
    state: Mutex<CrowdState>,
    /// Number of views. While there are any, the crowd must not change.
    views: AtomicUsize,
}

/// Agents of a program.
#[pyclass(name = "Crowd", module = "pleach", frozen)]
pub(crate) struct PyCrowd(pub(crate) Arc<CrowdCell>);

impl CrowdCell {
    fn with<R>(&self, work: impl FnOnce(&mut CrowdState) -> PyResult<R>) -> PyResult<R> {
        match self.state.try_lock() {
            Ok(mut state) => work(&mut state),
            Err(TryLockError::WouldBlock) => {
                Err(ErrorClass::Busy.because("the crowd is in use: by another thread, or by its own tick"))
            }
            Err(TryLockError::Poisoned(_)) => {
                Err(ErrorClass::Pleach.because("a defect of the library has damaged the crowd"))
            }
        }
    }

    /// Adds a view.
    pub(crate) fn hold(&self) {
        self.views.fetch_add(1, Ordering::AcqRel);
    }

    /// Removes a view.
    pub(crate) fn release(&self) {
        self.views.fetch_sub(1, Ordering::AcqRel);
    }
}

impl PyCrowd {
    /// Does work that changes nothing of the agents.
    pub(crate) fn read<R>(&self, work: impl FnOnce(&mut CrowdState) -> PyResult<R>) -> PyResult<R> {
        self.0.with(work)
    }

    /// Does work that may change the agents, and raises what functions of the host have raised.
    pub(crate) fn change<R>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut CrowdState) -> PyResult<R>,
    ) -> PyResult<R> {
        let _level = Level::enter()?;
        self.0.with(|state| {
            match self.0.views.load(Ordering::Acquire) {
                0 => {}
                views => {
                    let why = format!("the crowd has {views} views: delete them before it changes");
                    return Err(ErrorClass::Busy.because(why));
                }
            }
            state.bind();
            let result = work(state);
            state.asker.failures.raise(py, None)?;
            result
        })
    }
}

/// Does work with a host, which is recorded if there is a recorder.
pub(crate) fn observed<R>(
    asker: &mut Asker,
    recorder: &mut Option<Recorder>,
    work: impl FnOnce(&mut WithObserver<'_, dyn Host + '_>) -> R,
) -> R {
    match recorder {
        Some(recorder) => {
            let mut recording = recorder.around(asker);
            let (host, observer) = recording.split();
            work(&mut WithObserver { host, observer })
        }
        None => work(&mut WithObserver { host: asker, observer: None }),
    }
}

impl CrowdState {
    /// Returns where the agents are, in their order.
    pub(crate) fn runs(&mut self) -> PyResult<&[Run]> {
        let runs = match self.runs.take() {
            Some(runs) => runs,
            None => runs(&self.crowd, &self.ids)?,
        };
        Ok(self.runs.insert(runs))
    }

    /// Takes the functions that the host has now, and chooses the engine for them.
    pub(crate) fn bind(&mut self) {
        self.asker.table = self.host.get().table();
        let asks_many = self.asker.table.asks_many();
        if self.asks_many != asks_many {
            self.asks_many = asks_many;
            // A call of Python costs more than what the other engine gains with few agents.
            let batch = Engine::Batch(Vectors::Avx512);
            self.crowd.set_engine(if asks_many { batch } else { Engine::Auto });
        }
    }

    /// Notes that agents have come, gone or moved.
    pub(crate) fn moved(&mut self) {
        self.runs = None;
    }

    /// Ticks all agents at a time. `more` counts nodes besides the statistics of the crowd.
    fn tick(&mut self, now: i64, mut more: Option<&mut Statistics>) -> Tally {
        self.now = now;
        let view = self.view.upgrade();
        let mut view = view.as_ref().and_then(|view| view.lock().ok());
        let Self { crowd, asker, asks_many, recorder, traces, statistics, stacks, .. } = self;
        let (mut traces, mut statistics) = (traces.as_mut(), statistics.as_mut());
        let is_watched = traces.is_some() || statistics.is_some() || more.is_some();
        let watchers = &mut (&mut traces, &mut (&mut statistics, &mut more));
        if let Some(view) = view.as_deref_mut().and_then(Option::as_mut) {
            let watchers = is_watched.then_some(watchers);
            return observed(asker, recorder, |host| view.page.tick_watched(crowd, now, host, watchers));
        }
        if !is_watched && recorder.is_none() && *asks_many {
            return together::tick(crowd, now, asker, stacks);
        }
        observed(asker, recorder, |host| match is_watched {
            false => crowd.tick(now, host),
            true => crowd.tick_watched(now, host, watchers),
        })
    }

    /// Ticks several times, until a function of the host raises an exception or a signal comes.
    fn run(&mut self, ticks: u64, dt: i64) -> PyResult<PyTally> {
        let (mut tally, mut looked) = (PyTally::default(), Instant::now());
        for _ in 0..ticks {
            tally.add(self.tick(self.now.saturating_add(dt), None));
            if !self.asker.failures.is_empty() {
                break;
            }
            if looked.elapsed() > PATIENCE {
                looked = Instant::now();
                Python::attach(|py| py.check_signals())?;
            }
        }
        Ok(tally)
    }
}

/// Returns the number of an outcome in Python, and the number of a status outside the three.
pub(crate) fn outcome_number(outcome: Option<Outcome>) -> (i8, i32) {
    use pleach::{Fault, Status};
    match outcome {
        None => (-1, 0),
        Some(Outcome::Status(Status::Failure)) => (0, 0),
        Some(Outcome::Status(Status::Success)) => (1, 0),
        Some(Outcome::Status(Status::Running)) => (2, 0),
        Some(Outcome::Status(Status::Other(number))) => (3, number),
        Some(Outcome::Fault(Fault::Panic)) => (4, 0),
        Some(Outcome::Fault(Fault::Fuel)) => (5, 0),
    }
}

#[pymethods]
impl PyCrowd {
    /// Creates a crowd without agents. `fixed_chance` replaces all random draws.
    #[new]
    #[pyo3(signature = (program, seed=0, *, fixed_chance=None))]
    pub(crate) fn new(py: Python<'_>, program: &PyProgram, seed: u64, fixed_chance: Option<f64>) -> Self {
        let mut crowd = Crowd::new(&program.program).with_seed(seed);
        if let Some(drawn) = fixed_chance {
            crowd = crowd.with_fixed_chance(drawn);
        }
        let host = program.host.clone_ref(py);
        let asker = Asker::new(host.get().table(), Some(program.program.clone()), seed);
        let mut state = CrowdState {
            crowd,
            asker,
            asks_many: false,
            image: program.image.clone_ref(py),
            host,
            ids: Vec::new(),
            runs: None,
            now: 0,
            recorder: None,
            traces: None,
            statistics: None,
            stacks: Stacks::default(),
            view: Weak::new(),
        };
        state.bind();
        Self(Arc::new(CrowdCell { state: Mutex::new(state), views: AtomicUsize::new(0) }))
    }

    /// Ticks all agents at a time.
    fn tick(&self, py: Python<'_>, now: i64) -> PyResult<PyTally> {
        self.ticked(py, |state| {
            let mut tally = PyTally::default();
            tally.add(state.tick(now, None));
            Ok(tally)
        })
    }

    /// Ticks all agents several times, and returns the sum of the tallies.
    #[pyo3(signature = (ticks, dt=1))]
    fn run(&self, py: Python<'_>, ticks: u64, dt: i64) -> PyResult<PyTally> {
        self.ticked(py, |state| state.run(ticks, dt))
    }

    /// Visits the host, for the collector of cycles. While something else has the crowd's place,
    /// or the crowd is in use, the crowd is no garbage.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.0.state.try_lock() {
            Ok(state) if Arc::strong_count(&self.0) == 1 => visit.call(&state.host),
            _ => Ok(()),
        }
    }

    fn __clear__(&self) {
        let state = self.0.state.try_lock();
        let _functions = state.map(|mut state| std::mem::take(&mut state.asker.table));
    }

    fn __len__(&self) -> PyResult<usize> {
        self.read(|state| Ok(state.crowd.len()))
    }

    /// Returns the time of the last tick.
    #[getter]
    fn now(&self) -> PyResult<i64> {
        self.read(|state| Ok(state.now))
    }

    /// Returns the program that the agents run.
    #[getter]
    fn program(&self, py: Python<'_>) -> PyResult<PyProgram> {
        self.read(|state| {
            let (image, host) = (state.image.clone_ref(py), state.host.clone_ref(py));
            Ok(PyProgram { program: state.crowd.program().clone(), image, host })
        })
    }

    fn __repr__(&self) -> PyResult<String> {
        let agents = self.__len__()?;
        Ok(format!("<Crowd of {agents} agents>"))
    }
}

impl PyCrowd {
    /// Does work with the crowd of a row of a sweep, which no Python changes meanwhile. Agents that
    /// the work has spawned come last in the order of arrays.
    pub(crate) fn with_crowd<R>(&self, work: impl FnOnce(&mut Crowd) -> R) -> PyResult<R> {
        self.read(|state| {
            let result = work(&mut state.crowd);
            if state.ids.len() < state.crowd.len() {
                state.ids = state.crowd.agents().collect();
                state.ids.sort_unstable_by_key(|agent| agent.index());
                state.moved();
            }
            Ok(result)
        })
    }

    /// Ticks all agents at a time, and counts nodes in `statistics`, too, if there are any.
    pub(crate) fn tick_counted(
        &self,
        py: Python<'_>,
        now: i64,
        statistics: Option<&mut Statistics>,
    ) -> PyResult<Tally> {
        self.change(py, |state| Ok(py.detach(|| state.tick(now, statistics))))
    }

    /// Does work with ticks, without the interpreter.
    fn ticked(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut CrowdState) -> PyResult<PyTally> + Send,
    ) -> PyResult<PyTally> {
        let mut tally = None;
        let result = self.change(py, |state| {
            let ticked = py.detach(|| work(state))?;
            let object = ticked.clone().into_pyobject(py)?.into_any().unbind();
            state.asker.failures.raise(py, Some(object))?;
            tally = Some(ticked);
            Ok(())
        });
        result.map(|()| tally.unwrap_or_default())
    }
}
