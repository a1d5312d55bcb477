//! Tunables: constants of trees that programs change within ranges.

use super::PyCrowd;
use crate::errors::OrRaise;
use crate::types::ids;
use pleach::Agent;
use pleach::values::TuneError;
use pyo3::prelude::*;

#[pymethods]
impl PyCrowd {
    /// Changes a tunable: of the crowd, or of these agents.
    #[pyo3(signature = (name, value, ids = None))]
    fn tune(&self, py: Python<'_>, name: &str, value: f64, ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let agents = ids.map(self::ids).transpose()?;
        self.change(py, |state| {
            let Some(agents) = agents else { return state.crowd.tune(name, value).or_raise() };
            state.check(&agents)?;
            let tune = |agent: &Agent| state.crowd.tune_agent(*agent, name, value);
            let tuned: Result<(), TuneError> = agents.iter().try_for_each(tune);
            tuned.or_raise()
        })
    }

    /// Returns the value of a tunable: of the crowd, or of an agent.
    #[pyo3(signature = (name, id = None))]
    fn tuned(&self, name: &str, id: Option<u64>) -> PyResult<f64> {
        self.read(|state| match id {
            None => state.crowd.tuned(name).or_raise(),
            Some(id) => state.crowd.tuned_agent(Agent::from_bits(id), name).or_raise(),
        })
    }
}
