//! Counts of outcomes: the class `Tally`.

use pleach::Tally;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Counts of outcomes of one or several ticks.
#[pyclass(name = "Tally", module = "pleach", frozen, get_all, eq)]
#[derive(Clone, Default, PartialEq)]
pub(crate) struct PyTally {
    /// Number of trees that failed.
    failure: u64,
    /// Number of trees that succeeded.
    success: u64,
    /// Number of trees that are still running.
    running: u64,
    /// Number of trees that ended with a status outside the three.
    other: u64,
    /// Number of ticks that were cut short.
    faults: u64,
}

impl PyTally {
    /// Adds the counts of a tick.
    pub(crate) fn add(&mut self, tally: Tally) {
        self.failure += u64::from(tally.failure);
        self.success += u64::from(tally.success);
        self.running += u64::from(tally.running);
        self.other += u64::from(tally.other);
        self.faults += u64::from(tally.faults);
    }
}

#[pymethods]
impl PyTally {
    /// Creates a tally with these counts.
    #[new]
    #[pyo3(signature = (failure=0, success=0, running=0, other=0, faults=0))]
    fn new(failure: u64, success: u64, running: u64, other: u64, faults: u64) -> Self {
        Self { failure, success, running, other, faults }
    }

    /// Returns the number of ticks of agents.
    #[getter]
    fn total(&self) -> u64 {
        self.failure + self.success + self.running + self.other + self.faults
    }

    fn __repr__(&self) -> String {
        let Self { failure, success, running, other, faults } = self;
        format!(
            "Tally(failure={failure}, success={success}, running={running}, other={other}, faults={faults})"
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { failure, success, running, other, faults } = *self;
        (py.get_type::<Self>(), (failure, success, running, other, faults)).into_pyobject(py)
    }
}
