//! Recordings and their replay: the classes `Recorder` and `Replay`.

use crate::asker::Asker;
use crate::columns::{self, runs};
use crate::crowd::{PyCrowd, outcome_number};
use crate::errors::ErrorClass;
use crate::types::id_array;
use numpy::PyArray1;
use pleach::record::{Recorder, RecordingError, Replay};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyTraverseError, PyVisit};
use std::sync::Mutex;

/// Recorder of a crowd.
#[pyclass(name = "Recorder", module = "pleach", frozen)]
pub(crate) struct PyRecorder(Py<PyCrowd>);

fn recorder(recorder: &mut Option<Recorder>) -> PyResult<&mut Recorder> {
    recorder.as_mut().ok_or_else(|| ErrorClass::Pleach.because("the recording has ended"))
}

#[pymethods]
impl PyRecorder {
    #[new]
    fn new(crowd: &Bound<'_, PyCrowd>) -> PyResult<Self> {
        crowd.get().read(|state| {
            if state.recorder.is_some() {
                return Err(ErrorClass::Pleach.because("the crowd has a recorder already"));
            }
            let asker = Asker::new(state.host.get().table(), None, 0);
            state.recorder = Some(Recorder::new(&state.image.get().image, &asker));
            Ok(())
        })?;
        Ok(Self(crowd.clone().unbind()))
    }

    /// Visits the crowd, for the collector of cycles.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }

    /// Returns the bytes since the last call.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.0.get().read(|state| Ok(recorder(&mut state.recorder)?.take()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the rest of the bytes, and ends the recording.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.0.get().read(|state| {
            recorder(&mut state.recorder)?;
            Ok(state.recorder.take().map(Recorder::finish).unwrap_or_default())
        })?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// Replay of a recording.
#[pyclass(name = "Replay", module = "pleach", frozen)]
pub(crate) struct PyReplay(Mutex<Replay>);

impl PyReplay {
    /// Does work with the replay. Fails if another thread uses the replay.
    fn with<R>(&self, work: impl FnOnce(&mut Replay) -> PyResult<R>) -> PyResult<R> {
        match self.0.try_lock() {
            Ok(mut replay) => work(&mut replay),
            Err(_) => Err(ErrorClass::Busy.because("the replay is in use by another thread")),
        }
    }
}

fn damaged(error: RecordingError) -> PyErr {
    ErrorClass::Recording.because(error)
}

#[pymethods]
impl PyReplay {
    #[new]
    fn new(data: &[u8]) -> PyResult<Self> {
        Replay::open(data).map(|replay| Self(Mutex::new(replay))).map_err(damaged)
    }

    /// Replays the next tick. Returns false at the end.
    fn tick(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(|replay| py.detach(|| replay.tick()).map_err(damaged))
    }

    /// Moves the replay to the place after this number of ticks.
    fn seek(&self, py: Python<'_>, tick: u64) -> PyResult<()> {
        self.with(|replay| py.detach(|| replay.seek(tick)).map_err(damaged))
    }

    /// Returns the number of replayed ticks.
    #[getter]
    fn ticks(&self) -> PyResult<u64> {
        self.with(|replay| Ok(replay.ticks()))
    }

    /// Returns the time of the last replayed tick.
    #[getter]
    fn now(&self) -> PyResult<i64> {
        self.with(|replay| Ok(replay.now()))
    }

    fn __len__(&self) -> PyResult<usize> {
        self.with(|replay| Ok(replay.len() as usize))
    }

    /// Returns the ids of all agents, in the order of arrays.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.with(|replay| Ok(id_array(py, replay.crowd().agents())))
    }

    /// Returns the outcomes of the last ticks of all agents.
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.with(|replay| {
            let crowd = replay.crowd();
            let outcome = |agent| outcome_number(crowd.outcome(agent).unwrap_or(None)).0;
            Ok(PyArray1::from_iter(py, crowd.agents().map(outcome)))
        })
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.with(|replay| {
            let crowd = replay.crowd();
            let agents: Vec<_> = crowd.agents().collect();
            columns::read(py, crowd, &runs(crowd, &agents)?, agents.len(), name)
        })
    }

    fn __repr__(&self) -> PyResult<String> {
        self.with(|replay| Ok(format!("<Replay at tick {} of {}>", replay.ticks(), replay.len())))
    }
}
