//! Variables of agents as arrays, and views of the crowd's own memory.

use super::{CrowdCell, CrowdState, PyCrowd};
use crate::columns::{self, runs, variable};
use crate::types::{ids, with_type};
use crate::view::view;
use numpy::PyArray1;
use pleach::Agent;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::Arc;

/// Owner of the memory of views. While it lives, the crowd stays and does not change.
#[pyclass(module = "pleach", frozen)]
pub(crate) struct ViewOwner(Arc<CrowdCell>);

impl ViewOwner {
    fn new(cell: &Arc<CrowdCell>) -> Self {
        cell.hold();
        Self(cell.clone())
    }
}

impl Drop for ViewOwner {
    fn drop(&mut self) {
        self.0.release();
    }
}

/// Subject of an index: a variable of all agents or of some.
fn subject(key: &Bound<'_, PyAny>) -> PyResult<(String, Option<Vec<Agent>>)> {
    if let Ok(name) = key.extract() {
        return Ok((name, None));
    }
    match key.cast::<PyTuple>() {
        Ok(pair) if pair.len() == 2 => Ok((pair.get_item(0)?.extract()?, Some(ids(&pair.get_item(1)?)?))),
        _ => Err(PyTypeError::new_err("expected the name of a variable, or a name and ids")),
    }
}

#[pymethods]
impl PyCrowd {
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (name, some) = subject(key)?;
        self.read(|state| match some {
            Some(agents) => {
                let runs = runs(&state.crowd, &agents)?;
                columns::read(py, &state.crowd, &runs, agents.len(), &name)
            }
            None => {
                state.runs()?;
                let CrowdState { crowd, runs, ids, .. } = state;
                columns::read(py, crowd, runs.as_deref().unwrap_or_default(), ids.len(), &name)
            }
        })
    }

    fn __setitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let (name, some) = subject(key)?;
        let ty = self.read(|state| Ok(variable(state.crowd.program(), &name)?.1))?;
        let text = self.text_value(py, ty, values)?;
        let text = text.map(|text| text.0.into_pyobject(py)).transpose()?;
        let values = text.as_ref().map_or(values, |text| text.as_any());
        self.change(py, |state| match some {
            Some(agents) => {
                let runs = runs(&state.crowd, &agents)?;
                columns::write(&mut state.crowd, &agents, &runs, &name, values)
            }
            None => {
                state.runs()?;
                let CrowdState { crowd, runs, ids, .. } = state;
                columns::write(crowd, ids, runs.as_deref().unwrap_or_default(), &name, values)
            }
        })
    }

    /// Returns the memory of a variable, chunk by chunk.
    fn views<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let arrays = self.read(|state| {
            let (variable, ty) = variable(state.crowd.program(), name)?;
            let (columns, mut arrays) = (state.crowd.columns(), Vec::new());
            for chunk in 0..columns.chunks() {
                let owner = Bound::new(py, ViewOwner::new(&self.0))?;
                arrays.push(with_type!(ty, T, E => {
                    let column = columns.column::<T>(chunk, variable);
                    view::<E>(bytemuck::cast_slice(column.unwrap_or_default()), owner)?
                }, bool => view::<u64>(columns.bits(chunk, variable).unwrap_or_default(), owner)?));
            }
            Ok(arrays)
        })?;
        PyList::new(py, arrays)
    }

    /// Returns the ids of the agents of each chunk, by place.
    fn lanes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let lanes = self.read(|state| {
            let columns = state.crowd.columns();
            let of_chunk = |chunk| {
                let mut lanes = [0; 256];
                columns.agents_of(chunk).for_each(|(lane, agent)| lanes[lane] = agent.to_bits());
                PyArray1::from_slice(py, &lanes)
            };
            Ok((0..columns.chunks()).map(of_chunk).collect::<Vec<_>>())
        })?;
        PyList::new(py, lanes)
    }
}
