//! Exceptions that functions of the host have raised, until the work of the crowd has ended.

use crate::errors::ErrorClass;
use crate::types::id_array;
use pleach::Agent;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::sync::Arc;

/// Number of exceptions that are kept.
const MOST: usize = 100;

/// Failed call.
struct Failure {
    leaf: Arc<str>,
    agents: Vec<Agent>,
    error: PyErr,
}

/// Failed calls since the crowd began its work.
#[derive(Default)]
pub(crate) struct Failures {
    /// The first calls.
    list: Vec<Failure>,
    /// Agents of all calls.
    agents: Vec<Agent>,
    /// Number of calls that are not in the list.
    more: usize,
}

impl Failures {
    pub(crate) fn add(&mut self, leaf: Arc<str>, agents: impl IntoIterator<Item = Agent>, error: PyErr) {
        let first = self.agents.len();
        self.agents.extend(agents);
        if self.list.len() < MOST || !is_plain(&error) {
            self.list.push(Failure { leaf, agents: self.agents[first..].to_vec(), error });
        } else {
            self.more += 1;
        }
    }

    /// Returns true if no call has failed.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Raises what has been noted, and forgets it. An exception that ends programs comes out as it
    /// is, with the others as its context.
    pub(crate) fn raise(&mut self, py: Python<'_>, tally: Option<Py<PyAny>>) -> PyResult<()> {
        let mut noted = std::mem::take(self);
        let ending = noted.list.iter().position(|failure| !is_plain(&failure.error));
        let ending = ending.map(|place| noted.list.remove(place));
        let others = noted.into_error(py, tally, ending.as_ref().map_or(&[], |it| &it.agents));
        match (ending, others) {
            (Some(Failure { error, .. }), others) => {
                if others.is_some() && error.context(py).is_none() {
                    error.set_context(py, others);
                }
                Err(error)
            }
            (None, Some(error)) => Err(error),
            (None, None) => Ok(()),
        }
    }

    /// Returns the exception for all failed calls, without some agents; `None` if no call has
    /// failed.
    fn into_error(self, py: Python<'_>, tally: Option<Py<PyAny>>, except: &[Agent]) -> Option<PyErr> {
        let Self { list, mut agents, more } = self;
        let first = list.first()?;
        agents.retain(|agent| !except.contains(agent));
        agents.sort_unstable();
        agents.dedup();
        let calls = match list.len() + more {
            1 => String::new(),
            calls => format!(", the first of {calls} failed calls"),
        };
        let asked = match first.agents.len() {
            1 => "1 agent".to_owned(),
            count => format!("{count} agents"),
        };
        let text =
            format!("the function for `{}` raised {}: called for {asked}{calls}", first.leaf, first.error);
        let cause = first.error.clone_ref(py);
        let row = |failure: Failure| {
            (failure.leaf.to_string(), id_array(py, failure.agents), failure.error.into_value(py))
        };
        let rows: Vec<_> = list.into_iter().map(row).collect();
        let error = ErrorClass::Leaf.with(py, (text, rows, id_array(py, agents), tally));
        error.set_cause(py, Some(cause));
        Some(error)
    }
}

/// Returns true unless the exception is one that ends programs, such as `KeyboardInterrupt`.
fn is_plain(error: &PyErr) -> bool {
    Python::attach(|py| error.is_instance_of::<PyException>(py))
}
