//! Errors of the library as exceptions of Python. The classes are in `pleach/errors.py`.

use pleach::values::TuneError;
use pleach::{AccessError, Agent, LinkError, SpawnError, StaleAgent};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Class of exceptions in `pleach/errors.py`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ErrorClass {
    Pleach,
    Compile,
    Image,
    Link,
    State,
    Recording,
    StaleAgent,
    Busy,
    Leaf,
}

impl ErrorClass {
    fn name(self) -> &'static str {
        match self {
            Self::Pleach => "PleachError",
            Self::Compile => "CompileError",
            Self::Image => "ImageError",
            Self::Link => "LinkError",
            Self::State => "StateError",
            Self::Recording => "RecordingError",
            Self::StaleAgent => "StaleAgentError",
            Self::Busy => "BusyError",
            Self::Leaf => "LeafError",
        }
    }

    /// Returns an exception with these arguments.
    pub(crate) fn with<'py>(self, py: Python<'py>, args: impl PyCallArgs<'py>) -> PyErr {
        self.made(py, args).unwrap_or_else(|error| error)
    }

    fn made<'py>(self, py: Python<'py>, args: impl PyCallArgs<'py>) -> PyResult<PyErr> {
        let class = py.import("pleach.errors")?.getattr(self.name())?;
        Ok(PyErr::from_value(class.call1(args)?))
    }

    /// Returns an exception with a message.
    pub(crate) fn because(self, message: impl ToString) -> PyErr {
        Python::attach(|py| self.with(py, (message.to_string(),)))
    }
}

/// Returns the exception for an agent that is gone.
pub(crate) fn gone(agent: Agent) -> PyErr {
    ErrorClass::StaleAgent.because(format!("the agent {} is gone", agent.to_bits()))
}

/// Returns the exception for a name that the program lacks.
pub(crate) fn unknown(what: &str, name: &str) -> PyErr {
    PyKeyError::new_err(format!("the program has no {what} `{name}`"))
}

/// Conversion of an error of the library to an exception.
pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, AccessError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| match error {
            AccessError::Stale => ErrorClass::StaleAgent.because(error),
            AccessError::Type { .. } => PyTypeError::new_err(error.to_string()),
            _ => PyKeyError::new_err(error.to_string()),
        })
    }
}

impl<T> OrRaise<T> for Result<T, TuneError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| match error {
            TuneError::Stale => ErrorClass::StaleAgent.because(error),
            TuneError::Unknown { .. } => PyKeyError::new_err(error.to_string()),
            _ => PyValueError::new_err(error.to_string()),
        })
    }
}

impl<T> OrRaise<T> for Result<T, StaleAgent> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| ErrorClass::StaleAgent.because(error))
    }
}

impl<T> OrRaise<T> for Result<T, LinkError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| ErrorClass::Link.because(error))
    }
}

impl<T> OrRaise<T> for Result<T, SpawnError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| match error {
            SpawnError::NoEntry(missing) => PyKeyError::new_err(missing.to_string()),
            error => ErrorClass::Pleach.because(error),
        })
    }
}
