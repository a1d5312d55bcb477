//! Agents that come and go, events, and what is known of single agents.

use super::{CrowdState, PyCrowd, PyGroup, observed, outcome_number};
use crate::errors::{ErrorClass, OrRaise, gone, unknown};
use crate::types::{id_array, ids};
use numpy::PyArray1;
use pleach::crowd::SwitchError;
use pleach::values::Rule;
use pleach::watch::WithObserver;
use pleach::{Agent, Crowd, Event, EventTarget, Host};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::HashSet;
use std::num::NonZeroU16;

impl CrowdState {
    /// Fails if any of the agents is gone.
    pub(super) fn check(&self, agents: &[Agent]) -> PyResult<()> {
        let stale = agents.iter().find(|agent| self.crowd.outcome(**agent).is_err());
        stale.map_or(Ok(()), |agent| Err(gone(*agent)))
    }

    /// Does work with each of some agents and the host.
    fn each<E>(
        &mut self,
        agents: &[Agent],
        now: Option<i64>,
        work: impl Fn(&mut Crowd, Agent, i64, &mut WithObserver<'_, dyn Host + '_>) -> Result<(), E>,
    ) -> PyResult<()>
    where
        Result<(), E>: OrRaise<()>,
    {
        self.check(agents)?;
        let now = now.unwrap_or(self.now);
        let Self { crowd, asker, recorder, .. } = self;
        observed(asker, recorder, |host| {
            agents.iter().try_for_each(|agent| work(crowd, *agent, now, host)).or_raise()
        })
    }

    fn event(&self, name: &str) -> PyResult<Event> {
        self.crowd.program().event(name).ok_or_else(|| unknown("event", name))
    }
}

impl OrRaise<()> for Result<(), SwitchError> {
    fn or_raise(self) -> PyResult<()> {
        self.map_err(|error| match error {
            SwitchError::Stale => ErrorClass::StaleAgent.because(error),
            SwitchError::NoEntry(missing) => PyKeyError::new_err(missing.to_string()),
            error => ErrorClass::Pleach.because(error),
        })
    }
}

