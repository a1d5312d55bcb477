//! Findings of the compiler, as objects of Python.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Error or warning about trees.
#[pyclass(module = "pleach", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Finding {
    /// `error` or `warning`.
    severity: &'static str,
    /// Permanent code of the diagnostic; `None` for problems of manifests and files.
    code: Option<String>,
    /// Message that states the problem.
    message: String,
    /// Advice, if there is any.
    help: Option<String>,
    /// File of the text that the finding is about.
    file: Option<String>,
    /// Line in the file, from 1.
    line: Option<u32>,
    /// Column in the line in bytes, from 1.
    column: Option<u32>,
    /// The finding as one line.
    brief: String,
}

#[pymethods]
impl Finding {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the parts of a finding, for pickle")]
    fn new(
        severity: &str,
        code: Option<String>,
        message: String,
        help: Option<String>,
        file: Option<String>,
        line: Option<u32>,
        column: Option<u32>,
        brief: String,
    ) -> Self {
        let severity = if severity == "error" { "error" } else { "warning" };
        Self { severity, code, message, help, file, line, column, brief }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let it = self.clone();
        let parts = (it.severity, it.code, it.message, it.help, it.file, it.line, it.column, it.brief);
        (py.get_type::<Self>(), parts).into_pyobject(py)
    }

    fn __str__(&self) -> &str {
        &self.brief
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}: {}>", self.severity, self.brief)
    }
}

impl Finding {
    pub(crate) fn of(finding: &pleach_build::findings::Finding) -> Self {
        let place = finding.place.as_ref();
        Self {
            severity: if finding.is_error { "error" } else { "warning" },
            code: finding.code.map(str::to_owned),
            message: finding.message.clone(),
            help: finding.help.clone(),
            file: place.map(|place| place.file.clone()),
            line: place.map(|place| place.start.line),
            column: place.map(|place| place.start.column),
            brief: finding.brief(),
        }
    }
}
