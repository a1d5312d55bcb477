//! Snapshots, restoring, and new builds of trees.

use super::serving::reloaded;
use super::{CrowdState, PyCrowd, observed};
use crate::errors::ErrorClass;
use crate::program::PyProgram;
use crate::types::{elements, id_array};
use numpy::PyArray1;
use pleach::state::{ReloadPolicy, StateError};
use pleach::{Agent, Image};
use pleach_image::format::Header;
use pleach_sweep::CallCounts;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::collections::HashMap;

/// State of a crowd at one time.
#[pyclass(module = "pleach", frozen)]
pub(crate) struct Snapshot {
    state: Vec<u8>,
    ids: Vec<Agent>,
    now: i64,
    /// Seed of scripted leaves.
    seed: u64,
    /// Checksum of the image, to whose nodes the counts belong.
    image: u32,
    counts: CallCounts,
}

/// Returns the checksum of an image.
fn checksum(image: &Image) -> u32 {
    bytemuck::pod_read_unaligned::<Header>(&image.bytes()[..size_of::<Header>()]).checksum
}

#[pymethods]
impl Snapshot {
    /// Creates a snapshot from its parts, as `pickle` does.
    #[new]
    fn new(
        state: &[u8],
        ids: &Bound<'_, PyAny>,
        now: i64,
        seed: u64,
        image: u32,
        counts: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let bits = elements::<u64>(ids, ids.len()?)?;
        let counts = CallCounts::from_numbers(&elements::<u32>(counts, counts.len()?)?);
        let counts =
            counts.ok_or_else(|| ErrorClass::State.because("the counts of scripted actions are cut"))?;
        let ids = bits.into_iter().map(Agent::from_bits).collect();
        Ok(Self { state: state.to_vec(), ids, now, seed, image, counts })
    }

    /// Returns the time of the last tick.
    #[getter]
    fn now(&self) -> i64 {
        self.now
    }

    /// Returns the seed by which scripted leaves draw.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the ids of the agents, in the order of arrays.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        id_array(py, self.ids.iter().copied())
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.state)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let counts = PyArray1::from_vec(py, self.counts.numbers());
        let parts = (self.__bytes__(py), self.ids(py), self.now, self.seed, self.image, counts);
        (py.get_type::<Self>(), parts).into_pyobject(py)
    }

    fn __eq__(&self, other: &Self) -> bool {
        (&self.state, &self.ids, self.now) == (&other.state, &other.ids, other.now)
            && (self.seed, self.image, &self.counts) == (other.seed, other.image, &other.counts)
    }

    fn __repr__(&self) -> String {
        format!("<Snapshot of {} agents at {}, {} bytes>", self.ids.len(), self.now, self.state.len())
    }
}

fn refused(error: StateError) -> PyErr {
    ErrorClass::State.because(error)
}

impl CrowdState {
    /// Restores a snapshot. If it does not fit, the crowd stays as it was. Only the restored crowd
    /// tells which agents the state has, so the present state is saved first. In a new crowd, the
    /// fixed chance and the step limit of this one would be missing.
    fn restore(&mut self, snapshot: &Snapshot) -> PyResult<()> {
        let mut before = Vec::new();
        self.crowd.snapshot(&mut before);
        self.crowd.migrate(&snapshot.state).map_err(refused)?;
        let is_there = |agent: &Agent| self.crowd.outcome(*agent).is_ok();
        let mut sorted = snapshot.ids.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() != self.crowd.len()
            || snapshot.ids.len() != sorted.len()
            || !sorted.iter().all(is_there)
        {
            self.crowd.restore(&before).map_err(refused)?;
            return Err(ErrorClass::State.because("the ids of the snapshot are not those of its agents"));
        }
        self.ids.clone_from(&snapshot.ids);
        self.now = snapshot.now;
        self.asker.seed = snapshot.seed;
        let is_same = snapshot.image == checksum(&self.image.get().image);
        self.asker.counts = if is_same { snapshot.counts.clone() } else { CallCounts::default() };
        self.moved();
        Ok(())
    }
}

#[pymethods]
impl PyCrowd {
    /// Returns the state of the crowd. Snapshots can be pickled.
    fn snapshot(&self) -> PyResult<Snapshot> {
        self.read(|state| {
            let mut bytes = Vec::new();
            state.crowd.snapshot(&mut bytes);
            let (ids, counts) = (state.ids.clone(), state.asker.counts.clone());
            let (seed, image) = (state.asker.seed, checksum(&state.image.get().image));
            Ok(Snapshot { state: bytes, ids, now: state.now, seed, image, counts })
        })
    }

    /// Restores a snapshot, or the bytes of a saved state.
    fn restore(&self, py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(snapshot) = state.cast::<Snapshot>() {
            return self.change(py, |crowd| crowd.restore(snapshot.get()));
        }
        let bytes = state.extract::<&[u8]>();
        let bytes = bytes.map_err(|_| PyTypeError::new_err("expected a Snapshot or bytes"))?;
        self.change(py, |crowd| {
            crowd.crowd.migrate(bytes).map_err(refused)?;
            crowd.ids = crowd.crowd.agents().collect();
            crowd.asker.counts = CallCounts::default();
            crowd.moved();
            Ok(())
        })
    }

    /// Continues with another build of the trees, and returns a report. `sources` has the texts of
    /// trees that have changed, for a live page.
    #[pyo3(signature = (program, *, keep="places", now=None, sources=HashMap::new()))]
    fn reload(
        &self,
        py: Python<'_>,
        program: &PyProgram,
        keep: &str,
        now: Option<i64>,
        sources: HashMap<String, String>,
    ) -> PyResult<String> {
        let keep = match keep {
            "places" => ReloadPolicy::Places,
            "variables" => ReloadPolicy::Variables,
            _ => return Err(PyValueError::new_err(format!("`{keep}` is not \"places\" or \"variables\""))),
        };
        self.change(py, |state| {
            let now = now.unwrap_or(state.now);
            let CrowdState { crowd, asker, recorder, .. } = &mut *state;
            let report = observed(asker, recorder, |host| crowd.reload(&program.program, keep, now, host));
            let report = report.map_err(refused)?;
            state.asker.program = Some(program.program.clone());
            let is_same = state.image.get().image.bytes() == program.image.get().image.bytes();
            if !is_same || keep == ReloadPolicy::Variables {
                state.asker.counts = CallCounts::default();
            }
            state.image = program.image.clone_ref(py);
            state.host = program.host.clone_ref(py);
            state.bind();
            (state.traces, state.statistics) = (None, None);
            state.moved();
            if let Some(view) = state.view.upgrade() {
                reloaded(&view, sources, &state.image.get().image, &state.crowd, &report);
            }
            Ok(report.to_string())
        })
    }
}