#[pymethods]
impl PyCrowd {
    /// Spawns agents that run a tree, and returns their ids.
    #[pyo3(signature = (tree, n=1))]
    fn spawn<'py>(&self, py: Python<'py>, tree: &str, n: usize) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let spawned = self.change(py, |state| {
            let mut agents = Vec::new();
            for _ in 0..n {
                match state.crowd.spawn(tree).or_raise() {
                    Ok(agent) => agents.push(agent),
                    Err(error) => {
                        state
                            .each(&agents, None, |crowd, agent, now, host| crowd.despawn(agent, now, host))?;
                        return Err(error);
                    }
                }
            }
            state.ids.extend_from_slice(&agents);
            state.moved();
            Ok(agents)
        })?;
        Ok(id_array(py, spawned))
    }

    /// Removes agents.
    #[pyo3(signature = (ids, now=None))]
    fn despawn(&self, py: Python<'_>, ids: &Bound<'_, PyAny>, now: Option<i64>) -> PyResult<()> {
        let agents = self::ids(ids)?;
        let leaving: HashSet<Agent> = agents.iter().copied().collect();
        if leaving.len() != agents.len() {
            return Err(PyValueError::new_err("an agent is named twice"));
        }
        self.change(py, |state| {
            let done = state.each(&agents, now, |crowd, agent, now, host| crowd.despawn(agent, now, host));
            if done.is_ok() {
                state.ids.retain(|agent| !leaving.contains(agent));
                state.moved();
            }
            done
        })
    }

    /// Resets agents to the beginning of their trees. Variables and timers stay.
    #[pyo3(signature = (ids, now=None))]
    fn reset(&self, py: Python<'_>, ids: &Bound<'_, PyAny>, now: Option<i64>) -> PyResult<()> {
        let agents = self::ids(ids)?;
        self.change(py, |state| {
            state.each(&agents, now, |crowd, agent, now, host| crowd.reset(agent, now, host))
        })
    }

    /// Lets agents run another tree from its beginning. Variables and timers stay.
    #[pyo3(signature = (ids, tree, now=None))]
    fn switch(&self, py: Python<'_>, ids: &Bound<'_, PyAny>, tree: &str, now: Option<i64>) -> PyResult<()> {
        let agents = self::ids(ids)?;
        self.change(py, |state| {
            state.moved();
            state.each(&agents, now, |crowd, agent, now, host| crowd.switch(agent, tree, now, host))
        })
    }

    /// Leaves agents out of ticks until they are woken.
    fn sleep(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let agents = self::ids(ids)?;
        self.change(py, |state| state.each(&agents, None, |crowd, agent, _, _| crowd.sleep(agent)))
    }

    /// Wakes agents.
    fn wake(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let agents = self::ids(ids)?;
        self.change(py, |state| state.each(&agents, None, |crowd, agent, _, _| crowd.wake(agent)))
    }

    /// Raises an event for all agents, for a group, or for the agents with these ids.
    #[pyo3(signature = (event, who=None, now=None))]
    fn raise_(
        &self,
        py: Python<'_>,
        event: &str,
        who: Option<&Bound<'_, PyAny>>,
        now: Option<i64>,
    ) -> PyResult<()> {
        let group = who.and_then(|who| who.cast::<PyGroup>().ok()).map(|group| group.get().of(self));
        let target = match (who, group.transpose()?) {
            (_, Some(group)) => Some(EventTarget::Group(group)),
            (None, None) => Some(EventTarget::All),
            (Some(_), None) => None,
        };
        let agents = who.filter(|_| target.is_none()).map(ids).transpose()?.unwrap_or_default();
        self.change(py, |state| {
            let event = state.event(event)?;
            state.check(&agents)?;
            let now = now.unwrap_or(state.now);
            let CrowdState { crowd, asker, recorder, .. } = state;
            observed(asker, recorder, |host| match target {
                Some(target) => crowd.raise(event, target, now, host),
                None => {
                    let events: Vec<_> = agents.iter().map(|agent| (*agent, event)).collect();
                    crowd.raise_each(&events, now, host)
                }
            })
            .or_raise()
        })
    }

    /// Runs another tree once for an agent, and returns the outcome.
    #[pyo3(signature = (id, tree, now))]
    fn tick_entry(&self, py: Python<'_>, id: u64, tree: &str, now: i64) -> PyResult<(i8, i32)> {
        self.change(py, |state| {
            let CrowdState { crowd, asker, recorder, .. } = &mut *state;
            let agent = Agent::from_bits(id);
            let outcome = observed(asker, recorder, |host| crowd.tick_entry(agent, tree, now, host));
            match outcome {
                Ok(outcome) => {
                    state.now = now;
                    Ok(outcome_number(Some(outcome)))
                }
                Err(error) => Err(error).or_raise().map(|()| (0, 0)),
            }
        })
    }

    /// Returns the ids of all agents, in the order of arrays.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        Ok(id_array(py, self.read(|state| Ok(state.ids.clone()))?))
    }

    /// Returns true for each agent that exists.
    fn alive<'py>(&self, py: Python<'py>, ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let agents = self::ids(ids)?;
        let is_there = |state: &CrowdState, agent: &Agent| state.crowd.outcome(*agent).is_ok();
        let alive = self.read(|state| Ok(agents.iter().map(|agent| is_there(state, agent)).collect()))?;
        Ok(PyArray1::from_vec(py, alive))
    }

    /// Returns the outcomes of the last ticks of all agents, as numbers of `Outcome`.
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let outcomes = self.read(|state| {
            let of = |agent: &Agent| outcome_number(state.crowd.outcome(*agent).unwrap_or(None)).0;
            Ok(state.ids.iter().map(of).collect())
        })?;
        Ok(PyArray1::from_vec(py, outcomes))
    }

    /// Returns the outcome of an agent, and the number of a status outside the three.
    fn outcome(&self, id: u64) -> PyResult<(i8, i32)> {
        self.read(|state| Ok(outcome_number(state.crowd.outcome(Agent::from_bits(id)).or_raise()?)))
    }

    /// Returns the name of the tree that an agent runs.
    fn tree(&self, id: u64) -> PyResult<String> {
        self.read(|state| state.crowd.inspect().tree(Agent::from_bits(id)).map(str::to_owned).or_raise())
    }

    /// Returns the running leaves of an agent, and composites that wait.
    fn running(&self, id: u64) -> PyResult<Vec<u32>> {
        self.read(|state| Ok(state.crowd.inspect().active_nodes(Agent::from_bits(id)).or_raise()?.collect()))
    }

    /// Returns the nodes that an agent remembers as running, in trees of Unvanquished.
    fn running_set(&self, id: u64) -> PyResult<Vec<u16>> {
        self.read(|state| Ok(state.crowd.inspect().running_set(Agent::from_bits(id)).or_raise()?.to_vec()))
    }

    /// Returns the node and the id of an agent's rule, and true if it was not run since the agent
    /// came there.
    fn rule(&self, id: u64) -> PyResult<(Option<u32>, Option<String>, bool)> {
        self.read(|state| {
            let (rules, agent) = (state.crowd.rules(), Agent::from_bits(id));
            let rule = rules.current(agent).or_raise()?;
            let name = rule.and_then(|rule| state.crowd.program().rule_id(rule)).map(str::to_owned);
            Ok((rule.map(Rule::node), name, rules.is_first_run(agent).or_raise()?))
        })
    }

    /// Sends an agent to a rule by the id of the rule.
    fn jump(&self, py: Python<'_>, id: u64, rule: &str) -> PyResult<()> {
        self.change(py, |state| {
            let jumped = state.crowd.rules_mut().jump_to(Agent::from_bits(id), rule);
            jumped.map_err(|error| ErrorClass::Pleach.because(error))
        })
    }

    /// Returns the place of an agent among the rules, as bytes.
    fn save_rule<'py>(&self, py: Python<'py>, id: u64) -> PyResult<Bound<'py, PyBytes>> {
        let mut saved = Vec::new();
        self.read(|state| {
            let saved = state.crowd.rules().save(Agent::from_bits(id), &mut saved);
            saved.map_err(|error| ErrorClass::Pleach.because(error))
        })?;
        Ok(PyBytes::new(py, &saved))
    }

    /// Sends an agent to a saved place among the rules.
    fn restore_rule(&self, py: Python<'_>, id: u64, saved: &[u8]) -> PyResult<()> {
        self.change(py, |state| {
            let restored = state.crowd.rules_mut().restore(Agent::from_bits(id), saved);
            restored.map_err(|error| ErrorClass::State.because(error))
        })
    }

    /// Sends an agent away from its rule, to none.
    fn lose_rule(&self, py: Python<'_>, id: u64) -> PyResult<()> {
        self.change(py, |state| {
            let lost = state.crowd.rules_mut().lose(Agent::from_bits(id));
            lost.map_err(|error| ErrorClass::Pleach.because(error))
        })
    }

    /// Sets the number of rules that may run in a tick of an agent.
    #[setter]
    fn set_step_limit(&self, py: Python<'_>, limit: u16) -> PyResult<()> {
        let limit = NonZeroU16::new(limit)
            .ok_or_else(|| PyValueError::new_err("at least one rule may run in a tick"))?;
        self.change(py, |state| {
            state.crowd.set_step_limit(limit);
            Ok(())
        })
    }

    /// Returns the number of rules that may run in a tick of an agent.
    #[getter]
    fn step_limit(&self) -> PyResult<u16> {
        self.read(|state| Ok(state.crowd.step_limit()))
    }
}
