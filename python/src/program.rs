//! Programs: images that are linked to a host.

use crate::asker::Asker;
use crate::errors::OrRaise;
use crate::host::{Leaf, PyHost};
use crate::image::PyImage;
use crate::types;
use pleach::Program;
use pleach::values::TunableScope;
use pleach_image::EnumSubject;
use pleach_image::format::{StrRef, scope};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};

/// Image that is linked to a host.
#[pyclass(name = "Program", module = "pleach", frozen)]
pub(crate) struct PyProgram {
    pub(crate) program: Program,
    /// Image of the program.
    #[pyo3(get)]
    pub(crate) image: Py<PyImage>,
    /// Host that the image is linked to.
    #[pyo3(get)]
    pub(crate) host: Py<PyHost>,
}

/// Variable of a program.
#[pyclass(name = "Variable", module = "pleach", frozen, get_all)]
pub(crate) struct PyVariable {
    /// Name of the variable.
    name: String,
    /// Type in the language: `bool`, `int8` and so on.
    r#type: &'static str,
    /// Type of the elements of arrays.
    dtype: &'static str,
    /// Holder: `agent`, `group` or `world`.
    scope: &'static str,
    /// Names of an enum with their numbers; empty for other types.
    members: Py<PyDict>,
}

#[pymethods]
impl PyVariable {
    fn __repr__(&self) -> String {
        format!("<Variable {}: {} of each {}>", self.name, self.r#type, self.scope)
    }
}

/// Constant of trees that programs change within a range.
#[pyclass(name = "Tunable", module = "pleach", frozen, get_all)]
pub(crate) struct PyTunable {
    /// Name of the tunable.
    name: String,
    /// Type in the language: `bool`, `int` or `float`.
    r#type: &'static str,
    /// Holder: `agent` or `crowd`.
    scope: &'static str,
    /// Least value.
    low: f64,
    /// Greatest value.
    high: f64,
    /// Value that the trees declare.
    default: f64,
    /// True for a duration in milliseconds.
    is_duration: bool,
}

#[pymethods]
impl PyTunable {
    fn __repr__(&self) -> String {
        let Self { name, r#type, scope, low, high, .. } = self;
        format!("<Tunable {name}: {type} of each {scope} in {low}..{high}>")
    }
}

#[pymethods]
impl PyProgram {
    /// Links an image to a host, which must have all functions that the image names.
    #[new]
    pub(crate) fn new(py: Python<'_>, image: Py<PyImage>, host: Py<PyHost>) -> PyResult<Self> {
        let asker = Asker::new(host.get().table(), None, 0);
        let own = image.get().image.clone();
        let program = py.detach(|| Program::link(&own, &asker)).or_raise()?;
        Ok(Self { program, image, host })
    }

    /// Returns the names of the trees that agents can run.
    #[getter]
    fn entries(&self) -> Vec<String> {
        self.program.entries().map(str::to_owned).collect()
    }

    /// Returns the tunables by name.
    #[getter]
    fn tunables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for it in self.program.tunables() {
            let tunable = PyTunable {
                name: it.name.to_string(),
                r#type: types::names(it.ty).0,
                scope: if it.scope == TunableScope::Crowd { "crowd" } else { "agent" },
                low: it.range.0,
                high: it.range.1,
                default: it.default,
                is_duration: it.is_duration,
            };
            found.set_item(&*it.name, tunable.into_pyobject(py)?)?;
        }
        Ok(found)
    }

    /// Returns the program with another value of a tunable, with which crowds and agents begin.
    fn with_tuned(&self, py: Python<'_>, name: &str, value: f64) -> PyResult<Self> {
        let program = self.program.clone().with_tuned(name, value).or_raise()?;
        Ok(Self { program, image: self.image.clone_ref(py), host: self.host.clone_ref(py) })
    }

    /// Returns the variables by name: of agents, groups and the world.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (image, found) = (&self.image.get().image, PyDict::new(py));
        let add = |name: StrRef, kind: u32, scope: &'static str, subject: EnumSubject| {
            let name = image.name(name).to_owned();
            let is_tunable = self.program.tunables().iter().any(|it| *it.name == *name);
            let Some(ty) = types::of_kind(kind).filter(|_| !name.is_empty() && !is_tunable) else {
                return Ok(());
            };
            let (r#type, dtype) = types::names(ty);
            let members = PyDict::new(py);
            for (member, number) in image.enum_of(subject).into_iter().flat_map(|of| image.enum_members(of)) {
                members.set_item(member, number)?;
            }
            let members = members.unbind();
            found
                .set_item(name.clone(), PyVariable { name, r#type, dtype, scope, members }.into_pyobject(py)?)
        };
        for (index, row) in (0..).zip(image.slots()) {
            add(row.name, row.kind, "agent", EnumSubject::Slot(index))?;
        }
        for (index, row) in (0..).zip(image.shared()) {
            let scope = if row.scope == scope::WORLD { "world" } else { "group" };
            add(row.name, row.kind, scope, EnumSubject::Shared(index))?;
        }
        self.add_columns(py, &found)?;
        Ok(found)
    }

    /// Returns upper bounds of the instructions and host calls of a tick of one agent.
    #[getter]
    fn bounds(&self) -> (u64, u64) {
        let bounds = self.program.bounds();
        (bounds.instructions, bounds.host_calls)
    }

    /// Returns the number of bytes that an agent takes in the crowd.
    #[getter]
    fn bytes_per_agent(&self) -> f64 {
        self.program.bytes_per_agent()
    }

    /// Visits the host, for the collector of cycles.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.host)
    }

    fn __repr__(&self) -> String {
        format!("<Program of {}>", self.entries().join(", "))
    }
}

impl PyProgram {
    /// Adds the variables of queries that are bound to columns and that the image does not declare.
    fn add_columns(&self, py: Python<'_>, found: &Bound<'_, PyDict>) -> PyResult<()> {
        for leaf in &self.host.get().table().leaves {
            let Leaf::Column(ty) = leaf.leaf else { continue };
            if self.program.variable(&leaf.name).is_none() || found.contains(&*leaf.name)? {
                continue;
            }
            let ((r#type, dtype), members) = (types::names(ty), PyDict::new(py).unbind());
            let variable = PyVariable { name: leaf.name.to_string(), r#type, dtype, scope: "agent", members };
            found.set_item(&*leaf.name, variable.into_pyobject(py)?)?;
        }
        Ok(())
    }
}
