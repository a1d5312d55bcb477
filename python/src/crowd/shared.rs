//! Groups, the world, and their variables; texts.

use super::{CrowdState, PyCrowd};
use crate::call::text_object;
use crate::errors::{ErrorClass, OrRaise, unknown};
use crate::types::{self, element, elements, ids, with_type};
use pleach::values::Type;
use pleach::{AccessError, Agent, Group, SharedVariable, TextId};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::sync::Arc;

/// Group of agents, or the world: a mapping of the variables that agents share.
#[pyclass(name = "Group", module = "pleach", frozen)]
pub(crate) struct PyGroup {
    crowd: Py<PyCrowd>,
    group: Group,
}

impl PyGroup {
    /// Returns the group of all agents that have joined no other group.
    fn first(crowd: &Bound<'_, PyCrowd>) -> Self {
        Self { crowd: crowd.clone().unbind(), group: Group::default() }
    }

    /// Returns the group, if it belongs to this crowd.
    pub(super) fn of(&self, crowd: &PyCrowd) -> PyResult<Group> {
        if Arc::ptr_eq(&self.crowd.get().0, &crowd.0) {
            return Ok(self.group);
        }
        Err(PyValueError::new_err("the group belongs to another crowd"))
    }
}

impl CrowdState {
    /// Returns the shared variable with a name, and its type.
    fn shared(&self, name: &str) -> PyResult<(SharedVariable, Type)> {
        let found = self.crowd.program().shared(name);
        let found = found.and_then(|shared| {
            let row = self.image.get().image.shared().get(shared.number() as usize)?;
            Some((shared, types::of_kind(row.kind)?))
        });
        found.ok_or_else(|| unknown("variable of groups or the world", name))
    }
}

#[pymethods]
impl PyGroup {
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.crowd.get().read(|state| {
            let (shared, ty) = state.shared(name)?;
            with_type!(ty, T, E => {
                let value = state.crowd.shared_value::<T>(shared, self.group).or_raise()?;
                element::<T, E>(value).into_bound_py_any(py)
            }, bool => {
                state.crowd.shared_value::<bool>(shared, self.group).or_raise()?.into_bound_py_any(py)
            })
        })
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let crowd = self.crowd.get();
        let (shared, ty) = crowd.read(|state| state.shared(name))?;
        if let Some(text) = crowd.text_value(py, ty, value)? {
            return crowd
                .change(py, |state| state.crowd.set_shared_value(shared, self.group, text).or_raise());
        }
        with_type!(ty, T, E => {
            let value: T = bytemuck::cast(elements::<E>(value, 1)?[0]);
            crowd.change(py, |state| state.crowd.set_shared_value(shared, self.group, value).or_raise())
        }, bool => {
            let value = elements::<bool>(value, 1)?[0];
            crowd.change(py, |state| state.crowd.set_shared_value(shared, self.group, value).or_raise())
        })
    }

    /// Visits the crowd, for the collector of cycles.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.crowd)
    }

    fn __repr__(&self) -> String {
        format!("<Group {}>", self.group.number())
    }
}

impl PyCrowd {
    /// Interns a value that is a `str`, for a variable of texts.
    pub(super) fn text_value(
        &self,
        py: Python<'_>,
        ty: Type,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<Option<TextId>> {
        let text = value.extract::<&str>().ok().filter(|_| ty == Type::of::<TextId>());
        text.map(|text| self.intern(py, text).map(TextId)).transpose()
    }
}

#[pymethods]
impl PyCrowd {
    /// Returns the variables of the world.
    #[getter]
    fn world(slf: &Bound<'_, Self>) -> PyGroup {
        PyGroup::first(slf)
    }

    /// Returns the group of all agents that have joined no other group.
    #[getter]
    fn default_group(slf: &Bound<'_, Self>) -> PyGroup {
        PyGroup::first(slf)
    }

    /// Adds a group, whose variables have their declared values.
    fn add_group(slf: &Bound<'_, Self>) -> PyResult<PyGroup> {
        let group = slf.get().change(slf.py(), |state| state.crowd.add_group().or_raise())?;
        Ok(PyGroup { group, ..PyGroup::first(slf) })
    }

    /// Puts agents into a group.
    fn join(&self, py: Python<'_>, ids: &Bound<'_, PyAny>, group: &PyGroup) -> PyResult<()> {
        let (agents, group) = (self::ids(ids)?, group.of(self)?);
        self.change(py, |state| {
            let join = |agent: &Agent| state.crowd.join(*agent, group);
            let joined: Result<(), AccessError> = agents.iter().try_for_each(join);
            joined.or_raise()
        })
    }

    /// Returns the number of a text in this crowd.
    fn intern(&self, py: Python<'_>, text: &str) -> PyResult<u32> {
        self.change(py, |state| {
            let text = state.crowd.intern(text).map_err(|error| ErrorClass::Pleach.because(error))?;
            Ok(text.0)
        })
    }

    /// Returns the text with a number.
    fn text<'py>(&self, py: Python<'py>, number: u32) -> PyResult<Bound<'py, PyAny>> {
        self.read(|state| text_object(py, state.crowd.text(TextId(number))))
    }
}
